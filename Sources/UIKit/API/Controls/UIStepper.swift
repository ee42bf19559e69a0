// UIStepper.swift: a control with a minus half and a plus half, which changes a value in steps.
//
// Station   action
// Input     UIControl's tracking; a timer of the main loop in the common modes
// Output    valueChanged and primaryActionTriggered
// Knows     its value. StepperTracking decides what a touch does.
//
// Sources   documented  94 × 32 points; minimum 0, maximum 100, step 1; autorepeat, wraps, isContinuous
//           documented  UIKit raises an exception for a maximum not above the minimum and for a step not above 0; here
//                       such a value stops the program

import Basics
public import Foundation

/// A control with a minus half and a plus half, which changes a value in steps.
open class UIStepper: UIControl {
    private static let size = CGSize(width: 94, height: 32)

    private final var stepperTracking = StepperTracking()
    private final var storedValue = 0.0
    private final var storedMinimum = 0.0
    private final var storedMaximum = 100.0
    private final var storedStep = 1.0
    /// The number of steps since the touch landed.
    private final var steps = 0
    private final var timer: UInt64?
    /// Whether the value changed without an event.
    private final var hasUnreportedChange = false

    public override init(frame: CGRect) { super.init(frame: CGRect(origin: frame.origin, size: Self.size)) }
    public required init?(coder: NSCoder) { nil }

    deinit { if let timer { cachedWindow?.application?.mainLoop?.invalidate(timer) } }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { Self.size }

    // MARK: Value

    /// The value. A value out of range becomes the nearest one in it. Only a change by a touch sends events.
    open var value: Double {
        get { storedValue }
        set {
            demand(!newValue.isNaN, "\(traceLabel).value cannot be NaN")
            storedValue = min(max(newValue, storedMinimum), storedMaximum)
        }
    }

    /// The least value. A value that is not below the maximum stops the program.
    open var minimumValue: Double {
        get { storedMinimum }
        set {
            demand(
                newValue < storedMaximum,
                "\(traceLabel).minimumValue must be below maximumValue, \(storedMaximum), and \(newValue) is not")
            storedMinimum = newValue
            value = storedValue
        }
    }

    /// The greatest value. A value that is not above the minimum stops the program.
    open var maximumValue: Double {
        get { storedMaximum }
        set {
            demand(
                newValue > storedMinimum,
                "\(traceLabel).maximumValue must be above minimumValue, \(storedMinimum), and \(newValue) is not")
            storedMaximum = newValue
            value = storedValue
        }
    }

    /// The size of a step. A value that is not above 0 stops the program.
    open var stepValue: Double {
        get { storedStep }
        set {
            demand(newValue > 0, "\(traceLabel).stepValue must be above 0, and \(newValue) is not")
            storedStep = newValue
        }
    }

    /// Whether each step sends valueChanged, or the end of the touch does.
    open var isContinuous = true
    /// Whether a half that is held repeats its step.
    open var autorepeat = true
    /// Whether a step beyond one end of the range leads to the other end.
    open var wraps = false

    // MARK: Tracking

    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        !keepsTap(from: gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    open override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.beginTracking(touch, with: event) else { return false }
        handle(.began(touch.location(in: self).x < bounds.midX ? .minus : .plus), event)
        return true
    }

    open override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.continueTracking(touch, with: event) else { return false }
        handle(.moved(inside: isInside(touch)), event)
        return true
    }

    open override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        super.endTracking(touch, with: event)
        handle(.ended, event)
    }

    open override func cancelTracking(with event: UIEvent?) {
        super.cancelTracking(with: event)
        handle(.cancelled, event)
    }

    override func trackingDidEnd() {
        super.trackingDidEnd()
        handle(.cancelled, nil)
    }

    private final func handle(_ input: StepperTracking.Input, _ event: UIEvent?) {
        switch stepperTracking.handle(input) {
        case .nothing: break
        case .start(let half):
            steps = 0
            step(half, event)
        case .repeatStep(let half): step(half, event)
        case .pause: stopTimer()
        case .resume:
            steps = 1
            startTimer()
        case .stop:
            stopTimer()
            guard hasUnreportedChange else { return }
            hasUnreportedChange = false
            sendValueEvents(with: event)
        }
    }

    private final func step(_ half: StepperTracking.Half, _ event: UIEvent?) {
        steps += 1
        // The timer starts before the events are sent, because their actions may take time and may end the tracking.
        startTimer()
        let was = storedValue
        storedValue = steppedValue(half)
        guard storedValue != was else { return }
        if isContinuous { sendValueEvents(with: event) } else { hasUnreportedChange = true }
    }

    private final func steppedValue(_ half: StepperTracking.Half) -> Double {
        switch half {
        case .plus:
            let sum = storedValue + storedStep
            return sum <= storedMaximum ? sum : wraps ? storedMinimum : storedMaximum
        case .minus:
            let sum = storedValue - storedStep
            return sum >= storedMinimum ? sum : wraps ? storedMaximum : storedMinimum
        }
    }

    // MARK: Timer

    private final func startTimer() {
        stopTimer()
        guard autorepeat, let application = cachedWindow?.application, let loop = application.mainLoop else { return }
        let wait = StepperRepeat.wait(
            after: steps, delay: settings.stepperDelay, interval: settings.stepperInterval)
        let moment = application.now.advanced(by: Duration(seconds: wait))
        timer = loop.schedule(at: moment, every: nil, modes: [.common]) { [weak self] in
            guard let self else { return }
            timer = nil
            handle(.fired, nil)
        }
    }

    private final func stopTimer() {
        guard let timer else { return }
        self.timer = nil
        // The stepper may have left its window. The main loop still has the timer.
        (cachedWindow?.application ?? UIApplication.current)?.mainLoop?.invalidate(timer)
    }
}
