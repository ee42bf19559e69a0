import Testing
import TouchlineTesting
import Testbed
import UIKit

/// A button that logs its tracking and the events that it sends, with overrides that an app can write on a phone.
final class ProbeButton: UIButton, UIKitObserver {
    var log = Log()
    var begins = true
    var continues = true
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        log.add("beginTracking")
        return begins && super.beginTracking(touch, with: event)
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        log.add("continueTracking")
        return continues
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) { log.add("endTracking") }
    override func cancelTracking(with event: UIEvent?) { log.add("cancelTracking") }
    func observe(_ event: UIKitEvent) {
        if case .action(.controlSends(_, let events)) = event { log.add(events.name ?? "?") }
    }
}

@Suite("UIControl tracking")
struct ControlTests {
    let stage = Stage()
    private let b = ProbeButton(frame: CGRect(x: 100, y: 100, width: 100, height: 40))

    init() {
        b.log = stage.log
        stage.app.observer = b
        stage.window.addSubview(b)
    }

    @Test("Docs/Reference/Machines/ControlTracking.md matches the transition function")
    func table() {
        expectMachineTable(
            "ControlTracking", states: ControlTracking.State.allCases,
            inputs: [
                .began(accepted: true, repeated: false), .began(accepted: true, repeated: true),
                .began(accepted: false, repeated: false), .moved(continues: true, inside: true),
                .moved(continues: true, inside: false), .moved(continues: false, inside: true), .ended(inside: true),
                .ended(inside: false), .cancelled,
            ], transition: ControlTracking.transition)
    }

    @Test("S72: a control sends drag events when a finger crosses 70 pt")
    func stream() {
        stage.frame(.down(1, 150, 120))
        #expect(stage.log.drain() == ["beginTracking", "touchDown"])
        #expect(b.isTracking && b.isTouchInside && b.isHighlighted && b.state == .highlighted)
        stage.frame(.move(1, 260, 120))
        #expect(stage.log.drain() == ["continueTracking", "touchDragInside"])
        stage.frame(.move(1, 275, 120))
        #expect(stage.log.drain() == ["continueTracking", "touchDragExit", "touchDragOutside"])
        #expect(!b.isHighlighted && !b.isTouchInside && b.isTracking)
        stage.frame(.move(1, 265, 120))
        #expect(stage.log.drain() == ["continueTracking", "touchDragEnter", "touchDragInside"])
        #expect(b.isHighlighted)
        stage.frame(.move(1, 290, 120))
        #expect(stage.log.drain() == ["continueTracking", "touchDragExit", "touchDragOutside"])
        stage.frame(.up(1))
        #expect(stage.log.drain() == ["endTracking", "touchUpOutside"])
        #expect(!b.isTracking && b.state == .normal)
    }

