import Basics
import HID
import Hosting
import Links
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("An app's credit window")
struct FlowControlTests {

    var stage = Stage()

    init() {
        _ = stage.inputKitSaysHello()
    }

    private mutating func appWithWindow(_ window: UInt32) { _ = stage.appSaysHello(1, credit: window) }

    private func touches(_ frames: [Frame]) -> [TouchFrame] {
        frames.compactMap { if case .touches(let frame) = $0.message { frame } else { nil } }
    }

    private func receipts(_ frames: [Frame]) -> [Receipt] {
        frames.compactMap { if case .handled(let receipt) = $0.message { receipt } else { nil } }
    }

    @Test("waiting moves become one frame with history, and each scan a receipt")
    mutating func coalescing() throws {
        appWithWindow(1)
        let landing = stage.scans(down(1, 0.1, 0.1))
        #expect(stage.scans(moved(1, 0.2, 0.2)).isEmpty)
        var early: [Receipt] = []
        for step in 3...5 { early += receipts(stage.scans(moved(1, Double(step) / 10, 0.2))) }
        #expect(early == [3, 4, 5].map { Receipt(frame: $0, outcome: .delivered) })
        let told = touches(stage.appHandles(1, landing[0], began: 1, credit: 0))
        let frame = try #require(told.first)
        #expect(told.count == 1)
        #expect(frame.contacts.map(\.phase) == [.moved])
        let way = frame.history.map { $0.contacts[0].position.x.double } + [frame.contacts[0].position.x.double]
        #expect(way.map { ($0 / 37.5).rounded() } == [2, 3, 4, 5])
    }

