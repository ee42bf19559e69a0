import Basics
import HID
import Links
import Testbed
import Testing
import Wire

@Suite("Stream verifier")
struct StreamVerifierTests {
    @Test("only the ends of the data links have a stream verifier")
    func ends() {
        for role in Role.allCases {
            for peer in Role.allCases {
                let isData =
                    role == .systemServer
                    ? peer == .inputKit || peer == .app
                    : peer == .systemServer && (role == .inputKit || role == .app)
                #expect((StreamVerifier(of: role, to: peer) != nil) == isData, "\(role) to \(peer)")
            }
        }
    }

    @Test("the stream verifier accepts scans, touches and receipts at both ends")
    func legal() {
        let link = Link(.inputKit)
        #expect(link.client(.digitizer(scan([.began]))) == nil)
        #expect(link.client(.digitizer(scan([.moved]))) == nil)
        #expect(link.server(.handled(Receipt(frame: 2, outcome: .home))) == nil)
        #expect(link.server(.handled(Receipt(frame: 3, outcome: .dropped, reason: .overLimit))) == nil)
        #expect(link.client(.digitizer(scan([.ended]))) == nil)
        let app = Link(.app)
        #expect(app.server(.touches(touches([(1, .began)]))) == nil)
        #expect(app.server(.touches(touches([(1, .stationary), (2, .began)]))) == nil)
        #expect(app.client(.handled(Receipt(frame: 2, outcome: .delivered, began: 1))) == nil)
        #expect(app.server(.touches(touches([(1, .ended), (2, .cancelled)]))) == nil)
    }

