import Testing
import TouchlineTesting
import UIKit

@Suite("Default actions (S77)")
struct DefaultActionTests {
    let stage = Stage()
    let parent: ProbeView

    init() {
        parent = stage.view("parent", 0, 0, 375, 667)
        parent.logsTouches = false
    }

    private func listen(_ recognizer: UIGestureRecognizer, on view: UIView) {
        recognizer.addAction(
            UIAction { [stage] action in
                let state = (action.sender as? UIGestureRecognizer)?.state ?? .possible
                if state == .began || state == .ended { stage.log.add("gesture") }
            })
        view.addGestureRecognizer(recognizer)
    }

    /// Adds the control to the parent with its center at (100, 100), and logs its events.
    private func add(_ control: UIControl) {
        control.frame = CGRect(x: 50, y: 84, width: 100, height: 32)
        control.center = CGPoint(x: 100, y: 100)
        parent.addSubview(control)
        for event in [UIControl.Event.touchUpInside, .touchCancel, .valueChanged] {
            control.addAction(UIAction { [stage] _ in stage.log.add(event.name!) }, for: event)
        }
    }

    private func stroke(from start: (Double, Double), by step: (Double, Double), count: Int = 10) {
        stage.frame(.down(1, start.0, start.1))
        for n in 1...count {
            let x = start.0 + step.0 * Double(n)
            stage.frame(.move(1, x, start.1 + step.1 * Double(n)), at: Double(n) / 60)
        }
        stage.frame(.up(1), at: Double(count + 1) / 60)
    }

    private static let kinds: [@Sendable () -> UIControl] = [
        { UIButton(frame: .zero) }, { UISwitch(frame: .zero) }, { UIStepper(frame: .zero) },
        { UISegmentedControl(items: ["a", "b"]) },
        {
            let pages = UIPageControl(frame: .zero)
            pages.numberOfPages = 9
            return pages
        },
    ]

    @Test("a system control keeps a tap from a tap recognizer around it", arguments: 0..<5)
    func keepsTap(_ kind: Int) {
        let control = Self.kinds[kind]()
        add(control)
        listen(UITapGestureRecognizer(), on: parent)
        stage.tap(110, 100)
        let heard = stage.log.drain()
        #expect(heard.contains("touchUpInside") && !heard.contains("gesture") && !heard.contains("touchCancel"))
        stage.tap(300, 500, at: 5)
        #expect(stage.log.drain() == ["gesture"])
    }

    @Test("a button yields when disabled, to own recognizers and non-cancelling ones")
    func stepsAside() {
        let button = UIButton(frame: .zero)
        add(button)
        let tap = UITapGestureRecognizer()
        listen(tap, on: parent)
        button.isEnabled = false
        stage.tap(110, 100)
        #expect(stage.log.drain() == ["gesture"])
        button.isEnabled = true
        tap.cancelsTouchesInView = false
        stage.tap(110, 100, at: 5)
        #expect(stage.log.drain() == ["gesture", "touchUpInside"])
        parent.removeGestureRecognizer(tap)
        listen(UITapGestureRecognizer(), on: button)
        stage.tap(110, 100, at: 10)
        #expect(stage.log.drain() == ["gesture", "touchCancel"])
    }

    @Test("double taps, two-finger taps, long presses and pans cancel a button")
    func takesButton() {
        let button = UIButton(frame: .zero)
        button.isMultipleTouchEnabled = true
        add(button)
        let (double, two, long, pan) = (
            UITapGestureRecognizer(), UITapGestureRecognizer(), UILongPressGestureRecognizer(), UIPanGestureRecognizer()
        )
        double.numberOfTapsRequired = 2
        two.numberOfTouchesRequired = 2
        listen(double, on: parent)
        stage.tap(110, 100)
        stage.tap(110, 100, at: 0.2)
        #expect(stage.log.drain().suffix(2) == ["gesture", "touchCancel"])
        parent.removeGestureRecognizer(double)

        listen(two, on: parent)
        stage.frame(.down(1, 90, 100), .down(2, 110, 100), at: 5)
        stage.frame(.up(1), .up(2), at: 5.08)
        #expect(stage.log.drain() == ["gesture", "touchCancel"])
        parent.removeGestureRecognizer(two)

        listen(long, on: parent)
        stage.frame(.down(1, 100, 100), at: 10)
        stage.wait(until: 10.6)
        #expect(stage.log.drain() == ["gesture", "touchCancel"])
        stage.frame(.up(1), at: 10.7)
        parent.removeGestureRecognizer(long)
        _ = stage.log.drain()

        listen(pan, on: parent)
        stroke(from: (100, 100), by: (0, 5))
        #expect(stage.log.drain().prefix(2) == ["gesture", "touchCancel"])
    }

