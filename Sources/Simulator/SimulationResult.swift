// SimulationResult.swift: what is known of a simulated run when it is over.
//
// Fed by    SimulatedRun
// Feeds     `touchline simulate`, tests
//
// Sources   invented

public import Audit
public import Basics
public import Faults
public import Hosting
public import Recordings
public import Trace

public struct SimulationResult {
    public var seed: UInt64
    public var audit: AuditReport
    /// What the audit found, and what did not work in the end.
    public var violations: [Violation]
    /// Of all effects of all processes, in order.
    public var digest: UInt64
    /// Inputs that cores were given.
    public var coreEvents: UInt64
    /// From the group's start to its rest.
    public var simulated: Duration
    public var script: [FingerScript.Line]
    public var faults: FaultPlan
    /// Where the times of script and faults count from.
    public var zero: Instant
    /// Whether there was a group left to ask for a tap in the end: with its server, its input-kit and an app.
    public var wasProbed: Bool
    public var trace: [TraceLine]
    /// A life's inputs, as `options.keepsJournals` asked: lives in the order they began.
    public var journals: [SimulatedJournal]
    /// Inputs that their process's journal does not have, and says so: its disk was full, and its ring with it.
    public var missingInputs: UInt64
}

/// What one life was given.
public struct SimulatedJournal {
    public var life: Life
    public var inputs: [(at: Instant, input: Input)] = []
    public var ended: ExitStatus?
}
