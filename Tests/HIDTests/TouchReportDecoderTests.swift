import Basics
import Testbed
import Testing

@testable import HID

@Suite("Touch report decoder")
struct TouchReportDecoderTests {
    private let two = Piece.application("04", id: "01", Piece.finger, Piece.finger, Piece.contactCount)

    @Test("Docs/Reference/Machines/TouchReportContact.md matches the transition function")
    func table() {
        expectMachineTable(
            "TouchReportContact", states: TouchReportContact.State.allCases,
            inputs: TouchReportContact.Input.allCases, transition: { TouchReportContact.transition(from: $0, on: $1) })
    }

    // MARK: Frames

    @Test("a parallel device reports all its fingers in each report")
    func parallel() {
        var panel = Panel(two)
        let landing = panel.decode([1], finger("tc", 7, 10, 20), finger("tc", 9, 30, 40), [2])
        #expect(landing == ["7 began (10,20), 9 began (30,40)"])
        let moving = panel.decode([1], finger("tc", 7, 11, 20), finger("tc", 9, 30, 40), [2])
        #expect(moving == ["7 moved (11,20), 9 stationary (30,40)"])
        let leaving = panel.decode([1], finger("", 7, 99, 99), finger("tc", 9, 31, 40), [2])
        #expect(leaving == ["7 ended (11,20), 9 moved (31,40)"])
        #expect(panel.decode([1], finger("", 9, 0, 0), empty, [1]) == ["9 ended (31,40)"])
        #expect(panel.decode([1], empty, empty, [1]) == ["no contact"])
        #expect(panel.decoder.mode == .parallel)
    }

    @Test("a serial device reports one finger per report, each a frame")
    func serial() {
        var panel = Panel(Piece.application("04", id: nil, Piece.finger))
        #expect(panel.decode(finger("tc", 1, 10, 20)) == ["1 began (10,20)"])
        #expect(panel.decode(finger("tc", 2, 30, 40)) == ["1 stationary (10,20), 2 began (30,40)"])
        #expect(panel.decode(finger("tc", 1, 11, 20)) == ["1 moved (11,20), 2 stationary (30,40)"])
        #expect(panel.decode(finger("", 1, 11, 20)) == ["1 ended (11,20), 2 stationary (30,40)"])
        #expect(panel.decoder.mode == .serial)
    }

