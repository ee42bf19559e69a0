import Testbed
import Testing
import TouchlineTesting
import UIKit

/// Logs the events that `control` sends, except `touchDragInside` and `touchDragOutside`.
private func listen(_ control: UIControl, _ log: Log, _ more: @escaping () -> String = { "" }) {
    for (event, name) in UIControl.Event.named where event != .touchDragInside && event != .touchDragOutside {
        control.addAction(UIAction { _ in log.add(name + more()) }, for: event)
    }
}

@Suite("UISwitch")
struct SwitchTests {
    let stage = Stage()
    /// The switch is off, and its knob lies from x = 102 to 129.
    let view = UISwitch(frame: CGRect(x: 100, y: 100, width: 5, height: 500))

    init() {
        stage.window.addSubview(view)
        listen(view, stage.log) { [view] in view.isOn ? " on" : " off" }
    }

    @Test("Docs/Reference/Machines/SwitchTracking.md matches the transition function")
    func table() {
        expectMachineTable(
            "SwitchTracking", states: SwitchTracking.State.allCases,
            inputs: [
                .began(onKnob: true), .began(onKnob: false), .moved(far: true), .moved(far: false),
                .ended(inside: true), .ended(inside: false), .cancelled,
            ], transition: SwitchTracking.transition)
    }

    @Test("a switch keeps its own size")
    func size() {
        #expect(view.frame == CGRect(x: 100, y: 100, width: 51, height: 31))
        view.frame = CGRect(x: 1, y: 2, width: 300, height: 300)
        view.bounds.size.width = 7
        #expect(view.frame.size == CGSize(width: 51, height: 31) && view.sizeThatFits(.zero).width == 51)
    }

    @Test("a tap anywhere on a switch toggles it and is reported once", arguments: [110.0, 145.0])
    func tap(_ x: Double) {
        stage.tap(x, 115)
        #expect(
            stage.log.drain() == ["touchDown off", "valueChanged on", "primaryActionTriggered on", "touchUpInside on"])
        #expect(view.knobPosition == 1)
        stage.tap(x, 115, at: 5)
        #expect(!view.isOn)
    }

    @Test("a lift outside a switch and setOn send no valueChanged")
    func elsewhere() {
        stage.frame(.down(1, 145, 115))
        stage.frame(.move(1, 350, 115))
        stage.frame(.up(1))
        #expect(stage.log.drain() == ["touchDown off", "touchDragExit off", "touchUpOutside off"])
        view.setOn(true, animated: true)
        #expect(view.isOn && stage.log.drain().isEmpty)
    }

    @Test("a switch's knob follows its finger and stays on its side")
    func drag() {
        stage.frame(.down(1, 110, 115))
        stage.frame(.move(1, 115, 115))
        #expect(view.knobPosition == 0)
        stage.frame(.move(1, 120, 115))
        #expect(view.knobPosition == 0.5)
        stage.frame(.move(1, 300, 115))
        #expect(view.knobPosition == 1 && view.knobRect.maxX == 49)
        stage.frame(.move(1, 116, 115))
        #expect(abs(view.knobPosition - 0.3) < 1e-9)
        stage.frame(.up(1))
        #expect(!view.isOn && view.knobPosition == 0)
        #expect(!stage.log.drain().contains { $0.hasPrefix("valueChanged") })

        stage.frame(.down(1, 110, 115), at: 5)
        stage.frame(.move(1, 123, 115), at: 5)
        stage.frame(.up(1), at: 5)
        #expect(view.isOn && stage.log.drain().contains("valueChanged on"))
    }

    @Test("a press beside a switch's knob toggles without dragging")
    func beside() {
        stage.frame(.down(1, 145, 115))
        stage.frame(.move(1, 110, 115))
        #expect(view.knobPosition == 0)
        stage.frame(.up(1))
        #expect(view.isOn)
    }

    @Test("a cancelled drag leaves a switch as it was")
    func cancelled() {
        stage.frame(.down(1, 110, 115))
        stage.frame(.move(1, 150, 115))
        stage.frame(.cancel(1))
        #expect(!view.isOn && view.knobPosition == 0)
        #expect(stage.log.drain() == ["touchDown off", "touchCancel off"])
        stage.frame(.down(1, 110, 115), at: 5)
        stage.frame(.move(1, 150, 115), at: 5)
        stage.run { view.isEnabled = false }
        #expect(!view.isOn && view.knobPosition == 0)
    }
}

