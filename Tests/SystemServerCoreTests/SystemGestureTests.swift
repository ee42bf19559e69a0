import Basics
import HID
import Hosting
import Settings
import Testbed
import Testing
import Wire

@testable import SystemServerCore

@Suite("System gestures")
struct SystemGestureTests {
    var stage: Stage

    init() throws { try self.init([]) }

    private init(_ settings: [Setting]) throws {
        stage = Stage(try Settings([Setting(key: "systemGesture.enabled", value: "true")] + settings))
        _ = stage.inputKitSaysHello()
        for app in [1, 2] as [AppID] { _ = stage.appSaysHello(app) }
    }

    // The display has 375 by 667 points, lower edge to upper: 0.99 is 660.33, 0.97 is 646.99, 0.9 is 600.3; 0.01 is
    // 6.67.

    /// What apps just received: `1: began gated`, `1: willResignActive`.
    private var told: [String] {
        stage.lastSent.flatMap { peer, frame -> [String] in
            guard peer.role == .app else { return [] }
            switch frame.message {
            case .touches(let touches):
                return touches.contacts.map { "\(peer.instance): \($0.phase)\($0.isGated ? " gated" : "")" }
            case .lifeCycle(let word): return ["\(peer.instance): \(word)"]
            default: return []
            }
        }
    }

    /// A contact lands at an edge, and its app answers unless `edges` is nil.
    private mutating func lands(_ y: Double = 0.99, x: Double = 0.5, deferring edges: UInt8? = 0) {
        let sent = stage.scans(down(1, x, y))
        guard let frame = sent.first(where: { $0.message.kind == .touches }), let edges else { return }
        _ = stage.appHandles(1, frame, began: 1, deferring: edges)
    }

    private static let leaving = ["1: cancelled", "1: willResignActive", "1: didEnterBackground"]

    @Test("a home swipe takes the touch once and backgrounds at lift (S89)")
    mutating func home() {
        _ = stage.scans(down(1, 0.5, 0.99))
        #expect(told == ["1: began gated"])
        _ = stage.appHandles(1, stage.lastSent[0].1, began: 1, deferring: 0)
        _ = stage.scans(moved(1, 0.5, 0.98))
        #expect(told == ["1: moved gated"])
        #expect(stage.scans(moved(1, 0.5, 0.9)).contains { $0.message == .handled(.taken(stage.lastScan)) })
        #expect(told == ["1: cancelled"])
        _ = stage.scans(moved(1, 0.5, 0.8))
        #expect(told == [])
        _ = stage.scans(lifted(1))
        #expect(told == ["1: willResignActive", "1: didEnterBackground"])
        _ = stage.scans(down(2, 0.5, 0.5))
        #expect(told == [], "the home screen has it")
    }

    @Test("a touch away from the edges is not gated")
    mutating func elsewhere() {
        lands(0.5)
        _ = stage.scans(moved(1, 0.5, 0.1))
        #expect(told == ["1: moved"])
        #expect(stage.pass(400).filter { $0.message.kind == .touches } == [])
    }

    @Test("a tap at the edge is delivered to its app")
    mutating func tap() {
        lands()
        _ = stage.scans(lifted(1))
        #expect(told == ["1: ended"])
    }

    @Test("a touch that moves along the edge is ungated with that scan")
    mutating func along() {
        lands()
        _ = stage.scans(moved(1, 0.6, 0.985))
        #expect(told == ["1: moved"])
        _ = stage.scans(moved(1, 0.6, 0.5))
        #expect(told == ["1: moved"])
    }

    @Test("a touch resting at the edge is ungated at the swipe's timeout")
    mutating func rest() {
        lands()
        #expect(stage.pass(740).filter { $0.message.kind == .touches } == [])
        let sent = stage.pass(20).filter { $0.message.kind == .touches }
        #expect(sent.count == 1)
        guard case .touches(let frame)? = sent.first?.message else { return }
        #expect(frame.contacts.map(\.phase) == [.stationary] && !frame.contacts[0].isGated)
        _ = stage.scans(moved(1, 0.5, 0.5))
        #expect(told == ["1: moved"], "and no swipe any more")
    }

