// UIScrollViewPanGestureRecognizer.swift: the drag of a scroll view, and who decides on its behalf.
//
// Station   gesture
// Fed by    GestureEnvironment, as any pan
// Feeds     UIScrollView+Fingers.swift: fingers landing and lifting, and what it recognises
//
// Sources   documented  its delegate is the scroll view and cannot be another

import Foundation

/// Decides for a scroll view's own recognisers.
///
/// Not the scroll view itself: a subclass may say that it is a `UIGestureRecognizerDelegate`, which it could not if
/// UIScrollView had said so. What such a subclass answers is asked for.
final class ScrollViewGestureDelegate: ViewDelegate {
    init(of scrollView: UIScrollView) { super.init(of: scrollView) }

    /// Cleared by the scroll view when it goes.
    var scrollView: UIScrollView? {
        get { view.map { unsafeDowncast($0, to: UIScrollView.self) } }
        set { view = newValue }
    }

    override func gestureRecognizer(
        _ recognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool {
        if let own = scrollView?.ownRecognizers, own.owns(recognizer), own.owns(other) { return true }
        return super.gestureRecognizer(recognizer, shouldRecognizeSimultaneouslyWith: other)
    }
}

final class UIScrollViewPanGestureRecognizer: UIPanGestureRecognizer {
    private let decider: ScrollViewGestureDelegate

    init(deciding decider: ScrollViewGestureDelegate) {
        self.decider = decider
        super.init(target: nil, action: nil)
        allowedScrollTypesMask = .all
        delegate = decider
    }

    private var scrollView: UIScrollView? { decider.scrollView }

    override var ignoresExtraTouches: Bool { true }

    override weak var delegate: (any UIGestureRecognizerDelegate)? {
        didSet {
            demand(
                delegate === decider,
                "\(decider.scrollView?.traceLabel ?? "UIScrollView"): its pan must have it as its delegate")
        }
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        scrollView?.fingersLanded()
        super.touchesBegan(touches, with: event)
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesEnded(touches, with: event)
        if activeTouches.allSatisfy(\.isOver) { scrollView?.fingersLeft() }
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        super.touchesCancelled(touches, with: event)
        if activeTouches.allSatisfy(\.isOver) { scrollView?.fingersLeft() }
    }

    /// It is over, or never was: whatever fingers are still down are not its own any more.
    override func reset() {
        super.reset()
        scrollView?.fingersLeft()
    }

    override func performOwnAction() { scrollView?.panActs(self) }
}

final class UIScrollViewPinchGestureRecognizer: UIPinchGestureRecognizer {
    private let decider: ScrollViewGestureDelegate

    init(deciding decider: ScrollViewGestureDelegate) {
        self.decider = decider
        super.init(target: nil, action: nil)
        delegate = decider
    }

    override weak var delegate: (any UIGestureRecognizerDelegate)? {
        didSet {
            demand(
                delegate === decider,
                "\(decider.scrollView?.traceLabel ?? "UIScrollView"): its pinch must have it as its delegate")
        }
    }

    /// What is zoomed about does not jump as the first of two fingers lifts.
    override func location(in view: UIView?) -> CGPoint {
        activeTouches.isEmpty ? super.location(in: view) : middle(of: activeTouches, in: view)
    }

    override func performOwnAction() { decider.scrollView?.pinchActs(self) }
}
