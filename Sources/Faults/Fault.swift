// Fault.swift: one thing that goes wrong, as a line of text: the same words in a simulation and against a running group.
//
//    1200ms kill app1
//    1500ms stop system-server for 300ms
//    0ms loss input-kit 0.05 for 60000ms
//
// Sources   invented, after Docs/Spec/Pipeline.md sections 4 and 6.6

public import Wire

/// What can go wrong.
public enum FaultWord: String, CaseIterable, Hashable, Sendable {
    /// SIGKILL. F1, F2, F3, F14.
    case kill
    /// SIGSTOP, and SIGCONT after `for`. F12.
    case stop
    /// Every input costs `amount` milliseconds, for as long. F5.
    case slow
    /// The process exits `amount` milliseconds after each start, for as long. F13.
    case crashLoop = "crash-loop"
    /// Of the frames it sends on data links, this share (0…1) is lost, doubled, or overtaken by later ones. F6.
    case loss, duplicate, reorder
    /// What it sends travels `amount` milliseconds longer.
    case delay
    /// What it sends is held back, in order, until the time is over.
    case clog
    /// It sends `amount` packets that are no frames: all at once, or spread evenly over `for`. F7.
    case malformed
    /// It does not run for `amount` milliseconds, while its links are answered; its clock goes on. F9.
    case suspend
    /// The stamps of the devices it reads go back by `amount` milliseconds. F9.
    case deviceTime = "device-time"
    /// The wall clock jumps by `amount` milliseconds. F9.
    case wallTime = "wall-time"
    /// Its journal cannot be written, for as long. F11.
    case diskFull = "disk-full"
}

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
