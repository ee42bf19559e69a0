import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("The server's links")
struct LossTests {

    var stage = Stage()

    init() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.pass(0)
    }

    @Test("the server answers a lost scan and ignores it when it arrives")
    mutating func missingScans() {
        _ = stage.scans(down(1, 0.5, 0.5))
        let lost = stage.inputKitFrame(.digitizer(scan(moved(1, 0.6, 0.6))))
        let answers = stage.scans(lifted(1))
        // The frame is behind the scan that revealed the loss. Its acknowledgement covers that scan too.
        #expect(answers.map(\.message.kind) == [.touches, .handled])
        #expect(
            answers.last?.message
                == .handled(Receipt(frame: lost.sequence, outcome: .dropped, reason: .lostOnLink)))
        #expect(stage.handle(.frame(lost, from: .inputKit)).isEmpty)
    }

    @Test("the server probes an app that sends windows but answers no touches")
    mutating func talkative() {
        _ = stage.scans(down(1, 0.5, 0.5))
        var asked = 0
        for _ in 0..<10 {
            let whole = WindowsDiff(number: 1, isWhole: true, changes: [])
            _ = stage.handle(.frame(stage.appFrame(1, .windows(whole)), from: .app(1)))
            asked += stage.pass(99).count { $0.message == .link(.probe) }
        }
        #expect(asked > 0)
    }

    @Test("held keys end when a frame of input-kit was lost")
    mutating func keys() {
        _ = stage.inputKitSends(.began, .key(HIDUsage(page: 12, usage: 64)))
        _ = stage.inputKitFrame(.digitizer(scan()))
        let told = stage.scans(down(1, 0.5, 0.5))
        #expect(told.map(\.message.kind) == [.input, .touches, .handled])
    }

    @Test("a scan without contacts ends the touches whose lift was lost")
    mutating func standing() {
        _ = stage.scans(down(1, 0.5, 0.5))
        let told = stage.handle(.frame(stage.inputKitFrame(.digitizer(scan())), from: .inputKit))
        guard case .touches(let frame)? = told.first?.message else {
            Issue.record("no frame was sent: \(told)")
            return
        }
        #expect(frame.contacts.map(\.phase) == [.cancelled])
    }

    @Test("an app that missed a frame loses its touches until they lift")
    mutating func appMissed() {
        let sent = stage.scans(down(1, 0.5, 0.5))
        let receipt = Receipt(frame: sent[0].sequence, outcome: .dropped, reason: .lostOnLink)
        let told = stage.handle(.frame(stage.appFrame(1, .handled(receipt)), from: .app(1)))
        #expect(told.map(\.message.kind) == [.touches, .handled])
        #expect(
            stage.scans(moved(1, 0.6, 0.6)).map(\.message)
                == [.handled(Receipt(frame: 3, outcome: .dropped, reason: .ignoredUntilLift))])
    }

    @Test("an app's late loss report cancels only touches from before the loss")
    mutating func laterFingers() {
        func phases(_ frames: [Frame]) -> [[TouchContact.Phase]] {
            frames.compactMap {
                if case .touches(let touches) = $0.message { touches.contacts.map(\.phase) } else { nil }
            }
        }
        func late(_ frame: SequenceNumber) -> [[TouchContact.Phase]] {
            let receipt = Receipt(frame: frame, outcome: .dropped, reason: .late)
            return phases(stage.handle(.frame(stage.appFrame(1, .handled(receipt)), from: .app(1))))
        }
        let first = stage.scans(down(1, 0.5, 0.5))[0].sequence
        let move = stage.scans(moved(1, 0.6, 0.6))[0].sequence
        let second = stage.scans(held(1, 0.6, 0.6), down(2, 0.2, 0.2))[0].sequence
        #expect(late(first) == [[.cancelled, .stationary]])
        #expect(late(move) == [], "it is over, and the other was told later")
        #expect(phases(stage.scans(held(1, 0.6, 0.6), moved(2, 0.3, 0.3))) == [[.moved]])
        #expect(late(second) == [[.cancelled]])
        #expect(phases(stage.scans(lifted(2))) == [])
    }

    @Test("an app that missed a life-cycle change receives its state again")
    mutating func lifeCycle() throws {
        let receipt = Receipt(frame: 2, outcome: .dropped, reason: .lostOnLink)
        let told = stage.handle(.frame(stage.appFrame(1, .handled(receipt)), from: .app(1)))
        #expect(told.map(\.message) == [.lifeCycle(.didBecomeActive)])
        let locked = stage.handle(.frame(stage.order(.act(.lock)), from: .supervisor)).map(\.sequence)
        let last = Receipt(frame: try #require(locked.last), outcome: .dropped, reason: .lostOnLink)
        let again = stage.handle(.frame(stage.appFrame(1, .handled(last)), from: .app(1)))
        #expect(again.map(\.message) == [.lifeCycle(.willResignActive), .lifeCycle(.didEnterBackground)])
    }

    @Test("the server restates the life cycle once for all earlier losses")
    mutating func once() throws {
        let locked = stage.handle(.frame(stage.order(.act(.lock)), from: .supervisor))
        func missing(_ frame: SequenceNumber) -> [Message] {
            let receipt = Receipt(frame: frame, outcome: .dropped, reason: .lostOnLink)
            return stage.handle(.frame(stage.appFrame(1, .handled(receipt)), from: .app(1))).map(\.message)
        }
        let standing: [Message] = [.lifeCycle(.willResignActive), .lifeCycle(.didEnterBackground)]
        let sent = try #require(locked.last?.sequence)
        #expect(missing(2) == standing)
        for frame in 1...sent.rawValue { #expect(missing(SequenceNumber(frame)).isEmpty, "\(frame)") }
        #expect(missing(sent.next) == standing)
        #expect(missing(sent.next.next).isEmpty)
    }

    @Test("repeated loss reports of an app do not fill its queue")
    mutating func claims() {
        _ = stage.handle(.peerLost(.app(1)))
        _ = stage.appSaysHello(1, credit: 1)
        _ = stage.scans(down(1, 0.5, 0.5))
        _ = stage.scans(moved(1, 0.6, 0.6))
        for missed in 1...3 {
            let lost = Receipt(frame: 3, outcome: .dropped, reason: .lostOnLink)
            for _ in 0..<1000 { _ = stage.handle(.frame(stage.appFrame(1, .handled(lost)), from: .app(1))) }
            let heard = Message.link(.received(oldest: 1, missed: UInt64(missed)))
            _ = stage.handle(.frame(stage.appFrame(1, heard), from: .app(1)))
        }
        guard
            case .report(let report)? = stage.handle(.frame(stage.order(.reportRequest), from: .supervisor)).first?
                .message,
            case .number(let queue)? = report.rows.first(where: { $0.key == "app1.queue" })?.value
        else {
            Issue.record("the server does not say what waits")
            return
        }
        #expect(queue <= 4)
    }

    @Test(
        "an app that answers or misses a frame never sent is struck",
        arguments: [
            Message.handled(Receipt(frame: 0, outcome: .dropped, reason: .lostOnLink)),
            .handled(Receipt(frame: 100, outcome: .delivered)), .link(.received(oldest: 0, missed: 100)),
        ])
    mutating func invented(message: Message) {
        let told = (1...3).flatMap { _ in stage.handle(.frame(stage.appFrame(1, message), from: .app(1))) }
        #expect(told.map(\.message.kind) == [.tooManyStrikes])
    }

    @Test("the app in front returns to front after a lost link")
    mutating func linkedAgain() {
        _ = stage.appSaysHello(2)
        _ = stage.handle(.frame(stage.order(.act(.foreground(app: 2))), from: .supervisor))
        _ = stage.handle(.peerLost(.app(2)))
        #expect(stage.scans(down(1, 0.5, 0.5)).map(\.message.kind) == [.handled], "the home screen's")
        let told = stage.appSaysHelloAgain(2)
        #expect(told.map(\.message).contains(.lifeCycle(.didBecomeActive)))
        _ = stage.scans(lifted(1))
        let landed = stage.handle(
            .frame(stage.inputKitFrame(.digitizer(scan(down(1, 0.5, 0.5)))), from: .inputKit))
        #expect(landed.map(\.message.kind) == [.touches])
    }

    @Test("an app that greets without credit receives its touches when credit arrives")
    mutating func window() {
        _ = stage.handle(.peerLost(.app(1)))
        _ = stage.appSaysHello(1, credit: 0)
        let first = stage.scans(down(1, 0.5, 0.5))
        for finger in [lifted(1), down(2, 0.6, 0.6), lifted(2)] { #expect(stage.scans(finger).isEmpty) }
        let receipt = Receipt(frame: first[0].sequence, outcome: .delivered)
        var frame = stage.appFrame(1, .handled(receipt))
        frame.credit = 16
        let told = stage.handle(.frame(frame, from: .app(1)))
        #expect(told.filter { $0.message.kind == .touches }.count == 3)
    }

    @Test("the server probes an app until it has acknowledged everything")
    mutating func probes() {
        let asked = stage.pass(1000)
        #expect(asked.map(\.message) == Array(repeating: .link(.probe), count: 3))
        stage.appHears(1, asked[2])
        #expect(stage.handle(.frame(stage.appFrame(1, .link(.received(oldest: 0, missed: 0))), from: .app(1))).isEmpty)
        #expect(stage.pass(60_000).isEmpty)
    }

    @Test("an app's oldest-unanswered report settles scans whose receipts were lost")
    mutating func lostReceipts() {
        let first = stage.scans(down(1, 0.5, 0.5))
        let second = stage.scans(moved(1, 0.6, 0.6))
        for frame in first + second { stage.appHears(1, frame) }
        _ = stage.appFrame(1, .handled(Receipt(frame: first[0].sequence, outcome: .delivered, began: 1)))
        let heard = stage.appFrame(1, .link(.received(oldest: second[0].sequence, missed: 0)))
        #expect(
            stage.handle(.frame(heard, from: .app(1))).map(\.message)
                == [.handled(Receipt(frame: 2, outcome: .dropped, reason: .lostOnLink))])
        #expect(
            stage.appHandles(1, second[0], began: 0).map(\.message)
                == [.handled(Receipt(frame: 3, outcome: .delivered))])
    }

    @Test("an app that reports an unknown loss has its touches cancelled")
    mutating func unknownLoss() {
        let sent = stage.scans(down(1, 0.5, 0.5))
        stage.appHears(1, sent[0])
        let heard = stage.appFrame(1, .link(.received(oldest: sent[0].sequence, missed: 2)))
        let told = stage.handle(.frame(heard, from: .app(1)))
        #expect(told.map(\.message.kind) == [.touches, .lifeCycle])
        let again = stage.appFrame(1, .link(.received(oldest: sent[0].sequence, missed: 2)))
        #expect(stage.handle(.frame(again, from: .app(1))).isEmpty)
    }

    @Test("input-kit learns what arrived and the oldest scan without an answer")
    mutating func heard() {
        _ = stage.scans(down(1, 0.5, 0.5))
        let probe = stage.inputKitFrame(.link(.probe))
        let answer = stage.handle(.frame(probe, from: .inputKit))
        #expect(answer.map(\.message) == [.link(.received(oldest: 2, missed: 0))])
        #expect(answer[0].ack == probe.sequence)
    }

    @Test("the server answers a repeated hello again and ignores older hellos")
    mutating func hellos() {
        var client = LinkNumbers(epoch: 0, generation: 9)
        let first = client.hello()
        let second = client.hello()
        #expect(stage.handle(.frame(first, from: .app(2))).map(\.message) == [.hello])
        #expect(stage.handle(.frame(first, from: .app(2))).map(\.message) == [.hello])
        #expect(stage.handle(.frame(second, from: .app(2))).map(\.message) == [.hello])
        #expect(stage.handle(.frame(first, from: .app(2))).isEmpty)
        _ = stage.handle(.peerLost(.app(2)))
        #expect(stage.handle(.frame(second, from: .app(2))).isEmpty)
        var older = LinkNumbers(epoch: 0, generation: 8)
        #expect(stage.handle(.frame(older.hello(), from: .app(2))).isEmpty)
    }

    @Test("a repeated hello shows the app the frames it missed after it")
    mutating func lostAnswer() {
        var client = LinkNumbers(epoch: 0, generation: 9)
        let hello = client.hello()
        _ = stage.handle(.frame(stage.order(.act(.foreground(app: 2))), from: .supervisor))
        let lost = stage.handle(.frame(hello, from: .app(2)))
        #expect(lost.map(\.message.kind).prefix(1) == [.hello])
        _ = stage.scans(down(1, 0.5, 0.5))
        let told = stage.handle(.frame(hello, from: .app(2)))
        #expect(told.map(\.message) == [.hello, .link(.probe)])
        #expect(told[0].sequence == lost[0].sequence)
        client.adopt(hello: told[0], epoch: told[0].epoch)
        #expect(client.accept(told[1]) == .gap(missing: told[1].sequence.distance(from: told[0].sequence) - 1))
    }

    @Test("the server's sequence numbers continue when an app reconnects")
    mutating func numbersGoOn() {
        var client = LinkNumbers(epoch: 0, generation: 9)
        let first = stage.handle(.frame(client.hello(), from: .app(2)))
        _ = stage.handle(.peerLost(.app(2)))
        let second = stage.handle(.frame(client.hello(), from: .app(2)))
        #expect(second[0].sequence > first[0].sequence)
    }

    @Test("touches of a dead input-kit fill credit and answer no scan")
    mutating func deadInputKit() {
        _ = stage.appSaysHello(1, credit: 2)
        let old = stage.scans(down(1, 0.1, 0.1))
        _ = stage.scans(moved(1, 0.2, 0.2))
        // The cancel waits for the credit window too.
        #expect(stage.handle(.peerLost(.inputKit)).isEmpty)
        _ = stage.inputKitSaysHello(generation: 2)
        #expect(stage.scans(down(1, 0.3, 0.3)).isEmpty)
        #expect(stage.lastScan == 2)
        let next = stage.appHandles(1, old[0], began: 1, credit: 1)
        #expect(next.map(\.message.kind) == [.touches])
        guard case .touches(let frame)? = next.first?.message else { return }
        #expect(frame.contacts.map(\.phase) == [.cancelled])
    }
}

