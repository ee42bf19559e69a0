// ScrollRecognizers.swift: the recognizers that a scroll view attaches to itself, and their delegate.
//
// Station   gesture
// Input     UIScrollView

import Foundation

struct ScrollRecognizers {
    let pan: UIScrollViewPanGestureRecognizer
    let delay: UIScrollViewDelayedTouchesBeganGestureRecognizer
    /// Made when there is first something to zoom.
    var pinch: UIScrollViewPinchGestureRecognizer?
    /// Says for them whether they may begin.
    private let decider: ScrollViewGestureDelegate

    init(of scrollView: UIScrollView) {
        decider = ScrollViewGestureDelegate(of: scrollView)
        pan = UIScrollViewPanGestureRecognizer(deciding: decider)
        delay = UIScrollViewDelayedTouchesBeganGestureRecognizer(of: scrollView)
    }

    func owns(_ recognizer: UIGestureRecognizer) -> Bool { recognizer === pan || recognizer === pinch }

    func newPinch() -> UIScrollViewPinchGestureRecognizer { UIScrollViewPinchGestureRecognizer(deciding: decider) }

    /// The scroll view left its window.
    func giveUp() {
        pan.giveUp()
        delay.giveWay(because: "the scroll view left its window")
        pinch?.giveUp()
    }

    /// The scroll view is about to go.
    func forgetScrollView() { (decider.scrollView, delay.scrollView) = (nil, nil) }
}
