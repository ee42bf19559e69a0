// UITouch.swift: one touch, from its landing to its lift. One object represents it all that time.
//
// Station   event
// Input     TouchTracker, and no other type
//
// Sources   documented  window and view do not change while the touch is down (B1.4)
//           observed    positions are converted with the view's transform at the time of the call (S18, B1.8)

import Basics
public import Foundation
package import Gestures
package import HID

/// One touch, from its landing to its lift.
open class UITouch: NSObject {
    /// The phase of a touch. The region phases belong to a pointer that hovers.
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

    /// The kind of device that a touch comes from.
    public enum TouchType: Int, Sendable {
        case direct = 0
        case indirect = 1
        case pencil = 2
        case indirectPointer = 3
        public static var stylus: TouchType { .pencil }
    }

    package final let id: TouchID
    /// The stored phase, window and view. The delivery of an event reads them in place of the properties that a subclass
    /// may override: it meets only touches that UIKit has made.
    @exclusivity(unchecked) final var ownPhase = Phase.began
    @exclusivity(unchecked) final var ownWindow: UIWindow?
    @exclusivity(unchecked) final var ownView: UIView?
    @exclusivity(unchecked) final var path = TouchPath()
    @exclusivity(unchecked) final var measures = TouchMeasures()
    @exclusivity(unchecked) final var recognizers = TouchRecognizers()
    /// What the touch's view has received of the touch.
    @exclusivity(unchecked) package internal(set) final var delivery = TouchDelivery()
    /// The recognizers that hold the touch from its view, and what they hold. (HeldTouches.swift)
    @exclusivity(unchecked) final var hold: TouchHold?
    /// Whether a control kept the touch when it landed. The touch is then not forwarded up the responder chain.
    @exclusivity(unchecked) final var belongsToControl = false
    /// Whether a system gesture may still take the touch. The gates of the window then hold it from its view.
    @exclusivity(unchecked) final var isGateClosed = false
    /// The set that contains this touch only, stored because most events carry one touch. Emptied when the touch is over.
    @exclusivity(unchecked) private final var cachedSetOfSelf: Set<UITouch>?

    package init(id: TouchID, window: UIWindow?, view: UIView?, position: CGPoint, timestamp: TimeInterval) {
        (self.id, ownWindow, ownView, self.timestamp) = (id, window, view, timestamp)
        path.land(at: position)
    }

    /// Makes an auxiliary touch: the same touch at the time of a sample. No code updates it.
    init(_ touch: UITouch, at sample: Sample) {
        (id, ownWindow, ownView, timestamp) = (touch.id, touch.window, touch.view, sample.timestamp)
        path.land(at: touch.landing, endingAt: sample)
        super.init()
        (phase, tapCount, type) = (.moved, touch.tapCount, touch.type)
        measures = touch.measures
        recognizers = touch.recognizers
    }

    /// Makes a touch without a window.
    public override init() {
        (id, timestamp) = (TouchID(rawValue: 0), 0)
    }

    /// The time at which the device reported this phase, in seconds since boot. The delivery may be later.
    @exclusivity(unchecked) open internal(set) var timestamp: TimeInterval
    open internal(set) var phase: Phase {
        get { ownPhase }
        set { ownPhase = newValue }
    }
    /// The number of consecutive taps of which this touch is the last. (B1.6)
    @exclusivity(unchecked) open internal(set) var tapCount = 1
    @exclusivity(unchecked) open internal(set) var type = TouchType.direct
    open var majorRadius: CGFloat { measures.majorRadius }
    open var majorRadiusTolerance: CGFloat { measures.majorRadiusTolerance }
    /// The window on which the touch landed. (B1.4)
    open internal(set) var window: UIWindow? {
        get { ownWindow }
        set { ownWindow = newValue }
    }
    /// The view on which the touch landed. (B1.4)
    open internal(set) var view: UIView? {
        get { ownView }
        set { ownView = newValue }
    }
    /// The recognizers that accepted the touch, in the order in which they accepted it. (S04)
    open var gestureRecognizers: [UIGestureRecognizer]? { recognizers.all }
    /// The force of the touch; 1 is the force of an average touch. Zero if the panel measures no force.
    ///
    /// A pencil's force may be corrected later. (UITouch+Estimates.swift)
    open var force: CGFloat { measures.force }
    /// The greatest force of the panel. Zero until the panel has measured the force of this touch.
    open var maximumPossibleForce: CGFloat { measures.greatestForce }
    /// The angle between pencil and glass, in radians; π/2 is upright, as for a finger.
    open var altitudeAngle: CGFloat { measures.pose.altitude }
    /// The direction in which the pencil's cap points, in radians from the view's x axis towards its y axis.
    ///
    /// - Returns: A value in 0..<2π; 0 for a finger.
    open func azimuthAngle(in view: UIView?) -> CGFloat {
        let azimuth = measures.pose.azimuth
        guard type == .pencil, let view, view !== window else { return azimuth }
        let (tip, cap) = (CGPoint.zero, CGPoint(x: cos(azimuth), y: sin(azimuth)))
        let (from, to) = (converted(tip, to: view), converted(cap, to: view))
        let angle = atan2(to.y - from.y, to.x - from.x)
        return angle < 0 ? angle + 2 * .pi : angle
    }

    /// The properties whose values are estimates.
    open var estimatedProperties: Properties { measures.estimate.properties }
    /// The properties that an update will correct.
    open var estimatedPropertiesExpectingUpdates: Properties { measures.estimate.expecting }
    /// Identifies the sample in a later update; nil if no update will come.
    open var estimationUpdateIndex: NSNumber? { measures.estimate.index.map { NSNumber(value: $0) } }

    /// The position at this delivery and at the previous one, in the coordinates of the window.
    package internal(set) final var position: CGPoint {
        @inline(__always) get { path.position }
        set { path.position = newValue }
    }
    package internal(set) final var previousPosition: CGPoint {
        @inline(__always) get { path.previousPosition }
        set { path.previousPosition = newValue }
    }
    /// The position at which the touch landed, in the coordinates of the window.
    package final var landing: CGPoint { path.landing }

    /// The position in the coordinates of the view, or of the window if `view` is nil.
    open func location(in view: UIView?) -> CGPoint { converted(position, to: view) }
    open func previousLocation(in view: UIView?) -> CGPoint { converted(previousPosition, to: view) }
    /// The same as `location(in:)`, because positions are not rounded here.
    open func preciseLocation(in view: UIView?) -> CGPoint { location(in: view) }
    /// The same as `previousLocation(in:)`.
    open func precisePreviousLocation(in view: UIView?) -> CGPoint { previousLocation(in: view) }

    private final func converted(_ point: CGPoint, to view: UIView?) -> CGPoint {
        guard let view, let window, view !== window else { return point }
        return view.convert(point, from: window)
    }

    /// The set that contains this touch only.
    final var setOfSelf: Set<UITouch> {
        if let cachedSetOfSelf { return cachedSetOfSelf }
        let set: Set = [self]
        cachedSetOfSelf = set
        return set
    }

    /// Releases the touch from its recognizers when it is over. `gestureRecognizers` still lists them.
    final func leaveRecognizers() {
        cachedSetOfSelf = nil
        recognizers.forEach { $0.release(self) }
    }

    final var isOver: Bool { phase == .ended || phase == .cancelled }
}
