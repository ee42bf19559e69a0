// InputEvent.swift: one `input_event` of the kernel as bytes, for programs that simulate a device.
//
// Input     `touchline devices --serve`, `touchline inspect`, chaos
// Output    the bytes that EvdevEvents parses
//
// Sources   documented  kernel include/uapi/linux/input.h, of a 64-bit kernel

public import Basics

/// One `input_event`.
public struct InputEvent: Hashable, Sendable {
    /// `EV_…`
    public var type: UInt16
    public var code: UInt16
    public var value: Int32

    public init(type: UInt16, code: UInt16, value: Int32) { (self.type, self.code, self.value) = (type, code, value) }

    /// The 24 bytes of the event, with the microseconds of a moment as its stamp.
    public func bytes(at moment: Instant) -> [UInt8] {
        func little<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
            (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> T($0 * 8)) }
        }
        return little(moment.nanoseconds / 1_000_000_000) + little(moment.nanoseconds % 1_000_000_000 / 1000)
            + little(type) + little(code) + little(value)
    }
}
