import Basics
import HID
import Hosting
import Links
import Settings
import Trace
import Wire

@testable import InputKitCore

/// An input-kit with a supervisor, a server and files, all played by the test, at virtual times.
struct Bench {
    var core: InputKitCore
    var outbox = Outbox()
    var now = Instant.boot
    var files: [String: [UInt8]] = [:]
    /// Whether the server answers each scan at once, and how long its answer takes.
    var answersAfter: Duration? = .zero
    var credit: UInt32 = 256

    private(set) var sent: [Scan] = []
    private(set) var devices: [DeviceEvent<DigitizerSpace>] = []
    private(set) var reports: [PlayReport] = []
    private(set) var measured: [Ledger] = []
    private(set) var told: [Message] = []
    private(set) var exits: [Int32] = []
    private(set) var reads = 0
    private(set) var openFiles: [FileID: ArraySlice<UInt8>] = [:]
    private(set) var packets: [Int] = []
    /// What `open` finds, by path; whoever is not here fails.
    var pluggable: [String: DeviceFacts] = [:]
    /// What the slots hold when they are asked for.
    var slots: DeviceSlots?
    /// Whether that is answered at once.
    var answersResync = true
    private(set) var orders: [DeviceOrder] = []

    /// The core's last hello.
    private(set) var greeting: Frame?
    private var answeredGreeting: UInt64?
    private(set) var toldServer: [Frame] = []
    private var server = LinkNumbers(epoch: 9, generation: 4)
    private var supervisor = LinkNumbers(epoch: 9, generation: 0)
    private var timers: [(id: TimerID, at: Instant)] = []
    private var due: [(input: Input, at: Instant)] = []

    struct Scan {
        var at: Instant
        var frame: Frame
        var event: HIDEvent
    }

    init(settings: [(String, String)] = [], generation: UInt32 = 2) throws {
        var all = Settings()
        // Nothing is secret here, and where a contact is is what is tested.
        try all.set("trace.places", to: "true")
        for (key, value) in settings { try all.set(key, to: value) }
        let order = LaunchOrder(
            peer: .inputKit, epoch: 9, generation: generation, runDirectory: "/run", settings: all.changed)
        core = InputKitCore(settings: all, order: order)
        give(.started)
    }

    /// With the server there and its hello adopted.
    static func open(settings: [(String, String)] = []) throws -> Bench {
        var bench = try Bench(settings: settings)
        bench.give(.connected(.systemServer))
        bench.hello()
        return bench
    }

    mutating func hello(epoch: UInt32 = 9, generation: UInt32 = 4) {
        // Said again to a link that is open, it brings new numbers: credit.
        if greeting?.sequence != answeredGreeting {
            server = LinkNumbers(epoch: epoch, generation: generation)
            if let greeting { server.welcome(greeting, epoch: epoch) }
            answeredGreeting = greeting?.sequence
        }
        give(.frame(server.frame(.hello, credit: credit), from: .systemServer))
    }

    mutating func supervisorSays(_ message: Message) {
        give(.frame(supervisor.frame(message), from: .supervisor))
    }

    mutating func play(
        _ source: PlayOrder.Source, _ pace: PlayOrder.Pace = .times(1000), repeats: UInt32 = 1, warmUp: UInt32 = 0,
        wantsLedgers: Bool = false, ranges: AxisRanges? = nil, id: UInt32 = 1
    ) {
        supervisorSays(
            .play(
                PlayOrder(
                    id: id, source: source, pace: pace, repeats: repeats, warmUpFrames: warmUp,
                    wantsLedgers: wantsLedgers, ranges: ranges)))
    }

    /// Until nothing is due by `limit`.
    mutating func run(until limit: Instant = Instant(nanoseconds: 3600 * 1_000_000_000)) {
        while true {
            let input = due.indices.min { due[$0].at < due[$1].at }
            let timer = timers.indices.min { timers[$0].at < timers[$1].at }
            let inputAt = input.map { due[$0].at } ?? .never
            let timerAt = timer.map { timers[$0].at } ?? .never
            guard min(inputAt, timerAt) <= limit else { break }
            if let input, inputAt <= timerAt {
                now = max(now, inputAt)
                give(due.remove(at: input).input)
            } else if let timer {
                now = max(now, timerAt)
                give(.timerFired(timers.remove(at: timer).id))
            } else {
                return
            }
        }
    }

