// ScanQueue.swift: the scans of one device that wait for the server's credit.
//
// Station   device
// Input     LiveDevice, one scan at a time
// Output    scans for ScanOutlet, within the credit
// Knows     scans and their order. No link, no clock.
//
// With credit a scan is sent at once and the queue is empty. Without credit, scans of moves are merged into one, with the
// latest position of each contact. A scan in which a contact lands or lifts is never merged and never dropped. The limit
// applies to landings: a full queue accepts no landing, so that only the ends of the contacts that are down can follow.
//
// Sources   invented

import Basics
import HID

/// The waiting scans of one device.
struct ScanQueue: Sendable {
    /// One scan of a device.
    struct Scan: Sendable {
        var frame: ContactFrame
        /// The time stamp of the scan's event.
        var moment: Instant
        /// The opening of the device that reported the scan.
        var opening: Opening
        /// The number of the scan, counted over all devices. Markers wait for it.
        var ordinal: UInt64
        /// Whether a contact lands or lifts in the scan. A merged scan has no edge.
        let hasEdge: Bool

        init(frame: consuming ContactFrame, moment: Instant, opening: Opening, ordinal: UInt64) {
            hasEdge = frame.contacts.contains { $0.phase != .moved && $0.phase != .stationary }
            (self.frame, self.moment, self.opening, self.ordinal) = (frame, moment, opening, ordinal)
        }

        /// Merges a later scan into this one, if both contain the same contacts of one opening and no edge. The merged
        /// scan is the later one under this scan's number, for which a marker may wait.
        ///
        /// - Returns: Whether the scan was merged.
        mutating func merge(_ later: Scan) -> Bool {
            guard !later.hasEdge, !hasEdge, opening.number == later.opening.number,
                frame.contacts.elementsEqual(later.frame.contacts, by: { $0.id == $1.id })
            else { return false }
            for index in frame.contacts.indices {
                let hasMoved = frame.contacts[index].phase == .moved
                frame.contacts[index] = later.frame.contacts[index]
                if hasMoved { frame.contacts[index].phase = .moved }
            }
            (frame.time, frame.scanTime, moment) = (later.frame.time, later.frame.scanTime, later.moment)
            return true
        }
    }

    private var scans = Deque<Scan>()
    /// Whether a contact lands or lifts in the oldest scan; nil if no scan waits. It is stored, because each report of a
    /// waiting device asks for it, and a scan that is read in the queue is copied.
    private(set) var firstHasEdge: Bool?
    /// The number of scans that were merged into another one.
    private(set) var coalesced: UInt64 = 0

    /// The number of waiting scans from which no contact may land.
    static let limit = 128

    var count: Int { scans.count }
    var isFull: Bool { count >= Self.limit }
    /// The number of the oldest scan; nil if no scan waits.
    var firstOrdinal: UInt64? { scans.isEmpty ? nil : scans[0].ordinal }

    mutating func append(_ scan: consuming Scan) {
        let last = scans.count - 1
        if last < 0 { firstHasEdge = scan.hasEdge }
        if last >= 0, scans[last].merge(scan) { coalesced += 1 } else { scans.append(scan) }
    }

    mutating func removeFirst() -> Scan? {
        let first = scans.popFirst()
        firstHasEdge = scans.isEmpty ? nil : scans[0].hasEdge
        return first
    }

    /// Removes all scans, because the server is gone.
    mutating func removeAll() {
        scans.removeAll()
        firstHasEdge = nil
    }
}

/// One opening of a device, as its events describe it. Every scan refers to it, and none copies the description.
final class Opening: Sendable {
    /// The number of the device, until this process ends.
    let sender: UInt64
    /// The number of the opening, from 1.
    let number: UInt32
    let ranges: AxisRanges
    let description: DeviceDescription
    /// The display under the panel.
    let display: DisplayID

    init(
        sender: UInt64, number: UInt32, ranges: AxisRanges, description: DeviceDescription, display: DisplayID = 1
    ) {
        (self.sender, self.number, self.ranges) = (sender, number, ranges)
        (self.description, self.display) = (description, display)
    }
}
