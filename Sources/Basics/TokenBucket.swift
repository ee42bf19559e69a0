// TokenBucket.swift: a rate limiter: `burst` events at once, and `rate` per second.
//
// Input     events, each with its moment
// Output    whether an event has a token, and the time of the next token
// Knows     moments and counts. Not what it limits.
//
//     empty ◀──── takeTokens: later by a period each ──── full ──── returnTokens: earlier by a period each ────▶
//
// The bucket stores one number: the moment at which it is full if no more tokens are taken. Passing time costs no work.
//
// Sources   documented  the generic cell rate algorithm, as a virtual schedule (ITU-T I.371, annex A)

/// A rate limiter.
public struct TokenBucket: Sendable {
    /// The rate and the capacity of a bucket.
    public struct Limits: Equatable, Sendable {
        /// Tokens per second; 0 for no limit.
        public var rate: Double
        /// The tokens of a full bucket, at least 1.
        public var burst: Double

        public init(rate: Double, burst: Double) { (self.rate, self.burst) = (rate, burst) }
    }

    /// Nanoseconds for one token; 0 for no limit.
    private let period: Int64
    private let burst: Int64
    /// The moment at which the bucket is full if no more tokens are taken.
    private var fullAt = Instant.boot

    public init(_ limits: Limits) {
        period = limits.rate > 0 ? Int64(1e9 / limits.rate) : 0
        burst = Int64(limits.burst)
    }

    /// The earliest time at which one token is available; a time in the past if the bucket has one now.
    public var next: Instant { fullAt.advanced(byNanoseconds: -(period * (burst - 1))) }

    /// Takes tokens.
    ///
    /// - Returns: False if the bucket has fewer tokens; then none is taken.
    public mutating func takeTokens(_ count: Int = 1, at now: Instant) -> Bool {
        let later = max(fullAt, now).advanced(byNanoseconds: period * Int64(count))
        guard period == 0 || later <= now.advanced(byNanoseconds: period * burst) else { return false }
        fullAt = later
        return true
    }

    /// Takes tokens for events that have already happened, even if the bucket has fewer. `next` moves accordingly.
    public mutating func charge(_ count: Int, at now: Instant) {
        fullAt = max(fullAt, now).advanced(byNanoseconds: period * Int64(count))
    }

    /// Returns tokens, up to the capacity of the bucket.
    public mutating func returnTokens(_ count: Int) {
        fullAt = max(.boot, fullAt.advanced(byNanoseconds: -(period * Int64(count))))
    }

    /// Fills the bucket.
    public mutating func refill() { fullAt = .boot }
}
