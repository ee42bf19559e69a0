// Markers.swift: who waits for everything before them to have been handled.
//
// A marker is over when the play that ran when it was ordered is over, and when all that devices had said by then has
// been sent and answered. It says so by a report of its own, and plays nothing.
//
// Station   device
// Fed by    InputKitCore: orders, receipts, the ends of plays
// Feeds     InputKitCore: which reports are due
// Knows     numbers of orders and scans. No frame, no link.
//
// Sources   invented

import Basics
import Hosting
import Links
import Wire

/// Frames of live devices and of plays that ended, without a receipt.
struct Unanswered: Sendable {
    struct Note: Sendable {
        /// Of the device's scan; 0 for a play's frame, which is older than every marker behind it.
        let ordinal: UInt64
        /// The device; 0 for a play's frame.
        let sender: UInt64
        let sentAt: Instant
    }

    private(set) var frames = Outstanding<Note>()
    /// Frames removed without a receipt, because too many followed them.
    private(set) var forgotten: UInt64 = 0

    /// Frames kept of a server that acknowledges frames and sends no receipts.
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
    /// stays outstanding, and counts until then.
    func count(of sender: UInt64, since moment: Instant) -> Int {
        frames.entries.count { $0.note.sender == sender && $0.note.sentAt >= moment }
    }

    /// - Returns: Whether the frame was outstanding.
    mutating func remove(_ sequence: SequenceNumber) -> Bool { frames.remove(sequence) != nil }

    mutating func removeAll() { frames.removeAll() }

    func isEmpty(upTo ordinal: UInt64) -> Bool { frames.entries.allSatisfy { $0.note.ordinal > ordinal } }
}

struct Markers: Sendable {
    private struct Marker: Sendable {
        var id: UInt32
        /// The play that ran when it was ordered; nil when none did, or once it is over.
        var play: UInt32?
        /// Of the last scan any device had by then.
        var ordinal: UInt64
        /// When it was ordered, or when anything was answered since.
        var progress: Instant
    }

    /// In the order they came.
    private var waiting: [Marker] = []
    private var armed: Instant?

    /// Markers that wait at once: whoever orders more has lost count.
    static let limit = 64

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// - Returns: False when there is no room.
    mutating func append(_ id: UInt32, behind play: UInt32?, ordinal: UInt64, at now: Instant) -> Bool {
        guard waiting.count < Self.limit else { return false }
        waiting.append(Marker(id: id, play: play, ordinal: ordinal, progress: now))
        return true
    }

    /// - Returns: Whether there was one.
    mutating func remove(_ id: UInt32) -> Bool {
        let count = waiting.count
        waiting.removeAll { $0.id == id }
        return waiting.count < count
    }

    mutating func playEnded(_ id: UInt32, at now: Instant) {
        for index in waiting.indices where waiting[index].play == id {
            (waiting[index].play, waiting[index].progress) = (nil, now)
        }
    }

    mutating func heard(at now: Instant) { for index in waiting.indices { waiting[index].progress = now } }

    /// Takes out those that are over.
    mutating func takeReached(_ isAnswered: (UInt64) -> Bool) -> [UInt32] {
        guard !waiting.isEmpty else { return [] }
        let reached = waiting.filter { $0.play == nil && isAnswered($0.ordinal) }.map(\.id)
        waiting.removeAll { reached.contains($0.id) }
        return reached
    }

    /// When the first of them has waited for so long without anything being answered. A play has a patience of its own.
    private func deadline(patience: Duration) -> Instant? {
        waiting.filter { $0.play == nil }.map { $0.progress.advanced(by: patience) }.min()
    }

    /// Arms the timer of the next overdue marker, if no timer is armed.
    mutating func arm(patience: Duration, into outbox: inout Outbox) {
        guard armed == nil, let deadline = deadline(patience: patience) else { return }
        armed = deadline
        outbox.append(.arm(InputKitCore.Timer.markers, at: deadline))
    }

    /// The timer has fired: takes out the markers that have waited too long.
    mutating func takeOverdue(at now: Instant, patience: Duration) -> [UInt32] {
        armed = nil
        let overdue = waiting.filter { $0.play == nil && $0.progress.advanced(by: patience) <= now }.map(\.id)
        waiting.removeAll { overdue.contains($0.id) }
        return overdue
    }

    mutating func takeAll() -> [UInt32] {
        defer { waiting.removeAll() }
        return waiting.map(\.id)
    }
}
