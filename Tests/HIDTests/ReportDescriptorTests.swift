import Basics
import Testing

@testable import HID

@Suite("Report descriptor")
struct ReportDescriptorTests {
    private func parse(_ text: String) throws -> ReportDescriptor { try ReportDescriptor(parsing: bytes(text)) }

    @Test("the descriptor parser reads short items and skips long items")
    func items() throws {
        let descriptor = try parse(
            """
            05 01 15 00 26 FF 00   Generic Desktop, 0 to 255 in two bytes
            FE 03 F0 C0 C0 C0      a long item of three bytes, which are no End Collections
            75 08 97 02 00 00 00   8 bits, count 2 in four bytes
            09 30 0A 31 00         X, Y with two bytes
            80                     Input without a byte of flags
            """)
        let field = try #require(descriptor.fields.first)
        #expect(descriptor.fields.count == 1)
        #expect((field.bitSize, field.count, field.flags) == (8, 2, []))
        #expect(field.usage(at: 0) == HIDUsage(page: 1, usage: 0x30))
        #expect(field.usage(at: 1) == HIDUsage(page: 1, usage: 0x31))
        #expect(field.usage(at: 2) == nil)
        #expect(field.usage(at: -1) == nil)
        #expect(descriptor.reportBytes(.input, id: nil) == 2)
    }

    @Test("Push saves every global item and Pop restores it")
    func pushAndPop() throws {
        let descriptor = try parse(
            """
            05 01 15 00 25 7F 35 00 45 10 55 0E 65 11 75 08 95 01 85 01
            A4
            05 0D 15 81 25 01 35 02 45 03 55 00 65 00 75 04 95 02 85 02
            09 42 81 02
            B4
            09 30 81 02
            """)
        let (inner, outer) = (descriptor.fields[0], descriptor.fields[1])
        #expect((inner.bitSize, inner.count, inner.reportID, inner.unit) == (4, 2, 2, 0))
        #expect(inner.logicalMinimum == -127)
        #expect(outer.usages == [ReportDescriptor.UsageSpan(page: 1, first: 0x30, last: 0x30)])
        #expect((outer.bitSize, outer.count, outer.reportID, outer.unit) == (8, 1, 1, 0x11))
        #expect((outer.logicalMinimum, outer.logicalMaximum) == (0, 127))
        #expect((outer.physicalMinimum, outer.physicalMaximum, outer.unitExponent) == (0, 16, -2))
    }

    @Test("nested collections keep their usage and their parent")
    func collections() throws {
        let descriptor = try parse(
            """
            05 0D 09 04 A1 01  09 22 A1 02  05 01 09 01 A1 00
            75 08 95 01 09 30 81 02
            C0 C0
            A1 02 C0           one without a usage
            C0
            """)
        let collections = descriptor.collections
        #expect(collections.map(\.type) == [1, 2, 0, 2])
        #expect(collections.map(\.parent) == [nil, 0, 1, 0])
        #expect(collections.map(\.usage.page) == [0x0D, 0x0D, 1, 0])
        #expect(descriptor.fields[0].collection == 2)
        #expect(descriptor.ancestry(of: 2).map(\.type) == [0, 2, 1])
        #expect(descriptor.top(of: 2) == 0)
    }

    @Test("a delimited set of usages means its first usage")
    func delimiters() throws {
        let descriptor = try parse(
            """
            05 01 75 08 95 02
            A9 01 09 30 09 31 0B 42 00 0D 00 A9 00   X, or Y, or Tip Switch
            09 32                                    Z
            81 02
            """)
        #expect(descriptor.fields[0].usages.map(\.first) == [0x30, 0x32])
    }

    @Test("the last usage repeats for values without their own usage")
    func lastUsage() throws {
        let descriptor = try parse("05 09 19 01 29 03 09 08 75 01 95 06 81 02")
        let field = descriptor.fields[0]
        #expect((0..<6).map { field.usage(at: $0)?.usage } == [1, 2, 3, 8, 8, 8])
    }

    @Test("a usage's page comes from its four bytes or the main item")
    func pages() throws {
        let descriptor = try parse(
            """
            05 01 75 08 95 03
            0B 51 00 0D 00     Contact Identifier, page and all
            09 30
            05 0D              the page of the one before, too
            1B 01 00 09 00 2B 02 00 09 00
            81 02
            """)
        let usages = descriptor.fields[0].usages
        #expect(usages.map(\.page) == [0x0D, 0x0D, 0x09])
        #expect(usages.map(\.first) == [0x51, 0x30, 1])
        #expect(usages.map(\.last) == [0x51, 0x30, 2])
    }

