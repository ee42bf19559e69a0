// UIScrollView+Fingers.swift: whether fingers may drag or zoom a scroll view, and the effects of its recognizers.
//
// Station   gesture
// Input     the scroll view's own recognizers
// Output    ScrollActivity, through UIScrollView+Dragging.swift; UIScrollView+Zooming.swift
//
//     the pan may begin    if its axis scrolls or bounces, and content that has received its touches may lose them
//     a pinch may begin    if there is a view to zoom and a range of scales, and the same holds for its touches
//
// Sources   documented  canCancelContentTouches, touchesShouldCancel(in:) (B12.4)
//           inferred    the axis of a drag is the one that it has moved further on; an inner scroll view that cannot
//                       scroll along it leaves the drag to an outer one (B12.7)

import Basics
import Foundation
import Gestures
import Trace

extension UIScrollView {
    // MARK: Landing and lifting

    /// Whether a finger that lands now only stops the content or joins the drag.
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
        fingersLifted(caught: tracking.leave())
    }

    // MARK: Permission to begin

    final func panMayBegin(_ pan: UIPanGestureRecognizer) -> Bool {
        let way = movementOfFingers(of: pan)
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

    /// Whether content that has received these touches may lose them. The scroll view needs no permission for its own
    /// touches.
    private func contentGivesUpTouches(of recognizer: UIGestureRecognizer) -> Bool {
        var asked: [UIView] = []
        for touch in recognizer.attemptTouches where touch.delivery.state == .delivered {
            guard let view = touch.view, view !== self, !asked.contains(where: { $0 === view }) else { continue }
            asked.append(view)
            guard canCancelContentTouches else {
                return refuse(recognizer, "\(view.traceLabel) has the touch, and canCancelContentTouches is false")
            }
            guard askShouldCancel(in: view) else {
                return refuse(recognizer, "\(view.traceLabel) has the touch, and touchesShouldCancel returned false")
            }
        }
        return true
    }

    /// The average movement of the pan's fingers since their landing; of a pointer, since its scroll began.
    private func movementOfFingers(of pan: UIPanGestureRecognizer) -> CGPoint {
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

    // MARK: Actions

    final func panActs(_ pan: UIPanGestureRecognizer) {
        switch pan.state {
        case .began:
            guard activity.state != .dragging else { return }
            tracking.movementBeforeDrag = movementOfFingers(of: pan)
            ownRecognizers.delay.discardTouches(because: "the drag began")
            handle(.dragged)
            panMoved(by: pan.translation(in: self))
        case .changed: panMoved(by: pan.translation(in: self))
        case .ended:
            panMoved(by: pan.translation(in: self))
            panEnded(velocity: pan.velocity(in: self))
        case .cancelled, .failed: panEnded(velocity: .zero)
        case .possible: break
        }
    }

    final func pinchActs(_ pinch: UIPinchGestureRecognizer) {
        switch pinch.state {
        case .began:
            ownRecognizers.delay.discardTouches(because: "the zoom began")
            fingersZoom(by: pinch.scale, about: pinch.location(in: self), isFirst: true)
        case .changed: fingersZoom(by: pinch.scale, about: pinch.location(in: self), isFirst: false)
        case .ended, .cancelled, .failed: fingersEndZoom(about: pinch.location(in: self))
        case .possible: break
        }
    }

    // MARK: Facts

    /// Notes why the recognizer may not begin.
    ///
    /// - Returns: False.
    private func refuse(_ recognizer: UIGestureRecognizer, _ why: @autoclosure () -> String) -> Bool {
        if application?.trace.isEnabled == true { recognizer.facts.refusal = why() }
        return false
    }
}
