// EvemuWriter.swift: writes events as evemu 1.3 text; EvemuReader documents the format.

import HID

extension EvdevWriter {
    func appendEvemuHeading(to bytes: inout [UInt8]) {
        bytes.append("# EVEMU 1.3\n# written by touchline\n")
        if rangesAreAssumed {
            bytes.append("# ")
            bytes.append(Self.assumption)
            bytes.append("\n")
        }
        bytes.append("N: ")
        bytes.append(name: device.name)
        bytes.append("\nI:")
        for number in device.numbers.all {
            bytes.append(" ")
            bytes.append(hex: UInt32(number), width: 4)
        }
        bytes.append("\nP:")
        // INPUT_PROP_POINTER is bit 0, INPUT_PROP_DIRECT bit 1.
        appendBits([device.kind == .touchpad ? 0 : 1], count: 64, to: &bytes)
        bytes.append("\n")
        let types: [(UInt8, [UInt16], Int)] = [
            (0, [0, 1, 3, 4], 64), (1, [Code.touch], 768), (3, axes.map(\.code), 64), (4, [Code.timestamp], 64),
        ]
        for (type, codes, count) in types {
            // Eight bytes a line.
            for start in stride(from: 0, to: count, by: 64) {
                bytes.append("B: ")
                bytes.append(hex: UInt32(type), width: 2)
                appendBits(
                    codes.filter { (start..<start + 64).contains(Int($0)) }.map { $0 % 64 }, count: 64, to: &bytes)
                bytes.append("\n")
            }
        }
        for axis in axes {
            bytes.append("A: ")
            bytes.append(hex: UInt32(axis.code), width: 2)
            for value in [axis.minimum, axis.maximum, axis.fuzz, axis.flat, axis.resolution] {
                bytes.append(" ")
                bytes.append(decimal: value)
            }
            bytes.append("\n")
        }
    }

    private func appendBits(_ bits: [UInt16], count: Int, to bytes: inout [UInt8]) {
        for byte in 0..<UInt16(count / 8) {
            let value = bits.reduce(UInt32(0)) { $1 / 8 == byte ? $0 | 1 << UInt32($1 % 8) : $0 }
            bytes.append(" ")
            bytes.append(hex: value, width: 2)
        }
    }

    func append(evemu event: Event, at time: Int64, to bytes: inout [UInt8]) {
        bytes.append("E: ")
        bytes.append(microseconds: time)
        bytes.append(" ")
        bytes.append(hex: UInt32(event.type), width: 4)
        bytes.append(" ")
        bytes.append(hex: UInt32(event.code), width: 4)
        bytes.append(" ")
        bytes.append(decimal: event.value)
        bytes.append("\n")
    }
}
