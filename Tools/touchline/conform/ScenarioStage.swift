// ScenarioStage.swift: the stage of a scenario: a virtual clock in this process, or a group of its own.
//
// Input     conform, trace
// Output    a verdict, or the observed lines
// Knows     the conversion of an order to a group into a Playback. GroupSession runs the group.

import Basics
import Foundation
import Recordings
import Scenarios
import Trace
import Wire

/// The stage of a scenario.
struct ScenarioStage {
    /// `key=value`, as for `--set`: settings of the groups. A scenario's own settings are kept.
    var groupSettings: [String] = []

    func outcome(of scenario: Scenario, in mode: Scenario.Mode) -> ScenarioOutcome {
        if let reason = scenario.reasonToSkip(in: mode) { return .skipped(reason) }
        do {
            return scenario.judge(try playback(of: scenario, in: mode), in: mode)
        } catch {
            // The last line of a group that did not start is the reason.
            let reason = "\(error)".split(separator: "\n").last.map(String.init) ?? "\(error)"
            return .failed(["the play stopped early: \(reason)"])
        }
    }

    func playback(of scenario: Scenario, in mode: Scenario.Mode) throws -> Playback {
        mode == .processes ? try playInProcesses(scenario) : try scenario.play(in: mode)
    }

    /// Starts a group, plays, waits until it is quiet, and stops it. Nothing of it is left.
    private func playInProcesses(_ scenario: Scenario) throws -> Playback {
        let session = try GroupSession(
            scene: scenario.scene.windows.isEmpty ? nil : scenario.file, apps: scenario.appCount,
            settings: groupSettings + scenario.settings.map { "\($0.key)=\($0.value)" }, traces: true)
        try session.waitUntilQuiet(limit: .seconds(10))

        let script = scenario.script.lines
        let begin = monotonicNow()
        var acts: [GroupSession.TimedAct] = []
        for line in script.lines where !line.act.isInput {
            if let act = GroupSession.Act(line.act) { acts.append(GroupSession.TimedAct(at: line.time, act: act)) }
        }
        let inputs = script.inputs
        var order: PlayOrder?
        if !inputs.lines.isEmpty {
            order = PlayOrder(id: 0, source: .script(inputs.description), pace: .times(1000))
            order?.display = scenario.display
        }
        let report = try session.perform(order, acts: acts, waitLimit: script.duration + .seconds(10))
        if let report, !report.failure.isEmpty {
            throw PlaybackFailure("input-kit could not play the script: \(report.failure)")
        }
        try session.waitUntilQuiet(limit: .seconds(20), fingersMayStay: true)
        let end = monotonicNow()
        let trace = try session.stop().sortedByHandover
        let hasInputs = !inputs.lines.isEmpty
        let zero = hasInputs ? try firstInput(of: scenario.script, in: trace, since: begin) : begin
        var playback = Playback(trace: trace, zero: zero, begin: hasInputs ? begin : .boot, end: end)
        playback.namesApps = scenario.namesApps
        return playback
    }

    /// The time at which the first landing, or else the first other input, was due.
    ///
    /// Not the time at which input-kit handled it: if the machine is late there, everything after it seems early.
    private func firstInput(
        of script: Script, in trace: [TraceLine], since begin: Instant
    ) throws -> Instant {
        let facts = trace.filter { !$0.isProbe && $0.at >= begin }
        guard facts.contains(where: { $0.station == .device }),
            let play = facts.first(where: { $0.station == .process && $0.text.isBeginningOfPlay })
        else { throw PlaybackFailure("input-kit's trace has no input") }
        return play.at.advanced(by: script.firstInput ?? .zero)
    }
}

extension String {
    /// Whether it is input-kit's text for the beginning of a play, from which the times of its frames count.
    fileprivate var isBeginningOfPlay: Bool { hasPrefix("play ") && hasSuffix(" begins") }
}
