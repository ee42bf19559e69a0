// ReportDescriptorParser.swift: parses the items of a report descriptor into fields and collections.
//
// Station   device
// Input     the bytes of a descriptor
// Output    ReportDescriptor
//
// Sources   documented  HID 1.11, 6.2.2; 6.2.2.8: of a delimited set the first usage is the preferred one

/// The parser of one report descriptor.
struct ReportDescriptorParser {
    /// The registers, which hold until they are set again. Push and Pop save and restore all of them.
    private struct Globals {
        var page: UInt16 = 0
        var logicalMinimum = Extent()
        var logicalMaximum = Extent()
        var physicalMinimum = Extent()
        var physicalMaximum = Extent()
        var unit: UInt32 = 0
        var unitExponent = 0
        var reportSize: UInt32 = 0
        var reportCount: UInt32 = 0
        var reportID: UInt8?
    }

    /// A limit before its sign is known.
    private struct Extent {
        var signed: Int64 = 0
        var unsigned: Int64 = 0
    }

    /// The values for the next main item only.
    private struct Locals {
        var usages: [Usage] = []
        var minimum: Value?
        var maximum: Value?
        /// Whether the parser is inside a delimited set, and whether the set's preferred usage was read.
        var isDelimited = false
        var hasPreferred = false
    }

    private struct Usage {
        /// Nil for the page in force at the main item.
        var page: UInt16?
        var first, last: UInt16
    }

    /// A usage as an item has it.
    private struct Value {
        var page: UInt16?
        var usage: UInt16
    }

    private struct Item {
        var offset: Int
        /// The first byte without its size.
        var tag: UInt8
        /// 0, 1, 2 or 4.
        var size: Int
        var unsigned: UInt32

        var signed: Int32 {
            switch size {
            case 1: Int32(Int8(truncatingIfNeeded: unsigned))
            case 2: Int32(Int16(truncatingIfNeeded: unsigned))
            default: Int32(bitPattern: unsigned)
            }
        }
        var extent: Extent { Extent(signed: Int64(signed), unsigned: Int64(unsigned)) }
        var usage: Value {
            Value(
                page: size == 4 ? UInt16(truncatingIfNeeded: unsigned >> 16) : nil,
                usage: UInt16(truncatingIfNeeded: unsigned))
        }
    }

    private var globals = Globals()
    private var stack: [Globals] = []
    private var locals = Locals()
    private var open: [Int] = []
    private var descriptor = ReportDescriptor()

    mutating func parse(_ bytes: Span<UInt8>) -> ReportDescriptor {
        do throws(ReportDescriptorError) { try parseAll(bytes) } catch { descriptor.fault = error }
        return descriptor
    }

    private mutating func parseAll(_ bytes: Span<UInt8>) throws(ReportDescriptorError) {
        guard bytes.count <= ReportDescriptor.byteLimit else {
            throw ReportDescriptorError(
                offset: 0, expected: "a descriptor of at most \(ReportDescriptor.byteLimit) bytes",
                found: "\(bytes.count)")
        }
        var next = 0
        while next < bytes.count {
            let offset = next
            let prefix = bytes[next]
            if prefix == 0xFE {
                // The bytes of a long item: the prefix, the size of the data, the tag, the data.
                let end = next + 1 < bytes.count ? next + 3 + Int(bytes[next + 1]) : bytes.count + 1
                guard end <= bytes.count else {
                    throw truncation(offset, "the rest of a long item", bytes.count - next)
                }
                next = end
                continue
            }
            let size = prefix & 3 == 3 ? 4 : Int(prefix & 3)
            guard next + 1 + size <= bytes.count else {
                throw truncation(
                    offset, "an item's \(size) byte\(size == 1 ? "" : "s") of data", bytes.count - next - 1)
            }
            var value: UInt32 = 0
            for index in 0..<size { value |= UInt32(bytes[next + 1 + index]) << UInt32(8 * index) }
            next += 1 + size
            try parse(Item(offset: offset, tag: prefix & 0xFC, size: size, unsigned: value))
        }
        guard open.isEmpty else {
            throw ReportDescriptorError(
                offset: bytes.count, expected: "an End Collection for each Collection", found: "\(open.count) open")
        }
    }

    private func truncation(_ offset: Int, _ expected: String, _ left: Int) -> ReportDescriptorError {
        ReportDescriptorError(offset: offset, expected: expected, found: "\(left) byte\(left == 1 ? "" : "s")")
    }

    private mutating func parse(_ item: Item) throws(ReportDescriptorError) {
        switch item.tag {
        case 0x80: try addField(.input, item)
        case 0x90: try addField(.output, item)
        case 0xB0: try addField(.feature, item)
        case 0xA0: try openCollection(item)
        case 0xC0: try closeCollection(item)

        case 0x04: globals.page = UInt16(truncatingIfNeeded: item.unsigned)
        case 0x14: globals.logicalMinimum = item.extent
        case 0x24: globals.logicalMaximum = item.extent
        case 0x34: globals.physicalMinimum = item.extent
        case 0x44: globals.physicalMaximum = item.extent
        case 0x54: globals.unitExponent = Self.exponent(item)
        case 0x64: globals.unit = item.unsigned
        case 0x74: globals.reportSize = item.unsigned
        case 0x84: try setReportID(item)
        case 0x94: globals.reportCount = item.unsigned
        case 0xA4: try push(item)
        case 0xB4: try pop(item)

        case 0x08: addUsage(item.usage)
        case 0x18:
            locals.minimum = item.usage
            addCompleteRange()
        case 0x28:
            locals.maximum = item.usage
            addCompleteRange()
        case 0xA8: (locals.isDelimited, locals.hasPreferred) = (item.unsigned == 1, false)

        // Designators and strings only describe, and reserved tags have no meaning yet.
        default: return
        }
    }

