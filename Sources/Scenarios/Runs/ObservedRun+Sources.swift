// ObservedRun+Sources.swift: the sources of a run's facts.
//
//     scenario ──────────────▶ World ─────────────────┐
//     recording + scene ─────▶ World ─────────────────┼─▶ ObservedRun
//     journals of a group ───▶ ReplayedGroup ─────────┤
//     … of its joined apps ──▶ JoinedReplay ──────────┘
//
// Input     the commands that explain, draw or export a run
// Output    ObservedRun
// Knows     the three sources of a run. No fold.
//
// Sources   invented

public import Basics
import Foundation
import Hosting
public import Runs
import Settings
import Trace
import Wire

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

extension ObservedRun {
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
    ///   - joined: The run directories of apps of other machines, copied to this one.
    ///   - programs: The programs of users that may be started.
    ///   - onStep: Receives the number of steps so far and the time, after each step.
    /// - Throws: `ReplayError` for a folder without journals, or of another version. What is missing in the journals is
    ///   in `gaps`.
    public init(
        journals folder: String, joined: [String] = [], programs: ReplayPrograms = ReplayPrograms(),
        onStep: (UInt64, Instant) -> Void = { _, _ in }
    ) throws(ReplayError) {
        try self.init(journals: folder, joined: joined, programs: programs, recording: nil, onStep: onStep)
    }

    /// - Parameter recording: Collects what the apps show and the ways of scans.
    init(
        journals folder: String, joined: [String], programs: ReplayPrograms, recording: RunRecording?,
        onStep: (UInt64, Instant) -> Void
    ) throws(ReplayError) {
        var group = try ReplayedGroup(folder: journalFolder(of: folder), isTraced: true, programs: programs)
        let local = Set(group.processes.map { "\($0.peer)" })
        var frames = FramesToJoinedApps(besides: Set(group.processes.compactMap(\.peer.app)))
        var facts: [ResolvedFact] = []
        var answered: [Ledger] = []
        var zero: Instant?
        while let occurrence = group.next() {
            recording?.add(occurrence)
            switch occurrence {
            case .began(_, at: let moment): zero = zero ?? moment
            case .step(let step):
                facts += group.facts
                if !joined.isEmpty { frames.note(step) }
                if let ledger = step.answeredLedger { answered.append(ledger) }
                recording?.captureTrees(at: step.at) { group.viewTree(of: $0) }
                onStep(group.steps, step.at)
            case .ended, .lost: continue
            }
        }
        recording?.captureLastTrees { group.viewTree(of: $0) }
        var others: [JoinedReplay] = []
        for folder in joined {
            let other = try JoinedReplay(
                folder, frames: frames, local: local, programs: programs, recording: recording, onStep: onStep)
            others.append(other)
            facts = Self.merged(facts, other.facts)
        }
        self.init(facts: facts, zero: zero ?? .boot, begin: .boot)
        let known = local.union(others.flatMap(\.apps))
        for fact in facts where fact.template == "contact {a} → {b:n}, until it lifts: touch {c}" {
            let app = fact.word(at: 1).replacing(":", with: "")
            if app.hasPrefix("app"), !known.contains(app), !absentApps.contains(app) { absentApps.append(app) }
        }
        (settings, gaps, ledgers) = (group.settings, group.complaints + others.flatMap(\.gaps), answered)
        isUnfinished = group.isUnfinished
        if let difference = group.difference { gaps.append("the replay differs from the run: \(difference)") }
    }

    /// Merges the facts of an app of another machine into those of the group, by time. At one time the group's are first,
    /// because an event passes the server before the app.
    private static func merged(_ group: [ResolvedFact], _ app: [ResolvedFact]) -> [ResolvedFact] {
        var (merged, rest) = ([ResolvedFact](), app[...])
        merged.reserveCapacity(group.count + app.count)
        for fact in group {
            while let next = rest.first, next.at < fact.at { merged.append(rest.removeFirst()) }
            merged.append(fact)
        }
        return merged + rest
    }
}
