// ObservedRun.swift: everything that the processes of one run noted, for folds over facts.
//
//     scenario ──────────────▶ World ─────────────────┐
//     recording + scene ─────▶ World ─────────────────┼─▶ facts, by time and cause ─▶ explanations, exports, pages
//     journals of a group ───▶ ReplayedGroup ─────────┘
//
// Input     the commands that explain, draw or export a run
// Output    ObservedRun
// Knows     the three sources of a run. No fold.
//
// Sources   invented

public import Basics
public import Explain
import Foundation
import Hosting
public import Settings
public import Trace
public import Wire

/// A recording that a simulated play follows.
public struct PlayedRecording: Sendable {
    /// The name of the file. Its ending decides the format, as for `touchline replay`.
    public var name: String
    public var bytes: [UInt8]
    /// The time of its last scan.
    public var duration: Duration

    public init(name: String, bytes: [UInt8], duration: Duration) {
        (self.name, self.bytes, self.duration) = (name, bytes, duration)
    }
}

/// The facts of one run, with the times that a reader needs.
public struct ObservedRun: Sendable {
    /// The facts of all processes, by time; facts of one time in the order of cause.
    public var facts: [ResolvedFact]
    /// The moment from which a reader counts: the first input of a play, the start of a group.
    public var zero: Instant
    /// The beginning of the events. Earlier facts belong to the setup.
    public var begin: Instant
    /// The settings of the group; nil if its journals do not have them.
    public var settings: Settings?
    /// The apps that received touches and have no journal here: they ran on another machine.
    public var absentApps: [String] = []
    /// The missing parts of the run, a line for each; empty for a complete run.
    public var gaps: [String] = []
    /// Whether the group still runs or was killed, so that its journals have no end.
    public var isUnfinished = false
    /// The complete ledgers of answered scans, in the order of their receipts.
    public var ledgers: [Ledger] = []

    public init(facts: [ResolvedFact], zero: Instant, begin: Instant) {
        (self.facts, self.zero, self.begin) = (facts, zero, begin)
    }

    /// The missing parts for a reader who needs the whole run, a line for each.
    public var gapsOfWhole: [String] {
        gaps + (isUnfinished ? ["the group still runs or was killed: its journals have no end"] : [])
    }

    /// The explanation of every interaction since `begin`.
    public var explained: Explain {
        var explain = Explain()
        for fact in events { explain.add(fact) }
        for app in absentApps { explain.noteAbsence(of: app) }
        return explain
    }

    /// The facts since `begin`.
    public var events: some Sequence<ResolvedFact> { facts.lazy.filter { [begin] in $0.at >= begin } }

    /// Plays a scenario on a virtual clock.
    ///
    /// - Throws: `PlaybackFailure`, or the error of a setting.
    public init(of scenario: Scenario) throws {
        var scenario = scenario
        scenario.keepsLedgers = true
        var play = try SimulatedPlay(scenario)
        self = try play.observe()
    }

    /// Replays the journals of a group.
    ///
    /// - Parameters:
    ///   - folder: A run directory, or the folder of the journals.
    ///   - programs: The programs of users that may be started.
    ///   - onStep: Receives the number of steps so far and the time, after each step.
    /// - Throws: `ReplayError` for a folder without journals, or of another version. What is missing in the journals is
    ///   in `gaps`.
    public init(
        journals folder: String, programs: ReplayPrograms = ReplayPrograms(),
        onStep: (UInt64, Instant) -> Void = { _, _ in }
    ) throws(ReplayError) {
        try self.init(journals: folder, programs: programs, recording: nil, onStep: onStep)
    }

    /// - Parameter recording: Collects what the apps show and the ways of scans.
    init(
        journals folder: String, programs: ReplayPrograms, recording: RunRecording?, onStep: (UInt64, Instant) -> Void
    ) throws(ReplayError) {
        var isFolder: ObjCBool = false
        let inside = "\(folder)/journal"
        let hasInside = FileManager.default.fileExists(atPath: inside, isDirectory: &isFolder) && isFolder.boolValue
        var group = try ReplayedGroup(folder: hasInside ? inside : folder, isTraced: true, programs: programs)
        var facts: [ResolvedFact] = []
        var answered: [Ledger] = []
        var zero: Instant?
        while let occurrence = group.next() {
            recording?.add(occurrence)
            switch occurrence {
            case .began(_, at: let moment): zero = zero ?? moment
            case .step(let step):
                facts += group.facts
                if let ledger = step.answeredLedger { answered.append(ledger) }
                recording?.captureTrees(at: step.at) { group.viewTree(of: $0) }
                onStep(group.steps, step.at)
            case .ended, .lost: continue
            }
        }
        recording?.captureLastTrees { group.viewTree(of: $0) }
        self.init(facts: facts, zero: zero ?? .boot, begin: .boot)
        let local = Set(group.processes.map { "\($0.peer)" })
        for fact in facts where fact.template == "contact {a} → {b:n}, until it lifts: touch {c}" {
            let app = fact.word(at: 1).replacing(":", with: "")
            if app.hasPrefix("app"), !local.contains(app), !absentApps.contains(app) { absentApps.append(app) }
        }
        (settings, gaps, ledgers) = (group.settings, group.complaints, answered)
        isUnfinished = group.isUnfinished
        if let difference = group.difference { gaps.append("the replay differs from the run: \(difference)") }
    }
}
