// Fault.swift: one fault as a line of text, with the same words in a simulation and against a running group.
//
//    1200ms kill app1
//    1500ms stop system-server for 300ms
//    0ms loss input-kit 0.05 for 60000ms
//
// Sources   invented, after Docs/Spec/Pipeline.md sections 4 and 6.6

public import Wire

/// One fault: its time, kind, target, amount and length.
public struct Fault: Hashable, Sendable {
    /// The time since the beginning of the run.
    public var at: Duration
    public var kind: FaultKind
    public var target: Peer
    /// In the word's unit; 0 for a word without one.
    public var amount: Double
    /// Zero for a momentary fault.
    public var length: Duration

    public init(at: Duration, _ word: FaultKind, _ target: Peer, amount: Double = 0, for length: Duration = .zero) {
        (self.at, self.kind, self.target, self.amount, self.length) = (at, word, target, amount, length)
    }
}
