// RemoteLaws.swift: the hello of an app of another machine, its welcome, and what each side makes of them.
//
// The first byte chooses the rest: packets; a legal server and its network, whose clock has any offset; or a hostile
// server.

import Basics
import FuzzDriver
import HID
import Hosting
import Wire

func expectLaws(ofRemote bytes: [UInt8]) {
    var choices = Choices(bytes)
    switch choices.number(below: 4) {
    case 0: expectLaws(ofPacket: Array(bytes.dropFirst()))
    case 1: expectLaws(ofLives: &choices)
    case 2: expectLaws(ofHonest: &choices)
    default: expectLaws(ofHostile: &choices)
    }
}

// MARK: Packets

/// Reads the bytes as they are, and with the first bytes of a current knock and of a current welcome. So an input keeps
/// its meaning when the version changes.
private func expectLaws(ofPacket bytes: [UInt8]) {
    expectReadable(bytes)
    expectReadable(begun(like: RemoteHello(generation: 0, latestGeneration: 0, sent: .boot).packet, bytes))
    var welcome = begun(like: Welcome(order: order(1), sent: .boot, received: .boot, answered: .boot).packet, bytes)
    expectReadable(welcome)
    // The welcome's launch order is a frame.
    if welcome.count > 31 {
        let frame = Frame(epoch: 1, generation: 1, sequence: 0, message: .launch(order(1))).encoded()
        welcome.replaceSubrange(28..<31, with: frame[..<3])
        expectReadable(welcome)
    }
}

private func begun(like packet: [UInt8], _ bytes: [UInt8]) -> [UInt8] { Array(packet[..<4]) + bytes.dropFirst(4) }

private func expectReadable(_ bytes: [UInt8]) {
    let (knock, welcome) = bytes.withUnsafeBytes { bytes in
        (RemoteHello.matches(bytes), Welcome.matches(bytes))
    }
    expect(!knock || !welcome, "one packet is both")
    if let read = knockRead(bytes) {
        expect(knock && bytes.count == RemoteHello.packetSize, "a knock of \(bytes.count) bytes")
        expect(
            read.latestGeneration < RemoteHello.generationLimit && read.generation < RemoteHello.generationLimit,
            "\(read)")
        expect(knockRead(read.packet) == read, "a knock that is not what was written")
        var (far, lives) = (RemoteLink(latestGeneration: read.latestGeneration), LatestGenerations())
        far.connectionOpened()
        expectTakeable(lives.generation(for: 1, read))
        expect(far.nextHello(at: read.sent)?.latestGeneration == read.latestGeneration)
    }
    if let read = welcomeRead(bytes) {
        expect(welcome, "a welcome that does not mean to be one")
        expect(welcomeRead(read.packet) == read, "a welcome that is not what was written")
        var far = RemoteLink(latestGeneration: 0)
        expect(!far.apply(read, at: read.sent), "welcomed without a hello")
        far.connectionOpened()
        let isOpen = far.apply(read, at: read.sent)
        expect(isOpen == far.clock.isKnown && far.order == read.order, "\(read)")
    }
}

private func knockRead(_ bytes: [UInt8]) -> RemoteHello? {
    bytes.withUnsafeBytes { bytes in
        do throws(WireError) { return try RemoteHello(bytes) } catch {
            expect(!error.description.isEmpty)
            return nil
        }
    }
}

private func welcomeRead(_ bytes: [UInt8]) -> Welcome? {
    bytes.withUnsafeBytes { bytes in
        do throws(WireError) { return try Welcome(bytes) } catch {
            expect(!error.description.isEmpty)
            return nil
        }
    }
}

private func order(_ generation: UInt32, of app: AppID = 9) -> LaunchOrder {
    LaunchOrder(peer: .app(app), epoch: 1, generation: generation, runDirectory: "", settings: [])
}

// MARK: Generations

/// A process that receives this generation must be able to knock with it.
private func expectTakeable(_ life: UInt32) {
    expect(life > 0, "no process has generation 0")
    expect(
        knockRead(RemoteHello(generation: life, latestGeneration: 0, sent: .boot).packet) != nil,
        "life \(life) can knock no more")
}

