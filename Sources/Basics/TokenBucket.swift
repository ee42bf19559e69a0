// TokenBucket.swift: a rate limiter: `burst` events at once, and `rate` a second.
//
// Input     events, each with its moment
// Output    whether there is a token for an event, and from when on there is one
// Knows     moments and counts. Not what it limits.
//
//     empty ◀──── take: later by a period each ──── full ──── give back: earlier by a period each ────▶
//
// One number is kept: the moment at which the bucket is full if nothing more is taken. Time that passes costs no work.
//
// Sources   documented  the generic cell rate algorithm, as a virtual schedule (ITU-T I.371, annex A)

public struct TokenBucket: Sendable {
    public struct Limits: Equatable, Sendable {
        /// Tokens a second; 0 for no limit.
        public var rate: Double
        /// Tokens of a full bucket, at least 1.
        public var burst: Double

        public init(rate: Double, burst: Double) { (self.rate, self.burst) = (rate, burst) }
    }

    /// Nanoseconds for one token; 0 for no limit.
    private let period: Int64
    private let burst: Int64
    /// When the bucket is full, if nothing more is taken.
    private var full = Instant.boot

    public init(_ limits: Limits) {
        period = limits.rate > 0 ? Int64(1e9 / limits.rate) : 0
        burst = Int64(limits.burst)
    }

    /// From when on one token may be taken; boot for at any time.
    public var next: Instant { full.advanced(byNanoseconds: -(period * (burst - 1))) }

    /// - Returns: False when there are not so many tokens; then none is taken.
    public mutating func take(_ count: Int = 1, at now: Instant) -> Bool {
        let later = max(full, now).advanced(byNanoseconds: period * Int64(count))
        guard period == 0 || later <= now.advanced(byNanoseconds: period * burst) else { return false }
        full = later
        return true
    }

    /// Takes tokens that there may not be: of what is counted after it was done. `next` is so much later.
    public mutating func charge(_ count: Int, at now: Instant) {
        full = max(full, now).advanced(byNanoseconds: period * Int64(count))
    }

    /// Gives tokens back, as far as the bucket holds them.
    public mutating func giveBack(_ count: Int) {
        full = max(.boot, full.advanced(byNanoseconds: -(period * Int64(count))))
    }

    /// The bucket is full again.
    public mutating func refill() { full = .boot }
}
