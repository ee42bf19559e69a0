// PeerClock.swift: another machine's clock, as far as exchanges with it say.
//
//     ours      sent ─┐                    ┌─ heard        offset = ((received − sent) + (answered − heard)) / 2
//     theirs          └─ received  answered ┘               it is wrong by half the round trip at most, whatever each
//                                                          way took of it
//
// The least round trip wins: of what was measured lately the one whose bound, which grows with its age by what two
// clocks may drift apart, is smallest. What is in force follows slowly (slewed, not stepped), so that a second is a second
// nearly everywhere and no touch is said to be older than the one before it.
//
// Knows     moments it is handed. No clock, no link.
//
// Sources   documented  RFC 5905 sections 8 and 10: the four moments, the least delay, a dispersion that grows
//           invented    the numbers

public import Basics

public struct PeerClock: Sendable {
    /// What is known of the other clock at a moment.
    public struct Estimate: Hashable, Sendable {
        /// By how many nanoseconds the other clock is before ours.
        public var offset: Int64
        /// By how many that may be wrong: half the round trip, and what may have drifted since.
        public var error: Int64
        public var roundTrip: Int64
    }

    private struct Sample: Sendable {
        let offset: Int64
        let roundTrip: Int64
        let at: Instant
    }

    /// Exchanges that are remembered.
    public static let memory = 32
    /// How far two clocks may drift apart, in millionths; a quartz is good for 100.
    public static let drift: Int64 = 200
    /// How fast what is in force follows what is known, in millionths: faster than they drift apart.
    public static let slew: Int64 = 500
    /// Nanoseconds since boot that no clock says: a year's worth of centuries, and no sum of four overflows.
    private static let limit: Int64 = 1 << 60

    private var samples: [Sample] = []
    private var next = 0
    /// Theirs before ours, as moments are told by it; nil while nothing is known.
    public private(set) var offset: Int64?
    private var followedAt = Instant.boot
    /// Something was told by it: from then on it moves slowly.
    private var isUsed = false
    /// The latest of their moments that was told of in order, and what it was here.
    private var latest: (theirs: Instant, ours: Instant)?

    public init() {}

    public var isKnown: Bool { offset != nil }

    /// One exchange.
    ///
    /// - Returns: False for one that says nothing: its moments are no moments, or an answer came before its question.
    @discardableResult
    public mutating func take(sent: Instant, received: Instant, answered: Instant, heard: Instant) -> Bool {
        for moment in [sent, received, answered, heard] where abs(max(moment.nanoseconds, -.max)) >= Self.limit {
            return false
        }
        let roundTrip =
            (heard.nanoseconds - sent.nanoseconds) - (answered.nanoseconds - received.nanoseconds)
        guard heard >= sent, answered >= received, roundTrip >= 0 else { return false }
        let twice =
            (received.nanoseconds - sent.nanoseconds) + (answered.nanoseconds - heard.nanoseconds)
        let sample = Sample(offset: twice / 2, roundTrip: roundTrip, at: heard)
        if samples.count < Self.memory { samples.append(sample) } else { samples[next] = sample }
        next = (next + 1) % Self.memory
        follow(at: heard)
        return true
    }

    /// The best there is; nil before the first exchange.
    public func estimate(at now: Instant) -> Estimate? {
        var best: Estimate?
        for sample in samples {
            let age = max(0, sample.at.duration(to: now).nanoseconds)
            // Half of an odd number is less by half, and so is the offset.
            let error = sample.roundTrip / 2 + 1 + Self.part(Self.drift, of: age)
            guard best.map({ error < $0.error }) ?? true else { continue }
            best = Estimate(offset: sample.offset, error: error, roundTrip: sample.roundTrip)
        }
        return best
    }

    /// What is in force, by how much it may be wrong: the estimate's bound, and how far it is still behind that.
    public func inForce(at now: Instant) -> Estimate? {
        guard let offset, let best = estimate(at: now) else { return nil }
        return Estimate(
            offset: offset, error: best.error + abs(best.offset - offset), roundTrip: best.roundTrip)
    }

    /// What is in force comes nearer to what is known.
    public mutating func follow(at now: Instant) {
        guard let best = estimate(at: now) else { return }
        defer { followedAt = max(followedAt, now) }
        guard let old = offset, isUsed else { return offset = best.offset }
        let most = Self.part(Self.slew, of: max(0, followedAt.duration(to: now).nanoseconds))
        offset = old + max(-most, min(most, best.offset - old))
    }

    /// The link is made anew: the other machine may have slept or been started again, and nothing of before counts.
    public mutating func renew() {
        samples.removeAll(keepingCapacity: true)
        (next, offset, isUsed, latest) = (0, nil, false, nil)
    }

    /// A moment of theirs by our clock.
    public mutating func ours(_ theirs: Instant) -> Instant {
        isUsed = true
        return theirs.advanced(byNanoseconds: -(offset ?? 0))
    }

    /// The same for moments that come in order: what is not before another by their clock is not before it by ours.
    public mutating func oursInOrder(_ theirs: Instant) -> Instant {
        let ours = ours(theirs)
        guard let latest else {
            self.latest = (theirs, ours)
            return ours
        }
        guard theirs >= latest.theirs else { return min(ours, latest.ours) }
        self.latest = (theirs, max(ours, latest.ours))
        return max(ours, latest.ours)
    }

    /// Millionths of a length of time.
    private static func part(_ millionths: Int64, of nanoseconds: Int64) -> Int64 {
        nanoseconds / 1_000_000 * millionths + nanoseconds % 1_000_000 * millionths / 1_000_000
    }
}
