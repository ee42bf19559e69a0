// ReportDescriptor.swift: what a HID device says its reports look like.
//
// A descriptor is a program of items. Global items set registers, local ones describe the next main item, and a main
// item lays out a field, or opens or closes a collection:
//
//     byte 0     tag ⎮ type ⎮ size      4, 2, 2 bits; type 0 main, 1 global, 2 local; size 0, 1, 2 or 4 bytes
//     then       data                   little endian
//     0xFE       size, tag, data        a long item: skipped, nobody has defined one
//
// Each report, by kind and id, is filled from bit 0 on in the order its fields are declared. A constant field is
// padding, and takes its space.
//
// Station   device
// Fed by    ReportDescriptorParser, with a recording's R line or the kernel's HIDIOCGRDESC
// Feeds     TouchReportLayouts
// Knows     bits, usages and collections. Not what a touch is.
//
// Sources   documented  Device Class Definition for HID 1.11, 6.2.2
//           observed    Linux hid-core: a usage's page is the one in force at its main item; exponents that are not
//                       nibbles

/// The parsed descriptor, or as much of it as could be read.
public struct ReportDescriptor: Hashable, Sendable {
    public enum ReportKind: UInt8, Sendable, CaseIterable { case input, output, feature }

    public struct Collection: Hashable, Sendable {
        /// 0 physical, 1 application, 2 logical, as the item says.
        public var type: UInt8
        /// Page 0 when it has none.
        public var usage: HIDUsage
        /// In `collections`; nil at the top.
        public var parent: Int?

        static let application: UInt8 = 1
    }

    /// What one main item lays out: `count` values of `bitSize` each, one after the other.
    public struct Field: Hashable, Sendable {
        public var kind: ReportKind
        /// Nil when the descriptor uses no report ids.
        public var reportID: UInt8?
        /// From the first bit after the report's id.
        public var bitOffset: Int
        /// Of one value. 0 takes no space and holds nothing.
        public var bitSize: Int
        public var count: Int
        /// In order; when there are fewer than values, the last one is that of the rest.
        public var usages: [UsageSpan]
        /// Beyond 32 bits only by being unsigned.
        public var logicalMinimum, logicalMaximum: Int64
        public var physicalMinimum, physicalMaximum: Int64
        /// As HID packs it: a nibble for the system and one for each exponent.
        public var unit: UInt32
        /// Of ten.
        public var unitExponent: Int
        public var flags: Flags
        /// In `collections`; nil outside all of them.
        public var collection: Int?

        /// The usage of the value at an index, from 0. Nil beyond `count` and for a field without usages.
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

        /// The usages of its first values, as `usage(at:)` gives them.
        ///
        /// - Parameter repeatsLast: Whether to go on where values have none of their own.
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

    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Padding.
        public static let constant = Flags(rawValue: 1 << 0)
        /// Each value is its usage's; without it, each value names one of the usages.
        public static let variable = Flags(rawValue: 1 << 1)
        public static let relative = Flags(rawValue: 1 << 2)
    }

    /// Usages of one page, first to last.
    public struct UsageSpan: Hashable, Sendable {
        public var page, first, last: UInt16
    }

    /// In order of declaration.
    public internal(set) var fields: [Field] = []
    public internal(set) var collections: [Collection] = []
    /// Whether a report begins with its id.
    public internal(set) var hasReportIDs = false
    /// Why the rest could not be read; nil when all of it was.
    public internal(set) var fault: ReportDescriptorError?

    /// Bits of each report without its id, by kind and id.
    var reportBits = [Int](repeating: 0, count: ReportKind.allCases.count * 256)

    /// Bytes of one report: what Linux allows.
    public static let reportByteLimit = 16_384
    /// Collections within collections.
    public static let depthLimit = 64
    /// Pushes without a Pop.
    public static let stackLimit = 64
    /// Of the descriptor itself.
    public static let byteLimit = 65_536

    init() {}

    /// - Throws: `ReportDescriptorError`, when any of it cannot be read. Blame: the device.
    public init(parsing bytes: Span<UInt8>) throws(ReportDescriptorError) {
        self.init(asFarAsReadable: bytes)
        if let fault { throw fault }
    }

    /// - Throws: `ReportDescriptorError`, when any of it cannot be read. Blame: the device.
    public init(parsing bytes: [UInt8]) throws(ReportDescriptorError) { try self.init(parsing: bytes.span) }

    /// What could be read before the first fault, which `fault` then tells: real firmware lies, and still touches.
    public init(asFarAsReadable bytes: Span<UInt8>) {
        var parser = ReportDescriptorParser()
        self = parser.parse(bytes)
    }

    /// What could be read before the first fault, which `fault` then tells.
    public init(asFarAsReadable bytes: [UInt8]) { self.init(asFarAsReadable: bytes.span) }

    /// How long a report is, its id included.
    ///
    /// - Returns: 0 when the descriptor declares no such report.
    public func reportBytes(_ kind: ReportKind, id: UInt8?) -> Int {
        let bits = reportBits[Self.index(kind, id)]
        return bits == 0 ? 0 : (bits + 7) / 8 + (hasReportIDs ? 1 : 0)
    }

    static func index(_ kind: ReportKind, _ id: UInt8?) -> Int { Int(kind.rawValue) * 256 + Int(id ?? 0) }
}

/// A descriptor that breaks the rules of HID. Blame: the device.
///
/// Whoever decodes carries on with what came before it, and says so.
public struct ReportDescriptorError: Error, Hashable, Sendable {
    /// Of the item, from the descriptor's first byte.
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
