// UIScrollView+Zooming.swift: zooms one view of a scroll view's content.
//
// Station   gesture
// Input     UIScrollView's setters, its pinch, the frame timer
// Output    the zoomed view's transform, the content size and offset, calls of the delegate
//
// Sources   documented  viewForZooming(in:) names the view; its transform is the scale, its frame the content's size
//           inferred    the view's top left corner stays at its position in the content

import Basics
import Foundation

extension UIScrollView {
    /// Makes and enables the pinch as the zoom range requires.
    final func zoomRangeDidChange() {
        let range = zooming.range
        demand(
            range.minimum.isFinite && range.maximum.isFinite,
            "\(traceLabel): zoom scales must be finite, and \(range.minimum) to \(range.maximum) are not")
        if range.canZoom, ownRecognizers.pinch == nil { makePinch() }
        ownRecognizers.pinch?.isEnabled = range.canZoom
    }

    // MARK: By fingers

    /// Zooms with a pinch.
    ///
    /// - Parameters:
    ///   - scale: The pinch's scale, 1 at its beginning.
    ///   - point: The center of the fingers, in this view's coordinates.
    final func fingersZoom(by scale: CGFloat, about point: CGPoint, isFirst: Bool) {
        guard zooming.scale > 0, let view = askForZoomedView() else { return }
        if isFirst {
            // Before any call of the delegate: code that sets another scale in that call has to know of the fingers.
            zooming.hold(zooming.scale, at: scale)
            endZoomMotion()
            emit(.zoomed(about: point))
            notifyWillZoom(view)
        }
        guard let shown = zooming.shown(at: scale) else { return }
        apply(scale: shown, to: view, about: point)
    }

    /// Ends a zoom by fingers. A scale beyond a limit returns to it.
    final func fingersEndZoom(about point: CGPoint) {
        guard zooming.isByFingers else { return }
        zooming.endFingerZoom()
        let limit = zooming.range.clamped(zooming.scale)
        guard limit == zooming.scale || application?.mainLoop == nil else {
            start(
                ZoomMotion(
                    from: zooming.scale, to: limit, fromOffset: contentOffset,
                    toOffset: offsetWithin(offset(showing: point, at: limit), scale: limit),
                    .bounce(
                        root: laws.slowRoot, extent: max(contentSize.width, contentSize.height) / zooming.scale)))
            handle(.offsetSet)
            return
        }
        let view = askForZoomedView()
        // Without a window no timer moves the scale back.
        if let view, limit != zooming.scale { apply(scale: limit, to: view, about: point) }
        notifyDidEndZooming(view)
        if !tracking.isTouched { fingersLifted() }
    }

    // MARK: By code

    final func zoom(to scale: CGFloat, animated: Bool) {
        let middle = CGPoint(x: space.bounds.midX, y: space.bounds.midY)
        zoom(to: zooming.range.clamped(scale), about: middle, animated: animated)
    }

    final func zoom(toShow rect: CGRect, animated: Bool) {
        guard rect.width > 0, rect.height > 0, zooming.scale > 0 else { return }
        let scale = zooming.range.clamped(min(space.bounds.width / rect.width, space.bounds.height / rect.height))
        let offset = CGPoint(
            x: rect.midX * scale - space.bounds.width / 2, y: rect.midY * scale - space.bounds.height / 2)
        zoom(to: scale, offset: offset, animated: animated)
    }

    /// Zooms about a point.
    ///
    /// - Parameter point: In this view's coordinates. The content at this point stays there.
    private func zoom(to scale: CGFloat, about point: CGPoint, animated: Bool) {
        guard zooming.scale > 0 else { return }
        zoom(to: scale, offset: offset(showing: point, at: scale), animated: animated)
    }

    private func offset(showing point: CGPoint, at scale: CGFloat) -> CGPoint {
        zooming.offset(showing: point, at: scale, from: contentOffset)
    }

