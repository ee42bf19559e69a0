// HitRegion.swift: where a hit test can reach a view: its bounds inside the bounds of its ancestors, as a rectangle in the
// coordinates of a hit index's root.
//
// Station   hitTest
// Input     HitIndex+Build.swift, for each view of an index and each view that moved
// Output    certainty: a point is inside, outside, or too near to an edge
// Knows     one view and the region of its superview
//
// The walk converts a point step by step, and each step rounds. A region is computed with one shift for all steps. The
// difference is less than `slack`, so that a point farther from each edge than that has the walk's answer:
//
//     each step rounds twice: q' = (q − center) + anchor     error ≤ 2u (|q| + |center| + |anchor|),  u = 2⁻⁵³
//     the shift rounds twice, an edge once                    error ≤ 3u (their magnitudes)
//
// `slack` adds 8u times the sum of all magnitudes for each step. No operation rounds if all numbers are multiples of 2⁻¹⁶
// below 2³⁴, as the positions of touches and the frames of most views are. Then the edges are exact (`isExact`).
//
// A view with a transform has the box around its bounds, with a margin. The walk decides there.
//
// Sources   documented  half-open bounds (B3.3); a view is not hit outside its superview, clipped or not (B3.4)

import Foundation

struct HitRegion {
    var minX, minY, maxX, maxY: CGFloat
    /// Bounds the difference to the walk's computation, in points.
    var slack: CGFloat
    /// A position in the root's coordinates is the view's own position plus the shift.
    var shiftX, shiftY: CGFloat
    /// Whether no computation of the walk rounds on the way to this view, for points that are multiples of 2⁻¹⁶.
    var isExact: Bool

    /// Points of a hit test in an index are nearer to 0 than this.
    static var reach: CGFloat { 0x1p24 }
    /// The coordinates of a view in an index are nearer to 0 than this.
    static var limit: CGFloat { 0x1p40 }

    /// The region of a root, whose own bounds the walk tests.
    static var root: HitRegion {
        HitRegion(
            minX: -0x1p60, minY: -0x1p60, maxX: 0x1p60, maxY: 0x1p60, slack: 0, shiftX: 0, shiftY: 0, isExact: true)
    }

    /// Whether the walk may find the point inside.
    @inline(__always)
    func mayContain(_ point: CGPoint) -> Bool {
        point.x >= minX - slack && point.x <= maxX + slack && point.y >= minY - slack && point.y <= maxY + slack
    }

    /// Whether the walk finds the point inside, without doubt.
    @inline(__always)
    func certainlyContains(_ point: CGPoint) -> Bool {
        point.x >= minX + slack && point.x < maxX - slack && point.y >= minY + slack && point.y < maxY - slack
    }