    @Test("the stream verifier checks each scan of a shared frame, and counts each in the credit window")
    func sharedFrames() {
        let link = Link(.inputKit)
        #expect(link.client(.digitizer(scan([.began]))) == nil)
        #expect(link.client(.scans([scan([.moved]), scan([.moved], at: 2)])) == nil)
        #expect(link.server(.handled(Receipt(frame: 3, outcome: .home))) == nil)
        #expect(link.server(.handled(Receipt(frame: 3, outcome: .home))) == .receiptTwice(frame: 3))
        let late = link.client(.scans([scan([.moved], at: 4), scan([.moved], at: 3)]))
        #expect(late == .deviceTime(sender: 1, Instant(nanoseconds: 3), before: Instant(nanoseconds: 4)))
        let unknown = link.client(.scans([scan([.moved], at: 5), scan([.moved, .moved], at: 5)]))
        #expect(unknown == .finger(sender: 1, index: 2, .neverBegan))
        // The times behind a fault are adopted too: of moves, and of the parts of a frame behind it.
        let other = Link(.inputKit)
        #expect(other.client(.digitizer(scan([.began]))) == nil)
        var resting = scan([.stationary], at: 7)
        let middle = other.client(
            .scans([scan([.moved], at: 6), resting, scan([.moved], at: 6), scan([.moved], at: 9)]))
        #expect(middle == .deviceTime(sender: 1, Instant(nanoseconds: 6), before: Instant(nanoseconds: 7)))
        resting.timeStamp = Instant(nanoseconds: 8)
        let after = other.client(.scans([resting, scan([.moved], at: 9)]))
        #expect(after == .deviceTime(sender: 1, Instant(nanoseconds: 8), before: Instant(nanoseconds: 9)))
        let app = Link(.app)
        let frames = [TouchFrame](repeating: touches([(1, .moved)]), count: 64)
        #expect(app.server(.touches(touches([(1, .began)]))) == nil)
        for _ in 0..<3 { #expect(app.server(.severalTouches(TouchList(frames))) == nil) }
        #expect(app.serverEnd.unanswered == 193)
        #expect(app.server(.severalTouches(TouchList(frames))) == .beyondCredit(unanswered: 193, credit: 256))
        #expect(app.client(.handled(Receipt(frame: 3, outcome: .delivered, moved: 64))) == nil)
        #expect(app.serverEnd.unanswered == 193)
        #expect(app.server(.severalTouches([touches([(1, .moved)]), touches([(2, .moved)])])) != nil)
    }

    @Test("a kind that one end may send stays forbidden for the other end")
    func permissions() {
        let link = Link(.inputKit)
        #expect(link.client(.digitizer(scan([.began]))) == nil)
        #expect(link.server(.handled(Receipt(frame: 2, outcome: .home))) == nil)
        for _ in 0..<2 {
            #expect(link.client(.handled(Receipt(frame: 2, outcome: .home))) == .forbidden(.handled))
            #expect(link.server(.digitizer(scan([.moved]))) == .forbidden(.digitizer))
        }
    }

    @Test("the stream verifier reports wrong numbers, generations, epochs and acknowledgements")
    func numbers() {
        var link = Link(.inputKit)
        _ = link.fromClient.frame(.hello)
        #expect(link.client(.digitizer(scan([.began]))) == .sequence(3, expected: 2))
        let early = End(of: .inputKit, to: .systemServer)
        var numbers = LinkNumbers(epoch: 1, generation: 1)
        let first = numbers.frame(.digitizer(scan([.began])))
        #expect(early.sends(first) == .beforeHello(.digitizer))
        link = Link(.inputKit)
        var frame = link.fromClient.frame(.digitizer(scan([.began])))
        frame.generation = 9
        #expect(link.clientEnd.sends(frame) == .generation(9, expected: 1))
        link = Link(.inputKit)
        frame = link.fromClient.frame(.digitizer(scan([.began])))
        frame.epoch = 3
        #expect(link.clientEnd.sends(frame) == .epoch(3, expected: 1))
        link = Link(.inputKit)
        frame = link.fromClient.frame(.digitizer(scan([.began])))
        frame.ack = 5
        #expect(link.clientEnd.sends(frame) == .acknowledged(5, sent: 1))
        link = Link(.inputKit)
        #expect(link.client(.touches(touches([(1, .began)]))) == .forbidden(.touches))
    }

    @Test("a hello may repeat until answered, and older hellos are ignored")
    func greetings() {
        let client = End(of: .app, to: .systemServer)
        var numbers = LinkNumbers(epoch: 0, generation: 2)
        let hello = numbers.hello(credit: 4)
        #expect(client.sends(hello) == nil && client.sends(hello) == nil)
        let server = End(of: .systemServer, to: .app)
        var answers = LinkNumbers(epoch: 1, generation: 1)
        #expect(server.hears(hello) == nil && server.verdict == .clientHello)
        answers.welcome(hello, epoch: 1)
        var answer = answers.answer()
        #expect(server.sends(answer) == nil && server.hasWelcomed)
        // A repeated hello is answered again under the same number, and the link does not open again.
        #expect(server.hears(hello) == nil)
        #expect(server.sends(answers.answer()) == nil && !server.hasWelcomed)
        #expect(server.hears(hello) == nil)
        answer = answers.frame(.hello)
        #expect(server.sends(answer) == .sequence(2, expected: 1))
        var ghost = LinkNumbers(epoch: 0, generation: 1)
        let old = ghost.hello()
        #expect(server.hears(old) == nil)
        answer = answers.frame(.hello)
        #expect(server.sends(answer) == .generation(1, expected: 2))
    }

    @Test("the stream verifier reports fingers with wrong phases or missing from lists")
    func fingers() {
        func fault(_ scans: [HIDEvent]) -> StreamFault? {
            let link = Link(.inputKit)
            var last: StreamFault?
            for scan in scans { last = link.client(.digitizer(scan)) }
            return last
        }
        #expect(fault([scan([.moved])]) == .finger(sender: 1, index: 1, .neverBegan))
        #expect(fault([scan([.ended])]) == .finger(sender: 1, index: 1, .neverBegan))
        #expect(fault([scan([.began]), scan([.began])]) == .finger(sender: 1, index: 1, .beganTwice))
        #expect(fault([scan([.began]), scan([.ended]), scan([.ended])]) == .finger(sender: 1, index: 1, .neverBegan))
        #expect(fault([scan([.began, .began]), scan([.moved])]) == .finger(sender: 1, index: 2, .notListed))
        #expect(fault([scan([.began]), scan([.began], of: 2)]) == nil, "another device's")
        #expect(fault([scan([.began], generation: 2), scan([.began], generation: 3)]) == nil, "opened anew")
        #expect(
            fault([scan([.began], generation: 2), scan([.moved], generation: 1)])
                == .deviceGeneration(sender: 1, 1, newest: 2))
        #expect(
            fault([scan([.began], at: 5), scan([.moved], at: 4)])
                == .deviceTime(sender: 1, Instant(nanoseconds: 4), before: Instant(nanoseconds: 5)))
    }

    @Test("the stream verifier reports touches with wrong phases, numbers or lists")
    func touchPhases() {
        func fault(_ frames: [TouchFrame]) -> StreamFault? {
            let link = Link(.app)
            var last: StreamFault?
            for frame in frames { last = link.server(.touches(frame)) }
            return last
        }
        func touch(_ id: UInt32) -> TouchID { TouchID(rawValue: id) }
        #expect(fault([touches([(1, .moved)])]) == .touch(touch(1), .neverBegan))
        #expect(fault([touches([(1, .began)]), touches([(1, .began)])]) == .touch(touch(1), .beganTwice))
        #expect(
            fault([touches([(1, .began)]), touches([(1, .ended)]), touches([(1, .began)])])
                == .touch(touch(1), .numberUsedBefore))
        #expect(
            fault([touches([(1, .began)]), touches([(1, .cancelled)]), touches([(1, .ended)])])
                == .touch(touch(1), .neverBegan))
        #expect(fault([touches([(1, .began)]), touches([(2, .began)])]) == .touch(touch(1), .notListed))
        #expect(
            fault([touches([(1, .began)]), touches([(1, .moved), (1, .ended)])]) == .touch(touch(1), .listedTwice))
    }

    @Test("the stream verifier reports receipts that are extra or lack reasons")
    func receipts() {
        let link = Link(.inputKit)
        _ = link.client(.digitizer(scan([.began])))
        let dropped = Receipt(frame: 2, outcome: .dropped, reason: .none)
        #expect(link.server(.handled(dropped)) == .receiptReason(.dropped, .none))
        #expect(link.server(.handled(Receipt(frame: 2, outcome: .home))) == nil)
        #expect(link.server(.handled(Receipt(frame: 2, outcome: .home))) == .receiptTwice(frame: 2))
        #expect(
            link.server(.handled(Receipt(frame: 7, outcome: .home))) == .receiptForUnreceived(frame: 7, received: 2))
        // A hello asks for no receipt.
        #expect(link.server(.handled(Receipt(frame: 1, outcome: .home))) == .receiptTwice(frame: 1))
    }

    @Test("only the moves of a running process must keep within credit")
    func credit() {
        let link = Link(.inputKit, serverCredit: 2)
        #expect(link.client(.digitizer(scan([.began])), isHeard: false) == nil)
        #expect(link.client(.digitizer(scan([.moved])), isHeard: false) == nil)
        let beyond = link.client(.digitizer(scan([.moved])), isHeard: false)
        #expect(beyond == .beyondCredit(unanswered: 2, credit: 2))
        #expect(link.client(.digitizer(scan([.ended])), isHeard: false) == nil)
        link.clientEnd.close()
        _ = link.client(.digitizer(scan([.began])), isHeard: false)
        #expect(link.client(.digitizer(scan([.moved])), isHeard: false) == nil)
    }

    @Test("with one clock a ledger's stamps must ascend from the event's time")
    func stamps() {
        for hasOneClock in [true, false] {
            let link = Link(.inputKit)
            link.clientEnd.hasOneClock(hasOneClock)
            var ledger = Ledger(device: Instant(nanoseconds: 1))
            ledger.append(.boot)
            let fault = link.clientEnd.sends(
                link.fromClient.frame(.digitizer(scan([.began], at: 1)), ledger: ledger))
            let expected = StreamFault.ledger(hop: .inputSent, .boot, before: Instant(nanoseconds: 1))
            #expect(fault == (hasOneClock ? expected : nil))
        }
        let link = Link(.inputKit)
        let frame = link.fromClient.frame(
            .digitizer(scan([.began], at: 1)), ledger: Ledger(device: Instant(nanoseconds: 3)))
        #expect(
            link.clientEnd.sends(frame)
                == .deviceStamp(Instant(nanoseconds: 3), event: Instant(nanoseconds: 1)))
    }

    @Test("the stream verifier tolerates gaps, duplicates and fenced frames")
    func badLinks() {
        let link = Link(.app)
        let frames = [
            touches([(1, .began)]), touches([(1, .moved)]), touches([(1, .ended)]), touches([(2, .began)]),
        ].map { link.fromServer.frame(.touches($0)) }
        for frame in frames { #expect(link.serverEnd.sends(frame) == nil) }
        #expect(link.clientEnd.hears(frames[1]) == nil && link.clientEnd.verdict == .gap)
        #expect(link.clientEnd.hears(frames[1]) == nil && link.clientEnd.verdict == .duplicate)
        #expect(link.clientEnd.hears(frames[0]) == nil && link.clientEnd.verdict == .duplicate)
        #expect(link.clientEnd.hears(frames[2]) == nil && link.clientEnd.verdict == .fresh)
        var ghost = LinkNumbers(epoch: 0, generation: 1)
        let late = ghost.frame(.touches(touches([(9, .moved)])))
        #expect(link.clientEnd.hears(late) == nil)
        #expect(link.clientEnd.verdict == .fenced)
        // The app also answers frames that it missed.
        let lost = Receipt(frame: frames[0].sequence, outcome: .dropped, reason: .lostOnLink)
        let answer = link.fromClient.frame(.handled(lost))
        #expect(link.clientEnd.sends(answer) == nil)
    }

    @Test("the stream verifier of the receiver reports a dishonest sender")
    func dishonest() {
        var link = Link(.app)
        let touched = link.fromServer.frame(.touches(touches([(1, .moved)])))
        #expect(link.clientEnd.hears(touched) == .touch(TouchID(rawValue: 1), .neverBegan))
        link = Link(.inputKit)
        var frame = link.fromClient.frame(.digitizer(scan([.began])))
        frame.ack = 99
        #expect(link.serverEnd.hears(frame) == .acknowledged(99, sent: 1))
    }

    @Test("20,000 random frames never trap the stream verifier")
    func anything() {
        var chance = SeededGenerator(seed: 5)
        var ends = [
            StreamVerifier(of: .inputKit, to: .systemServer)!, StreamVerifier(of: .systemServer, to: .inputKit)!,
            StreamVerifier(of: .app, to: .systemServer)!, StreamVerifier(of: .systemServer, to: .app)!,
        ]
        func number() -> UInt64 {
            [0, 1, 2, 3, 70, 8192, 9000, .max - 1, .max].randomElement(using: &chance)!
        }
        func sequence() -> SequenceNumber { SequenceNumber(number()) }
        func phase() -> ContactPhase {
            [.began, .moved, .stationary, .ended, .cancelled].randomElement(using: &chance)!
        }
        for _ in 0..<20_000 {
            let messages: [Message] = [
                .hello, .digitizer(scan([phase(), phase()], of: number(), at: Int64(truncatingIfNeeded: number()))),
                .touches(touches([(UInt32(truncatingIfNeeded: number()), phase()), (3, phase())])),
                .handled(Receipt(frame: sequence(), outcome: .delivered)), .link(.probe),
                .link(.received(oldest: sequence(), missed: number())),
            ]
            let frame = Frame(
                epoch: UInt32(truncatingIfNeeded: number()), generation: 1, sequence: sequence(), ack: sequence(),
                credit: UInt32(truncatingIfNeeded: number()), message: messages.randomElement(using: &chance)!)
            let place = Int.random(in: ends.indices, using: &chance)
            if Bool.random(using: &chance) {
                _ = ends[place].checkSent(frame)
            } else {
                _ = ends[place].checkReceived(frame)
            }
        }
        #expect(ends.allSatisfy { $0.unanswered >= 0 })
    }
}