@Suite("UISlider")
struct SliderTests {
    let stage = Stage()
    /// The center of the knob goes from x = 115.5 to 315.5.
    let view = UISlider(frame: CGRect(x: 100, y: 100, width: 231, height: 31))

    init() {
        stage.window.addSubview(view)
        listen(view, stage.log) { [view] in " \(view.value)" }
    }

    @Test("Docs/Reference/Machines/SliderTracking.md matches the transition function")
    func table() {
        expectMachineTable(
            "SliderTracking", states: SliderTracking.State.allCases,
            inputs: [
                .began(onKnob: true), .began(onKnob: false), .moved(changes: true, isContinuous: true),
                .moved(changes: true, isContinuous: false), .moved(changes: false, isContinuous: true),
                .ended(isContinuous: true), .ended(isContinuous: false), .cancelled,
            ], transition: SliderTracking.transition)
    }

    @Test("a slider's knob follows the finger within the track")
    func follows() {
        stage.frame(.down(1, 120, 115))
        stage.frame(.move(1, 170, 300))
        #expect(view.value == 0.25 && view.knobRect.midX == 65.5)
        stage.frame(.move(1, 900, 115))
        #expect(view.value == 1)
        stage.frame(.move(1, 320, 115))
        #expect(view.value == 1)
        stage.frame(.move(1, 220, 115))
        #expect(view.value == 0.5)
        stage.frame(.up(1))
        #expect(
            stage.log.drain().filter { $0.hasPrefix("valueChanged") } == [
                "valueChanged 0.25", "valueChanged 1.0", "valueChanged 0.5", "valueChanged 0.5",
            ])
    }

    @Test("a finger beside a slider's knob is not tracked")
    func beside() {
        stage.frame(.down(1, 200, 115))
        stage.frame(.move(1, 250, 115))
        stage.frame(.up(1))
        #expect(view.value == 0 && stage.log.drain().isEmpty && !view.isTracking)
    }

    @Test("a slider that is not continuous reports a change at the end")
    func notContinuous() {
        view.isContinuous = false
        stage.frame(.down(1, 115, 115))
        stage.frame(.move(1, 165, 115))
        stage.frame(.move(1, 215, 115))
        #expect(view.value == 0.5)
        stage.frame(.up(1))
        #expect(
            stage.log.drain()
                == ["touchDown 0.0", "valueChanged 0.5", "primaryActionTriggered 0.5", "touchUpInside 0.5"])
        stage.tap(215, 115, at: 5)
        #expect(stage.log.drain() == ["touchDown 0.5", "touchUpInside 0.5"])
    }

    @Test("a cancelled drag keeps a slider's value and reports its change")
    func cancelled() {
        stage.frame(.down(1, 115, 115))
        stage.frame(.move(1, 165, 115))
        stage.frame(.cancel(1))
        #expect(view.value == 0.25 && stage.log.drain().last == "touchCancel 0.25")
        view.isContinuous = false
        stage.frame(.down(1, 165, 115), at: 5)
        stage.frame(.move(1, 215, 115), at: 5)
        stage.frame(.cancel(1), at: 5)
        #expect(
            stage.log.drain()
                == ["touchDown 0.25", "valueChanged 0.5", "primaryActionTriggered 0.5", "touchCancel 0.5"])
    }

    @Test("a slider's values lie on its track in proportion to the range", arguments: [(-10, 10), (0, 0.5), (5, 5)])
    func ranges(_ least: Float, _ greatest: Float) {
        (view.minimumValue, view.maximumValue) = (least, greatest)
        view.value = least
        stage.frame(.down(1, 115.5, 115))
        stage.frame(.move(1, 215.5, 115))
        #expect(view.value == (least + greatest) / 2)
        stage.frame(.move(1, 400, 115))
        #expect(view.value == greatest)
    }

    @Test("a slider subclass may place the knob itself")
    func ownKnob() {
        final class Wide: UISlider {
            override func thumbRect(forBounds bounds: CGRect, trackRect rect: CGRect, value: Float) -> CGRect {
                CGRect(x: CGFloat(value) * 100, y: 0, width: 20, height: bounds.height)
            }
        }
        let wide = Wide(frame: CGRect(x: 0, y: 300, width: 200, height: 40))
        stage.window.addSubview(wide)
        stage.frame(.down(1, 10, 320))
        stage.frame(.move(1, 60, 320))
        #expect(wide.value == 0.5)
    }

    @Test("a rotated slider follows the finger in its own coordinates")
    func turned() {
        view.transform = CGAffineTransform(rotationAngle: .pi / 2)
        // The center of the slider is (215.5, 115.5), and the knob is at the top now.
        stage.frame(.down(1, 215, 15.5))
        stage.frame(.move(1, 215, 65.5))
        #expect(abs(view.value - 0.25) < 1e-6)
    }
}

