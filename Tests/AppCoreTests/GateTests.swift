import AppCore
import Basics
import Foundation
import HID
import Hosting
import Links
import Testing
import Trace
import UIKit
import Wire

@Suite("Gates of system gestures in an app")
struct GateTests {
    @Test("a gated touch reaches its view when the server opens the gate")
    func released() throws {
        let stage = try Stage()
        stage.touch(.began, 100, 660, isGated: true)
        stage.touch(.moved, 104, 658, isGated: true)
        #expect(stage.log.lines == [])
        stage.touch(.stationary, 104, 658)
        #expect(stage.log.lines == ["began", "moved"])
        stage.touch(.ended, 104, 658)
        #expect(stage.log.lines == ["began", "moved", "ended"])
        #expect(stage.receipts.map(\.deferredEdges) == [0, nil, nil, nil])
        #expect(stage.receipts.map(\.stationary) == [0, 0, 1, 0])
    }

    @Test("opening the gate of a touch sends no event")
    func noEvent() throws {
        let stage = try Stage()
        stage.touch(.began, 100, 660, isGated: true)
        stage.clearRecords()
        stage.touch(.stationary, 100, 660)
        #expect(stage.lines(at: [.event, .gesture]).allSatisfy { !$0.contains("sendEvent") })
        #expect(stage.log.lines == ["began"])
    }

    @Test("a gated touch that lifts is delivered whole to its view")
    func tap() throws {
        let stage = try Stage()
        stage.touch(.began, 100, 660, isGated: true)
        stage.touch(.ended, 100, 660)
        #expect(stage.log.lines == ["began", "ended"])
    }

    @Test("S89: a touch cancelled behind a closed gate never reaches its view")
    func discarded() throws {
        let stage = try Stage()
        stage.touch(.began, 100, 660, isGated: true)
        stage.touch(.moved, 100, 650, isGated: true)
        stage.touch(.cancelled, 100, 650)
        #expect(stage.log.lines == [])
        stage.run(until: 3000)
        #expect(stage.log.lines == [])
        #expect(stage.application.isGestureIdle)
        #expect(stage.report()?["quiet"] == .flag(true))
    }

    @Test("a touch that its view knows is cancelled once")
    func cancelled() throws {
        let stage = try Stage()
        stage.touch(.began, 100, 660, isGated: true)
        stage.touch(.moved, 108, 660)
        stage.touch(.cancelled, 108, 660)
        #expect(stage.log.lines == ["began", "moved", "cancelled"])
    }

    @Test("a touch's gate opens after gate.edgeDelayMax without a server's answer")
    func timeOut() throws {
        let stage = try Stage([Setting("gate.edgeDelayMax", "0.4")])
        stage.touch(.began, 100, 660, isGated: true)
        stage.run(until: 399)
        #expect(stage.log.lines == [])
        stage.run(until: 400)
        #expect(stage.log.lines == ["began"])
        #expect(stage.lines(at: [.gesture]).contains { $0.contains("its gate timed out after 400") })
        stage.touch(.moved, 100, 640, isGated: true)
        stage.touch(.cancelled, 100, 640)
        #expect(stage.log.lines == ["began", "moved", "cancelled"])
    }

    @Test("a recognizer receives a gated touch at once and can win it")
    func recognizers() throws {
        let stage = try Stage()
        let tap = UITapGestureRecognizer(target: nil, action: nil)
        tap.addAction(UIAction { _ in stage.log.lines.append("tap") })
        stage.view.addGestureRecognizer(tap)
        stage.touch(.began, 100, 660, isGated: true)
        #expect(tap.numberOfTouches == 1)
        stage.at(50)
        stage.touch(.ended, 100, 660)
        #expect(stage.log.lines == ["tap"], "its view never hears of what was kept from it")
    }

    @Test("two gated fingers are released separately")
    func two() throws {
        let stage = try Stage()
        stage.touch(.began, finger: 1, 100, 660, isGated: true)
        let contacts = [
            TouchContact(touch: TouchID(rawValue: 1), phase: .moved, at: Point(100, 655), isGated: true),
            TouchContact(touch: TouchID(rawValue: 2), phase: .began, at: Point(200, 660), isGated: true),
        ]
        stage.deliver(.frame(stage.frame(contacts), from: .systemServer))
        var resting = contacts
        (resting[0].phase, resting[1].phase, resting[1].isGated) = (.stationary, .stationary, false)
        stage.deliver(.frame(stage.frame(resting), from: .systemServer))
        #expect(stage.log.lines == ["began"])
        resting[0].isGated = false
        stage.deliver(.frame(stage.frame(resting), from: .systemServer))
        #expect(stage.log.lines == ["began", "began", "moved"])
    }

    @Test("an app that defers a screen edge receives edge touches at once")
    func deferring() throws {
        for isChild in [false, true] {
            let stage = try Stage { application, _ in
                application.mainLoop?.async {
                    application.windows[0].rootViewController = Deferring(.bottom, isChild: isChild)
                }
            }
            // The window's root view is behind the view of the stage.
            stage.touch(.began, 100, 660, isGated: true)
            #expect(stage.log.lines.last == "began")
            stage.touch(.ended, 100, 660)
            stage.log.lines = []
            stage.touch(.began, finger: 2, 100, 5, isGated: true)
            #expect(stage.log.lines == [])
            #expect(stage.receipts.map(\.deferredEdges) == [4, nil, 4])
        }
    }

    @Test("a window that goes while a gate is closed leaves no touch")
    func windowGoes() throws {
        let stage = try Stage()
        stage.touch(.began, 100, 660, isGated: true)
        stage.application.keptDelegate = nil
        stage.touch(.cancelled, 100, 660)
        stage.run(until: 2000)
        #expect(stage.report()?["touches.live"] == .number(0))
    }
}

private final class Deferring: UIViewController {
    private let edges: UIRectEdge
    private let child: Deferring?

    init(_ edges: UIRectEdge, isChild: Bool = false) {
        (self.edges, child) = (isChild ? [] : edges, isChild ? Deferring(edges) : nil)
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { edges }
    override var childForScreenEdgesDeferringSystemGestures: UIViewController? { child }
}
