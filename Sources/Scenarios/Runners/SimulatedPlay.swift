// SimulatedPlay.swift: a scenario before all cores, in one world with one virtual clock.
//
// Fed by    Scenario.play
// Feeds     InputKitCore (the fingers, as one play order), SystemServerCore (acts), AppCore
// Knows     how a group is put together, minus its supervisor: the orders a supervisor would pass on come from here

import AppCore
import Basics
import Hosting
import InputKitCore
import Recordings
import Simulator
import SystemServerCore
import Trace
import Wire

struct SimulatedPlay {
    private let scenario: Scenario
    private let settings: Settings
    private var world = World()
    /// What the supervisor says to each process is numbered by process.
    private var links: [(peer: Peer, link: Conversation)] = []

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        settings = try Settings(scenario.settings)
    }

    mutating func run() throws -> Playback {
        world.keepsFacts = true
        world.install(SystemServerCore(settings: settings, order: order(.systemServer)), as: .systemServer)
        world.install(InputKitCore(settings: settings, order: order(.inputKit)), as: .inputKit)
        for app in 0..<scenario.appCount { try launch(UInt32(app + 1)) }
        let begin = VirtualTime.zero
        world.run(until: begin.advanced(byNanoseconds: -1))

        let script = scenario.script.lines
        var acts = scenario.script.systemActs[...]
        // What is written before the first finger's moment's fingers comes before the play that brings them.
        while let (line, comesFirst) = acts.first, comesFirst, line.time == .zero {
            acts.removeFirst()
            try perform(line.act, at: begin)
        }
        let inputs = script.inputs
        if !inputs.lines.isEmpty {
            let play = PlayOrder(id: 1, source: .script(inputs.description), pace: .times(1000))
            tell(.inputKit, .play(play), at: begin)
        }
        for (line, comesFirst) in acts {
            // What input-kit sends at this moment it sends when its timer fires; messages come before timers.
            let moment = begin.advanced(by: line.time)
            world.run(until: comesFirst ? moment.advanced(byNanoseconds: -1) : moment)
            try perform(line.act, at: moment)
        }
        let end = begin.advanced(by: script.duration)
        guard world.runUntilQuiet(limit: end.advanced(by: VirtualTime.patience)) else {
            throw PlaybackFailure("not quiet \(VirtualTime.patience.seconds) s after the script's end")
        }
        for mail in world.outside {
            if case .played(let report) = mail.frame.message, !report.failure.isEmpty {
                throw PlaybackFailure("input-kit could not play the script: \(report.failure)")
            }
        }
        let hasInputs = scenario.script.firstInput != nil
        var playback = Playback(
            trace: world.trace, zero: begin.advanced(by: scenario.script.firstInput ?? .zero),
            begin: hasInputs ? begin : .boot)
        playback.facts = world.facts
        return playback
    }

    private mutating func perform(_ act: FingerScript.Act, at moment: Instant) throws {
        func system(_ act: SystemAct, _ play: inout SimulatedPlay) {
            play.tell(.systemServer, .act(act), at: moment)
        }
        switch act {
        case .interrupt: system(.interrupt, &self)
        case .resume: system(.resume, &self)
        case .home: system(.home, &self)
        case .lock: system(.lock, &self)
        case .unlock: system(.unlock, &self)
        case .launch(let app): try launch(app)
        case .foreground(let app):
            try launch(app)
            system(.foreground(app: app), &self)
        case .crash(let app): world.crash(.app(app))
        case .screen(let act):
            for app in act.apps { try launch(app) }
            system(SystemAct(act), &self)
        case .down, .move, .up, .cancel, .scan, .set, .remove, .disable, .device: break
        }
    }

    private mutating func launch(_ app: UInt32) throws {
        guard !world.peers.contains(.app(app)) else { return }
        world.install(try scenario.makeApp(.app(app), settings: settings), as: .app(app))
    }

    private mutating func tell(_ peer: Peer, _ message: Message, at moment: Instant) {
        if !links.contains(where: { $0.peer == peer }) { links.append((peer, Conversation(epoch: 1, generation: 1))) }
        let index = links.firstIndex { $0.peer == peer }!
        world.schedule(.frame(links[index].link.frame(message), from: .supervisor), for: peer, at: moment)
    }

    private func order(_ peer: Peer) -> LaunchOrder { Scenario.order(peer, settings) }
}

extension Scenario {
    static func order(_ peer: Peer, _ settings: Settings) -> LaunchOrder {
        LaunchOrder(peer: peer, epoch: 1, generation: 1, runDirectory: "", settings: settings.changed)
    }

    func makeApp(_ peer: Peer, settings: Settings) throws -> AppCore {
        AppCore(order: Self.order(peer, settings), settings: settings, content: makeContent())
    }
}