    @Test("other touches of the app continue when a swipe takes one")
    mutating func others() {
        _ = stage.scans(down(1, 0.5, 0.5))
        _ = stage.scans(held(1, 0.5, 0.5), down(2, 0.5, 0.99))
        _ = stage.appHandles(1, stage.lastSent[0].1, began: 1, deferring: 0)
        _ = stage.scans(held(1, 0.5, 0.5), moved(2, 0.5, 0.9))
        #expect(told == ["1: stationary", "1: cancelled"])
        _ = stage.scans(moved(1, 0.5, 0.4), held(2, 0.5, 0.9))
        #expect(told == ["1: moved"])
        _ = stage.scans(held(1, 0.5, 0.4), lifted(2))
        #expect(told == Self.leaving, "the other is cancelled for another reason: its app leaves")
    }

    @Test("a swipe that returns to the edge was taken and does nothing")
    mutating func back() {
        lands()
        _ = stage.scans(moved(1, 0.5, 0.9))
        #expect(told == ["1: cancelled"])
        _ = stage.scans(moved(1, 0.5, 0.985))
        _ = stage.scans(lifted(1))
        #expect(told == [])
    }

    @Test("a swipe that rests opens the switcher; a second swipe goes home")
    mutating func switcher() {
        lands()
        _ = stage.scans(moved(1, 0.5, 0.8))
        _ = stage.pass(290)
        let sent = stage.pass(20)
        #expect(sent.map(\.message).filter { $0.kind != .link } == [.lifeCycle(.willResignActive)])
        #expect(stage.report()["scenes"] == .text("switcher app1 home"))
        _ = stage.scans(lifted(1))
        #expect(told == [])
        #expect(
            stage.scans(down(1, 0.5, 0.5)).map(\.message)
                == [.handled(Receipt(frame: stage.lastScan, outcome: .home, began: 1))])
        _ = stage.scans(lifted(1))
        _ = stage.scans(down(1, 0.5, 0.99))
        _ = stage.scans(moved(1, 0.5, 0.9))
        _ = stage.scans(lifted(1))
        #expect(told == ["1: didEnterBackground"])
        #expect(stage.report()["scenes"] == .text("home"))
    }

    @Test("a pull from the upper edge opens the centre of its half")
    mutating func centres() {
        for (x, name) in [(0.25, "notifications"), (0.75, "controls")] {
            lands(0.01, x: x)
            _ = stage.scans(moved(1, x, 0.1))
            #expect(told == ["1: cancelled", "1: willResignActive"])
            #expect(stage.report()["scenes"] == .text("\(name) app1 home"))
            _ = stage.scans(lifted(1))
            _ = stage.scans(down(1, 0.5, 0.99))
            _ = stage.scans(moved(1, 0.5, 0.9))
            _ = stage.scans(lifted(1))
            #expect(told == ["1: didBecomeActive"])
        }
    }

    // MARK: Deferral by the app

    @Test("a deferring app keeps its touch but loses a prompt second swipe")
    mutating func deferral() {
        for wait in [4000, 100] {
            lands(deferring: 4)
            for y in [0.9, 0.8] {
                _ = stage.scans(moved(1, 0.5, y))
                #expect(told.count == 1 && told[0].hasPrefix("1: moved"))
                answers()
            }
            _ = stage.scans(lifted(1))
            #expect(told == ["1: ended"])
            answers()
            _ = stage.pass(wait)
        }
        lands(deferring: 4)
        _ = stage.scans(moved(1, 0.5, 0.9))
        #expect(told == ["1: cancelled"])
    }

    /// App 1 handles the frames that it just received.
    private mutating func answers() {
        for (peer, frame) in stage.lastSent where peer == .app(1) { _ = stage.appHandles(1, frame, began: 0) }
    }

    @Test("an app defers system gestures only at the edges it names")
    mutating func otherEdge() {
        lands(deferring: 1)
        _ = stage.scans(moved(1, 0.5, 0.9))
        #expect(told == ["1: cancelled"])
    }

    @Test("an app that declared deferred edges is not asked and not gated")
    mutating func declared() {
        let window = WindowChange.set(
            SceneWindow(id: 1, frame: Rect(x: 0, y: 0, width: 375, height: 667), deferredEdges: 4))
        _ = stage.handle(
            .frame(stage.appFrame(1, .windows(WindowsDiff(number: 1, isWhole: true, changes: [window]))), from: .app(1))
        )
        _ = stage.scans(down(1, 0.5, 0.99))
        #expect(told == ["1: began"])
        _ = stage.scans(moved(1, 0.5, 0.9))
        #expect(told == ["1: moved"])
        _ = stage.scans(lifted(1))
        _ = stage.scans(down(1, 0.5, 0.99))
        _ = stage.scans(moved(1, 0.5, 0.9))
        #expect(told == ["1: cancelled"])
    }

    @Test("an app that never answers loses a gated touch at the deadline")
    mutating func mute() {
        lands(deferring: nil)
        _ = stage.scans(moved(1, 0.5, 0.9))
        #expect(told == ["1: moved gated"], "it has not answered yet")
        let phases = stage.pass(100).compactMap { frame -> ContactPhase? in
            if case .touches(let touches) = frame.message { touches.contacts[0].phase } else { nil }
        }
        #expect(phases == [.cancelled])
        _ = stage.scans(lifted(1))
        _ = stage.handle(.frame(stage.order(.act(.foreground(app: 1))), from: .supervisor))
        lands(deferring: nil)
        _ = stage.scans(moved(1, 0.5, 0.9))
        _ = stage.scans(lifted(1))
        #expect(told == Self.leaving)
    }

    @Test("a home swipe leaves an app that is unresponsive")
    mutating func hung() {
        _ = stage.scans(down(1, 0.5, 0.5))
        _ = stage.pass(600)
        #expect(stage.report()["app1.responding"] == .flag(false))
        _ = stage.scans(held(1, 0.5, 0.5), down(2, 0.5, 0.99))
        #expect(told == [])
        _ = stage.pass(100)
        _ = stage.scans(held(1, 0.5, 0.5), moved(2, 0.5, 0.9))
        _ = stage.scans(held(1, 0.5, 0.5), lifted(2))
        #expect(stage.report()["front"] == .text("home"))
    }

    @Test("a call during a swipe ends the swipe")
    mutating func call() {
        lands()
        _ = stage.handle(.frame(stage.order(.act(.interrupt)), from: .supervisor))
        #expect(told == ["1: cancelled", "1: willResignActive"])
        _ = stage.scans(moved(1, 0.5, 0.8))
        _ = stage.scans(lifted(1))
        #expect(told == [])
    }

    @Test("a locked screen and a call permit no home swipe")
    mutating func lock() {
        for act in [SystemAct.lock, .interrupt] {
            _ = stage.handle(.frame(stage.order(.act(act)), from: .supervisor))
            _ = stage.scans(down(1, 0.5, 0.99))
            _ = stage.scans(moved(1, 0.5, 0.8))
            _ = stage.scans(lifted(1))
            #expect(stage.report()["front"] == .text("app1"))
            _ = stage.handle(.frame(stage.order(.act(act == .lock ? .unlock : .resume)), from: .supervisor))
        }
    }

    @Test("the end of input-kit ends a swipe")
    mutating func inputKitGone() {
        lands()
        _ = stage.scans(moved(1, 0.5, 0.9))
        _ = stage.handle(.peerLost(.inputKit))
        _ = stage.inputKitSaysHello(generation: 2)
        #expect(stage.pass(2000).filter { $0.message.kind == .touches || $0.message.kind == .lifeCycle } == [])
        #expect(stage.report()["contacts.swiping"] == .number(0))
    }

    @Test("a server without system gestures gates and takes no touch")
    func off() {
        var stage = Stage()
        _ = stage.inputKitSaysHello()
        _ = stage.appSaysHello(1)
        let sent = stage.scans(down(1, 0.5, 0.99))
        guard case .touches(let frame)? = sent.first?.message else { return }
        #expect(!frame.contacts[0].isGated)
        #expect(stage.scans(moved(1, 0.5, 0.1)).map(\.message.kind) == [.touches])
    }

    // MARK: The state machines

    @Test("swipe, pull and contest transitions match Docs/Reference/Machines")
    func tables() {
        expectMachineTable(
            "HomeSwipe", states: HomeSwipe.State.allCases, inputs: SwipeStep.allCases, transition: HomeSwipe.transition)
        expectMachineTable(
            "EdgePull", states: EdgePull.State.allCases, inputs: SwipeStep.allCases, transition: EdgePull.transition)
        expectMachineTable(
            "GestureContest", states: GestureContest.State.allCases, inputs: GestureContest.Input.allCases,
            transition: GestureContest.transition)
    }
}

extension Receipt {
    /// The receipt of a scan in which one contact moves that a system gesture has taken.
    fileprivate static func taken(_ frame: SequenceNumber) -> Receipt {
        var receipt = Receipt(frame: frame, outcome: .dropped, reason: .takenBySystem)
        receipt.takenBySystem = 1
        return receipt
    }
}
