// FaultyLink.swift: one direction of one link on a bad day: what becomes of each frame that is sent.
//
//    frame ─▶ passage ─┬▶ nothing      lost
//                      ├▶ a delay      at once, later, or overtaken by those behind it
//                      └▶ two delays   doubled
//
// Sits in the sender's host, live and simulated: peers are known by credentials of the kernel, so a process between
// them would be a stranger. What it holds back, its sender's death loses.
//
// Knows     a seed, shares, times. No frame, no peer.
//
// Sources   invented, after fault F6

public import Basics

/// What is wrong with a link now.
public struct LinkFaults: Hashable, Sendable {
    /// Of frames, 0…1.
    public var loss = 0.0
    public var duplicate = 0.0
    public var reorder = 0.0
    /// Added to every frame's way.
    public var delay = Duration.zero
    /// Nothing passes before.
    public var clogged: Instant?

    public init() {}

    public var isNone: Bool { self == LinkFaults() }
}

public struct FaultyLink: Sendable {
    /// What becomes of one frame.
    public enum Passage: Hashable, Sendable {
        case lost
        /// Leaves after so long; zero is at once.
        case once(Duration)
        case twice(Duration, Duration)
    }

    public var faults = LinkFaults()
    private var chance: SeededGenerator
    /// No frame that keeps its place leaves before this.
    private var lastLeave = Instant.boot

    /// How long a frame that is overtaken is kept.
    public static let overtaking: ClosedRange<Int64> = 200_000...20_000_000  // ns
    /// How long after the first a second one comes; one in eight comes much later, when its time may be over.
    public static let echo: ClosedRange<Int64> = 0...5_000_000  // ns
    public static let lateEcho: ClosedRange<Int64> = 50_000_000...600_000_000  // ns

    public init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    /// - Parameter now: Never earlier than the last one's.
    public mutating func passage(at now: Instant) -> Passage {
        let (loses, doubles, keeps) = (share() < faults.loss, share() < faults.duplicate, share() < faults.reorder)
        if loses { return .lost }
        var leaves = max(now.advanced(by: faults.delay), lastLeave)
        if let until = faults.clogged { leaves = max(leaves, until) }
        if keeps {
            leaves = leaves.advanced(byNanoseconds: number(in: Self.overtaking))
        } else {
            lastLeave = leaves
        }
        let delay = now.duration(to: leaves)
        guard doubles else { return .once(delay) }
        let gap = number(in: chance.next() % 8 == 0 ? Self.lateEcho : Self.echo)
        return .twice(delay, now.duration(to: leaves.advanced(byNanoseconds: gap)))
    }

    /// 0..<1.
    private mutating func share() -> Double { Double(chance.next() >> 11) * 0x1p-53 }

    private mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(chance.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
}
