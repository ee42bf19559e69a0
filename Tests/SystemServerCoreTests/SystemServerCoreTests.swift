import Basics
import HID
import Hosting
import Links
import Settings
import Testbed
import Testing
import Trace
import Wire

@testable import SystemServerCore

@Suite("The system server")
struct SystemServerCoreTests {

    var stage = Stage()

    @Test("the server is ready at start and answers hello with its epoch")
    mutating func hello() {
        #expect(stage.atStart.map(\.message) == [.ready])
        let answers = stage.inputKitSaysHello()
        #expect(answers.map(\.message) == [.hello])
        #expect(answers[0].epoch == 7)
    }

    @Test("without an app in front the home screen takes a touch")
    mutating func home() {
        _ = stage.inputKitSaysHello()
        let answers = stage.scans(down(1, 0.5, 0.5))
        #expect(answers.map(\.message) == [.handled(Receipt(frame: 2, outcome: .home, began: 1))])
        #expect(answers[0].ledger[.serverReceived] == stage.now)
    }

    @Test("an app's receipt returns to input-kit under the scan's number")
    mutating func toTheApp() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        let sent = stage.scans(down(1, 0.5, 0.5))
        #expect(sent.map(\.message.kind) == [.touches])
        let answers = stage.appHandles(1, sent[0], began: 1)
        #expect(answers.map(\.message) == [.handled(Receipt(frame: 2, outcome: .delivered, began: 1))])
    }

    @Test("a key goes to the app in front, or to home")
    mutating func keys() {
        _ = stage.inputKitSaysHello()
        #expect(
            stage.inputKitSends(.began, .key(HIDUsage(page: 12, usage: 64))).map(\.message)
                == [.handled(Receipt(frame: 2, outcome: .home))])
        _ = stage.inputKitSends(.ended, .key(HIDUsage(page: 12, usage: 64)))
        _ = stage.appSaysHello(1)
        let sent = stage.inputKitSends(.began, .key(HIDUsage(page: 12, usage: 64)))
        #expect(sent.map(\.message.kind) == [.input])
        #expect(
            stage.appHandles(1, sent[0], began: 0).map(\.message)
                == [.handled(Receipt(frame: 4, outcome: .delivered))])
        let told = stage.handle(.frame(stage.order(.act(.interrupt)), from: .supervisor))
        #expect(told.map(\.message.kind) == [.input, .lifeCycle])
        let released = stage.inputKitSends(.ended, .key(HIDUsage(page: 12, usage: 64)))
        #expect(released.map(\.message) == [.handled(Receipt(frame: 5, outcome: .dropped, reason: .ignoredUntilLift))])
    }

    @Test("an app's death answers its open scans exactly once")
    mutating func death() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        let sent = stage.scans(down(1, 0.5, 0.5))
        let answers = stage.handle(.peerLost(.app(1)))
        #expect(answers.map(\.message) == [.handled(Receipt(frame: 2, outcome: .dropped, reason: .ownerDied))])
        #expect(stage.appHandles(1, sent[0], began: 1).isEmpty)
        #expect(
            stage.scans(moved(1, 0.6, 0.6)).map(\.message)
                == [.handled(Receipt(frame: 3, outcome: .dropped, reason: .ignoredUntilLift))])
    }

    @Test("an app with credit for two receives the third after one receipt")
    mutating func window() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1, credit: 2)
        let first = stage.scans(down(1, 0.1, 0.1))
        #expect(stage.scans(moved(1, 0.2, 0.2)).count == 1)
        #expect(stage.scans(moved(1, 0.3, 0.3)).isEmpty)
        let after = stage.appHandles(1, first[0], began: 1)
        #expect(after.map(\.message.kind) == [.handled, .touches])
    }

    @Test("a call cancels a touch before the app receives willResignActive")
    mutating func interruption() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.5, 0.5))
        let told = stage.handle(.frame(stage.order(.act(.interrupt)), from: .supervisor))
        #expect(told.map(\.message.kind) == [.touches, .lifeCycle])
        guard case .touches(let frame)? = told.first?.message else { return }
        #expect(frame.contacts.map(\.phase) == [.cancelled])
    }

    @Test("the report contains the last sequence number sent to an app")
    mutating func said() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        let told = stage.handle(.frame(stage.order(.act(.interrupt)), from: .supervisor))
        let answers = stage.handle(.frame(stage.order(.reportRequest), from: .supervisor))
        guard case .report(let report)? = answers.last?.message else {
            Issue.record("no report")
            return
        }
        #expect(report["app1.sent"] == .number(Int64(told.last?.sequence ?? 0)))
    }

    @Test("the end of input-kit cancels its touches and forgets its contacts")
    mutating func inputKitDies() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.5, 0.5))
        let told = stage.handle(.peerLost(.inputKit))
        guard case .touches(let frame)? = told.first?.message else {
            Issue.record("no frame was sent: \(told)")
            return
        }
        #expect(frame.contacts.map(\.phase) == [.cancelled])
        _ = stage.inputKitSaysHello(generation: 2)
        #expect(
            stage.scans(moved(1, 0.6, 0.6)).map(\.message)
                == [.handled(Receipt(frame: 2, outcome: .dropped, reason: .unknownFinger))])
    }

    @Test("a frame of an earlier generation is ignored")
    mutating func fencing() {
        _ = stage.inputKitSaysHello(generation: 2)
        var ghost = LinkNumbers(epoch: 7, generation: 1)
        _ = ghost.frame(.hello)
        let frame = ghost.frame(.digitizer(scan(down(1, 0.5, 0.5))))
        #expect(stage.handle(.frame(frame, from: .inputKit)).isEmpty)
    }

    @Test("a scan of a device's earlier opening is answered as fenced")
    mutating func earlierOpening() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(of: 4, generation: 3, down(1, 0.5, 0.5))
        let late = stage.scans(of: 4, generation: 2, lifted(1))
        #expect(late.map(\.message) == [.handled(Receipt(frame: 3, outcome: .dropped, reason: .fenced))])
        let other = stage.scans(of: 5, generation: 1, down(1, 0.25, 0.25))
        guard case .touches(let frame)? = other.first?.message else {
            Issue.record("no frame was sent: \(other)")
            return
        }
        #expect(frame.contacts.map(\.phase) == [.stationary, .began])
        let answers = stage.handle(.frame(stage.order(.reportRequest), from: .supervisor))
        guard case .report(let report)? = answers.last?.message else {
            Issue.record("no report")
            return
        }
        #expect(report["frames.fenced"] == .number(1))
        #expect(report["touches.live"] == .number(2))
    }

    @Test("the receipt of an undelivered scan gives its reason")
    mutating func reasons() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        func why(_ frames: [Frame]) -> [Receipt.Reason] {
            frames.compactMap { if case .handled(let receipt) = $0.message { receipt.reason } else { nil } }
        }
        _ = stage.handle(.frame(stage.order(.act(.lock)), from: .supervisor))
        #expect(why(stage.scans(down(1, 0.5, 0.5))) == [.landedOnNothing])
        #expect(why(stage.scans(moved(1, 0.6, 0.6))) == [.ignoredUntilLift])
        #expect(why(stage.scans(lifted(1))) == [.ignoredUntilLift])
        #expect(why(stage.scans(moved(2, 0.6, 0.6))) == [.unknownFinger])
        #expect(why(stage.scans()) == [.nothingNew])
        #expect(why(stage.inputKitSends(.ended, .shake)) == [.unknownFinger])
        _ = stage.handle(.frame(stage.order(.act(.unlock)), from: .supervisor))
        _ = stage.inputKitSends(.began, .shake)
        #expect(why(stage.inputKitSends(.began, .shake)) == [.nothingNew])
    }

    @Test("a scan delivered in part is delivered, although another contact was dropped")
    mutating func mixedScan() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        let sent = stage.scans(down(1, 0.5, 0.5), moved(2, 0.2, 0.2))
        #expect(sent.map(\.message.kind) == [.touches])
        #expect(
            stage.appHandles(1, sent[0], began: 1).map(\.message)
                == [.handled(Receipt(frame: 2, outcome: .delivered, began: 1))])
    }

    @Test("beyond the in-flight limit moves are dropped and lifts are kept")
    mutating func overLimit() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1, credit: 1)
        _ = stage.scans(down(1, 0.1, 0.1))
        // Moves are coalesced into one frame. Each key is a frame of its own.
        for round in 1..<Int(Settings()[.serverInFlightLimit]) {
            _ = stage.inputKitSends(round % 2 == 1 ? .began : .ended, .shake)
        }
        let beyond = stage.scans(moved(1, 0.3, 0.3))
        #expect(
            beyond.map(\.message)
                == [.handled(Receipt(frame: stage.lastScan, outcome: .dropped, reason: .overLimit))])
        #expect(stage.scans(lifted(1)).isEmpty)
    }

    @Test("every scan is answered exactly once despite deaths, in 300 seeds")
    func conservation() {
        for seed in 0..<300 {
            var stage = Stage()
            var chance = SeededGenerator(seed: UInt64(seed))
            var open: [AppID: [Frame]] = [1: [], 2: []]
            var (asked, answered) = (Set<SequenceNumber>(), [SequenceNumber]())
            func note(_ frames: [Frame], _ stage: Stage) {
                for frame in frames {
                    if case .handled(let receipt) = frame.message { answered.append(receipt.frame) }
                }
            }
            note(stage.inputKitSaysHello(), stage)
            for app in [1, 2] as [AppID] { note(stage.appSaysHello(app, credit: 3), stage) }
            var isDown = false
            var isPressed = false
            for _ in 0..<60 {
                var out: [Frame] = []
                switch Int.random(in: 0..<9, using: &chance) {
                case 0...3:
                    let finger =
                        isDown ? (Bool.random(using: &chance) ? moved(1, 0.3, 0.3) : lifted(1)) : down(1, 0.2, 0.2)
                    isDown = finger.isTouching
                    out = stage.scans(finger)
                    asked.insert(stage.lastScan)
                case 4, 5:
                    let app = AppID(UInt32.random(in: 1...2, using: &chance))
                    if let frame = open[app]?.first {
                        open[app]?.removeFirst()
                        out = stage.appHandles(app, frame, began: 0)
                    }
                case 8:
                    isPressed.toggle()
                    out = stage.inputKitSends(isPressed ? .began : .ended, .shake)
                    asked.insert(stage.lastScan)
                case 6:
                    let app = AppID(UInt32.random(in: 1...2, using: &chance))
                    out = stage.handle(.peerLost(.app(app)))
                    open[app] = []
                    note(out, stage)
                    out = stage.appSaysHello(app, credit: 3)
                default:
                    let app = AppID(UInt32.random(in: 1...2, using: &chance))
                    out = stage.handle(.frame(stage.order(.act(.foreground(app: app))), from: .supervisor))
                }
                note(out, stage)
                for (peer, frame) in stage.lastSent where [.touches, .input].contains(frame.message.kind) {
                    open[AppID(peer.instance)]?.append(frame)
                }
            }
            for app in [1, 2] as [AppID] { note(stage.handle(.peerLost(.app(app))), stage) }
            #expect(answered.sorted() == asked.sorted(), "seed \(seed)")
        }
    }
}

