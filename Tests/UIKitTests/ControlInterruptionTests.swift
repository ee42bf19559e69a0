import Testing
import TouchlineTesting
import Trace
import UIKit

/// A control that logs its tracking and the events that it sends, and runs the test's closure for each line.
private final class ProbeControl: UIControl, UIKitObserver {
    var log = Log()
    var deeds: [String: () -> Void] = [:]
    private func say(_ line: String) {
        log.add(line)
        deeds[line]?()
    }
    override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        say("beginTracking")
        return true
    }
    override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        say("continueTracking")
        return true
    }
    override func endTracking(_ touch: UITouch?, with event: UIEvent?) { say("endTracking") }
    override func cancelTracking(with event: UIEvent?) { say("cancelTracking") }
    func observe(_ event: UIKitEvent) {
        if case .action(.controlSends(_, let events)) = event { say(events.name ?? "?") }
    }
}

@Suite("Interrupted controls")
struct ControlInterruptionTests {
    let stage = Stage()
    let outer: ProbeView
    private let b = ProbeControl(frame: CGRect(x: 100, y: 100, width: 100, height: 40))

    init() {
        outer = stage.view("outer", 0, 0, 375, 667)
        b.log = stage.log
        stage.app.observer = b
        outer.addSubview(b)
    }

    private func press() { stage.frame(.down(1, 150, 120)) }

    private func rest() {
        stage.frame(.move(1, 151, 120))
        stage.frame(.up(1))
    }

    private let cancelled = ["beginTracking", "touchDown", "cancelTracking", "touchCancel"]

    @Test("a control disabled, hidden or removed while tracking cancels at once")
    func cancelsAtOnce() {
        let ends = [
            { b.isEnabled = false }, { b.isHidden = true }, { b.removeFromSuperview() },
            { outer.removeFromSuperview() },
        ]
        for (round, end) in ends.enumerated() {
            stage.frame(.down(1, 150, 120), at: Double(round) * 2)
            stage.run(at: Double(round) * 2, end)
            #expect(stage.log.drain() == cancelled)
            #expect(!b.isTracking && !b.isTouchInside && !b.isHighlighted)
            rest()
            #expect(stage.log.drain().isEmpty)
            #expect(stage.app.touchTracker.liveTouches.isEmpty)
            (b.isEnabled, b.isHidden) = (true, false)
            outer.addSubview(b)
            stage.window.addSubview(outer)
        }
        stage.frame(.down(1, 150, 120), at: 9)
        #expect(b.isTracking)
    }

    @Test("the trace names why a control stopped tracking")
    func reasons() {
        press()
        stage.run { b.isHidden = true }
        #expect(stage.facts(.action).contains("ProbeControl stops tracking: it was hidden"))
    }

    @Test("a control moved within its window keeps tracking")
    func moved() {
        press()
        stage.run { stage.window.addSubview(b) }
        #expect(b.isTracking)
        stage.frame(.up(1))
        #expect(stage.log.drain().suffix(2) == ["endTracking", "touchUpInside"])
    }

    @Test("a control disabled or removed in its own callback cancels at once")
    func inTheMiddle() {
        b.deeds["touchDown"] = { b.isEnabled = false }
        stage.frame(.down(1, 150, 120))
        #expect(stage.log.drain() == cancelled)
        rest()
        (b.isEnabled, b.deeds) = (true, [:])

        stage.frame(.down(1, 150, 120), at: 5)
        b.deeds["touchDragExit"] = { b.isEnabled = false }
        stage.frame(.move(1, 370, 120), at: 5)
        #expect(stage.log.drain().suffix(4) == ["continueTracking", "touchDragExit", "cancelTracking", "touchCancel"])
        stage.frame(.up(1), at: 5)
        (b.isEnabled, b.deeds) = (true, [:])

        b.deeds["continueTracking"] = { b.removeFromSuperview() }
        stage.frame(.down(1, 150, 120), at: 9)
        stage.frame(.move(1, 151, 120), at: 9)
        #expect(stage.log.drain().suffix(3) == ["continueTracking", "cancelTracking", "touchCancel"])
    }

    @Test("a control disabled by its own cancellation cancels once")
    func once() {
        b.deeds["cancelTracking"] = { b.isEnabled = false }
        press()
        stage.run { b.isHidden = true }
        #expect(stage.log.drain() == cancelled)
    }

    @Test("a control disabled in beginTracking does not track")
    func refusesWhenDisabled() {
        b.deeds["beginTracking"] = { b.isEnabled = false }
        press()
        rest()
        #expect(stage.log.drain() == ["beginTracking"])
        #expect(!b.isTracking)
    }

    @Test("a control disabled by its action is not cancelled as well")
    func byItsAction() {
        b.deeds["touchUpInside"] = { b.isEnabled = false }
        stage.tap(150, 120)
        #expect(stage.log.drain() == ["beginTracking", "touchDown", "endTracking", "touchUpInside"])
        #expect(!b.isHighlighted)
    }

    @Test("a control enabled under a finger forwards that finger's touches whole")
    func enabledUnderAFinger() {
        b.isEnabled = false
        press()
        b.isEnabled = true
        rest()
        #expect(stage.log.drain() == ["touchesBegan outer", "touchesMoved outer", "touchesEnded outer"])
        stage.frame(.down(1, 150, 120), at: 5)
        #expect(stage.log.drain() == ["beginTracking", "touchDown"])
    }

