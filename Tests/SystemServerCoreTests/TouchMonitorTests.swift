import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("Touch monitors")
struct TouchMonitorTests {
    var stage: Stage

    init() throws { try self.init(["trace.positions": "true"]) }

    private init(_ settings: KeyValuePairs<String, String>) throws {
        stage = Stage(try Settings(settings.map { Setting(key: $0.key, value: $0.value) }))
        _ = stage.inputKitSaysHello()
        for app in [1, 2] as [AppID] { _ = stage.appSaysHello(app) }
    }

    private mutating func says(_ monitor: UInt32, _ kind: TouchMonitorRequest.Kind) {
        _ = stage.handle(.frame(stage.order(.monitor(TouchMonitorRequest(id: monitor, kind))), from: .supervisor))
    }

    private mutating func begins(_ monitor: UInt32 = 1, _ interest: TouchMonitorInterest = TouchMonitorInterest()) {
        says(monitor, .begin(interest))
    }

    private mutating func says(_ answer: TouchMonitorAnswer, of touch: UInt32 = 0, _ monitor: UInt32 = 1) {
        says(monitor, .answer(TouchID(rawValue: touch), answer))
    }

    private var pages: [TouchMonitorPage] {
        stage.lastSent.compactMap { peer, frame in
            guard peer == .supervisor, case .monitorPage(let page) = frame.message else { return nil }
            return page
        }
    }

    /// What touch monitors just received: `1: touch 0 began app:1`, `2: touch 0 taken`.
    private var observed: [String] {
        pages.flatMap { page -> [String] in
            let lag =
                page.omission.count > 0
                ? ["\(page.id): left out \(page.omission.count), \(page.omission.edgeCount)"] : []
            switch page.content {
            case .begun: return lag + ["\(page.id): begun"]
            case .turnedAway(let limit): return ["\(page.id): turned away, \(limit)"]
            case .omissions: return lag
            case .verdict(let touch, .taken): return lag + ["\(page.id): \(touch) taken"]
            case .verdict(let touch, let verdict): return lag + ["\(page.id): \(touch) refused: \(verdict)"]
            case .scan(let scan): return lag + scan.contacts.map { "\(page.id): \($0.touch) \($0.phase) \($0.owner)" }
            }
        }
    }

    /// What apps just received.
    private var told: [String] {
        stage.lastSent.flatMap { peer, frame -> [String] in
            guard peer.role == .app else { return [] }
            switch frame.message {
            case .touches(let touches): return touches.contacts.map { "\(peer.instance): \($0.phase)" }
            case .lifeCycle(let word): return ["\(peer.instance): \(word)"]
            default: return []
            }
        }
    }

    // MARK: Observing

    @Test("a monitor receives each touch's phase, owner and position after its app")
    mutating func observes() {
        begins()
        #expect(observed == ["1: begun"])
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(told == ["1: began"] && observed == ["1: touch 0 began app:1"])
        #expect(stage.lastSent.map(\.0) == [.app(1), .supervisor], "beside the app, and not before it")
        guard case .scan(let scan)? = pages.last?.content else { return }
        #expect(scan.contacts[0].location == MonitoredLocation(Point(187.5, 333.5)) && scan.device == 1)
        _ = stage.scans(moved(1, 0.5, 0.6), down(2, 0.1, 0.1))
        #expect(observed == ["1: touch 0 moved app:1", "1: touch 1 began app:1"])
        _ = stage.scans(lifted(1), held(2, 0.1, 0.1))
        #expect(observed == ["1: touch 0 ended app:1", "1: touch 1 stationary app:1"])
        // A scan that omits the contact cancels it.
        _ = stage.scans()
        #expect(told == ["1: cancelled"] && observed == ["1: touch 1 cancelled app:1"])
    }

    @Test("a monitor sees home and ownerless touches, but none from before it")
    mutating func others() {
        _ = stage.scans(down(1, 0.5, 0.5))
        begins()
        _ = stage.scans(moved(1, 0.5, 0.6))
        #expect(observed == [])
        _ = stage.scans(lifted(1))
        _ = stage.scans(down(1, 0.5, 0.5))
        _ = stage.handle(.frame(stage.order(.act(.home)), from: .supervisor))
        _ = stage.scans(moved(1, 0.5, 0.6))
        #expect(observed == ["1: touch 1 moved ignored"])
        _ = stage.scans(lifted(1))
        #expect(observed == ["1: touch 1 ended ignored"])
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(observed == ["1: touch 2 began server"])
    }