    @Test("a hybrid device's frame ends when its announced contacts have arrived")
    func hybrid() {
        var panel = Panel(two)
        #expect(panel.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [3]) == [])
        #expect(panel.decoder.mode == .hybrid)
        #expect(panel.decoder.downContactCount == 0)
        #expect(
            panel.decode([1], finger("tc", 3, 3, 3), finger("t", 1, 77, 77), [0]) == [
                "1 began (1,1), 2 began (2,2), 3 began (3,3)"
            ])
        #expect(panel.decode([1], finger("tc", 1, 1, 9), finger("tc", 2, 2, 2), [3]) == [])
        #expect(
            panel.decode([1], finger("", 3, 3, 3), empty, [0]) == [
                "1 moved (1,9), 2 stationary (2,2), 3 ended (3,3)"
            ])
    }

    @Test("a device with one finger per report collects frames by contact count")
    func singleFinger() {
        var panel = Panel(Piece.application("04", id: "01", Piece.finger, Piece.contactCount))
        #expect(panel.decode([1], finger("tc", 1, 1, 1), [2]) == [])
        #expect(panel.decode([1], finger("tc", 2, 2, 2), [2]) == ["1 began (1,1), 2 began (2,2)"])
        #expect(panel.decode([1], finger("tc", 1, 1, 3), [2]) == [])
        #expect(panel.decode([1], finger("", 2, 2, 2), [0]) == ["1 moved (1,3), 2 ended (2,2)"])
        #expect(panel.decode([1], finger("", 1, 2, 2), [1]) == ["1 ended (1,3)"])
        #expect(panel.decoder.mode == .singleFinger)
    }

    @Test("contacts beyond the count are padding, and the declared maximum limits nothing")
    func lyingCount() {
        var panel = Panel(
            Piece.application(
                "04", id: "01", Piece.finger, Piece.finger, Piece.contactCount, "09 55 25 01 B1 02"))
        #expect(panel.decoder.description.contactCount == 1)
        #expect(panel.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [1]) == ["1 began (1,1)"])
        #expect(
            panel.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [2]) == [
                "1 stationary (1,1), 2 began (2,2)"
            ])
    }

    @Test("a frame with a lost last report ends where the next begins")
    func lostReport() {
        var panel = Panel(two)
        #expect(panel.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [4]) == [])
        #expect(
            panel.decode([1], finger("tc", 1, 5, 5), finger("", 2, 2, 2), [2]) == [
                "1 began (1,1), 2 began (2,2)", "1 moved (5,5), 2 ended (2,2)",
            ])
        // The count is the same again, but a contact that the frame already has shows that a new frame began.
        #expect(panel.decode([1], finger("tc", 1, 5, 6), finger("tc", 2, 2, 2), [3]) == [])
        #expect(panel.decode([1], finger("", 1, 5, 6), finger("tc", 2, 2, 3), [3]) == ["1 moved (5,6), 2 began (2,2)"])
        #expect(panel.decode([1], finger("tc", 3, 3, 3), empty, [0]) == ["1 ended (5,6), 2 moved (2,3), 3 began (3,3)"])
    }

    @Test("a repeated contact count continues the frame unless the scan time changes")
    func repeatedCount() {
        var panel = Panel(Piece.application("04", id: "01", Piece.finger, Piece.finger, Piece.contactCount))
        #expect(panel.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [3]) == [])
        #expect(
            panel.decode([1], finger("tc", 3, 3, 3), empty, [3]) == ["1 began (1,1), 2 began (2,2), 3 began (3,3)"])
        var timed = Panel(
            Piece.application("04", id: "01", Piece.finger, Piece.finger, Piece.contactCount, Piece.scanTime))
        #expect(timed.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [3], [7, 0]) == [])
        #expect(
            timed.decode([1], finger("tc", 3, 3, 3), empty, [3], [7, 0]) == [
                "1 began (1,1), 2 began (2,2), 3 began (3,3)"
            ])
        #expect(timed.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [3], [8, 0]) == [])
        #expect(
            timed.decode([1], finger("", 3, 3, 3), finger("tc", 4, 4, 4), [3], [9, 0]) == [
                "1 stationary (1,1), 2 stationary (2,2), 3 stationary (3,3)"
            ])
    }

    @Test("a frame whose first report was lost does not damage the next")
    func lostAnnouncement() {
        var panel = Panel(two)
        _ = panel.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [4])
        _ = panel.decode([1], finger("tc", 3, 3, 3), finger("tc", 4, 4, 4), [0])
        #expect(
            panel.decode([1], finger("tc", 3, 3, 9), finger("", 4, 4, 4), [0]) == [
                "1 stationary (1,1), 2 stationary (2,2), 3 moved (3,9), 4 ended (4,4)"
            ])
        #expect(panel.decode([1], finger("", 1, 1, 1), finger("tc", 2, 2, 2), [3]) == [])
        #expect(
            panel.decode([1], finger("", 3, 3, 9), empty, [0]) == ["1 ended (1,1), 2 stationary (2,2), 3 ended (3,9)"])
    }

    @Test("a duplicate contact does not displace the last contact of its frame")
    func duplicateAmongOthers() {
        var panel = Panel(two)
        #expect(panel.decode([1], finger("tc", 0, 1, 1), finger("tc", 1, 2, 2), [3]) == [])
        #expect(
            panel.decode([1], finger("tc", 1, 9, 9), finger("tc", 2, 3, 3), [0]) == [
                "0 began (1,1), 1 began (2,2), 2 began (3,3)"
            ])
        #expect(panel.decode([1], finger("tc", 0, 1, 1), finger("tc", 1, 2, 2), [3]) == [])
        #expect(
            panel.decode([1], finger("tc", 1, 2, 2), finger("", 2, 3, 3), [0]) == [
                "0 stationary (1,1), 1 stationary (2,2), 2 ended (3,3)"
            ])
        #expect(panel.decoder.duplicates == 2)
    }

    @Test("a report without a count between frames is a frame by itself")
    func countInOneReportOnly() {
        var panel = Panel(
            Piece.application("04", id: "01", Piece.finger, Piece.finger, Piece.contactCount, "85 02", Piece.finger))
        #expect(
            panel.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [2]) == ["1 began (1,1), 2 began (2,2)"])
        #expect(panel.decode([2], finger("", 2, 2, 2)) == ["1 stationary (1,1), 2 ended (2,2)"])
        #expect(panel.decode([1], finger("", 1, 1, 1), empty, [1]) == ["1 ended (1,1)"])
        // Within a frame such a report continues the frame.
        #expect(panel.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [3]) == [])
        #expect(panel.decode([2], finger("tc", 3, 3, 3)) == ["1 began (1,1), 2 began (2,2), 3 began (3,3)"])
    }

    @Test("without a contact count every contact of every report counts")
    func noCount() {
        var panel = Panel(Piece.application("04", id: "01", Piece.finger, Piece.finger))
        #expect(panel.decode([1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2)) == ["1 began (1,1), 2 began (2,2)"])
        #expect(panel.decode([1], finger("", 1, 1, 1), finger("tc", 2, 2, 2)) == ["1 ended (1,1), 2 stationary (2,2)"])
    }

    @Test("on a Windows 8 device a count of 0 adds no contacts")
    func windows8() {
        let pieces = [Piece.finger, Piece.finger, Piece.contactCount, Piece.scanTime]
        var known = Panel(Piece.application("04", id: "01", pieces.joined(separator: "\n"), Piece.windows8))
        var old = Panel(Piece.application("04", id: "01", pieces.joined(separator: "\n")))
        let stale = finger("tc", 9, 9, 9)
        _ = known.decode([1], finger("tc", 1, 1, 1), empty, [1], [0, 0])
        _ = old.decode([1], finger("tc", 1, 1, 1), empty, [1], [0, 0])
        #expect(known.decode([1], stale, empty, [0], [1, 0]) == ["1 stationary (1,1)"])
        #expect(old.decode([1], stale, empty, [0], [1, 0]) == ["1 stationary (1,1), 9 began (9,9)"])
    }

    // MARK: Contacts

    @Test("a missing contact stays unless absence means a lift for its device")
    func vanished() {
        let touch = [[1], finger("tc", 1, 1, 1), finger("tc", 2, 2, 2), [2]].flatMap { $0 }
        let one = [[1], finger("tc", 2, 2, 3), empty, [1]].flatMap { $0 }
        var keeping = Panel(two)
        var dropping = Panel(two) { $0.absentMeansLifted = true }
        _ = (keeping.decode(touch), dropping.decode(touch))
        #expect(keeping.decode(one) == ["1 stationary (1,1), 2 moved (2,3)"])
        #expect(dropping.decode(one) == ["1 ended (1,1), 2 moved (2,3)"])
        #expect(keeping.decoder.downContactCount == 2)
        #expect(dropping.decoder.downContactCount == 1)
    }

    @Test("the first touching contact counts when an id repeats in a frame")
    func duplicates() {
        var panel = Panel(two)
        #expect(panel.decode([1], finger("tc", 0, 1, 1), finger("tc", 0, 2, 2), [2]) == ["0 began (1,1)"])
        #expect(panel.decode([1], finger("tc", 0, 3, 3), finger("", 0, 0, 0), [2]) == ["0 moved (3,3)"])
        #expect(panel.decoder.duplicates == 2)
    }

    @Test("a contact that lifts and lands in one frame ends, then begins")
    func liftAndLand() {
        var panel = Panel(two)
        _ = panel.decode([1], finger("tc", 5, 1, 1), finger("tc", 6, 2, 2), [2])
        #expect(
            panel.decode([1], finger("", 5, 1, 1), finger("tc", 5, 9, 9), [2]) == [
                "5 ended (1,1), 6 stationary (2,2), 5 began (9,9)"
            ])
        #expect(panel.decode([1], finger("tc", 5, 8, 8), finger("", 6, 2, 2), [2]) == ["6 ended (2,2), 5 moved (8,8)"])
    }

    @Test("a contact without confidence is a palm until it lifts")
    func palms() {
        var panel = Panel(two)
        #expect(panel.decode([1], finger("t", 1, 1, 1), finger("tc", 2, 2, 2), [2]) == ["2 began (2,2)"])
        #expect(panel.decode([1], finger("tc", 1, 1, 2), finger("t", 2, 2, 3), [2]) == ["2 cancelled (2,2)"])
        #expect(panel.decode([1], finger("tc", 1, 1, 3), finger("tc", 2, 2, 4), [2]) == ["no contact"])
        #expect(panel.decode([1], finger("", 1, 1, 3), finger("", 2, 2, 4), [2]) == ["no contact"])
        #expect(
            panel.decode([1], finger("tc", 1, 1, 4), finger("tc", 2, 2, 5), [2]) == ["1 began (1,4), 2 began (2,5)"])
        #expect(panel.decoder.palms == 2)
        // Many panels clear all bits of a finger that lifts.
        #expect(panel.decode([1], finger("", 1, 1, 4), finger("", 2, 2, 5), [2]) == ["1 ended (1,4), 2 ended (2,5)"])
    }

    @Test("contacts without confidence are fingers until the device first reports confidence")
    func neverConfident() {
        var panel = Panel(two)
        #expect(panel.decode([1], finger("t", 1, 1, 1), empty, [1]) == ["1 began (1,1)"])
        #expect(panel.decode([1], finger("t", 1, 1, 2), empty, [1]) == ["1 moved (1,2)"])
        #expect(
            panel.decode([1], finger("t", 1, 1, 3), finger("tc", 2, 2, 2), [2]) == [
                "1 cancelled (1,2), 2 began (2,2)"
            ])
    }

    @Test("palms can be kept and are marked as palms")
    func keptPalms() {
        var panel = Panel(two) { $0.palms = .keep }
        let frames = panel.frames([1] + finger("t", 1, 1, 1) + finger("tc", 2, 2, 2) + [2])
        #expect(frames.first?.contacts.map(\.phase) == [.began, .began])
        #expect(frames.first?.contacts.map(\.attributes.tool) == [.palm, .finger])
    }

    @Test("fingers beyond a hand event's limit wait for room")
    func manyFingers() {
        var panel = Panel(Piece.application("04", id: nil, Piece.finger))
        for id in 0..<40 as Range<UInt8> { _ = panel.decode(finger("tc", id, 1, 1)) }
        #expect(panel.decoder.downContactCount == HIDEvent.fingerLimit)
        #expect(panel.decoder.ignoredContacts == 8)
        _ = panel.decode(finger("", 3, 1, 1))
        #expect(panel.decode(finger("tc", 39, 7, 7)).last?.hasSuffix("39 began (7,7)") == true)
    }

    @Test("without contact ids, the position in the report identifies a contact")
    func noIDs() {
        let piece = "05 0D 09 22 A1 02 09 42 75 08 95 01 25 01 81 02 05 01 09 30 09 31 95 02 81 02 C0"
        var panel = Panel(Piece.application("04", id: nil, piece, piece))
        #expect(panel.decode([1, 5, 6, 1, 7, 8]) == ["0 began (5,6), 1 began (7,8)"])
        #expect(panel.decode([0, 5, 6, 1, 7, 9]) == ["0 ended (5,6), 1 moved (7,9)"])
    }

    @Test("the report decoder reads negative values and values that cross bytes")
    func bitPacking() {
        let piece = """
            05 0D 09 22 A1 02 15 00 25 01 75 01 95 01 09 42 81 02 25 07 75 03 09 51 81 02
            05 01 16 01 F8 26 FF 07 75 0C 09 30 09 31 95 02 81 02 C0
            """
        var panel = Panel(Piece.application("04", id: nil, piece))
        // 1 bit tip, 3 bits id 5, 12 bits x −3, 12 bits y 2047.
        let value = UInt64(1 | 5 << 1) | UInt64(0xFFD) << 4 | UInt64(0x7FF) << 16
        #expect(panel.decode((0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }) == ["5 began (-3,2047)"])
    }

    @Test("pressure, ellipse, angles and tilt keep the panel's own units")
    func attributes() throws {
        let piece = """
            05 0D 09 22 A1 02 15 00 25 01 75 08 95 01 09 42 81 02 09 51 81 02 26 FF 00
            05 01 09 30 81 02 09 31 81 02 05 0D 09 30 81 02 09 48 81 02 09 49 81 02
            \(azimuth) 15 81 25 7F 09 3D 81 02 09 3E 81 02 C0
            """
        var panel = Panel(Piece.application("04", id: nil, piece))
        let frames = panel.frames([1, 3, 10, 20, 77, 5, 8, 250, 0xF6, 10])
        let contact = try #require(frames.first?.contacts.first)
        let told = contact.attributes
        #expect((told.pressure, told.major, told.minor) == (77, 8, 5))
        // A full turn has 255 units, so an azimuth of 250 is an orientation of 5.
        #expect((told.azimuth, told.orientation) == (250, 5))
        #expect((told.tiltX, told.tiltY, told.tool) == (-10, 10, .finger))
        var wide = Panel(Piece.application("04", id: nil, piece.replacingAzimuth))
        #expect(wide.frames([1, 3, 10, 20, 77, 8, 5, 0xF6, 10]).first?.contacts.first?.attributes.orientation == 1)
    }

    // MARK: The device's clock

    @Test("the scan time is unwrapped in its declared unit")
    func scanTime() {
        var panel = Panel(Piece.application("04", id: "01", Piece.finger, Piece.scanTime))
        func time(_ ticks: UInt16) -> Duration? {
            panel.frames([1] + finger("tc", 1, 1, 1) + [UInt8(ticks & 0xFF), UInt8(ticks >> 8)]).first?.scanTime
        }
        #expect(time(65000) == .zero)
        #expect(time(65100) == .milliseconds(10))
        #expect(time(64) == .milliseconds(60))
        #expect(time(64) == .milliseconds(60))
        #expect(time(63) == .milliseconds(60) + .microseconds(100) * 65535)
    }

    @Test("the scan time unwraps pauses longer than its range")
    func longPause() {
        var decoder = TouchReportDecoder(
            descriptor: bytes(Piece.application("04", id: "01", Piece.finger, Piece.scanTime)))
        func scan(_ ticks: UInt16, at time: Duration) -> Duration? {
            var frames: [ContactFrame] = []
            decoder.decode(
                [1] + finger("tc", 1, 1, 1) + [UInt8(ticks & 0xFF), UInt8(ticks >> 8)], at: time, into: &frames)
            return frames.first?.scanTime
        }
        let round = Duration.microseconds(6_553_600)
        #expect(scan(100, at: .zero) == .zero)
        #expect(scan(200, at: .milliseconds(12)) == .milliseconds(10))
        // 20 s later: three rounds and 340 ms.
        #expect(scan(3592, at: .seconds(20)) == .microseconds(349_200) + round * 3)
        // A report that comes late by less than half a round does not add a round.
        #expect(scan(3692, at: .seconds(23)) == .microseconds(359_200) + round * 3)
        #expect(scan(3592, at: .seconds(29)) == .microseconds(349_200) + round * 4)
        #expect((scan(0, at: .seconds(9_200_000_000)) ?? .zero) > .seconds(4_000_000_000))
        #expect((scan(1, at: .zero) ?? .zero) > .seconds(4_000_000_000))
    }

    private static let knownScanUnits: [(String, [UInt8], [UInt8], Duration)] = [
        ("55 0D 66 01 10 27 FF FF 00 00 75 10", [0, 0], [1, 0], Duration.milliseconds(1)),
        ("55 0A 66 01 10 27 FF FF 00 00 75 10", [0, 0], [1, 0], Duration.microseconds(1)),
        // Without a unit, or with an unusable one, 100 µs apply, as the usage is defined.
        ("55 00 65 00 27 FF FF 00 00 75 10", [0, 0], [1, 0], Duration.microseconds(100)),
        ("55 0E 65 11 27 FF FF 00 00 75 10", [0, 0], [1, 0], Duration.microseconds(100)),
        ("55 00 66 01 10 27 FF FF 00 00 75 10", [0, 0], [1, 0], Duration.microseconds(100)),
        // 8 bits wrap at 256. 32 bits wrap at their own maximum or at the declared one.
        ("55 00 65 00 26 FF 00 75 08", [255], [1], Duration.microseconds(200)),
        ("55 00 65 00 27 FF FF FF 7F 75 20", [0, 0, 1, 0], [1, 0, 0, 0], Duration.microseconds(100) * 2_147_418_113),
        ("55 00 65 00 27 FF FF 00 00 75 20", [255, 255, 0, 0], [1, 0, 0, 0], Duration.microseconds(200)),
    ]

    @Test("a scan time counts in its declared unit and size", arguments: knownScanUnits)
    func scanUnits(_ item: String, _ first: [UInt8], _ second: [UInt8], _ expected: Duration) {
        var panel = Panel(
            Piece.application("04", id: "01", Piece.finger, "05 0D 15 00 95 01 \(item) 09 56 81 02"))
        let contact = finger("tc", 1, 1, 1)
        #expect(panel.frames([1] + contact + first).first?.scanTime == .zero)
        #expect(panel.frames([1] + contact + second).first?.scanTime == expected)
    }

    // MARK: Bad reports

    @Test("a truncated report is counted, and its whole contacts are used")
    func short() {
        var panel = Panel(two)
        #expect(panel.decode([1], finger("tc", 1, 1, 1), Array(finger("tc", 2, 2, 2).prefix(5))) == ["1 began (1,1)"])
        #expect(panel.decoder.shortReports == 1)
        #expect(panel.decode([1]) == ["1 stationary (1,1)"])
        #expect(panel.decode([]) == [])
        #expect(panel.decoder.shortReports == 3)
        #expect(panel.decode([1], finger("", 1, 1, 1), empty, [1], [7, 7, 7]) == ["1 ended (1,1)"])
        #expect(panel.decoder.shortReports == 3)
    }

    @Test("reports with other ids change nothing and are counted")
    func foreign() {
        var panel = Panel(two)
        _ = panel.decode([1], finger("tc", 1, 1, 1), empty, [1])
        #expect(panel.decode([2], finger("", 1, 1, 1), empty, [1]) == [])
        #expect(panel.decoder.foreignReports == 1)
    }

    @Test("a descriptor without touch gives no frames, but a broken one can")
    func noTouch() {
        var keyboard = Panel("05 01 09 06 A1 01 05 07 19 E0 29 E7 15 00 25 01 75 01 95 08 81 02 C0")
        #expect(keyboard.decode([1, 2, 3]) == [])
        #expect((keyboard.decoder.hasTouch, keyboard.decoder.mode) == (false, nil))
        #expect(keyboard.decoder.foreignReports == 1)
        var broken = Panel("05 0D 09 04 A1 01 85 01 \(Piece.finger.replacing("\n", with: " \n")) B4")
        #expect(broken.decoder.descriptor.fault != nil)
        #expect(broken.decode([1], finger("tc", 1, 1, 1)) == ["1 began (1,1)"])
    }

    // MARK: Several applications

    @Test("each touch application has its own contacts, ids and clock")
    func applications() {
        let descriptor =
            Piece.application("04", id: "01", Piece.finger, Piece.scanTime)
            + Piece.application("05", id: "02", Piece.finger)
        var panel = Panel(descriptor)
        #expect(panel.decode([1], finger("tc", 1, 1, 1), [0, 0]) == ["1 began (1,1)"])
        #expect(panel.decode([2], finger("tc", 1, 5, 5)) == ["application 1: 1 began (5,5)"])
        #expect(panel.decode([1], finger("tc", 1, 2, 1), [10, 0]) == ["1 moved (2,1)"])
        #expect(panel.unplug() == ["1 cancelled (2,1)", "application 1: 1 cancelled (5,5)"])
        #expect(panel.unplug() == [])

        var whole = Panel(descriptor)
        _ = whole.frames([1] + finger("tc", 1, 1, 1) + [0, 0])
        let frame = whole.frames([2] + finger("tc", 1, 5, 5))[0]
        #expect(frame.contacts.map(\.phase) == [.stationary, .began])
        #expect(Set(frame.contacts.map(\.id)).count == 2)
        #expect(frame.scanTime == nil)
    }

    @Test("fingers of several touch applications are reported in landing order")
    func landingOrder() {
        var panel = Panel(
            Piece.application("04", id: "01", Piece.finger, Piece.finger)
                + Piece.application("05", id: "02", Piece.finger))
        func told(_ frames: [ContactFrame]) -> [String] {
            frames.flatMap(\.contacts).map { "\($0.id & 0xFF) \($0.phase)" }
        }
        _ = panel.frames([2] + finger("tc", 5, 5, 5))
        let second = panel.frames([1] + finger("tc", 1, 1, 1) + empty)
        #expect(told(second) == ["5 stationary", "1 began"])
        let third = panel.frames([2] + finger("", 5, 5, 5))
        #expect(told(third) == ["5 ended", "1 stationary"])
        _ = panel.frames([2] + finger("tc", 6, 6, 6))
        let fourth = panel.frames([1] + finger("tc", 2, 2, 2) + finger("", 1, 1, 1))
        #expect(told(fourth) == ["1 ended", "6 stationary", "2 began"])
        let closing: ContactFrame? = panel.decoder.cancelAll(at: .zero)
        #expect(told(closing.map { [$0] } ?? []) == ["6 cancelled", "2 cancelled"])
        let again: ContactFrame? = panel.decoder.cancelAll(at: .zero)
        #expect(again == nil)
    }

    @Test("unplugging a device cancels its announced contacts at their last position")
    func unplug() {
        var panel = Panel(two)
        _ = panel.decode([1], finger("tc", 1, 1, 1), finger("t", 2, 2, 2), [2])
        _ = panel.decode([1], finger("tc", 1, 9, 9), finger("tc", 3, 3, 3), [4])
        #expect(panel.unplug() == ["1 cancelled (1,1)"])
        #expect(panel.decode([1], finger("tc", 1, 9, 9), empty, [1]) == ["1 began (9,9)"])
    }
}

private let azimuth = "09 3F 81 02"

extension String {
    fileprivate var replacingAzimuth: String { replacing(azimuth, with: "") }
}
