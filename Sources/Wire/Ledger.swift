public import Basics

/// The times of one event, stamped once at the device and once per hop, so that the hops of one event
/// add up exactly to its end-to-end latency.
///
/// Stamps are appended in the order of `Hop` and never changed. A core appends the moment it was given the
/// frame (`…Received`); the host appends the moment the frame is handed to the socket (`…Sent`).
public struct Ledger: Hashable, Sendable {
    public enum Hop: Int, CaseIterable, Sendable {
        /// The scan was due or arrived at the device.
        case device = 0
        /// input-kit handed it to its socket.
        case inputSent
        case serverReceived
        case serverSent
        case appReceived
        /// The app had handled it to the end and handed its receipt to the socket.
        case appHandled
    }

    public private(set) var count = 0
    private var stamps: (Int64, Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0, 0)

    public init() {}
    public init(device: Instant) { append(device) }

    /// A full ledger takes no more: what happens to a receipt on its way back is not part of the event.
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

    /// Every stamp by so much: the same event by another clock. What lies between any two of them stays as it is.
    public mutating func shift(byNanoseconds count: Int64) {
        var shifted = Ledger()
        for hop in Hop.allCases {
            if let moment = self[hop] { shifted.append(moment.advanced(byNanoseconds: count)) }
        }
        self = shifted
    }

    public var isComplete: Bool { count == Hop.allCases.count }

    public static func == (a: Ledger, b: Ledger) -> Bool { a.count == b.count && a.stamps == b.stamps }
    public func hash(into hasher: inout Hasher) {
        for hop in Hop.allCases { hasher.combine(self[hop]) }
    }
}
