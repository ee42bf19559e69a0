// DispatchTime.swift: moments and durations of Dispatch, on the clock of the application whose code runs.
//
// Station   loop
//
// Sources   documented  DispatchTime, DispatchTimeInterval, DispatchQoS

import Basics
import SystemClock

/// A time span of Dispatch.
public enum DispatchTimeInterval: Equatable, Sendable {
    case seconds(Int), milliseconds(Int), microseconds(Int), nanoseconds(Int), never

    public static func == (a: DispatchTimeInterval, b: DispatchTimeInterval) -> Bool { a.count == b.count }

    /// In nanoseconds, saturating.
    var count: Int64 {
        func times(_ value: Int, _ unit: Int64) -> Int64 {
            let (product, overflow) = Int64(value).multipliedReportingOverflow(by: unit)
            return overflow ? (value < 0 ? .min : .max) : product
        }
        switch self {
        case .seconds(let value): return times(value, 1_000_000_000)
        case .milliseconds(let value): return times(value, 1_000_000)
        case .microseconds(let value): return times(value, 1000)
        case .nanoseconds(let value): return Int64(value)
        case .never: return .max
        }
    }
}

/// A moment, in nanoseconds since boot: that of `CACurrentMediaTime()` and `UITouch.timestamp`.
public struct DispatchTime: Comparable, Hashable, Sendable {
    public let uptimeNanoseconds: UInt64
    public init(uptimeNanoseconds: UInt64) { self.uptimeNanoseconds = uptimeNanoseconds }

    public static let distantFuture = DispatchTime(uptimeNanoseconds: .max)

    /// The time of the app's current turn; outside of an application the real time.
    public static func now() -> DispatchTime {
        guard let clock = ApplicationClock.current else { return DispatchTime(uptimeNanoseconds: SystemTime.uptime) }
        return DispatchTime(uptimeNanoseconds: UInt64(clamping: clock.now.nanoseconds))
    }

    public static func < (a: DispatchTime, b: DispatchTime) -> Bool { a.uptimeNanoseconds < b.uptimeNanoseconds }

    private func advanced(byNanoseconds count: Int64) -> DispatchTime {
        guard self != .distantFuture, count < .max else { return .distantFuture }
        let sum = Int64(clamping: uptimeNanoseconds).addingReportingOverflow(count)
        return sum.overflow ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(clamping: sum.partialValue))
    }

    public func advanced(by interval: DispatchTimeInterval) -> DispatchTime { advanced(byNanoseconds: interval.count) }
    public func distance(to other: DispatchTime) -> DispatchTimeInterval {
        .nanoseconds(Int(Int64(clamping: other.uptimeNanoseconds) - Int64(clamping: uptimeNanoseconds)))
    }

    public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
        time.advanced(by: interval)
    }
    public static func - (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
        interval == .never ? .distantFuture : time.advanced(byNanoseconds: -interval.count)
    }
    /// - Parameters:
    ///   - time: The earlier moment.
    ///   - seconds: The span in seconds.
    public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
        time.advanced(byNanoseconds: Int64(clamping: seconds * 1e9))
    }
    public static func - (time: DispatchTime, seconds: Double) -> DispatchTime { time + -seconds }

    /// The time from now until this moment, in nanoseconds; 0 if it has passed, and `Int64.max` for `distantFuture`.
    var delay: Int64 {
        self == .distantFuture
            ? .max
            : max(0, Int64(clamping: uptimeNanoseconds) - Int64(clamping: DispatchTime.now().uptimeNanoseconds))
    }
}

/// Whether a wait ended in time.
public enum DispatchTimeoutResult: Sendable { case success, timedOut }

/// The importance of work. It has no effect: an app's loop runs all work in order.
public struct DispatchQoS: Equatable, Sendable {
    public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }

    public let qosClass: QoSClass
    public let relativePriority: Int
    public init(qosClass: QoSClass, relativePriority: Int) {
        (self.qosClass, self.relativePriority) = (qosClass, relativePriority)
    }

    public static let background = DispatchQoS(qosClass: .background, relativePriority: 0)
    public static let utility = DispatchQoS(qosClass: .utility, relativePriority: 0)
    public static let `default` = DispatchQoS(qosClass: .default, relativePriority: 0)
    public static let userInitiated = DispatchQoS(qosClass: .userInitiated, relativePriority: 0)
    public static let userInteractive = DispatchQoS(qosClass: .userInteractive, relativePriority: 0)
    public static let unspecified = DispatchQoS(qosClass: .unspecified, relativePriority: 0)
}

/// Options of a work item. Only `barrier` is meaningful, and every block of an app's loop is one.
public struct DispatchWorkItemFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let barrier = DispatchWorkItemFlags(rawValue: 1 << 0)
    public static let detached = DispatchWorkItemFlags(rawValue: 1 << 1)
    public static let assignCurrentContext = DispatchWorkItemFlags(rawValue: 1 << 2)
    public static let noQoS = DispatchWorkItemFlags(rawValue: 1 << 3)
    public static let inheritQoS = DispatchWorkItemFlags(rawValue: 1 << 4)
    public static let enforceQoS = DispatchWorkItemFlags(rawValue: 1 << 5)
}