    @Test("a range of four billion usages takes one entry")
    func vastRange() throws {
        let descriptor = try parse("05 01 1B 00 00 00 00 2B FF FF FF FF 75 08 95 04 81 02")
        #expect(descriptor.fields[0].usages.count == 1)
        #expect(descriptor.fields[0].usage(at: 3)?.usage == 3)
    }

    @Test("a usage range that runs backwards is ignored")
    func backwardsRange() throws {
        let descriptor = try parse("05 09 19 05 29 01 75 01 95 04 81 02")
        #expect(descriptor.fields[0].usages.isEmpty)
        #expect(descriptor.fields[0].usage(at: 0) == nil)
    }

    private static let knownSigns: [(String, Int64, Int64)] = [
        ("15 00 25 FF", 0, 255), ("15 00 26 FF FF", 0, 65535), ("15 00 27 FF FF FF FF", 0, 4_294_967_295),
        ("15 81 25 7F", -127, 127), ("15 80 25 FF", -128, -1), ("16 00 80 26 FF 7F", -32768, 32767),
        ("17 00 00 00 80 27 FF FF FF 7F", -2_147_483_648, 2_147_483_647), ("25 FF 15 00", 0, 255),
    ]

    @Test("a logical maximum is unsigned when the minimum is not negative", arguments: knownSigns)
    func signs(_ text: String, _ minimum: Int64, _ maximum: Int64) throws {
        let field = try parse("05 01 09 30 75 08 95 01 \(text) 81 02").fields[0]
        #expect((field.logicalMinimum, field.logicalMaximum) == (minimum, maximum))
    }

    @Test("each report kind and id has its own bit offsets, including padding")
    func space() throws {
        let descriptor = try parse(
            """
            05 01 75 03 95 01
            85 01 09 30 81 02
            85 02 09 30 81 02
            85 01 81 03 09 31 81 02
            91 02 B1 02 09 32 B1 02
            """)
        func offsets(_ kind: ReportDescriptor.ReportKind, _ id: UInt8) -> [Int] {
            descriptor.fields.filter { $0.kind == kind && $0.reportID == id }.map(\.bitOffset)
        }
        #expect(offsets(.input, 1) == [0, 3, 6])
        #expect(offsets(.input, 2) == [0])
        #expect(offsets(.output, 1) == [0])
        #expect(offsets(.feature, 1) == [0, 3])
        #expect(descriptor.reportBytes(.input, id: 1) == 3)
        #expect(descriptor.reportBytes(.input, id: 2) == 2)
        #expect(descriptor.reportBytes(.input, id: 3) == 0)
    }

    /// Physical extents and units for logical values of 0 to 1000, with the expected resolution.
    private static let knownUnits: [(String, Double)] = [
        ("35 00 46 10 27 55 0D 65 11", 1000.0 / 100),  // 10000 × 10⁻³ cm are 100 mm
        ("35 00 46 E8 03 55 0E 65 13", 1000.0 / 254),  // 1000 × 10⁻² in are 10 in
        ("35 00 46 E8 03 55 0E 65 33", 1000.0 / 254),  // in³, and inches are meant
        ("35 00 46 E8 03 55 FE 65 13", 1000.0 / 254),  // an exponent that is no nibble
        ("35 00 46 68 01 55 00 65 14", 1000.0 / (2 * .pi)),  // 360°
        ("35 00 45 02 55 00 65 12", 1000.0 / 2),  // 2 rad
        ("35 00 46 E8 03 55 00 65 00", 0),  // no unit
        ("35 00 45 00 55 0E 65 11", 0),  // no extent
        ("35 00 46 E8 03 55 00 66 01 10", 0),  // seconds
    ]

    @Test("resolution converts inches, centimeters and degrees to millimeters and radians", arguments: knownUnits)
    func units(_ text: String, _ resolution: Double) throws {
        let field = try parse("05 01 09 30 75 10 95 01 15 00 26 E8 03 \(text) 81 02").fields[0]
        #expect(abs(field.resolution - resolution) < 1e-9)
    }