@Suite("The lease of a stopped server")
struct LeaseTests {

    var stage = Stage()

    init() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
    }

    @Test("a server stopped beyond its lease during a touch exits on waking")
    mutating func stopped() {
        _ = stage.scans(down(1, 0.5, 0.5))
        stage.standsStill(950)
        _ = stage.scans(moved(1, 0.6, 0.6))
        #expect(stage.lastEffects == [.exit(status: ExitStatus.leaseExpired)])
        _ = stage.scans(lifted(1))
        #expect(stage.lastEffects.isEmpty)
    }

    @Test("a server that is late by less than its lease keeps running")
    mutating func late() {
        _ = stage.scans(down(1, 0.5, 0.5))
        stage.standsStill(850)
        #expect(stage.scans(moved(1, 0.6, 0.6)).map(\.message.kind) == [.touches])
    }

    @Test("an idle server keeps running and exits if input outlived its lease")
    mutating func idle() {
        let probes = stage.pass(150)
        stage.appHears(1, probes[0])
        _ = stage.handle(.frame(stage.appFrame(1, .link(.received(oldest: 0, missed: 0))), from: .app(1)))
        _ = stage.pass(60_000)
        #expect(stage.scans(down(1, 0.5, 0.5)).map(\.message.kind) == [.touches])
        _ = stage.scans(lifted(1))
        _ = stage.handle(.peerLost(.app(1)))
        _ = stage.pass(60_000)
        let waited = stage.inputKitFrame(.digitizer(scan(down(1, 0.5, 0.5))), sentAt: stage.now)
        stage.standsStill(2000)
        _ = stage.handle(.frame(waited, from: .inputKit))
        #expect(stage.lastEffects == [.exit(status: ExitStatus.leaseExpired)])
    }

    @Test("input older than the lease ends the server after an app's loss")
    mutating func givenUp() {
        let probes = stage.pass(150)
        stage.appHears(1, probes[0])
        _ = stage.handle(.frame(stage.appFrame(1, .link(.received(oldest: 0, missed: 0))), from: .app(1)))
        _ = stage.pass(60_000)
        let waited = stage.inputKitFrame(.digitizer(scan(down(1, 0.5, 0.5))), sentAt: stage.now)
        stage.standsStill(2000)
        _ = stage.handle(.peerLost(.app(1)))
        #expect(stage.lastEffects.isEmpty)
        _ = stage.handle(.frame(waited, from: .inputKit))
        #expect(stage.lastEffects == [.exit(status: ExitStatus.leaseExpired)])
    }

    @Test("a repeated old scan does not end the server")
    mutating func repeated() {
        _ = stage.handle(.peerLost(.app(1)))
        let frame = stage.inputKitFrame(.digitizer(scan(down(1, 0.5, 0.5))))
        _ = stage.handle(.frame(frame, from: .inputKit))
        _ = stage.scans(lifted(1))
        _ = stage.pass(60_000)
        #expect(stage.handle(.frame(frame, from: .inputKit)).isEmpty)
        #expect(stage.lastEffects.isEmpty)
    }
}

