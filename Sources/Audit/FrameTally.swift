// FrameTally.swift: the state of each frame that asks for a receipt, in one stream.
//
//     sent ──▶ under way ──arrives──▶ held ──its receipt is sent──▶ delivered, coalesced, dropped
//                 │ link loses it        │ its holder ends, or the holder's link
//                 ▼                      ▼
//           dropped, rejected        cancelled
//
// Input     Audit, for each frame sent, received, lost or answered
// Output    the fates in the report; law I4
// Knows     sequence numbers. No content.
//
// Closed entries are removed at the front. A frame that a link lost without a record is closed when thousands of later
// frames have been sent.
//
// Sources   Docs/Spec/Pipeline.md section 3, I4

import Basics
import Hosting
import Wire

/// The frames of one stream, by sequence number.
struct FrameTally: Sendable {
    /// The state of a frame.
    enum State: UInt8, Sendable {
        /// The frame asks for no receipt: a hello, a change of the life cycle.
        case none
        case inTransit
        case held
        /// The frame arrived after a later one. Its receiver may handle or refuse it.
        case late
        /// A link lost the frame. A copy of it may still arrive.
        case lost
        case over
    }

    /// One frame.
    struct Entry: Sendable {
        var state = State.none
        /// Whether no touch begins or ends in the frame, and whether it is about touches.
        var isMove = false
        var isTouches = false
        /// Whether the frame arrived after it had been counted as lost.
        var arrivedAfterLoss = false
        /// Whether the frame waited for its receiver's credit window.
        var hasWaited = false
        /// The touches that begin and end in the frame: as sent, and after its arrival as the receiver has to handle
        /// them.
        var began: UInt8 = 0
        var ended: UInt8 = 0
        var step: UInt32 = 0
        var at = Instant.boot
        /// The first stamp of the ledger; the receipt returns it.
        var stamp: Instant?
        /// For a routed scan: the number of recipients that have not answered, and the sum of the answers so far.
        var isExpected = false
        var outstandingRecipients: UInt32 = 0
        var answer = Receipt(frame: .zero, outcome: .dropped)
    }

    /// The sequence number of the first entry.
    private var base = SequenceNumber.zero.next
    private var entries: [Entry] = []
    private var head = 0
    private var newestArrived = SequenceNumber.zero
    private(set) var open = 0
    /// The number of arrived open frames in which no touch begins or ends.
    private(set) var heldMoves = 0
    /// The number of all arrived open frames, except those that came late.
    private(set) var held = 0

    /// The distance from the newest frame beyond which no reordering reaches.
    static let horizon = 4096

    var newest: SequenceNumber { base.advanced(by: UInt64(entries.count - head)).previous }

    /// Appends the next frame of the stream. `StreamVerifier` reports gaps.
    mutating func append(_ sequence: SequenceNumber, _ entry: Entry) {
        guard sequence >= base else { return }
        while newest.next < sequence, sequence.distance(from: newest) < UInt64(Self.horizon) { entries.append(Entry()) }
        if newest.next < sequence {
            entries.removeAll(keepingCapacity: true)
            (head, open, heldMoves, held, base) = (0, 0, 0, 0, sequence)
        }
        guard newest.next == sequence else { return }
        entries.append(entry)
        if entry.state != .none { open += 1 }
    }

    subscript(sequence: SequenceNumber) -> Entry? {
        guard let index = index(of: sequence) else { return nil }
        return entries[index]
    }

    private func index(of sequence: SequenceNumber) -> Int? {
        guard sequence >= base, sequence <= newest else { return nil }
        return head + Int(sequence.distance(from: base))
    }

    /// - Returns: Whether this is the first copy of the frame that arrives.
    mutating func arrived(_ sequence: SequenceNumber) -> Bool {
        guard let index = index(of: sequence) else { return false }
        defer { newestArrived = max(newestArrived, sequence) }
        switch entries[index].state {
        case .inTransit:
            entries[index].state = sequence < newestArrived ? .late : .held
            if entries[index].state == .held { held += 1 }
            if entries[index].isMove { heldMoves += 1 }
            return true
        case .lost:
            open += 1
            (entries[index].state, entries[index].arrivedAfterLoss) = (.late, true)
            if entries[index].isMove { heldMoves += 1 }
            return true
        case .none, .held, .late, .over: return false
        }
    }

