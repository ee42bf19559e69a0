// TouchList.swift: touches of one app in several scans. Of a scan that only moves them, its time and its positions are stored.
//
//     TouchMoves   the touches of one scan in full │ time, positions │ time, positions │ …
//     TouchList    TouchMoves │ TouchMoves │ …    a new one begins with each scan that changes something else
//
// Input     SystemServerCore/Router and FlowControl: moves for an app; Wire: the same from bytes
// Output    AppCore: an event for each scan, or one with the others in its history
//
// Sources   invented; Docs/Decisions/SharedFrames.md

public import Basics

/// The touches of one scan, and the moves behind it: scans that differ from it in their time and their positions only.
public struct TouchMoves: Hashable, Sendable {
    /// The number of scans before these in their list. Moves at different indices of lists are therefore not equal.
    fileprivate var offset = 0
    /// The time stamp of the first scan.
    public private(set) var firstTime: Instant
    /// The touches of the first scan.
    public private(set) var contacts: [TouchContact]
    /// The time stamp of each move.
    public private(set) var times: [Instant] = []
    /// The positions of each move, one move after the other: each touch's in the order of the first scan.
    public private(set) var positions: [Point<SceneSpace>] = []

    /// - Parameter first: The first scan. Its history is not part of the moves.
    public init(_ first: TouchFrame) { (firstTime, contacts) = (first.timeStamp, first.contacts) }

    /// - Parameters:
    ///   - first: The first scan.
    ///   - times: The time stamp of each move.
    ///   - positions: As many for each move as the first scan has touches.
    package init(_ first: TouchFrame, times: [Instant], positions: [Point<SceneSpace>]) {
        precondition(positions.count == times.count * first.contacts.count, "a position for each touch of each move")
        self.init(first)
        (self.times, self.positions) = (times, positions)
    }

    /// The number of scans.
    public var count: Int { 1 + times.count }

    /// The position of a touch in a move.
    ///
    /// - Parameters:
    ///   - contact: Its index in the first scan.
    ///   - move: The index of the move, from 0.
    @inlinable
    public func position(of contact: Int, inMove move: Int) -> Point<SceneSpace> {
        positions[move * contacts.count + contact]
    }

    /// The time stamp of a scan.
    public func time(at index: Int) -> Instant { index == 0 ? firstTime : times[index - 1] }

    /// The touches of one scan.
    ///
    /// - Parameter index: 0 for the first scan, and less than `count`.
    public func frame(at index: Int) -> TouchFrame {
        guard index > 0 else { return TouchFrame(timeStamp: firstTime, contacts: contacts) }
        var frame = TouchFrame(timeStamp: times[index - 1], contacts: contacts)
        for contact in frame.contacts.indices {
            frame.contacts[contact].position = position(of: contact, inMove: index - 1)
        }
        return frame
    }

    /// The scans of a range, which must not be empty.
    package subscript(range: Range<Int>) -> TouchMoves {
        let first = frame(at: range.lowerBound)
        let moves = range.lowerBound..<range.upperBound - 1
        let indices = moves.lowerBound * contacts.count..<moves.upperBound * contacts.count
        return TouchMoves(first, times: Array(times[moves]), positions: Array(positions[indices]))
    }

    /// Reserves memory for this number of moves.
    package mutating func reserveCapacity(_ moves: Int) {
        times.reserveCapacity(moves)
        positions.reserveCapacity(moves * contacts.count)
    }

    /// Appends a scan if it is a move.
    ///
    /// - Returns: Whether the scan was appended.
    mutating func append(_ frame: borrowing TouchFrame) -> Bool {
        guard frame.contacts.matches(contacts, { $0.pointee.isMove(after: $1.pointee) }) else { return false }
        times.append(frame.timeStamp)
        for index in frame.contacts.indices { positions.append(frame.contacts[index].position) }
        return true
    }

    /// Appends other moves if their first scan is a move of these touches too.
    ///
    /// - Returns: Whether the moves were appended.
    mutating func append(_ moves: borrowing TouchMoves) -> Bool {
        guard moves.contacts.matches(contacts, { $0.pointee.isMove(after: $1.pointee) }) else { return false }
        times.append(moves.firstTime)
        for index in moves.contacts.indices { positions.append(moves.contacts[index].position) }
        times.append(contentsOf: moves.times)
        positions.append(contentsOf: moves.positions)
        return true
    }

