// ReportDescriptor.swift: the layout of a HID device's reports, by its own description.
//
// Station   device
// Input     ReportDescriptorParser, with a recording's R line or the kernel's HIDIOCGRDESC
// Output    fields and collections for TouchReportLayouts
// Knows     bits, usages and collections. Not what a touch is.
//
// A descriptor is a program of items. Global items set registers, and local items describe the next main item. A main item
// declares a field, or opens or closes a collection:
//
//     byte 0     tag ⎮ type ⎮ size      4, 2, 2 bits; type 0 main, 1 global, 2 local; size 0, 1, 2 or 4 bytes
//     then       data                   little endian
//     0xFE       size, tag, data        a long item: skipped, because no standard defines one
//
// Each report (kind and id) is filled from bit 0 in the order of its fields. A constant field is padding and takes space.
//
// Sources   documented  Device Class Definition for HID 1.11, 6.2.2
//           observed    Linux hid-core: a usage's page is the one in force at its main item; exponents that are not
//                       nibbles

/// The parsed descriptor, or the part of it that could be read.
public struct ReportDescriptor: Hashable, Sendable {
    /// The kind of a report.
    public enum ReportKind: UInt8, Sendable, CaseIterable { case input, output, feature }

    /// A collection of the descriptor.
    public struct Collection: Hashable, Sendable {
        /// 0 physical, 1 application, 2 logical, as in the item.
        public var type: UInt8
        /// Page 0 if it has none.
        public var usage: HIDUsage
        /// The index in `collections`; nil at the top.
        public var parent: Int?

        static let application: UInt8 = 1
    }

    /// The field of one main item: `count` values of `bitSize` bits each, in sequence.
    public struct Field: Hashable, Sendable {
        public var kind: ReportKind
        /// Nil if the descriptor uses no report ids.
        public var reportID: UInt8?
        /// The distance from the first bit after the report's id.
        public var bitOffset: Int
        /// The size of one value; 0 takes no space and has no value.
        public var bitSize: Int
        public var count: Int
        /// In order. If there are fewer usages than values, the last one applies to the rest.
        public var usages: [UsageSpan]
        /// A range exceeds 32 bits only for unsigned values.
        public var logicalMinimum, logicalMaximum: Int64
        public var physicalMinimum, physicalMaximum: Int64
        /// In HID's format: a nibble for the system and one for each exponent.
        public var unit: UInt32
        /// The exponent of ten.
        public var unitExponent: Int
        public var flags: Flags
        /// The index in `collections`; nil outside all of them.
        public var collection: Int?

        /// The usage of the value at an index, from 0; nil beyond `count` and for a field without usages.
        public func usage(at index: Int) -> HIDUsage? {
            guard index >= 0, index < count, let last = usages.last else { return nil }
            var rest = UInt32(clamping: index)
            for span in usages {
                let steps = UInt32(span.last - span.first)
                if rest <= steps { return HIDUsage(page: span.page, usage: span.first + UInt16(rest)) }
                rest -= steps + 1
            }
            return HIDUsage(page: last.page, usage: last.last)
        }

        /// The usages of the first values, as `usage(at:)` returns them.
        ///
        /// - Parameter repeatsLast: Whether to continue with the last usage for values that have none of their own.
        func usages(first limit: Int, repeatsLast: Bool) -> [HIDUsage] {
            var found: [HIDUsage] = []
            let end = min(count, limit)
            for span in usages {
                var usage = span.first
                while found.count < end {
                    found.append(HIDUsage(page: span.page, usage: usage))
                    if usage == span.last { break }
                    usage += 1
                }
            }
            if repeatsLast, let last = found.last {
                while found.count < end { found.append(last) }
            }
            return found
        }
    }

    /// The flags of a main item.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The field is padding.
        public static let constant = Flags(rawValue: 1 << 0)
        /// Each value belongs to its usage. Without the flag, each value names one of the usages.
        public static let variable = Flags(rawValue: 1 << 1)
        public static let relative = Flags(rawValue: 1 << 2)
    }

    /// A range of usages of one page.
    public struct UsageSpan: Hashable, Sendable {
        public var page, first, last: UInt16
    }

    /// In order of declaration.
    public internal(set) var fields: [Field] = []
    public internal(set) var collections: [Collection] = []
    /// Whether a report begins with its id.
    public internal(set) var hasReportIDs = false
    /// The reason why the rest could not be read; nil if the whole descriptor was read.
    public internal(set) var fault: ReportDescriptorError?

    /// The number of bits of each report without its id, by kind and id.
    var reportBits = [Int](repeating: 0, count: ReportKind.allCases.count * 256)

    /// The largest report in bytes, as in Linux.
    public static let reportByteLimit = 16_384
    /// The largest depth of nested collections.
    public static let depthLimit = 64
    /// The largest number of Push items without a Pop.
    public static let stackLimit = 64
    /// The largest descriptor in bytes.
    public static let byteLimit = 65_536

    init() {}

    /// - Throws: `ReportDescriptorError` if any part cannot be read. At fault: the device.
    public init(parsing bytes: Span<UInt8>) throws(ReportDescriptorError) {
        self.init(asFarAsReadable: bytes)
        if let fault { throw fault }
    }

    /// - Throws: `ReportDescriptorError` if any part cannot be read. At fault: the device.
    public init(parsing bytes: [UInt8]) throws(ReportDescriptorError) { try self.init(parsing: bytes.span) }

    /// Reads the part before the first fault, which is stored in `fault`: devices with faulty descriptors still report touches.
    public init(asFarAsReadable bytes: Span<UInt8>) {
        var parser = ReportDescriptorParser()
        self = parser.parse(bytes)
    }

    /// Reads the part before the first fault, which is stored in `fault`.
    public init(asFarAsReadable bytes: [UInt8]) { self.init(asFarAsReadable: bytes.span) }

    /// The length of a report in bytes, with its id.
    ///
    /// - Returns: 0 if the descriptor declares no such report.
    public func reportBytes(_ kind: ReportKind, id: UInt8?) -> Int {
        let bits = reportBits[Self.index(kind, id)]
        return bits == 0 ? 0 : (bits + 7) / 8 + (hasReportIDs ? 1 : 0)
    }

    static func index(_ kind: ReportKind, _ id: UInt8?) -> Int { Int(kind.rawValue) * 256 + Int(id ?? 0) }
}

/// A descriptor that breaks the rules of HID. At fault: the device.
///
/// The decoder uses the part before the fault, and reports the fault.
public struct ReportDescriptorError: Error, Hashable, Sendable {
    /// The item's offset from the first byte of the descriptor.
    public var offset: Int
    public var expected: String
    public var found: String

    public init(offset: Int, expected: String, found: String) {
        (self.offset, self.expected, self.found) = (offset, expected, found)
    }
}

extension ReportDescriptorError: CustomStringConvertible {
    public var description: String { "report descriptor, byte \(offset): expected \(expected), found \(found)" }
}
