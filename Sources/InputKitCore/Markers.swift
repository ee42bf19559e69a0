// Markers.swift: markers, which are reported when everything before them was handled.
//
// Station   device
// Input     InputKitCore: orders, receipts, the ends of plays
// Output    the markers that are due, to InputKitCore
// Knows     numbers of orders and scans. No frame, no link.
//
// A marker is reached when two conditions hold. The play that ran when it was ordered has ended, and all scans that
// devices had reported by then were sent and answered. Its report is its only effect: it plays nothing.
//
// Sources   invented

import Basics
import Hosting
import Links
import Wire

/// Outstanding frames of live devices and of plays that have ended.
struct Unanswered: Sendable {
    /// What is stored about a frame.
    struct Note: Sendable {
        /// The number of the device's scan; 0 for a frame of a play and for a state frame, for which every marker waits.
        let ordinal: UInt64
        /// The device; 0 for a frame of a play and for a state frame.
        let sender: UInt64
        let sentAt: Instant
    }

    private(set) var frames = Outstanding<Note>()
    /// Frames that were removed without a receipt, because too many followed them.
    private(set) var forgotten: UInt64 = 0

    /// The number of frames that are kept for a server that acknowledges frames and sends no receipts.
    static let limit = 4096

    var count: Int { frames.count }

    mutating func append(_ sequence: SequenceNumber, ordinal: UInt64 = 0, of sender: UInt64 = 0, at now: Instant) {
        if frames.count == Self.limit {
            _ = frames.removeFirst()
            forgotten += 1
        }
        frames.append(sequence, Note(ordinal: ordinal, sender: sender, sentAt: now))
    }

    /// Counts the outstanding frames of a device that were sent at `moment` or later. A frame whose receipt was lost
    /// stays outstanding, and counts until it is older than that.
    func count(of sender: UInt64, since moment: Instant) -> Int {
        frames.entries.count { $0.note.sender == sender && $0.note.sentAt >= moment }
    }

    /// - Returns: Whether the frame was outstanding.
    mutating func remove(_ sequence: SequenceNumber) -> Bool { frames.remove(sequence) != nil }

    mutating func removeAll() { frames.removeAll() }

    /// Whether no outstanding frame has this number or a lower one.
    func isEmpty(upTo ordinal: UInt64) -> Bool { frames.entries.allSatisfy { $0.note.ordinal > ordinal } }
}

/// The markers that wait.
struct Markers: Sendable {
    private struct Marker: Sendable {
        var id: UInt32
        /// The play that ran when the marker was ordered; nil if there was none, or once it has ended.
        var play: UInt32?
        /// The number of the last scan of any device at the time of the order.
        var ordinal: UInt64
        /// The time of the order, or of the last receipt since.
        var progress: Instant
    }

    /// In the order of their arrival.
    private var waiting: [Marker] = []
    private var armed: Instant?

    /// The number of markers that may wait at once. A controller that orders more is at fault.
    static let limit = 64

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// - Returns: False if too many markers wait.
    mutating func append(_ id: UInt32, behind play: UInt32?, ordinal: UInt64, at now: Instant) -> Bool {
        guard waiting.count < Self.limit else { return false }
        waiting.append(Marker(id: id, play: play, ordinal: ordinal, progress: now))
        return true
    }

    /// - Returns: Whether the marker waited.
    mutating func remove(_ id: UInt32) -> Bool {
        let count = waiting.count
        waiting.removeAll { $0.id == id }
        return waiting.count < count
    }

    /// Records the end of a play, for which markers may wait.
    mutating func playEnded(_ id: UInt32, at now: Instant) {
        for index in waiting.indices where waiting[index].play == id {
            (waiting[index].play, waiting[index].progress) = (nil, now)
        }
    }

    /// Records a receipt, which postpones the deadlines of all markers.
    mutating func receiptArrived(at now: Instant) { for index in waiting.indices { waiting[index].progress = now } }

    /// Removes the markers that are reached, and returns their numbers.
    mutating func removeReached(_ isAnswered: (UInt64) -> Bool) -> [UInt32] {
        guard !waiting.isEmpty else { return [] }
        let reached = waiting.filter { $0.play == nil && isAnswered($0.ordinal) }.map(\.id)
        waiting.removeAll { reached.contains($0.id) }
        return reached
    }

    /// The time at which the first marker has waited too long without a receipt. A marker behind a play is not counted,
    /// because the play has its own deadline.
    private func deadline(waitLimit: Duration) -> Instant? {
        waiting.filter { $0.play == nil }.map { $0.progress.advanced(by: waitLimit) }.min()
    }

    /// Arms the timer of the next overdue marker, if no timer is armed.
    mutating func arm(waitLimit: Duration, into outbox: inout Outbox) {
        guard armed == nil, let deadline = deadline(waitLimit: waitLimit) else { return }
        armed = deadline
        outbox.append(.arm(InputKitCore.Timer.markers, at: deadline))
    }

    /// Handles the timer: removes the markers that have waited too long, and returns their numbers.
    mutating func removeOverdue(at now: Instant, waitLimit: Duration) -> [UInt32] {
        armed = nil
        let overdue = waiting.filter { $0.play == nil && $0.progress.advanced(by: waitLimit) <= now }.map(\.id)
        waiting.removeAll { overdue.contains($0.id) }
        return overdue
    }

    /// Removes all markers, and returns their numbers.
    mutating func removeAll() -> [UInt32] {
        defer { waiting.removeAll() }
        return waiting.map(\.id)
    }
}
