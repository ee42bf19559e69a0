// UISwitch.swift: on or off, by a tap or by its knob.
//
// Fed by    UIControl's tracking
// Feeds     valueChanged and primaryActionTriggered, once for each change by a finger
// Knows     where its knob is. SwitchTracking decides.
//
// Sources   documented  51 × 31 points whatever its frame says; setting it sends nothing
//           inferred    the change is sent as the finger lifts, before touchUpInside; the knob is 27 points wide

public import Foundation

open class UISwitch: UIControl {
    private static let size = CGSize(width: 51, height: 31)
    /// Points: the knob's width, and what is left around it.
    private static let knob: CGFloat = 27
    private static let edge: CGFloat = 2
    private static var travel: CGFloat { size.width - knob - 2 * edge }

    private final var follows = SwitchTracking()
    private final var storedOn = false
    /// Of the way from off to on, while it is dragged.
    private final var draggedTo: CGFloat?
    /// Where the finger landed, and how far the knob was then.
    private final var grip: (x: CGFloat, knob: CGFloat) = (0, 0)

    public override init(frame: CGRect) { super.init(frame: CGRect(origin: frame.origin, size: Self.size)) }
    public required init?(coder: NSCoder) { nil }

    open override var frame: CGRect {
        get { super.frame }
        set {
            super.frame = space.isTransformed ? newValue : CGRect(origin: newValue.origin, size: Self.size)
            if space.isTransformed { bounds.size = Self.size }
        }
    }
    open override var bounds: CGRect {
        get { super.bounds }
        set { super.bounds = CGRect(origin: newValue.origin, size: Self.size) }
    }
    open override func sizeThatFits(_ size: CGSize) -> CGSize { Self.size }

    // MARK: Value

    open var isOn: Bool {
        get { storedOn }
        set { setOn(newValue, animated: false) }
    }

    /// Sends nothing: only a finger's change is announced.
    open func setOn(_ on: Bool, animated: Bool) { storedOn = on }

    open var onTintColor: UIColor?
    open var thumbTintColor: UIColor?

    // MARK: Knob

    /// How far the knob is from off (0) to on (1).
    package final var knobPosition: CGFloat { draggedTo ?? (storedOn ? 1 : 0) }

    /// In the switch's own coordinates.
    package final var knobRect: CGRect {
        CGRect(
            x: bounds.minX + Self.edge + Self.travel * knobPosition, y: bounds.minY + Self.edge, width: Self.knob,
            height: Self.knob)
    }

    // MARK: Tracking

    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        let isHeld = follows.state == .held || follows.state == .dragged
        return !keepsTap(from: gestureRecognizer)
            && !keepsPan(from: gestureRecognizer, knob: knobRect, isHeld: isHeld)
            && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    open override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.beginTracking(touch, with: event) else { return false }
        let place = touch.location(in: self)
        grip = (place.x, knobPosition)
        _ = follows.handle(.began(onKnob: knobRect.contains(place)))
        return true
    }

    open override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.continueTracking(touch, with: event) else { return false }
        let way = touch.location(in: self).x - grip.x
        switch follows.handle(.moved(far: abs(way) >= settings.switchDragDistance)) {
        case .drag: draggedTo = min(max(grip.knob + way / Self.travel, 0), 1)
        case .nothing, .flip, .settle, .restore: break
        }
        return true
    }

    open override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        super.endTracking(touch, with: event)
        let was = storedOn
        switch follows.handle(.ended(inside: isTouchInside)) {
        case .flip: setOn(!storedOn, animated: true)
        case .settle: setOn(knobPosition >= 0.5, animated: true)
        case .nothing, .drag, .restore: break
        }
        draggedTo = nil
        if storedOn != was { announceValue(event) }
    }

    override func trackingIsOver() {
        super.trackingIsOver()
        _ = follows.handle(.cancelled)
        draggedTo = nil
    }
}
