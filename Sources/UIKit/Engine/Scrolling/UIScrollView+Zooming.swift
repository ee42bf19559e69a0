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
        demand(
            zoom.minimum.isFinite && zoom.maximum.isFinite,
            "\(traceLabel): zoom scales must be finite, and \(zoom.minimum) to \(zoom.maximum) are not")
        if zoom.canZoom, pinch == nil { makePinch() }
        pinch?.isEnabled = zoom.canZoom
    }

    // MARK: By fingers

    /// - Parameters:
    ///   - scale: Of the fingers, 1 where they began.
    ///   - point: Between the fingers, in this view's coordinates.
    final func fingersZoom(by scale: CGFloat, about point: CGPoint, isFirst: Bool) {
        guard storedZoom > 0, let view = delegate?.viewForZooming(in: self) else { return }
        if isFirst {
            // Before anybody is told: code that wants another scale now, has to reckon with fingers.
            zoomAsked = zoom.asked(storedZoom) / scale
            endZoomMotion()
            emit(.zoomed(about: point))
            delegate?.scrollViewWillBeginZooming(self, with: view)
        }
        guard let zoomAsked else { return }
        apply(scale: zoom.shown(zoomAsked * scale), to: view, about: point)
    }

    final func fingersEndZoom(about point: CGPoint) {
        guard zoomAsked != nil else { return }
        zoomAsked = nil
        let limit = zoom.clamped(storedZoom)
        guard limit == storedZoom || application?.mainLoop == nil else {
            follow(
                ZoomMotion(
                    from: storedZoom, to: limit, fromOffset: contentOffset,
                    toOffset: offsetWithin(offset(showing: point, at: limit), scale: limit),
                    .bounce(
                        root: laws.slowRoot, extent: max(contentSize.width, contentSize.height) / storedZoom)))
            handle(.placed)
            return
        }
        let view = delegate?.viewForZooming(in: self)
        // Off screen there is no time to come back in.
        if let view, limit != storedZoom { apply(scale: limit, to: view, about: point) }
        delegate?.scrollViewDidEndZooming(self, with: view, atScale: storedZoom)
        if !isTouched { untouched() }
    }

    // MARK: By code

    final func zoom(to scale: CGFloat, animated: Bool) {
        let middle = CGPoint(x: space.bounds.midX, y: space.bounds.midY)
        zoom(to: zoom.clamped(scale), about: middle, animated: animated)
    }

    final func zoom(toShow rect: CGRect, animated: Bool) {
        guard rect.width > 0, rect.height > 0, storedZoom > 0 else { return }
        let scale = zoom.clamped(min(space.bounds.width / rect.width, space.bounds.height / rect.height))
        let offset = CGPoint(
            x: rect.midX * scale - space.bounds.width / 2, y: rect.midY * scale - space.bounds.height / 2)
        zoom(to: scale, offset: offset, animated: animated)
    }

    /// - Parameter point: In this view's coordinates; what it shows there it will still show.
    private func zoom(to scale: CGFloat, about point: CGPoint, animated: Bool) {
        guard storedZoom > 0 else { return }
        zoom(to: scale, offset: offset(showing: point, at: scale), animated: animated)
    }

    /// The offset at which what shows at `point` shows there still, at another scale.
    private func offset(showing point: CGPoint, at scale: CGFloat) -> CGPoint {
        let growth = scale / storedZoom
        return CGPoint(x: contentOffset.x + point.x * (growth - 1), y: contentOffset.y + point.y * (growth - 1))
    }

    private func zoom(to scale: CGFloat, offset: CGPoint, animated: Bool) {
        guard let view = delegate?.viewForZooming(in: self) else { return }
        endZoomMotion()
        handle(.placed)
        // The delegate has been told, and may have wanted another scale since.
        guard zoomMotion == nil else { return }
        let end = offsetWithin(offset, scale: scale)
        guard animated, zoomAsked == nil, let application, application.mainLoop != nil else {
            // Fingers that are at it go on from there.
            if zoomAsked != nil, let pinch, pinch.scale > 0 { zoomAsked = zoom.asked(scale) / pinch.scale }
            apply(scale: scale, to: view)
            moveContent(to: end)
            delegate?.scrollViewDidZoom(self)
            return
        }
        follow(
            ZoomMotion(
                from: storedZoom, to: scale, fromOffset: contentOffset, toOffset: end,
                .eased(over: ScrollMotion.animation)))
        delegate?.scrollViewWillBeginZooming(self, with: view)
    }

    /// The offset nearest to this one that content of this scale may rest at.
    private func offsetWithin(_ offset: CGPoint, scale: CGFloat) -> CGPoint {
        guard storedZoom > 0 else { return offset }
        let growth = scale / storedZoom
        let inset = adjustedContentInset
        func clamp(_ place: CGFloat, _ content: CGFloat, _ before: CGFloat, _ after: CGFloat, _ length: CGFloat)
            -> CGFloat
        { min(max(place, -before), max(-before, content * growth + after - length)) }
        return CGPoint(
            x: clamp(offset.x, contentSize.width, inset.left, inset.right, space.bounds.width),
            y: clamp(offset.y, contentSize.height, inset.top, inset.bottom, space.bounds.height))
    }

    // MARK: Scale

    private func apply(scale: CGFloat, to view: UIView) {
        let corner = view.frame.origin
        storedZoom = scale
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
        delegate?.scrollViewDidZoom(self)
    }

    // MARK: Moving by itself

    private func follow(_ way: ZoomMotion) {
        guard let application, let loop = application.mainLoop else { return }
        zoomMotion = (way, since: application.now)
        zoomTicker = HeldTimer(eachFrameOf: application, on: loop) { [weak self] in self?.zoomTick() }
    }

    private func zoomTick() {
        guard let application, let (way, start) = zoomMotion else {
            // Its window is gone.
            (zoomMotion, zoomTicker) = (nil, nil)
            return
        }
        let time = start.duration(to: application.now).seconds
        guard let view = delegate?.viewForZooming(in: self) else {
            endZoomMotion()
            return
        }
        let turn = zoomTicker
        apply(scale: way.scale(after: time), to: view)
        moveContent(to: way.offset(after: time))
        delegate?.scrollViewDidZoom(self)
        if time >= way.duration, turn === zoomTicker { endZoomMotion() }
    }

    /// Where it was going, at once.
    final func finishZoomMotion() {
        guard let (way, _) = zoomMotion else { return }
        if let view = delegate?.viewForZooming(in: self) {
            apply(scale: way.to, to: view)
            moveContent(to: way.toOffset)
        }
        endZoomMotion()
    }

    /// At the scale there is.
    final func endZoomMotion() {
        guard zoomMotion != nil else { return }
        zoomMotion = nil
        zoomTicker = nil
        delegate?.scrollViewDidEndZooming(self, with: delegate?.viewForZooming(in: self), atScale: storedZoom)
    }
}