@Suite("UIStepper")
struct StepperTests {
    let stage = Stage()
    let view = UIStepper(frame: CGRect(x: 100, y: 100, width: 0, height: 0))

    init() {
        stage.window.addSubview(view)
        listen(view, stage.log) { [view] in " \(Int(view.value))" }
    }

    private var values: [String] { stage.log.drain().filter { $0.hasPrefix("valueChanged") } }

    @Test("Docs/Reference/Machines/StepperTracking.md matches the transition function")
    func table() {
        expectMachineTable(
            "StepperTracking", states: [.idle, .pressed(.plus), .outside(.plus)],
            inputs: [
                .began(.plus), .began(.minus), .moved(inside: true), .moved(inside: false), .fired, .ended, .cancelled,
            ], transition: StepperTracking.transition)
    }

    @Test("a stepper's halves step at touch-down within the range")
    func steps() {
        stage.tap(180, 115)
        #expect(
            stage.log.drain() == [
                "valueChanged 1", "primaryActionTriggered 1", "touchDown 1", "touchUpInside 1",
            ])
        stage.tap(110, 115, at: 5)
        stage.tap(110, 115, at: 10)
        #expect(values == ["valueChanged 0"] && view.value == 0)
        view.stepValue = 30
        view.value = 90
        stage.tap(180, 115, at: 15)
        #expect(view.value == 100)
        view.wraps = true
        stage.tap(180, 115, at: 20)
        #expect(view.value == 0)
        stage.tap(110, 115, at: 25)
        #expect(view.value == 100 && stage.timerCount == 0)
    }

    @Test("a held stepper repeats after 0.5 s, faster and faster")
    func repeats() {
        stage.frame(.down(1, 180, 115))
        stage.wait(until: 0.49)
        #expect(view.value == 1)
        stage.wait(until: 0.5)
        #expect(view.value == 2)
        stage.wait(until: 0.95)
        #expect(view.value == 6)
        stage.wait(until: 1.31)
        #expect(view.value == 10)
        stage.wait(until: 1.51)
        #expect(view.value == 13)
        stage.frame(.up(1), at: 1.52)
        #expect(stage.timerCount == 0)
        stage.wait(until: 9)
        #expect(view.value == 13)
    }

    @Test("a stepper pauses while the finger is off its half")
    func pauses() {
        stage.frame(.down(1, 180, 115))
        stage.frame(.move(1, 370, 115), at: 0.4)
        stage.wait(until: 2)
        #expect(view.value == 1)
        stage.frame(.move(1, 180, 115), at: 2)
        stage.wait(until: 2.45)
        #expect(view.value == 1)
        stage.wait(until: 2.5)
        #expect(view.value == 2)
        stage.frame(.up(1), at: 2.55)
    }

    @Test("a stepper respects autorepeat and isContinuous")
    func options() {
        view.autorepeat = false
        stage.frame(.down(1, 180, 115))
        #expect(stage.timerCount == 0)
        stage.frame(.up(1), at: 3)
        (view.autorepeat, view.isContinuous) = (true, false)
        _ = stage.log.drain()
        stage.frame(.down(1, 180, 115), at: 5)
        stage.wait(until: 5.65)
        #expect(values.isEmpty && view.value == 4)
        stage.frame(.up(1), at: 5.69)
        #expect(values == ["valueChanged 4"])
        stage.frame(.down(1, 180, 115), at: 9)
        stage.frame(.cancel(1), at: 9)
        #expect(values == ["valueChanged 5"])
    }

    @Test("a stepper that is disabled, removed or overridden stops its timer")
    func letsGo() {
        final class Forgetful: UIStepper {
            override func endTracking(_ touch: UITouch?, with event: UIEvent?) {}
            override func cancelTracking(with event: UIEvent?) {}
        }
        stage.frame(.down(1, 180, 115))
        stage.run { view.isEnabled = false }
        #expect(stage.timerCount == 0)
        stage.frame(.up(1))
        view.isEnabled = true
        stage.frame(.down(1, 180, 115), at: 5)
        stage.run { view.removeFromSuperview() }
        #expect(stage.timerCount == 0)
        stage.frame(.up(1), at: 5)
        let forgetful = Forgetful(frame: CGRect(x: 100, y: 100, width: 0, height: 0))
        stage.window.addSubview(forgetful)
        stage.tap(180, 115, at: 9)
        #expect(stage.timerCount == 0 && forgetful.value == 1)
    }

    @Test("a stepper hidden, removed or disabled by its step stops tracking")
    func firstStep() {
        let ends: [() -> Void] = [
            { view.isHidden = true }, { view.removeFromSuperview() }, { view.isEnabled = false },
            // A removal that is undone at once ends the tracking, too.
            {
                view.removeFromSuperview()
                stage.window.addSubview(view)
            },
        ]
        for (round, end) in ends.enumerated() {
            let action = UIAction { _ in end() }
            view.addAction(action, for: .valueChanged)
            let start = Double(round) * 5
            stage.frame(.down(1, 180, 115), at: start)
            #expect(!view.isTracking && !view.isTouchInside && !view.isHighlighted)
            #expect(stage.timerCount == 0)
            view.removeAction(action, for: .valueChanged)
            stage.wait(until: start + 2)
            stage.frame(.up(1), at: start + 3)
            #expect(values == ["valueChanged \(round + 1)"])
            (view.isHidden, view.isEnabled) = (false, true)
            stage.window.addSubview(view)
        }
        stage.frame(.down(1, 180, 115), at: 30)
        #expect(view.isTracking && view.isHighlighted && stage.timerCount == 1)
    }
}

