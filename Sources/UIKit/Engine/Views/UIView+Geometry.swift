// UIView+Geometry.swift: conversions between the coordinates of any two views.
//
// One step, between a view and its superview, is in ViewSpace.swift.
//
// Sources   documented  convert(_:to:)
//           observed    a rect between two branches is boxed twice: at the nearest common ancestor and at its end
//                       (E2.10: values recorded on an iPhone)
//           inferred    without a common ancestor, the first box is in the screen's coordinates

import Foundation

// A geometry that is not finite raises CALayerInvalidGeometry on a phone, at once or when the layer is shown.
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
    // MARK: One step

    @inline(__always)
    package final func pointToSuperview(_ point: CGPoint) -> CGPoint {
        space.isTransformed ? space.toSuperview(point) : space.shiftedToSuperview(point)
    }

    @inline(__always)
    package final func pointFromSuperview(_ point: CGPoint) -> CGPoint {
        space.isTransformed ? space.fromSuperview(point) : space.shiftedFromSuperview(point)
    }

    final func rectToSuperview(_ rect: CGRect) -> CGRect { space.toSuperview(rect) }

    final func rectFromSuperview(_ rect: CGRect) -> CGRect { space.fromSuperview(rect) }

    // MARK: Many steps

    /// The outermost ancestor. As the other view of a conversion, nil stands for its coordinates: a window's base.
    private var root: UIView {
        var top = self
        while let parent = top.parent { top = parent }
        return top
    }

    /// The number of views around the view.
    final var ancestorCount: Int {
        var (depth, view) = (0, self)
        while let parent = view.parent { (depth, view) = (depth + 1, parent) }
        return depth
    }

    /// The nearest view that is, or contains, both views. Nil between two windows, and between two trees outside
    /// windows: their roots have the screen in common.
    private func nearestAncestor(sharedWith other: UIView) -> UIView? {
        var (mine, theirs): (UIView?, UIView?) = (self, other)
        var ahead = ancestorCount - other.ancestorCount
        while ahead > 0 { (mine, ahead) = (mine?.parent, ahead - 1) }
        while ahead < 0 { (theirs, ahead) = (theirs?.parent, ahead + 1) }
        while mine !== theirs { (mine, theirs) = (mine?.parent, theirs?.parent) }
        return mine
    }

    /// Converts a point to an ancestor's coordinates.
    ///
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

    /// The box around the rect's corners in the ancestor's coordinates. Corners are converted through all steps, so
    /// that opposite rotations on the way cancel out.
    private func boxUp(_ rect: CGRect, to ancestor: UIView?) -> CGRect {
        guard hasTransform(below: ancestor) else {
            return CGRect(origin: pointUp(rect.origin, to: ancestor), size: rect.size)
        }
        return CGRect(around: rect.corners.map { pointUp($0, to: ancestor) })
    }

    private func boxDown(_ rect: CGRect, from ancestor: UIView?) -> CGRect {
        guard hasTransform(below: ancestor) else {
            return CGRect(origin: pointDown(rect.origin, from: ancestor), size: rect.size)
        }
        return CGRect(around: rect.corners.map { pointDown($0, from: ancestor) })
    }

    /// Whether a transform lies between this view's coordinates and the ancestor's.
    private func hasTransform(below ancestor: UIView?) -> Bool {
        var view: UIView? = self
        while let current = view, current !== ancestor {
            if current.space.isTransformed { return true }
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

    /// Converts a rect up to the nearest common ancestor, boxes it there, and converts the box down. Between two
    /// rotated branches a rect therefore grows twice. (E2.10)
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