private func expectLaws(ofLives choices: inout Choices) {
    var lives = LatestGenerations()
    var latest: [AppID: UInt32] = [:]
    while !choices.isAtEnd {
        let app = AppID(index: choices.number(below: 3))
        let isNew = choices.flag()
        let knock = RemoteHello(
            generation: isNew ? 0 : choices.word() % RemoteHello.generationLimit,
            latestGeneration: choices.word() % RemoteHello.generationLimit,
            sent: .boot)
        let life = lives.generation(for: app, knock)
        expectTakeable(life)
        let known = latest[app] ?? 0
        // A claim at or above the limit is ignored, and no claim uses up the remaining numbers.
        let claim = knock.latestGeneration < LatestGenerations.claimLimit ? knock.latestGeneration : 0
        expect(life <= max(known + 1, LatestGenerations.claimLimit), "life \(life) after \(known), by a claim")
        let generation = knock.generation
        let isFirstOrNext = known == 0 || generation == known + 1
        if generation > 0, generation <= known || generation < LatestGenerations.claimLimit && isFirstOrNext {
            expect(life == generation, "one that goes on is \(life), and was \(generation)")
        } else {
            let next = min(max(known, claim) + 1, RemoteHello.generationLimit - 1)
            expect(life == next, "life \(life) after \(known) and a claim of \(claim)")
        }
        latest[app] = max(known, claim, life)
    }
}

// MARK: A link

private func expectLaws(ofHonest choices: inout Choices) {
    var link = HonestLink(&choices)
    while !choices.isAtEnd { link.play(&choices) }
}

/// An app of another machine and its server. Their clocks differ by a constant, and their messages take time.
private struct HonestLink {
    /// The server's clock minus the app's, in nanoseconds: up to some hundred days in either direction.
    private let offset: Int64
    /// The time of the app's clock, in nanoseconds.
    private var now: Int64
    private var far: RemoteLink
    private var lives = LatestGenerations()
    /// The generation that the server gave the app.
    private var told: UInt32?
    /// The server's times of received touches, and the app's times of them.
    private var moments: [(theirs: Instant, ours: Instant)] = []
    private var sequence = SequenceNumber.zero

    init(_ choices: inout Choices) {
        offset = Int64(Int32(bitPattern: choices.word())) * Int64(choices.number(below: 4) + 1) * 1_000_000
        now = Int64(choices.word())
        far = RemoteLink(latestGeneration: UInt32(choices.byte()))
    }

    private var here: Instant { Instant(nanoseconds: now) }
    private var there: Instant { Instant(nanoseconds: now + offset) }

    private mutating func pass(_ choices: inout Choices) {
        now += Int64(choices.byte()) << Int64(choices.number(below: 24))
    }

    mutating func play(_ choices: inout Choices) {
        pass(&choices)
        switch choices.number(below: 8) {
        case 0:
            far.connectionOpened()
            // Times converted by another estimate may overlap with times converted by this one.
            moments = []
        case 1:
            far.connectionClosed()
            expect(far.deadline == .never && far.nextHello(at: here) == nil, "it knocks at a link that is down")
        case 2...5: knock(&choices)
        default: touch(&choices)
        }
    }

    private mutating func knock(_ choices: inout Choices) {
        guard let knock = far.nextHello(at: here) else { return }
        expect(far.deadline > here, "it knocks again at once")
        expect(knock.generation == told ?? 0, "it was life \(told ?? 0) and knocks as \(knock.generation)")
        if knock.error >= 0 {
            expect(abs(knock.offset - offset) <= knock.error, "off by \(knock.offset - offset), ± \(knock.error)")
        }
        guard let heard = knockRead(knock.packet) else { broken("its own knock is none") }
        pass(&choices)
        let received = there
        pass(&choices)
        let life = lives.generation(for: 9, heard)
        let said = Welcome(order: order(life), sent: heard.sent, received: received, answered: there)
        guard let welcome = welcomeRead(said.packet), welcome == said else { broken("our own welcome is none") }
        pass(&choices)
        let was = far.isWelcomed
        expect(far.apply(welcome, at: here) == !was, "an honest welcome opens once")
        told = told ?? life
        expect(far.isWelcomed && far.generation == told && far.order?.generation == told && far.endReason == nil)
        expect(far.deadline <= here || far.isSettled, "too few exchanges, and none is due")
        guard let known = far.clock.offsetInForce(at: here) else { broken("welcome, and no clock") }
        expect(abs(known.offset - offset) <= known.error, "off by \(known.offset - offset), ± \(known.error)")
    }

