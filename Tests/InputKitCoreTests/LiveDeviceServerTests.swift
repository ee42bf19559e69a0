import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import Trace
import Wire

@testable import InputKitCore

@Suite("Live devices and the server")
struct LiveDeviceServerTests: LiveDeviceSuite {
    @Test("one device's flood of moves leaves credit for another device's touch")
    func storm() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts("A", place: "here"))
        bench.plug(b, SlotPanel.facts("B", place: "there"))
        bench.server.answersAfter = nil
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        for x in 1...1000 { bench.deliverBytes(a, SlotPanel.bytes([.at(Int32(x), 0), .report], at: bench.now)) }
        #expect(bench.sent.count == Admission.moves)
        bench.deliverBytes(b, SlotPanel.bytes(land(1), at: bench.now))
        bench.deliverBytes(b, SlotPanel.bytes([.at(1, 1), .report] + lift(), at: bench.now))
        #expect(
            Array(bench.fingerLines.suffix(3)) == ["3.1 finger 1 began", "3.1 finger 1 moved", "3.1 finger 1 ended"])
        bench.deliverBytes(a, SlotPanel.bytes(lift(), at: bench.now))
        #expect(bench.fingerLines.last == "3.1 finger 1 ended", "its moves come before its lift")
        bench.server.answersAfter = .zero
        bench.answerAll()
        bench.run(until: bench.now)
        #expect(Array(bench.fingerLines.suffix(2)) == ["2.1 finger 1 moved", "2.1 finger 1 ended"])
    }

    @Test("device.scanRate limits a device's moves but does not delay its lift")
    func fastDevice() throws {
        for (rate, most) in [("1000", 1064), ("0", 8000)] {
            var bench = try open([("device.scanRate", rate)])
            bench.plug(a, SlotPanel.facts())
            bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
            for x in 1...8000 {
                bench.deliverBytes(a, SlotPanel.bytes([.at(Int32(x % 1000), 0), .report], at: bench.now))
                bench.pass(.microseconds(125))
            }
            bench.deliverBytes(a, SlotPanel.bytes([.at(999, 7), .report], at: bench.now))
            bench.deliverBytes(a, SlotPanel.bytes(lift(), at: bench.now))
            #expect(bench.fingerLines.last == "2.1 finger 1 ended", "it waits for no allowance")
            let places = bench.sent.compactMap { $0.event.fingers.first?.position.y }
            #expect(places.contains(Fixed(normalising: 7, from: 0, to: 1000)), "nor does its last place")
            let moves = bench.fingerLines.count { $0.hasSuffix("moved") }
            #expect((most - 64...most + 2).contains(moves), "\(moves)")
        }
    }

    @Test("a rate-limited scan is sent when a token arrives, without other input")
    func lateScan() throws {
        var bench = try open([("device.scanRate", "10"), ("device.scanBurst", "1")])
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        for x in 1...3 { bench.deliverBytes(a, SlotPanel.bytes([.at(Int32(x), 0), .report], at: bench.now)) }
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 moved"])
        bench.pass(.milliseconds(99))
        #expect(bench.sent.count == 2)
        bench.pass(.milliseconds(1))
        #expect(bench.sent.count == 3)
        #expect(bench.sent.last?.event.fingers.first?.position.x == Fixed(normalising: 3, from: 0, to: 1000))
        _ = bench.report()
        #expect(bench.row("device.event0.coalesced") == .number(1))
    }

    @Test("one device's flood of taps takes at most half the credit")
    func stormOfEdges() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts("A", place: "here"))
        bench.plug(b, SlotPanel.facts("B", place: "there"))
        bench.server.answersAfter = nil
        for id in 0..<200 { bench.deliverBytes(a, SlotPanel.bytes(land(Int32(id)) + lift(), at: bench.now)) }
        #expect(bench.sent.count == 128)
        bench.deliverBytes(b, SlotPanel.bytes(land(1), at: bench.now))
        #expect(bench.fingerLines.last == "3.1 finger 1 began")
    }

    @Test("scans with lost receipts do not silence a device forever")
    func lostReceipts() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.server.answersAfter = nil
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        for x in 1...1000 { bench.deliverBytes(a, SlotPanel.bytes([.at(Int32(x), 0), .report], at: bench.now)) }
        bench.pass(.seconds(3))
        bench.deliverBytes(a, SlotPanel.bytes([.at(7, 7), .report], at: bench.now))
        #expect(bench.sent.count == Admission.moves + 1)
        #expect(bench.sent.last?.event.fingers.first?.position.y == Fixed(normalising: 7, from: 0, to: 1000))
    }

    @Test("without credit moves are merged, but landings and lifts are kept")
    func noCredit() throws {
        var bench = try open()
        bench.server.credit = 1
        bench.hello()
        bench.plug(a, SlotPanel.facts())
        bench.server.answersAfter = nil
        for step in 0..<5 { bench.deliverBytes(a, SlotPanel.bytes(land(Int32(step)) + lift(), at: bench.now)) }
        let before = bench.sent.count
        bench.deliverBytes(a, SlotPanel.bytes(land(50), at: bench.now))
        for x in 1...100 { bench.deliverBytes(a, SlotPanel.bytes([.at(Int32(x), 0), .report], at: bench.now)) }
        bench.deliverBytes(a, SlotPanel.bytes(lift(), at: bench.now))
        #expect(bench.sent.count == before, "there was room for \(before)")
        _ = bench.report()
        #expect(bench.row("device.event0.coalesced") == .number(99))
        bench.server.answersAfter = .zero
        bench.server.credit = 256
        bench.hello(generation: 4)
        bench.answerAll()
        bench.run(until: bench.now)
        #expect(bench.fingerLines.count { $0.hasSuffix("began") } == 6)
        #expect(bench.fingerLines.count { $0.hasSuffix("ended") } == 6)
        #expect(bench.fingerLines.count { $0.hasSuffix("moved") } == 1)
        #expect(
            bench.sent.suffix(2).first?.event.fingers.first?.position.x == Fixed(normalising: 100, from: 0, to: 1000))
    }

    @Test("a hello from before the link opens does not block live fingers")
    func smallServer() throws {
        var bench = try Bench(settings: all)
        bench.now = .ms(1000)
        bench.server.credit = 16
        bench.deliver(.connected(.systemServer))
        // The hello of an earlier server answers no hello of this process.
        var old = LinkNumbers(epoch: 8, generation: 3)
        bench.deliver(.frame(old.frame(.hello), from: .systemServer))
        bench.hello()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes([.at(7, 7), .report], at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes(lift(), at: bench.now))
        #expect(bench.fingerLines.map { String($0.split(separator: " ").last ?? "") } == ["began", "moved", "ended"])
    }

    @Test("a silent server without credit for waiting scans is probed")
    func asked() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.server.credit = 1
        bench.hello()
        bench.deliverBytes(a, SlotPanel.bytes([.at(7, 7), .report], at: bench.now))
        let before = bench.server.received.count
        bench.run(until: bench.now.advanced(by: .seconds(1)))
        #expect(bench.server.received.dropFirst(before).contains { $0.message == .link(.probe) })
        bench.server.credit = 256
        bench.deliver(.frame(bench.serverFrame(.link(.received(oldest: 0, missed: 0))), from: .systemServer))
        #expect(bench.fingerLines.last?.hasSuffix("moved") == true)
    }

    @Test("a full scan queue refuses landings but passes every lift")
    func full() throws {
        var bench = try open()
        bench.server.credit = 0
        bench.hello()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1, slot: 4), at: bench.now))
        for id in 10..<200 { bench.deliverBytes(a, SlotPanel.bytes(land(Int32(id)) + lift(), at: bench.now)) }
        _ = bench.report()
        let waiting = ScanQueue.limit
        #expect(bench.row("device.event0.waiting") == .number(Int64(waiting + 1)), "the last landing's own lift")
        bench.deliverBytes(a, SlotPanel.bytes([.slot(4), .id(-1), .report], at: bench.now))
        bench.server.credit = 256
        bench.hello()
        bench.deliverBytes(a, SlotPanel.bytes(land(1000), at: bench.now))
        bench.run(until: bench.now)
        let (began, ended) = (
            bench.fingerLines.count { $0.hasSuffix("began") }, bench.fingerLines.count { $0.hasSuffix("ended") }
        )
        #expect(began == ended + 1, "each contact but the last has ended: \(began), \(ended)")
        _ = bench.report()
        #expect(bench.row("device.event0.waiting") == .number(0))
        #expect(bench.row("device.event0.refused") != .number(0))
    }

    @Test("fingers down when the server is lost are ignored until lift")
    func serverLost() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.deliver(.peerLost(.systemServer))
        bench.deliverBytes(a, SlotPanel.bytes([.at(1, 1), .report], at: bench.now))
        bench.deliverBytes(a, SlotPanel.bytes(land(2, slot: 1), at: bench.now))
        bench.deliver(.connected(.systemServer))
        bench.hello(epoch: 10, generation: 5)
        bench.deliverBytes(a, SlotPanel.bytes([.at(9, 9), .report, .slot(0), .at(3, 3), .report], at: bench.now))
        #expect(bench.fingerLines == ["2.1 finger 1 began"], "both landed where the new server could not hear it")
        bench.deliverBytes(a, SlotPanel.bytes([.id(-1), .report] + land(3), at: bench.now))
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 began"])
        _ = bench.report()
        #expect(bench.row("device.event0.ignored") == .number(1))
    }

    @Test("stopping input-kit cancels live fingers even without credit")
    func stopping() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.server.credit = 0
        bench.hello()
        bench.deliver(.stopRequested)
        #expect(bench.fingerLines == ["2.1 finger 1 began", "2.1 finger 1 cancelled"])
        #expect(bench.exits == [0])
    }

    @Test("a play and a live device run together with separate fingers")
    func beside() throws {
        var bench = try open()
        bench.plug(a, SlotPanel.facts())
        bench.deliverBytes(a, SlotPanel.bytes(land(1), at: bench.now))
        bench.play(.script("tap f1 (187.5,333.5) @0"))
        bench.run(until: bench.now.advanced(by: .milliseconds(40)))
        bench.now = .ms(1040)
        bench.deliverBytes(a, SlotPanel.bytes(lift(), at: bench.now))
        bench.run()
        #expect(
            bench.fingerLines == [
                "2.1 finger 1 began", "1.1 finger 1 began", "2.1 finger 1 ended", "1.1 finger 1 ended",
            ])
        #expect(bench.reports.map(\.failure) == [""])
        #expect(bench.reports.first?.sent == 2, "a device's scans are none of the play's")
    }
}
