/// A moment, in nanoseconds since boot.
///
/// In a running process it is `CLOCK_MONOTONIC`; in a simulation it is the virtual clock. The project never uses the wall clock.
public struct Instant: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable public static var boot: Instant { Instant(nanoseconds: 0) }
    /// Later than every other instant. A machine that needs no wake-up returns it as its deadline.
    @inlinable public static var never: Instant { Instant(nanoseconds: .max) }

    @inlinable
    public static func == (a: Instant, b: Instant) -> Bool { a.nanoseconds == b.nanoseconds }
    @inlinable
    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Saturates at `never`, so that a deadline from an absurd setting cannot wrap into the past.
    public func advanced(by duration: Duration) -> Instant { advanced(byNanoseconds: duration.nanoseconds) }

    public func advanced(byNanoseconds count: Int64) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return Instant(nanoseconds: overflow ? (count > 0 ? .max : .min) : sum)
    }

    /// The time from this instant to another. It saturates, so that a peer's absurd time stamp cannot trap a comparison.
    public func duration(to other: Instant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        let nanoseconds = overflow ? (nanoseconds < 0 ? Int64.max : .min) : difference
        // Equal to `.nanoseconds(_:)`, which multiplies part by part and is slower. Every event passes this code.
        return Duration(attoseconds: Int128(nanoseconds) &* 1_000_000_000)
    }

    /// Seconds since boot, in the time base of `UITouch.timestamp`.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    public init(seconds: Double) { nanoseconds = Int64(clamping: seconds * 1e9) }
}

extension Instant: CustomStringConvertible {
    /// `500.000 ms`
    public var description: String { self == .never ? "never" : millisecondsText(nanoseconds) }
}

extension Duration {
    /// The duration in whole nanoseconds, saturating.
    public var nanoseconds: Int64 {
        // Durations up to nine seconds, which are nearly all, need no 128-bit division. `components` makes two.
        if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
        return Int64(clamping: attoseconds / 1_000_000_000)
    }

    public init(seconds: Double) { self = .nanoseconds(Int64(clamping: seconds * 1e9)) }

    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// `12.345 ms`
    public var milliseconds: String { millisecondsText(nanoseconds) }
}

extension Int64 {
    /// Rounds to the nearest whole number. Infinities saturate and NaN becomes zero, so that no input text can trap here.
    public init(clamping value: Double) {
        if value.isNaN {
            self = 0
        } else if value >= 9.2e18 {
            self = .max
        } else if value <= -9.2e18 {
            self = .min
        } else {
            // Both steps are exact. `rounded` is a call into libm on machines without SSE 4.1, and this initializer
            // runs very often.
            let whole = Int64(value)
            let rest = value - Double(whole)
            self = rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
        }
    }
}

/// Formats nanoseconds as milliseconds with three decimals. Every text of Touchline uses this format for a time.
public func millisecondsText(_ nanoseconds: Int64) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    let micros = (nanoseconds.magnitude + 500) / 1000
    return "\(sign)\(micros / 1000).\(padded(micros % 1000, to: 3)) ms"
}

/// Formats a number with leading zeros.
public func padded(_ number: some BinaryInteger, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Formats a number with exactly `digits` decimals, rounded to nearest, as `printf` does.
///
/// The function is here because the modules below UIKit do not import Foundation.
public func fixedText(_ value: Double, digits: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
    var scale: UInt64 = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = UInt64((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return digits == 0 ? "\(sign)\(scaled)" : "\(sign)\(scaled / scale).\(padded(scaled % scale, to: digits))"
}
