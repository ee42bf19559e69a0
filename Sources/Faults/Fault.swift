// Fault.swift: one fault as a line of text, with the same words in a simulation and against a running group.
//
//    1200ms kill app1
//    1500ms stop system-server for 300ms
//    0ms loss input-kit 0.05 for 60000ms
//
// Sources   invented, after PIPELINE.md 4 and 6.6

public import Wire

/// The kinds of faults.
public enum FaultWord: String, CaseIterable, Hashable, Sendable {
    /// SIGKILL. F1, F2, F3, F14.
    case kill
    /// SIGSTOP, and SIGCONT after `for`. F12.
    case stop
    /// Every input costs `amount` milliseconds more, during `for`. F5.
    case slow
    /// The process exits `amount` milliseconds after each start, during `for`. F13.
    case crashLoop = "crash-loop"
    /// A share (0…1) of the frames that it sends on data links is lost, duplicated, or overtaken by later ones. F6.
    case loss, duplicate, reorder
    /// Its frames take `amount` milliseconds longer.
    case delay
    /// Its frames are held back, in order, until the time is over.
    case clog
    /// It sends `amount` packets that are no frames: all at once, or spread evenly over `for`. F7.
    case malformed
    /// It does not run for `amount` milliseconds, while its links are answered; its clock continues. F9.
    case suspend
    /// The timestamps of its devices go back by `amount` milliseconds. F9.
    case deviceTime = "device-time"
    /// The wall clock jumps by `amount` milliseconds. F9.
    case wallTime = "wall-time"
    /// Its journal cannot be written, during `for`. F11.
    case diskFull = "disk-full"
}

/// One fault: its time, kind, target, amount and length.
public struct Fault: Hashable, Sendable {
    /// The time since the beginning of the run.
    public var at: Duration
    public var word: FaultWord
    public var target: Peer
    /// In the word's unit; 0 for a word without one.
    public var amount: Double
    /// Zero for a momentary fault.
    public var length: Duration

    public init(at: Duration, _ word: FaultWord, _ target: Peer, amount: Double = 0, for length: Duration = .zero) {
        (self.at, self.word, self.target, self.amount, self.length) = (at, word, target, amount, length)
    }
}
