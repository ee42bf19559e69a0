// SimulatedPanel.swift: a touch screen that is plugged in to a world, and the contacts on it.
//
//     hand ─▶ contacts, at their moments ─▶ slots ─▶ bytes as from the kernel ─▶ input-kit, while the panel is open
//
// The contacts go on whether a process reads the panel or not. A process that opens the panel again finds contacts in
// the slots without their begins (F3). The host shifts the stamps: `device-time` in World+Faults.swift.
//
// Sources   documented  kernel multi-touch-protocol.rst (type B), input.rst; invented: the hand

import Basics
import HID
import Hosting
import Recordings

/// The position of one contact at one moment.
struct PanelContact {
    var at: Instant
    var slot: Int
    /// 0...1 of the panel; nil when the contact ends.
    var position: (x: Double, y: Double)?
}

/// A panel with the state of its slots.
struct SimulatedPanel {
    let path: String
    /// All contacts to come, by time.
    var contacts: [PanelContact] = []
    private let facts: EvdevFacts
    private var slots: [Slot]
    private var currentSlot = 0
    private var lastTracking: Int32 = 0
    /// The bytes of the last reads, by the number of their events. A read that its process has handled by now is
    /// overwritten where it is; another one is copied.
    private var reports = (0...eventLimit).map { [UInt8](repeating: 0, count: $0 * eventSize) }
    /// The serial number of the process instance that has the panel open, and its device id.
    private(set) var reader: (serial: UInt32, id: DeviceID)?

    private struct Slot {
        /// −1 for a free slot.
        var tracking: Int32 = -1
        var x: Int32 = 0
        var y: Int32 = 0
    }

    static let slotCount = 5
    /// The size of one input_event in bytes, and the most events of one read: slot, tracking, x, y, end.
    private static let eventSize = 24
    private static let eventLimit = 5
    private static let edge = 4095.0

    private enum Code {
        static let slot: UInt16 = 0x2F
        static let x: UInt16 = 0x35
        static let y: UInt16 = 0x36
        static let tracking: UInt16 = 0x39
    }

    init(path: String) {
        self.path = path
        slots = [Slot](repeating: Slot(), count: Self.slotCount)
        guard var facts = EvdevFacts(evemu: Array(Self.description.utf8)) else {
            preconditionFailure("a simulated panel describes itself")
        }
        facts.stampsAreMonotonic = true
        self.facts = facts
    }

    private static let description = """
        N: Simulated panel
        I: 0003 1234 5678 0001
        P: 02 00 00 00 00 00 00 00
        B: 00 0b 00 00 00 00 00 00 00
        B: 03 00 00 00 00 00 80 60 02
        A: 2f 0 4 0 0 0
        A: 35 0 4095 0 0 10
        A: 36 0 4095 0 0 10
        A: 39 0 65535 0 0 0
        """

