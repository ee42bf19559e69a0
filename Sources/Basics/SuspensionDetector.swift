// SuspensionDetector.swift: detects that this process was stopped, from the times of its turns.
//
// Input     the turns of a core, and the timer that the core arms for it
// Output    the duration of a suspension; the time of the next timer
// Knows     moments
//
//     idle ──something live──▶ watching: a timer every 100 ms ──a turn later than the limit──▶ the process was suspended
//
// While the detector watches, two turns are at most one period and the machine's own delay apart. So a longer gap is a
// stop (SIGSTOP, a debugger, an overloaded machine) and not a long wait for input. The detector does not see the
// suspension of a whole machine, because CLOCK_MONOTONIC stops then. Docs/Decisions/Lease.md gives the reasons.
//
// Sources   invented, after faults F9 and F12

/// Detects that the process was stopped for longer than a limit.
public struct SuspensionDetector: Sendable {
    /// The time between two turns while the detector watches.
    public static let period = Duration.milliseconds(100)

    /// The longest gap that is no suspension. Zero turns the detector off.
    public let limit: Duration
    public private(set) var isWatching = false
    private var last: Instant?
    /// The limit in nanoseconds. Every input passes the comparison with it.
    private let nanoseconds: Int64
    /// The last gap that was longer than the limit while the detector did not watch: an idle process, or a stop.
    private var silence: (from: Instant, until: Instant)?

    public init(limit: Duration) { (self.limit, nanoseconds) = (limit, limit.nanoseconds) }

    /// Whether the next turn must say since when its input has waited.
    public var needsInputTime: Bool { !isWatching || silence != nil }

    /// The end of the last such gap.
    public var lastGapEnd: Instant? { silence?.until }

    /// Records a turn, before the turn does anything else.
    ///
    /// - Parameters:
    ///   - now: The time of the turn.
    ///   - since: The time since which an input has waited for this turn, if it is known. It is evidence for a stop in
    ///     a gap that the detector did not watch, because a running process would have handled the input. The input
    ///     need not be the one that ended the gap: a resumed process may first learn that its peers have closed their
    ///     links.
    /// - Returns: The duration of the suspension, if it was longer than the limit.
    public mutating func recordTurn(at now: Instant, waited since: Instant? = nil) -> Duration? {
        guard nanoseconds > 0 else { return nil }
        if let last, last.advanced(byNanoseconds: nanoseconds) < now {
            guard !isWatching else {
                self.last = now
                return last.duration(to: now)
            }
            silence = (last, now)
        }
        last = now
        guard let since, let silence else { return nil }
        let gap = max(silence.from, since).duration(to: silence.until)
        return gap > limit ? gap : nil
    }

    /// Starts to watch, after a turn that leaves something live.
    ///
    /// - Parameters:
    ///   - hasReason: Whether something is live.
    ///   - now: The time of the turn.
    /// - Returns: The time of the timer, if the core must arm it now.
    public mutating func watch(_ hasReason: Bool, at now: Instant) -> Instant? {
        guard hasReason, !isWatching else { return nil }
        isWatching = true
        return now.advanced(by: Self.period)
    }

    /// Records that the timer has fired. The core calls `watch(_:at:)` again after the turn.
    public mutating func timerFired() { isWatching = false }
}
