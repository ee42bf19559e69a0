// Tally.swift: what became of each frame that asks for a receipt, on one stream.
//
//     sent ──▶ under way ──arrives──▶ held ──its receipt is sent──▶ delivered, coalesced, dropped
//                 │ link loses it        │ who holds it ends, or its link
//                 ▼                      ▼
//           dropped, rejected        cancelled
//
// A frame is known by its place in the stream. Those that are over leave at the front; what a link has lost without
// anybody's knowing is given up when thousands have come after it.
//
// Sources   Docs/Spec/Pipeline.md section 3, I4

import Basics
import Hosting
import Wire

struct Tally: Sendable {
    enum State: UInt8, Sendable {
        /// No question: a hello, a change of life.
        case none
        case underWay
        case held
        /// It arrived after one that was sent later: its receiver may take it or leave it.
        case late
        /// A link has lost it; it may yet turn out to have come by another copy.
        case lost
        case over
    }

    struct Entry: Sendable {
        var state = State.none
        /// Whether nothing begins or ends in it, and whether it speaks of touches.
        var isMove = false
        var isTouches = false
        /// Whether it had been counted as lost when it came.
        var cameAfterAll = false
        /// Whether it waited for its receiver's window.
        var hasWaited = false
        /// Touches that begin and end in it: as they were told, and once it was heard, as its receiver knows them.
        var began: UInt8 = 0
        var ended: UInt8 = 0
        var step: UInt32 = 0
        var at = Instant.boot
        /// Its ledger's first stamp: a receipt brings it back.
        var stamp: Instant?
        /// Of a scan that was routed: how many have yet to answer, and what they have said so far.
        var isExpected = false
        var parts: UInt8 = 0
        var answer = Receipt(frame: .zero, outcome: .dropped)
    }

    /// The sequence number of the first entry.
    private var base = SequenceNumber.zero.next
    private var entries: [Entry] = []
    private var head = 0
    private var newestArrived = SequenceNumber.zero
    private(set) var open = 0
    /// Of those that have arrived and are not over: in which nothing begins or ends.
    private(set) var heldMoves = 0
    /// And all, but for those that came late.
    private(set) var held = 0

    /// Behind the newest, further than any reordering goes.
    static let horizon = 4096

    var newest: SequenceNumber { base.advanced(by: UInt64(entries.count - head)).previous }

    /// The next frame of the stream. A hole before it is for the verifier to name.
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
        guard let place = place(of: sequence) else { return nil }
        return entries[place]
    }

    private func place(of sequence: SequenceNumber) -> Int? {
        guard sequence >= base, sequence <= newest else { return nil }
        return head + Int(sequence.distance(from: base))
    }

    /// - Returns: Whether it is the first copy that arrives.
    mutating func arrived(_ sequence: SequenceNumber) -> Bool {
        guard let place = place(of: sequence) else { return false }
        defer { newestArrived = max(newestArrived, sequence) }
        switch entries[place].state {
        case .underWay:
            entries[place].state = sequence < newestArrived ? .late : .held
            if entries[place].state == .held { held += 1 }
            if entries[place].isMove { heldMoves += 1 }
            return true
        case .lost:
            open += 1
            (entries[place].state, entries[place].cameAfterAll) = (.late, true)
            if entries[place].isMove { heldMoves += 1 }
            return true
        case .none, .held, .late, .over: return false
        }
    }

    /// It is over.
    ///
    /// - Returns: What it was; nil when it was over before, or never sent.
    mutating func close(_ sequence: SequenceNumber, as state: State = .over) -> Entry? {
        guard let place = place(of: sequence) else { return nil }
        let entry = entries[place]
        switch entry.state {
        case .none, .over: return nil
        case .lost:
            guard state == .over else { return nil }
        case .held, .late:
            // It has come, so what was lost was a copy.
            guard state == .over else { return nil }
            leaves(entry)
        case .underWay: leaves(entry)
        }
        entries[place].state = state
        trim()
        return entry
    }

    private mutating func trim() {
        while head < entries.count {
            switch entries[head].state {
            case .none, .over: break
            // A copy of it may still be on its way, though not for ever.
            case .lost where entries.count - head > Self.horizon: break
            case .lost, .underWay, .held, .late: return leave()
            }
            head += 1
            base = base.next
        }
        leave()
    }

    private mutating func leave() {
        guard head >= 1024, head * 2 >= entries.count else { return }
        entries.removeFirst(head)
        head = 0
    }

    /// The oldest, if thousands have come after it.
    mutating func overdue() -> SequenceNumber? {
        // What is known to be lost has been counted, and no copy of it comes any more.
        trim()
        return entries.count - head > Self.horizon ? base : nil
    }

    /// The oldest there is.
    var oldest: Entry? { head < entries.count ? entries[head] : nil }

    /// The oldest that is not over though thousands have come after it.
    mutating func takeOverdue() -> (sequence: SequenceNumber, entry: Entry)? {
        guard let sequence = overdue() else { return nil }
        guard let entry = close(sequence) else {
            trim()
            return nil
        }
        return (sequence, entry)
    }

    /// All before this one that are not over, oldest first; they are now.
    mutating func closeAll(before sequence: SequenceNumber = .max, _ body: (Entry) -> Void) {
        let last = sequence > newest ? entries.count : head + Int(max(sequence, base).distance(from: base))
        for place in head..<last {
            let entry = entries[place]
            entries[place].state = .over
            switch entry.state {
            case .underWay, .held, .late: body(entry)
            case .none, .lost, .over: continue
            }
            leaves(entry)
        }
        trim()
    }

    private mutating func leaves(_ entry: Entry) {
        open -= 1
        if entry.isMove, entry.state != .underWay { heldMoves -= 1 }
        if entry.state == .held { held -= 1 }
    }

    // MARK: Answers

    /// What of it is new to its receiver.
    mutating func hear(_ sequence: SequenceNumber, began: UInt8, ended: UInt8) {
        guard let place = place(of: sequence) else { return }
        (entries[place].began, entries[place].ended) = (began, ended)
    }

    /// It goes to so many, and what they say is added to this.
    mutating func expect(_ sequence: SequenceNumber, _ answer: Receipt, parts: Int) {
        guard let place = place(of: sequence), entries[place].state == .held else { return }
        entries[place].isExpected = true
        entries[place].parts = UInt8(clamping: parts)
        entries[place].answer = answer
    }

    /// One of them has answered.
    mutating func settle(_ sequence: SequenceNumber, _ part: Receipt) {
        guard let place = place(of: sequence), entries[place].parts > 0 else { return }
        entries[place].parts -= 1
        entries[place].answer.join(part)
    }

    /// Those that are not over, oldest first.
    var openEntries: [(sequence: SequenceNumber, entry: Entry)] {
        (head..<entries.count).compactMap { place in
            switch entries[place].state {
            case .underWay, .held, .late: (base.advanced(by: UInt64(place - head)), entries[place])
            case .none, .lost, .over: nil
            }
        }
    }

    /// Whether a later one has arrived, so that this one never will in order.
    func isOvertaken(_ sequence: SequenceNumber) -> Bool { sequence < newestArrived }
}
