// FrameAssembler.swift: a device's contacts as IOKit's hand with its fingers.
//
//     contacts ──ContactLife──▶ records of fingers ──OR, centroid──▶ the hand's record ──▶ HIDEvent
//
// A finger keeps its index, counted from 1, for as long as it stays down; a landing one gets the lowest that neither
// a finger that is down nor one that leaves in this scan has. So one event never speaks of two fingers by one index.
//
// Station   frame → hid
// Fed by    Recordings, one ContactFrame a scan
// Feeds     Wire, as one HIDEvent a scan
// Knows     a device's axes and their units (PanelMeasures). No screen, no clock: the moment comes with the scan.
//
// Sources   documented  IOHIDEventDriver: masks say what changed, options what holds; the hand's are the OR, its
//                       position the centroid of the touching; a lift has Range and Touch in its mask and neither
//                       in its options
//           observed    WebKit HIDEventGenerator: the hand's Identity when fingers come or go, index = identity (the
//                       kernel's constructor says 2, "a finger", of every finger; WebKit's names them, and feeds UIKit);
//                       Attribute when pressure or size change, with Position or without
//           inferred    a scan in which no element changed is no event; a hand nobody touches with stays where it
//                       was; Position on landing when the index was last used elsewhere, as IOHIDEventDriver
//                       compares with the element's last value
//           invented    the radius of a finger whose panel measures none is 0, unknown: IOKit's 5 would be told to apps
//                       as if somebody had measured it (DigitizerDriver says 5, as the kernel does)

public import Basics

public struct FrameAssembler: Sendable {
    public let ranges: AxisRanges
    public let senderID: UInt64
    public let generationCount: UInt32
    /// See `HIDEvent.display`.
    public let display: DisplayID

    /// Fingers that are down, and contacts nobody wants, in order of landing.
    private var contacts: [Tracked] = []
    /// Where an index was last seen, in device units; the place of index 1 is 0.
    private var lastSeen: [Position] = []
    private var hand = Point<DigitizerSpace>.zero
    private var lastMoment = Instant.boot
    private let measures: PanelMeasures

    private struct Position: Hashable {
        var x, y: Int32
    }

    private struct Tracked {
        var id: Int64
        /// 0 for one that nobody wants.
        var index: UInt32
        var life: ContactLife
        var position: Position
        var reading = PanelMeasures.Reading.nothing
        /// Where its record is in the scan being assembled.
        var record: Int?
        /// Whether it landed in the scan being assembled.
        var isNew = true
    }

    /// - Parameters:
    ///   - ranges: Of positions, whatever the device says of its own.
    ///   - senderID: Which device this is.
    ///   - generationCount: How often it has been opened.
    ///   - device: Gives pressure, size and angles their units. Without it only places are told.
    ///   - display: Over which the panel lies; 1 is the main one.
    public init(
        ranges: AxisRanges, senderID: UInt64, generationCount: UInt32, device: DeviceDescription = DeviceDescription(),
        display: DisplayID = 1
    ) {
        (self.ranges, self.senderID, self.generationCount) = (ranges, senderID, generationCount)
        self.display = display
        measures = PanelMeasures(device, ranges)
    }

    /// How many fingers are down; within a scan, those that have just left count too, as they need their record.
    public var touching: Int { contacts.count { $0.index > 0 } }

    /// Takes one scan.
    ///
    /// - Parameters:
    ///   - moment: The event's time stamp.
    ///   - faults: Gets the rules the device broke, in the order it broke them. What it gets back is repaired.
    /// - Returns: Nil when nothing happened that an event could tell: no finger, or all of them as they were.
    public mutating func assemble(
        _ frame: ContactFrame, at moment: Instant, faults: inout [ContactFault]
    ) -> HIDEvent? {
        var records: [DigitizerEvent] = []
        records.reserveCapacity(max(frame.contacts.count, contacts.count))
        beginScan()
        for contact in frame.contacts { take(contact, into: &records, faults: &faults) }
        for index in contacts.indices where contacts[index].record == nil {
            let id = contacts[index].id
            if frame.contacts.contains(where: { $0.id == id }) { continue }
            let decision = contacts[index].life.handle(.absent)
            carryOut(decision, on: index, at: contacts[index].position, nil, into: &records, faults: &faults)
        }
        contacts.removeAll { $0.life.state == .lifted }
        guard var event = event(of: records, at: moment) else { return nil }
        if let time = frame.scanTime { event.scanTime = DigitizerScanTime(unwrapped: time) }
        return event
    }

    /// Everybody who is down leaves: the device is gone, or whoever reads it is.
    ///
    /// - Returns: Nil when nobody is down.
    public mutating func cancelAll(at moment: Instant) -> HIDEvent? {
        var records: [DigitizerEvent] = []
        var faults: [ContactFault] = []
        beginScan()
        for index in contacts.indices {
            let decision = contacts[index].life.handle(.cancelled)
            carryOut(decision, on: index, at: contacts[index].position, nil, into: &records, faults: &faults)
        }
        contacts.removeAll()
        return event(of: records, at: moment)
    }

    /// The same, and whoever was down is nobody's until it lifts, whatever is said of it: whoever reads the device was
    /// away for too long to know that it is the same finger.
    public mutating func giveUpAll(at moment: Instant) -> HIDEvent? {
        let old = contacts
        let event = cancelAll(at: moment)
        for var contact in old {
            contact.life = ContactLife()
            _ = contact.life.handle(.beganWithoutRoom)
            contact.index = 0
            contacts.append(contact)
        }
        return event
    }

