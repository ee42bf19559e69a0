// Fault.swift: one thing that goes wrong, as a line of text: the same words in a simulation and against a running group.
//
//    1200ms kill app1
//    1500ms stop system-server for 300ms
//    0ms loss input-kit 0.05 for 60000ms
//
// Sources   invented, after PIPELINE.md 4 and 6.6

public import Wire

/// One fault: when, what, to whom, how much, how long.
public struct Fault: Hashable, Sendable {
    /// Since the run began.
    public var at: Duration
    public var word: FaultWord
    public var target: Peer
    /// In the word's unit; 0 where it has none.
    public var amount: Double
    /// Zero for what takes no time.
    public var length: Duration

    public init(at: Duration, _ word: FaultWord, _ target: Peer, amount: Double = 0, for length: Duration = .zero) {
        (self.at, self.word, self.target, self.amount, self.length) = (at, word, target, amount, length)
    }
}
