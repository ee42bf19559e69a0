// FrameAssembler.swift: assembles the contacts of one scan into IOKit's event: a hand with its fingers.
//
// Station   frame → hid
// Input     InputKitCore, one ContactFrame per scan
// Output    one HIDEvent per scan, for Wire; of a move in a shared frame only its positions, in a ScanList
// Knows     a device's axes and their units (PanelMeasures). No screen, no clock: the time comes with the scan.
//
//     contacts ──ContactMachine──▶ records of fingers ──OR, centroid──▶ the hand's record ──▶ HIDEvent
//
// A finger keeps its index, from 1, while it is down. A landing takes the lowest index that no finger of the scan has.
//
// Sources   documented  IOHIDEventDriver: masks have changes, options the state; the hand's are the OR, its position the
//                       centroid of the touching; a lift has Range and Touch in its mask and not in its options
//           observed    WebKit HIDEventGenerator: the hand's Identity when fingers come or go, index = identity (2, "a
//                       finger", in the kernel); Attribute when pressure or size change, with Position or without
//           inferred    a scan without a changed element is no event; a hand without a touch stays where it was; Position
//                       on landing when the index was last used elsewhere, as the driver compares with the last value
//           invented    an unmeasured radius is 0, unknown: apps would take IOKit's 5, which DigitizerDriver has, for a
//                       measurement

public import Basics

/// The assembler of one opening of a device.
public struct FrameAssembler: Sendable {
    public let ranges: AxisRanges
    public let senderID: UInt64
    public let generationCount: UInt32
    /// See `HIDEvent.display`.
    public let display: DisplayID

    /// The contacts that are down, ignored ones too, in order of landing.
    private var contacts: [Tracked] = []
    /// The last position of each index, in device units. The position of index 1 is the first element.
    private var lastSeen: [Position] = []
    private var hand = Point<DigitizerSpace>.zero
    private var lastMoment = Instant.boot
    /// The records of the last two scans. Mostly the event of the older one is gone when the next scan comes, whose records
    /// then take the same memory. The sender keeps the event of the last one.
    private var lastRecords: (older: [DigitizerEvent], newer: [DigitizerEvent]) = ([], [])
    private let measures: PanelMeasures

    private struct Position: Hashable {
        var x, y: Int32
    }

    private struct Tracked {
        var id: Int64
        /// 0 for an ignored contact.
        var index: UInt32
        var machine: ContactMachine
        var position: Position
        var reading = PanelMeasures.Reading.unmeasured
        /// The index of its record in the current scan.
        var record: Int?
        /// Whether it landed in the current scan.
        var isNew = true
    }

    /// - Parameters:
    ///   - ranges: The ranges of positions, whatever the device's description has.
    ///   - senderID: The number of the device.
    ///   - generationCount: The number of the opening.
    ///   - device: The units of pressure, size and angles. Without it an event has only positions.
    ///   - display: The display under the panel; 1 is the main one.
    public init(
        ranges: AxisRanges, senderID: UInt64, generationCount: UInt32, device: DeviceDescription = DeviceDescription(),
        display: DisplayID = 1
    ) {
        (self.ranges, self.senderID, self.generationCount) = (ranges, senderID, generationCount)
        self.display = display
        measures = PanelMeasures(device, ranges)
    }

    /// The number of fingers that are down. Within a scan it includes those that have just lifted, which need a record.
    public var downFingerCount: Int { contacts.count { $0.index > 0 } }

    /// Assembles one scan.
    ///
    /// - Parameters:
    ///   - frame: The contacts of the scan.
    ///   - moment: The event's time stamp.
    ///   - faults: Receives the rules that the device broke, in order. Each fault is repaired.
    /// - Returns: Nil if the scan has no change: no finger, or all fingers unchanged.
    public mutating func assemble(
        _ frame: ContactFrame, at moment: Instant, faults: inout [ContactFault]
    ) -> HIDEvent? {
        let records = records(of: frame, faults: &faults)
        return event(of: records, at: moment, scanTime: frame.scanTime)
    }

