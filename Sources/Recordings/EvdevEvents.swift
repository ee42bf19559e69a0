// EvdevEvents.swift: parses the bytes that `read` returns for /dev/input/event*.
//
// Station   device
// Input     a live device, whole or in pieces of any size
// Output    EvdevTracker
// Knows     struct input_event of a 64-bit kernel. It opens no file.
//
//     0        8        16    18    20     24
//     | sec    | usec   |type |code |value |        all little endian, all signed but type and code
//
// Sources   documented  kernel include/uapi/linux/input.h

/// One `input_event`.
public struct EvdevEvent: Hashable, Sendable {
    /// The event types that matter for touches.
    public enum Kind: UInt8, Sendable {
        case synchronize, key, absolute, miscellaneous
        /// All types without touch data.
        case other
    }

    /// The time in nanoseconds, on the clock that stamped the event; `EvdevClock` converts it to a recording's time.
    public var nanoseconds: Int64
    public var type: Kind
    public var code: UInt16
    public var value: Int32

    /// - Parameters:
    ///   - nanoseconds: The time of the event.
    ///   - type: The kernel's `EV_…` number; types without touch data become `other`.
    ///   - code: The kernel's number of the axis or key.
    ///   - value: The event's value, in the unit of its axis.
    public init(nanoseconds: Int64, type: UInt16, code: UInt16, value: Int32) {
        (self.nanoseconds, self.code, self.value) = (nanoseconds, code, value)
        self.type = Kind(number: type)
    }

    var isReport: Bool { type == .synchronize && code == Code.report }
}

extension EvdevEvent.Kind {
    @inline(__always)
    init(number: UInt16) {
        switch number {
        case 0: self = .synchronize
        case 1: self = .key
        case 3: self = .absolute
        case 4: self = .miscellaneous
        default: self = .other
        }
    }
}

/// Parses a device's bytes into events. An incomplete event waits for the next piece.
public struct EvdevEvents: Sendable {
    /// The bytes of one event.
    public static let size = 24

    private var partial: [UInt8] = []

    public init() {}

    /// The bytes of an incomplete event; a device that closes now was cut short.
    public var pendingBytes: Int { partial.count }

    /// Discards the bytes of an incomplete event.
    public mutating func discardPendingBytes() {
        if !partial.isEmpty { partial.removeAll(keepingCapacity: true) }
    }

    /// Parses the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: Any number of bytes; the rest of an event is kept for the next call.
    ///   - events: Receives the complete events, in order.
    public mutating func parse(_ bytes: [UInt8], into events: inout [EvdevEvent]) {
        var start = 0
        if !partial.isEmpty {
            start = min(Self.size - partial.count, bytes.count)
            partial += bytes[..<start]
            guard partial.count == Self.size else { return }
            events.append(Self.event(in: partial, at: 0))
            partial.removeAll(keepingCapacity: true)
        }
        events.reserveCapacity(events.count + (bytes.count - start) / Self.size)
        while bytes.count - start >= Self.size {
            events.append(Self.event(in: bytes, at: start))
            start += Self.size
        }
        if start < bytes.count { partial += bytes[start...] }
    }

    private static func event(in bytes: [UInt8], at start: Int) -> EvdevEvent {
        let span = bytes.span.bytes.extracting(start..<start + size)
        func number<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: T.Type) -> T {
            // The span has the bytes of one event, and every offset below is inside.
            T(littleEndian: span.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: T.self))
        }
        // An impossible time is replaced by the nearest possible one.
        let seconds = max(0, min(number(0, Int64.self), EvdevClock.secondLimit))
        let microseconds = max(0, min(number(8, Int64.self), 999_999))
        return EvdevEvent(
            nanoseconds: seconds * 1_000_000_000 + microseconds * 1000, type: number(16, UInt16.self),
            code: number(18, UInt16.self), value: number(20, Int32.self))
    }
}

/// Converts timestamps of any clock to the time since the first one, which never decreases.
public struct EvdevClock: Hashable, Sendable {
    /// The largest seconds value: the year 2255. No product overflows.
    public static let secondLimit: Int64 = 9_000_000_000

    private var origin: Int64?
    /// Nanoseconds since the first stamp.
    public private(set) var now: Int64 = 0
    /// The number of timestamps before their predecessor; each counts as equal to it.
    public private(set) var timesBackwards = 0

    public init() {}

    /// Advances to a timestamp.
    ///
    /// - Parameter stamp: Nanoseconds; an impossible value is replaced by the nearest possible one.
    /// - Returns: Nanoseconds since the first timestamp.
    @discardableResult
    public mutating func advance(to stamp: Int64) -> Int64 {
        let stamp = max(0, min(stamp, Self.secondLimit * 1_000_000_000 + 999_999_999))
        guard let origin else {
            self.origin = stamp
            return 0
        }
        // Both lie in 0...9.000000001e18.
        let time = stamp - origin
        if time < now { timesBackwards += 1 } else { now = time }
        return now
    }
}