    @Test("a tap ends tracking before touchUpInside and the primary action")
    func tap() {
        var during: [Bool] = []
        b.addAction(UIAction { _ in during = [b.isTracking, b.isTouchInside, b.isHighlighted] }, for: .touchUpInside)
        stage.tap(150, 120)
        #expect(
            stage.log.drain() == [
                "beginTracking", "touchDown", "endTracking", "touchUpInside", "primaryActionTriggered",
            ])
        #expect(during == [false, true, true] && !b.isHighlighted && !b.isTouchInside)
    }

    @Test("S73: a second quick press sends touchDownRepeat")
    func repeated() {
        stage.tap(150, 120)
        _ = stage.log.drain()
        stage.frame(.down(1, 150, 120), at: 0.2)
        #expect(stage.log.drain() == ["beginTracking", "touchDown", "touchDownRepeat"])
    }

    @Test("S74: a control whose beginTracking refuses ignores the rest of the touch")
    func refused() {
        let outer = stage.view("outer", 0, 0, 375, 667)
        outer.addSubview(b)
        b.begins = false
        stage.frame(.down(1, 150, 120))
        stage.frame(.move(1, 151, 120))
        stage.frame(.up(1))
        #expect(stage.log.drain() == ["beginTracking"])
        #expect(!b.isHighlighted)
    }

    @Test("a control whose continueTracking refuses stops tracking silently")
    func stopped() {
        stage.frame(.down(1, 150, 120))
        b.continues = false
        stage.frame(.move(1, 151, 120))
        stage.frame(.move(1, 152, 120))
        stage.frame(.up(1))
        #expect(stage.log.drain() == ["beginTracking", "touchDown", "continueTracking"])
        #expect(!b.isTracking && !b.isHighlighted)
    }

    @Test("a cancelled touch calls cancelTracking, then sends touchCancel")
    func cancelled() {
        var lit = true
        b.addAction(UIAction { _ in lit = b.isHighlighted }, for: .touchCancel)
        stage.frame(.down(1, 150, 120))
        stage.frame(.cancel(1))
        #expect(stage.log.drain() == ["beginTracking", "touchDown", "cancelTracking", "touchCancel"])
        #expect(!lit && !b.isTracking)
    }

    @Test("S75: a disabled control is hit and forwards all touch phases")
    func disabled() {
        let outer = stage.view("outer", 0, 0, 375, 667)
        outer.addSubview(b)
        b.isEnabled = false
        stage.frame(.down(1, 150, 120))
        #expect(stage.app.touchTracker.liveTouches.first?.view === b && b.state == .disabled)
        stage.frame(.move(1, 151, 120))
        stage.frame(.up(1))
        stage.frame(.down(1, 150, 120), at: 5)
        stage.frame(.cancel(1), at: 5.1)
        #expect(
            stage.log.drain() == [
                "touchesBegan outer", "touchesMoved outer", "touchesEnded outer", "touchesBegan outer",
                "touchesCancelled outer",
            ])
    }

    @Test("S76: a touch on a control's subview does not track the control")
    func subview() {
        let outer = stage.view("outer", 0, 0, 375, 667)
        outer.addSubview(b)
        stage.view("X", 0, 0, 100, 40, in: b)
        stage.tap(150, 120)
        #expect(
            stage.log.drain() == [
                "touchesBegan X", "touchesBegan outer", "touchesEnded X", "touchesEnded outer",
            ])
        #expect(!b.isTracking)
    }

    @Test("a control tracks one finger and ignores others")
    func secondFinger() {
        b.isMultipleTouchEnabled = true
        stage.frame(.down(1, 150, 120))
        stage.frame(.down(2, 160, 120))
        stage.frame(.move(2, 170, 120))
        stage.frame(.up(2))
        #expect(stage.log.drain() == ["beginTracking", "touchDown"])
        stage.frame(.up(1))
        #expect(stage.log.drain() == ["endTracking", "touchUpInside", "primaryActionTriggered"])
    }

    @Test("a control's tracking margin is measured in its own coordinates")
    func transformed() {
        let stage = Stage(size: CGSize(width: 414, height: 736))
        b.log = stage.log
        stage.app.observer = b
        stage.window.addSubview(b)
        b.transform = CGAffineTransform(scaleX: 2, y: 2)
        stage.frame(.down(1, 150, 120))
        // The distance is 100 from the center to the edge and twice 70 beyond it.
        stage.frame(.move(1, 389, 120))
        stage.frame(.move(1, 391, 120))
        #expect(
            stage.log.drain().filter { $0.hasPrefix("touchDrag") } == [
                "touchDragInside", "touchDragExit", "touchDragOutside",
            ])
    }

    @Test("a control's tracking margin is a setting")
    func margin() {
        let stage = Stage(settings: [("control.trackingMargin", "0")])
        b.log = stage.log
        stage.app.observer = b
        stage.window.addSubview(b)
        stage.frame(.down(1, 150, 120))
        stage.frame(.move(1, 201, 120))
        #expect(stage.log.drain().suffix(2) == ["touchDragExit", "touchDragOutside"])
    }

    @Test("a plain control sends no primary action")
    func plain() {
        let control = UIControl(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
        stage.window.addSubview(control)
        stage.tap(25, 25)
        #expect(stage.log.drain() == ["touchDown", "touchUpInside"])
    }
}

@Suite("UIControl targets")
struct TargetTests {
    private final class Target: NSObject {
        let log: Log
        init(_ log: Log) { self.log = log }
        func one() { log.add("one") }
        func two(_ sender: UIControl) { log.add("two") }
    }
    let log = Log()
    let control = UIControl(frame: .zero)
    private let one = Selector("one", Target.one)
    private let two = Selector("two", Target.two)

