// SharedScans.swift: the bytes of several scans in one frame: `scans` and `severalTouches`.
//
// Input     Message.encode and Message.init, through a FieldCoder
// Output    the order and the limits of the scans
// Knows     what a move is: a scan that differs from the one before it in its time and in positions only
//
//     first scan, in full │ 1, time, positions │ 1, time, positions │ 0, in full │ …
//
// Scans are read in their list and by property, because a scan that is bound or passed is copied.
//
// Sources   invented; Docs/Decisions/SharedFrames.md

import Basics
import HID

extension FieldCoder {
    mutating func scans(_ events: [HIDEvent]?) throws(Failure) -> [HIDEvent] {
        let count = try sharedCount(events?.count, size: HIDEvent.leastMoveSize)
        if let events {
            for index in events.indices {
                guard try isMove(at: index, HIDEvent.isMove(in: events, at: index)) else {
                    _ = try HIDEvent(coding: events[index], with: &self)
                    continue
                }
                _ = try time(events[index].timeStamp)
                if let ticks = events[index].scanTime?.ticks { _ = try self.ticks(ticks) }
                _ = try handPosition(events[index].hand.position)
                for finger in events[index].fingers.indices {
                    _ = try fingerPosition(events[index].fingers[finger].position)
                }
            }
            return events
        }
        var read: [HIDEvent] = []
        read.reserveCapacity(count)
        var fingerCount = 0
        for index in 0..<count {
            if try isMove(at: index, nil) {
                read.append(read[index - 1])
                read[index].timeStamp = try time(nil)
                if read[index].scanTime != nil { read[index].scanTime?.ticks = try ticks(nil) }
                read[index].hand.position = try handPosition(nil)
                for finger in read[index].fingers.indices {
                    read[index].fingers[finger].position = try fingerPosition(nil)
                }
            } else {
                read.append(try HIDEvent(coding: nil, with: &self))
                try require(!read[index].hasTouchEdge, else: .badValue("a landing or lift in scans", UInt64(index)))
            }
            fingerCount += read[index].fingers.count
            try requireRoom(for: fingerCount)
        }
        return read
    }

    mutating func severalTouches(_ frames: [TouchFrame]?) throws(Failure) -> [TouchFrame] {
        let count = try sharedCount(frames?.count, size: TouchFrame.leastMoveSize)
        if let frames {
            for index in frames.indices {
                guard try isMove(at: index, TouchFrame.isMove(in: frames, at: index)) else {
                    _ = try TouchFrame(coding: frames[index], with: &self)
                    continue
                }
                _ = try time(frames[index].timeStamp)
                for contact in frames[index].contacts.indices {
                    _ = try contactPosition(frames[index].contacts[contact].position)
                }
            }
            return frames
        }
        var read: [TouchFrame] = []
        read.reserveCapacity(count)
        var contactCount = 0
        for index in 0..<count {
            if try isMove(at: index, nil) {
                read.append(read[index - 1])
                read[index].timeStamp = try time(nil)
                for contact in read[index].contacts.indices {
                    read[index].contacts[contact].position = try contactPosition(nil)
                }
            } else {
                read.append(try TouchFrame(coding: nil, with: &self))
                let isEdge = !read[index].contacts.allSatisfy(\.isContinuing)
                try require(!isEdge, else: .badValue("a beginning or end of a touch in scans", UInt64(index)))
                try require(read[index].history.isEmpty, else: .badValue("a history in scans", UInt64(index)))
            }
            contactCount += read[index].contacts.count
            try requireRoom(for: contactCount)
        }
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
    private mutating func isMove(at index: Int, _ isMove: @autoclosure () -> Bool?) throws(Failure) -> Bool {
        guard index > 0 else { return false }
        return try field(
            isMove(),
            "each but the first: 1 the fields of a move follow, the others are as before; 0 all fields follow",
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

    /// Whether a scan differs from the one before it in its time and its positions only.
    fileprivate static func isMove(in events: [HIDEvent], at index: Int) -> Bool {
        events.withUnsafeBufferPointer { events in
            let (event, before) = (events.baseAddress! + index, events.baseAddress! + index - 1)
            guard event.pointee.senderID == before.pointee.senderID,
                event.pointee.panelWidth == before.pointee.panelWidth,
                event.pointee.display == before.pointee.display,
                event.pointee.scanTime?.width == before.pointee.scanTime?.width,
                event.pointee.hand.isMove(after: before.pointee.hand)
            else { return false }
            return event.pointee.fingers.matches(before.pointee.fingers) { $0.pointee.isMove(after: $1.pointee) }
        }
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

extension TouchFrame {
    /// The smallest number of bytes of a scan behind the first: a move without contacts.
    fileprivate static let leastMoveSize = 9

    /// Whether a scan differs from the one before it in its time and its positions only.
    fileprivate static func isMove(in frames: [TouchFrame], at index: Int) -> Bool {
        frames.withUnsafeBufferPointer { frames in
            let (frame, before) = (frames.baseAddress! + index, frames.baseAddress! + index - 1)
            return frame.pointee.contacts.matches(before.pointee.contacts) { $0.pointee.isMove(after: $1.pointee) }
        }
    }
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

extension Array {
    /// Whether two lists have as many elements, each of which matches the one in the same position. No element is copied.
    @inline(__always)
    fileprivate func matches(
        _ others: [Element], _ isMatch: (UnsafePointer<Element>, UnsafePointer<Element>) -> Bool
    ) -> Bool {
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
