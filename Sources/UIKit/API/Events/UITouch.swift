// UITouch.swift: one finger, from landing to lifting, always the same object.
//
// Station   event
// Fed by    TouchTracker, and nobody else
//
// Sources   documented  window and view never change while the finger is down (B1.4)
//           observed    positions are converted with the view's transform of the moment of asking (S18, B1.8);
//                       a finger's greatest force is 6.67 on phones that measure it, a pencil's 4.17

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
    /// In the window's coordinates, as last delivered and as delivered before.
    @exclusivity(unchecked) package final var position: CGPoint
    @exclusivity(unchecked) package final var previousPosition: CGPoint
    /// Where the finger landed, in the window's coordinates.
    package final let landing: CGPoint
    /// Whether it has been further from `landing` than a tap may.
    @exclusivity(unchecked) package final var hasStrayed = false
    /// What its view has heard of it.
    @exclusivity(unchecked) package internal(set) final var delivery = TouchDelivery()
    /// Who keeps it from its view, and what they keep. (HeldTouches.swift)
    @exclusivity(unchecked) final var hold: TouchHold?
    /// What was merged into the event at hand, oldest first, itself aside. Empty with immediate delivery.
    @exclusivity(unchecked) final var merged: [Sample] = []
    @exclusivity(unchecked) final var trail = TouchTrail()
    @exclusivity(unchecked) final var estimate = Estimate()
    /// A control took it as it landed: nobody up the chain hears of it.
    @exclusivity(unchecked) final var isTaken = false
    /// A gesture of the system's may take it yet, and its window's gates keep it from its view.
    @exclusivity(unchecked) final var isGateClosed = false
    /// The set of this touch alone, kept because most events carry one finger. Emptied when the touch is over.
    @exclusivity(unchecked) private final var single: Set<UITouch>?

    package init(id: TouchID, window: UIWindow?, view: UIView?, position: CGPoint, timestamp: TimeInterval) {
        (self.id, self.window, self.view, self.timestamp) = (id, window, view, timestamp)
        (self.position, previousPosition, landing) = (position, position, position)
    }

    /// The same finger at another time: an auxiliary touch, which nobody updates.
    init(_ touch: UITouch, at sample: Sample) {
        (id, window, view, timestamp) = (touch.id, touch.window, touch.view, sample.timestamp)
        (position, previousPosition, landing) = (sample.position, sample.previousPosition, touch.landing)
        super.init()
        (phase, tapCount, type) = (.moved, touch.tapCount, touch.type)
        (majorRadius, majorRadiusTolerance) = (touch.majorRadius, touch.majorRadiusTolerance)
        (force, pose, estimate) = (touch.force, touch.pose, touch.estimate)
        hardest = touch.hardest
        gestureRecognizers = touch.gestureRecognizers
    }

    /// A finger that is nowhere.
    public override init() {
        (id, window, view, timestamp) = (TouchID(rawValue: 0), nil, nil, 0)
        (position, previousPosition, landing) = (.zero, .zero, .zero)
    }

    /// Seconds since boot, when the device saw this phase; not when it was delivered.
    @exclusivity(unchecked) open internal(set) var timestamp: TimeInterval
    @exclusivity(unchecked) open internal(set) var phase = Phase.began
    @exclusivity(unchecked) open internal(set) var tapCount = 1
    open internal(set) var type = TouchType.direct
    @exclusivity(unchecked) open internal(set) var majorRadius: CGFloat = 0
    open internal(set) var majorRadiusTolerance: CGFloat = 0
    @exclusivity(unchecked) open internal(set) var window: UIWindow?
    @exclusivity(unchecked) open internal(set) var view: UIView?
    /// Those that took the touch, in the order they took it. (S04)
    @exclusivity(unchecked) open internal(set) var gestureRecognizers: [UIGestureRecognizer]? = []
    /// 1 is an ordinary touch's. Zero where the panel does not measure it; a pencil's may be settled later.
    /// (UITouch+Estimates.swift)
    open internal(set) var force: CGFloat = 0
    /// Zero until the panel has measured how hard this touch presses.
    open var maximumPossibleForce: CGFloat { hardest }
    @exclusivity(unchecked) final var hardest: CGFloat = 0
    /// What a panel's full pressure is: as many ordinary touches.
    static let hardestFinger: CGFloat = 20 / 3
    static let hardestPencil: CGFloat = 25 / 6
    final var pose = PencilPose.upright
    /// Radians from the glass: upright.
    open var altitudeAngle: CGFloat { pose.altitude }
    /// Radians from the view's x axis towards its y axis, to where the pencil's cap points; 0..<2π, and 0 for a finger.
    open func azimuthAngle(in view: UIView?) -> CGFloat {
        guard type == .pencil, let view, view !== window else { return pose.azimuth }
        let (tip, cap) = (CGPoint.zero, CGPoint(x: cos(pose.azimuth), y: sin(pose.azimuth)))
        let (from, to) = (converted(tip, to: view), converted(cap, to: view))
        let angle = atan2(to.y - from.y, to.x - from.x)
        return angle < 0 ? angle + 2 * .pi : angle
    }

    open var estimatedProperties: Properties { estimate.properties }
    open var estimatedPropertiesExpectingUpdates: Properties { estimate.expecting }
    /// Names the sample in a later update; nil when none will come.
    open var estimationUpdateIndex: NSNumber? { estimate.index.map { NSNumber(value: $0) } }

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

/// How a pencil is held, in radians.
struct PencilPose {
    /// From the glass.
    var altitude: CGFloat
    /// From the window's x axis.
    var azimuth: CGFloat

    static var upright: PencilPose { PencilPose(altitude: .pi / 2, azimuth: 0) }
}

extension PencilPose {
    init(_ angles: PencilAngles) {
        self.init(altitude: CGFloat(angles.altitude.double), azimuth: CGFloat(angles.azimuth.double))
    }
}
