// PeerClock.swift: an estimate of another machine's clock from exchanges of messages.
//
//     ours      sent ─┐                    ┌─ returned     offset = ((received − sent) + (answered − returned)) / 2
//     theirs          └─ received  answered ┘               wrong by at most half the round trip, however it divides
//
// The sample with the smallest bound wins. A bound is half the round trip and grows with age, because clocks drift
// apart. The offset in force follows slowly (slewed, not stepped). So a second stays nearly a second, and no touch
// appears older than the one before it.
//
// Knows     the times that it receives. No clock, no link.
//
// Sources   documented  RFC 5905 sections 8 and 10: the four times, the least delay, a dispersion that grows
//           invented    the numbers

public import Basics

/// The offset between this machine's clock and another's.
public struct PeerClock: Sendable {
    /// The estimated offset at one moment.
    public struct Estimate: Hashable, Sendable {
        /// Nanoseconds that the other clock is ahead of this one.
        public var offset: Int64
        /// The largest error of `offset` in nanoseconds: half the round trip, and the drift since.
        public var error: Int64
        public var roundTrip: Int64
    }

    private struct Sample: Sendable {
        let offset: Int64
        let roundTrip: Int64
        let at: Instant
    }

    /// The number of exchanges that are kept.
    public static let sampleLimit = 32
    /// The assumed drift between two clocks, in millionths; a quartz stays within 100.
    public static let drift: Int64 = 200
    /// The rate at which the offset in force follows the estimate, in millionths: faster than the drift.
    public static let slew: Int64 = 500
    /// The largest believable time in nanoseconds since boot, about 36 years. Sums of four such times do not overflow.
    private static let limit: Int64 = 1 << 60

    private var samples: [Sample] = []
    private var next = 0
    /// The offset in force: nanoseconds that the other clock is ahead; nil before the first exchange.
    public private(set) var offset: Int64?
    private var adjustedAt = Instant.boot
    /// Whether a time was converted with the offset; from then on the offset moves slowly.
    private var isUsed = false
    /// The latest of the other machine's times that was converted in order, and its result here.
    private var latest: (theirs: Instant, ours: Instant)?

    public init() {}

    /// Whether there has been an exchange.
    public var isKnown: Bool { offset != nil }

    /// Adds one exchange.
    ///
    /// - Returns: False for a useless exchange: a time out of range, or an answer before its question.
    @discardableResult
    public mutating func add(sent: Instant, received: Instant, answered: Instant, returned: Instant) -> Bool {
        for moment in [sent, received, answered, returned] where abs(max(moment.nanoseconds, -.max)) >= Self.limit {
            return false
        }
        let roundTrip =
            (returned.nanoseconds - sent.nanoseconds) - (answered.nanoseconds - received.nanoseconds)
        guard returned >= sent, answered >= received, roundTrip >= 0 else { return false }
        let twice =
            (received.nanoseconds - sent.nanoseconds) + (answered.nanoseconds - returned.nanoseconds)
        let sample = Sample(offset: twice / 2, roundTrip: roundTrip, at: returned)
        if samples.count < Self.sampleLimit { samples.append(sample) } else { samples[next] = sample }
        next = (next + 1) % Self.sampleLimit
        adjustOffset(at: returned)
        return true
    }

    /// The best estimate; nil before the first exchange.
    public func estimate(at now: Instant) -> Estimate? {
        var best: Estimate?
        for sample in samples {
            let age = max(0, sample.at.duration(to: now).nanoseconds)
            // The division by two rounds, here and in the offset, so the bound is one more.
            let error = sample.roundTrip / 2 + 1 + Self.part(Self.drift, of: age)
            guard best.map({ error < $0.error }) ?? true else { continue }
            best = Estimate(offset: sample.offset, error: error, roundTrip: sample.roundTrip)
        }
        return best
    }

    /// The offset in force. Its error is the bound of the estimate and the distance that is left to the estimate.
    public func offsetInForce(at now: Instant) -> Estimate? {
        guard let offset, let best = estimate(at: now) else { return nil }
        return Estimate(
            offset: offset, error: best.error + abs(best.offset - offset), roundTrip: best.roundTrip)
    }

    /// Moves the offset in force toward the estimate.
    public mutating func adjustOffset(at now: Instant) {
        guard let best = estimate(at: now) else { return }
        defer { adjustedAt = max(adjustedAt, now) }
        guard let old = offset, isUsed else { return offset = best.offset }
        let most = Self.part(Self.slew, of: max(0, adjustedAt.duration(to: now).nanoseconds))
        offset = old + max(-most, min(most, best.offset - old))
    }

    /// Forgets all exchanges, because the link is new: the other machine may have slept or been restarted.
    public mutating func reset() {
        samples.removeAll(keepingCapacity: true)
        (next, offset, isUsed, latest) = (0, nil, false, nil)
    }

    /// Converts a time of the other machine to this machine's clock.
    public mutating func localTime(of theirs: Instant) -> Instant {
        isUsed = true
        return theirs.advanced(byNanoseconds: -(offset ?? 0))
    }

    /// Converts times that come in order: a time that is not before another stays not before it.
    public mutating func localTimeInOrder(of theirs: Instant) -> Instant {
        let ours = localTime(of: theirs)
        guard let latest else {
            self.latest = (theirs, ours)
            return ours
        }
        guard theirs >= latest.theirs else { return min(ours, latest.ours) }
        self.latest = (theirs, max(ours, latest.ours))
        return max(ours, latest.ours)
    }

    /// Multiplies nanoseconds by millionths without overflow.
    private static func part(_ millionths: Int64, of nanoseconds: Int64) -> Int64 {
        nanoseconds / 1_000_000 * millionths + nanoseconds % 1_000_000 * millionths / 1_000_000
    }
}
