// SimulatedPlay.swift: a scenario played to all cores, in one world with one virtual clock.
//
// Input     Scenario.play
// Output    InputKitCore (the fingers, as one play order), SystemServerCore (acts), AppCore; a Playback
// Knows     the composition of a group without a supervisor, whose orders it sends itself

import AppCore
import Basics
package import Hosting
import InputKitCore
import Links
import Recordings
import Runs
import Settings
import Simulator
import SystemServerCore
import Trace
import ViewTrees
package import Wire

/// One play in `simulated` mode.
struct SimulatedPlay {
    private let scenario: Scenario
    private let settings: Settings
    /// The settings of the server and of input-kit, which include those of all apps.
    private let groupSettings: Settings
    private let topology: Topology
    /// The number of starts of each app.
    private var startCounts: [UInt32]
    private var openings: UInt32 = 0
    private var world = World()
    /// The numbers of the supervisor's frames to each process.
    private var links: [(peer: Peer, link: LinkNumbers)] = []
    /// Collects what the apps show and the ways of scans; nil for a play without a page.
    var recording: RunRecording?

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        settings = try Settings(scenario.settings)
        topology = try Topology(text: settings[.groupTopology])
        startCounts = Array(repeating: 0, count: Int(Script.appLimit))
        var told = settings
        let schemes = try Schemes(settings, topology, apps: UInt32(scenario.appCount))
        try told.set(.groupSchemes, to: schemes.text)
        groupSettings = told
    }

    /// The trees of the apps in front or behind, by their numbers. An app that has ended has none.
    var viewTrees: [ShownScreen.App] {
        (0..<scenario.appCount).compactMap { index in
            let app = AppID(index: index)
            guard let core = world.core(of: .app(app)) as? AppCore else { return nil }
            return ShownScreen.App(app: app, tree: core.viewTree())
        }
    }

    mutating func run() throws -> Playback {
        let observed = try observe()
        var playback = Playback(
            trace: observed.facts.map { $0.line() }, zero: observed.zero, begin: observed.begin)
        playback.facts = observed.facts
        return playback
    }

    /// Plays the scenario.
    ///
    /// - Parameter stop: The moment at which the play stops, since the first input; nil for its end.
    mutating func observe(until stop: Duration? = nil) throws -> ObservedRun {
        let kept = KeptLedgers()
        let keepsLedgers = scenario.keepsLedgers
        if keepsLedgers || recording != nil {
            world.observer = { [recording] occurrence in
                recording?.add(occurrence)
                if keepsLedgers, case .step(let step) = occurrence, let ledger = step.answeredLedger {
                    kept.ledgers.append(ledger)
                }
            }
        }
        let server = SystemServerCore(settings: groupSettings, order: order(.systemServer))
        world.install(server, as: .systemServer)
        world.install(InputKitCore(settings: groupSettings, order: order(.inputKit)), as: .inputKit)
        for app in 0..<scenario.appCount { try launch(AppID(index: app)) }
        let begin = VirtualTime.zero
        run(until: begin.advanced(byNanoseconds: -1))

        let script = scenario.script.lines
        let stop = stop.map { begin.advanced(by: (scenario.script.firstInput ?? .zero)).advanced(by: $0) }
        var acts = scenario.script.systemActs[...]
        // Acts that are written before the first inputs of the same moment come before the play.
        while let (line, comesFirst) = acts.first, comesFirst, line.time == .zero {
            acts.removeFirst()
            try perform(line.act, at: begin)
        }
        let inputs = script.inputs
        if let source = scenario.recording.map({ PlayOrder.Source.file($0.name) })
            ?? (inputs.lines.isEmpty ? nil : .script(inputs.description))
        {
            if let recording = scenario.recording { world.files[recording.name] = recording.bytes }
            var play = PlayOrder(id: 1, source: source, pace: .times(1000))
            play.display = scenario.display
            send(.inputKit, .play(play), at: begin)
        }
        for (line, comesFirst) in acts {
            // Input-kit sends at this moment when its timer fires, and messages are handled before timers. So an act
            // that comes after the inputs waits for the moment to pass.
            let moment = begin.advanced(by: line.time)
            if let stop, moment > stop { break }
            run(until: comesFirst ? moment.advanced(byNanoseconds: -1) : moment)
            try perform(line.act, at: moment)
        }
        let end = begin.advanced(by: max(script.duration, scenario.recording?.duration ?? .zero))
        if let stop {
            run(until: stop)
        } else {
            guard runUntilQuiet(limit: end.advanced(by: VirtualTime.settleLimit)) else {
                throw PlaybackFailure("not quiet \(VirtualTime.settleLimit.seconds) s after the script's end")
            }
        }
        for mail in world.outside {
            if case .played(let report) = mail.frame.message, !report.failure.isEmpty {
                throw PlaybackFailure("input-kit could not play the script: \(report.failure)")
            }
        }
        let hasInputs = scenario.script.firstInput != nil || scenario.recording != nil
        var observed = ObservedRun(
            facts: world.resolvedFacts, zero: begin.advanced(by: scenario.script.firstInput ?? .zero),
            begin: hasInputs ? begin : .boot)
        observed.ledgers = kept.ledgers
        return observed
    }

    /// Runs the world, and records the trees of apps between its moments.
    private mutating func run(until limit: Instant) {
        if let recording {
            while let next = world.nextMoment, next <= limit {
                recording.captureTrees(before: next, viewTree(of:))
                world.run(until: next)
                recording.captureTrees(at: next, viewTree(of:))
            }
        }
        world.run(until: limit)
    }

    private mutating func runUntilQuiet(limit: Instant) -> Bool {
        guard let recording else { return world.runUntilQuiet(limit: limit) }
        while let next = world.nextMoment, next <= limit {
            recording.captureTrees(before: next, viewTree(of:))
            world.run(until: next)
            recording.captureTrees(at: next, viewTree(of:))
        }
        recording.captureLastTrees(viewTree(of:))
        return world.nextMoment == nil
    }

    private func viewTree(of app: AppID) -> ViewTree? { (world.core(of: .app(app)) as? AppCore)?.viewTree() }

    private mutating func perform(_ act: FingerScript.Act, at moment: Instant) throws {
        func system(_ act: SystemAct, _ play: inout SimulatedPlay) {
            play.send(.systemServer, .act(act), at: moment)
        }
        switch act {
        case .interrupt: system(.interrupt, &self)
        case .resume: system(.resume, &self)
        case .home: system(.home, &self)
        case .lock: system(.lock, &self)
        case .unlock: system(.unlock, &self)
        case .launch(let app): try launch(AppID(app))
        case .foreground(let app):
            try launch(AppID(app))
            system(.foreground(app: AppID(app)), &self)
        case .crash(let app): world.crash(.app(AppID(app)))
        case .screen(let act):
            for app in act.apps { try launch(AppID(app)) }
            system(SystemAct(act), &self)
        case .open(let text):
            openings += 1
            let request = OpenRequest(asker: 1, id: openings, url: try URLText(text))
            send(.systemServer, .open(request), at: moment)
            try launchWanted(at: moment)
        case .down, .move, .up, .cancel, .scan, .set, .remove, .disable, .device: break
        }
    }

    private mutating func launch(_ app: AppID, opening request: OpenRequest? = nil) throws {
        guard !world.peers.contains(.app(app)), let index = app.index else { return }
        startCounts[index] += 1
        var own = topology.settings(of: app, in: settings)
        try own.set(.groupSchemes, to: groupSettings[.groupSchemes])
        var order = Scenario.order(.app(app), own)
        (order.generation, order.openRequest) = (startCounts[index], request)
        let core = AppCore(order: order, settings: own, content: scenario.makeContent())
        world.install(core, as: .app(app), order: order)
    }

    /// Starts an app that the server requested and that is not running, with the URL.
    private mutating func launchWanted(at moment: Instant) throws {
        let known = world.outside.count
        world.run(until: moment)
        for mail in world.outside[known...] {
            guard case .launchRequest(let wish) = mail.frame.message else { continue }
            try launch(wish.app, opening: wish.openRequest)
        }
    }

    private mutating func send(_ peer: Peer, _ message: Message, at moment: Instant) {
        if !links.contains(where: { $0.peer == peer }) { links.append((peer, LinkNumbers(epoch: 1, generation: 1))) }
        let index = links.firstIndex { $0.peer == peer }!
        world.schedule(.frame(links[index].link.frame(message), from: .supervisor), for: peer, at: moment)
    }

    private func order(_ peer: Peer) -> LaunchOrder { Scenario.order(peer, groupSettings) }
}

/// The ledgers that the observer of a world has seen.
private final class KeptLedgers { var ledgers: [Ledger] = [] }

extension Step {
    /// The complete ledger of a scan, in the step in which input-kit receives its receipt; nil in every other step.
    package var answeredLedger: Ledger? {
        guard process.peer == .inputKit, case .frame(let frame, from: .systemServer) = input,
            case .handled = frame.message, frame.ledger.isComplete
        else { return nil }
        return frame.ledger
    }
}

extension Scenario {
    static func order(_ peer: Peer, _ settings: Settings) -> LaunchOrder {
        LaunchOrder(peer: peer, epoch: 1, generation: 1, runDirectory: "", settings: settings.changed)
    }

    func makeApp(_ peer: Peer, settings: Settings) throws -> AppCore {
        AppCore(order: Self.order(peer, settings), settings: settings, content: makeContent())
    }
}
