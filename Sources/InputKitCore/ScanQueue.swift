// ScanQueue.swift: one device's scans on their way to the server, when it cannot take them yet.
//
// Within credit a scan goes at once and the queue is empty. Without, scans in which fingers only moved become one, with
// the latest position of each; one in which a finger lands or leaves is never merged and never dropped. What is bounded
// is landings: beyond the limit none is taken, so that what can still come is an end for each finger that is down.
//
// Station   device
// Fed by    LiveDevice, one scan at a time
// Feeds     LiveDevices, as many as there is credit for
// Knows     scans and their order. No link, no clock.

import Basics
import HID

struct ScanQueue: Sendable {
    struct Scan: Sendable {
        var frame: ContactFrame
        /// Its event's time stamp.
        var moment: Instant
        /// Which opening of the device it is of.
        var opening: Opening
        /// Counts up over all devices: what a marker waits for.
        var ordinal: UInt64

        var hasEdge: Bool {
            frame.contacts.contains { $0.phase != .moved && $0.phase != .stationary }
        }
    }

    private var scans = Deque<Scan>()
    /// Scans that became part of another.
    private(set) var coalesced: UInt64 = 0

    /// Scans waiting beyond which no finger may land.
    static let limit = 128

    var count: Int { scans.count }
    var isFull: Bool { count >= Self.limit }
    /// Whether a finger lands or leaves in the oldest that waits; nil when none does.
    var firstHasEdge: Bool? { scans.first?.hasEdge }
    /// Of the oldest that waits.
    var firstOrdinal: UInt64? { scans.first?.ordinal }

    mutating func append(_ scan: Scan) {
        let last = scans.count - 1
        guard last >= 0, !scan.hasEdge, !scans[last].hasEdge, scans[last].opening.number == scan.opening.number,
            scans[last].frame.contacts.map(\.id) == scan.frame.contacts.map(\.id)
        else {
            scans.append(scan)
            return
        }
        coalesced += 1
        var merged = scan
        for index in merged.frame.contacts.indices where scans[last].frame.contacts[index].phase == .moved {
            merged.frame.contacts[index].phase = .moved
        }
        // Whoever waits for the older one waits for this.
        merged.ordinal = scans[last].ordinal
        scans[last] = merged
    }

    mutating func removeFirst() -> Scan? { scans.popFirst() }

    /// Nobody is left to hear of them.
    mutating func removeAll() { scans.removeAll() }
}

/// One opening of a device, as its events name it.
struct Opening: Hashable, Sendable {
    /// Which device, for as long as this process lives.
    var sender: UInt64
    /// How often it has been opened.
    var number: UInt32
    var ranges: AxisRanges
    var description: DeviceDescription
    /// Over which it lies.
    var display: DisplayID = 1
}
