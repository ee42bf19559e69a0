// SimulationResult.swift: the result of a simulated run.
//
// Input     SimulatedRun
// Output    `touchline simulate`, tests
//
// Sources   invented

public import Audit
public import Basics
public import Faults
public import Hosting
public import Recordings
public import Trace

/// The result of a simulated run.
public struct SimulationResult {
    public var seed: UInt64
    public var audit: AuditReport
    /// The audit's violations, and the failures of the settled group.
    public var violations: [Violation]
    /// The digest of all effects of all processes, in order.
    public var digest: UInt64
    /// The number of inputs that cores received.
    public var coreEvents: UInt64
    /// From the group's start to its rest.
    public var simulated: Duration
    public var script: [FingerScript.Line]
    public var faults: FaultPlan
    /// The moment from which the times of script and faults count.
    public var zero: Instant
    /// Whether a tap was tried at the end. It needs a server, an input-kit and an app that are ready.
    public var wasProbed: Bool
    public var trace: [TraceLine]
    /// The names of what the run reached, sorted; empty without `options.collectsCoverage`.
    public var features: [String]
    /// The inputs of each life, with `options.keepsJournals`, in the order in which lives began.
    public var journals: [SimulatedJournal]
    /// Inputs that a process's journal counts as missing, because its disk and its ring were full.
    public var missingInputs: UInt64
}

/// The inputs of one life.
public struct SimulatedJournal {
    public var process: ProcessInstance
    public var inputs: [(at: Instant, input: Input)] = []
    public var ended: ExitStatus?
}