    /// The exponent as HID's signed nibble, or the whole value if a device wrote a larger one.
    private static func exponent(_ item: Item) -> Int {
        guard item.unsigned & ~0xF == 0 else { return Int(item.signed) }
        return item.unsigned > 7 ? Int(item.unsigned) - 16 : Int(item.unsigned)
    }

    private mutating func setReportID(_ item: Item) throws(ReportDescriptorError) {
        guard (1...255).contains(item.unsigned) else {
            throw ReportDescriptorError(
                offset: item.offset, expected: "a Report ID from 1 to 255", found: "\(item.unsigned)")
        }
        globals.reportID = UInt8(item.unsigned)
        descriptor.hasReportIDs = true
    }

    private mutating func push(_ item: Item) throws(ReportDescriptorError) {
        guard stack.count < ReportDescriptor.stackLimit else {
            throw ReportDescriptorError(
                offset: item.offset, expected: "at most \(ReportDescriptor.stackLimit) Pushes without a Pop",
                found: "one more")
        }
        stack.append(globals)
    }

    private mutating func pop(_ item: Item) throws(ReportDescriptorError) {
        guard let saved = stack.popLast() else {
            throw ReportDescriptorError(offset: item.offset, expected: "a Push before a Pop", found: "none")
        }
        globals = saved
    }

    // MARK: Usages

    private mutating func addUsage(_ value: Value) {
        append(Usage(page: value.page, first: value.usage, last: value.usage))
    }

    /// Adds a range once both ends are known, in either order. A range with its ends exchanged is dropped.
    private mutating func addCompleteRange() {
        guard let minimum = locals.minimum, let maximum = locals.maximum else { return }
        (locals.minimum, locals.maximum) = (nil, nil)
        guard minimum.usage <= maximum.usage else { return }
        append(Usage(page: maximum.page ?? minimum.page, first: minimum.usage, last: maximum.usage))
    }

    private mutating func append(_ usage: Usage) {
        if locals.isDelimited {
            guard !locals.hasPreferred else { return }
            locals.hasPreferred = true
        }
        locals.usages.append(usage)
    }

    // MARK: Main items

    private mutating func openCollection(_ item: Item) throws(ReportDescriptorError) {
        guard open.count < ReportDescriptor.depthLimit else {
            throw ReportDescriptorError(
                offset: item.offset, expected: "collections at most \(ReportDescriptor.depthLimit) deep",
                found: "one deeper")
        }
        let usage = locals.usages.first
        locals = Locals()
        open.append(descriptor.collections.count)
        descriptor.collections.append(
            ReportDescriptor.Collection(
                type: UInt8(truncatingIfNeeded: item.unsigned),
                usage: HIDUsage(
                    page: usage.map { $0.page ?? globals.page } ?? 0, usage: usage?.first ?? 0),
                parent: open.dropLast().last))
    }

    private mutating func closeCollection(_ item: Item) throws(ReportDescriptorError) {
        locals = Locals()
        guard open.popLast() != nil else {
            throw ReportDescriptorError(
                offset: item.offset, expected: "a Collection before its End Collection", found: "none open")
        }
    }

    private mutating func addField(
        _ kind: ReportDescriptor.ReportKind, _ item: Item
    ) throws(ReportDescriptorError) {
        let usages = locals.usages.map {
            ReportDescriptor.UsageSpan(page: $0.page ?? globals.page, first: $0.first, last: $0.last)
        }
        locals = Locals()
        let index = ReportDescriptor.index(kind, globals.reportID)
        let offset = descriptor.reportBits[index]
        // Both factors have 32 bits, so the product fits into 64.
        let bits = UInt64(globals.reportSize) * UInt64(globals.reportCount)
        let room = UInt64(ReportDescriptor.reportByteLimit * 8 - offset)
        guard bits <= room else {
            throw ReportDescriptorError(
                offset: item.offset, expected: "reports of at most \(ReportDescriptor.reportByteLimit) bytes",
                found: "\(globals.reportCount) × \(globals.reportSize) bits more than the \(offset) so far")
        }
        guard bits > 0 else { return }
        descriptor.reportBits[index] = offset + Int(bits)
        let (logical, physical) = (globals.logicalMinimum.signed, globals.physicalMinimum.signed)
        descriptor.fields.append(
            ReportDescriptor.Field(
                kind: kind, reportID: globals.reportID, bitOffset: offset, bitSize: Int(globals.reportSize),
                count: Int(globals.reportCount), usages: usages,
                logicalMinimum: logical,
                // A maximum is unsigned if its minimum is not negative.
                logicalMaximum: logical < 0 ? globals.logicalMaximum.signed : globals.logicalMaximum.unsigned,
                physicalMinimum: physical,
                physicalMaximum: physical < 0 ? globals.physicalMaximum.signed : globals.physicalMaximum.unsigned,
                unit: globals.unit, unitExponent: globals.unitExponent,
                flags: ReportDescriptor.Flags(rawValue: item.unsigned), collection: open.last))
    }
}
