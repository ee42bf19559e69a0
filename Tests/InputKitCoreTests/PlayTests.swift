import Basics
import HID
import Hosting
import Testbed
import Testing
import Trace
import Wire

@testable import InputKitCore

@Suite("Plays")
struct PlayTests {
    private let tap = "tap f1 (187.5,333.5) @0"

    /// A recording of slots on a panel of 1000 × 1000: each scan moves the finger, and the last one lifts it if `lifts`.
    private func recording(scans: Int, everyMs step: Int = 10, lifts: Bool = true) -> [UInt8] {
        var text = "# EVEMU 1.3\nA: 2f 0 4 0 0\nA: 35 0 1000 0 0\nA: 36 0 1000 0 0\n"
        for index in 0..<scans {
            let time = "\(index * step / 1000).\(padded(index * step % 1000, to: 3))"
            if index == 0 { text += "E: \(time) 0003 0039 7\n" }
            text +=
                index == scans - 1 && lifts ? "E: \(time) 0003 0039 -1\n" : "E: \(time) 0003 0035 \(index % 1000 + 1)\n"
            text += "E: \(time) 0000 0000 0\n"
        }
        return Array(text.utf8)
    }

    @Test("Docs/Reference/Machines/PlayState.md matches the transition function")
    func table() {
        expectMachineTable(
            "PlayState", states: PlayState.allCases, inputs: PlayState.Input.allCases, transition: PlayState.transition)
    }

    @Test("a played tap is traced from device to frame")
    func trace() throws {
        var bench = try Bench.open(settings: [("probes", "input")])
        bench.outbox.trace.removeFacts()
        bench.play(.script("tap f1 (187.5,333.5) @0\ntap f2 (0,667) @0.08"))
        bench.run()
        expectTrace(
            bench.facts,
            matches: """
                    0.000 ms  process    play 1 begins
                    0.000 ms  device     contact 1 down at (0.500, 0.500)
                    0.000 ms  hid        hand and 1 finger, mask range|touch|position|identity
                    0.000 ms  frame      #1 one contact, began
                    0.000 ms  device     input emit
                   80.000 ms  device     contact 1 up at (0.500, 0.500)
                   80.000 ms  device     contact 2 down at (0.000, 1.000)
                   80.000 ms  hid        hand and 2 fingers, mask range|touch|position|identity
                   80.000 ms  frame      #2 two contacts, began and ended
                   80.000 ms  device     input emit
                  160.000 ms  device     contact 2 up at (0.000, 1.000)
                  160.000 ms  hid        hand and 1 finger, mask range|touch|identity
                  160.000 ms  frame      #3 one contact, ended
                  160.000 ms  device     input emit
                  160.000 ms  process    play 1 ends: 3 sent, 3 answered
                """)
    }

    @Test("a recording keeps its times, scaled by the play's speed")
    func times() throws {
        for (speed, factor) in [(UInt32(1000), 1.0), (2000, 0.5), (500, 2)] {
            var bench = try Bench.open()
            bench.disk.files["/r"] = recording(scans: 5)
            bench.play(.file("/r"), .times(speed))
            bench.run()
            #expect(bench.sent.map(\.at) == [0, 10, 20, 30, 40].map { Instant.ms($0 * factor) })
            #expect(bench.sent.map(\.event.timeStamp) == bench.sent.map(\.at))
            #expect(bench.sent.map(\.frame.ledger).map { $0[.device] } == bench.sent.map(\.at))
            #expect(bench.reports.map(\.failure) == [""])
        }
    }

    @Test("a play report counts sent touches and touches that recipients counted")
    func counts() throws {
        var bench = try Bench.open()
        bench.disk.files["/r"] = recording(scans: 50)
        bench.play(.file("/r"), .max)
        bench.run()
        let report = try #require(bench.reports.first)
        #expect((report.sent, report.answered, report.delivered) == (50, 50, 50))
        #expect(report.sentTouches == PhaseCounts(began: 1, moved: 48, ended: 1))
        #expect(report.arrivedTouches == PhaseCounts(began: 1, moved: 48, ended: 1))
        #expect(bench.disk.openFiles.isEmpty)
    }

