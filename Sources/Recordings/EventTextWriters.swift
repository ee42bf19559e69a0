// EventTextWriters.swift: writes events in two formats that programs only print: evtest's, and Android's getevent's.

import HID

// MARK: evtest

extension EvdevWriter {
    func appendEvtestHeading(to bytes: inout [UInt8]) {
        bytes.append("Input driver version is 1.0.1\nInput device ID:")
        let names: [StaticString] = [" bus 0x", " vendor 0x", " product 0x", " version 0x"]
        for (name, number) in zip(names, device.numbers.all) {
            bytes.append(name)
            bytes.append(text: String(number, radix: 16))
        }
        bytes.append("\nInput device name: \"")
        bytes.append(name: device.name)
        bytes.append(
            """
            "
            Supported events:
              Event type 0 (EV_SYN)
              Event type 1 (EV_KEY)
                Event code 330 (BTN_TOUCH)
              Event type 3 (EV_ABS)

            """ as StaticString)
        for axis in axes {
            bytes.append("    Event code ")
            bytes.append(decimal: axis.code)
            bytes.append(" (")
            bytes.append(Self.codeName(3, axis.code))
            bytes.append(")\n")
            let lines: [(StaticString, Int32)] = [
                ("Value  ", 0), ("Min    ", axis.minimum), ("Max    ", axis.maximum), ("Fuzz   ", axis.fuzz),
                ("Flat   ", axis.flat), ("Resolution ", axis.resolution),
            ]
            for (name, value) in lines {
                // As evtest does: the last three only if they are not 0.
                let isOptional = name.utf8Start[0] == UInt8(ascii: "F") || name.utf8Start[0] == UInt8(ascii: "R")
                if isOptional, value == 0 { continue }
                bytes.append("      ")
                bytes.append(name)
                bytes.append(decimal: value, width: 6, fill: 0x20)
                bytes.append("\n")
            }
        }
        bytes.append(
            """
              Event type 4 (EV_MSC)
                Event code 5 (MSC_TIMESTAMP)
            Properties:
            """ as StaticString)
        bytes.append(
            device.kind == .touchpad
                ? "\n  Property type 0 (INPUT_PROP_POINTER)\n" : "\n  Property type 1 (INPUT_PROP_DIRECT)\n")
        if rangesAreAssumed {
            bytes.append("# ")
            bytes.append(Self.assumption)
            bytes.append("\n")
        }
        bytes.append("Testing ... (interrupt to exit)\n")
    }

    func append(evtest event: Event, at time: Int64, to bytes: inout [UInt8]) {
        bytes.append("Event: time ")
        bytes.append(microseconds: time)
        if event.isReport {
            bytes.append(", -------------- SYN_REPORT ------------\n")
            return
        }
        bytes.append(", type ")
        bytes.append(decimal: event.type)
        bytes.append(" (")
        bytes.append(Self.typeName(event.type))
        bytes.append("), code ")
        bytes.append(decimal: event.code)
        bytes.append(" (")
        bytes.append(Self.codeName(event.type, event.code))
        bytes.append("), value ")
        bytes.append(decimal: event.value)
        bytes.append("\n")
    }
}

// MARK: getevent

extension EvdevWriter {
    /// Writes the output of `getevent -lp`; events as of `-lt` follow, which have neither name nor ranges.
    func appendGeteventHeading(to bytes: inout [UInt8]) {
        bytes.append("add device 1: /dev/input/event0\n")
        if device.numbers.all.contains(where: { $0 != 0 }) {
            let names: [StaticString] = ["  bus:      ", "  vendor    ", "  product   ", "  version   "]
            for (name, number) in zip(names, device.numbers.all) {
                bytes.append(name)
                bytes.append(hex: UInt32(number), width: 4)
                bytes.append("\n")
            }
        }
        bytes.append("  name:     \"")
        bytes.append(name: device.name)
        bytes.append("\"\n  events:\n    KEY (0001): BTN_TOUCH\n    ABS (0003):")
        for (index, axis) in axes.enumerated() {
            bytes.append(index == 0 ? " " : "                ")
            bytes.append(Self.codeName(3, axis.code))
            for _ in 0..<max(0, 22 - Self.codeName(3, axis.code).utf8CodeUnitCount) { bytes.append(" ") }
            bytes.append(": value 0")
            let values: [(StaticString, Int32)] = [
                (", min ", axis.minimum), (", max ", axis.maximum), (", fuzz ", axis.fuzz), (", flat ", axis.flat),
                (", resolution ", axis.resolution),
            ]
            for (name, value) in values {
                bytes.append(name)
                bytes.append(decimal: value)
            }
            bytes.append("\n")
        }
        bytes.append("    MSC (0004): MSC_TIMESTAMP\n  input props:\n")
        bytes.append(device.kind == .touchpad ? "    INPUT_PROP_POINTER\n" : "    INPUT_PROP_DIRECT\n")
    }

    func append(getevent event: Event, at time: Int64, to bytes: inout [UInt8]) {
        bytes.append("[")
        bytes.append(microseconds: time, width: 8, fill: 0x20)
        bytes.append("] ")
        append(Self.typeName(event.type), paddedTo: 13, into: &bytes)
        append(Self.codeName(event.type, event.code), paddedTo: 21, into: &bytes)
        if event.type == 1 {
            append(event.value == 0 ? "UP" : "DOWN", paddedTo: 20, into: &bytes)
        } else {
            bytes.append(hex: UInt32(bitPattern: event.value), width: 8)
            bytes.append("            ")
        }
        bytes.append("\n")
    }

    private func append(_ text: StaticString, paddedTo width: Int, into bytes: inout [UInt8]) {
        bytes.append(text)
        for _ in 0..<max(0, width - text.utf8CodeUnitCount) { bytes.append(" ") }
    }
}
