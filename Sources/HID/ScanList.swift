// ScanList.swift: scans of one frame. Of a scan that only moves fingers, its time and its positions are stored.
//
//     ScanMoves   one scan in full │ time, positions │ time, positions │ …
//     ScanList    ScanMoves │ ScanMoves │ …    a new one begins with each scan that changes something else
//
// Input     InputKitCore: the scans of a shared frame; FrameAssembler: moves; Wire: the same from bytes
// Output    SystemServerCore/Router: a loop over times and positions; others: each scan in full
//
// Sources   invented; Docs/Decisions/SharedFrames.md

public import Basics

/// A scan, and the moves behind it: scans that differ from it in their time and their positions only.
public struct ScanMoves: Hashable, Sendable {
    /// The first scan, in full.
    public private(set) var first: HIDEvent
    /// The time stamp of each move.
    public private(set) var times: [Instant] = []
    /// The device's own clock at each move; empty if the first scan has none.
    package private(set) var ticks: [UInt32] = []
    /// The positions of each move, one move after the other: the hand's, then each finger's in the order of the first scan.
    public private(set) var positions: [Point<DigitizerSpace>] = []

    public init(_ first: HIDEvent) { self.first = first }

    /// The number of scans.
    public var count: Int { 1 + times.count }
    /// The number of positions of each move.
    @inlinable
    var positionsPerMove: Int { 1 + first.fingers.count }

    /// The position of the hand in a move.
    @inlinable
    public func handPosition(inMove move: Int) -> Point<DigitizerSpace> { positions[move * positionsPerMove] }

    /// The position of a finger in a move.
    ///
    /// - Parameters:
    ///   - finger: Its index in the first scan.
    ///   - move: The index of the move, from 0.
    @inlinable
    public func position(ofFinger finger: Int, inMove move: Int) -> Point<DigitizerSpace> {
        positions[move * positionsPerMove + 1 + finger]
    }

    /// The time stamp of a scan.
    package func time(at index: Int) -> Instant { index == 0 ? first.timeStamp : times[index - 1] }

    /// A scan in full.
    ///
    /// - Parameter index: 0 for the first scan, and less than `count`.
    public func scan(at index: Int) -> HIDEvent {
        guard index > 0 else { return first }
        var scan = first
        let move = index - 1
        scan.timeStamp = times[move]
        if !ticks.isEmpty { scan.scanTime?.ticks = ticks[move] }
        scan.hand.position = handPosition(inMove: move)
        for finger in scan.fingers.indices { scan.fingers[finger].position = position(ofFinger: finger, inMove: move) }
        return scan
    }

    /// Reserves memory for this number of moves.
    package mutating func reserveCapacity(_ moves: Int) {
        times.reserveCapacity(moves)
        if first.scanTime != nil { ticks.reserveCapacity(moves) }
        positions.reserveCapacity(moves * positionsPerMove)
    }

    /// Appends a scan if it is a move.
    ///
    /// - Returns: Whether the scan was appended.
    mutating func append(_ scan: borrowing HIDEvent) -> Bool {
        guard scan.isMove(after: first) else { return false }
        beginMove(at: scan.timeStamp, ticks: scan.scanTime?.ticks)
        appendPosition(scan.hand.position)
        for finger in scan.fingers.indices { appendPosition(scan.fingers[finger].position) }
        return true
    }

    /// Begins a move of which the caller appends all positions then.
    ///
    /// - Parameters:
    ///   - time: The time stamp.
    ///   - ticks: The device's own clock; nil if the first scan has none.
    package mutating func beginMove(at time: Instant, ticks: UInt32?) {
        times.append(time)
        if let ticks { self.ticks.append(ticks) }
    }

    /// Appends the next position of the last move.
    package mutating func appendPosition(_ position: Point<DigitizerSpace>) { positions.append(position) }

    /// Changes the position of the hand in the last move, of which all positions were appended.
    mutating func moveHand(to position: Point<DigitizerSpace>) {
        positions[positions.count - positionsPerMove] = position
    }
}

/// Scans, oldest first.
public struct ScanList: Hashable, Sendable {
    /// The scans that are no moves, in order, each with the moves behind it.
    public private(set) var parts: [ScanMoves] = []
    /// The number of scans.
    public private(set) var count = 0

