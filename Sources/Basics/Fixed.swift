/// A signed 16.16 fixed-point number, IOKit's `IOFixed`. Messages carry positions in it, so that no rounding differs
/// between processes.
///
/// - Source: documented, IOHIDFamily `IOHIDEventData.h`: ×65536 truncating, NaN is 0x80000000.
public struct Fixed: Hashable, Comparable, Sendable {
    public var rawValue: Int32

    @inlinable
    public init(rawValue: Int32) { self.rawValue = rawValue }

    // Computed, because another module reads a stored constant through a call, and a computed one becomes a number.
    @inlinable public static var zero: Fixed { Fixed(rawValue: 0) }
    @inlinable public static var one: Fixed { Fixed(rawValue: 65536) }
    @inlinable public static var nan: Fixed { Fixed(rawValue: .min) }

    /// Truncates towards zero and saturates outside −32768..<32768.
    @inlinable
    public init(_ value: Double) {
        if value.isNaN {
            self = .nan
        } else {
            rawValue = Int32(max(-2_147_483_647, min(2_147_483_647, value * 65536)))
        }
    }

    @inlinable
    public var double: Double { self == .nan ? .nan : Double(rawValue) / 65536 }

    @inlinable
    public static func == (a: Fixed, b: Fixed) -> Bool { a.rawValue == b.rawValue }
    @inlinable
    public static func < (a: Fixed, b: Fixed) -> Bool { a.rawValue < b.rawValue }

    /// Maps `value` from `min...max` to 0...1, as IOHIDEventDriver calibrates: `((v − min) << 16) / (max − min)`.
    ///
    /// The result saturates at both ends. It is zero if the range has no width.
    public init(normalising value: Int64, from min: Int64, to max: Int64) {
        guard max > min else {
            self = .zero
            return
        }
        let clamped = Swift.min(Swift.max(value, min), max)
        let (span, offset) = (UInt64(bitPattern: max &- min), UInt64(bitPattern: clamped &- min))
        // Axis ranges have 32 bits. A wider range is scaled down first, because the shift would overflow.
        let excess = Swift.max(0, 64 - span.leadingZeroBitCount - 47)
        rawValue = Int32(((offset >> excess) << 16) / Swift.max(1, span >> excess))
    }
}

extension Fixed: CustomStringConvertible {
    public var description: String { fixedText(double, digits: 3) }
}