@Suite("UISegmentedControl")
struct SegmentTests {
    let stage = Stage()
    /// The control has three segments of 50 points.
    let view = UISegmentedControl(items: ["a", "b", "c"])

    init() {
        view.frame = CGRect(x: 100, y: 100, width: 150, height: 32)
        stage.window.addSubview(view)
        listen(view, stage.log) { [view] in " \(view.selectedSegmentIndex)" }
    }

    @Test("Docs/Reference/Machines/SegmentTracking.md matches the transition function")
    func table() {
        expectMachineTable(
            "SegmentTracking", states: [.idle, .outside, .over(0)],
            inputs: [
                .began(over: 1), .began(over: nil), .moved(over: 0), .moved(over: 1), .moved(over: nil),
                .ended(over: 1), .ended(over: nil), .cancelled,
            ], transition: SegmentTracking.transition)
    }

    @Test("the segment where the finger lifts is selected once")
    func selects() {
        #expect(view.selectedSegmentIndex == UISegmentedControl.noSegment && view.numberOfSegments == 3)
        stage.tap(175, 115)
        #expect(
            stage.log.drain() == ["touchDown -1", "valueChanged 1", "primaryActionTriggered 1", "touchUpInside 1"])
        stage.tap(175, 115, at: 5)
        #expect(stage.log.drain() == ["touchDown 1", "touchUpInside 1"])
        stage.frame(.down(1, 110, 115), at: 9)
        #expect(view.highlightedSegment == 0)
        stage.frame(.move(1, 240, 115), at: 9)
        #expect(view.highlightedSegment == 2)
        stage.frame(.up(1), at: 9)
        #expect(view.selectedSegmentIndex == 2 && view.highlightedSegment == nil)
    }

    @Test("a lift outside, on a disabled segment or cancelled selects no segment")
    func selectsNothing() {
        view.setEnabled(false, forSegmentAt: 1)
        stage.tap(175, 115)
        stage.frame(.down(1, 110, 115), at: 5)
        stage.frame(.move(1, 110, 400), at: 5)
        #expect(view.highlightedSegment == nil)
        stage.frame(.up(1), at: 5)
        stage.frame(.down(1, 110, 115), at: 9)
        stage.frame(.cancel(1), at: 9)
        #expect(view.highlightedSegment == nil && view.selectedSegmentIndex == -1)
        #expect(!stage.log.drain().contains { $0.hasPrefix("valueChanged") })
    }

    @Test("a momentary segmented control is selected only while it reports")
    func momentary() {
        view.isMomentary = true
        stage.tap(175, 115)
        stage.tap(175, 115, at: 5)
        #expect(stage.log.drain().filter { $0.hasPrefix("valueChanged") } == ["valueChanged 1", "valueChanged 1"])
        #expect(view.selectedSegmentIndex == -1)
    }

    @Test("a selection moves with its segment and ends with it")
    func comeAndGo() {
        view.selectedSegmentIndex = 1
        view.insertSegment(withTitle: "z", at: 0, animated: false)
        #expect(view.selectedSegmentIndex == 2 && view.titleForSegment(at: 0) == "z")
        view.removeSegment(at: 0, animated: false)
        #expect(view.selectedSegmentIndex == 1)
        view.removeSegment(at: 1, animated: false)
        #expect(view.selectedSegmentIndex == -1 && view.numberOfSegments == 2)
        view.removeAllSegments()
        stage.tap(175, 115)
        #expect(view.numberOfSegments == 0 && view.selectedSegmentIndex == -1)
    }

    @Test("a segment with a width keeps it, and others share the rest")
    func widths() {
        view.setWidth(100, forSegmentAt: 0)
        #expect(view.rect(ofSegment: 1) == CGRect(x: 100, y: 0, width: 25, height: 32))
        stage.tap(190, 115)
        #expect(view.selectedSegmentIndex == 0 && view.widthForSegment(at: 0) == 100)
    }

    @Test("a segment's action runs when the segment is selected")
    func actions() {
        var ran: [String] = []
        let actions = ["a", "b"].map { name in
            UIAction(title: name, identifier: .init(name)) { _ in ran.append(name) }
        }
        let other = UISegmentedControl(frame: CGRect(x: 0, y: 300, width: 100, height: 32), actions: actions)
        stage.window.addSubview(other)
        stage.tap(75, 315)
        #expect(ran == ["b"] && other.segmentIndex(identifiedBy: .init("b")) == 1)
        other.insertSegment(action: actions[0], at: 0, animated: false)
        #expect(other.numberOfSegments == 2 && other.actionForSegment(at: 0)?.title == "a")
    }
}