    /// Assembles one scan, and appends its event to others. This copies less than the return of an event.
    ///
    /// - Parameters:
    ///   - frame: The contacts of the scan.
    ///   - moment: The event's time stamp.
    ///   - faults: Receives the rules that the device broke, in order. Each fault is repaired.
    ///   - events: Receives the event, unless the scan has no change.
    /// - Returns: Whether there is an event.
    public mutating func assemble(
        _ frame: ContactFrame, at moment: Instant, faults: inout [ContactFault], into events: inout [HIDEvent]
    ) -> Bool {
        let records = records(of: frame, faults: &faults)
        guard let summary = summary(of: records, at: moment) else { return false }
        events.append(event(of: records, summary, at: moment, scanTime: frame.scanTime))
        return true
    }

    /// Appends a scan that only moves fingers to earlier scans, as `assemble` and `ScanList.append` would. No event is made.
    ///
    /// - Parameters:
    ///   - frame: The contacts of the scan.
    ///   - moment: The time stamp.
    ///   - scans: The earlier scans of this assembler. Receives the move.
    /// - Returns: Whether the scan was appended. If not, nothing has changed, and the scan must be assembled.
    public mutating func appendMove(_ frame: ContactFrame, at moment: Instant, to scans: inout ScanList) -> Bool {
        scans.appendMove { append(frame, at: moment, to: &$0) }
    }

    private mutating func append(_ frame: ContactFrame, at moment: Instant, to moves: inout ScanMoves) -> Bool {
        guard isMove(frame, after: moves.first) else { return false }
        moves.beginMove(at: moment, ticks: frame.scanTime.map { DigitizerScanTime(unwrapped: $0).ticks })
        // The hand's position is computed from those of the fingers.
        moves.appendPosition(.zero)
        var fingers = Centroid()
        for number in contacts.indices {
            let position = Position(x: frame.contacts[number].x, y: frame.contacts[number].y)
            contacts[number].position = position
            lastSeen[Int(contacts[number].index) - 1] = position
            let point = ranges.panelPosition(position.x, position.y)
            fingers.add(point)
            moves.appendPosition(point)
        }
        hand = fingers.point ?? hand
        moves.moveHand(to: hand)
        lastMoment = moment
        return true
    }

    /// Whether the event of a scan would differ from an earlier one of this assembler in its time and its positions only.
    ///
    /// The other fields of an event follow from those that are compared. FrameCodecTests fails when the event gets another.
    @inline(__always)
    private func isMove(_ frame: borrowing ContactFrame, after event: borrowing HIDEvent) -> Bool {
        guard !contacts.isEmpty, frame.contacts.count == contacts.count, event.fingers.count == contacts.count,
            event.hand.generationCount == generationCount, event.senderID == senderID,
            (event.scanTime == nil) == (frame.scanTime == nil)
        else { return false }
        for number in contacts.indices {
            guard frame.contacts[number].phase == .moved, frame.contacts[number].id == contacts[number].id,
                contacts[number].machine.state == .touching,
                measures.reading(of: frame.contacts[number].attributes) == contacts[number].reading,
                event.fingers[number].index == contacts[number].index, event.fingers[number].phase == .moved,
                contacts[number].reading.isContent(of: event.fingers[number])
            else { return false }
        }
        return true
    }

    private mutating func records(of frame: ContactFrame, faults: inout [ContactFault]) -> [DigitizerEvent] {
        var records: [DigitizerEvent] = []
        swap(&records, &lastRecords.older)
        records.removeAll(keepingCapacity: true)
        records.reserveCapacity(max(frame.contacts.count, contacts.count))
        beginScan()
        for contact in frame.contacts { add(contact, into: &records, faults: &faults) }
        for index in contacts.indices where contacts[index].record == nil {
            let id = contacts[index].id
            if frame.contacts.contains(where: { $0.id == id }) { continue }
            let decision = contacts[index].machine.handle(.absent)
            carryOut(decision, on: index, at: contacts[index].position, nil, into: &records, faults: &faults)
        }
        contacts.removeAll { $0.machine.state == .lifted }
        lastRecords = (lastRecords.newer, records)
        return records
    }