    @Test("a control subclass that swallows touch ends can be pressed again")
    func keptEnds() {
        final class Keeping: UIButton {
            override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
            override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}
        }
        let keeping = Keeping(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
        stage.window.addSubview(keeping)
        for round in 0..<3 {
            stage.frame(.down(1, 25, 25), at: Double(round) * 5)
            #expect(stage.log.drain() == ["touchDown"] && keeping.isTracking)
            stage.frame(round == 1 ? .cancel(1) : .up(1), at: Double(round) * 5)
        }
    }

    @Test("an application with a pressed control can be released")
    func tornDown() {
        weak var left: UIControl?
        do {
            let stage = Stage()
            let control = UIButton(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
            stage.window.addSubview(control)
            stage.frame(.down(1, 25, 25))
            left = control
            #expect(control.isTracking)
        }
        #expect(left == nil)
    }

    @Test("a control enabled between two fingers tracks the second")
    func secondFinger() {
        b.isMultipleTouchEnabled = true
        b.isEnabled = false
        stage.frame(.down(1, 150, 120))
        b.isEnabled = true
        stage.frame(.down(2, 160, 120))
        #expect(stage.log.drain() == ["touchesBegan outer", "beginTracking", "touchDown"])
        stage.frame(.move(1, 151, 120), .move(2, 161, 120))
        stage.frame(.up(1), .up(2))
        #expect(
            stage.log.drain() == [
                "continueTracking", "touchDragInside", "endTracking", "touchUpInside",
            ])
    }
}

@Suite("UIControl's list of actions")
struct ControlListTests {
    private final class Target: NSObject {
        func one() {}
    }
    private let one = Selector("one", Target.one)

    @Test("enumerateEventHandlers visits actions in order and stops on request")
    func walk() {
        let (control, target) = (UIControl(frame: .zero), Target())
        var gone: Target? = Target()
        control.addTarget(target, action: one, for: .touchDown)
        control.addTarget(gone, action: one, for: .touchDown)
        control.addTarget(nil, action: "two", for: .touchCancel)
        control.addAction(UIAction(title: "three") { _ in }, for: [.valueChanged, .touchDown])
        gone = nil
        weak let left = gone
        #expect(left == nil)
        var heard: [String] = []
        control.enumerateEventHandlers { action, targetAction, events, _ in
            let owner = targetAction.map { $0.0.map { "\(type(of: $0))" } ?? "nil" }
            heard.append("\(action?.title ?? "\(owner!).\(targetAction!.1)") \(events.rawValue)")
        }
        #expect(heard == ["Target.one 1", "nil.two 256", "three 4097"])
        var count = 0
        control.enumerateEventHandlers { _, _, _, stop in
            count += 1
            stop = true
        }
        #expect(count == 1)
        #expect(control.allTargets.count == 2 && control.allTargets.contains(target))
        #expect(control.allTargets.contains { $0.base is NSNull })
        #expect(control.allControlEvents == [.touchDown, .touchCancel, .valueChanged])
    }

    @Test("an override of sendAction receives closures too")
    func closures() {
        final class Keeping: UIControl {
            var kept: [String] = []
            override func sendAction(_ action: UIAction) {
                kept.append(action.title)
                super.sendAction(action)
            }
        }
        let control = Keeping(frame: .zero, primaryAction: UIAction(title: "go") { _ in })
        control.performPrimaryAction()
        #expect(control.kept == ["go"])
    }

    @Test("a button with primary-action selection toggles before its action runs")
    func selecting() {
        let stage = Stage()
        var seen: [Bool] = []
        let button = UIButton(
            frame: CGRect(x: 0, y: 0, width: 50, height: 50),
            primaryAction: UIAction(title: "A") { seen.append(($0.sender as? UIButton)?.isSelected == true) })
        button.changesSelectionAsPrimaryAction = true
        stage.window.addSubview(button)
        stage.tap(25, 25)
        stage.tap(25, 25, at: 5)
        #expect(seen == [true, false])
        button.setTitleColor(.red, for: .normal)
        button.setTitleColor(.blue, for: .highlighted)
        #expect(button.titleLabel?.text == "A" && button.titleLabel?.textColor == .red)
        button.isHighlighted = true
        #expect(button.currentTitleColor == .blue && button.titleColor(for: .disabled) == .red)
        stage.tap(25, 25, at: 9)
        #expect(seen.count == 3)
    }

    @Test("a tap on a text field begins editing unless its delegate refuses")
    func textField() {
        final class Guard: NSObject, UITextFieldDelegate {
            let log = Log()
            var allows = true
            func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { allows }
            func textFieldDidBeginEditing(_ textField: UITextField) { log.add("did begin") }
            func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { allows }
            func textFieldDidEndEditing(_ textField: UITextField) { log.add("did end") }
        }
        let (stage, keeper) = (Stage(), Guard())
        let field = UITextField(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
        let other = UITextField(frame: CGRect(x: 0, y: 60, width: 50, height: 50))
        field.delegate = keeper
        for view in [field, other] { stage.window.addSubview(view) }
        field.addAction(UIAction { _ in keeper.log.add("event begin") }, for: .editingDidBegin)
        field.addAction(UIAction { _ in keeper.log.add("event end") }, for: .editingDidEnd)
        keeper.allows = false
        stage.tap(25, 25)
        #expect(!field.isEditing && keeper.log.drain().isEmpty)
        keeper.allows = true
        stage.tap(25, 25, at: 5)
        #expect(field.isEditing && keeper.log.drain() == ["did begin", "event begin"])
        keeper.allows = false
        stage.tap(25, 85, at: 10)
        #expect(field.isEditing && !other.isEditing)
        keeper.allows = true
        stage.tap(25, 85, at: 15)
        #expect(!field.isEditing && other.isEditing && keeper.log.drain() == ["did end", "event end"])
        other.isEnabled = false
        #expect(!other.isEditing)
    }
}
