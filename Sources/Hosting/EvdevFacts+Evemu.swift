// EvdevFacts+Evemu.swift: a device's facts as the head of an evemu recording, and back.
//
//     N: name      I: bus vendor product version      P: properties      B: type codes…      A: code min max fuzz flat res
//
// All a device can say, not only of touch: a recording of it can then be replayed as that device by any tool.
//
// Station   device
// Fed by    the host, for a FIFO's description; `touchline record`
// Knows     lines. Events are the reader's (EvemuReader) and the recorder's.
//
// Sources   documented  evemu's README (whot/evemu), format 1.3

import Basics
import HID

extension EvdevFacts {
    /// The head of a recording: every line up to the first event.
    public var evemuHead: String {
        var lines = ["# EVEMU 1.3", "N: \(identity.name.filter { !$0.isNewline })"]
        let id = [identity.bus, identity.vendor, identity.product, identity.version]
        lines.append("I: " + id.map { Self.hex(UInt32($0), digits: 4) }.joined(separator: " "))
        lines += Self.lines("P:", properties)
        for codes in codes { lines += Self.lines("B: \(Self.hex(UInt32(codes.type), digits: 2))", codes.bits) }
        for entry in axes {
            let axis = entry.axis
            let numbers = [
                axis.minimum, axis.maximum, axis.fuzz, axis.flat,
                Int32(clamping: Int64(clamping: axis.resolution.rounded())),
            ]
            let code = Self.hex(UInt32(entry.code), digits: 2)
            lines.append("A: \(code) " + numbers.map { "\($0)" }.joined(separator: " "))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func hex(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Eight bytes a line, as evemu writes them.
    private static func lines(_ key: String, _ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: 8).map { start in
            let eight = (start..<start + 8).map { bytes.indices.contains($0) ? bytes[$0] : 0 }
            return key + " " + eight.map { hex(UInt32($0), digits: 2) }.joined(separator: " ")
        }
    }

    /// Reads the head of an evemu recording; its events, and what is not evemu's, are passed over.
    ///
    /// - Returns: Nil when no axis and no code is described: whatever it is, it describes no device.
    public init?(evemu text: [UInt8]) {
        self.init(identity: DeviceIdentity())
        for line in text.split(separator: 0x0A) {
            let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            guard let key = words.first, key.count == 2, key.last == UInt8(ascii: ":") else { continue }
            take(key: key[key.startIndex], Array(words.dropFirst()), line: line)
        }
        guard !axes.isEmpty || !codes.isEmpty else { return nil }
        axes.sort { $0.code < $1.code }
        codes.sort { $0.type < $1.type }
    }

    private mutating func take(key: UInt8, _ words: [ArraySlice<UInt8>], line: ArraySlice<UInt8>) {
        func number(_ index: Int, radix: Int) -> Int64? {
            guard words.indices.contains(index) else { return nil }
            return Int64(String(decoding: words[index], as: UTF8.self), radix: radix)
        }
        func bytes(from index: Int) -> [UInt8] {
            (index..<max(index, words.count)).compactMap { number($0, radix: 16).map { UInt8(truncatingIfNeeded: $0) } }
        }
        switch key {
        case UInt8(ascii: "N"):
            let name = line.dropFirst(2).drop { $0 == 0x20 }
            identity.name = String(decoding: name, as: UTF8.self).filter { !$0.isNewline }
        case UInt8(ascii: "I"):
            let id = (0..<4).map { UInt16(truncatingIfNeeded: number($0, radix: 16) ?? 0) }
            (identity.bus, identity.vendor, identity.product, identity.version) = (id[0], id[1], id[2], id[3])
        // The kernel has 4 bytes of properties, and 96 of its longest list of codes.
        case UInt8(ascii: "P"): properties = Array((properties + bytes(from: 0)).prefix(8))
        case UInt8(ascii: "B"):
            guard let type = number(0, radix: 16), (0..<32).contains(type) else { return }
            if let index = codes.firstIndex(where: { $0.type == UInt16(type) }) {
                codes[index].bits = Array((codes[index].bits + bytes(from: 1)).prefix(96))
            } else {
                codes.append(Codes(type: UInt16(type), bits: bytes(from: 1)))
            }
        case UInt8(ascii: "A"):
            guard let code = number(0, radix: 16), (0..<64).contains(code) else { return }
            let numbers = (1...5).map { Int32(clamping: number($0, radix: 10) ?? 0) }
            let axis = DeviceAxis(
                minimum: numbers[0], maximum: numbers[1], resolution: Double(numbers[4]), fuzz: numbers[2],
                flat: numbers[3])
            axes.removeAll { $0.code == UInt16(code) }
            axes.append(Axis(code: UInt16(code), value: 0, axis: axis))
        default: return
        }
    }
}