    /// A frame of touches, and the app's answer to it.
    private mutating func touch(_ choices: inout Choices) {
        guard far.isWelcomed else { return }
        sequence = sequence.next
        var ledger = Ledger(device: there)
        ledger.append(there.advanced(byNanoseconds: 1))
        let question = Frame(
            epoch: 1, generation: 1, sequence: sequence, ledger: ledger,
            message: .touches(TouchFrame(timeStamp: there, contacts: [])))
        var arrived = question
        far.convertIncoming(&arrived)
        guard case .touches(let touches) = arrived.message else { broken("touches became something else") }
        for old in moments where old.theirs <= there {
            expect(old.ours <= touches.timeStamp, "a touch is older here than one that was before it there")
        }
        moments.append((there, touches.timeStamp))
        if moments.count > 32 { moments.removeFirst() }
        if choices.flag() {
            pass(&choices)
            _ = far.nextHello(at: here)
        }
        var answer = Frame(
            epoch: 1, generation: 1, sequence: sequence, ledger: arrived.ledger,
            message: .handled(Receipt(frame: sequence, outcome: .delivered)))
        far.convertOutgoing(&answer)
        expect(answer.ledger == question.ledger, "what the server wrote in a ledger it reads otherwise")
    }
}

/// Whatever a server sends, its app keeps its identity and knocks in time.
private func expectLaws(ofHostile choices: inout Choices) {
    var far = RemoteLink(latestGeneration: choices.word())
    var first: LaunchOrder?
    func moment() -> Instant {
        switch choices.number(below: 8) {
        case 0: Instant(nanoseconds: .max - Int64(choices.byte()))
        case 1: Instant(nanoseconds: .min + Int64(choices.byte()))
        case 2: .never
        case 3: Instant(nanoseconds: Int64(bitPattern: choices.wide()))
        default: Instant(nanoseconds: Int64(choices.word()))
        }
    }
    while !choices.isAtEnd {
        switch choices.number(below: 8) {
        case 0: far.connectionOpened()
        case 1: far.connectionClosed()
        case 2: _ = far.nextHello(at: moment())
        case 3: far.noteRefusal(because: "no")
        case 4, 5:
            let app = choices.number(below: 8) == 0 ? AppID(8) : 9
            let welcome = Welcome(
                order: order(choices.word(), of: app), sent: moment(), received: moment(), answered: moment())
            guard let read = welcomeRead(welcome.packet) else { continue }
            let isOpen = far.apply(read, at: moment())
            if first == nil { first = far.order }
            expect(!isOpen || far.isWelcomed && far.clock.isKnown, "open, and no time is known")
        case 6:
            guard let frames = try? Frame.decode(packet: choices.slice()) else { continue }
            for frame in frames { pass(frame, &far) }
        default:
            var ledger = Ledger(device: moment())
            for _ in 0..<choices.number(below: 8) { ledger.append(moment()) }
            var touches = TouchFrame(timeStamp: moment(), contacts: [])
            for _ in 0..<choices.number(below: 4) {
                let contacts = (0..<UInt32(choices.number(below: 2))).map {
                    TouchContact(touch: TouchID(rawValue: $0), phase: .moved, at: Point(1, 2))
                }
                touches.history.append(TouchFrame(timeStamp: moment(), contacts: contacts))
            }
            pass(
                Frame(
                    epoch: 1, generation: 1, sequence: SequenceNumber(choices.wide()), ledger: ledger,
                    message: .touches(touches)),
                &far)
        }
        expect(far.order == first && far.generation == first?.generation ?? 0, "it became another")
    }
}

private func pass(_ frame: Frame, _ far: inout RemoteLink) {
    var here = frame
    far.convertIncoming(&here)
    var answer = Frame(
        epoch: 1, generation: 1, sequence: 1, ledger: here.ledger,
        message: .handled(Receipt(frame: frame.sequence, outcome: .delivered)))
    far.convertOutgoing(&answer)
    expect(answer.ledger.count == frame.ledger.count, "a ledger lost a stamp")
}
