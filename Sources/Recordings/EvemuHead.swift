// EvemuHead.swift: parses one line of an evemu recording's head, the description of the device.
//
// Station   device
// Input     EvemuReader, and EvdevFacts for a description alone
// Knows     one line. EvemuReader documents the format.
//
// Sources   documented  evemu's README (whot/evemu), format 1.3

import HID

/// One line of the head.
enum EvemuHead {
    case name(String)
    case numbers(bus: UInt16, vendor: UInt16, product: UInt16, version: UInt16)
    /// Bytes of INPUT_PROP bits; lines append.
    case properties([UInt8])
    /// Bytes of the codes of an event type; lines of one type append.
    case codes(type: UInt16, bits: [UInt8])
    /// An empty range, such as 0 to −1, comes from a device that does not know its range.
    case axis(code: UInt16, DeviceAxis)

    /// Parses a line after its letter.
    ///
    /// - Returns: Nil for a letter that does not describe the device.
    /// - Throws: `Complaint` for a broken line.
    init?(letter: UInt8, _ fields: inout Fields) throws(Complaint) {
        switch letter {
        case UInt8(ascii: "N"): self = .name(fields.restOfLine)
        case UInt8(ascii: "I"):
            self = .numbers(
                bus: try fields.readHex("a bus"), vendor: try fields.readHex("a vendor"),
                product: try fields.readHex("a product"), version: try fields.readHex("a version"))
        case UInt8(ascii: "P"):
            var bits: [UInt8] = []
            while let byte = try fields.readByte("property bits") { bits.append(byte) }
            self = .properties(bits)
        case UInt8(ascii: "B"):
            let type = try fields.readHex("an event type")
            var bits: [UInt8] = []
            while let byte = try fields.readByte("event code bits") { bits.append(byte) }
            self = .codes(type: type, bits: bits)
        case UInt8(ascii: "A"):
            let code = try fields.readHex("an axis code")
            let minimum = try fields.readDecimal("the axis minimum")
            let maximum = try fields.readDecimal("the axis maximum")
            let fuzz = try fields.readDecimal("fuzz")
            let flat = try fields.readDecimal("flat")
            let resolution = fields.isAtEnd ? 0 : try fields.readDecimal("a resolution")
            self = .axis(
                code: code,
                DeviceAxis(
                    minimum: minimum, maximum: maximum, resolution: Double(resolution), fuzz: fuzz, flat: flat))
        default: return nil
        }
    }
}

extension EvdevDescription {
    mutating func describe(_ head: EvemuHead) {
        switch head {
        case .name(let name): self.name = name
        case .numbers(let bus, let vendor, let product, let version):
            (self.bus, self.vendor, self.product, self.version) = (bus, vendor, product, version)
        case .properties(let bits): for byte in bits { setNextProperties(byte) }
        case .codes(let type, let bits): for byte in bits { listNext(byte, ofType: type) }
        case .axis(let code, let axis): describe(axis: code, as: axis)
        }
    }
}
