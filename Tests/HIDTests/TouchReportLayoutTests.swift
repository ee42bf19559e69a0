import Basics
import Testing

@testable import HID

@Suite("Layouts of touch reports")
struct TouchReportLayoutTests {
    private func layouts(_ text: String) throws -> TouchReportLayouts {
        TouchReportLayouts(of: try ReportDescriptor(parsing: bytes(text)))
    }

    @Test("report layouts find contacts, their fields and their number by usages")
    func plain() throws {
        let all = try layouts(
            Piece.application(
                "04", id: "01", Piece.finger, Piece.finger, Piece.scanTime, Piece.contactCount,
                "85 02 09 55 25 0A B1 02", "85 03", Piece.windows8))
        let report = try #require(all.reports.first)
        #expect(all.reports.count == 1)
        #expect(report.usages == ["cid", "conf", "inrange", "tip", "x", "y"])
        #expect((report.reportID, report.reportBytes, report.contactsPerReport) == (1, 16, 2))
        #expect((report.hasContactCount, report.hasScanTime, report.application) == (true, true, .touchscreen))
        #expect((report.x.maximum, report.y.maximum) == (4095, 4095))
        #expect(report.slots.map(\.x.offset) == [24, 72])
        #expect((all.contactCountMax, all.isWindows8) == (10, true))
        #expect(all.description.kind == .touchscreen)
        #expect(all.description.contactCount == 10)
    }

    @Test("report layouts accept nested X and Y, or no Finger collection")
    func nesting() throws {
        let nested = """
            05 0D 09 22 A1 02 09 42 15 00 25 01 75 01 95 08 81 02
            09 51 75 08 95 01 25 7F 81 02
            05 01 09 01 A1 00 09 30 75 10 81 02 09 31 81 02 C0 C0
            """
        let flat = "05 0D 09 42 25 01 75 08 95 01 81 02 09 51 81 02 05 01 09 30 09 31 95 02 81 02"
        for piece in [nested, flat] {
            let report = try #require(try layouts(Piece.application("05", id: nil, piece, piece)).reports.first)
            #expect(report.contactsPerReport == 2)
            #expect((report.reportID, report.application) == (nil, .touchpad))
            #expect(report.usages == ["cid", "tip", "x", "y"])
        }
    }

    @Test("a report layout uses the touching point instead of a contact's center")
    func centres() throws {
        let head = "05 0D 09 22 A1 02 09 42 25 01 75 08 95 01 81 02 09 51 81 02 05 01"
        for places in ["09 30 95 02 81 02 09 31 81 02", "09 30 09 31 09 30 09 31 95 04 81 02"] {
            let piece = "\(head) \(places) 05 0D 09 48 09 49 95 02 81 02 C0"
            let report = try #require(try layouts(Piece.application("04", id: nil, piece, piece)).reports.first)
            #expect(report.contactsPerReport == 2)
            #expect(report.slots[0].x.offset == 16)
            #expect(report.slots[1].x.offset == 16 + 8 * 8)
            #expect(report.usages == ["cid", "h", "tip", "w", "x", "y"])
        }
    }

    @Test("a repeated usage in one Finger collection begins the next contact")
    func oneCollection() throws {
        let piece = """
            05 0D 09 22 A1 02 75 08 25 7F
            95 04 0B 30 00 01 00 0B 31 00 01 00 0B 42 00 0D 00 0B 51 00 0D 00 81 02
            95 04 0B 30 00 01 00 0B 31 00 01 00 0B 42 00 0D 00 0B 51 00 0D 00 81 02
            C0
            """
        let report = try #require(try layouts(Piece.application("04", id: nil, piece)).reports.first)
        #expect(report.slots.map(\.x.offset) == [0, 32])
        #expect(report.slots.map { $0.id?.offset } == [24, 56])
    }

    @Test("pens and mice beside touch applications get no report layout")
    func others() throws {
        let pen = "05 0D 09 20 A1 00 09 42 25 01 75 08 95 01 81 02 05 01 09 30 81 02 09 31 81 02 C0"
        let all = try layouts(
            "05 01 09 02 A1 01 85 07 09 01 A1 00 09 30 09 31 75 08 95 02 81 06 C0 C0\n"
                + Piece.application("04", id: "09", pen)
                + Piece.application("04", id: "01", Piece.finger, pen)
                + Piece.application("02", id: "02", pen) + Piece.application("05", id: "03", Piece.finger))
        #expect(all.reports.map(\.reportID) == [1, 3])
        #expect(all.reports.map(\.applicationIndex) == [0, 1])
        #expect(all.reports.map(\.application) == [.touchscreen, .touchpad])
        #expect(all.reports.map(\.contactsPerReport) == [1, 1])
        #expect(all.reports[0].reportBytes == 1 + 6 + 3)
    }

