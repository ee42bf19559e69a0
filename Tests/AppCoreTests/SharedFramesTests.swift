import Basics
import HID
import Hosting
import Links
import Testbed
import Testing
import UIKit
import Wire

@testable import AppCore

@Suite("Touches of several scans in one frame")
struct SharedFramesTests {
    /// A frame in which touch 1 moves to each of these positions.
    private func moves(_ stage: Stage, _ positions: [Double], of touch: UInt32 = 1) -> Frame {
        let frames = positions.map { x in
            TouchFrame(
                timeStamp: stage.now,
                contacts: [TouchContact(touch: TouchID(rawValue: touch), phase: .moved, at: Point(x, 100))])
        }
        var ledger = Ledger(device: stage.now)
        for _ in 0..<3 { ledger.append(stage.now) }
        return stage.server.frame(.severalTouches(TouchList(frames)), ledger: ledger)
    }

    private func receipt(_ frame: Frame, moved: UInt16, coalesced: UInt16) -> Receipt {
        var receipt = Receipt(frame: frame.sequence, outcome: .delivered, moved: moved)
        receipt.coalesced = coalesced
        return receipt
    }

    @Test("each scan is an event of its own, and one receipt answers all of them")
    func events() throws {
        let stage = try Stage()
        stage.touch(.began)
        var seen: [Double] = []
        stage.view.watched = { touch, _ in seen.append(touch.location(in: stage.view).x) }
        stage.clearRecords()
        let frame = moves(stage, [101, 102, 103])
        stage.deliver(.frame(frame, from: .systemServer))
        #expect(stage.log.lines == ["moved", "moved", "moved"] && seen == [101, 102, 103])
        #expect(stage.receipts == [receipt(frame, moved: 3, coalesced: 0)])
        #expect(stage.sent(to: .systemServer)[0].ledger.count == 5)
        #expect(stage.report()?["moved"] == .number(3))
    }

    /// A stage with frame-aligned delivery, on which touch 1 is down.
    private func alignedStage() throws -> Stage {
        let stage = try Stage([Setting("app.delivery", "frameAligned")])
        stage.at(1000)
        stage.touch(.began)
        stage.run(until: 1017)
        stage.clearRecords()
        stage.at(1018)
        return stage
    }

    @Test("frame-aligned delivery merges the scans of a frame, also with those of the next one")
    func aligned() throws {
        let stage = try alignedStage()
        var samples = 0
        stage.view.watched = { touch, event in samples = event?.coalescedTouches(for: touch)?.count ?? 0 }
        let first = moves(stage, [101, 102, 103])
        let second = moves(stage, [104, 105])
        for frame in [first, second] { stage.deliver(.frame(frame, from: .systemServer)) }
        #expect(stage.log.lines == [])
        stage.run(until: 1034)
        #expect(stage.log.lines == ["moved"] && samples == 5)
        #expect(
            stage.receipts == [receipt(first, moved: 0, coalesced: 3), receipt(second, moved: 1, coalesced: 1)])
    }

    @Test("the receipt of a frame of one scan has the number of merged moves, for the shared frame that it came from")
    func merged() throws {
        let stage = try alignedStage()
        stage.touch(.moved, 101)
        stage.touch(.moved, 102)
        stage.run(until: 1034)
        #expect(stage.receipts.map(\.moved) == [0, 1] && stage.receipts.map(\.coalesced) == [1, nil])
    }

    @Test("an app without room for all scans of a frame handles none of them and cancels its touches")
    func full() throws {
        let stage = try Stage([Setting("app.inboxCapacity", "2")])
        stage.touch(.began)
        stage.clearRecords()
        let frame = moves(stage, [101, 102, 103])
        stage.deliver(.frame(frame, from: .systemServer))
        #expect(stage.log.lines == ["cancelled"])
        #expect(stage.receipts == [Receipt(frame: frame.sequence, outcome: .dropped, reason: .inboxFull)])
    }

    @Test("scans of a touch that is ignored until lift are answered without an event")
    func ignored() throws {
        let stage = try Stage()
        let frame = moves(stage, [101, 102], of: 9)
        stage.deliver(.frame(frame, from: .systemServer))
        #expect(stage.log.lines == [])
        #expect(stage.receipts == [Receipt(frame: frame.sequence, outcome: .dropped, reason: .ignoredUntilLift)])
    }

    @Test("scans without a touch that the app knows are left out, and the others are answered")
    func partlyIgnored() throws {
        let stage = try Stage()
        stage.touch(.began)
        stage.clearRecords()
        func several(_ contacts: [TouchContact]...) -> Frame {
            var ledger = Ledger(device: stage.now)
            for _ in 0..<3 { ledger.append(stage.now) }
            let frames = contacts.map { TouchFrame(timeStamp: stage.now, contacts: $0) }
            return stage.server.frame(.severalTouches(TouchList(frames)), ledger: ledger)
        }
        let known = TouchContact(touch: TouchID(rawValue: 1), phase: .moved, at: Point(101, 100))
        let unknown = TouchContact(touch: TouchID(rawValue: 9), phase: .moved, at: Point(101, 100))
        let empty = several([], [])
        stage.deliver(.frame(empty, from: .systemServer))
        let partly = several([], [unknown], [known], [known, unknown], [unknown])
        stage.deliver(.frame(partly, from: .systemServer))
        #expect(stage.log.lines == ["moved", "moved"])
        let refused = Receipt(frame: empty.sequence, outcome: .dropped, reason: .ignoredUntilLift)
        #expect(stage.receipts == [refused, receipt(partly, moved: 2, coalesced: 0)])
    }

    @Test("a nested run in the first event of a frame leaves the other events to the outer run")
    func nestedRun() throws {
        let stage = try Stage()
        stage.touch(.began)
        stage.clearRecords()
        stage.runsLoop(in: "moved")
        let frame = moves(stage, [101, 102, 103])
        stage.deliver(.frame(frame, from: .systemServer))
        #expect(stage.log.lines == ["moved", "main queue", "nested run handledSource", "moved", "moved"])
        #expect(stage.receipts == [receipt(frame, moved: 3, coalesced: 0)] && stage.loop.depth == 1)
    }

    @Test("scans that waited too long for a busy main loop are dropped with one receipt, and the touch is cancelled")
    func late() throws {
        let stage = try Stage([Setting("app.turnTimeout", "0.1")])
        stage.view.actions["began"] = { [unowned stage] in
            stage.loop.busy(until: .boot.advanced(by: .milliseconds(600)))
        }
        stage.touch(.began)
        stage.clearRecords()
        stage.at(10)
        let frame = moves(stage, [101, 102, 103])
        stage.deliver(.frame(frame, from: .systemServer))
        #expect(stage.log.lines == [])
        stage.run(until: 700)
        #expect(stage.log.lines == ["cancelled"])
        #expect(stage.receipts.last == Receipt(frame: frame.sequence, outcome: .dropped, reason: .late))
        #expect(stage.receipts.count { $0.frame == frame.sequence } == 1)
        // Nothing of the dropped frame is left in the counts of the next one.
        stage.touch(.began, finger: 2)
        stage.clearRecords()
        stage.run(until: 1400)
        let next = moves(stage, [104, 105], of: 2)
        stage.deliver(.frame(next, from: .systemServer))
        #expect(stage.receipts.last == receipt(next, moved: 2, coalesced: 0))
    }
}
