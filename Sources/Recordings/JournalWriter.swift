// JournalWriter.swift: writes frames as touchline's own journal; JournalReader documents the format.

import Basics
import HID

/// Writes the format `touchline-journal`.
struct JournalWriter: FrameWriter {
    private let device: DeviceDescription
    private let ranges: AxisRanges
    private let contactProtocol: ContactProtocol?
    private let mode: ReportingMode?
    private var memory = JournalMemory()
    /// The ids that this frame contains and that have not ended since.
    private var liveIDs: [Int64] = []
    private var lastTime: Int64 = 0
    private var frames = 0

    init(device: DeviceDescription, ranges: AxisRanges, contactProtocol: ContactProtocol?, mode: ReportingMode?) {
        (self.device, self.ranges, self.contactProtocol, self.mode) = (device, ranges, contactProtocol, mode)
    }

    func begin(into bytes: inout [UInt8]) {
        bytes.append("touchline-journal 1;\n")
        if !device.name.isEmpty {
            bytes.append("name ")
            // A name is one line and stays exact: bytes that would end or change the line become %XX.
            let name = Array(device.name.utf8)
            for (index, byte) in name.enumerated() {
                let isAtEdge = byte == 0x20 && (index == 0 || index == name.count - 1)
                if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") || byte == UInt8(ascii: ";") || isAtEdge {
                    bytes.append("%")
                    bytes.append(hex: UInt32(byte), width: 2)
                } else {
                    bytes.append(byte)
                }
            }
            bytes.append(";\n")
        }
        let numbers = device.numbers.all
        if numbers.contains(where: { $0 != 0 }) {
            bytes.append("id")
            for number in numbers {
                bytes.append(" ")
                bytes.append(hex: UInt32(number), width: 4)
            }
            bytes.append(";\n")
        }
        if let kind = device.kind { append("kind ", kind.rawValue, to: &bytes) }
        if let contactProtocol { append("protocol ", contactProtocol.rawValue, to: &bytes) }
        if let mode { append("mode ", mode.rawValue, to: &bytes) }
        if let count = device.contactCount {
            bytes.append("contacts ")
            bytes.append(decimal: count)
            bytes.append(";\n")
        }
        var described = device
        if device.ranges == nil, ranges != RecordingReader.assumedRanges {
            // A person gave these ranges, and no other line of the file contains them.
            described.x = DeviceAxis(minimum: ranges.x.lowerBound, maximum: ranges.x.upperBound)
            described.y = DeviceAxis(minimum: ranges.y.lowerBound, maximum: ranges.y.upperBound)
        }
        for one in JournalAxis.allCases {
            guard let axis = described[keyPath: one.path] else { continue }
            bytes.append("axis ")
            bytes.append(text: one.name)
            for value in [axis.minimum, axis.maximum, axis.fuzz, axis.flat] {
                bytes.append(" ")
                bytes.append(decimal: value)
            }
            bytes.append(" ")
            // The shortest text that reads back to this number.
            bytes.append(text: "\(axis.resolution.isFinite ? axis.resolution : 0)")
            bytes.append(";\n")
        }
    }

    private func append(_ word: StaticString, _ value: String, to bytes: inout [UInt8]) {
        bytes.append(word)
        bytes.append(text: value)
        bytes.append(";\n")
    }

    mutating func write(_ frame: ContactFrame, into bytes: inout [UInt8]) {
        lastTime = max(lastTime, frame.time.nanoseconds)
        frames += 1
        bytes.append("@")
        bytes.append(decimal: lastTime)
        if let scanTime = frame.scanTime {
            bytes.append(" s")
            bytes.append(decimal: scanTime.nanoseconds)
        }
        liveIDs.removeAll(keepingCapacity: true)
        for contact in frame.contacts {
            guard let contact = repaired(contact) else { continue }
            bytes.append(" ")
            append(contact, to: &bytes)
        }
        bytes.append(";\n")
    }

    /// Repairs a contact for the reader: each begins once, continues, and ends. Nil for a contact to omit.
    private mutating func repaired(_ contact: DeviceContact) -> DeviceContact? {
        let isDown = memory[contact.id] != nil
        var contact = contact
        switch contact.phase {
        case .ended, .cancelled: return isDown ? contact : nil
        case .began, .moved, .stationary:
            guard isDown else {
                liveIDs.append(contact.id)
                contact.phase = .began
                return memory.contacts.count < HIDEvent.fingerLimit ? contact : nil
            }
            guard !liveIDs.contains(contact.id) else { return nil }
            liveIDs.append(contact.id)
            if contact.phase == .began { contact.phase = .moved }
            return contact
        }
    }

    private mutating func append(_ contact: DeviceContact, to bytes: inout [UInt8]) {
        let before = memory[contact.id]
        bytes.append(decimal: contact.id)
        bytes.append(contact.phase.letter)
        if before.map({ $0.x != contact.x || $0.y != contact.y }) ?? true {
            bytes.append(decimal: contact.x)
            bytes.append(",")
            bytes.append(decimal: contact.y)
        }
        let (now, then) = (contact.attributes, before?.attributes ?? ContactAttributes())
        if now != then {
            if now.tool != then.tool {
                bytes.append("/t")
                bytes.append(decimal: now.tool.rawValue)
            }
            for field in ContactField.allCases where now[keyPath: field.value] != then[keyPath: field.value] {
                bytes.append("/")
                bytes.append(field.letter)
                if let value = now[keyPath: field.value] { bytes.append(decimal: value) } else { bytes.append("-") }
            }
        }
        memory.update(with: contact)
    }

    func finish(at time: Duration?, into bytes: inout [UInt8]) {
        bytes.append("end ")
        bytes.append(decimal: max(lastTime, time?.nanoseconds ?? 0))
        bytes.append(" ")
        bytes.append(decimal: frames)
        bytes.append(";\n")
    }
}
