// UIScrollView+Zooming.swift: enlarging one view of the content.
//
// Station   gesture
// Input     UIScrollView's setters, its pinch, the frame timer
// Output    the zoomed view's transform, the content size and offset, calls of the delegate
//
// Sources   documented  viewForZooming(in:) says which view; its transform is the scale, its frame the content's size
//           inferred    the view's top left corner stays where it is in the content

import Basics
import Foundation

extension UIScrollView {
    final func zoomRangeDidChange() {
        let range = zooming.range
        demand(
            range.minimum.isFinite && range.maximum.isFinite,
            "\(traceLabel): zoom scales must be finite, and \(range.minimum) to \(range.maximum) are not")
        if range.canZoom, ownRecognizers.pinch == nil { makePinch() }
        ownRecognizers.pinch?.isEnabled = range.canZoom
    }

    // MARK: By fingers

    /// - Parameters:
    ///   - scale: Of the fingers, 1 where they began.
    ///   - point: Between the fingers, in this view's coordinates.
    final func fingersZoom(by scale: CGFloat, about point: CGPoint, isFirst: Bool) {
        guard zooming.scale > 0, let view = askForZoomedView() else { return }
        if isFirst {
            // Before anybody is told: code that wants another scale now, has to reckon with fingers.
            zooming.hold(zooming.scale, at: scale)
            endZoomMotion()
            emit(.zoomed(about: point))
            willZoom(view)
        }
        guard let shown = zooming.shown(at: scale) else { return }
        apply(scale: shown, to: view, about: point)
    }

    final func fingersEndZoom(about point: CGPoint) {
        guard zooming.isByFingers else { return }
        zooming.letGo()
        let limit = zooming.range.clamped(zooming.scale)
        guard limit == zooming.scale || application?.mainLoop == nil else {
            follow(
                ZoomMotion(
                    from: zooming.scale, to: limit, fromOffset: contentOffset,
                    toOffset: offsetWithin(offset(showing: point, at: limit), scale: limit),
                    .bounce(
                        root: laws.slowRoot, extent: max(contentSize.width, contentSize.height) / zooming.scale)))
            handle(.placed)
            return
        }
        let view = askForZoomedView()
        // Off screen there is no time to come back in.
        if let view, limit != zooming.scale { apply(scale: limit, to: view, about: point) }
        zoomEnded(view)
        if !tracking.isTouched { untouched() }
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

    /// - Parameter point: In this view's coordinates; what it shows there it will still show.
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
        handle(.placed)
        // The delegate has been told, and may have wanted another scale since.
        guard !zooming.isMoving else { return }
        let end = offsetWithin(offset, scale: scale)
        guard animated, !zooming.isByFingers, let application, application.mainLoop != nil else {
            // Fingers that are at it go on from there.
            if zooming.isByFingers, let fingers = ownRecognizers.pinch?.scale, fingers > 0 {
                zooming.hold(scale, at: fingers)
            }
            apply(scale: scale, to: view)
            moveContent(to: end)
            zoomed()
            return
        }
        follow(
            ZoomMotion(
                from: zooming.scale, to: scale, fromOffset: contentOffset, toOffset: end,
                .eased(over: ScrollMotion.animation)))
        willZoom(view)
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

    /// What shows at `point` stays there.
    private func apply(scale: CGFloat, to view: UIView, about point: CGPoint) {
        let offset = offset(showing: point, at: scale)
        apply(scale: scale, to: view)
        moveContent(to: offset)
        zoomed()
    }

    // MARK: Moving by itself

    private func follow(_ way: ZoomMotion) {
        guard let application, let loop = application.mainLoop else { return }
        let ticker = HeldTimer(eachFrameOf: application, on: loop) { [weak self] in self?.zoomTick() }
        zooming.begin(way, at: application.now, ticker: ticker)
    }

    private func zoomTick() {
        guard let application, let underWay = zooming.underWay else {
            // Its window is gone.
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
        zoomed()
        if time >= way.duration, zooming.underWay?.ticker === underWay.ticker { endZoomMotion() }
    }

    /// Where it was going, at once.
    final func finishZoomMotion() {
        guard let way = zooming.underWay?.motion else { return }
        if let view = askForZoomedView() {
            apply(scale: way.to, to: view)
            moveContent(to: way.toOffset)
        }
        endZoomMotion()
    }

    /// At the scale there is.
    final func endZoomMotion() {
        guard zooming.isMoving else { return }
        zooming.stop()
        zoomEnded(askForZoomedView())
    }

    // MARK: The delegate

    private func willZoom(_ view: UIView) {
        emitToObserver(.calls(.willBeginZooming(view)))
        delegate?.scrollViewWillBeginZooming(self, with: view)
    }

    private func zoomed() {
        emitToObserver(.calls(.didZoom))
        delegate?.scrollViewDidZoom(self)
    }

    private func zoomEnded(_ view: UIView?) {
        emitToObserver(.calls(.didEndZooming(view, scale: zooming.scale)))
        delegate?.scrollViewDidEndZooming(self, with: view, atScale: zooming.scale)
    }
}
