// UIView+Geometry.swift: where a view is, in whose coordinates.
//
// Bounds, centre and transform are the truth; the frame is worked out. A point p of the view lies in its superview at
//
//     centre + transform(p − anchor),     the anchor being the middle of the bounds unless it is set
//
// Without a transform that is a subtraction and an addition, so that whole and half points stay exact.
//
// Sources   documented  UIView.frame, bounds, center, transform, convert(_:to:)
//           observed    a rect between two branches is boxed twice: at the nearest common ancestor and at its end
//                       (E2.10: values recorded on an iPhone)
//           inferred    setting the frame of a transformed view sets the size whose transformed box is the frame's;
//                       without a common ancestor the first box is the one on the screen

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

    private var depth: Int {
        var (depth, view) = (0, self)
        while let parent = view.parent { (depth, view) = (depth + 1, parent) }
        return depth
    }

    /// The nearest view that is, or contains, both. Nil between two windows, and between two trees outside windows: their
    /// roots meet on the screen.
    private func nearestAncestor(sharedWith other: UIView) -> UIView? {
        var (mine, theirs): (UIView?, UIView?) = (self, other)
        var ahead = depth - other.depth
        while ahead > 0 { (mine, ahead) = (mine?.parent, ahead - 1) }
        while ahead < 0 { (theirs, ahead) = (theirs?.parent, ahead + 1) }
        while mine !== theirs { (mine, theirs) = (mine?.parent, theirs?.parent) }
        return mine
    }

    /// - Parameter ancestor: This view or one that contains it; nil for the screen.
    private func pointUp(_ point: CGPoint, to ancestor: UIView?) -> CGPoint {
        var (point, view): (CGPoint, UIView?) = (point, self)
        while let current = view, current !== ancestor {
            point = current.pointToSuperview(point)
            view = current.parent
        }
        return point
    }

    private func pointDown(_ point: CGPoint, from ancestor: UIView?) -> CGPoint {
        guard self !== ancestor else { return point }
        return pointFromSuperview(parent?.pointDown(point, from: ancestor) ?? point)
    }

    /// The box around the rect's corners up there: corners go the whole way, so that turns on the way cancel out.
    private func boxUp(_ rect: CGRect, to ancestor: UIView?) -> CGRect {
        guard turns(below: ancestor) else { return CGRect(origin: pointUp(rect.origin, to: ancestor), size: rect.size) }
        return CGRect(around: rect.corners.map { pointUp($0, to: ancestor) })
    }

    private func boxDown(_ rect: CGRect, from ancestor: UIView?) -> CGRect {
        guard turns(below: ancestor) else {
            return CGRect(origin: pointDown(rect.origin, from: ancestor), size: rect.size)
        }
        return CGRect(around: rect.corners.map { pointDown($0, from: ancestor) })
    }

    /// Whether a transform lies between this view's coordinates and the ancestor's.
    private func turns(below ancestor: UIView?) -> Bool {
        var view: UIView? = self
        while let current = view, current !== ancestor {
            if current.isTransformed { return true }
            view = current.parent
        }
        return false
    }

    final func converted(_ point: CGPoint, to view: UIView?) -> CGPoint {
        guard let view else { return pointUp(point, to: root) }
        let meeting = nearestAncestor(sharedWith: view)
        return view.pointDown(pointUp(point, to: meeting), from: meeting)
    }

    final func converted(_ point: CGPoint, from view: UIView?) -> CGPoint {
        guard let view else { return pointDown(point, from: root) }
        return view.converted(point, to: self)
    }

    /// Up to where the two views meet, a box there, and down: between two branches that are both turned a rect grows
    /// twice. (E2.10)
    final func converted(_ rect: CGRect, to view: UIView?) -> CGRect {
        guard let view else { return boxUp(rect, to: root) }
        let meeting = nearestAncestor(sharedWith: view)
        return view.boxDown(boxUp(rect, to: meeting), from: meeting)
    }

    final func converted(_ rect: CGRect, from view: UIView?) -> CGRect {
        guard let view else { return boxDown(rect, from: root) }
        return view.converted(rect, to: self)
    }
}