    @Test("a control's actions run in the order of adding")
    func order() {
        let target = Target(log)
        control.addTarget(target, action: two, for: .touchUpInside)
        control.addTarget(target, action: one, for: [.touchUpInside, .touchDown])
        control.addAction(
            UIAction { [log] action in log.add("closure \(action.sender is UIControl)") }, for: .touchDown)
        control.sendActions(for: .touchUpInside)
        #expect(log.drain() == ["two", "one"])
        control.sendActions(for: .touchDown)
        #expect(log.drain() == ["one", "closure true"])
        control.sendActions(for: .valueChanged)
        #expect(log.drain().isEmpty)
        #expect(control.allControlEvents == [.touchUpInside, .touchDown] && control.allTargets.count == 1)
    }

    @Test("adding the same target and action twice makes one entry")
    func twice() {
        let target = Target(log)
        control.addTarget(target, action: one, for: .touchDown)
        control.addTarget(target, action: one, for: .touchDown)
        control.addTarget(target, action: one, for: .touchCancel)
        control.sendActions(for: [.touchDown, .touchCancel])
        #expect(log.drain() == ["one"])
        #expect(control.actions(forTarget: target, forControlEvent: .touchCancel) == ["one"])
    }

    @Test("removeTarget matches target, action and event, and nil matches any")
    func removal() {
        let (a, b) = (Target(log), Target(log))
        for target in [a, b] {
            control.addTarget(target, action: one, for: [.touchDown, .touchCancel])
            control.addTarget(target, action: two, for: .touchDown)
        }
        control.removeTarget(a, action: one, for: .touchDown)
        #expect(control.actions(forTarget: a, forControlEvent: .touchDown) == ["two"])
        #expect(control.actions(forTarget: a, forControlEvent: .touchCancel) == ["one"])
        control.removeTarget(b, action: nil, for: .allEvents)
        #expect(control.actions(forTarget: b, forControlEvent: .allEvents) == nil)
        control.removeTarget(nil, action: nil, for: .allEvents)
        #expect(control.allControlEvents == [])
    }

    @Test("a control does not keep its targets and skips released ones")
    func gone() {
        var target: Target? = Target(log)
        control.addTarget(target, action: one, for: .touchDown)
        control.sendActions(for: .touchDown)
        target = nil
        control.sendActions(for: .touchDown)
        #expect(log.drain() == ["one"])
        weak let left = target
        #expect(left == nil)
    }

    @Test("a later action with the same identifier replaces the earlier one")
    func identifiers() {
        let id = UIAction.Identifier("x")
        control.addAction(UIAction(identifier: id) { [log] _ in log.add("old") }, for: .touchDown)
        control.addAction(UIAction(identifier: id) { [log] _ in log.add("new") }, for: .touchDown)
        control.sendActions(for: .touchDown)
        #expect(log.drain() == ["new"])
        control.removeAction(identifiedBy: id, for: .touchDown)
        control.sendActions(for: .touchDown)
        #expect(log.drain().isEmpty)
    }

    @Test("an override of sendAction(_:to:for:) receives every action and may keep it")
    func overridden() {
        final class Keeping: UIControl {
            var kept: [String] = []
            override func sendAction(_ action: Selector, to target: Any?, for event: UIEvent?) {
                kept.append("\(action)")
            }
        }
        let (control, target) = (Keeping(frame: .zero), Target(log))
        control.addTarget(target, action: one, for: .touchDown)
        control.addTarget(nil, action: "x", for: .touchDown)
        control.sendActions(for: .touchDown)
        #expect(control.kept == ["one", "x"] && log.drain().isEmpty)
    }

    @Test("control events have names and Apple's raw values")
    func names() {
        #expect(UIControl.Event.touchUpInside.rawValue == 64 && UIControl.Event.touchUpInside.name == "touchUpInside")
        #expect(UIControl.Event(named: "touchDragEnter") == .touchDragEnter)
        #expect(UIControl.Event(named: "nonsense") == nil)
        #expect(([.touchDown, .touchCancel] as UIControl.Event).name == nil)
        #expect(UIControl.Event.primaryActionTriggered.rawValue == 8192)
        #expect(UIControl.Event.allTouchEvents.isSuperset(of: [.touchDown, .touchCancel]))
    }

    @Test("a button has a title for each state and a primary action")
    func button() {
        let button = UIButton(
            type: .system, primaryAction: UIAction(title: "Go") { [log] _ in log.add("go") })
        #expect(button.currentTitle == "Go" && button.buttonType == .system)
        button.setTitle("No", for: .disabled)
        button.isEnabled = false
        #expect(button.currentTitle == "No" && button.title(for: .selected) == "Go")
        button.sendActions(for: .primaryActionTriggered)
        #expect(log.drain() == ["go"])
    }
}
