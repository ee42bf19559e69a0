// Vigil.swift: whether this process was there all the time, by what it sees itself.
//
//     idle ──something live──▶ kept: a timer every 100 ms ──────▶ a turn that comes a limit after the last: it was away
//
// While it is kept no two turns are further apart than a period and what the machine is late by. So a longer gap is a
// stop (SIGSTOP, a debugger, a machine that has no time for it) and not a long wait for something to do. A machine that is
// suspended is not seen: its CLOCK_MONOTONIC stands still. Docs/Decisions/Lease.md says why nothing else is asked.
//
// Sources   invented, after PIPELINE.md F9 and F12

public import Basics

public struct Vigil: Sendable {
    /// Between two turns while it is kept.
    public static let period = Duration.milliseconds(100)

    /// Zero: no gap is too long.
    public let limit: Duration
    public private(set) var isKept = false
    private var last: Instant?
    /// The last time without a turn that was longer than the limit, when nobody kept watch: nothing to do, or a stop.
    private var silence: (from: Instant, until: Instant)?

    public init(limit: Duration) { self.limit = limit }

    /// Whether it matters to a turn since when something has waited.
    public var isInDoubt: Bool { !isKept || silence != nil }

    /// When the last such time was over.
    public var returned: Instant? { silence?.until }

    /// Every turn, first.
    ///
    /// - Parameter waited: Since when something has waited for this turn, as far as that is known. It is evidence when
    ///   no vigil was kept: a process that was there would have taken it. It need not be what ended the silence: a
    ///   process that goes on first hears that others have given it up.
    /// - Returns: How long this process was away, when that was longer than the limit.
    public mutating func turn(at now: Instant, waited since: Instant? = nil) -> Duration? {
        guard limit > .zero else { return nil }
        if let last, last.duration(to: now) > limit {
            guard !isKept else {
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

    /// After every turn.
    ///
    /// - Returns: When the timer is to fire, if it is to be armed now.
    public mutating func keep(_ hasReason: Bool, at now: Instant) -> Instant? {
        guard hasReason, !isKept else { return nil }
        isKept = true
        return now.advanced(by: Self.period)
    }

    /// The timer has fired.
    public mutating func fired() { isKept = false }
}
