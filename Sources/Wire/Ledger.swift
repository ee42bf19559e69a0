// Ledger.swift: the times at which one event passed each process.
//
// Input     hosts and cores, once at each hop
// Output    receipts, `measured`, the latencies of `touchline bench`
// Knows     moments. No event.
//
// Sources   invented

public import Basics

/// The times of one event: one stamp at the device and one per hop. The hops of one event add up exactly to its
/// end-to-end latency.
///
/// Stamps are appended in the order of `Hop` and never changed. A core appends the moment at which it received the
/// frame (`…Received`). The host appends the moment at which it hands the frame to the socket (`…Sent`).
public struct Ledger: Hashable, Sendable {
    /// A point on the way of an event that is stamped.
    public enum Hop: Int, CaseIterable, Sendable {
        /// The scan was due, or it arrived at the device.
        case device = 0
        /// input-kit handed the event to its socket.
        case inputSent
        case serverReceived
        case serverSent
        case appReceived
        /// The app had finished the event and handed its receipt to the socket.
        case appHandled
    }

    public private(set) var count = 0
    private var stamps: (Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0)

    public init() {}
    public init(device: Instant) { append(device) }

    /// Makes a ledger of stamps.
    ///
    /// - Parameters:
    ///   - count: The number of stamps, at most six.
    ///   - moments: The stamps. The values behind the first `count` are not used.
    @inline(__always)
    init(count: Int, _ moments: (Instant, Instant, Instant, Instant, Instant, Instant)) {
        func stamp(_ index: Int, _ moment: Instant) -> Int64 { index < count ? moment.nanoseconds : 0 }
        precondition(count <= 6, "a ledger has \(count) stamps, and at most 6 are possible")
        self.count = count
        stamps = (
            stamp(0, moments.0), stamp(1, moments.1), stamp(2, moments.2), stamp(3, moments.3), stamp(4, moments.4),
            stamp(5, moments.5)
        )
    }

    /// Appends the stamp of the next hop. A full ledger stays as it is, because the way of the receipt is not part of
    /// the event.
    public mutating func append(_ moment: Instant) {
        switch count {
        case 0: stamps.0 = moment.nanoseconds
        case 1: stamps.1 = moment.nanoseconds
        case 2: stamps.2 = moment.nanoseconds
        case 3: stamps.3 = moment.nanoseconds
        case 4: stamps.4 = moment.nanoseconds
        case 5: stamps.5 = moment.nanoseconds
        default: return
        }
        count += 1
    }

    @inline(__always)
    public subscript(hop: Hop) -> Instant? {
        guard hop.rawValue < count else { return nil }
        return switch hop {
        case .device: Instant(nanoseconds: stamps.0)
        case .inputSent: Instant(nanoseconds: stamps.1)
        case .serverReceived: Instant(nanoseconds: stamps.2)
        case .serverSent: Instant(nanoseconds: stamps.3)
        case .appReceived: Instant(nanoseconds: stamps.4)
        case .appHandled: Instant(nanoseconds: stamps.5)
        }
    }

    /// Moves every stamp by the same amount, into the time of another clock. The intervals between stamps do not
    /// change.
    public mutating func shift(byNanoseconds count: Int64) {
        var shifted = Ledger()
        for hop in Hop.allCases {
            if let moment = self[hop] { shifted.append(moment.advanced(byNanoseconds: count)) }
        }
        self = shifted
    }

    public var isComplete: Bool { count == Hop.allCases.count }

    /// Whether no stamp is earlier than the one before it.
    public var isAscending: Bool {
        (count < 2 || stamps.0 <= stamps.1) && (count < 3 || stamps.1 <= stamps.2)
            && (count < 4 || stamps.2 <= stamps.3)
            && (count < 5 || stamps.3 <= stamps.4) && (count < 6 || stamps.4 <= stamps.5)
    }

    public static func == (a: Ledger, b: Ledger) -> Bool { a.count == b.count && a.stamps == b.stamps }
    public func hash(into hasher: inout Hasher) {
        for hop in Hop.allCases { hasher.combine(self[hop]) }
    }
}