    @Test("moves that are merged together wait as if each was merged alone")
    func mergedTogether() {
        for (seed, fingers) in [1, 2, 5, 31].enumerated() {
            var chance = SeededGenerator(seed: UInt64(seed))
            var alone = AppConnection(link: Link(.server, generation: 1), limit: 8)
            var together = alone
            var number: Int64 = 0
            for _ in 0..<40 {
                let count = Int.random(in: 1...200, using: &chance)
                let frames = (0..<count).map { _ in
                    number += 1
                    return TouchFrame(
                        timeStamp: Instant(nanoseconds: number),
                        contacts: (1...UInt32(fingers)).map { contact($0, .moved, x: Double(number % 300)) })
                }
                let moves = TouchList(frames).parts[0]
                let first = AppConnection.Waiting(
                    input: 7, message: .touches(frames[0]), ledger: Ledger(), at: Instant(nanoseconds: number))
                #expect(alone.enqueue(first)?.moves == together.enqueue(first)?.moves)
                var merged = 0
                let now = Instant(nanoseconds: number)
                for frame in frames.dropFirst() {
                    merged += alone.merge(frame, of: 7, Ledger(), at: now)?.moves ?? 0
                }
                #expect(together.merge(movesBehindFirstOf: moves, of: 7) * fingers == merged)
                #expect(
                    alone.waiting.map(\.message.message) == together.waiting.map(\.message.message),
                    "\(fingers) fingers")
                #expect(alone.coalesced == together.coalesced)
            }
        }
    }

    @Test("landings and lifts are never coalesced and keep their order")
    mutating func edges() {
        appWithWindow(1)
        var told = [stage.scans(down(1, 0.1, 0.1))[0]]
        for finger in 2...4 as ClosedRange<UInt32> {
            let others = (1..<finger).map { held($0, 0.1, 0.1) }
            switch finger {
            case 2: _ = stage.scans(others[0], down(2, 0.2, 0.2))
            case 3: _ = stage.scans(others[0], others[1], down(3, 0.3, 0.3))
            default: _ = stage.scans(others[0], others[1], others[2], down(4, 0.4, 0.4))
            }
        }
        _ = stage.scans(held(1, 0.1, 0.1), held(2, 0.1, 0.1), held(3, 0.1, 0.1), lifted(4))
        while let last = told.last, told.count < 9 {
            let sent = stage.appHandles(1, last, began: 1, credit: 1)
            guard let next = sent.last(where: { $0.message.kind == .touches }) else { break }
            told.append(next)
        }
        let phases = touches(told).map { $0.contacts.map(\.phase).filter { $0 != .stationary } }
        #expect(phases == [[.began], [.began], [.began], [.began], [.ended]])
        #expect(!touches(told).contains { !$0.history.isEmpty })
    }

    @Test("moves leave a reserve of the credit window for landings and lifts")
    mutating func reserve() {
        appWithWindow(256)
        var sent = touches(stage.scans(down(1, 0.1, 0.1))).count
        for _ in 0..<100 { sent += touches(stage.scans(moved(1, 0.2, 0.2))).count }
        #expect(sent == 24)
        // The last move leaves before the frame that follows it.
        let others = stage.scans(held(1, 0.2, 0.2), down(2, 0.5, 0.5))
        #expect(touches(others).map { $0.contacts.map(\.phase) } == [[.moved], [.stationary, .began]])
        for round in 0..<20 {
            _ = stage.scans(held(1, 0.2, 0.2), round % 2 == 0 ? lifted(2) : down(2, 0.5, 0.5))
        }
        let report = stage.handle(.frame(stage.order(.reportRequest), from: .supervisor))
        guard case .report(let rows)? = report.last?.message else {
            Issue.record("no report")
            return
        }
        #expect(rows["app1.unanswered"] == .number(32) && rows["app1.unanswered.max"] == .number(32))
        #expect(rows["app1.queue"] == .number(14))
    }

    @Test("waiting moves leave when any message raises the app's credit")
    mutating func moreRoom() {
        for message in [Message.windows(WindowsDiff(number: 1, isWhole: true, changes: [])), .link(.probe)] {
            stage = Stage()
            _ = stage.inputKitSaysHello()
            appWithWindow(1)
            _ = stage.scans(down(1, 0.1, 0.1))
            #expect(stage.scans(moved(1, 0.2, 0.2)).isEmpty)
            let told = stage.handle(.frame(stage.appFrame(1, message), from: .app(1)))
            #expect(touches(told).map { $0.contacts.map(\.phase) } == [[.moved]])
        }
    }

    @Test("T6: an app that answers nothing has one waiting scene, however often it declares its windows")
    mutating func declarations() throws {
        appWithWindow(1)
        let landing = stage.scans(down(1, 0.1, 0.1))
        _ = stage.scans(moved(1, 0.2, 0.2))
        func declares(_ number: UInt32, _ stage: inout Stage) -> [Frame] {
            let diff = WindowsDiff(number: number, isWhole: true, changes: [])
            var frame = stage.appFrame(1, .windows(diff))
            frame.credit = 1
            return stage.handle(.frame(frame, from: .app(1)))
        }
        for number in 1...1000 as ClosedRange<UInt32> { #expect(declares(number, &stage).isEmpty) }
        let report = stage.handle(.frame(stage.order(.reportRequest), from: .supervisor))
        guard case .report(let rows)? = report.last?.message else {
            Issue.record("no report")
            return
        }
        #expect(rows["app1.queue"] == .number(2))
        let sent = stage.appHandles(1, landing[0], began: 1).filter { $0.message.kind != .handled }
        #expect(sent.map(\.message.kind) == [.touches, .scene])
        guard case .scene(let scene)? = sent.last?.message else { return }
        #expect(scene.acknowledgedDeclaration == 1000)
    }

    @Test("coalesced moves of two touches keep both moves and the whole history")
    mutating func turns() throws {
        appWithWindow(1)
        let landing = stage.scans(down(1, 0.1, 0.1), down(2, 0.5, 0.5))
        _ = stage.scans(moved(1, 0.2, 0.1), held(2, 0.5, 0.5))
        _ = stage.scans(held(1, 0.2, 0.1), moved(2, 0.6, 0.5))
        let frame = try #require(touches(stage.appHandles(1, landing[0], began: 2)).first)
        #expect(frame.contacts.map(\.phase) == [.moved, .moved])
        #expect(frame.history.map { $0.contacts.map(\.phase) } == [[.moved, .stationary]])
    }

    @Test("a history over its limit is halved over its whole length")
    mutating func longHistory() throws {
        appWithWindow(1)
        let landing = stage.scans(down(1, 0, 0))
        for step in 1...2000 { _ = stage.scans(moved(1, Double(step) / 2001, 0)) }
        let frame = try #require(touches(stage.appHandles(1, landing[0], began: 1)).first)
        #expect(
            (TouchFrame.historyLimit(contacts: 1) / 2...TouchFrame.historyLimit(contacts: 1)).contains(
                frame.history.count))
        let way = frame.history.map { $0.contacts[0].position.x.double }
        #expect(way == way.sorted() && way[0] < 375 * 0.02 && way.last! > 375 * 0.98)
        // The frame must fit into a packet.
        #expect(stage.lastSent.allSatisfy { $0.1.encoded().count < Frame.packetLimit })
    }

    @Test("the history of ten touches fits into a packet")
    mutating func manyFingers() throws {
        appWithWindow(1)
        func fingers(_ make: (UInt32) -> DigitizerEvent) -> [DigitizerEvent] { (1...10).map(make) }
        let landing = stage.scansAll(fingers { down($0, 0.1, 0.1) })
        for step in 1...500 { _ = stage.scansAll(fingers { moved($0, Double(step) / 501, 0.5) }) }
        _ = stage.appHandles(1, landing[0], began: 10)
        let told = try #require(stage.lastSent.first { $0.1.message.kind == .touches })
        let packet = told.1.encoded()
        #expect(packet.count < Frame.packetLimit)
        #expect(try Frame.decode(packet: packet) == [told.1])
    }

    @Test("a stale move is dropped if its touch lifted, and delivered otherwise")
    mutating func stale() {
        for leaves in [true, false] {
            stage = Stage()
            _ = stage.inputKitSaysHello()
            appWithWindow(1)
            let landing = stage.scans(down(1, 0.1, 0.1))
            _ = stage.scans(moved(1, 0.2, 0.2))
            let waited = stage.lastScan
            if leaves { _ = stage.scans(lifted(1)) }
            _ = stage.pass(300)
            let after = stage.appHandles(1, landing[0], began: 1)
            #expect(touches(after).map { $0.contacts.map(\.phase) } == [[leaves ? .ended : .moved]])
            let dropped = Receipt(frame: waited, outcome: .dropped, reason: .stale)
            #expect(receipts(after).contains(dropped) == leaves)
        }
    }

    @Test("the credit window is the smaller of the app's and the server's")
    mutating func smallerWindow() throws {
        for (given, taken, expected) in [("4", 256, 4), ("32", 3, 3)] as [(String, UInt32, Int)] {
            stage = Stage(try Settings([Setting(key: "server.creditWindow", value: given)]))
            _ = stage.inputKitSaysHello()
            appWithWindow(taken)
            var sent = 0
            for finger in 1...9 as ClosedRange<UInt32> { sent += touches(stage.scans(down(finger, 0.1, 0.1))).count }
            // Each scan omits the contact of the scan before, so the app also receives that contact's end.
            #expect(sent == expected)
        }
    }
}

extension Stage {
    mutating func scansAll(_ fingers: [DigitizerEvent]) -> [Frame] {
        var event = scan()
        event.fingers = fingers
        return handle(.frame(inputKitFrame(.digitizer(event)), from: .inputKit))
    }
}
