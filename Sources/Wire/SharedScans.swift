// SharedScans.swift: the bytes of several scans in one frame: `scans`, `severalTouches` and the history of `touches`.
//
// Input     Message.encode and Message.init, through a FieldCoder
// Output    the order and the limits of the scans
// Knows     the times and positions of moves, as ScanList and TouchList store them
//
//     first scan, in full │ 1, time, positions │ 1, time, positions │ 0, in full │ …
//
// Moves are read in their list, because a part of it that is bound is copied.
//
// Sources   invented; Docs/Decisions/SharedFrames.md

import Basics
import HID

extension FieldCoder {
    mutating func scans(_ scans: ScanList?) throws(Failure) -> ScanList {
        let count = try sharedCount(scans?.count, size: HIDEvent.leastMoveSize)
        if let scans {
            for part in scans.parts.indices {
                if part > 0 { _ = try isMove(false) }
                _ = try HIDEvent(coding: scans.parts[part].first, with: &self)
                let fingers = scans.parts[part].first.fingers.count
                for move in scans.parts[part].times.indices {
                    _ = try isMove(true)
                    _ = try time(scans.parts[part].times[move])
                    if !scans.parts[part].ticks.isEmpty { _ = try ticks(scans.parts[part].ticks[move]) }
                    _ = try handPosition(scans.parts[part].handPosition(inMove: move))
                    for finger in 0..<fingers {
                        _ = try fingerPosition(scans.parts[part].position(ofFinger: finger, inMove: move))
                    }
                }
            }
            return scans
        }
        var read = ScanList()
        var moves = ScanMoves(try whole(at: 0))
        var fingerCount = moves.first.fingers.count
        try requireRoom(for: fingerCount)
        moves.reserveCapacity(count - 1)
        for index in 1..<count {
            if try isMove(nil) {
                moves.beginMove(at: try time(nil), ticks: moves.first.scanTime == nil ? nil : try ticks(nil))
                moves.appendPosition(try handPosition(nil))
                for _ in moves.first.fingers.indices { moves.appendPosition(try fingerPosition(nil)) }
            } else {
                read.append(moves)
                moves = ScanMoves(try whole(at: index))
            }
            fingerCount += moves.first.fingers.count
            try requireRoom(for: fingerCount)
        }
        read.append(moves)
        return read
    }

    /// Decodes a scan in full.
    private mutating func whole(at index: Int) throws(Failure) -> HIDEvent {
        let scan = try HIDEvent(coding: nil, with: &self)
        try require(!scan.hasTouchEdge, else: .badValue("a landing or lift in scans", UInt64(index)))
        return scan
    }

    mutating func severalTouches(_ touches: TouchList?) throws(Failure) -> TouchList {
        let count = try sharedCount(touches?.count, size: TouchFrame.leastMoveSize)
        return try self.touches(touches, count: count) { (frame, index, coder) throws(Failure) in
            let frame = try TouchFrame(coding: frame, with: &coder)
            let isEdge = !frame.contacts.allSatisfy(\.isContinuing)
            try coder.require(!isEdge, else: .badValue("a beginning or end of a touch in scans", UInt64(index)))
            // A list has no histories.
            try coder.require(
                frame.history.isEmpty, else: .badValue("a history in scans", UInt64(frame.history.count)))
            return frame
        } limit: { (contacts, coder) throws(Failure) in
            try coder.requireRoom(for: contacts)
        }
    }

    /// The scans of a list of which an earlier field stated the count.
    ///
    /// - Parameters:
    ///   - count: The number of scans; at least 1 for a coder that reads.
    ///   - whole: Codes a scan in full. It receives the scan's index in the list.
    ///   - limit: Fails if there are too many contacts so far.
    @inline(__always)
    mutating func touches(
        _ touches: TouchList?, count: Int, whole: (TouchFrame?, Int, inout Self) throws(Failure) -> TouchFrame,
        limit: (Int, inout Self) throws(Failure) -> Void
    ) throws(Failure) -> TouchList {
        if let touches {
            var index = 0
            for part in touches.parts.indices {
                if part > 0 { _ = try isMove(false) }
                _ = try whole(touches.parts[part].frame(at: 0), index, &self)
                index += touches.parts[part].count
                let contacts = touches.parts[part].contacts.count
                for move in touches.parts[part].times.indices {
                    _ = try isMove(true)
                    _ = try time(touches.parts[part].times[move])
                    for contact in 0..<contacts {
                        _ = try contactPosition(touches.parts[part].position(of: contact, inMove: move))
                    }
                }
            }
            return touches
        }
        var read = TouchList()
        var moves = TouchMoves(try whole(nil, 0, &self))
        var contactCount = moves.contacts.count
        try limit(contactCount, &self)
        moves.reserveCapacity(count - 1)
        for index in 1..<count {
            if try isMove(nil) {
                moves.beginMove(at: try time(nil))
                for _ in moves.contacts.indices { moves.appendPosition(try contactPosition(nil)) }
            } else {
                read.append(moves)
                moves = TouchMoves(try whole(nil, index, &self))
            }
            contactCount += moves.contacts.count
            try limit(contactCount, &self)
        }
        read.append(moves)
        return read
    }

    // MARK: The fields

    private mutating func sharedCount(_ count: Int?, size: Int) throws(Failure) -> Int {
        let count = try self.count(
            count, "scans, oldest first: 2 to 128", of: "scans", size: size, limit: Message.scansPerFrame)
        try require(count > 1, else: .badValue("scans in one frame", UInt64(count)))
        return count
    }

    private func requireRoom(for contacts: Int) throws(Failure) {
        try require(
            contacts <= Message.contactsPerFrame,
            else: .tooLong("contacts of scans", count: contacts, limit: Message.contactsPerFrame))
    }

    /// The first scan is always whole, and has no field for it.
    @inline(__always)
    private mutating func isMove(_ isMove: Bool?) throws(Failure) -> Bool {
        try field(
            isMove, "each but the first: 1 the fields of a move follow, the others are as before; 0 all fields follow",
            as: "a move")
    }

    @inline(__always)
    private mutating func time(_ time: Instant?) throws(Failure) -> Instant { try field(time, "move: time stamp, ns") }

    @inline(__always)
    private mutating func ticks(_ ticks: UInt32?) throws(Failure) -> UInt32 {
        try field(ticks, "move: scan time, if the first has one")
    }

    @inline(__always)
    private mutating func handPosition(_ position: Point<DigitizerSpace>?) throws(Failure) -> Point<DigitizerSpace> {
        try field(position, x: "move: x of the hand, 16.16 of the panel", y: "move: y of the hand")
    }

    @inline(__always)
    private mutating func fingerPosition(_ position: Point<DigitizerSpace>?) throws(Failure) -> Point<DigitizerSpace> {
        try field(position, x: "move, for each finger: x", y: "move, for each finger: y")
    }

    @inline(__always)
    private mutating func contactPosition(_ position: Point<SceneSpace>?) throws(Failure) -> Point<SceneSpace> {
        try field(position, x: "move, for each contact: x, 16.16 points", y: "move, for each contact: y")
    }
}

extension HIDEvent {
    /// The smallest number of bytes of a scan behind the first: a move of no finger.
    fileprivate static let leastMoveSize = 17
}

extension TouchFrame {
    /// The smallest number of bytes of a scan behind the first: a move without contacts.
    fileprivate static let leastMoveSize = 9
}
