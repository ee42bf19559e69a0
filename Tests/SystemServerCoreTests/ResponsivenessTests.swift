import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("An unresponsive app")
struct ResponsivenessTests {

    var stage = Stage()

    init() {
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1, credit: 4)
    }

    private func phases(_ frames: [Frame]) -> [[ContactPhase]] {
        frames.compactMap { if case .touches(let frame) = $0.message { frame.contacts.map(\.phase) } else { nil } }
    }

    private func receipts(_ frames: [Frame]) -> [Receipt] {
        frames.compactMap { if case .handled(let receipt) = $0.message { receipt } else { nil } }
    }

    private func stalls(_ frames: [Frame]) -> [Stall] {
        frames.compactMap { if case .stalled(let stall) = $0.message { stall } else { nil } }
    }

    /// Half a second, less the millisecond that the landing took.
    private mutating func patience() -> [Frame] { stage.pass(500) }

    @Test("an app silent for half a second is unresponsive and loses touches")
    mutating func flagged() throws {
        let landing = stage.scans(down(1, 0.5, 0.5))
        let since = stage.now
        #expect(stalls(stage.pass(499)).isEmpty)
        let told = stage.pass(1)
        #expect(phases(told) == [[.cancelled]])
        let record = try #require(stalls(told).first)
        #expect(stalls(told).count == 1)
        #expect(record.app == 1 && record.episode == 1 && record.touches == 1 && record.unanswered == 1)
        #expect(record.frame == landing[0].sequence && record.since == since && record.lasted == nil)
        #expect(record.hop == .link)
        // The server reports it once, however long it lasts.
        #expect(stalls(stage.pass(5000)).isEmpty && phases(stage.pass(5000)).isEmpty)
    }

    @Test("a stall report names the link before acknowledgement, the main loop after")
    mutating func hops() {
        let landing = stage.scans(down(1, 0.5, 0.5))
        stage.appHears(1, landing[0])
        _ = stage.handle(
            .frame(stage.appFrame(1, .link(.received(oldest: landing[0].sequence, missed: 0))), from: .app(1)))
        #expect(stalls(patience()).map(\.hop) == [.mainLoop])
    }

    @Test("an unresponsive app receives no landings, and these are ignored until lift")
    mutating func landings() {
        _ = stage.scans(down(1, 0.5, 0.5))
        _ = patience()
        func why(_ frames: [Frame]) -> [Receipt.Reason] { receipts(frames).map(\.reason) }
        #expect(why(stage.scans(moved(1, 0.6, 0.6))) == [.ignoredUntilLift])
        #expect(why(stage.scans(lifted(1))) == [.ignoredUntilLift])
        #expect(why(stage.scans(down(2, 0.5, 0.5))) == [.notResponding])
        #expect(phases(stage.lastSent.map(\.1)).isEmpty)
        #expect(why(stage.scans(moved(2, 0.6, 0.6))) == [.ignoredUntilLift])
        #expect(why(stage.inputKitSends(.began, .key(HIDUsage(page: 12, usage: 64)))) == [.notResponding])
        #expect(why(stage.inputKitSends(.ended, .key(HIDUsage(page: 12, usage: 64)))) == [.ignoredUntilLift])
    }

    @Test("a recovered app receives the cancel, then only new landings")
    mutating func recovery() throws {
        let sent = stage.scans(down(1, 0.1, 0.1)) + stage.scans(moved(1, 0.2, 0.2)) + stage.scans(moved(1, 0.3, 0.3))
        #expect(phases(sent) == [[.began], [.moved], [.moved]])
        // A credit window of four keeps one frame in reserve for landings and lifts.
        #expect(stage.scans(moved(1, 0.4, 0.4)).isEmpty)
        let waited = stage.lastScan
        _ = stage.scans(lifted(1))
        let lifted = stage.lastScan
        #expect(phases(stage.lastSent.map(\.1)) == [[.moved]])
        let flagged = patience()
        // The lift is the frame that waits. The app receives the end as a cancel, because it is too late to be a tap.
        #expect(receipts(flagged) == [Receipt(frame: lifted, outcome: .dropped, reason: .notResponding)])
        _ = stage.scans(down(1, 0.9, 0.9))
        let first = try #require(sent.first)
        let recovered = stage.appHandles(1, first, began: 1)
        #expect(phases(recovered) == [[.cancelled]])
        let over = try #require(stalls(recovered).first)
        #expect(over.lasted.map { $0 > .milliseconds(500) } == true)
        // Contacts that landed meanwhile stay ignored until they lift. The next landing is a new touch.
        #expect(phases(stage.scans(moved(1, 0.8, 0.8))).isEmpty)
        #expect(waited < lifted)
    }

    @Test("an app that answers only one frame starts a second stall")
    mutating func again() {
        let sent = stage.scans(down(1, 0.1, 0.1)) + stage.scans(lifted(1))
        #expect(stalls(patience()).map(\.episode) == [1])
        #expect(stalls(stage.appHandles(1, sent[0], began: 1)).map(\.episode) == [1])
        #expect(stalls(stage.pass(499)).isEmpty)
        #expect(stalls(stage.pass(1)).map(\.episode) == [2])
    }

    @Test("a stall of one app does not delay the detection of another's")
    mutating func others() {
        _ = stage.appSaysHello(2, credit: 4)
        _ = stage.handle(.frame(stage.order(.act(.split(app: 1, with: 2))), from: .supervisor))
        _ = stage.scans(down(1, 0.2, 0.5))
        _ = stage.pass(99)
        _ = stage.scans(held(1, 0.2, 0.5), down(2, 0.8, 0.5))
        #expect(stalls(stage.pass(400)).map(\.app) == [1])
        #expect(stalls(stage.pass(99)).isEmpty)
        #expect(stalls(stage.pass(1)).map(\.app) == [2])
    }

    @Test("an app never receives a cancel without its landing")
    mutating func neverTold() {
        let first = stage.scans(down(1, 0.1, 0.1))
        var fingers = [held(1, 0.1, 0.1)]
        for finger in 2...8 as ClosedRange<UInt32> {
            _ = stage.scansAll(fingers + [down(finger, 0.2, 0.2)])
            fingers.append(held(finger, 0.2, 0.2))
        }
        let flagged = patience()
        #expect(receipts(flagged).allSatisfy { $0.reason == .notResponding } && receipts(flagged).count == 4)
        let told = stage.appHandles(1, first[0], began: 1)
        #expect(phases(told) == [[.cancelled, .cancelled, .cancelled, .cancelled]])
    }

    @Test("a slow app that keeps answering is not unresponsive")
    mutating func slow() {
        var open = stage.scans(down(1, 0.1, 0.1))
        for step in 0..<20 {
            open += stage.scans(moved(1, Double(step) / 20, 0.2)).filter { $0.message.kind == .touches }
            #expect(stalls(stage.pass(300)).isEmpty)
            open += stage.appHandles(1, open.removeFirst(), began: 0).filter { $0.message.kind == .touches }
        }
    }

    @Test("an app without open frames, or without a limit, is never unresponsive")
    mutating func nothingAsked() throws {
        #expect(stalls(stage.pass(10_000)).isEmpty)
        stage = Stage(try Settings([Setting(key: "server.responseTimeout", value: "0")]))
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(stalls(stage.pass(10_000)).isEmpty)
    }

    @Test("a server that was stopped handles waiting answers before reporting stalls")
    mutating func awayItself() {
        let landing = stage.scans(down(1, 0.5, 0.5))
        stage.standsStill(700)
        #expect(stalls(stage.handle(.timerFired(TimerID(2)), at: stage.now)).isEmpty)
        _ = stage.appHandles(1, landing[0], began: 1)
        #expect(stalls(stage.pass(2000)).isEmpty)
    }

    @Test("a stall ends with the app's link, and the next begins clean")
    mutating func died() {
        _ = stage.scans(down(1, 0.5, 0.5))
        _ = patience()
        _ = stage.handle(.peerLost(.app(1)))
        _ = stage.appSaysHello(1)
        #expect(phases(stage.scans(lifted(1))).isEmpty)
        #expect(phases(stage.scans(down(2, 0.5, 0.5))) == [[.began]])
    }

    @Test("the server reports an app whose backgrounding exceeds ten seconds, once")
    mutating func watchdog() {
        func overruns(_ frames: [Frame]) -> [Overrun] {
            frames.compactMap { if case .overran(let overrun) = $0.message { overrun } else { nil } }
        }
        let landing = stage.scans(down(1, 0.5, 0.5))
        // The app's launch into the foreground is complete.
        stage.appHears(1, landing[0])
        _ = stage.handle(.frame(stage.appFrame(1, .link(.received(oldest: 0, missed: 0))), from: .app(1)))
        #expect(overruns(stage.pass(30_000)).isEmpty)
        let told = stage.handle(.frame(stage.order(.act(.home)), from: .supervisor))
        let changes = told.filter { $0.message.kind == .lifeCycle }
        #expect(changes.count == 2)
        let generation = stage.lastGeneration
        func hears(_ oldest: SequenceNumber) {
            for frame in changes { stage.appHears(1, frame) }
            _ = stage.handle(.frame(stage.appFrame(1, .link(.received(oldest: oldest, missed: 0))), from: .app(1)))
        }
        hears(changes[1].sequence)
        #expect(overruns(stage.pass(9000)).isEmpty)
        let late = overruns(stage.pass(2000))
        #expect(
            late == [Overrun(app: 1, generation: generation, change: .didEnterBackground, limit: .seconds(10))])
        #expect(overruns(stage.pass(60_000)).isEmpty)
    }

    @Test("an unresponsive app does not delay another app's touches")
    mutating func isolation() {
        _ = stage.appSaysHello(2)
        _ = stage.scans(down(1, 0.1, 0.1))
        _ = stage.handle(.frame(stage.order(.act(.foreground(app: 2))), from: .supervisor))
        let second = stage.scans(held(1, 0.1, 0.1), down(2, 0.2, 0.2))
        #expect(stage.lastSent.contains { $0.0 == .app(2) })
        _ = stage.appHandles(2, second.last!, began: 1)
        _ = patience()
        #expect(stage.scans(held(1, 0.1, 0.1), moved(2, 0.3, 0.3)).contains { $0.message.kind == .touches })
        #expect(stage.lastSent.contains { $0.0 == .app(2) && $0.1.message.kind == .touches })
    }
}
