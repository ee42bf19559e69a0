// ObservedRun.swift: everything that the processes of one run noted, for folds over facts.
//
//     scenario, recording, journals (Scenarios) ─┐
//     a test's phone (TouchlineTesting) ─────────┴─▶ facts, by time and cause ─▶ explanations, exports, pages
//
// Input     what played or replayed the run
// Output    the folds
// Knows     facts. No world, no file.
//
// Sources   invented

public import Basics
public import Explain
public import Settings
public import Trace
public import Wire

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
}