@Suite("Protocol violations of peers")
struct ConductTests {

    var stage = Stage()

    @Test("the third strike disconnects a peer, reports it, and bans its generation")
    mutating func strikes() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        let roster = [RosterEntry(peer: .app(1), pid: 4, uid: 0, generation: 1, isReady: true)]
        _ = stage.handle(.frame(stage.order(.roster(roster)), from: .supervisor))
        _ = stage.scans(down(1, 0.5, 0.5))
        let refusal = Input.refused(.forbidden(.app(1), .digitizer))
        #expect(stage.handle(refusal).isEmpty)
        #expect(stage.handle(refusal).isEmpty)
        let told = stage.handle(refusal)
        #expect(
            told.map(\.message) == [
                .handled(Receipt(frame: 2, outcome: .dropped, reason: .ownerDied)),
                .tooManyStrikes(
                    StrikeReport(peer: .app(1), generation: 1, strikes: 3, reason: "app1 may not send digitizer")),
            ])
        #expect(stage.lastEffects.contains(.hangUp(.app(1))))
        #expect(stage.handle(refusal).isEmpty)
        var same = LinkNumbers(epoch: 0, generation: 1)
        for _ in 0..<5 { #expect(stage.handle(.frame(same.hello(), from: .app(1))).isEmpty) }
        let restarted = [RosterEntry(peer: .app(1), pid: 5, uid: 0, generation: 2, isReady: true)]
        _ = stage.handle(.frame(stage.order(.roster(restarted)), from: .supervisor))
        var next = LinkNumbers(epoch: 0, generation: 2)
        #expect(stage.handle(.frame(next.hello(), from: .app(1))).map(\.message.kind).first == .hello)
    }

    @Test("a hello with a future generation is struck and blocks no successor")
    mutating func impostor() {
        func roster(_ generation: UInt32) -> Message {
            .roster([RosterEntry(peer: .app(1), pid: 4, uid: 0, generation: generation, isReady: true)])
        }
        _ = stage.handle(.frame(stage.order(roster(3)), from: .supervisor))
        var liar = LinkNumbers(epoch: 0, generation: .max)
        #expect(stage.handle(.frame(liar.hello(), from: .app(1))).isEmpty)
        _ = stage.handle(.frame(stage.order(roster(4)), from: .supervisor))
        var late = LinkNumbers(epoch: 0, generation: 3)
        #expect(stage.handle(.frame(late.hello(), from: .app(1))).isEmpty)
        var next = LinkNumbers(epoch: 0, generation: 4)
        #expect(stage.handle(.frame(next.hello(), from: .app(1))).map(\.message.kind).first == .hello)
    }

    @Test("frames of strangers count against no peer")
    mutating func strangers() {
        _ = stage.appSaysHello(1)
        for _ in 0..<100 { #expect(stage.handle(.refused(.notOnRoster(pid: 7, uid: 8))).isEmpty) }
    }

    @Test("T6: one flood or three wrong passes disconnect a peer")
    mutating func passes() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.appSaysHello(2)
        for _ in 0..<100 { #expect(stage.handle(.refused(.passNotShown(.app(1)))).isEmpty) }
        #expect(stage.handle(.refused(.wrongPass(.app(1)))).isEmpty)
        #expect(stage.handle(.refused(.wrongPass(.app(1)))).isEmpty)
        #expect(stage.handle(.refused(.wrongPass(.app(1)))).map(\.message.kind) == [.tooManyStrikes])
        let told = stage.handle(.refused(.flooding(.app(2), limit: 5)))
        let reason = "app2 sent more than 5 frames a second that no process had asked for"
        #expect(
            told.map(\.message) == [
                .tooManyStrikes(StrikeReport(peer: .app(2), generation: 0, strikes: 1, reason: reason))
            ])
        #expect(stage.lastEffects.contains(.hangUp(.app(2))))
        #expect(stage.handle(.refused(.flooding(.app(2), limit: 5))).isEmpty)
        let report = stage.report()
        #expect(report["app2.lastStrike"] == .text(reason) && report["app2.excluded"] == .flag(true))
        #expect(report["app1.strikes"] == .number(3))
        #expect(report["input-kit.strikes"] == nil)
    }

    @Test("T3: messages outside a role's table leave the server's state unchanged")
    mutating func outsideTheTable() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        func standing(_ report: Report) -> [Report.Row] { report.rows.filter { !$0.key.hasPrefix("frames.") } }
        let before = standing(stage.report())
        let orders: [Message] = [
            .launch(LaunchOrder(peer: .app(1), epoch: 1, generation: 1, runDirectory: "/", settings: [])), .roster([]),
            .act(.lock), .shutdown, .ready, .play(PlayOrder(id: 1, source: .marker, pace: .max)), .stopPlay(1),
            .played(PlayReport(id: 1)), .measured([]), .reportRequest, .report(Report(peer: .app(1))),
            .tooManyStrikes(StrikeReport(peer: .app(1), generation: 1, strikes: 3, reason: "")),
            .chaos("0ms kill app1"),
            .lifeCycle(.willTerminate), .touches(TouchFrame(timeStamp: .boot, contacts: [])),
        ]
        for message in orders + [.handled(Receipt(frame: 1, outcome: .home))] {
            #expect(!message.isAllowed(from: .inputKit, to: .systemServer))
            let frame = stage.inputKitFrame(message)
            #expect(stage.handle(.frame(frame, from: .inputKit)).isEmpty, "\(message.kind)")
        }
        for message in orders + [.digitizer(scan(down(1, 0.5, 0.5)))] {
            #expect(!message.isAllowed(from: .app, to: .systemServer))
            let frame = stage.appFrame(1, message)
            #expect(stage.handle(.frame(frame, from: .app(1))).isEmpty, "\(message.kind)")
        }
        for peer in [Peer.systemServer, Peer(.controller, 1)] {
            for message in orders {
                let frame = Frame(epoch: 7, generation: 1, sequence: 1, message: message)
                #expect(stage.handle(.frame(frame, from: peer)).isEmpty, "\(message.kind)")
            }
        }
        #expect(standing(stage.report()) == before)
    }

    @Test("sequence numbers beyond any credit window are strikes and are ignored")
    mutating func impossibleGap() {
        _ = stage.inputKitSaysHello()
        var frame = stage.inputKitFrame(.digitizer(scan(down(1, 0.5, 0.5))))
        for power in [40, 41] as [UInt64] {
            frame.sequence = SequenceNumber(1 << power)
            #expect(stage.handle(.frame(frame, from: .inputKit)).isEmpty)
            #expect(stage.lastEffects.isEmpty)
        }
        frame.sequence = .max
        #expect(stage.handle(.frame(frame, from: .inputKit)).map(\.message.kind) == [.tooManyStrikes])
        #expect(stage.lastEffects.contains(.hangUp(.inputKit)))
    }

    @Test("strikes of former apps are forgotten beyond a limit")
    func forgotten() {
        var conduct = StrikeTable(limit: 2)
        let listed = [RosterEntry(peer: .inputKit, pid: 4, uid: 0, generation: 1, isReady: true)]
        conduct.adopt(listed)
        #expect(conduct.strike(.inputKit, "once") == nil)
        for app in 1...AppID(UInt32(StrikeTable.peerLimit + 1)) { #expect(conduct.strike(.app(app), "once") == nil) }
        // The first app has no strikes left. The last app and the peer on the roster keep theirs.
        #expect(conduct.strike(.app(1), "twice") == nil)
        #expect(conduct.strike(.app(AppID(UInt32(StrikeTable.peerLimit))), "twice")?.strikes == 2)
        #expect(conduct.strike(.inputKit, "twice")?.strikes == 2)
    }

    @Test("a per-app table keeps its latest entries")
    func former() {
        var former = PerApp<AppID>()
        for app in 1...1000 as ClosedRange<AppID> {
            former.set(app, for: app)
            former.keepLast(256)
        }
        #expect(former.values == Array(745...1000) && former[744] == nil && former[745] == 745)
    }
}