@Suite("Window of sequence numbers")
struct SequenceWindowTests {
    @Test("a window of sequence numbers agrees with a set for 200 seeds")
    func agrees() {
        for seed in 0..<200 as Range<UInt64> {
            var chance = SeededGenerator(seed: seed)
            var window = SequenceWindow()
            var (marked, newest) = (Set<UInt64>(), UInt64(0))
            for _ in 0..<200 {
                let near = newest + UInt64.random(in: 0..<20, using: &chance)
                let far = newest + UInt64.random(in: 0..<20_000, using: &chance)
                switch Int.random(in: 0..<10, using: &chance) {
                case 0...5:
                    let sequence = Int.random(in: 0..<20, using: &chance) == 0 ? far : near
                    window.insert(SequenceNumber(sequence))
                    marked.insert(sequence)
                    newest = max(newest, sequence)
                    // A number that was never marked while it was near is too old to be marked.
                    if newest - sequence >= SequenceWindow.length { marked.remove(sequence) }
                case 6...8:
                    let sequence = near > 10 ? near - 10 : near
                    let wasExpected = marked.remove(sequence) != nil
                    let wasMarked = window.remove(SequenceNumber(sequence))
                    #expect(wasMarked == wasExpected, "seed \(seed)")
                default:
                    let last = near > 15 ? near - 15 : 0
                    window.removeAll(through: SequenceNumber(last))
                    marked = marked.filter { $0 > last }
                }
                #expect(window.count == marked.count, "seed \(seed)")
                #expect(marked.allSatisfy { window.contains(SequenceNumber($0)) }, "seed \(seed)")
            }
        }
    }
}

