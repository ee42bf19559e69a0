// ScrollZoom.swift: the scale of a scroll view's content, and its changes.
//
// Station   gesture
// Input     UIScrollView+Zooming.swift
// Output    the scale that shows, and the offset that belongs to it
//
// Sources   documented  minimumZoomScale, maximumZoomScale, isZooming, isZoomBouncing

import Basics
import Foundation

struct ScrollZoom {
    var range = ZoomRange()
    private(set) var scale: CGFloat = 1
    /// The scale that the fingers ask for when the pinch's own scale is 1; nil while no fingers zoom.
    private(set) var requestedScale: CGFloat?
    private(set) var runningMotion: RunningMotion<ZoomMotion>?

    var isByFingers: Bool { requestedScale != nil }
    /// Whether the scale changes without fingers.
    var isMoving: Bool { runningMotion != nil }

    mutating func show(_ scale: CGFloat) { self.scale = scale }

    // MARK: By fingers

    /// Begins or moves a zoom by fingers: at the pinch's scale `fingers`, content shows at `scale`.
    mutating func hold(_ scale: CGFloat, at fingers: CGFloat) { requestedScale = range.asked(scale) / fingers }

    /// The scale that shows at the pinch's scale `fingers`; nil while no fingers zoom.
    func shown(at fingers: CGFloat) -> CGFloat? { requestedScale.map { range.shown($0 * fingers) } }

    mutating func endFingerZoom() { requestedScale = nil }

    // MARK: Without fingers

    mutating func begin(_ motion: ZoomMotion, at now: Instant, ticker: HeldTimer) {
        runningMotion = RunningMotion(motion, since: now, ticker: ticker)
    }

    mutating func stop() { runningMotion = nil }

    // MARK: Offsets

    /// The offset that keeps the content at `point` there after a change of scale.
    func offset(showing point: CGPoint, at scale: CGFloat, from offset: CGPoint) -> CGPoint {
        let growth = scale / self.scale
        return CGPoint(x: offset.x + point.x * (growth - 1), y: offset.y + point.y * (growth - 1))
    }

    /// The nearest offset at which content of that scale may rest.
    ///
    /// - Parameter bounds: The scroll view's bounds.
    func offsetWithin(
        _ offset: CGPoint, at scale: CGFloat, of content: CGSize, _ inset: UIEdgeInsets, in bounds: CGRect
    ) -> CGPoint {
        guard self.scale > 0 else { return offset }
        let growth = scale / self.scale
        func clamp(_ place: CGFloat, _ content: CGFloat, _ before: CGFloat, _ after: CGFloat, _ length: CGFloat)
            -> CGFloat
        { min(max(place, -before), max(-before, content * growth + after - length)) }
        return CGPoint(
            x: clamp(offset.x, content.width, inset.left, inset.right, bounds.width),
            y: clamp(offset.y, content.height, inset.top, inset.bottom, bounds.height))
    }
}
