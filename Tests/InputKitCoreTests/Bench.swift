import Basics
import HID
import Hosting
import Links
import Settings
import Trace
import Wire

@testable import InputKitCore

/// An input-kit core at virtual times. The test plays its supervisor, its server and its files.
struct Bench {
    var core: InputKitCore
    var outbox = Outbox()
    var now = Instant.boot
    var disk = BenchDisk()
    var panels = BenchPanels()
    var server = BenchServer()
    private var supervisor = LinkNumbers(epoch: 9, generation: 0)
    private var agenda = BenchAgenda()

    private(set) var sent: [Scan] = []
    private(set) var devices: [DeviceEvent<DigitizerSpace>] = []
    private(set) var reports: [PlayReport] = []
    private(set) var measuredLedgers: [Ledger] = []
    private(set) var otherMessages: [Message] = []
    private(set) var exits: [Int32] = []
    /// The number of scans in each step that sent any.
    private(set) var packets: [Int] = []

    struct Scan {
        var at: Instant
        var frame: Frame
        var event: HIDEvent
    }

    init(settings: [(String, String)] = [], generation: UInt32 = 2) throws {
        var all = Settings()
        // The tests check positions, so the trace shows them.
        try all.set("trace.positions", to: "true")
        for (key, value) in settings { try all.set(key, to: value) }
        let order = LaunchOrder(
            peer: .inputKit, epoch: 9, generation: generation, runDirectory: "/run", settings: all.changed)
        core = InputKitCore(settings: all, order: order)
        deliver(.started)
    }

    /// Makes a bench with a connected server whose hello the core has adopted.
    static func open(settings: [(String, String)] = []) throws -> Bench {
        var bench = try Bench(settings: settings)
        bench.deliver(.connected(.systemServer))
        bench.hello()
        return bench
    }

    mutating func hello(epoch: UInt32 = 9, generation: UInt32 = 4) {
        deliver(.frame(server.hello(epoch: epoch, generation: generation), from: .systemServer))
    }

    mutating func deliverFromSupervisor(_ message: Message) {
        deliver(.frame(supervisor.frame(message), from: .supervisor))
    }

    mutating func play(
        _ source: PlayOrder.Source, _ pace: PlayOrder.Pace = .times(1000), repeats: UInt32 = 1, warmUp: UInt32 = 0,
        wantsLedgers: Bool = false, ranges: AxisRanges? = nil, id: UInt32 = 1
    ) {
        deliverFromSupervisor(
            .play(
                PlayOrder(
                    id: id, source: source, pace: pace, repeats: repeats, warmUpFrames: warmUp,
                    wantsLedgers: wantsLedgers, ranges: ranges)))
    }

    /// Handles timers and inputs until nothing is due by `limit`.
    mutating func run(until limit: Instant = Instant(nanoseconds: 3600 * 1_000_000_000)) {
        while let (input, moment) = agenda.removeNext(by: limit) {
            now = max(now, moment)
            deliver(input)
        }
    }

    mutating func deliver(_ input: Input) {
        core.handle(input, at: now, into: &outbox)
        var scans = 0
        for effect in outbox.drain() {
            switch effect {
            case .send(var frame, .systemServer):
                if frame.ledger.count > 0 { frame.ledger.append(now) }
                if case .device(let event) = frame.message {
                    devices.append(event)
                    if let delay = server.answersAfter { answer(frame, [], after: delay) }
                    continue
                }
                let events: [HIDEvent]
                switch frame.message {
                case .digitizer(let event): events = [event.value]
                case .scans(let several): events = Array(several)
                default:
                    server.receive(frame)
                    otherMessages.append(frame.message)
                    continue
                }
                scans += events.count
                sent += events.map { Scan(at: now, frame: frame, event: $0) }
                if let delay = server.answersAfter { answer(frame, events.flatMap(\.fingers), after: delay) }
            case .send(let frame, _):
                switch frame.message {
                case .played(let report): reports.append(report)
                case .measured(let ledgers): measuredLedgers += ledgers
                default: otherMessages.append(frame.message)
                }
            case .arm(let id, let moment): agenda.arm(id, at: moment)
            case .disarm(let id): agenda.disarm(id)
            case .open(let id, let path): if let failure = disk.open(id, path) { agenda.add(failure, at: now) }
            case .read(let id, let limit): if let bytes = disk.read(id, limit: limit) { agenda.add(bytes, at: now) }
            case .close(let id): disk.close(id)
            case .exit(let status): exits.append(status)
            case .device(let order): if let news = panels.handle(order) { agenda.add(.device(news), at: now) }
            case .spawn, .signal, .hangUp: break
            }
        }
        if scans > 0 { packets.append(scans) }
    }

