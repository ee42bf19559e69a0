// Violation.swift: a broken law of a run, with the steps that show it.
//
// Input     Audit, replay
// Output    AuditReport
//
// Sources   invented, after Docs/Spec/Pipeline.md section 3

public import Basics
public import Hosting

/// The laws, as Docs/Spec/Pipeline.md section 3 numbers them.
public enum Law: String, CaseIterable, Hashable, Sendable {
    case oneTerminal = "I1"
    case promptness = "I2"
    case legality = "I3"
    case conservation = "I4"
    case isolation = "I5"
    case bounds = "I6"
    case fencing = "I7"
    case explainability = "I8"
    case determinism = "I9"
}

/// One broken law.
public struct Violation: Hashable, Sendable {
    public var law: Law
    /// One line for a person: what was expected, what was found.
    public var text: String
    public var at: Instant
    /// The steps that show it, in causal order.
    public var evidence: [Evidence]

    /// A step by its process and index, with its input.
    public struct Evidence: Hashable, Sendable {
        public var process: ProcessInstance
        public var step: UInt64
        public var at: Instant
        public var text: String

        public init(process: ProcessInstance, step: UInt64, at: Instant, text: String) {
            (self.process, self.step, self.at, self.text) = (process, step, at, text)
        }
    }

    public init(_ law: Law, _ text: String, at: Instant, evidence: [Evidence] = []) {
        (self.law, self.text, self.at, self.evidence) = (law, text, at, evidence)
    }
}