/// The server's timers: its pulse, responsiveness, display frame, system gestures and openings.
private struct StageTimers {
    private static let known = [TimerID(1), TimerID(2), TimerID(3), .systemGestures, TimerID(5)]
    private var moments = [Instant](repeating: .never, count: known.count)

    subscript(timer: TimerID) -> Instant? {
        get {
            guard let index = Self.known.firstIndex(of: timer), moments[index] < .never else { return nil }
            return moments[index]
        }
        set { if let index = Self.known.firstIndex(of: timer) { moments[index] = newValue ?? .never } }
    }

    /// Of several timers due at one moment, the first in `known` is the next.
    mutating func removeNext(by end: Instant) -> (timer: TimerID, due: Instant)? {
        guard let due = moments.min(), due <= end, let index = moments.firstIndex(of: due) else { return nil }
        moments[index] = .never
        return (Self.known[index], due)
    }
}

/// A server core whose peers are played by the test.
struct Stage {
    private var core: SystemServerCore
    private var outbox = Outbox()
    private var inputKit = LinkNumbers(epoch: 0, generation: 1)
    private var apps: [AppID: LinkNumbers] = [:]
    private var supervisor = LinkNumbers(epoch: 7, generation: 0)
    private var generations: UInt32 = 0
    private(set) var now = Instant(nanoseconds: 1_000_000)
    private(set) var lastSent: [(Peer, Frame)] = []
    private(set) var lastScan = SequenceNumber.zero
    private(set) var atStart: [Frame] = []
    private(set) var lastEffects: [Effect] = []
    private var timers = StageTimers()

