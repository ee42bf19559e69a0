// Panels.swift: three touch screens as the kernel describes them, and the bytes that they send.

import Basics
import HID
import Hosting

/// A touch screen with slots, 0...1000 on both axes.
enum SlotPanel {
    static func facts(
        _ name: String = "Panel", place: String = "", slots: DeviceSlots? = SlotPanel.slots(), clock: Bool = true
    ) -> DeviceFacts {
        let identity = DeviceIdentity(
            name: name, physicalPath: place, bus: 3, vendor: 0x1234, product: 0x5678, version: 1)
        func axis(_ code: UInt16, _ maximum: Int32) -> EvdevFacts.Axis {
            EvdevFacts.Axis(code: code, value: 0, axis: DeviceAxis(minimum: 0, maximum: maximum))
        }
        return .evdev(
            EvdevFacts(
                identity: identity, properties: [2],
                codes: [
                    EvdevFacts.Codes(type: 0, bits: bits([0, 1, 3])), EvdevFacts.Codes(type: 1, bits: bits([0x14A])),
                    EvdevFacts.Codes(type: 3, bits: bits([0x2F, 0x35, 0x36, 0x37, 0x39])),
                ],
                axes: [axis(0x2F, 4), axis(0x35, 1000), axis(0x36, 1000), axis(0x37, 2), axis(0x39, 65535)],
                slots: slots, stampsAreMonotonic: clock))
    }

    static func bits(_ codes: [Int]) -> [UInt8] {
        var bits = [UInt8](repeating: 0, count: (codes.max() ?? 0) / 8 + 1)
        for code in codes { bits[code / 8] |= 1 << UInt8(code % 8) }
        return bits
    }

    /// - Parameter fingers: Slot, tracking id, x and y.
    static func slots(_ fingers: [(slot: Int, id: Int32, x: Int32, y: Int32)] = [], current: Int32 = 0) -> DeviceSlots {
        func axis(_ code: UInt16, rest: Int32, _ value: (Int32, Int32, Int32) -> Int32) -> DeviceSlots.Axis {
            var values = [Int32](repeating: rest, count: 5)
            for finger in fingers { values[finger.slot] = value(finger.id, finger.x, finger.y) }
            return DeviceSlots.Axis(code: code, values: values)
        }
        return DeviceSlots(
            current: current,
            axes: [
                axis(0x35, rest: 0) { _, x, _ in x }, axis(0x36, rest: 0) { _, _, y in y },
                axis(0x39, rest: -1) { id, _, _ in id },
            ])
    }

    enum Event {
        case slot(Int32)
        case id(Int32)
        case at(Int32, Int32)
        case palm
        /// The end of one contact in protocol A (`SYN_MT_REPORT`).
        case group
        case dropped
        case report
    }

    /// Returns `input_event` records with the time `moment`.
    static func bytes(_ events: [Event], at moment: Instant) -> [UInt8] {
        events.flatMap { event -> [UInt8] in
            switch event {
            case .slot(let number): one(3, 0x2F, number, moment)
            case .id(let id): one(3, 0x39, id, moment)
            case .at(let x, let y): one(3, 0x35, x, moment) + one(3, 0x36, y, moment)
            case .palm: one(3, 0x37, 2, moment)
            case .group: one(0, 2, 0, moment)
            case .dropped: one(0, 3, 0, moment)
            case .report: one(0, 0, 0, moment)
            }
        }
    }

    private static func one(_ type: UInt16, _ code: UInt16, _ value: Int32, _ moment: Instant) -> [UInt8] {
        func little<T: FixedWidthInteger>(_ number: T) -> [UInt8] {
            (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> T($0 * 8)) }
        }
        return little(moment.nanoseconds / 1_000_000_000) + little(moment.nanoseconds % 1_000_000_000 / 1000)
            + little(type) + little(code) + little(value)
    }
}

/// A touch screen of protocol A, 0...1000 on both axes: each scan lists its contacts without numbers.
enum GroupPanel {
    static func facts() -> DeviceFacts {
        guard case .evdev(var facts) = SlotPanel.facts(slots: nil) else { preconditionFailure() }
        facts.codes[2].bits = SlotPanel.bits([0x35, 0x36])
        facts.axes.removeAll { $0.code == 0x2F || $0.code == 0x37 || $0.code == 0x39 }
        return .evdev(facts)
    }
}

/// A HID touch screen written for these tests: up to two fingers in a report, 0...1000 on both axes.
enum ReportPanel {
    /// - Parameter mustReport: Whether it is a Windows 8 device, which reports for as long as a finger touches it.
    static func facts(_ name: String = "Reports", place: String = "", mustReport: Bool = false) -> DeviceFacts {
        let identity = DeviceIdentity(name: name, physicalPath: place, bus: 3, vendor: 0x1234, product: 0x5678)
        // A vendor's feature of 256 bytes with usage 0xC5 marks a Windows 8 device.
        let blob: [UInt8] = [
            0x06, 0x00, 0xFF, 0x09, 0xC5, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 0x08, 0x96, 0x00, 0x01, 0xB1, 0x02,
        ]
        let descriptor = mustReport ? descriptor.dropLast() + blob + [0xC0] : descriptor
        return .hidraw(HIDRawFacts(identity: identity, descriptor: descriptor))
    }

    static let descriptor: [UInt8] = {
        let finger: [UInt8] = [
            0x09, 0x22, 0xA1, 0x02,  // Finger, collection
            0x09, 0x42, 0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x01, 0x81, 0x02,  // Tip Switch, one bit
            0x95, 0x07, 0x81, 0x03,  // seven bits of nothing
            0x75, 0x08, 0x95, 0x01, 0x09, 0x51, 0x25, 0x7F, 0x81, 0x02,  // Contact Identifier
            0x05, 0x01, 0x26, 0xE8, 0x03, 0x75, 0x10, 0x95, 0x01, 0x09, 0x30, 0x81, 0x02, 0x09, 0x31, 0x81, 0x02,
            0x05, 0x0D, 0xC0,
        ]
        let count: [UInt8] = [0x25, 0x7F, 0x75, 0x08, 0x95, 0x01, 0x09, 0x54, 0x81, 0x02]
        return [0x05, 0x0D, 0x09, 0x04, 0xA1, 0x01] + finger + finger + count + [0xC0]
    }()

    struct Contact {
        var id: UInt8
        var isDown = true
        var x, y: UInt16
    }

    static func report(_ contacts: [Contact]) -> [UInt8] {
        var bytes: [UInt8] = []
        for place in 0..<2 {
            guard contacts.indices.contains(place) else {
                bytes += [UInt8](repeating: 0, count: 6)
                continue
            }
            let contact = contacts[place]
            bytes += [contact.isDown ? 1 : 0, contact.id]
            for number in [contact.x, contact.y] { bytes += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
        }
        return bytes + [UInt8(contacts.count)]
    }
}