    private func zoom(to scale: CGFloat, offset: CGPoint, animated: Bool) {
        guard let view = askForZoomedView() else { return }
        endZoomMotion()
        handle(.offsetSet)
        // The delegate was called, and may have started another zoom.
        guard !zooming.isMoving else { return }
        let end = offsetWithin(offset, scale: scale)
        guard animated, !zooming.isByFingers, let application, application.mainLoop != nil else {
            // A pinch that is under way continues from the new scale.
            if zooming.isByFingers, let fingers = ownRecognizers.pinch?.scale, fingers > 0 {
                zooming.hold(scale, at: fingers)
            }
            apply(scale: scale, to: view)
            moveContent(to: end)
            notifyDidZoom()
            return
        }
        start(
            ZoomMotion(
                from: zooming.scale, to: scale, fromOffset: contentOffset, toOffset: end,
                .eased(over: ScrollMotion.animation)))
        notifyWillZoom(view)
    }

    private func offsetWithin(_ offset: CGPoint, scale: CGFloat) -> CGPoint {
        zooming.offsetWithin(offset, at: scale, of: contentSize, adjustedContentInset, in: space.bounds)
    }

    // MARK: Scale

    private func apply(scale: CGFloat, to view: UIView) {
        let corner = view.frame.origin
        zooming.show(scale)
        view.transform = CGAffineTransform(scaleX: scale, y: scale)
        let moved = view.frame.origin
        view.center = CGPoint(x: view.center.x + corner.x - moved.x, y: view.center.y + corner.y - moved.y)
        contentSize = view.frame.size
    }

    /// Applies a scale. The content at `point` stays there.
    private func apply(scale: CGFloat, to view: UIView, about point: CGPoint) {
        let offset = offset(showing: point, at: scale)
        apply(scale: scale, to: view)
        moveContent(to: offset)
        notifyDidZoom()
    }

    // MARK: Motion without fingers

    private func start(_ way: ZoomMotion) {
        guard let application, let loop = application.mainLoop else { return }
        let ticker = HeldTimer(eachFrameOf: application, on: loop) { [weak self] in self?.zoomTick() }
        zooming.begin(way, at: application.now, ticker: ticker)
    }

    private func zoomTick() {
        guard let application, let underWay = zooming.runningMotion else {
            // The window is gone.
            zooming.stop()
            return
        }
        let (way, time) = (underWay.motion, underWay.time(at: application.now))
        guard let view = askForZoomedView() else {
            endZoomMotion()
            return
        }
        apply(scale: way.scale(after: time), to: view)
        moveContent(to: way.offset(after: time))
        notifyDidZoom()
        if time >= way.duration, zooming.runningMotion?.ticker === underWay.ticker { endZoomMotion() }
    }

    /// Ends the motion of the scale at its target.
    final func finishZoomMotion() {
        guard let way = zooming.runningMotion?.motion else { return }
        if let view = askForZoomedView() {
            apply(scale: way.to, to: view)
            moveContent(to: way.toOffset)
        }
        endZoomMotion()
    }

    /// Ends the motion of the scale at the present scale.
    final func endZoomMotion() {
        guard zooming.isMoving else { return }
        zooming.stop()
        notifyDidEndZooming(askForZoomedView())
    }

    // MARK: The delegate

    private func notifyWillZoom(_ view: UIView) {
        emitToObserver(.calls(.willBeginZooming(view)))
        delegate?.scrollViewWillBeginZooming(self, with: view)
    }

    private func notifyDidZoom() {
        emitToObserver(.calls(.didZoom))
        delegate?.scrollViewDidZoom(self)
    }

    private func notifyDidEndZooming(_ view: UIView?) {
        emitToObserver(.calls(.didEndZooming(view, scale: zooming.scale)))
        delegate?.scrollViewDidEndZooming(self, with: view, atScale: zooming.scale)
    }
}
