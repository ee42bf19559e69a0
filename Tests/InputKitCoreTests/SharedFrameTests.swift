import Basics
import HID
import Hosting
import Testbed
import Testing
import Wire

@testable import InputKitCore

@Suite("Scans of a play that share a frame")
struct SharedFrameTests {
    @Test("moves that are due together share frames, landings and lifts do not")
    func sharedFrames() throws {
        var bench = try Bench.open()
        bench.play(.synthetic(frames: 200), .max)
        bench.run()
        // Each hundred scans have a landing, 98 moves and a lift.
        let messages = bench.sentFrames.map(\.message)
        let counts = messages.map { if case .scans(let events) = $0 { events.count } else { 1 } }
        #expect(counts == [1, 98, 1, 1, 98, 1])
        #expect(bench.sent.count == 200 && bench.packets == [200])
        let report = try #require(bench.reports.first)
        #expect((report.sent, report.answered, report.delivered) == (200, 200, 200))
        #expect(report.sentTouches == PhaseCounts(began: 2, moved: 196, ended: 2))
        #expect(report.isWhole && report.coalesced == 0)
        // A ledger measures the way of one scan, and a schedule sends each scan when it is due.
        for (pace, wantsLedgers) in [(PlayOrder.Pace.max, true), (.every(0), false)] {
            bench = try Bench.open()
            bench.play(.synthetic(frames: 100), pace, wantsLedgers: wantsLedgers)
            bench.run()
            #expect(bench.sentFrames.count == 100)
        }
    }

    @Test(
        "frames have at most 128 scans and 256 contacts",
        arguments: [(1, 200, [128, 72]), (2, 130, [128, 2]), (5, 120, [51, 51, 18])] as [(Int, Int, [Int])])
    func limits(fingers: Int, scans: Int, expected: [Int]) throws {
        var bench = try Bench.open()
        let downs = (1...fingers).map { "down f\($0) (\(10 * $0),10) @0" }
        let moves = (1...scans).map { "move f1 (10,\(10 + $0)) @\($0)" }
        bench.play(.script((downs + moves).joined(separator: "\n")), .max)
        bench.run()
        let counts = bench.sentFrames.map(\.message.scanCount).filter { $0 > 1 }
        #expect(counts == expected)
        let positions = bench.sent.compactMap { $0.event.fingers.first?.position.y }
        #expect(bench.sent.count == scans + 1 && positions == positions.sorted())
        #expect(try #require(bench.reports.first).isWhole)
    }

    @Test("the receipt of a shared frame says how many of its moves were merged")
    func sharedReceipts() throws {
        for (moved, coalesced, isWhole) in [(60, 38, true), (60, 37, false), (98, 0, true)] as [(UInt16, UInt16, Bool)]
        {
            var bench = try Bench.open()
            bench.server.answersAfter = nil
            bench.play(.synthetic(frames: 100), .max)
            var left = (moved: moved, coalesced: coalesced)
            for (index, frame) in bench.sentFrames.enumerated() {
                var receipt = Receipt(frame: frame.sequence, outcome: .delivered)
                if case .scans(let events) = frame.message {
                    receipt.moved = min(left.moved, UInt16(events.count))
                    receipt.coalesced = min(left.coalesced, UInt16(events.count) - receipt.moved)
                    left = (left.moved - receipt.moved, left.coalesced - receipt.coalesced!)
                } else if index == 0 {
                    receipt.began = 1
                } else {
                    receipt.ended = 1
                }
                bench.deliver(.frame(bench.serverFrame(.handled(receipt)), from: .systemServer))
            }
            bench.run()
            let report = try #require(bench.reports.first)
            #expect(report.answered == 100 && report.coalesced == UInt64(coalesced))
            #expect(report.arrivedTouches.moved == UInt64(moved) && report.isWhole == isWhole)
        }
    }

    @Test(
        "a blocked play goes on when an eighth of its scans is answered if they share frames, else a quarter",
        arguments: [
            (PlayOrder.Pace.max, 1536, 192), (.every(0), 128, 32),
        ])
    func goesOn(pace: PlayOrder.Pace, window: Int, answers: Int) throws {
        var bench = try Bench.open()
        bench.server.credit = 2048
        bench.hello()
        bench.server.answersAfter = nil
        bench.play(.synthetic(frames: 2000), pace)
        #expect(bench.sent.count == window)
        var answered = 0
        for frame in bench.sentFrames where answered < answers {
            #expect(bench.sent.count == window, "\(answered) answered")
            let receipt = Receipt(frame: frame.sequence, outcome: .delivered)
            bench.deliver(.frame(bench.serverFrame(.handled(receipt)), from: .systemServer))
            answered += frame.message.scanCount
        }
        #expect(bench.sent.count == window + answered)
    }

    @Test("a play at maximum pace leaves half of the credit to devices, whatever shares frames")
    func frameWindow() throws {
        var bench = try Bench.open()
        bench.server.credit = 256
        bench.hello()
        bench.server.answersAfter = nil
        // Landings and lifts are frames of their own.
        bench.play(.script((0..<200).map { "tap f1 (10,10) @\($0)" }.joined(separator: "\n")), .max)
        #expect(bench.sentFrames.count == 128)
    }

    @Test("a new play does not inherit the wait of the play before it")
    func wait() throws {
        var bench = try Bench.open()
        bench.server.answersAfter = .milliseconds(100)
        bench.play(.synthetic(frames: 2), .max)
        bench.run(until: .ms(1950))
        #expect(bench.reports.map(\.failure) == [""])
        bench.server.answersAfter = .milliseconds(300)
        bench.now = .ms(1950)
        bench.play(.synthetic(frames: 4), .closedLoop, id: 2)
        bench.run()
        #expect(bench.reports.map(\.failure) == ["", ""])
    }
}
