// UIScrollViewPanGestureRecognizer.swift: the pan and the pinch of a scroll view, and their delegate.
//
// Station   gesture
// Input     GestureEnvironment, as any pan or pinch
// Output    UIScrollView+Fingers.swift: landings, lifts and actions
//
// Sources   documented  the delegate of the pan is the scroll view and cannot be another

import Foundation

/// The delegate of a scroll view's own recognizers, which calls the scroll view.
///
/// The scroll view itself does not conform to `UIGestureRecognizerDelegate`: a subclass could then not declare its
/// conformance. The answers of such a subclass are used.
final class ScrollViewGestureDelegate: ViewDelegate {
    init(of scrollView: UIScrollView) { super.init(of: scrollView) }

    /// Cleared by the scroll view before it is deallocated.
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

/// The pan that drags a scroll view's content.
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

    /// Fingers that are still down after the reset no longer belong to the pan.
    override func reset() {
        super.reset()
        scrollView?.fingersLeft()
    }

    override func performOwnAction() { scrollView?.panActs(self) }
}

/// The pinch that zooms a scroll view's content.
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

    /// The center of all active touches. A touch that lifts in the present event counts, so that the point does not
    /// jump when the first of two fingers lifts.
    override func location(in view: UIView?) -> CGPoint {
        activeTouches.isEmpty ? super.location(in: view) : middle(of: activeTouches, in: view)
    }

    override func performOwnAction() { decider.scrollView?.pinchActs(self) }
}