    /// Cancels every finger, because the device or its reader is gone.
    ///
    /// - Returns: Nil if no finger is down.
    public mutating func cancelAll(at moment: Instant) -> HIDEvent? {
        var records: [DigitizerEvent] = []
        var faults: [ContactFault] = []
        beginScan()
        for index in contacts.indices {
            let decision = contacts[index].machine.handle(.cancelled)
            carryOut(decision, on: index, at: contacts[index].position, nil, into: &records, faults: &faults)
        }
        contacts.removeAll()
        return event(of: records, at: moment)
    }

    /// Cancels every finger and ignores its contact until lift. The reader was suspended for too long to know whether
    /// it is the same finger.
    public mutating func cancelAllAndIgnore(at moment: Instant) -> HIDEvent? {
        let old = contacts
        let event = cancelAll(at: moment)
        for var contact in old {
            contact.machine = ContactMachine()
            _ = contact.machine.handle(.beganWithoutRoom)
            contact.index = 0
            contacts.append(contact)
        }
        return event
    }

    /// Makes the state frame: every finger that is down, resting. For its receiver, a finger that is not in it has lifted.
    ///
    /// - Parameter moment: The time stamp; nil for that of the last event.
    public func stateEvent(at moment: Instant? = nil) -> HIDEvent {
        var copy = self
        copy.beginScan()
        var records: [DigitizerEvent] = []
        for index in copy.contacts.indices where copy.contacts[index].index > 0 {
            let place = copy.contacts[index].position
            copy.record(index, mask: [], holds: [.range, .touch], moveTo: place, nil, in: &records)
        }
        records.sort { $0.index < $1.index }
        let touching: DigitizerOptions = records.isEmpty ? [] : [.range, .touch]
        let parent = DigitizerEvent(
            transducer: .hand, index: 0, identity: 0, mask: [],
            options: touching.union([.isAbsolute, .isCollection, .displayIntegrated]), at: hand,
            generationCount: generationCount)
        var event = HIDEvent(timeStamp: moment ?? lastMoment, senderID: senderID, hand: parent, fingers: records)
        if records.contains(where: { $0.majorRadius > .zero }) { event.panelWidth = measures.panelWidth }
        event.display = display
        return event
    }

    private mutating func beginScan() {
        for index in contacts.indices { (contacts[index].record, contacts[index].isNew) = (nil, false) }
    }

    private mutating func add(
        _ contact: DeviceContact, into records: inout [DigitizerEvent], faults: inout [ContactFault]
    ) {
        let position = Position(x: contact.x, y: contact.y)
        // A contact that has lifted in this scan is not the one that now begins with the same number.
        if let index = contacts.firstIndex(where: { $0.id == contact.id && $0.machine.state != .lifted }) {
            if contacts[index].record != nil, contact.phase != .ended, contact.phase != .cancelled {
                faults.append(ContactFault(contact: contact.id, rule: .twiceInScan))
                return
            }
            let decision = contacts[index].machine.handle(input(contact.phase, hasRoom: true))
            if contacts[index].isNew, contacts[index].machine.state == .lifted, let record = contacts[index].record {
                // The contact landed and lifted within one scan, so that its landing was not reported.
                faults.append(ContactFault(contact: contact.id, rule: .twiceInScan))
                forget(index, record, in: &records)
            } else {
                let reading = measures.reading(of: contact.attributes)
                carryOut(decision, on: index, at: position, reading, into: &records, faults: &faults)
            }
            return
        }
        var tracked = Tracked(id: contact.id, index: 0, machine: ContactMachine(), position: position, record: nil)
        let hasRoom = downFingerCount < HIDEvent.fingerLimit
        // A move of an unknown contact would be a landing too, and there is no room for it.
        let phase = !hasRoom && (contact.phase == .moved || contact.phase == .stationary) ? .began : contact.phase
        let decision = tracked.machine.handle(input(phase, hasRoom: hasRoom))
        guard tracked.machine.state != .lifted else {
            carryOut(decision, on: nil, id: contact.id, at: position, nil, into: &records, faults: &faults)
            return
        }
        if tracked.machine.state == .touching { tracked.index = freeIndex() }
        // Ignored contacts are stored up to a limit. Beyond it each of their scans is a new fault.
        guard contacts.count < HIDEvent.fingerLimit * 2 else {
            faults.append(ContactFault(contact: contact.id, rule: .tooMany))
            return
        }
        contacts.append(tracked)
        let reading = measures.reading(of: contact.attributes)
        carryOut(decision, on: contacts.count - 1, at: position, reading, into: &records, faults: &faults)
    }