    init(_ settings: Settings = Settings()) {
        core = SystemServerCore(
            settings: settings,
            order: LaunchOrder(peer: .systemServer, epoch: 7, generation: 1, runDirectory: "/run", settings: []))
        atStart = handle(.started)
    }

    /// Advances the time and fires the timers that are due.
    ///
    /// - Returns: The frames that the server sent without other input.
    mutating func pass(_ milliseconds: Int) -> [Frame] {
        let end = now.advanced(by: .milliseconds(milliseconds))
        var sent: [Frame] = []
        while true {
            guard let (timer, due) = timers.removeNext(by: end) else { break }
            sent += handle(.timerFired(timer), at: due)
        }
        now = end
        return sent
    }

    /// The moment at which the display frame is due; nil if none is awaited.
    var frame: Instant? { timers[TimerID(3)] }

    /// Advances the time without firing timers, as if the process had been stopped.
    mutating func standsStill(_ milliseconds: Int) { now = now.advanced(by: .milliseconds(milliseconds)) }

    /// The next frame of input-kit, not handed to the server.
    mutating func inputKitFrame(_ message: Message, sentAt moment: Instant? = nil) -> Frame {
        var ledger = Ledger(device: moment ?? now)
        ledger.append(moment ?? now)
        return inputKit.frame(message, ledger: ledger)
    }

