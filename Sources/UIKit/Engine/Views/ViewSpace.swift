// ViewSpace.swift: a view's own coordinates, and how they lie in its superview's.
//
// Station   hitTest
// Input     UIView's setters
// Output    one step of a conversion, up or down; UIView+Geometry.swift takes many
// Knows     one view. No superview, no window.
//
// Bounds, center and transform are stored; the frame is computed. A point p of the view lies in its superview at
//
//     center + transform(p − anchor),     the anchor being the middle of the bounds unless it is set
//
// Without a transform that is a subtraction and an addition, so that whole and half points stay exact.
//
// Sources   documented  UIView.frame, bounds, center, transform
//           inferred    setting the frame of a transformed view sets the size whose transformed box is the frame's

import Foundation

struct ViewSpace {
    /// Where the anchor point is, in the superview's coordinates.
    var center: CGPoint
    var bounds: CGRect
    /// About the anchor point.
    var transform = CGAffineTransform.identity {
        didSet { isTransformed = !transform.isIdentity }
    }
    /// In parts of the bounds.
    var anchor = CGPoint(x: 0.5, y: 0.5)
    private(set) var isTransformed = false

    init(frame: CGRect) {
        center = CGPoint(x: frame.midX, y: frame.midY)
        bounds = CGRect(origin: .zero, size: frame.size)
    }

    /// In the superview's coordinates: the smallest upright rectangle around the view.
    var frame: CGRect { toSuperview(bounds) }

    /// Moves and resizes the view to fill the frame.
    ///
    /// - Returns: Whether the bounds have another size now.
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
    // A hit test takes them for every view that has none. They do not read the transform, so that it is not loaded.

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
    /// `contains`, for rectangles that have a size and none that is negative or infinite: the hit test's.
    @inline(__always)
    func holds(_ point: CGPoint) -> Bool {
        point.x >= origin.x && point.x < origin.x + size.width && point.y >= origin.y
            && point.y < origin.y + size.height
    }

    /// - Parameter parts: Of the width and of the height.
    @inline(__always)
    func point(at parts: CGPoint) -> CGPoint {
        CGPoint(x: origin.x + size.width * parts.x, y: origin.y + size.height * parts.y)
    }
}
