// SequenceNumber.swift: the number of a frame on one link.
//
// Each end of a link numbers the frames that it sends, without gaps, from 1. The number of a frame that carries a scan
// is also the number of the scan: its receipt names it. The ordinal of a scan in input-kit's queue is another number,
// and so are epochs, process generations and counts of frames. None of them converts to a sequence number implicitly.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 2

/// The number of a frame on the link that it was sent on, from 1.
///
/// Integer literals are sequence numbers, because tests play frames under fixed numbers. Every other integer is converted
/// with `init(_:)`.
public struct SequenceNumber: Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The number before that of the first frame. No frame of a link has it. It stands for "none": the last frame
    /// received on a link that has received none, the oldest frame that waits for a receipt.
    @inlinable
    public static var zero: SequenceNumber { SequenceNumber(0) }

    /// The highest number.
    @inlinable
    public static var max: SequenceNumber { SequenceNumber(.max) }

    /// The number of the next frame. Zero follows the highest number: no process sends 2⁶⁴ frames, but a peer may claim
    /// it.
    @inlinable
    public var next: SequenceNumber { SequenceNumber(rawValue &+ 1) }

    /// The number of the previous frame. The receiver must not be `zero`.
    @inlinable
    public var previous: SequenceNumber { SequenceNumber(rawValue - 1) }

    /// The number that is `count` frames later.
    @inlinable
    public func advanced(by count: UInt64) -> SequenceNumber { SequenceNumber(rawValue + count) }

    /// The number that is `count` frames earlier. The call traps if there is none.
    @inlinable
    public func retreated(by count: UInt64) -> SequenceNumber { SequenceNumber(rawValue - count) }

    /// The number of frames from an earlier number to this one. The call traps if the other number is later.
    @inlinable
    public func distance(from earlier: SequenceNumber) -> UInt64 { rawValue - earlier.rawValue }
}

extension SequenceNumber: Comparable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    @inlinable
    public static func < (a: SequenceNumber, b: SequenceNumber) -> Bool { a.rawValue < b.rawValue }
    @inlinable
    public static func == (a: SequenceNumber, b: SequenceNumber) -> Bool { a.rawValue == b.rawValue }

    @inlinable
    public init(integerLiteral value: UInt64) { self.init(value) }

    public var description: String { "\(rawValue)" }
}

extension Int64 {
    /// The number as the value of a fact.
    @inlinable
    public init(_ sequence: SequenceNumber) { self.init(clamping: sequence.rawValue) }
}
