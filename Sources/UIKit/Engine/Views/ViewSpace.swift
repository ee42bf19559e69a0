// ViewSpace.swift: a view's own coordinates, and their relation to its superview's.
//
// Station   hitTest
// Input     UIView's setters
// Output    one step of a conversion, up or down; UIView+Geometry.swift makes many
// Knows     one view. No superview, no window.
//
// Bounds, center and transform are stored; the frame is computed. In the superview, a point p of the view is at
//
//     center + transform(p − anchor),     where the anchor is the middle of the bounds unless it is set
//
// Without a transform this is a subtraction and an addition, so that whole and half points stay exact.
//
// Sources   documented  UIView.frame, bounds, center, transform
//           inferred    setting the frame of a transformed view sets the size whose transformed box has the frame's
//                       size

import Foundation

struct ViewSpace {
    /// The anchor point in the superview's coordinates.
    var center: CGPoint
    var bounds: CGRect
    /// Applied about the anchor point.
    var transform = CGAffineTransform.identity {
        didSet { isTransformed = !transform.isIdentity }
    }
    /// The anchor point in parts of the bounds.
    var anchor = CGPoint(x: 0.5, y: 0.5)
    private(set) var isTransformed = false

    init(frame: CGRect) {
        center = CGPoint(x: frame.midX, y: frame.midY)
        bounds = CGRect(origin: .zero, size: frame.size)
    }

    /// The smallest upright rectangle around the view, in the superview's coordinates.
    var frame: CGRect { toSuperview(bounds) }

    /// Moves and resizes the view to fill the frame.
    ///
    /// - Returns: Whether the size of the bounds has changed.
    mutating func fill(_ frame: CGRect) -> Bool {
        var size = frame.size
        if isTransformed { size = CGRect(origin: .zero, size: size).applying(transform.inverted()).size }
        let isResized = size != bounds.size
        center = frame.point(at: anchor)
        bounds.size = size
        return isResized
    }

    // MARK: One step, without the transform
    //
    // The hit test uses these functions for every view without a transform. They do not load the transform from memory.

    @inline(__always)
    func shiftedToSuperview(_ point: CGPoint) -> CGPoint {
        let anchor = bounds.point(at: anchor)
        return CGPoint(x: center.x + (point.x - anchor.x), y: center.y + (point.y - anchor.y))
    }

    @inline(__always)
    func shiftedFromSuperview(_ point: CGPoint) -> CGPoint {
        let anchor = bounds.point(at: anchor)
        return CGPoint(x: point.x - center.x + anchor.x, y: point.y - center.y + anchor.y)
    }

    // MARK: One step

    func toSuperview(_ point: CGPoint) -> CGPoint {
        guard isTransformed else { return shiftedToSuperview(point) }
        let anchor = bounds.point(at: anchor)
        let moved = CGPoint(x: point.x - anchor.x, y: point.y - anchor.y).applying(transform)
        return CGPoint(x: center.x + moved.x, y: center.y + moved.y)
    }

    func fromSuperview(_ point: CGPoint) -> CGPoint {
        guard isTransformed else { return shiftedFromSuperview(point) }
        let anchor = bounds.point(at: anchor)
        let moved = CGPoint(x: point.x - center.x, y: point.y - center.y).applying(transform.inverted())
        return CGPoint(x: moved.x + anchor.x, y: moved.y + anchor.y)
    }

    func toSuperview(_ rect: CGRect) -> CGRect {
        guard isTransformed else { return CGRect(origin: toSuperview(rect.origin), size: rect.size) }
        return CGRect(around: rect.corners.map { toSuperview($0) })
    }

    func fromSuperview(_ rect: CGRect) -> CGRect {
        guard isTransformed else { return CGRect(origin: fromSuperview(rect.origin), size: rect.size) }
        return CGRect(around: rect.corners.map { fromSuperview($0) })
    }
}

extension CGRect {
    /// `contains`, for rectangles of positive, finite size, for the hit test.
    @inline(__always)
    func containsForHitTest(_ point: CGPoint) -> Bool {
        point.x >= origin.x && point.x < origin.x + size.width && point.y >= origin.y
            && point.y < origin.y + size.height
    }

    /// A point of the rectangle.
    ///
    /// - Parameter parts: The parts of the width and of the height.
    @inline(__always)
    func point(at parts: CGPoint) -> CGPoint {
        CGPoint(x: origin.x + size.width * parts.x, y: origin.y + size.height * parts.y)
    }
}