    private func input(_ phase: DeviceContact.Phase, hasRoom: Bool) -> ContactMachine.Input {
        switch phase {
        case .began: hasRoom ? .began : .beganWithoutRoom
        case .moved: .moved
        case .stationary: .stationary
        case .ended: .ended
        case .cancelled: .cancelled
        }
    }

    private mutating func forget(_ index: Int, _ record: Int, in records: inout [DigitizerEvent]) {
        records.remove(at: record)
        contacts.remove(at: index)
        for other in contacts.indices {
            if let known = contacts[other].record, known > record { contacts[other].record = known - 1 }
        }
    }

    private func freeIndex() -> UInt32 {
        var index: UInt32 = 1
        while contacts.contains(where: { $0.index == index }) { index += 1 }
        return index
    }

    private mutating func carryOut(
        _ decision: ContactMachine.Decision, on index: Int?, id: Int64 = 0, at position: Position,
        _ reading: PanelMeasures.Reading?, into records: inout [DigitizerEvent], faults: inout [ContactFault]
    ) {
        let down: DigitizerOptions = [.range, .touch]
        switch decision {
        case .repair(let rule, let remedy):
            faults.append(ContactFault(contact: index.map { contacts[$0].id } ?? id, rule: rule))
            carryOut(remedy, on: index, id: id, at: position, reading, into: &records, faults: &faults)
        case .land: record(index, mask: [.range, .touch], holds: down, moveTo: position, reading, in: &records)
        // A script may move a finger to its own position, and the move counts.
        case .follow: record(index, mask: .position, holds: down, moveTo: position, reading, in: &records)
        case .rest: record(index, mask: [], holds: down, moveTo: position, reading, in: &records)
        case .lift: record(index, mask: [.range, .touch], holds: [], moveTo: nil, nil, in: &records)
        case .cancel: record(index, mask: [.range, .touch, .cancel], holds: [], moveTo: nil, nil, in: &records)
        case .nothing: return
        }
    }

    /// Writes a finger's record, or overwrites the one that it already has in this scan.
    ///
    /// - Parameters:
    ///   - position: Nil leaves the finger at its position, because the coordinates of a lift are not the finger's.
    ///   - reading: Nil leaves its measurements.
    private mutating func record(
        _ index: Int?, mask: DigitizerEventMask, holds: DigitizerOptions, moveTo position: Position?,
        _ reading: PanelMeasures.Reading?, in records: inout [DigitizerEvent]
    ) {
        guard let index else { preconditionFailure("a record for a contact that is not held") }
        var mask = mask
        let place = Int(contacts[index].index) - 1
        if let position {
            contacts[index].position = position
            if place == lastSeen.count {
                lastSeen.append(position)
                mask.insert(.position)
            } else if lastSeen[place] != position {
                lastSeen[place] = position
                mask.insert(.position)
            }
        }
        if let reading, reading != contacts[index].reading {
            contacts[index].reading = reading
            mask.insert(.attribute)
        }
        let (x, y) = (contacts[index].position.x, contacts[index].position.y)
        // The identity is the index, as in WebKit's events, which UIKit receives. The kernel's constructor writes 2, "a
        // finger", for every finger.
        var event = DigitizerEvent(
            transducer: .finger, index: contacts[index].index, identity: contacts[index].index, mask: mask,
            options: holds.union([.isAbsolute, .displayIntegrated]),
            at: ranges.panelPosition(x, y),
            generationCount: generationCount)
        contacts[index].reading.fill(&event)
        if let known = contacts[index].record {
            event.mask.formUnion(records[known].mask)
            records[known] = event
        } else {
            contacts[index].record = records.count
            records.append(event)
        }
    }