    /// The walk's answer, if its computation does not round.
    func exactlyContains(_ point: CGPoint) -> Bool? {
        guard isExact, Self.isExact(point.x), Self.isExact(point.y) else { return nil }
        return point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    /// Whether the number is a multiple of 2⁻¹⁶ below 2³⁴.
    @inline(__always)
    private static func isExact(_ number: CGFloat) -> Bool {
        guard abs(number) < 0x1p34 else { return false }
        let scaled = number * 0x1p16
        return CGFloat(Int64(scaled)) == scaled
    }

    // MARK: Making

    /// The region of a view.
    ///
    /// - Parameters:
    ///   - parent: The superview's region.
    ///   - reach: The greatest coordinate that a point inside the superview can have.
    @inline(__always)
    init(of space: ViewSpace, in parent: HitRegion, reach: CGFloat) {
        self = parent
        guard !space.isTransformed else {
            intersect(withBoxOf: space)
            return
        }
        let (bounds, center) = (space.bounds, space.center)
        let anchor = bounds.point(at: space.anchor)
        shiftX += center.x - anchor.x
        shiftY += center.y - anchor.y
        let (right, bottom) = (bounds.origin.x + bounds.size.width, bounds.origin.y + bounds.size.height)
        let (x0, x1) = (shiftX + bounds.origin.x, shiftX + right)
        let (y0, y1) = (shiftY + bounds.origin.y, shiftY + bottom)
        let horizontal = abs(center.x) + abs(anchor.x) + abs(shiftX) + abs(x0) + abs(x1)
        let vertical = abs(center.y) + abs(anchor.y) + abs(shiftY) + abs(y0) + abs(y1)
        slack += (reach + horizontal + vertical) * 0x1p-50
        isExact =
            isExact && Self.isExact(center.x) && Self.isExact(center.y) && Self.isExact(anchor.x)
            && Self.isExact(anchor.y) && Self.isExact(bounds.origin.x) && Self.isExact(bounds.origin.y)
            && Self.isExact(right) && Self.isExact(bottom) && reach + horizontal + vertical < 0x1p34
        (minX, minY) = (max(minX, x0), max(minY, y0))
        (maxX, maxY) = (min(maxX, x1), min(maxY, y1))
    }

    /// Reduces the superview's region to the box around a transformed view.
    private mutating func intersect(withBoxOf space: ViewSpace) {
        isExact = false
        let (bounds, center, transform) = (space.bounds, space.center, space.transform)
        let determinant = transform.a * transform.d - transform.b * transform.c
        let square =
            transform.a * transform.a + transform.b * transform.b + transform.c * transform.c
            + transform.d * transform.d
        // The inverse of a transform that is nearly singular, or of extreme size, tells little about the points inside.
        guard square > 1e-6, square < 1e6, abs(determinant) > 1e-4 * square else { return }
        let anchor = bounds.point(at: space.anchor)
        let (left, top) = (bounds.origin.x - anchor.x, bounds.origin.y - anchor.y)
        let (right, bottom) = (left + bounds.size.width, top + bounds.size.height)
        let ax = (transform.a * left, transform.a * right)
        let cx = (transform.c * top, transform.c * bottom)
        let by = (transform.b * left, transform.b * right)
        let dy = (transform.d * top, transform.d * bottom)
        let (baseX, baseY) = (shiftX + center.x + transform.tx, shiftY + center.y + transform.ty)
        let (x0, x1) = (baseX + min(ax.0, ax.1) + min(cx.0, cx.1), baseX + max(ax.0, ax.1) + max(cx.0, cx.1))
        let (y0, y1) = (baseY + min(by.0, by.1) + min(dy.0, dy.1), baseY + max(by.0, by.1) + max(dy.0, dy.1))
        let size = abs(x0) + abs(x1) + abs(y0) + abs(y1) + abs(center.x) + abs(center.y) + abs(anchor.x) + abs(anchor.y)
        let margin = 1e-3 + size * 1e-6
        (minX, minY) = (max(minX, x0 - margin), max(minY, y0 - margin))
        (maxX, maxY) = (min(maxX, x1 + margin), min(maxY, y1 + margin))
    }

    init(
        minX: CGFloat, minY: CGFloat, maxX: CGFloat, maxY: CGFloat, slack: CGFloat, shiftX: CGFloat, shiftY: CGFloat,
        isExact: Bool
    ) {
        (self.minX, self.minY, self.maxX, self.maxY) = (minX, minY, maxX, maxY)
        (self.slack, self.shiftX, self.shiftY, self.isExact) = (slack, shiftX, shiftY, isExact)
    }

    /// The region that contains no point.
    mutating func empty() { (minX, minY, maxX, maxY, isExact) = (0, 0, -0x1p60, -0x1p60, false) }
}

extension ViewSpace {
    /// Whether the view's coordinates are small enough for the computation of regions.
    @inline(__always)
    var fitsHitIndex: Bool {
        let limit = HitRegion.limit
        let anchor = bounds.point(at: anchor)
        return abs(center.x) < limit && abs(center.y) < limit && abs(bounds.origin.x) < limit
            && abs(bounds.origin.y) < limit && abs(bounds.size.width) < limit && abs(bounds.size.height) < limit
            && abs(anchor.x) < limit && abs(anchor.y) < limit
            && (!isTransformed || (abs(transform.tx) < limit && abs(transform.ty) < limit))
    }

    /// The greatest coordinate of a point inside the bounds, and 1 more.
    @inline(__always)
    var reach: CGFloat {
        let (right, bottom) = (bounds.origin.x + bounds.size.width, bounds.origin.y + bounds.size.height)
        return 1 + max(max(abs(bounds.origin.x), abs(right)), max(abs(bounds.origin.y), abs(bottom)))
    }
}
