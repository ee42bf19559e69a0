// LibinputRecordWriter.swift: writes events as the YAML of `libinput record`, version 1.

import HID

extension EvdevWriter {
    func appendLibinputHeading(to bytes: inout [UInt8]) {
        bytes.append(
            """
            # written by touchline
            version: 1
            ndevices: 1
            libinput:
              version: ""
              git: ""
            devices:
            - node: /dev/input/event0
              evdev:

            """ as StaticString)
        if rangesAreAssumed {
            bytes.append("    # ")
            bytes.append(Self.assumption)
            bytes.append("\n")
        }
        bytes.append("    name: \"")
        for byte in device.name.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append("\\") }
            bytes.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: "?") : byte)
        }
        bytes.append("\"\n    id: ")
        append(list: device.numbers.all.map { Int32($0) }, to: &bytes)
        bytes.append("\n    codes:\n      0: [0, 3] # EV_SYN\n      1: [")
        bytes.append(decimal: Code.touch)
        bytes.append("] # EV_KEY\n      3: ")
        append(list: axes.map { Int32($0.code) }, to: &bytes)
        bytes.append(" # EV_ABS\n      4: [")
        bytes.append(decimal: Code.timestamp)
        bytes.append("] # EV_MSC\n    absinfo:\n")
        for axis in axes {
            bytes.append("      ")
            bytes.append(decimal: axis.code)
            bytes.append(": ")
            append(list: [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution], to: &bytes)
            bytes.append(" # ")
            bytes.append(Self.codeName(3, axis.code))
            bytes.append("\n")
        }
        bytes.append("    properties: [")
        bytes.append(decimal: device.kind == .touchpad ? 0 : 1)
        bytes.append("]\n  udev:\n    properties:\n    - ID_INPUT=1\n    - ")
        bytes.append(device.kind == .touchpad ? "ID_INPUT_TOUCHPAD=1\n" : "ID_INPUT_TOUCHSCREEN=1\n")
        bytes.append("  quirks:\n  events:\n")
    }

    private func append(list values: [Int32], to bytes: inout [UInt8]) {
        bytes.append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(", ") }
            bytes.append(decimal: value)
        }
        bytes.append("]")
    }

    func append(libinput event: Event, at time: Int64, to bytes: inout [UInt8]) {
        bytes.append("    - [")
        bytes.append(decimal: time / 1_000_000, width: 3, fill: 0x20)
        bytes.append(", ")
        bytes.append(decimal: time % 1_000_000, width: 6, fill: 0x20)
        bytes.append(", ")
        bytes.append(decimal: event.type, width: 3, fill: 0x20)
        bytes.append(", ")
        bytes.append(decimal: event.code, width: 3, fill: 0x20)
        bytes.append(", ")
        bytes.append(decimal: event.value, width: 7, fill: 0x20)
        bytes.append("] # ")
        bytes.append(Self.typeName(event.type))
        bytes.append(" / ")
        bytes.append(Self.codeName(event.type, event.code))
        bytes.append("\n")
    }
}