    /// Lets time pass in steps of 100 ms, at most 100 of them, until the core has opened a device once more.
    mutating func waitForOpening() {
        let before = panels.openings
        for _ in 0..<100 where panels.openings == before { pass(.milliseconds(100)) }
    }

    /// The id of the last opening of `path`.
    func id(of path: String) -> DeviceID { panels.id(of: path) }

    /// Plugs a device in and handles everything that is due at this moment.
    mutating func plug(_ path: String, _ facts: DeviceFacts) {
        panels.pluggable[path] = facts
        deliver(.device(.appeared(path: path)))
        run(until: now)
    }

    mutating func unplug(_ path: String) {
        panels.pluggable[path] = nil
        deliver(.device(.lost(id(of: path), reason: "unplugged")))
        deliver(.device(.vanished(path: path)))
        run(until: now)
    }

    /// Delivers `bytes` from the device at `path` at this moment.
    mutating func deliverBytes(_ path: String, _ bytes: [UInt8]) {
        deliver(.device(.bytes(id(of: path), bytes)))
        run(until: now)
    }

    /// Lets `duration` pass and handles everything that is due in it.
    mutating func pass(_ duration: Duration) {
        let end = now.advanced(by: duration)
        run(until: end)
        now = end
    }

    /// A line such as `2.1 finger 1 began` for each finger of each sent scan: sender, generation, index and phase.
    var fingerLines: [String] {
        sent.flatMap { scan in
            scan.event.fingers.map { finger in
                let phase = finger.phase.map { "\($0)" } ?? "hovers"
                return "\(scan.event.senderID).\(scan.event.generationCount) finger \(finger.index) \(phase)"
            }
        }
    }

    func row(_ key: String) -> Report.Value? {
        for case .report(let report) in otherMessages.reversed() { return report[key] }
        return nil
    }

    /// Schedules the server's receipt for `frame` after `delay`.
    mutating func answer(_ frame: Frame, _ fingers: [DigitizerEvent], after delay: Duration) {
        let answer = server.receipt(for: frame, fingers, at: now)
        agenda.add(.frame(answer, from: .systemServer), at: now.advanced(by: delay))
    }

    /// Makes the server's next frame without delivering it.
    mutating func serverFrame(_ message: Message) -> Frame { server.frame(message) }

    /// The server accepts `frame` and sends nothing.
    mutating func acceptAtServer(_ frame: Frame) { server.accept(frame) }

    /// The sent frames with scans. Several scans may share one.
    var sentFrames: [Frame] {
        sent.indices.filter { $0 == 0 || sent[$0].frame.sequence != sent[$0 - 1].frame.sequence }.map { sent[$0].frame }
    }

    mutating func answerAll() {
        for frame in sentFrames {
            let fingers = sent.filter { $0.frame.sequence == frame.sequence }.flatMap(\.event.fingers)
            answer(frame, fingers, after: .zero)
        }
    }

    mutating func report() -> Report? {
        deliverFromSupervisor(.reportRequest)
        for case .report(let report) in otherMessages.reversed() { return report }
        return nil
    }

    var facts: [TraceLine] { outbox.trace.facts.map { $0.line(process: "input-kit", names: outbox.trace.names) } }
}

extension Instant {
    static func ms(_ milliseconds: Double) -> Instant { Instant(nanoseconds: Int64(milliseconds * 1_000_000)) }
}
