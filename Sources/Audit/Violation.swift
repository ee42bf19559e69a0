// Violation.swift: a law that a run has broken, and where to look.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 3

public import Basics
public import Hosting

/// The laws, as Docs/Spec/Pipeline.md section 3 counts them.
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

public struct Violation: Hashable, Sendable {
    public var law: Law
    /// One line for a person: what was expected, what was found.
    public var text: String
    public var at: Instant
    /// The steps that show it, in causal order.
    public var evidence: [Evidence]

    /// A step by its place, and what of it matters.
    public struct Evidence: Hashable, Sendable {
        public var life: Life
        public var step: UInt64
        public var at: Instant
        public var text: String

        public init(life: Life, step: UInt64, at: Instant, text: String) {
            (self.life, self.step, self.at, self.text) = (life, step, at, text)
        }
    }

    public init(_ law: Law, _ text: String, at: Instant, evidence: [Evidence] = []) {
        (self.law, self.text, self.at, self.evidence) = (law, text, at, evidence)
    }
}