@Suite("UIPageControl")
struct PageTests {
    let stage = Stage()
    let view = UIPageControl(frame: CGRect(x: 100, y: 100, width: 100, height: 26))

    init() {
        stage.window.addSubview(view)
        view.numberOfPages = 3
        listen(view, stage.log) { [view] in " \(view.currentPage)" }
    }

    @Test("a page control's halves turn pages forward and back within range")
    func halves() {
        stage.tap(180, 110)
        #expect(
            stage.log.drain() == ["touchDown 0", "valueChanged 1", "primaryActionTriggered 1", "touchUpInside 1"])
        stage.tap(180, 110, at: 5)
        stage.tap(180, 110, at: 10)
        #expect(view.currentPage == 2)
        #expect(stage.log.drain().filter { $0.hasPrefix("valueChanged") } == ["valueChanged 2"])
        stage.tap(110, 110, at: 15)
        #expect(view.currentPage == 1)
        stage.frame(.down(1, 110, 110), at: 20)
        stage.frame(.move(1, 110, 300), at: 20)
        stage.frame(.up(1), at: 20)
        #expect(view.currentPage == 1)
    }

    @Test("fewer pages clamp the current page, and a single page may hide")
    func fewer() {
        view.currentPage = 2
        view.numberOfPages = 1
        #expect(view.currentPage == 0)
        view.hidesForSinglePage = true
        stage.frame(.down(1, 150, 110))
        #expect(stage.app.touchTracker.liveTouches.first?.view === stage.window)
        #expect(view.size(forNumberOfPages: 3) == CGSize(width: 48, height: 26))
    }
}
