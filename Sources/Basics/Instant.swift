/// A moment, in nanoseconds since boot.
///
/// Live it is `CLOCK_MONOTONIC`; in simulation it is the virtual clock. The wall clock appears nowhere.
public struct Instant: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static let boot = Instant(nanoseconds: 0)
    /// Later than everything; what a machine answers that wants no wake-up.
    public static let never = Instant(nanoseconds: .max)

    public static func < (a: Instant, b: Instant) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Saturates at `never`, so that a deadline computed from an absurd setting never wraps into the past.
    public func advanced(by duration: Duration) -> Instant { advanced(byNanoseconds: duration.nanoseconds) }

    public func advanced(byNanoseconds count: Int64) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return Instant(nanoseconds: overflow ? (count > 0 ? .max : .min) : sum)
    }

    /// Saturates, so that a peer's absurd stamp cannot trap whoever compares it with another.
    public func duration(to other: Instant) -> Duration {
        let (difference, overflow) = other.nanoseconds.subtractingReportingOverflow(nanoseconds)
        let nanoseconds = overflow ? (nanoseconds < 0 ? Int64.max : .min) : difference
        // As `.nanoseconds` has it, which multiplies piece by piece: this is on the way of every event.
        return Duration(attoseconds: Int128(nanoseconds) &* 1_000_000_000)
    }

    /// Seconds since boot, as `UITouch.timestamp` counts them.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    public init(seconds: Double) { nanoseconds = Int64(clamping: seconds * 1e9) }
}

extension Instant: CustomStringConvertible {
    /// `500.000 ms`
    public var description: String { self == .never ? "never" : millisecondsText(nanoseconds) }
}

extension Duration {
    /// Whole nanoseconds, saturating.
    public var nanoseconds: Int64 {
        // Up to nine seconds, as nearly all are: no division of 128 bits.
        if let attoseconds = Int64(exactly: attoseconds) { return attoseconds / 1_000_000_000 }
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds > 0 ? .max : .min }
        return scaled.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }

    public init(seconds: Double) { self = .nanoseconds(Int64(clamping: seconds * 1e9)) }

    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// `12.345 ms`
    public var milliseconds: String { millisecondsText(nanoseconds) }
}

extension Int64 {
    /// Nearest whole number; infinities saturate and NaN is zero, so no input text can trap here.
    public init(clamping value: Double) {
        if value.isNaN {
            self = 0
        } else if value >= 9.2e18 {
            self = .max
        } else if value <= -9.2e18 {
            self = .min
        } else {
            // Exact, both: `rounded` is a call into libm on machines without SSE 4.1, and this is asked very often.
            let whole = Int64(value)
            let rest = value - Double(whole)
            self = rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
        }
    }
}

/// Nanoseconds as milliseconds with three digits: the one way Touchline writes a time.
public func millisecondsText(_ nanoseconds: Int64) -> String {
    let sign = nanoseconds < 0 ? "-" : ""
    let micros = (nanoseconds.magnitude + 500) / 1000
    return "\(sign)\(micros / 1000).\(padded(micros % 1000, to: 3)) ms"
}

/// A number with leading zeros.
public func padded(_ number: some BinaryInteger, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// A number with exactly `digits` decimals, rounded to nearest, as `printf` would write it.
///
/// Here because the layers below UIKit do without Foundation.
public func fixedText(_ value: Double, digits: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
    var scale: UInt64 = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = UInt64((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return digits == 0 ? "\(sign)\(scaled)" : "\(sign)\(scaled / scale).\(padded(scaled % scale, to: digits))"
}
