// UIGestureRecognizer.swift: what watches a view's touches for a meaning.
//
// Station   gesture
// Fed by    RecognizerCollection.swift, which gives it touches it accepts
//
// So far recognisers are collected (B4) and no more: they take touches, are listed in `UITouch.gestureRecognizers`
// and know where those touches are. Their touches methods are not called and their state stays possible.
//
// Sources   documented  UIGestureRecognizer.h: properties, defaults (B9.12)

public import Foundation

open class UIGestureRecognizer: NSObject {
    public enum State: Int, Sendable {
        case possible = 0
        case began = 1
        case changed = 2
        case ended = 3
        case cancelled = 4
        case failed = 5
        public static var recognized: State { .ended }
    }

    /// Cleared by the view when it goes.
    unowned(unsafe) final var attachedView: UIView?
    /// Accepted and not over, in order of acceptance.
    final var activeTouches: [UITouch] = []
    /// Answer of `shouldReceive(_: UIEvent)`, asked once until the recogniser has no touch left.
    final var receivesEvent: Bool?
    final var failureRequirements: [UIGestureRecognizer] = []
    private final var entries: [(target: WeakTarget, action: Selector)] = []

    struct WeakTarget {
        weak var object: AnyObject?
    }

    public init(target: Any?, action: Selector?) {
        super.init()
        if let target, let action { addTarget(target, action: action) }
    }

    public convenience override init() { self.init(target: nil, action: nil) }

    // MARK: Targets

    /// The same target and action twice are one entry. The target is not kept.
    open func addTarget(_ target: Any, action: Selector) {
        let object = target as AnyObject
        guard !entries.contains(where: { $0.target.object === object && $0.action == action }) else { return }
        entries.append((WeakTarget(object: object), action))
    }

    /// Nil stands for any.
    open func removeTarget(_ target: Any?, action: Selector?) {
        let object = target as AnyObject?
        entries.removeAll {
            (object == nil || $0.target.object === object) && (action == nil || $0.action == action)
        }
    }

    // MARK: What it is like

    open internal(set) var state = State.possible
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    open var isEnabled = true
    open var view: UIView? { attachedView }
    open var name: String?
    open var cancelsTouchesInView = true
    open var delaysTouchesBegan = false
    open var delaysTouchesEnded = true
    /// Raw values of `UITouch.TouchType`.
    open var allowedTouchTypes: [NSNumber] = [0, 1, 2, 3]
    /// Raw values of `UIPress.PressType`.
    open var allowedPressTypes: [NSNumber] = []
    /// Whether, having touches of one type, it refuses those of another.
    open var requiresExclusiveTouchType = true

    // MARK: Touches

    open var numberOfTouches: Int { activeTouches.count }

    /// The middle of its touches.
    open func location(in view: UIView?) -> CGPoint {
        guard !activeTouches.isEmpty else { return .zero }
        var sum = CGPoint.zero
        for touch in activeTouches {
            let point = touch.location(in: view)
            sum = CGPoint(x: sum.x + point.x, y: sum.y + point.y)
        }
        let count = CGFloat(activeTouches.count)
        return CGPoint(x: sum.x / count, y: sum.y / count)
    }

    open func location(ofTouch touchIndex: Int, in view: UIView?) -> CGPoint {
        precondition(
            activeTouches.indices.contains(touchIndex), "touch \(touchIndex) of \(activeTouches.count) was asked for")
        return activeTouches[touchIndex].location(in: view)
    }

    final func release(_ touch: UITouch) {
        activeTouches.removeAll { $0 === touch }
        if activeTouches.isEmpty { receivesEvent = nil }
    }

    // MARK: Others

    /// This one waits for the other to fail. One that requires itself is ignored. (B7.8)
    open func require(toFail otherGestureRecognizer: UIGestureRecognizer) {
        guard otherGestureRecognizer !== self, !failureRequirements.contains(where: { $0 === otherGestureRecognizer })
        else { return }
        failureRequirements.append(otherGestureRecognizer)
    }

    open func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool { true }
    open func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool { true }
    open func shouldRequireFailure(of otherGestureRecognizer: UIGestureRecognizer) -> Bool { false }
    open func shouldBeRequiredToFail(by otherGestureRecognizer: UIGestureRecognizer) -> Bool { false }
    open func shouldReceive(_ event: UIEvent) -> Bool { true }

    // MARK: For subclasses

    open func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {}
    open func reset() {}

    /// The touch is this recogniser's no longer.
    open func ignore(_ touch: UITouch, for event: UIEvent) {
        release(touch)
        touch.gestureRecognizers?.removeAll { $0 === self }
    }
}

extension UIView {
    final func attach(_ recognizer: UIGestureRecognizer) {
        recognizer.attachedView?.detach(recognizer)
        recognizers.append(recognizer)
        recognizer.attachedView = self
    }

    final func detach(_ recognizer: UIGestureRecognizer) {
        guard recognizer.attachedView === self else { return }
        recognizers.removeAll { $0 === recognizer }
        recognizer.attachedView = nil
        for touch in recognizer.activeTouches { touch.gestureRecognizers?.removeAll { $0 === recognizer } }
        recognizer.activeTouches = []
        recognizer.receivesEvent = nil
    }

    final func replaceRecognizers(with new: [UIGestureRecognizer]) {
        for recognizer in recognizers where !new.contains(where: { $0 === recognizer }) {
            removeGestureRecognizer(recognizer)
        }
        for recognizer in new where !recognizers.contains(where: { $0 === recognizer }) {
            addGestureRecognizer(recognizer)
        }
        recognizers = new
    }
}
