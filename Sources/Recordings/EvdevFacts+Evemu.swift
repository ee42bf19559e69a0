// EvdevFacts+Evemu.swift: a device's facts as the head of an evemu recording, and back.
//
//     N: name    I: bus vendor product version    P: properties    B: type codes…    A: code min max fuzz flat res
//
// The head contains all facts of the device, not only about touch. So any tool can replay a recording as that device.
//
// Station   device
// Input     the host, for a FIFO's description; `touchline record`; the simulator's panel
// Knows     lines. EvemuHead parses them, as for EvemuReader.
//
// Sources   documented  evemu's README (whot/evemu), format 1.3

import Basics
public import HID

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

    /// Reads the head of an evemu recording. Events, broken lines and other lines are skipped.
    ///
    /// - Returns: Nil if no axis and no code is described: such a text describes no device.
    public init?(evemu text: [UInt8]) {
        self.init(identity: DeviceIdentity())
        for line in text.split(separator: 0x0A) {
            var fields = Fields(line.span)
            guard let letter = fields.first, fields.skipKey(letter) else { continue }
            do throws(Complaint) {
                if let head = try EvemuHead(letter: letter, &fields) { describe(head) }
            } catch { continue }
        }
        guard !axes.isEmpty || !codes.isEmpty else { return nil }
        axes.sort { $0.code < $1.code }
        codes.sort { $0.type < $1.type }
    }

    private mutating func describe(_ head: EvemuHead) {
        switch head {
        case .name(let name): identity.name = name
        case .numbers(let bus, let vendor, let product, let version):
            (identity.bus, identity.vendor, identity.product, identity.version) = (bus, vendor, product, version)
        // The kernel has 4 bytes of properties, and 96 bytes of its longest list of codes.
        case .properties(let bits): properties = Array((properties + bits).prefix(8))
        case .codes(let type, let bits):
            guard type < 32 else { return }
            if let index = codes.firstIndex(where: { $0.type == type }) {
                codes[index].bits = Array((codes[index].bits + bits).prefix(96))
            } else {
                codes.append(Codes(type: type, bits: Array(bits.prefix(96))))
            }
        case .axis(let code, let axis):
            guard code < 64 else { return }
            axes.removeAll { $0.code == code }
            axes.append(Axis(code: code, value: 0, axis: axis))
        }
    }
}
