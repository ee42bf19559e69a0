// Vigil.swift: whether this process was there all the time, by what it sees itself.
//
//     idle ──something live──▶ kept: a timer every 100 ms ──────▶ a turn that comes a limit after the last: it was away
//
// While it is kept no two turns are further apart than a period and what the machine is late by. So a longer gap is a
// stop (SIGSTOP, a suspended machine, a debugger) and not a long wait for something to do. Docs/Decisions/Lease.md says
// why nothing else is asked.
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

    public init(limit: Duration) { self.limit = limit }

    /// Every turn, first.
    ///
    /// - Parameter waited: Since when something has waited for this turn, as far as that is known. It is evidence when
    ///   no vigil is kept: a process that was there would have taken it.
    /// - Returns: How long this process was away, when that was longer than the limit.
    public mutating func turn(at now: Instant, waited since: Instant? = nil) -> Duration? {
        defer { last = now }
        guard let last, limit > .zero else { return nil }
        let expected = isKept ? last : max(last, since ?? now)
        let gap = expected.duration(to: now)
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