    /// Begins a move of which the caller appends all positions then.
    package mutating func beginMove(at time: Instant) { times.append(time) }

    /// Appends the next position of the last move.
    package mutating func appendPosition(_ position: Point<SceneSpace>) { positions.append(position) }

    /// Replaces each time stamp, in order.
    fileprivate mutating func changeTimes(_ change: (Instant) -> Instant) {
        firstTime = change(firstTime)
        for index in times.indices { times[index] = change(times[index]) }
    }
}

/// The touches of one app in several scans, oldest first, without histories.
public struct TouchList: Hashable, Sendable {
    // The list is part of each frame of touches, and frames are copied at every station. Therefore it has no other property.
    /// The scans that are no moves, in order, each with the moves behind it.
    public private(set) var parts: [TouchMoves] = []

    public init() {}

    public init(_ frames: some Sequence<TouchFrame>) { for frame in frames { append(frame) } }

    /// The number of scans.
    public var count: Int { parts.last.map { $0.offset + $0.count } ?? 0 }
    public var isEmpty: Bool { parts.isEmpty }
    public var first: TouchFrame? { parts.first?.frame(at: 0) }
    public var last: TouchFrame? { parts.last.map { $0.frame(at: $0.count - 1) } }
    /// The number of contacts of all scans together.
    public var contactCount: Int { parts.reduce(0) { $0 + $1.count * $1.contacts.count } }

    /// The number of contacts that moved, in all scans together.
    public var moveCount: Int { parts.reduce(0) { $0 + $1.count * $1.contacts.count { $0.phase == .moved } } }

    /// Appends the touches of a scan, without their history.
    public mutating func append(_ frame: TouchFrame) {
        let last = parts.count - 1
        if last < 0 || !parts[last].append(frame) { add(TouchMoves(frame)) }
    }

    /// Appends the touches of a scan with the moves behind it.
    package mutating func append(_ moves: TouchMoves) {
        let last = parts.count - 1
        if last < 0 || !parts[last].append(moves) { add(moves) }
    }

    private mutating func add(_ moves: TouchMoves) {
        let before = count
        parts.append(moves)
        parts[parts.count - 1].offset = before
    }

    /// Appends the scans of another list.
    package mutating func append(contentsOf list: TouchList) {
        guard !isEmpty else { return self = list }
        for part in list.parts { append(part) }
    }

    /// The scans before an index, and those from it on.
    package func split(at index: Int) -> (before: TouchList, rest: TouchList) {
        guard index > 0 else { return (TouchList(), self) }
        guard index < count else { return (self, TouchList()) }
        var (before, rest) = (TouchList(), TouchList())
        for part in parts {
            let left = index - before.count
            if left >= part.count {
                before.append(part)
            } else if left > 0 {
                before.append(part[0..<left])
                rest.append(part[left..<part.count])
            } else {
                rest.append(part)
            }
        }
        return (before, rest)
    }

    /// Replaces each time stamp, in order.
    public mutating func changeTimes(_ change: (Instant) -> Instant) {
        for index in parts.indices { parts[index].changeTimes(change) }
    }
}

extension TouchList: Sequence, ExpressibleByArrayLiteral {
    /// Makes the touches of each scan in full.
    public struct Iterator: IteratorProtocol, Sendable {
        private let parts: [TouchMoves]
        private var (part, index) = (0, 0)
        /// The number of scans that are left.
        public private(set) var count: Int

        public init(_ touches: TouchList = TouchList()) { (parts, count) = (touches.parts, touches.count) }

        public mutating func next() -> TouchFrame? {
            guard count > 0 else { return nil }
            let frame = parts[part].frame(at: index)
            (index, count) = (index + 1, count - 1)
            if index == parts[part].count { (part, index) = (part + 1, 0) }
            return frame
        }
    }

    public init(arrayLiteral frames: TouchFrame...) { self.init(frames) }

    public func makeIterator() -> Iterator { Iterator(self) }

    public var underestimatedCount: Int { count }
}

extension TouchContact {
    /// Whether a contact differs from an earlier one in its position only.
    ///
    /// All other fields are compared. FrameCodecTests fails when the contact gets another one.
    @inline(__always)
    fileprivate borrowing func isMove(after before: borrowing TouchContact) -> Bool {
        guard phase == before.phase, touch == before.touch, tool == before.tool, isGated == before.isGated,
            majorRadius == before.majorRadius, pressure == before.pressure
        else { return false }
        return angles == before.angles
    }
}
