// FaultyLink.swift: the fate of each frame on one direction of a faulty link.
//
//    frame ─▶ passage ─┬▶ nothing      lost
//                      ├▶ a delay      at once, later, or overtaken by later frames
//                      └▶ two delays   duplicated
//
// The type is part of the sender's host, live and simulated. Peers are identified by credentials of the kernel, so a
// process between them would be refused. Frames that it holds are lost if the sender dies.
//
// Knows     the words of links, a seed, shares, times. No frame, no peer.
//
// Sources   invented, after fault F6

public import Basics

/// The current faults of a link.
public struct LinkFaults: Hashable, Sendable {
    /// Shares of frames, 0…1.
    public var loss = 0.0
    public var duplicate = 0.0
    public var reorder = 0.0
    /// Added to the travel time of every frame.
    public var delay = Duration.zero
    /// No frame passes before this time.
    public var clogged: Instant?

    public init() {}

    public var isNone: Bool { self == LinkFaults() }

    /// Adds a fault that lasts until a moment. Of two at a time the worse one holds.
    ///
    /// - Parameters:
    ///   - fault: The word of the fault.
    ///   - amount: In the word's unit.
    ///   - end: The moment at which the fault ends.
    public mutating func add(_ fault: LinkFault, _ amount: Double, until end: Instant) {
        switch fault {
        case .loss: loss = max(loss, amount)
        case .duplicate: duplicate = max(duplicate, amount)
        case .reorder: reorder = max(reorder, amount)
        case .delay: delay = max(delay, .nanoseconds(Int64(clamping: amount * 1e6)))
        case .clog: clogged = max(clogged ?? .boot, end)
        }
    }
}

/// One direction of a link, with random faults.
public struct FaultyLink: Sendable {
    /// The fate of one frame.
    public enum Passage: Hashable, Sendable {
        case lost
        /// Leaves after this time; zero is at once.
        case once(Duration)
        case twice(Duration, Duration)
    }

    public var faults = LinkFaults()
    private var chance: SeededGenerator
    /// The earliest time for a frame that keeps its order.
    private var lastLeave = Instant.boot

    /// The delay of a frame that is overtaken.
    public static let overtaking: ClosedRange<Int64> = 200_000...20_000_000  // ns
    /// The delay of a duplicate after the first frame. One in eight comes much later, when its time may be over.
    public static let echo: ClosedRange<Int64> = 0...5_000_000  // ns
    public static let lateEcho: ClosedRange<Int64> = 50_000_000...600_000_000  // ns

    public init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    /// Decides about one frame.
    ///
    /// - Parameter now: Never earlier than in the previous call.
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

    /// A number in 0..<1.
    private mutating func share() -> Double { Double(chance.next() >> 11) * 0x1p-53 }

    private mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(chance.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
}
