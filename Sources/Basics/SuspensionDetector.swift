// SuspensionDetector.swift: finds out that this process was stopped, from the times of its own turns.
//
//     idle ──something live──▶ watching: a timer every 100 ms ──a turn that is later than the limit──▶ it was suspended
//
// While the detector watches, no two turns are further apart than a period and the machine's own delay. So a longer gap is
// a stop (SIGSTOP, a debugger, a machine that has no time for it) and not a long wait for something to do. The suspension
// of a whole machine is not seen: its CLOCK_MONOTONIC stands still. Docs/Decisions/Lease.md says why nothing else is asked.
//
// Input     the turns of a core, and the timer that the core arms for it
// Knows     moments
//
// Sources   invented, after faults F9 and F12

public struct SuspensionDetector: Sendable {
    /// Between two turns while the detector watches.
    public static let period = Duration.milliseconds(100)

    /// Zero: no gap is too long.
    public let limit: Duration
    public private(set) var isWatching = false
    private var last: Instant?
    /// The last time without a turn that was longer than the limit while the detector did not watch: an idle process, or
    /// a stop.
    private var silence: (from: Instant, until: Instant)?

    public init(limit: Duration) { self.limit = limit }

    /// Whether a turn has to say since when its input has waited.
    public var isInDoubt: Bool { !isWatching || silence != nil }

    /// When the last such time was over.
    public var returned: Instant? { silence?.until }

    /// Takes note of a turn, before the turn does anything else.
    ///
    /// - Parameter waited: Since when something has waited for this turn, as far as that is known. It is evidence when
    ///   the detector did not watch: a running process would have handled it. It need not be what ended the silence: a
    ///   process that goes on may first receive the news that others have given it up.
    /// - Returns: How long this process was suspended, if that was longer than the limit.
    public mutating func turn(at now: Instant, waited since: Instant? = nil) -> Duration? {
        guard limit > .zero else { return nil }
        if let last, last.duration(to: now) > limit {
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

    /// Begins to watch, after a turn that leaves something live.
    ///
    /// - Returns: When the timer is to fire, if it is to be armed now.
    public mutating func watch(_ hasReason: Bool, at now: Instant) -> Instant? {
        guard hasReason, !isWatching else { return nil }
        isWatching = true
        return now.advanced(by: Self.period)
    }

    /// The timer has fired: the core asks again after the turn.
    public mutating func timerFired() { isWatching = false }
}