/// One end of a link, wrapped in a class so that expectations can call it.
private final class End {
    private(set) var verifier: StreamVerifier

    init(of role: Role, to peer: Role) { verifier = StreamVerifier(of: role, to: peer)! }

    var verdict: StreamVerifier.Verdict { verifier.verdict }
    var hasWelcomed: Bool { verifier.hasWelcomed }
    var unanswered: Int { verifier.unanswered }
    func sends(_ frame: Frame) -> StreamFault? { verifier.checkSent(frame) }
    func hears(_ frame: Frame) -> StreamFault? { verifier.checkReceived(frame) }
    func close() { verifier.isClosing = true }
    func hasOneClock(_ hasOne: Bool) { verifier.hasOneClock = hasOne }
}

/// Both ends of an open link, with the numbers that the processes use.
private final class Link {
    let clientEnd: End
    let serverEnd: End
    var fromClient = LinkNumbers(epoch: 0, generation: 1)
    var fromServer = LinkNumbers(epoch: 1, generation: 1)

    init(_ role: Role, serverCredit: UInt32 = 256) {
        clientEnd = End(of: role, to: .systemServer)
        serverEnd = End(of: .systemServer, to: role)
        let hello = fromClient.hello()
        _ = clientEnd.sends(hello)
        _ = serverEnd.hears(hello)
        fromServer.welcome(hello, epoch: 1)
        let answer = fromServer.frame(.hello, credit: serverCredit)
        _ = serverEnd.sends(answer)
        _ = clientEnd.hears(answer)
        fromClient.adopt(hello: answer, epoch: 1)
    }

