// ScrollRecognizers.swift: the recognizers that a scroll view attaches to itself, and their delegate.
//
// Station   gesture
// Input     UIScrollView

import Foundation

struct ScrollRecognizers {
    let pan: UIScrollViewPanGestureRecognizer
    let delay: UIScrollViewDelayedTouchesBeganGestureRecognizer
    /// Made when there is a zoom range for the first time.
    var pinch: UIScrollViewPinchGestureRecognizer?
    /// The delegate of these recognizers.
    private let decider: ScrollViewGestureDelegate

    init(of scrollView: UIScrollView) {
        decider = ScrollViewGestureDelegate(of: scrollView)
        pan = UIScrollViewPanGestureRecognizer(deciding: decider)
        delay = UIScrollViewDelayedTouchesBeganGestureRecognizer(of: scrollView)
    }

    func owns(_ recognizer: UIGestureRecognizer) -> Bool { recognizer === pan || recognizer === pinch }

    func newPinch() -> UIScrollViewPinchGestureRecognizer { UIScrollViewPinchGestureRecognizer(deciding: decider) }

    /// Ends the attempts of all recognizers: the scroll view left its window.
    func giveUp() {
        pan.abandonAttempt()
        delay.discardTouches(because: "the scroll view left its window")
        pinch?.abandonAttempt()
    }

    /// Clears references to the scroll view, which is about to be deallocated.
    func forgetScrollView() { (decider.scrollView, delay.scrollView) = (nil, nil) }
}
