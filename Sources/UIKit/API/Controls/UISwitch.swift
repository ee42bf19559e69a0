// UISwitch.swift: a control that is on or off, and that a tap or a drag of its knob changes.
//
// Station   action
// Input     UIControl's tracking
// Output    valueChanged and primaryActionTriggered, once for each change by a touch
// Knows     the position of its knob. SwitchTracking decides what a touch does.
//
// Sources   documented  51 × 31 points, whatever frame is set; setting the value sends no event
//           inferred    the change is sent when the touch ends, before touchUpInside; the knob is 27 points wide

public import Foundation

/// A control that is on or off.
open class UISwitch: UIControl {
    private static let size = CGSize(width: 51, height: 31)
    /// The knob's width and the space around it, in points.
    private static let knobWidth: CGFloat = 27
    private static let knobInset: CGFloat = 2
    private static var travel: CGFloat { size.width - knobWidth - 2 * knobInset }

    private final var switchTracking = SwitchTracking()
    private final var storedOn = false
    /// The position of the knob while a touch drags it, from off (0) to on (1).
    private final var draggedPosition: CGFloat?
    /// The position of the touch and the position of the knob when the touch landed.
    private final var dragStart: (x: CGFloat, knob: CGFloat) = (0, 0)

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

    /// Sets the value. Only a change by a touch sends events.
    open func setOn(_ on: Bool, animated: Bool) { storedOn = on }

    open var onTintColor: UIColor?
    open var thumbTintColor: UIColor?

    // MARK: Knob

    /// The position of the knob, from off (0) to on (1).
    package final var knobPosition: CGFloat { draggedPosition ?? (storedOn ? 1 : 0) }

    /// The rectangle of the knob, in the switch's coordinates.
    package final var knobRect: CGRect {
        CGRect(
            x: bounds.minX + Self.knobInset + Self.travel * knobPosition, y: bounds.minY + Self.knobInset,
            width: Self.knobWidth,
            height: Self.knobWidth)
    }

    // MARK: Tracking

    /// Refuses a single tap of one touch, and a pan along the track whose touch holds the knob. (B10.9)
    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        let isHeld = switchTracking.state == .held || switchTracking.state == .dragged
        return !keepsTap(from: gestureRecognizer)
            && !keepsPan(from: gestureRecognizer, knob: knobRect, isHeld: isHeld)
            && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    open override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.beginTracking(touch, with: event) else { return false }
        let place = touch.location(in: self)
        dragStart = (place.x, knobPosition)
        _ = switchTracking.handle(.began(onKnob: knobRect.contains(place)))
        return true
    }

    open override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.continueTracking(touch, with: event) else { return false }
        let way = touch.location(in: self).x - dragStart.x
        switch switchTracking.handle(.moved(far: abs(way) >= settings.switchDragDistance)) {
        case .drag: draggedPosition = min(max(dragStart.knob + way / Self.travel, 0), 1)
        case .nothing, .flip, .setValueFromKnob, .restoreKnob: break
        }
        return true
    }

    open override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        super.endTracking(touch, with: event)
        let was = storedOn
        switch switchTracking.handle(.ended(inside: isTouchInside)) {
        case .flip: setOn(!storedOn, animated: true)
        case .setValueFromKnob: setOn(knobPosition >= 0.5, animated: true)
        case .nothing, .drag, .restoreKnob: break
        }
        draggedPosition = nil
        if storedOn != was { sendValueEvents(with: event) }
    }

    override func trackingDidEnd() {
        super.trackingDidEnd()
        _ = switchTracking.handle(.cancelled)
        draggedPosition = nil
    }
}