    /// - Returns: The fault that the sender's end reports, or else the receiver's.
    func client(_ message: Message, isHeard: Bool = true) -> StreamFault? {
        let frame = fromClient.frame(message)
        if let fault = clientEnd.sends(frame) { return fault }
        guard isHeard else { return nil }
        _ = fromServer.accept(frame)
        return serverEnd.hears(frame)
    }

    func server(_ message: Message) -> StreamFault? {
        let frame = fromServer.frame(message)
        if let fault = serverEnd.sends(frame) { return fault }
        _ = fromClient.accept(frame)
        return clientEnd.hears(frame)
    }
}

/// A scan of the fingers 1, 2, … in these phases.
private func scan(
    _ phases: [ContactPhase], of sender: UInt64 = 1, generation: UInt32 = 1, at time: Int64 = 1
) -> HIDEvent {
    let fingers = zip(UInt32(1)..., phases).map { index, phase in
        switch phase {
        case .began: landed(index)
        case .moved: moved(index)
        case .stationary: held(index)
        case .ended: lifted(index)
        case .cancelled: cancelled(index)
        }
    }
    return scan(fingers, of: sender, generation: generation, at: Instant(nanoseconds: time))
}

private func touches(_ contacts: [(UInt32, ContactPhase)]) -> TouchFrame {
    TouchFrame(timeStamp: .boot, contacts: contacts.map { contact($0.0, $0.1) })
}