    /// The mean of fingers' positions, which is the position of their hand.
    private struct Centroid {
        private var sum = (x: Int64(0), y: Int64(0))
        private var count: Int64 = 0

        @inline(__always)
        mutating func add(_ position: Point<DigitizerSpace>) {
            sum = (sum.x + Int64(position.x.rawValue), sum.y + Int64(position.y.rawValue))
            count += 1
        }

        /// Nil if there is no finger.
        @inline(__always)
        var point: Point<DigitizerSpace>? {
            guard count > 0 else { return nil }
            return Point(Fixed(rawValue: Int32(sum.x / count)), Fixed(rawValue: Int32(sum.y / count)))
        }
    }

    /// What a scan's event has besides its fingers.
    private struct Summary {
        var mask: DigitizerEventMask = []
        var options: DigitizerOptions = [.isAbsolute, .isCollection, .displayIntegrated]
        var hasRadius = false
        /// Whether the fingers are in ascending order of index.
        var isInOrder = true
    }

    /// Sums up the records of a scan, and moves the hand.
    ///
    /// - Returns: Nil if the scan has no change.
    private mutating func summary(of records: [DigitizerEvent], at moment: Instant) -> Summary? {
        var summary = Summary()
        var touching = Centroid()
        var last: UInt32 = 0
        // By index: a record that is bound is copied.
        for place in records.indices {
            // An estimate is not a change of the hand.
            summary.mask.formUnion(records[place].mask.subtracting(.estimates))
            if records[place].majorRadius > .zero { summary.hasRadius = true }
            let options = records[place].options.intersection([.range, .touch])
            summary.options.formUnion(options)
            // Fingers mostly stay in order of landing, which is the order of their indices.
            let index = records[place].index
            if index <= last, place > 0 { summary.isInOrder = false }
            last = index
            guard options.contains(.touch) else { continue }
            touching.add(records[place].position)
        }
        guard !summary.mask.isEmpty else { return nil }
        lastMoment = moment
        if summary.mask.contains(.touch) { summary.mask.insert(.identity) }
        hand = touching.point ?? hand
        return summary
    }

    private func event(
        of records: [DigitizerEvent], _ summary: Summary, at moment: Instant, scanTime: Duration?
    ) -> HIDEvent {
        let parent = DigitizerEvent(
            transducer: .hand, index: 0, identity: 0, mask: summary.mask, options: summary.options, at: hand,
            generationCount: generationCount)
        var event = HIDEvent(
            timeStamp: moment, senderID: senderID, hand: parent,
            fingers: summary.isInOrder ? records : records.sorted { $0.index < $1.index },
            scanTime: scanTime.map(DigitizerScanTime.init(unwrapped:)))
        if summary.hasRadius { event.panelWidth = measures.panelWidth }
        event.display = display
        return event
    }

    private mutating func event(
        of records: [DigitizerEvent], at moment: Instant, scanTime: Duration? = nil
    ) -> HIDEvent? {
        guard let summary = summary(of: records, at: moment) else { return nil }
        return event(of: records, summary, at: moment, scanTime: scanTime)
    }
}