    /// How things stand: every finger that is down, resting, or none. For whoever has missed something: a finger that is
    /// not in it has lifted.
    ///
    /// - Parameter moment: Nil for that of the last event: nothing has happened since.
    public func standing(at moment: Instant? = nil) -> HIDEvent {
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

    private mutating func take(
        _ contact: DeviceContact, into records: inout [DigitizerEvent], faults: inout [ContactFault]
    ) {
        let position = Position(x: contact.x, y: contact.y)
        // One that has left in this scan is a different finger from one that now begins by the same name.
        if let index = contacts.firstIndex(where: { $0.id == contact.id && $0.life.state != .lifted }) {
            if contacts[index].record != nil, contact.phase != .ended, contact.phase != .cancelled {
                faults.append(ContactFault(contact: contact.id, rule: .twiceInScan))
                return
            }
            let decision = contacts[index].life.handle(input(contact.phase, hasRoom: true))
            if contacts[index].isNew, contacts[index].life.state == .lifted, let record = contacts[index].record {
                // Came and went within one scan: nobody was told that it came.
                faults.append(ContactFault(contact: contact.id, rule: .twiceInScan))
                forget(index, record, in: &records)
            } else {
                let reading = measures.reading(of: contact.attributes)
                carryOut(decision, on: index, at: position, reading, into: &records, faults: &faults)
            }
            return
        }
        var tracked = Tracked(id: contact.id, index: 0, life: ContactLife(), position: position, record: nil)
        let hasRoom = touching < HIDEvent.fingerLimit
        // A move by one nobody knows would be a landing too, and there is no room for either.
        let phase = !hasRoom && (contact.phase == .moved || contact.phase == .stationary) ? .began : contact.phase
        let decision = tracked.life.handle(input(phase, hasRoom: hasRoom))
        guard tracked.life.state != .lifted else {
            carryOut(decision, on: nil, id: contact.id, at: position, nil, into: &records, faults: &faults)
            return
        }
        if tracked.life.state == .touching { tracked.index = freeIndex() }
        // Those nobody wants are remembered only up to a bound; beyond it each of their scans is a new complaint.
        guard contacts.count < HIDEvent.fingerLimit * 2 else {
            faults.append(ContactFault(contact: contact.id, rule: .tooMany))
            return
        }
        contacts.append(tracked)
        let reading = measures.reading(of: contact.attributes)
        carryOut(decision, on: contacts.count - 1, at: position, reading, into: &records, faults: &faults)
    }

    private func input(_ phase: DeviceContact.Phase, hasRoom: Bool) -> ContactLife.Input {
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
        _ decision: ContactLife.Decision, on index: Int?, id: Int64 = 0, at position: Position,
        _ reading: PanelMeasures.Reading?, into records: inout [DigitizerEvent], faults: inout [ContactFault]
    ) {
        let down: DigitizerOptions = [.range, .touch]
        switch decision {
        case .repair(let rule, let remedy):
            faults.append(ContactFault(contact: index.map { contacts[$0].id } ?? id, rule: rule))
            carryOut(remedy, on: index, id: id, at: position, reading, into: &records, faults: &faults)
        case .land: record(index, mask: [.range, .touch], holds: down, moveTo: position, reading, in: &records)
        // A script may move a finger to where it is, and means it.
        case .follow: record(index, mask: .position, holds: down, moveTo: position, reading, in: &records)
        case .rest: record(index, mask: [], holds: down, moveTo: position, reading, in: &records)
        case .lift: record(index, mask: [.range, .touch], holds: [], moveTo: nil, nil, in: &records)
        case .cancel: record(index, mask: [.range, .touch, .cancel], holds: [], moveTo: nil, nil, in: &records)
        case .nothing: return
        }
    }

    /// Writes a finger's record, or writes over the one it already has in this scan.
    ///
    /// - Parameters:
    ///   - position: Nil leaves the finger where it was: a lift's coordinates are not the finger's.
    ///   - reading: Nil leaves it as large as it was.
    private mutating func record(
        _ index: Int?, mask: DigitizerEventMask, holds: DigitizerOptions, moveTo position: Position?,
        _ reading: PanelMeasures.Reading?, in records: inout [DigitizerEvent]
    ) {
        guard let index else { preconditionFailure("a record for a contact nobody holds") }
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

    private mutating func event(of records: [DigitizerEvent], at moment: Instant) -> HIDEvent? {
        var parent = DigitizerEvent(
            transducer: .hand, index: 0, identity: 0, mask: [],
            options: [.isAbsolute, .isCollection, .displayIntegrated], at: hand,
            generationCount: generationCount)
        var hasRadius = false
        var sum = (x: Int64(0), y: Int64(0))
        var count: Int64 = 0
        for record in records {
            // That something is a guess is no news of the hand's.
            parent.mask.formUnion(record.mask.subtracting(.estimates))
            if record.majorRadius > .zero { hasRadius = true }
            parent.options.formUnion(record.options.intersection([.range, .touch]))
            guard record.isTouching else { continue }
            sum = (sum.x + Int64(record.position.x.rawValue), sum.y + Int64(record.position.y.rawValue))
            count += 1
        }
        guard !parent.mask.isEmpty else { return nil }
        lastMoment = moment
        if parent.mask.contains(.touch) { parent.mask.insert(.identity) }
        if count > 0 {
            hand = Point(Fixed(rawValue: Int32(sum.x / count)), Fixed(rawValue: Int32(sum.y / count)))
            parent.position = hand
        }
        // Fingers mostly stay in order of landing, which is the order of their indices.
        let isInOrder = records.indices.dropFirst().allSatisfy { records[$0 - 1].index < records[$0].index }
        var event = HIDEvent(
            timeStamp: moment, senderID: senderID, hand: parent,
            fingers: isInOrder ? records : records.sorted { $0.index < $1.index })
        if hasRadius { event.panelWidth = measures.panelWidth }
        event.display = display
        return event
    }
}