    var directory: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }
    var name: String { path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path }

    /// Opens the panel and returns the answer to `open`.
    mutating func open(by serial: UInt32, as id: DeviceID) -> DeviceFacts {
        reader = (serial, id)
        var facts = facts
        facts.slots = slotContents
        return .evdev(facts)
    }

    mutating func close(_ id: DeviceID) { if reader?.id == id { reader = nil } }

    /// The contents of every slot now.
    var slotContents: DeviceSlots {
        func axis(_ code: UInt16, _ value: (Slot) -> Int32) -> DeviceSlots.Axis {
            DeviceSlots.Axis(code: code, values: slots.map(value))
        }
        return DeviceSlots(
            current: Int32(currentSlot), axes: [axis(Code.x, \.x), axis(Code.y, \.y), axis(Code.tracking, \.tracking)])
    }

    /// Applies a contact: it begins, moves or ends.
    ///
    /// - Parameters:
    ///   - contact: The contact.
    ///   - shift: The nanoseconds by which the clock of the panel has gone back.
    /// - Returns: The bytes of one read.
    mutating func apply(_ contact: PanelContact, shift: Int64) -> [UInt8] {
        guard slots.indices.contains(contact.slot) else { return [] }
        let isLanding = contact.position != nil && slots[contact.slot].tracking < 0
        // Slot, tracking, x and y, end.
        let eventCount =
            (currentSlot == contact.slot ? 0 : 1) + (isLanding ? 1 : 0) + (contact.position == nil ? 1 : 2) + 1
        reports[eventCount].withUnsafeMutableBytes { bytes in
            var events = EventWriter(into: bytes, at: contact.at, shift: shift)
            if currentSlot != contact.slot {
                currentSlot = contact.slot
                events.append(3, Code.slot, Int32(currentSlot))
            }
            if let position = contact.position {
                if isLanding {
                    lastTracking = (lastTracking + 1) & 0xFFFF
                    slots[currentSlot].tracking = lastTracking
                    events.append(3, Code.tracking, lastTracking)
                }
                let (x, y) = (Int32(position.x * Self.edge), Int32(position.y * Self.edge))
                (slots[currentSlot].x, slots[currentSlot].y) = (x, y)
                events.append(3, Code.x, x)
                events.append(3, Code.y, y)
            } else {
                slots[currentSlot].tracking = -1
                events.append(3, Code.tracking, -1)
            }
            events.append(0, 0, 0)
            assert(events.count == bytes.count, "\(events.count) of \(bytes.count) bytes of a read")
        }
        return reports[eventCount]
    }

    /// Writes the input_events of one read. A nested function would capture its variables in memory of their own.
    private struct EventWriter {
        private let bytes: UnsafeMutableRawBufferPointer
        private let seconds, rest: Int64
        /// The number of bytes written.
        private(set) var count = 0

        /// - Parameters:
        ///   - bytes: The memory, with room for all events.
        ///   - moment: The time of all events.
        ///   - shift: The nanoseconds by which the stamps are earlier.
        init(into bytes: UnsafeMutableRawBufferPointer, at moment: Instant, shift: Int64) {
            let microseconds = moment.nanoseconds / 1000 - shift / 1000
            (self.bytes, seconds, rest) = (bytes, microseconds / 1_000_000, microseconds % 1_000_000)
        }

        mutating func append(_ type: UInt16, _ code: UInt16, _ value: Int32) {
            bytes.storeBytes(of: seconds.littleEndian, toByteOffset: count, as: Int64.self)
            bytes.storeBytes(of: rest.littleEndian, toByteOffset: count + 8, as: Int64.self)
            bytes.storeBytes(of: type.littleEndian, toByteOffset: count + 16, as: UInt16.self)
            bytes.storeBytes(of: code.littleEndian, toByteOffset: count + 18, as: UInt16.self)
            bytes.storeBytes(of: value.littleEndian, toByteOffset: count + 20, as: Int32.self)
            count += SimulatedPanel.eventSize
        }
    }

    /// Draws gestures from a seed: one or two contacts at a time, which all end before `length`.
    static func drawContacts(_ chance: inout SeededGenerator, from zero: Instant, length: Duration) -> [PanelContact] {
        let mean = chance.number(50...1500)  // ms between gestures
        let period = chance.one(of: [5, 8, 16])  // ms
        // A generator of its own: the gestures of a seed are the same with storms and without.
        var weather = chance
        let storms = weather.one(of: [0.02, 0.02, 0.05, 0.15])
        var contacts: [PanelContact] = []
        var at = chance.number(0...1000)
        let end = Int(length.nanoseconds / 1_000_000)
        while true {
            let fingers = chance.happens(0.25) ? 2 : 1
            let scans = chance.one(of: [2, 6, 12, 40])
            let first = chance.number(0...(slotCount - fingers))
            guard at + (scans + 2 * fingers) * period < end else { return contacts }
            func addContact(_ ms: Int, _ finger: Int, _ place: (x: Double, y: Double)?) {
                let moment = zero.advanced(by: .milliseconds(Int64(ms)))
                contacts.append(PanelContact(at: moment, slot: first + finger, position: place))
            }
            let storm = weather.happens(storms) ? storm(&weather, from: at, zero) : []
            if let last = storm.last, zero.duration(to: last.at).nanoseconds / 1_000_000 < end {
                contacts += storm
                at = Int(zero.duration(to: last.at).nanoseconds / 1_000_000) + chance.number(1...(2 * mean))
                continue
            }
            let start = (0..<fingers).map { _ in (x: share(&chance), y: share(&chance)) }
            let goal = (0..<fingers).map { _ in (x: share(&chance), y: share(&chance)) }
            for scan in 0..<scans {
                for finger in 0..<fingers {
                    let part = Double(scan) / Double(scans)
                    addContact(
                        at, finger,
                        (
                            start[finger].x + (goal[finger].x - start[finger].x) * part,
                            start[finger].y + (goal[finger].y - start[finger].y) * part
                        ))
                }
                at += period
            }
            for finger in 0..<fingers {
                addContact(at, finger, nil)
                at += period
            }
            at += chance.number(1...(2 * mean))
        }
    }

    /// Returns a storm: contacts in all slots, at 8000 reports a second for a moment (F21).
    ///
    /// - Parameter start: Milliseconds after `zero`.
    private static func storm(
        _ chance: inout SeededGenerator, from start: Int, _ zero: Instant
    ) -> [PanelContact] {
        var contacts: [PanelContact] = []
        var at = zero.advanced(by: .milliseconds(Int64(start)))
        for report in 0..<chance.one(of: [200, 600]) {
            contacts.append(PanelContact(at: at, slot: report % slotCount, position: (share(&chance), share(&chance))))
            at = at.advanced(byNanoseconds: 125_000)
        }
        for slot in 0..<slotCount { contacts.append(PanelContact(at: at, slot: slot, position: nil)) }
        return contacts
    }

    private static func share(_ chance: inout SeededGenerator) -> Double { Double(chance.next() >> 11) * 0x1p-53 }
}