    @Test("a play report counts taken touches apart from dropped ones")
    func taken() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = nil
        bench.play(.script("down f1 (10,20) @0\nmove f1 (11,20) @0.01\nup f1 @0.02"))
        bench.run(until: .ms(30))
        bench.answer(bench.sent[0].frame, bench.sent[0].event.fingers, after: .zero)
        bench.run(until: .ms(31))
        for (scan, reason) in [(1, Receipt.Reason.takenBySystem), (2, .takenByMonitor)] {
            var receipt = Receipt(frame: bench.sent[scan].frame.sequence, outcome: .dropped, reason: reason)
            (receipt.takenBySystem, receipt.takenByMonitor) = scan == 1 ? (1, 0) : (0, 1)
            bench.deliver(.frame(bench.serverFrame(.handled(receipt)), from: .systemServer))
        }
        bench.run()
        let report = try #require(bench.reports.first)
        #expect((report.sent, report.answered, report.delivered, report.dropped, report.takenFrames) == (3, 3, 1, 0, 2))
        #expect((report.takenBySystem, report.takenByMonitor) == (1, 1))
        #expect(report.isWhole)
    }

    @Test("a play at maximum pace stays within its window and the credit")
    func window() throws {
        for (credit, expected) in [(UInt32(2048), 1536), (256, 256), (10, 10)] {
            var bench = try Bench.open()
            bench.server.credit = credit
            bench.hello()
            bench.server.answersAfter = nil
            bench.play(.synthetic(frames: 2000), .max)
            #expect(bench.sent.count == expected)
            bench.server.answersAfter = .microseconds(50)
            bench.answerAll()
            bench.run()
            #expect(bench.reports.first?.answered == 2000)
            #expect(bench.reports.first?.failure == "")
        }
    }

    @Test("a play on a fixed schedule stamps even late frames when due")
    func schedule() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = nil
        bench.play(.synthetic(frames: 200), .every(1_000_000))
        bench.run(until: .ms(150))
        #expect(bench.sent.count == 128)
        bench.now = .ms(150)
        bench.server.answersAfter = .zero
        bench.answerAll()
        bench.run()
        #expect(bench.sent.map(\.event.timeStamp) == (0..<200).map { .ms(Double($0)) })
        #expect(bench.sent[128].at == .ms(150))
        #expect(bench.packets.contains { $0 > 20 }, "what piled up travels together")
    }

    @Test("a closed-loop play keeps one frame outstanding")
    func closedLoop() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = .milliseconds(3)
        bench.play(.synthetic(frames: 10), .closedLoop)
        bench.run()
        #expect(bench.sent.map(\.at) == (0..<10).map { .ms(Double($0) * 3) })
        #expect(bench.sent.map(\.event.timeStamp) == bench.sent.map(\.at))
        #expect(bench.reports.first?.answered == 10)
    }

    @Test("frames of one moment are sent as one packet")
    func packet() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (1,1) @0\nup f1 @0.5\ndown f1 (2,2) @0.5\nmove f1 (3,3) @0.5"))
        bench.run()
        #expect(bench.packets == [1, 2])
    }

    @Test("a repeat begins one frame after the last scan, with new fingers")
    func repeats() throws {
        var bench = try Bench.open()
        bench.disk.files["/r"] = recording(scans: 3)
        bench.play(.file("/r"), repeats: 3)
        bench.run()
        #expect(bench.sent.count == 9)
        #expect(bench.sent[3].at == Instant(nanoseconds: 20_000_000 + 16_666_666))
        #expect(bench.reports.first?.sentTouches.began == 3)
        #expect(bench.reports.first?.sentTouches.ended == 3)
        #expect(bench.disk.openFiles.isEmpty)
    }

    @Test("the end of a file cancels fingers still down, in every repeat")
    func endOfFile() throws {
        var bench = try Bench.open()
        bench.disk.files["/r"] = recording(scans: 3, lifts: false)
        bench.play(.file("/r"), .max, repeats: 2)
        bench.run()
        let report = try #require(bench.reports.first)
        #expect((report.sentTouches.began, report.sentTouches.ended, report.sentTouches.cancelled) == (2, 0, 2))
        #expect(bench.report()?["contacts.live"] == .number(0))
    }

    @Test("a script's fingers stay down until the next play cancels them")
    func endOfScript() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (1,1) @0"))
        bench.run()
        #expect(bench.reports.first?.failure == "")
        #expect(bench.report()?["contacts.live"] == .number(1))
        bench.play(.script(tap), id: 2)
        bench.run()
        #expect(bench.sent[1].event.fingers.map(\.mask) == [[.range, .touch, .cancel]])
        #expect(bench.reports.last?.sentTouches.cancelled == 0)
        #expect(bench.reports.last?.sent == 2)
        #expect(bench.sent[2].event.generationCount == 2)
    }

    @Test("a broken file plays up to its error, and its fingers end")
    func brokenFile() throws {
        var bench = try Bench.open()
        bench.disk.files["/r"] = recording(scans: 4, lifts: false) + Array("E: 1.0 0003 zzzz 1\n".utf8)
        bench.play(.file("/r"), .max)
        bench.run()
        let report = try #require(bench.reports.first)
        #expect(report.failure == #"/r:14: expected an event code in hexadecimal, found "zzzz""#)
        #expect((report.sent, report.sentTouches.began, report.sentTouches.cancelled, report.answered) == (5, 1, 1, 5))
        #expect(bench.disk.openFiles.isEmpty)
    }

    @Test("assumptions about an incomplete recording are counted and noted")
    func assumptions() throws {
        var bench = try Bench.open()
        bench.disk.files["/r"] = Array("E: 1.0 3 39 1\nE: 1.0 0 0 0\nhand-written\nE: 0.5 3 39 -1\nE: 0.5 0 0 0\n".utf8)
        bench.play(.file("/r"), .max)
        bench.run()
        #expect(bench.reports.map(\.failure) == [""])
        let told = bench.report()
        let report = try #require(told)
        #expect(report["recordings.assumedRanges"] == .number(1))
        #expect(report["recordings.ignoredLines"] == .number(1))
        #expect(report["recordings.timesBackwards"] == .number(2))
        #expect(
            bench.facts.map(\.text).contains("the recording does not describe its axes: 0 to 32767 assumed"))
    }

    @Test("a play order's axis ranges apply only to recordings without axes")
    func describedAxes() throws {
        let events = "E: 1.0 3 39 1\nE: 1.0 3 35 50\nE: 1.0 3 36 50\nE: 1.0 0 0 0\nE: 1.1 3 39 -1\nE: 1.1 0 0 0\n"
        for (description, x) in [("", 0.5), ("A: 35 0 200 0 0\nA: 36 0 200 0 0\n", 0.25)] {
            var bench = try Bench.open()
            bench.disk.files["/r"] = Array((description + events).utf8)
            bench.play(.file("/r"), .max, ranges: AxisRanges(x: 0...100, y: 0...100))
            bench.run()
            #expect(bench.sent.first?.event.fingers.map(\.position.x.double) == [x])
            #expect(bench.report()?["recordings.assumedRanges"] == .number(0))
        }
    }

    @Test("a script with axes plays in that panel's units")
    func scriptAxes() throws {
        let script = """
            axes (-100,0) (300,2000)
            down f1 (0,500) @0
            move f1 (300,2000) @0.01
            scan @0.02
            up f1 @0.03

            """
        var bench = try Bench.open()
        bench.disk.files["/s"] = Array(script.utf8)
        for (id, source) in [(1, PlayOrder.Source.file("/s")), (2, .script(script))] as [(UInt32, PlayOrder.Source)] {
            let before = bench.sent.count
            bench.play(source, .max, id: id)
            bench.run()
            let fingers = bench.sent[before...].map {
                $0.event.fingers.map { [$0.position.x.double, $0.position.y.double] }
            }
            // A scan without changes makes no event.
            #expect(fingers == [[[0.25, 0.25]], [[1, 1]], [[1, 1]]])
        }
        #expect(bench.reports.map(\.failure) == ["", ""])
        #expect(bench.report()?["recordings.assumedRanges"] == .number(0))
    }

    @Test("a refused play reports its reason, and the next play works")
    func refusals() throws {
        var bench = try Bench.open()
        bench.disk.files["/desc"] = Array("# EVEMU 1.3\nN: only a description\n".utf8)
        bench.disk.files["/text"] = Array("hello\n".utf8)
        bench.play(.file("/none"), id: 1)
        bench.run()
        bench.play(.file("/desc"), id: 2)
        bench.run()
        bench.play(.file("/text"), id: 3)
        bench.run()
        bench.play(.script("down f1"), id: 4)
        bench.play(.script("home @0"), id: 5)
        bench.play(.script(tap), id: 6)
        bench.play(.script(tap), id: 7)
        bench.run()
        #expect(bench.reports.map(\.id) == [1, 2, 3, 4, 5, 7, 6])
        #expect(
            bench.reports.map(\.failure) == [
                "/none: No such file or directory", "/desc: expected a touch, found none",
                "/text: expected a recording (evemu, evtest, getevent -lt, libinput record, hid-recorder), WebDriver "
                    + "actions, a finger script or a journal, found \"hello\"",
                "script:1: expected a point, found the line's end",
                "script:1: expected input of fingers, keys or pointers, found home",
                "busy: play 6 is running", "",
            ])
    }

    @Test("keys and pointers are sent among fingers with one beginning and end")
    func devices() throws {
        var bench = try Bench.open()
        bench.play(
            .script(
                """
                press menu down @0
                tap f1 (10,10) @0.01
                hover (187.5,333.5) @0.02
                hover (0,667) @0.03
                shake @0.04
                hover end @0.05
                hover end @0.06
                press menu up @0.2
                """))
        bench.run()
        #expect(
            bench.devices.map { "\($0.timeStamp) \($0.input)" } == [
                "0.000 ms key 12:64 began", "20.000 ms hover began", "30.000 ms hover changed", "40.000 ms shake began",
                "40.000 ms shake ended", "50.000 ms hover ended", "200.000 ms key 12:64 ended",
            ])
        #expect(bench.devices[2].input.position == Point(.zero, .one))
        #expect(bench.devices[5].input.position == Point(.zero, .one), "where it was last")
        #expect(bench.sent.map(\.at) == [.ms(10), .ms(90)])
        #expect(bench.reports.map(\.answered) == [9])
    }

    @Test("keys left down by a script stay down until the next play")
    func heldKeys() throws {
        var bench = try Bench.open()
        bench.play(.script("key a down @0"), id: 1)
        bench.run()
        #expect(bench.devices.map(\.input.phase) == [.began])
        #expect(bench.report()?["inputs.held"] == .number(1))
        bench.play(.script("key b down @0"), id: 2)
        bench.run()
        #expect(
            bench.devices.map { $0.input.text(namingKeys: true) } == [
                "key 7:4 began", "key 7:4 cancelled", "key 7:5 began",
            ])
        bench.deliver(.stopRequested)
        #expect(bench.devices.last?.input.phase == .cancelled)
    }

    @Test("a script file may press keys, and its end releases them")
    func devicesInFile() throws {
        var bench = try Bench.open()
        bench.disk.files["/s"] = Array("key a down @0\ntap f1 (1,1) @0.01\n".utf8)
        bench.play(.file("/s"))
        bench.run()
        #expect(bench.devices.map(\.input.phase) == [.began, .cancelled])
        #expect(bench.devices.last?.timeStamp == .ms(90))
        #expect(bench.reports.map(\.answered) == [4])
    }

    @Test("a repeated script releases its keys before pressing them again")
    func repeatedKeys() throws {
        var bench = try Bench.open()
        bench.play(.script("key a down @0\ndown f1 (1,1) @0.01"), repeats: 2)
        bench.run()
        #expect(bench.devices.map(\.input.phase) == [.began, .cancelled, .began])
        #expect(bench.sent.count == 3)
    }

    @Test("a played file is read only a little ahead of sending")
    func streaming() throws {
        var bench = try Bench.open()
        bench.disk.files["/r"] = recording(scans: 20_000)
        let chunks = (bench.disk.files["/r"]?.count ?? 0) / FrameSource.chunk
        bench.play(.file("/r"))
        bench.run(until: .ms(1000))
        #expect(chunks > 10)
        #expect(bench.disk.reads <= 2)
        bench.server.answersAfter = .zero
        bench.run()
        #expect(bench.reports.first?.sent == 20_000)
        #expect(bench.reports.first?.answered == 20_000)
    }

    @Test("a play fails when frames stay unanswered longer than the patience")
    func silence() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = nil
        bench.play(.script(tap))
        bench.run(until: .ms(2050))
        #expect(bench.reports == [])
        bench.run(until: .ms(2100))
        #expect(bench.reports.map(\.failure) == ["2 scans unanswered"])
    }

    @Test("a server that stops answering midway ends the play")
    func silenceWhileBlocked() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = nil
        bench.play(.synthetic(frames: 1000), .max)
        bench.run(until: .ms(10_000))
        #expect(bench.reports.map(\.failure) == ["256 scans unanswered"])
        #expect(bench.sent.last?.event.fingers.first?.mask.contains(.cancel) == true)
        bench.server.answersAfter = .zero
        bench.play(.script(tap), id: 2)
        bench.run()
        #expect(bench.reports.last?.failure == "")
    }

    @Test("a stopped play cancels its finger and allows the next play")
    func stopped() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (1,1) @0\nup f1 @1000"))
        bench.run(until: .ms(100))
        bench.deliverFromSupervisor(.stopPlay(2))
        #expect(bench.reports == [])
        bench.deliverFromSupervisor(.stopPlay(1))
        bench.run(until: .ms(200))
        #expect(bench.reports.map(\.failure) == ["stopped"])
        #expect(bench.sent.last?.event.fingers.first?.mask.contains(.cancel) == true)
        bench.deliverFromSupervisor(.stopPlay(1))
        bench.play(.script(tap), id: 2)
        bench.run()
        #expect(bench.reports.last?.failure == "")
    }

    @Test("complete ledgers after the warm-up are sent before the play report")
    func ledgers() throws {
        var bench = try Bench.open()
        bench.play(.synthetic(frames: 6000), .max, warmUp: 1000, wantsLedgers: true)
        bench.run(until: .boot)
        #expect(bench.measuredLedgers.count == 4800)
        #expect(bench.reports == [])
        bench.run()
        #expect(bench.measuredLedgers.count == 5000)
        #expect(bench.reports.count == 1)
        #expect(bench.measuredLedgers.count { $0.isComplete } == 5000)
    }

    @Test("the synthetic finger always lifts, for any number of frames")
    func synthetic() throws {
        for count in [0, 1, 2, 99, 100, 101, 102, 200, 201, 1000] {
            var bench = try Bench.open()
            bench.play(.synthetic(frames: UInt32(count)), .max)
            bench.run()
            let report = try #require(bench.reports.first)
            #expect(report.sent == (count == 1 ? 2 : UInt64(count)), "\(count)")
            #expect(report.sentTouches.began == report.sentTouches.ended + report.sentTouches.cancelled, "\(count)")
            #expect(bench.report()?["contacts.live"] == .number(0))
            #expect(bench.report()?["faults.device"] == .number(0), "\(count)")
        }
    }

    @Test("a script's point is on the panel where the screen settings say")
    func geometry() throws {
        var bench = try Bench.open(settings: [("screen.rotation", "90")])
        bench.play(.script("down f1 (667,0) @0"))
        #expect(bench.sent.first?.event.fingers.first?.position == .zero)
    }

    @Test("a second receipt for a frame is counted as stray")
    func strayReceipts() throws {
        var bench = try Bench.open()
        bench.play(.script("down f1 (1,1) @0\nup f1 @1"))
        bench.run(until: .ms(500))
        bench.answerAll()
        bench.run()
        #expect(bench.reports.first?.answered == 2)
        #expect(bench.report()?["receipts.stray"] == .number(1))
    }
}
