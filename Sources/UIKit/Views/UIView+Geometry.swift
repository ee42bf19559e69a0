// UIView+Geometry.swift: where a view is, in whose coordinates.
//
// Bounds, centre and transform are the truth; the frame is worked out. A point p of the view lies in its superview at
//
//     centre + transform(p − anchor),     the anchor being the middle of the bounds unless it is set
//
// Without a transform that is a subtraction and an addition, so that whole and half points stay exact.
//
// Sources   documented  UIView.frame, bounds, center, transform, convert(_:to:)
//           inferred    setting the frame of a transformed view sets the size whose transformed box is the frame's

import Foundation

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

// A layer that is nowhere raises CALayerInvalidGeometry on a phone, at once or when it is shown.
extension UIView {
    @inline(__always)
    final func demandFinite(_ rect: CGRect, _ property: StaticString) {
        demand(
            rect.origin.x.isFinite && rect.origin.y.isFinite && rect.size.width.isFinite && rect.size.height.isFinite,
            "\(traceLabel): \(property) must be finite, and (\(rect.origin.x), \(rect.origin.y); "
                + "\(rect.size.width) × \(rect.size.height)) is not")
    }

    @inline(__always)
    final func demandFinite(_ point: CGPoint, _ property: StaticString) {
        demand(
            point.x.isFinite && point.y.isFinite,
            "\(traceLabel): \(property) must be finite, and (\(point.x), \(point.y)) is not")
    }

    @inline(__always)
    final func demandFinite(_ transform: CGAffineTransform) {
        demand(
            transform.a.isFinite && transform.b.isFinite && transform.c.isFinite && transform.d.isFinite
                && transform.tx.isFinite && transform.ty.isFinite,
            "\(traceLabel): transform must be finite, and [\(transform.a), \(transform.b), \(transform.c), "
                + "\(transform.d), \(transform.tx), \(transform.ty)] is not")
    }
}

extension UIView {
    final var defaultFrame: CGRect { rectToSuperview(storedBounds) }

    final func moveToFrame(_ frame: CGRect) {
        var size = frame.size
        if isTransformed { size = CGRect(origin: .zero, size: size).applying(storedTransform.inverted()).size }
        let resized = size != storedBounds.size
        storedCenter = frame.point(at: storedAnchor)
        storedBounds.size = size
        if resized { sizeDidChange() }
    }

    // MARK: One step

    @inline(__always)
    final func pointToSuperview(_ point: CGPoint) -> CGPoint {
        let anchor = storedBounds.point(at: storedAnchor)
        let (x, y) = (point.x - anchor.x, point.y - anchor.y)
        guard isTransformed else { return CGPoint(x: storedCenter.x + x, y: storedCenter.y + y) }
        let moved = CGPoint(x: x, y: y).applying(storedTransform)
        return CGPoint(x: storedCenter.x + moved.x, y: storedCenter.y + moved.y)
    }

    @inline(__always)
    final func pointFromSuperview(_ point: CGPoint) -> CGPoint {
        let anchor = storedBounds.point(at: storedAnchor)
        var (x, y) = (point.x - storedCenter.x, point.y - storedCenter.y)
        if isTransformed {
            let moved = CGPoint(x: x, y: y).applying(storedTransform.inverted())
            (x, y) = (moved.x, moved.y)
        }
        return CGPoint(x: x + anchor.x, y: y + anchor.y)
    }

    final func rectToSuperview(_ rect: CGRect) -> CGRect {
        guard isTransformed else { return CGRect(origin: pointToSuperview(rect.origin), size: rect.size) }
        return CGRect(around: rect.corners.map(pointToSuperview))
    }

    final func rectFromSuperview(_ rect: CGRect) -> CGRect {
        guard isTransformed else { return CGRect(origin: pointFromSuperview(rect.origin), size: rect.size) }
        return CGRect(around: rect.corners.map(pointFromSuperview))
    }

    // MARK: Many steps

    /// The outermost ancestor. Nil, as another view, stands for its coordinates: a window's base.
    private var root: UIView {
        var top = self
        while let parent = top.parent { top = parent }
        return top
    }

    private func pointToRoot(_ point: CGPoint) -> CGPoint {
        var (point, view) = (point, self)
        while let parent = view.parent {
            point = view.pointToSuperview(point)
            view = parent
        }
        return point
    }

    private func pointFromRoot(_ point: CGPoint) -> CGPoint {
        guard let parent else { return point }
        return pointFromSuperview(parent.pointFromRoot(point))
    }

    final func converted(_ point: CGPoint, to view: UIView?) -> CGPoint {
        let base = pointToRoot(point)
        guard let view else { return base }
        let (from, to) = (root, view.root)
        // Two windows meet on the screen.
        return view.pointFromRoot(from === to ? base : to.pointFromSuperview(from.pointToSuperview(base)))
    }

    final func converted(_ point: CGPoint, from view: UIView?) -> CGPoint {
        guard let view else { return pointFromRoot(point) }
        return view.converted(point, to: self)
    }

    /// Corners go the whole way before a box is drawn around them, so that a turn and its undoing cancel out.
    final func converted(_ rect: CGRect, to view: UIView?) -> CGRect {
        if !turns, view?.turns != true {
            return CGRect(origin: converted(rect.origin, to: view), size: rect.size)
        }
        return CGRect(around: rect.corners.map { converted($0, to: view) })
    }

    final func converted(_ rect: CGRect, from view: UIView?) -> CGRect {
        if !turns, view?.turns != true {
            return CGRect(origin: converted(rect.origin, from: view), size: rect.size)
        }
        return CGRect(around: rect.corners.map { converted($0, from: view) })
    }

    /// Whether a transform lies between this view and the screen.
    private var turns: Bool {
        var view: UIView? = self
        while let current = view {
            if current.isTransformed { return true }
            view = current.parent
        }
        return false
    }
}
