// Probing.swift: when one end of a link probes the other.
//
// Input     Link: each received frame, and the moments at which a core asks whether a probe is due
// Output    whether a probe is due
// Knows     moments. No numbers.
//
//     rest ──a frame is outstanding──▶ waiting ──no answer for 100 ms──▶ probe ──no answer for 200 ms──▶ probe …
//
// The last frame before a rest has no frame behind it that would reveal its loss, and neither has its answer. Therefore
// the end that waits for answers sends probes. The interval doubles while no answer arrives, because a stopped peer has
// to read all probes later.
//
// Sources   invented, after fault F6

public import Basics

/// When the next probe of one link is due.
public struct Probing: Sendable {
    /// The interval at which a core checks whether a probe is due, and the shortest interval between probes.
    public static let period = Duration.milliseconds(100)
    /// The longest interval between two probes without an answer.
    static let longestInterval = Duration.milliseconds(1600)

    /// The moment of the last answer or probe.
    private var last = Instant.boot
    private var interval = Probing.period
    /// Numbers are missing before a received frame: the missing frames may have been answers.
    private var mayHaveMissedAnswer = false

    public init() {}

    /// Notes a received frame.
    ///
    /// - Parameters:
    ///   - now: The time of the arrival.
    ///   - missing: Whether frames before it are missing.
    ///   - isAnswer: Whether it answers a frame. A message that the peer sends unasked does not show that it received
    ///     anything.
    public mutating func noteReceived(at now: Instant, missing: Bool, isAnswer: Bool = true) {
        if isAnswer { (last, interval) = (now, Self.period) }
        if missing { mayHaveMissedAnswer = true }
    }

    /// Whether to send a probe now. The core calls this while frames are outstanding, and sends the probe if it is due.
    public mutating func isDue(at now: Instant) -> Bool {
        guard mayHaveMissedAnswer || now >= last.advanced(by: interval) else { return false }
        (last, interval, mayHaveMissedAnswer) = (now, min(interval + interval, Self.longestInterval), false)
        return true
    }
}