    public init() {}

    public init(_ scans: some Sequence<HIDEvent>) { for scan in scans { append(scan) } }

    public var isEmpty: Bool { parts.isEmpty }
    public var first: HIDEvent? { parts.first?.first }

    /// Appends a scan.
    public mutating func append(_ scan: borrowing HIDEvent) {
        let last = parts.count - 1
        if last < 0 || !parts[last].append(scan) { parts.append(ScanMoves(copy scan)) }
        count += 1
    }

    /// Appends a move to the last part.
    ///
    /// - Parameter append: Appends one move and returns true, or changes nothing and returns false.
    /// - Returns: Whether a move was appended.
    mutating func appendMove(_ append: (inout ScanMoves) -> Bool) -> Bool {
        guard !parts.isEmpty, append(&parts[parts.count - 1]) else { return false }
        count += 1
        return true
    }

    /// Appends a scan with the moves behind it.
    package mutating func append(_ moves: consuming ScanMoves) {
        let last = parts.count - 1
        if last >= 0, moves.first.isMove(after: parts[last].first) {
            for index in 0..<moves.count { _ = parts[last].append(moves.scan(at: index)) }
            count += moves.count
        } else {
            count += moves.count
            parts.append(moves)
        }
    }

    /// Reserves memory for the moves in the last part.
    ///
    /// - Parameter moves: The number of moves that the part will have.
    package mutating func reserveCapacity(_ moves: Int) {
        if !parts.isEmpty { parts[parts.count - 1].reserveCapacity(moves) }
    }
}

extension ScanList: Sequence, ExpressibleByArrayLiteral {
    /// Makes each scan in full.
    public struct Iterator: IteratorProtocol {
        private let parts: [ScanMoves]
        private var (part, index) = (0, 0)

        init(_ scans: ScanList) { parts = scans.parts }

        public mutating func next() -> HIDEvent? {
            guard part < parts.count else { return nil }
            let scan = parts[part].scan(at: index)
            index += 1
            if index == parts[part].count { (part, index) = (part + 1, 0) }
            return scan
        }
    }

    public init(arrayLiteral scans: HIDEvent...) { self.init(scans) }

    public func makeIterator() -> Iterator { Iterator(self) }

    public var underestimatedCount: Int { count }
}

extension HIDEvent {
    /// Whether a scan differs from an earlier one in its time and its positions only.
    ///
    /// All other fields are compared. FrameCodecTests fails when the event gets another one.
    fileprivate borrowing func isMove(after before: borrowing HIDEvent) -> Bool {
        guard senderID == before.senderID, panelWidth == before.panelWidth, display == before.display,
            scanTime?.width == before.scanTime?.width
        else { return false }
        guard hand.isMove(after: before.hand) else { return false }
        return fingers.matches(before.fingers) { $0.pointee.isMove(after: $1.pointee) }
    }
}

extension DigitizerEvent {
    /// Whether a record differs from an earlier one in its position only.
    ///
    /// All other fields are compared. FrameCodecTests fails when the record gets another one.
    @inline(__always)
    fileprivate borrowing func isMove(after before: borrowing DigitizerEvent) -> Bool {
        // No `&&`: it takes its right side as a closure, and a closure cannot capture a borrowed value.
        guard mask == before.mask, options == before.options, index == before.index, identity == before.identity,
            transducer == before.transducer, childMask == before.childMask, z == before.z,
            buttonMask == before.buttonMask, pressure == before.pressure, barrel == before.barrel,
            orientation == before.orientation, generationCount == before.generationCount
        else { return false }
        return corrections == before.corrections
    }
}

extension Array {
    /// Whether two lists have as many elements, each of which matches the one at the same index. No element is copied.
    @inline(__always)
    func matches(_ others: [Element], _ isMatch: (UnsafePointer<Element>, UnsafePointer<Element>) -> Bool) -> Bool {
        guard count == others.count else { return false }
        return withUnsafeBufferPointer { elements in
            others.withUnsafeBufferPointer { others in
                guard let first = elements.baseAddress, let other = others.baseAddress else { return true }
                for index in elements.indices where !isMatch(first + index, other + index) { return false }
                return true
            }
        }
    }
}