    mutating func give(_ input: Input) {
        core.handle(input, at: now, into: &outbox)
        var scans = 0
        for effect in outbox.drain() {
            switch effect {
            case .send(var frame, .systemServer):
                if frame.ledger.count > 0 { frame.ledger.append(now) }
                if case .device(let event) = frame.message {
                    devices.append(event)
                    if let answersAfter { answer(frame, [], after: answersAfter) }
                    continue
                }
                guard case .digitizer(let event) = frame.message else {
                    if frame.message == .hello { greeting = frame }
                    told.append(frame.message)
                    toldServer.append(frame)
                    continue
                }
                scans += 1
                sent.append(Scan(at: now, frame: frame, event: event))
                if let answersAfter { answer(frame, event.fingers, after: answersAfter) }
            case .send(let frame, _):
                switch frame.message {
                case .played(let report): reports.append(report)
                case .measured(let ledgers): measured += ledgers
                default: told.append(frame.message)
                }
            case .arm(let id, let moment):
                timers.removeAll { $0.id == id }
                timers.append((id, moment))
            case .disarm(let id): timers.removeAll { $0.id == id }
            case .open(let id, let path):
                if let bytes = files[path] {
                    openFiles[id] = bytes[...]
                } else {
                    due.append((.fileFailed(id, reason: "No such file or directory"), now))
                }
            case .read(let id, let limit):
                guard let rest = openFiles[id] else { continue }
                reads += 1
                openFiles[id] = rest.dropFirst(limit)
                due.append((.fileBytes(id, Array(rest.prefix(limit))), now))
            case .close(let id): openFiles[id] = nil
            case .exit(let status): exits.append(status)
            case .device(let order): take(order)
            case .spawn, .signal, .hangUp: break
            }
        }
        if scans > 0 { packets.append(scans) }
    }

    /// As a host would.
    private mutating func take(_ order: DeviceOrder) {
        orders.append(order)
        switch order {
        case .open(let id, let path, _):
            let answer = pluggable[path].map { DeviceNews.opened(id, $0) } ?? .failed(id, reason: "\(path): nobody")
            due.append((.device(answer), now))
        case .resync(let id): if answersResync { due.append((.device(.slots(id, slots)), now)) }
        case .watch, .close: break
        }
    }

    var openings: Int { orders.count { if case .open = $0 { true } else { false } } }

    /// Lets time pass in small steps until something has been opened once more, for as long as that may take.
    mutating func passToOpening() {
        let before = openings
        for _ in 0..<100 where openings == before { pass(.milliseconds(100)) }
    }

    /// The number of a path's last opening.
    func id(of path: String) -> DeviceID {
        for case .open(let id, path: path, grab: _) in orders.reversed() { return id }
        return DeviceID(0)
    }

    /// Plugs a device in, and lets everything happen that follows at once.
    mutating func plug(_ path: String, _ facts: DeviceFacts) {
        pluggable[path] = facts
        give(.device(.appeared(path: path)))
        run(until: now)
    }

    mutating func unplug(_ path: String) {
        pluggable[path] = nil
        give(.device(.lost(id(of: path), reason: "unplugged")))
        give(.device(.vanished(path: path)))
        run(until: now)
    }

    /// What the device sends now.
    mutating func says(_ path: String, _ bytes: [UInt8]) {
        give(.device(.bytes(id(of: path), bytes)))
        run(until: now)
    }

    /// Lets time pass and everything happen that is due in it.
    mutating func pass(_ duration: Duration) {
        let end = now.advanced(by: duration)
        run(until: end)
        now = end
    }

    /// `1 began` and so on: device, index and phase of every finger of every scan sent.
    var story: [String] {
        sent.flatMap { scan in
            scan.event.fingers.map { finger in
                let phase = finger.phase.map { "\($0)" } ?? "hovers"
                return "\(scan.event.senderID).\(scan.event.generationCount) finger \(finger.index) \(phase)"
            }
        }
    }

    func row(_ key: String) -> Report.Value? {
        for case .report(let report) in told.reversed() { return report[key] }
        return nil
    }

    /// The server's receipt, with a whole ledger, as if an app had counted the scan.
    mutating func answer(_ frame: Frame, _ fingers: [DigitizerEvent], after delay: Duration) {
        var receipt = Receipt(frame: frame.sequence, outcome: .delivered)
        for finger in fingers {
            switch finger.phase {
            case .began: receipt.began += 1
            case .moved: receipt.moved += 1
            case .stationary, nil: receipt.stationary += 1
            case .ended: receipt.ended += 1
            case .cancelled: receipt.cancelled += 1
            }
        }
        var ledger = frame.ledger
        while !ledger.isComplete { ledger.append(now) }
        _ = server.accept(frame)
        let answer = server.frame(.handled(receipt), ledger: ledger, credit: credit)
        due.append((.frame(answer, from: .systemServer), now.advanced(by: delay)))
    }

    /// The server's next frame, not yet given.
    mutating func serverFrame(_ message: Message) -> Frame { server.frame(message, credit: credit) }

    /// The server hears this one, and says nothing.
    mutating func serverHears(_ frame: Frame) { _ = server.accept(frame) }

    mutating func answerAll() {
        for scan in sent { answer(scan.frame, scan.event.fingers, after: .zero) }
    }

    mutating func report() -> Report? {
        supervisorSays(.reportRequest)
        for case .report(let report) in told.reversed() { return report }
        return nil
    }

    var facts: [TraceLine] { outbox.trace.facts.map { $0.line(process: "input-kit", names: outbox.trace.names) } }
}

extension Instant {
    static func ms(_ milliseconds: Double) -> Instant { Instant(nanoseconds: Int64(milliseconds * 1_000_000)) }
}