    mutating func appFrame(_ app: AppID, _ message: Message) -> Frame {
        guard var conversation = apps[app] else { preconditionFailure("app \(app) has not said hello") }
        let frame = conversation.frame(message)
        apps[app] = conversation
        return frame
    }

    /// The app receives this frame.
    mutating func appHears(_ app: AppID, _ frame: Frame) { _ = apps[app]?.accept(frame) }

    /// - Returns: The frames that the server sent, in order.
    mutating func handle(_ input: Input, at moment: Instant? = nil) -> [Frame] {
        now = moment ?? now.advanced(by: .milliseconds(1))
        core.handle(input, at: now, into: &outbox)
        outbox.trace.removeFacts()
        lastEffects = outbox.drain()
        for effect in lastEffects {
            if case .arm(let timer, let moment) = effect { timers[timer] = moment }
            if case .disarm(let timer) = effect { timers[timer] = nil }
        }
        lastSent = lastEffects.compactMap { if case .send(let frame, let peer) = $0 { (peer, frame) } else { nil } }
        return lastSent.map(\.1)
    }

    /// The generation of the app that sent hello last.
    var lastGeneration: UInt32 { generations }

    mutating func inputKitSaysHello(generation: UInt32 = 1) -> [Frame] {
        inputKit = LinkNumbers(epoch: 0, generation: generation)
        let answers = handle(.frame(inputKit.frame(.hello), from: .inputKit))
        if let hello = answers.first(where: { $0.message == .hello }) {
            inputKit.adopt(hello: hello, epoch: hello.epoch)
        }
        return answers
    }

    mutating func appSaysHello(_ app: AppID, credit: UInt32 = 256) -> [Frame] {
        generations += 1
        var conversation = LinkNumbers(epoch: 0, generation: generations)
        let answers = handle(.frame(conversation.frame(.hello, credit: credit), from: .app(app)))
        if let hello = answers.first(where: { $0.message == .hello }) {
            conversation.adopt(hello: hello, epoch: hello.epoch)
        }
        apps[app] = conversation
        return answers
    }

    /// The same process sends hello on a new link.
    mutating func appSaysHelloAgain(_ app: AppID) -> [Frame] {
        guard var conversation = apps[app] else { preconditionFailure("app \(app) has not said hello") }
        let answers = handle(.frame(conversation.hello(), from: .app(app)))
        if let hello = answers.first(where: { $0.message == .hello }) {
            conversation.adopt(hello: hello, epoch: hello.epoch)
        }
        apps[app] = conversation
        return answers
    }

    mutating func scans(_ fingers: DigitizerEvent...) -> [Frame] { scans(of: 1, generation: 1, fingers) }

    mutating func scans(of device: UInt64, generation: UInt32, _ fingers: DigitizerEvent...) -> [Frame] {
        scans(of: device, generation: generation, fingers)
    }

    private mutating func scans(of device: UInt64, generation: UInt32, _ fingers: [DigitizerEvent]) -> [Frame] {
        let event = scan(fingers, of: device, generation: generation, at: now)
        var ledger = Ledger(device: now)
        ledger.append(now)
        let frame = inputKit.frame(.digitizer(event), ledger: ledger)
        lastScan = frame.sequence
        return handle(.frame(frame, from: .inputKit))
    }

    mutating func inputKitSends(_ phase: InputPhase, _ content: DeviceInput<DigitizerSpace>.Content) -> [Frame] {
        var ledger = Ledger(device: now)
        ledger.append(now)
        let event = DeviceEvent<DigitizerSpace>(timeStamp: now, input: DeviceInput(phase, content))
        let frame = inputKit.frame(.device(event), ledger: ledger)
        lastScan = frame.sequence
        return handle(.frame(frame, from: .inputKit))
    }

    mutating func appHandles(
        _ app: AppID, _ frame: Frame, began: UInt16, credit: UInt32 = 256, deferring edges: UInt8? = nil
    ) -> [Frame] {
        guard var conversation = apps[app] else { return [] }
        var receipt = Receipt(frame: frame.sequence, outcome: .delivered, began: began)
        receipt.deferredEdges = edges
        let answer = conversation.frame(.handled(receipt), ledger: frame.ledger, credit: credit)
        apps[app] = conversation
        return handle(.frame(answer, from: .app(app)))
    }

    mutating func order(_ message: Message) -> Frame { supervisor.frame(message) }

    mutating func appSays(_ app: AppID, _ message: Message) -> [Frame] {
        guard let frame = apps[app]?.frame(message, credit: 256) else { preconditionFailure("app \(app) is not here") }
        return handle(.frame(frame, from: .app(app)))
    }

    /// The server's report.
    mutating func report() -> Report {
        for frame in handle(.frame(order(.reportRequest), from: .supervisor)) {
            if case .report(let report) = frame.message { return report }
        }
        preconditionFailure("a server answers every question")
    }
}