    @Test("a monitor's app and landing zone limit the touches it receives")
    mutating func interest() {
        _ = stage.handle(.frame(stage.order(.act(.split(app: 1, with: 2))), from: .supervisor))
        begins(1, TouchMonitorInterest(app: 2))
        begins(2, TouchMonitorInterest(zone: Rect(x: 0, y: 0, width: 188, height: 667)))
        _ = stage.scans(down(1, 0.2, 0.5), down(2, 0.8, 0.5))
        #expect(observed == ["1: touch 1 began app:2", "2: touch 0 began app:1"])
        _ = stage.scans(moved(1, 0.9, 0.5), moved(2, 0.1, 0.5))
        #expect(observed == ["1: touch 1 moved app:2", "2: touch 0 moved app:1"], "where they landed")
    }

    @Test("a lagging monitor receives a count of what was left out")
    mutating func lags() {
        begins()
        begins(2)
        _ = stage.scans(down(1, 0.5, 0.5))
        for step in 0..<100 {
            _ = stage.scans(moved(1, 0.5, 0.5 + Double(step % 7) / 100))
            says(2, .acknowledged(.max))
        }
        #expect(stage.scans(lifted(1)).contains { $0.message.kind == .touches || $0.message.kind == .monitorPage })
        #expect(observed == ["2: touch 0 ended app:1"])
        _ = stage.scans(down(1, 0.5, 0.5))
        says(1, .acknowledged(0))
        #expect(observed == [])
        // 48 of 104 are outstanding: the begin, a landing and 46 moves. 54 moves, a lift and a landing are left out.
        says(1, .acknowledged(10))
        #expect(observed == ["1: left out 56, 2"])
        _ = stage.scans(moved(1, 0.5, 0.6))
        #expect(observed.first == "1: touch 1 moved app:1")
    }

    @Test("the server refuses a fifth monitor until another one ends")
    mutating func limit() {
        for monitor in 1...4 as ClosedRange<UInt32> { begins(monitor) }
        begins(5)
        #expect(observed == ["5: turned away, 4"])
        says(2, .end)
        begins(5)
        #expect(observed == ["5: begun"])
        #expect(stage.report()["monitors"] == .number(4))
    }

    // MARK: Pilfering