    private static let tooLong = "expected reports of at most 16384 bytes"
    private static let knownFaults: [(String, String)] = [
        ("81", "byte 14: expected an item's 1 byte of data, found 0 bytes"),
        ("27 FF FF", "byte 14: expected an item's 4 bytes of data, found 2 bytes"),
        ("FE", "byte 14: expected the rest of a long item, found 1 byte"),
        ("FE 05 00 01", "byte 14: expected the rest of a long item, found 4 bytes"),
        ("B4", "byte 14: expected a Push before a Pop, found none"),
        ("C0 C0", "byte 15: expected a Collection before its End Collection, found none open"),
        ("85 00", "byte 14: expected a Report ID from 1 to 255, found 0"),
        ("86 00 01", "byte 14: expected a Report ID from 1 to 255, found 256"),
        ("75 FF 96 FF FF 81 02", "byte 19: \(tooLong), found 65535 × 255 bits more than the 8 so far"),
        (
            "77 FF FF FF FF 97 FF FF FF FF 81 02",
            "byte 24: \(tooLong), found 4294967295 × 4294967295 bits more than the 8 so far"
        ),
        ("", "byte 14: expected an End Collection for each Collection, found 1 open"),
    ]

    @Test("a malformed descriptor is refused at its byte and keeps earlier fields", arguments: knownFaults)
    func faults(_ text: String, _ complaint: String) throws {
        let whole = bytes("05 01 09 02 A1 01 75 08 95 01 09 30 81 02 " + text)
        let descriptor = ReportDescriptor(asFarAsReadable: whole)
        #expect(descriptor.fault?.description == "report descriptor, \(complaint)")
        #expect(descriptor.fields.map(\.bitOffset) == [0])
        #expect(throws: try #require(descriptor.fault)) { try ReportDescriptor(parsing: whole) }
    }

    @Test("descriptor length, Push depth and collection depth are bounded")
    func bounds() throws {
        let long = [UInt8](repeating: 0, count: ReportDescriptor.byteLimit + 1)
        #expect(ReportDescriptor(asFarAsReadable: long).fault?.found == "\(long.count)")
        let pushes = [UInt8](repeating: 0xA4, count: ReportDescriptor.stackLimit + 1)
        #expect(ReportDescriptor(asFarAsReadable: pushes).fault?.offset == ReportDescriptor.stackLimit)
        let deep = [UInt8](repeating: 0xA0, count: ReportDescriptor.depthLimit + 1)
        #expect(ReportDescriptor(asFarAsReadable: deep).fault?.offset == ReportDescriptor.depthLimit)
        #expect(ReportDescriptor(asFarAsReadable: deep).collections.count == ReportDescriptor.depthLimit)
    }

    @Test("a descriptor cut anywhere yields a prefix of its fields")
    func cut() throws {
        let whole = bytes(Piece.application("04", id: "01", Piece.finger, Piece.finger, Piece.contactCount))
        let fields = try ReportDescriptor(parsing: whole).fields
        for length in 0..<whole.count {
            let part = ReportDescriptor(asFarAsReadable: Array(whole[..<length]))
            #expect(length == 0 || part.fault != nil || part.collections.isEmpty, "\(length) bytes")
            #expect(part.fields == Array(fields.prefix(part.fields.count)), "\(length) bytes")
        }
    }

    @Test("random damage to descriptors and reports never traps the decoder")
    func noise() throws {
        var random = SeededGenerator(seed: 41)
        let whole = bytes(
            Piece.application("04", id: "01", Piece.finger, Piece.finger, Piece.contactCount, Piece.scanTime))
        for _ in 0..<2000 {
            var noise = whole
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                noise[Int.random(in: noise.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var decoder = TouchReportDecoder(descriptor: noise)
            var frames: [ContactFrame] = []
            for _ in 0..<8 {
                let report = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                decoder.decode([1] + report, at: .zero, into: &frames)
            }
            #expect(decoder.downContactCount <= HIDEvent.fingerLimit * TouchReportLayouts.applicationLimit)
        }
    }

    @Test("a report descriptor describes its contents in words")
    func contents() throws {
        let descriptor = try parse(
            """
            05 01 09 06 A1 01 C0   keyboard
            05 01 09 06 A1 01 C0   another
            06 00 FF 09 01 A1 01 C0
            05 0D 09 02 A1 01 C0
            05 0C 09 02 A1 01 C0
            """)
        #expect(descriptor.contents == "keyboard (01:06), vendor page FF00, pen (0D:02), usage (0C:02)")
        #expect(ReportDescriptor(asFarAsReadable: []).contents == "no collection")
    }
}

extension ReportDescriptor {
    /// Returns the collection and its ancestors, innermost first.
    fileprivate func ancestry(of collection: Int?) -> [Collection] {
        var chain: [Collection] = []
        var next = collection
        while let index = next {
            chain.append(collections[index])
            // A parent is opened before its children, so the loop ends.
            next = collections[index].parent
        }
        return chain
    }

    /// Returns the outermost collection around `collection`; nil if there is none.
    fileprivate func top(of collection: Int?) -> Int? {
        guard var index = collection else { return nil }
        while let parent = collections[index].parent { index = parent }
        return index
    }
}
