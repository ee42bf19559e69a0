// OrderedRun.swift: the orders of a live run, repeated in a simulated group without faults.
//
//    LiveRun's settings, apps ─▶ supervisor ─▶ children          orders, each at its time ─▶ supervisor ─▶ …
//
// Input     Comparison
// Output    the RunRecord of the simulation
// Knows     LiveRun, World
//
// An order that followed the answer to another order waits for that answer here too.
//
// Sources   invented

import AppCore
import Basics
import Configuration
import Hosting
import InputKitCore
import Settings
import Simulator
import SupervisorCore
import SystemServerCore
import Trace
import Wire

/// One repetition of a live run.
struct OrderedRun {
    private final class Recorder {
        var record = RunRecord()
        var isOn = false
    }

    private let live: LiveRun
    private var world: World
    private let recorder = Recorder()
    /// The number of the last frame of each connected controller.
    private var sequences: [Peer: SequenceNumber] = [:]
    private var answerCount = 0

    private static let controller = Peer(.controller, 1)
    private static let answerLimit = Duration.seconds(30)
    private static let slice = Duration.milliseconds(1)
    /// The limit of inputs in one slice. More inputs in a millisecond are a livelock.
    private static let sliceSteps = 100_000
    /// The longest run that is repeated. A journal may contain any moment, and a simulated group is active in every
    /// second.
    private static let longestRun = Duration.seconds(24 * 3600)
    /// The longest pause before the first order. A longer one changes nothing.
    private static let longestPause = Duration.seconds(10)
    /// The greatest size of a recording in bytes. An order names its path, and the recording is read into memory.
    private static let recordingLimit = 1 << 30

    init(_ live: LiveRun, links: LinkModel, seed: UInt64) throws {
        self.live = live
        world = World(seed: seed)
        world.links = links
        let longest = max(live.length, live.orders.map(\.at).max() ?? .zero)
        guard longest <= Self.longestRun else {
            throw IncomparableRun(
                "expected a run of at most 24 hours, found one of \(longest.nanoseconds / 3_600_000_000_000) hours")
        }
        let settings = live.settings
        let topology = try Topology(text: settings[.groupTopology])
        let contents = try (0..<Int(live.apps)).map { index in
            try chosenContent(topology.settings(of: AppID(index: index), in: settings))
        }
        world.makeChild = { order in
            // Each child has settings of its own: its scene, its display, the group's schemes.
            let settings = (try? Settings(order.settings)) ?? settings
            switch order.peer.role {
            case .systemServer: return SystemServerCore(settings: settings, order: order)
            case .inputKit: return InputKitCore(settings: settings, order: order)
            case .app:
                return AppCore(order: order, settings: settings, content: contents[Int(order.peer.instance) - 1])
            case .supervisor, .controller: return nil
            }
        }
        let recorder = recorder
        world.observer = { if case .step(let step) = $0, recorder.isOn { recorder.record.count(step) } }
        for order in live.orders {
            guard case .play(let play) = order.message, case .file(let path) = play.source else { continue }
            do throws(FileRefusal) {
                world.files[path] = try bytes(ofFile: path, limit: Self.recordingLimit)
            } catch {
                throw IncomparableRun("\(path): expected the recording that was played, found \(error)")
            }
        }
    }

    mutating func run() throws -> RunRecord {
        let order = LaunchOrder(
            peer: .supervisor, epoch: 1, generation: 1, runDirectory: "/run/touchline", settings: live.settings.changed)
        let core = SupervisorCore(settings: live.settings, order: order, apps: live.apps, pid: 1, uid: 1000)
        world.install(core, as: .supervisor, order: order)
        connect(Self.controller)
        let deadline = world.now.advanced(by: Self.answerLimit)
        while !isReady {
            guard world.now < deadline else { throw IncomparableRun("the simulated group is not ready after 30 s") }
            try advance(by: Self.slice)
        }
        try advance(by: min(live.pause, Self.longestPause))
        recorder.isOn = true
        var zero = world.now
        for (index, order) in live.orders.enumerated() {
            try advance(until: order.at, since: &zero, answers: order.answerCount)
            send(order, number: index + 1)
        }
        // The group ended after its answers had arrived. Slower links make that later.
        try advance(until: live.length, since: &zero, answers: live.answerCount)
        return recorder.record
    }

    /// Advances to a moment, and until as many answers have arrived as in the live run. The additional time moves
    /// `zero`.
    private mutating func advance(until moment: Duration, since zero: inout Instant, answers: Int) throws {
        try advance(by: world.now.duration(to: zero.advanced(by: moment)))
        let deadline = world.now.advanced(by: Self.answerLimit)
        while answerCount < answers {
            guard world.now < deadline else {
                throw IncomparableRun(
                    "expected \(answers) answers to orders and touch monitors, as live; found \(answerCount), 30 s later"
                )
            }
            try advance(by: Self.slice)
            zero = zero.advanced(by: Self.slice)
        }
    }

    private var isReady: Bool {
        let children = (world.core(of: .supervisor) as? SupervisorCore)?.children ?? []
        return !children.isEmpty && children.allSatisfy(\.isReady)
    }

    private mutating func advance(by duration: Duration) throws {
        let end = world.now.advanced(by: duration)
        while world.now < end {
            // Time in which nothing is due is skipped.
            let busy = max(world.now, world.nextMoment ?? end)
            let next = min(end, busy.advanced(by: Self.slice))
            if let livelock = world.advance(until: next, steps: Self.sliceSteps) {
                throw IncomparableRun("\(livelock)")
            }
            let (facts, mail) = world.removeNotes()
            if recorder.isOn { recorder.record.count(facts) }
            answerCount += mail.count { $0.to.role == .controller && $0.frame.message.isAwaited }
        }
    }

    private mutating func connect(_ controller: Peer) {
        sequences[controller] = .zero
        world.schedule(.connected(controller), for: .supervisor, at: world.now)
    }

    /// - Parameter number: The number of the order. Controllers of a live group each number their own orders.
    private mutating func send(_ order: LiveRun.Order, number: Int) {
        var controller = Self.controller
        var message = order.message
        switch message {
        case .play(var order):
            order.id = UInt32(clamping: number)
            message = .play(order)
        case .open(var request):
            request.id = UInt32(clamping: number)
            message = .open(request)
        // The server and its facts identify a touch monitor by its controller's number.
        case .monitor: controller = order.controller
        default: break
        }
        if sequences[controller] == nil { connect(controller) }
        let sequence = sequences[controller, default: .zero].next
        sequences[controller] = sequence
        let frame = Frame(epoch: 1, generation: 1, sequence: sequence, credit: 256, message: message)
        world.schedule(.frame(frame, from: controller), for: .supervisor, at: world.now)
    }
}
