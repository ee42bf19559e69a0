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
import Wire

/// Frames sent that no running play waits for: of devices, and of plays that ended before the answers came.
struct Unanswered: Sendable {
    private struct Flight: Sendable {
        var sequence: UInt64
        /// Of the device's scan; 0 of a play's frame, which is older than any marker behind it.
        var ordinal: UInt64
        /// Whose scan it is; 0 of a play's frame.
        var sender: UInt64
        var sentAt: Instant
    }

    /// Oldest first.
    private var flights: [Flight] = []
    /// Flights nobody waits for any more, as too many came after them.
    private(set) var forgotten: UInt64 = 0

    /// A server that answers nothing and takes everything is not waited for beyond this.
    static let limit = 4096

    var count: Int { flights.count }

    mutating func append(_ sequence: UInt64, ordinal: UInt64 = 0, of sender: UInt64 = 0, at now: Instant) {
        if flights.count == Self.limit {
            flights.removeFirst()
            forgotten += 1
        }
        flights.append(Flight(sequence: sequence, ordinal: ordinal, sender: sender, sentAt: now))
    }

    /// A device's frames on their way. One whose receipt was lost is on its way for ever, and counts for a while.
    func count(of sender: UInt64, since moment: Instant) -> Int {
        flights.count { $0.sender == sender && $0.sentAt >= moment }
    }

    /// - Returns: Whether this frame was one of them.
    mutating func take(_ sequence: UInt64) -> Bool {
        guard let index = flights.firstIndex(where: { $0.sequence == sequence }) else { return false }
        flights.remove(at: index)
        return true
    }

    mutating func removeAll() { flights.removeAll() }

    /// See `Play.lostAnswers`.
    func lostAnswers(heard: UInt64, oldest: UInt64) -> [UInt64] {
        flights.lazy.map(\.sequence).filter { $0 <= heard && (oldest == 0 || $0 < oldest) }
    }

    func isEmpty(upTo ordinal: UInt64) -> Bool { flights.allSatisfy { $0.ordinal > ordinal } }
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
    func deadline(patience: Duration) -> Instant? {
        waiting.filter { $0.play == nil }.map { $0.progress.advanced(by: patience) }.min()
    }

    mutating func takeOverdue(at now: Instant, patience: Duration) -> [UInt32] {
        let overdue = waiting.filter { $0.play == nil && $0.progress.advanced(by: patience) <= now }.map(\.id)
        waiting.removeAll { overdue.contains($0.id) }
        return overdue
    }

    mutating func takeAll() -> [UInt32] {
        defer { waiting.removeAll() }
        return waiting.map(\.id)
    }
}
