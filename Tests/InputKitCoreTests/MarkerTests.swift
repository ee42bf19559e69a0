import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Trace
import Wire

@testable import InputKitCore

@Suite("Markers")
struct MarkerTests: LiveDeviceSuite {
    @Test("a marker ends at once when no scan is outstanding")
    func markerAtOnce() throws {
        var bench = try open()
        bench.play(.marker, id: 5)
        #expect(bench.reports.map(\.id) == [5])
        #expect(bench.reports.map(\.failure) == [""])
    }

    @Test("markers wait in order for the play and all answers before them")
    func markersWait() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.server.answersAfter = .milliseconds(30)
        bench.play(.script("tap f1 (10,10) @0"), id: 1)
        bench.play(.marker, id: 2)
        bench.play(.marker, id: 3)
        bench.run(until: bench.now)
        #expect(bench.reports.isEmpty)
        bench.run()
        #expect(bench.reports.map(\.id) == [1, 2, 3])
        #expect(bench.reports.map(\.failure) == ["", "", ""])
        bench.server.answersAfter = nil
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.play(.marker, id: 4)
        bench.deliverBytes(a, SlotPanel.bytes(lift(), at: bench.now))
        #expect(bench.reports.count == 3)
        let landing = try #require(bench.sent.dropLast().last)
        bench.answer(landing.frame, landing.event.fingers, after: .zero)
        bench.run(until: bench.now)
        #expect(bench.reports.map(\.id) == [1, 2, 3, 4], "what came after it is not waited for")
    }

    @Test("a stopped marker is forgotten, and a silent server fails it")
    func markersFail() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.server.answersAfter = nil
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.play(.marker, id: 1)
        bench.deliverFromSupervisor(.stopPlay(1))
        bench.play(.marker, id: 2)
        bench.pass(.seconds(3))
        #expect(bench.reports.map(\.id) == [2])
        #expect(bench.reports.map(\.failure) == ["1 frames unanswered"])
        bench.play(.marker, id: 3)
        bench.deliver(.peerLost(.systemServer))
        #expect(bench.reports.last?.failure == "system-server lost")
        bench.play(.marker, id: 4)
        #expect(bench.reports.last?.failure == "system-server is not connected")
    }

    @Test("a marker waits for the frames of a stopped play")
    func markerAfterStop() throws {
        var bench = try open()
        bench.server.answersAfter = .milliseconds(50)
        bench.play(.script("tap f1 (10,10) @0"), id: 1)
        bench.play(.marker, id: 2)
        bench.deliverFromSupervisor(.stopPlay(1))
        #expect(bench.reports.map(\.id) == [1])
        bench.run()
        #expect(bench.reports.map(\.id) == [1, 2])
        #expect(bench.reports.map(\.failure) == ["stopped", ""])
    }

    @Test("a marker waits for the cancelled fingers that a script left")
    func fingersLeft() throws {
        var bench = try open()
        bench.play(.script("down f1 (10,10) @0"), id: 1)
        bench.run(until: bench.now)
        #expect(bench.reports.map(\.id) == [1])
        bench.server.answersAfter = nil
        bench.play(.script("tap f1 (20,20) @0"), id: 2)
        bench.deliverFromSupervisor(.stopPlay(2))
        #expect(
            bench.fingerLines == [
                "1.1 finger 1 began", "1.1 finger 1 cancelled", "1.2 finger 1 began", "1.2 finger 1 cancelled",
            ])
        bench.play(.marker, id: 3)
        for scan in bench.sent.suffix(2) { bench.answer(scan.frame, scan.event.fingers, after: .zero) }
        bench.run(until: bench.now)
        #expect(bench.reports.map(\.id) == [1, 2])
        let left = bench.sent[1]
        bench.answer(left.frame, left.event.fingers, after: .zero)
        bench.run(until: bench.now)
        #expect(bench.reports.map(\.id) == [1, 2, 3])
        _ = bench.report()
        #expect(bench.row("receipts.stray") == .number(0))
        #expect(bench.row("unanswered") == .number(0))
    }

    @Test("a marker behind a scan without changes ends with that scan")
    func markerBehindNothing() throws {
        var bench = try open([("device.palms", "keep")])
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.server.credit = 0
        bench.hello()
        // The tool of a contact is not part of an event.
        bench.deliverBytes(a, SlotPanel.bytes([.palm, .report], at: bench.now))
        bench.play(.marker, id: 1)
        #expect(bench.reports.isEmpty)
        bench.server.credit = 256
        bench.hello()
        bench.run(until: bench.now)
        #expect(bench.reports.map(\.failure) == [""])
        #expect(bench.fingerLines == ["2.1 finger 1 began"])
    }
}
