// UISlider.swift: a control with a knob on a track, whose position is a value.
//
// Station   action
// Input     UIControl's tracking
// Output    valueChanged and primaryActionTriggered
// Knows     the position of its knob. SliderTracking decides which events are sent, and when.
//
// Sources   documented  the value stays within minimumValue and maximumValue; setting it sends no event
//           inferred    only a touch on the knob is tracked, and the knob keeps its distance from the touch
//           inferred    the knob measures 31 × 31 points, and the track lies 2 points within the bounds

public import Foundation

/// A control with a knob on a track, whose position is a value.
open class UISlider: UIControl {
    private static let height: CGFloat = 31
    private static let knobSize: CGFloat = 31
    private static let trackHeight: CGFloat = 4
    private static let trackInset: CGFloat = 2

    private final var sliderTracking = SliderTracking()
    private final var storedValue: Float = 0
    private final var storedMinimum: Float = 0
    private final var storedMaximum: Float = 1
    /// The distance in points from the knob's center to the touch that holds it.
    private final var knobOffset: CGFloat = 0

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: Self.height) }

    // MARK: Value

    /// The value, always between the minimum and the maximum. Setting it sends no event.
    open var value: Float {
        get { storedValue }
        set { setValue(newValue, animated: false) }
    }

    /// Sets the nearest value in the range. Only a change by a touch sends events.
    open func setValue(_ value: Float, animated: Bool) {
        demand(!value.isNaN, "\(traceLabel).value cannot be NaN")
        storedValue = min(max(value, storedMinimum), storedMaximum)
    }

    /// The least value. Setting it raises the maximum and the value if they are less.
    open var minimumValue: Float {
        get { storedMinimum }
        set {
            demand(newValue.isFinite, "\(traceLabel).minimumValue cannot be \(newValue)")
            storedMinimum = newValue
            storedMaximum = max(storedMaximum, newValue)
            value = storedValue
        }
    }

    /// The greatest value. Setting it lowers the minimum and the value if they are greater.
    open var maximumValue: Float {
        get { storedMaximum }
        set {
            demand(newValue.isFinite, "\(traceLabel).maximumValue cannot be \(newValue)")
            storedMaximum = newValue
            storedMinimum = min(storedMinimum, newValue)
            value = storedValue
        }
    }

    /// Whether valueChanged is sent while the knob moves, or once, when the touch ends.
    open var isContinuous = true
    open var minimumTrackTintColor: UIColor?
    open var maximumTrackTintColor: UIColor?
    open var thumbTintColor: UIColor?

    // MARK: Geometry

    /// The rectangle of the track. An override moves the track, and the knob with it.
    open func trackRect(forBounds bounds: CGRect) -> CGRect {
        CGRect(
            x: bounds.minX + Self.trackInset, y: bounds.midY - Self.trackHeight / 2,
            width: max(0, bounds.width - 2 * Self.trackInset), height: Self.trackHeight)
    }

    /// The rectangle of the knob at a value.
    open func thumbRect(forBounds bounds: CGRect, trackRect rect: CGRect, value: Float) -> CGRect {
        // At both ends the knob's edge is as far outside the track as the track is inside the bounds.
        let travel = max(0, rect.width + 2 * Self.trackInset - Self.knobSize)
        let part = SliderTrack(first: 0, last: 1, values: storedMinimum...storedMaximum).fraction(of: value)
        return CGRect(
            x: rect.minX - Self.trackInset + travel * part, y: rect.midY - Self.knobSize / 2, width: Self.knobSize,
            height: Self.knobSize)
    }

    /// The rectangle of the knob, in the slider's coordinates.
    package final var knobRect: CGRect { knobRect(at: value) }

    private final func knobRect(at value: Float) -> CGRect {
        thumbRect(forBounds: bounds, trackRect: trackRect(forBounds: bounds), value: value)
    }

    /// The track between the knob's positions at both ends. The positions come from `thumbRect`, which an app may override.
    private final var track: SliderTrack {
        SliderTrack(
            first: knobRect(at: storedMinimum).midX, last: knobRect(at: storedMaximum).midX,
            values: storedMinimum...storedMaximum)
    }

    // MARK: Tracking

    /// Refuses a pan or a swipe along the track whose touch holds the knob. (B10.9)
    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        let isHeld = sliderTracking.state != .idle
        return !keepsPan(from: gestureRecognizer, knob: knobRect, isHeld: isHeld)
            && !keepsSwipe(from: gestureRecognizer, knob: knobRect, isHeld: isHeld)
            && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    open override func beginTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.beginTracking(touch, with: event) else { return false }
        let (place, knob) = (touch.location(in: self), knobRect)
        knobOffset = place.x - knob.midX
        return sliderTracking.handle(.began(onKnob: knob.contains(place))) == .track
    }

    open override func continueTracking(_ touch: UITouch, with event: UIEvent?) -> Bool {
        guard super.continueTracking(touch, with: event) else { return false }
        guard sliderTracking.state != .idle else { return true }
        let was = storedValue
        setValue(track.value(at: touch.location(in: self).x - knobOffset), animated: false)
        handle(.moved(changes: storedValue != was, isContinuous: isContinuous), event)
        return true
    }

    open override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        super.endTracking(touch, with: event)
        handle(.ended(isContinuous: isContinuous), event)
    }

    open override func cancelTracking(with event: UIEvent?) {
        super.cancelTracking(with: event)
        handle(.cancelled, event)
    }

    override func trackingDidEnd() {
        super.trackingDidEnd()
        handle(.cancelled, nil)
    }

    private final func handle(_ input: SliderTracking.Input, _ event: UIEvent?) {
        if sliderTracking.handle(input) == .sendValueChanged { sendValueEvents(with: event) }
    }
}