    /// Closes a frame.
    ///
    /// - Returns: The entry before; nil if it was closed before or never sent.
    mutating func close(_ sequence: SequenceNumber, as state: State = .over) -> Entry? {
        guard let index = index(of: sequence) else { return nil }
        let entry = entries[index]
        switch entry.state {
        case .none, .over: return nil
        case .lost:
            guard state == .over else { return nil }
        case .held, .late:
            // The frame has arrived, so the loss is that of a copy.
            guard state == .over else { return nil }
            countClosed(entry)
        case .inTransit: countClosed(entry)
        }
        entries[index].state = state
        trim()
        return entry
    }

    private mutating func trim() {
        while head < entries.count {
            switch entries[head].state {
            case .none, .over: break
            // A copy of the frame may still be in transit, but not for ever.
            case .lost where entries.count - head > Self.horizon: break
            case .lost, .inTransit, .held, .late: return compact()
            }
            head += 1
            base = base.next
        }
        compact()
    }

    private mutating func compact() {
        guard head >= 1024, head * 2 >= entries.count else { return }
        entries.removeFirst(head)
        head = 0
    }

    /// Returns the oldest open frame, if thousands of later frames were sent.
    mutating func overdue() -> SequenceNumber? {
        // A frame that is known to be lost has been counted, and no copy of it arrives any more.
        trim()
        return entries.count - head > Self.horizon ? base : nil
    }

    /// The oldest entry.
    var oldest: Entry? { head < entries.count ? entries[head] : nil }

    /// Closes and returns the oldest open frame, if thousands of later frames were sent.
    mutating func removeOverdue() -> (sequence: SequenceNumber, entry: Entry)? {
        guard let sequence = overdue() else { return nil }
        guard let entry = close(sequence) else {
            trim()
            return nil
        }
        return (sequence, entry)
    }

    /// Closes all open frames before a number and passes each to the closure, oldest first.
    mutating func closeAll(before sequence: SequenceNumber = .max, _ body: (Entry) -> Void) {
        let last = sequence > newest ? entries.count : head + Int(max(sequence, base).distance(from: base))
        for index in head..<last {
            let entry = entries[index]
            entries[index].state = .over
            switch entry.state {
            case .inTransit, .held, .late: body(entry)
            case .none, .lost, .over: continue
            }
            countClosed(entry)
        }
        trim()
    }

    private mutating func countClosed(_ entry: Entry) {
        open -= 1
        if entry.isMove, entry.state != .inTransit { heldMoves -= 1 }
        if entry.state == .held { held -= 1 }
    }

    // MARK: Recipients

    /// Sets the beginnings and ends that the receiver has to handle.
    mutating func setHandled(_ sequence: SequenceNumber, began: UInt8, ended: UInt8) {
        guard let index = index(of: sequence) else { return }
        (entries[index].began, entries[index].ended) = (began, ended)
    }

    /// Records the number of recipients of a scan, and the receipt to which their answers are added.
    mutating func expect(_ sequence: SequenceNumber, _ answer: Receipt, parts: Int) {
        guard let index = index(of: sequence), entries[index].state == .held else { return }
        entries[index].isExpected = true
        entries[index].outstandingRecipients = UInt32(clamping: parts)
        entries[index].answer = answer
    }

    /// Adds the recipients of one scan to those of a frame of several scans, and what the server itself answers for it.
    mutating func expectMore(_ sequence: SequenceNumber, _ answer: Receipt, parts: Int) {
        guard let index = index(of: sequence), entries[index].state == .held else { return }
        entries[index].outstandingRecipients += UInt32(clamping: parts)
        entries[index].answer.takenByMonitor &+= answer.takenByMonitor
        entries[index].answer.takenBySystem &+= answer.takenBySystem
        if parts == 0 { entries[index].answer.join(answer) }
    }

    /// Adds the answer of one recipient.
    mutating func settle(_ sequence: SequenceNumber, _ part: Receipt) {
        guard let index = index(of: sequence), entries[index].outstandingRecipients > 0 else { return }
        entries[index].outstandingRecipients -= 1
        entries[index].answer.join(part)
    }

    /// The open frames, oldest first.
    var openEntries: [(sequence: SequenceNumber, entry: Entry)] {
        (head..<entries.count).compactMap { index in
            switch entries[index].state {
            case .inTransit, .held, .late: (base.advanced(by: UInt64(index - head)), entries[index])
            case .none, .lost, .over: nil
            }
        }
    }

    /// Whether a later frame has arrived, so that this one cannot arrive in order any more.
    func isOvertaken(_ sequence: SequenceNumber) -> Bool { sequence < newestArrived }
}