    @Test("one touch application may have several report layouts")
    func severalReports() throws {
        let all = try layouts(
            Piece.application("04", id: "01", Piece.finger, "85 02", Piece.finger, Piece.finger, Piece.contactCount))
        #expect(all.reports.map(\.reportID) == [1, 2])
        #expect(all.reports.map(\.contactsPerReport) == [1, 2])
        #expect(all.reports.map(\.hasContactCount) == [false, true])
        #expect(all.reports.map(\.applicationIndex) == [0, 0])
    }

    @Test("a report layout needs position and touch fields in variable input items")
    func notTouch() throws {
        let pieces = [
            "05 01 09 30 09 31 75 08 95 02 81 02",
            "05 0D 09 42 75 08 95 01 81 02 05 01 09 30 81 02",
            "05 0D 09 42 75 08 95 01 81 02 05 01 09 30 09 31 95 02 81 03",
            "05 0D 09 42 75 08 95 01 81 02 05 01 09 30 09 31 95 02 81 00",
            "06 00 FF 09 42 09 30 09 31 75 08 95 03 81 02",
            "05 0D 09 42 75 08 95 01 B1 02 05 01 09 30 09 31 95 02 B1 02",
        ]
        for piece in pieces {
            let all = try layouts(Piece.application("04", id: nil, piece))
            #expect(all.reports.isEmpty, "\(piece)")
            #expect(all.description.ranges == nil)
        }
    }

    @Test("a report layout has at most 256 contacts")
    func bound() throws {
        let many = "05 0D 0B 42 00 0D 00 0B 30 00 01 00 0B 31 00 01 00 75 08 95 03 81 02\n"
        let all = try layouts(Piece.application("04", id: nil, String(repeating: many, count: 300)))
        #expect(all.reports.first?.contactsPerReport == TouchReportLayouts.contactLimit)
    }

    @Test("a report layout keeps declared ranges and clamps them for positions")
    func wide() throws {
        let piece = "05 0D 09 42 75 08 95 01 81 02 05 01 75 20 27 FF FF FF FF 09 30 81 02 15 FF 25 7F 09 31 81 02"
        let report = try #require(try layouts(Piece.application("04", id: nil, piece)).reports.first)
        #expect((report.logicalX.minimum, report.logicalX.maximum) == (0, 4_294_967_295))
        #expect((report.logicalY.minimum, report.logicalY.maximum) == (-1, 127))
        #expect((report.x.maximum, report.y.maximum) == (.max, 127))
    }

    @Test("report layouts are searched in at most 65,536 declared values")
    func manyValues() throws {
        let piece = "05 0D 09 42 09 51 0B 30 00 01 00 0B 31 00 01 00 75 01 96 00 10 81 02 C0\n"
        let finger = "05 0D 09 22 A1 02 \(piece)"
        var text = ""
        for _ in 0..<3 {
            text += "05 0D 09 04 A1 01\n"
            for id in 1..<200 { text += "85 \((id < 16 ? "0" : "") + String(id, radix: 16))\n\(finger)" }
            text += "C0\n"
        }
        let all = try layouts(text)
        #expect(all.reports.count == TouchReportLayouts.allValuesLimit / TouchReportLayouts.valueLimit)
        let driver = DigitizerDriver(try ReportDescriptor(parsing: bytes(text)))
        #expect(driver.hasTransducers)
    }

    @Test("the device description has the panel's axes, pressure, ellipse and angles")
    func description() throws {
        let piece = """
            05 0D 09 22 A1 02 15 00 25 01 75 08 95 01 09 42 81 02 09 51 81 02
            05 01 26 E8 03 75 10 35 00 46 E8 03 55 0E 65 11 09 30 81 02   X: 1000 units on 100 mm
            46 E8 03 55 0E 65 13 09 31 81 02                              Y: 1000 units on 10 in
            05 0D 26 FF 00 55 00 64 09 30 81 02                           pressure
            26 90 01 09 48 81 02 26 58 02 09 49 81 02                     width to 400, height to 600
            26 A0 8C 46 68 01 65 14 09 3F 81 02                           azimuth, 36000 for 360°
            16 D8 DC 26 28 23 36 A6 FF 45 5A 09 3D 81 02 09 3E 81 02 C0   tilt, ±9000 for ±90°
            """
        let device = try layouts(Piece.application("04", id: nil, piece)).description
        #expect(device.x?.resolution == 10)
        #expect(abs((device.y?.resolution ?? 0) - 1000.0 / 254) < 1e-9)
        #expect(device.pressure?.maximum == 255)
        #expect((device.major?.maximum, device.minor?.maximum) == (600, 600))
        #expect((device.orientation?.minimum, device.orientation?.maximum) == (-9000, 9000))
        #expect(abs((device.azimuth?.resolution ?? 0) - 36000 / (2 * .pi)) < 1e-9)
        #expect((device.tiltX?.minimum, device.tiltY?.maximum) == (-9000, 9000))
    }
}
