// UITouch.swift: one finger, from landing to lifting, always the same object.
//
// Station   event
// Fed by    TouchTracker, and nobody else
//
// Sources   documented  window and view never change while the finger is down (B1.4)
//           observed    positions are converted with the view's transform of the moment of asking (S18, B1.8)

import Basics
public import Foundation
package import Gestures
package import HID

open class UITouch: NSObject {
    public enum Phase: Int, Sendable {
        case began = 0
        case moved = 1
        case stationary = 2
        case ended = 3
        case cancelled = 4
        case regionEntered = 5
        case regionMoved = 6
        case regionExited = 7
    }

    public enum TouchType: Int, Sendable {
        case direct = 0
        case indirect = 1
        case pencil = 2
        case indirectPointer = 3
        public static var stylus: TouchType { .pencil }
    }

    package final let id: TouchID
    @exclusivity(unchecked) final var path = TouchPath()
    @exclusivity(unchecked) final var measures = TouchMeasures()
    /// What its view has heard of it.
    @exclusivity(unchecked) package internal(set) final var delivery = TouchDelivery()
    /// Who keeps it from its view, and what they keep. (HeldTouches.swift)
    @exclusivity(unchecked) final var hold: TouchHold?
    /// A control took it as it landed: nobody up the chain hears of it.
    @exclusivity(unchecked) final var isTaken = false
    /// A gesture of the system's may take it yet, and its window's gates keep it from its view.
    @exclusivity(unchecked) final var isGateClosed = false
    /// The set of this touch alone, kept because most events carry one finger. Emptied when the touch is over.
    @exclusivity(unchecked) private final var single: Set<UITouch>?

    package init(id: TouchID, window: UIWindow?, view: UIView?, position: CGPoint, timestamp: TimeInterval) {
        (self.id, self.window, self.view, self.timestamp) = (id, window, view, timestamp)
        path.land(at: position)
    }

    /// The same finger at another time: an auxiliary touch, which nobody updates.
    init(_ touch: UITouch, at sample: Sample) {
        (id, window, view, timestamp) = (touch.id, touch.window, touch.view, sample.timestamp)
        path.land(at: touch.landing, endingAt: sample)
        super.init()
        (phase, tapCount, type) = (.moved, touch.tapCount, touch.type)
        measures = touch.measures
        gestureRecognizers = touch.gestureRecognizers
    }

    /// A finger that is nowhere.
    public override init() {
        (id, window, view, timestamp) = (TouchID(rawValue: 0), nil, nil, 0)
    }

    /// Seconds since boot, when the device saw this phase; not when it was delivered.
    @exclusivity(unchecked) open internal(set) var timestamp: TimeInterval
    @exclusivity(unchecked) open internal(set) var phase = Phase.began
    @exclusivity(unchecked) open internal(set) var tapCount = 1
    @exclusivity(unchecked) open internal(set) var type = TouchType.direct
    open var majorRadius: CGFloat { measures.majorRadius }
    open var majorRadiusTolerance: CGFloat { measures.majorRadiusTolerance }
    @exclusivity(unchecked) open internal(set) var window: UIWindow?
    @exclusivity(unchecked) open internal(set) var view: UIView?
    /// Those that took the touch, in the order they took it. (S04)
    @exclusivity(unchecked) open internal(set) var gestureRecognizers: [UIGestureRecognizer]? = []
    /// 1 is an ordinary touch's. Zero where the panel does not measure it; a pencil's may be settled later.
    /// (UITouch+Estimates.swift)
    open var force: CGFloat { measures.force }
    /// Zero until the panel has measured how hard this touch presses.
    open var maximumPossibleForce: CGFloat { measures.greatestForce }
    /// Radians from the glass: upright.
    open var altitudeAngle: CGFloat { measures.pose.altitude }
    /// Radians from the view's x axis towards its y axis, to where the pencil's cap points; 0..<2π, and 0 for a finger.
    open func azimuthAngle(in view: UIView?) -> CGFloat {
        let azimuth = measures.pose.azimuth
        guard type == .pencil, let view, view !== window else { return azimuth }
        let (tip, cap) = (CGPoint.zero, CGPoint(x: cos(azimuth), y: sin(azimuth)))
        let (from, to) = (converted(tip, to: view), converted(cap, to: view))
        let angle = atan2(to.y - from.y, to.x - from.x)
        return angle < 0 ? angle + 2 * .pi : angle
    }

    open var estimatedProperties: Properties { measures.estimate.properties }
    open var estimatedPropertiesExpectingUpdates: Properties { measures.estimate.expecting }
    /// Names the sample in a later update; nil when none will come.
    open var estimationUpdateIndex: NSNumber? { measures.estimate.index.map { NSNumber(value: $0) } }

    /// In the window's coordinates, as last delivered and as delivered before.
    package internal(set) final var position: CGPoint {
        @inline(__always) get { path.position }
        set { path.position = newValue }
    }
    package internal(set) final var previousPosition: CGPoint {
        @inline(__always) get { path.previousPosition }
        set { path.previousPosition = newValue }
    }
    /// Where the finger landed, in the window's coordinates.
    package final var landing: CGPoint { path.landing }

    /// In the view's coordinates, or the window's for nil.
    open func location(in view: UIView?) -> CGPoint { converted(position, to: view) }
    open func previousLocation(in view: UIView?) -> CGPoint { converted(previousPosition, to: view) }
    open func preciseLocation(in view: UIView?) -> CGPoint { location(in: view) }
    open func precisePreviousLocation(in view: UIView?) -> CGPoint { previousLocation(in: view) }

    private final func converted(_ point: CGPoint, to view: UIView?) -> CGPoint {
        guard let view, let window, view !== window else { return point }
        return view.convert(point, from: window)
    }

    final var alone: Set<UITouch> {
        if let single { return single }
        let set: Set = [self]
        single = set
        return set
    }

    /// The touch is over: it lets go of itself, and recognisers of it. It still says who had it.
    final func leaveRecognizers() {
        single = nil
        for recognizer in gestureRecognizers ?? [] { recognizer.release(self) }
    }

    /// The recogniser has it no longer. Those that go, go in the order they came: the first is the one, more often
    /// than not, and a thousand of them go quickly.
    final func dismiss(_ recognizer: UIGestureRecognizer) {
        guard let index = gestureRecognizers?.firstIndex(where: { $0 === recognizer }) else { return }
        gestureRecognizers?.remove(at: index)
    }

    final var isOver: Bool { phase == .ended || phase == .cancelled }
}