    @Test("a pilfered touch is cancelled for its app until it lifts")
    mutating func pilfers() {
        begins()
        begins(2)
        _ = stage.scans(down(1, 0.5, 0.5), down(2, 0.2, 0.2))
        says(.yes)
        #expect(told == ["1: cancelled", "1: stationary"])
        #expect(observed == ["1: touch 0 taken"])
        _ = stage.scans(moved(1, 0.5, 0.6), moved(2, 0.2, 0.3))
        #expect(told == ["1: moved"])
        #expect(
            observed == [
                "1: touch 0 moved monitor:1", "1: touch 1 moved app:1", "2: touch 0 cancelled monitor:1",
                "2: touch 1 moved app:1",
            ])
        _ = stage.scans(moved(1, 0.5, 0.7), held(2, 0.2, 0.3))
        #expect(observed.contains("1: touch 0 moved monitor:1") && !observed.contains { $0.hasPrefix("2: touch 0") })
        _ = stage.scans(lifted(1), lifted(2))
        #expect(told == ["1: ended"] && observed.contains("1: touch 0 ended monitor:1"))
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(told == ["1: began"], "the next is its app's again")
    }

    @Test("receipts count the moves and the lift of a pilfered touch")
    mutating func receipts() throws {
        begins()
        _ = stage.scans(down(1, 0.5, 0.5), down(2, 0.2, 0.2))
        says(.yes)
        let sent = stage.scans(moved(1, 0.5, 0.6), moved(2, 0.2, 0.3))
        let touches = try #require(sent.first { $0.message.kind == .touches })
        var beside = Receipt(frame: stage.lastScan, outcome: .delivered)
        beside.takenByMonitor = 1
        let answers = stage.appHandles(1, touches, began: 0)
        #expect(answers.contains { $0.message == .handled(beside) }, "\(answers)")
        _ = stage.scans(held(1, 0.5, 0.6), lifted(2))
        var alone = Receipt(frame: 0, outcome: .dropped, reason: .takenByMonitor)
        for (scan, count) in [(moved(1, 0.5, 0.7), 1), (held(1, 0.5, 0.7), 0), (lifted(1), 1)]
            as [(DigitizerEvent, UInt16)]
        {
            let answers = stage.scans(scan)
            (alone.frame, alone.takenByMonitor) = (stage.lastScan, count)
            #expect(answers.contains { $0.message == .handled(alone) }, "\(answers)")
        }
    }

    @Test("the first of two monitors that pilfer a touch receives it")
    mutating func first() {
        begins()
        begins(2)
        _ = stage.scans(down(1, 0.5, 0.5))
        says(.yes, of: 0, 2)
        #expect(told == ["1: cancelled"] && observed == ["2: touch 0 taken"])
        says(.yes)
        #expect(told == [] && observed == ["1: touch 0 refused: another touch monitor has taken it"])
    }

    @Test("a monitor that declines a touch another took receives it no more")
    mutating func declines() {
        begins()
        begins(2)
        _ = stage.scans(down(1, 0.5, 0.5))
        says(.yes, of: 0, 2)
        says(.no)
        _ = stage.scans(moved(1, 0.5, 0.6))
        #expect(observed == ["2: touch 0 moved monitor:2"])
    }

    @Test("pilfering an ended, unknown, ownerless or server touch is refused with reason")
    mutating func refusals() {
        begins()
        says(.yes, of: 7)
        #expect(observed == ["1: touch 7 refused: the touch has ended, or was never shown to this monitor"])
        _ = stage.scans(down(1, 0.5, 0.5))
        _ = stage.scans(lifted(1))
        says(.yes)
        #expect(observed == ["1: touch 0 refused: the touch has ended, or was never shown to this monitor"])
        _ = stage.scans(down(1, 0.5, 0.5))
        _ = stage.handle(.peerLost(.app(1)))
        says(.yes, of: 1)
        #expect(observed == ["1: touch 1 refused: it is ignored until it lifts"])
        _ = stage.scans(lifted(1))
        _ = stage.scans(down(1, 0.5, 0.5))
        says(.yes, of: 2)
        #expect(observed == ["1: touch 2 refused: the system owns it"], "the home screen's")
    }

    @Test("touches of a monitor that ends are ignored until they lift")
    mutating func dies() {
        begins()
        _ = stage.scans(down(1, 0.5, 0.5))
        says(.yes)
        says(1, .end)
        _ = stage.scans(moved(1, 0.5, 0.6))
        #expect(told == [] && observed == [])
        #expect(stage.report()["touches.live"] == .number(0) && stage.report()["contacts.down"] == .number(1))
        _ = stage.scans(lifted(1))
        #expect(stage.report()["contacts.down"] == .number(0))
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(told == ["1: began"])
    }

    @Test("the end of input-kit cancels all touches for their monitors")
    mutating func cleared() {
        begins()
        _ = stage.scans(down(1, 0.5, 0.5), down(2, 0.2, 0.2))
        says(.yes)
        _ = stage.handle(.peerLost(.inputKit))
        #expect(told == ["1: cancelled"])
        #expect(observed == ["1: touch 0 cancelled monitor:1", "1: touch 1 cancelled ignored"])
    }

    // MARK: The contest

    @Test("a monitor's no ends its view; maybe and hold delay no app")
    mutating func answers() {
        begins()
        for answer in [TouchMonitorAnswer.maybe, .hold] {
            _ = stage.scans(down(1, 0.5, 0.5))
            #expect(told == ["1: began"])
            let touch = answer == .maybe ? 0 : 1 as UInt32
            says(answer, of: touch)
            _ = stage.scans(moved(1, 0.5, 0.6))
            #expect(told == ["1: moved"] && observed == ["1: touch \(touch) moved app:1"])
            _ = stage.scans(lifted(1))
        }
        _ = stage.scans(down(1, 0.5, 0.5))
        says(.no, of: 2)
        _ = stage.scans(moved(1, 0.5, 0.6))
        #expect(observed == [])
        says(.yes, of: 2)
        #expect(observed == ["1: touch 2 refused: this monitor has declined it, or its deadline has passed"])
    }

    @Test("a monitor's maybe becomes no at its deadline; earlier yes is valid")
    mutating func deadline() {
        begins(1, TouchMonitorInterest(answerLimit: .milliseconds(100)))
        _ = stage.scans(down(1, 0.5, 0.5), down(2, 0.2, 0.2))
        says(.yes, of: 1)
        #expect(observed == ["1: touch 1 taken"])
        stage.standsStill(90)
        _ = stage.scans(moved(1, 0.5, 0.6), moved(2, 0.2, 0.3))
        #expect(observed == ["1: touch 0 moved app:1", "1: touch 1 moved monitor:1"])
        stage.standsStill(10)
        _ = stage.scans(moved(1, 0.5, 0.7), moved(2, 0.2, 0.4))
        #expect(told == ["1: moved"] && observed == ["1: touch 1 moved monitor:1"])
        says(.yes)
        #expect(observed == ["1: touch 0 refused: this monitor has declined it, or its deadline has passed"])
    }

    @Test("a system gesture decides before a monitor, which takes the touch otherwise")
    mutating func system() throws {
        self = try TouchMonitorTests(["systemGesture.enabled": "true", "trace.positions": "true"])
        begins()
        // A swipe home: the system gesture takes the touch.
        let sent = stage.scans(down(1, 0.5, 0.99))
        _ = stage.appHandles(1, sent[0], began: 1, deferring: 0)
        says(.yes)
        #expect(told == [] && observed == [])
        _ = stage.scans(moved(1, 0.5, 0.9))
        #expect(told == ["1: cancelled"])
        #expect(observed == ["1: touch 0 refused: the system owns it", "1: touch 0 cancelled system"])
        says(.yes)
        #expect(observed == ["1: touch 0 refused: the touch has ended, or was never shown to this monitor"])
        _ = stage.scans(moved(1, 0.5, 0.985))
        #expect(observed == [])
        _ = stage.scans(lifted(1))
        // A move along the edge is no system gesture, so the monitor receives the touch with the same scan.
        _ = stage.scans(down(1, 0.5, 0.99))
        says(.yes, of: 1)
        #expect(observed == [])
        _ = stage.scans(moved(1, 0.7, 0.985))
        #expect(told == ["1: moved", "1: cancelled"])
        #expect(observed == ["1: touch 1 moved app:1", "1: touch 1 taken"])
    }

    // MARK: T5

    @Test("T5: monitors receive positions only over declared windows that are not secure")
    mutating func secrets() throws {
        self = try TouchMonitorTests([:])
        begins()
        func places() -> [Bool] {
            pages.flatMap { page -> [Bool] in
                if case .scan(let scan) = page.content { scan.contacts.map { $0.location != nil } } else { [] }
            }
        }
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(places() == [false], "an app that has said nothing")
        let whole = Rect<SceneSpace>(x: 0, y: 0, width: 375, height: 667)
        var number: UInt32 = 0
        func declares(_ change: WindowChange) {
            number += 1
            let diff = WindowsDiff(number: number, isWhole: number == 1, changes: [change])
            _ = stage.handle(.frame(stage.appFrame(1, .windows(diff)), from: .app(1)))
        }
        declares(.set(SceneWindow(id: 1, frame: whole)))
        _ = stage.scans(moved(1, 0.5, 0.6))
        #expect(places() == [true])
        declares(.set(SceneWindow(id: 2, frame: Rect(x: 0, y: 0, width: 10, height: 10), isSecure: true)))
        _ = stage.scans(moved(1, 0.5, 0.7))
        #expect(places() == [false])
        declares(.remove(2))
        _ = stage.scans(moved(1, 0.5, 0.6))
        #expect(places() == [false], "nor ever again in its life")
        // A landing zone does not reveal the position either.
        begins(2, TouchMonitorInterest(zone: Rect(x: 0, y: 0, width: 375, height: 667)))
        _ = stage.scans(held(1, 0.5, 0.6), down(2, 0.5, 0.5))
        #expect(observed == ["1: touch 0 stationary app:1", "1: touch 1 began app:1"])
        _ = stage.scans(lifted(1), lifted(2))
        _ = stage.appSaysHello(1)
        number = 0
        declares(.set(SceneWindow(id: 1, frame: whole)))
        _ = stage.scans(down(1, 0.5, 0.5))
        #expect(places() == [true, true], "its next life, to both")
    }

    @Test("T5: positions in a secure window are hidden without configuration")
    mutating func secure() {
        begins()
        let window = SceneWindow(id: 1, frame: Rect(x: 0, y: 0, width: 375, height: 667), isSecure: true)
        let diff = WindowsDiff(number: 1, isWhole: true, changes: [.set(window)])
        _ = stage.handle(.frame(stage.appFrame(1, .windows(diff)), from: .app(1)))
        _ = stage.scans(down(1, 0.5, 0.5))
        guard case .scan(let scan)? = pages.last?.content else {
            Issue.record("nothing was shown")
            return
        }
        #expect(scan.contacts.map(\.location) == [nil])
    }

    // MARK: Reports and the state machine

    @Test("the detail page lists the counts of each monitor")
    mutating func detail() {
        begins(3)
        _ = stage.scans(down(1, 0.5, 0.5))
        says(.yes, of: 0, 3)
        let answers = stage.handle(.frame(stage.order(.detailRequest(DetailRequest(id: 1))), from: .supervisor))
        guard case .detail(let page)? = answers.last?.message else { return }
        let row = page.rows.first { $0.key == "monitor.0" }
        #expect(
            row?.value
                == .text("id=3 app=0 watching=1 holding=1 pages=3 unacknowledged=3 omitted=0 pilfered=1 refused=0"))
    }

    @Test("TouchMonitorTable keeps its limits under arbitrary requests in any order")
    func total() {
        var table = TouchMonitorTable()
        var fingers = (0..<12 as Range<UInt32>).map { index in
            Router.Finger(device: 1, index: index, display: 1, touch: TouchID(rawValue: index))
        }
        var state: UInt64 = 0x5B1E
        func next(_ count: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % count
        }
        var unheard: [UInt32: (told: UInt64, heard: UInt64)] = [:]
        let event = HIDEvent(timeStamp: .boot, senderID: 1, hand: down(0, 0, 0), fingers: [])
        for step in 0..<20_000 {
            let id = UInt32(next(6))
            let now = Instant(nanoseconds: Int64(step) * 1_000_000)
            let touch = TouchID(rawValue: UInt32(next(12)))
            var pages: [TouchMonitorPage] = []
            func add(_ page: TouchMonitorPage?) { if let page { pages.append(page) } }
            switch next(12) {
            case 0:
                if !table.all.contains(where: { $0.id == id }) || next(3) == 0 {
                    unheard[id] = nil
                    let patience: Duration? = next(2) == 0 ? .milliseconds(Int64(next(50))) : nil
                    add(
                        table.begin(
                            id, TouchMonitorInterest(app: [nil, 1][Int(next(2))], answerLimit: patience),
                            among: &fingers))
                }
            case 1:
                if next(4) == 0 { table.end(id, among: &fingers) }
            case 2...3:
                let heard = next(2) == 0 ? next(400) : unheard[id]?.told ?? 0
                add(table.acknowledge(upTo: heard, by: id))
                let told = unheard[id]?.told ?? 0
                let before = unheard[id]?.heard ?? 0
                if told > 0 { unheard[id] = (told, max(before, min(heard, told))) }
            case 4...6:
                add(table.answer(touch, TouchMonitorAnswer.allCases[Int(next(4))], by: id, among: &fingers, at: now))
            case 7:
                for wish in table.pendingClaims.prefix(2) {
                    pages +=
                        next(2) == 0
                        ? table.grant(wish, among: &fingers)
                        : [table.refuse(wish, .ignored, among: &fingers)].compactMap { $0 }
                }
            case 8: pages += table.noteTaken([touch], by: next(2) == 0 ? .system : .touchMonitor(9), among: &fingers)
            case 9 where next(20) == 0: pages += table.clear(&fingers, at: now)
            default:
                let sight = TouchMonitorTable.ObservedTouch(
                    touch: touch, phase: ContactPhase(rawValue: UInt8(next(5)))!, owner: .app(AppID(UInt32(next(2)))))
                pages += table.show([sight], of: event, among: &fingers, at: now)
            }
            for page in pages where page.number > 0 {
                let told = page.content == .begun ? 0 : unheard[page.id]?.told ?? 0
                #expect(page.number == told + 1)
                unheard[page.id] = (page.number, page.content == .begun ? 0 : unheard[page.id]?.heard ?? 0)
            }
            #expect(table.all.count <= TouchMonitorTable.limit)
            for monitor in table.all {
                #expect(monitor.unacknowledgedPages <= TouchMonitorTable.window + TouchMonitorTable.reserve)
                #expect(
                    fingers.count { $0.watches.contains { $0.monitor == monitor.id } } <= TouchMonitorTable.watchLimit)
            }
            for wish in table.pendingClaims { #expect(table.all.contains { $0.id == wish.monitor }) }
        }
    }

    @Test("MonitorContest's transitions match Docs/Reference/Machines/MonitorContest.md")
    func document() {
        expectMachineTable(
            "MonitorContest", states: MonitorContest.State.allCases, inputs: MonitorContest.Input.allCases,
            transition: MonitorContest.transition)
    }
}
