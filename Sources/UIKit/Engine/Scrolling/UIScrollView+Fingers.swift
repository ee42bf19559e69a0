// UIScrollView+Fingers.swift: whether fingers may drag or zoom, and what they do when they may.
//
// Station   gesture
// Fed by    the scroll view's own recognisers
// Feeds     ScrollActivity, by way of UIScrollView+Dragging.swift; UIScrollView+Zooming.swift
//
//     the pan may begin    if the axis it goes along scrolls or bounces, and content that has heard of its touches
//                          may lose them
//     two fingers zoom     if there is a view to zoom, and a range to zoom it in
//
// Sources   documented  canCancelContentTouches, touchesShouldCancel(in:) (B12.4)
//           inferred    the axis a drag goes along is the one it has gone further on; an inner scroll view that cannot
//                       scroll along it leaves the drag to an outer one (B12.7)

import Basics
import Foundation
import Gestures
import Trace

extension UIScrollView {
    // MARK: Landing and lifting

    /// A finger that lands now stops the content, or joins the drag, which is all it does.
    final var isBeingCaught: Bool {
        switch activity.state {
        case .decelerating, .animating, .dragging: true
        case .rest, .touched: tracking.isCaught
        }
    }

    final func fingersLanded() {
        tracking.land(catching: isBeingCaught)
        handle(.touched)
    }

    final func fingersLeft() {
        untouched(caught: tracking.leave())
    }

    // MARK: May it begin?

    final func panMayBegin(_ pan: UIPanGestureRecognizer) -> Bool {
        let way = wayOfFingers(of: pan)
        let isSideways = abs(way.x) > abs(way.y)
        let axis = isSideways ? horizontal : vertical
        guard axis.canScroll else {
            let content = isSideways ? contentSize.width : contentSize.height
            return refuse(
                pan,
                "nothing to scroll \(isSideways ? "sideways" : "up or down"), "
                    + "\(fixedText(Double(content), digits: 1)) pt of content, "
                    + "room for \(fixedText(Double(axis.length), digits: 1)) pt")
        }
        return contentGivesUpTouches(of: pan)
    }

    final func pinchMayBegin(_ pinch: UIPinchGestureRecognizer) -> Bool {
        let range = zooming.range
        guard range.canZoom, askForZoomedView() != nil else {
            return refuse(pinch, "no view to zoom between \(range.minimum) and \(range.maximum)")
        }
        return contentGivesUpTouches(of: pinch)
    }

    /// Whether content that has heard of these touches may lose them. Its own are the scroll view's to lose.
    private func contentGivesUpTouches(of recognizer: UIGestureRecognizer) -> Bool {
        var asked: [UIView] = []
        for touch in recognizer.attemptTouches where touch.delivery.state == .heard {
            guard let view = touch.view, view !== self, !asked.contains(where: { $0 === view }) else { continue }
            asked.append(view)
            guard canCancelContentTouches else {
                return refuse(recognizer, "\(view.traceLabel) has the touch, and canCancelContentTouches is false")
            }
            guard askShouldCancel(in: view) else {
                return refuse(recognizer, "\(view.traceLabel) has the touch, and touchesShouldCancel said no")
            }
        }
        return true
    }

    /// How far they have come since they landed, on the average; a pointer's, since it began to scroll.
    private func wayOfFingers(of pan: UIPanGestureRecognizer) -> CGPoint {
        let touches = pan.activeTouches
        guard !touches.isEmpty else { return pan.translation(in: self) }
        var sum = CGPoint.zero
        for touch in touches {
            let (from, to) = (convert(touch.landing, from: touch.window), convert(touch.position, from: touch.window))
            sum = CGPoint(x: sum.x + to.x - from.x, y: sum.y + to.y - from.y)
        }
        let count = CGFloat(touches.count)
        return CGPoint(x: sum.x / count, y: sum.y / count)
    }

    // MARK: Acting

    final func panActs(_ pan: UIPanGestureRecognizer) {
        switch pan.state {
        case .began:
            guard activity.state != .dragging else { return }
            tracking.wayToDrag = wayOfFingers(of: pan)
            ownRecognizers.delay.giveWay(because: "the drag began")
            handle(.dragged)
            dragged(by: pan.translation(in: self))
        case .changed: dragged(by: pan.translation(in: self))
        case .ended:
            dragged(by: pan.translation(in: self))
            released(at: pan.velocity(in: self))
        case .cancelled, .failed: released(at: .zero)
        case .possible: break
        }
    }

    final func pinchActs(_ pinch: UIPinchGestureRecognizer) {
        switch pinch.state {
        case .began:
            ownRecognizers.delay.giveWay(because: "the zoom began")
            fingersZoom(by: pinch.scale, about: pinch.location(in: self), isFirst: true)
        case .changed: fingersZoom(by: pinch.scale, about: pinch.location(in: self), isFirst: false)
        case .ended, .cancelled, .failed: fingersEndZoom(about: pinch.location(in: self))
        case .possible: break
        }
    }

    // MARK: Facts

    /// - Returns: False: the recognizer may not begin, and its fact says why.
    private func refuse(_ recognizer: UIGestureRecognizer, _ why: @autoclosure () -> String) -> Bool {
        if application?.trace.isEnabled == true { recognizer.facts.refusal = why() }
        return false
    }
}