    private func slider() -> UISlider {
        let slider = UISlider(frame: CGRect(x: 50, y: 84, width: 231, height: 31))
        parent.addSubview(slider)
        for event in [UIControl.Event.touchUpInside, .touchCancel] {
            slider.addAction(UIAction { [stage] _ in stage.log.add(event.name!) }, for: event)
        }
        return slider
    }

    private static let drags: [@Sendable () -> [UIGestureRecognizer]] = [
        { [UIPanGestureRecognizer()] },
        {
            // Each axis has a recognizer: in one mask only the horizontal direction would count.
            [UISwipeGestureRecognizer.Direction.right, .up].map { direction in
                let swipe = UISwipeGestureRecognizer()
                swipe.direction = direction
                return swipe
            }
        },
    ]

    @Test(
        "a slider's knob keeps drags along its track and no others", arguments: 0..<2)
    func sliderKnob(_ kind: Int) {
        let slider = slider()
        for recognizer in Self.drags[kind]() { listen(recognizer, on: parent) }
        stroke(from: (65, 100), by: (8, 0))
        #expect(stage.log.drain() == ["touchUpInside"] && abs(slider.value - 0.4) < 0.001)
        stroke(from: (145, 100), by: (0, -8))
        #expect(stage.log.drain().prefix(2) == ["gesture", "touchCancel"])
        stroke(from: (250, 100), by: (8, 0))
        #expect(stage.log.drain() == ["gesture"] + (kind == 0 ? ["gesture"] : []))
        slider.isEnabled = false
        stroke(from: (145, 100), by: (8, 0))
        #expect(stage.log.drain().first == "gesture")
    }

    @Test("a tap recognizer around a slider takes the tap")
    func tapOnSlider() {
        _ = slider()
        listen(UITapGestureRecognizer(), on: parent)
        stage.tap(65, 100)
        #expect(stage.log.drain() == ["gesture", "touchCancel"])
    }

    @Test("a switch's knob keeps pans along its track and no others")
    func switchKnob() {
        let view = UISwitch(frame: .zero)
        add(view)
        listen(UIPanGestureRecognizer(), on: parent)
        // The switch lies from 74.5 to 125.5. When it is off, its knob ends at 103.5.
        stroke(from: (90, 100), by: (8, 0))
        #expect(stage.log.drain() == ["valueChanged", "touchUpInside"] && view.isOn)
        stroke(from: (90, 100), by: (-8, 0))
        #expect(stage.log.drain().prefix(2) == ["gesture", "touchCancel"] && view.isOn)
        stroke(from: (110, 100), by: (0, 8))
        #expect(stage.log.drain().prefix(2) == ["gesture", "touchCancel"] && view.isOn)
    }

    @Test("a recognizer on a view inside a control does not ask it")
    func inside() {
        let button = UIButton(frame: .zero)
        add(button)
        let cover = UIView(frame: button.bounds)
        button.addSubview(cover)
        listen(UITapGestureRecognizer(), on: cover)
        stage.tap(110, 100)
        #expect(stage.log.drain() == ["gesture"])
        cover.gestureRecognizers = nil
        // A recognizer further out asks the view that was touched.
        listen(UITapGestureRecognizer(), on: parent)
        stage.tap(110, 100, at: 5)
        #expect(stage.log.drain() == ["gesture"])
    }

    @Test("S70: a custom control keeps no tap from recognizers")
    func custom() {
        let control = UIControl(frame: .zero)
        add(control)
        listen(UITapGestureRecognizer(), on: parent)
        stage.tap(110, 100)
        #expect(stage.log.drain() == ["gesture", "touchCancel"])
    }
}
