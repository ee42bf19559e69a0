// PathContainment.swift: whether a point is inside the area that a path encloses.
//
// A ray from the point to the right crosses the pieces of the path. A piece that crosses downwards (y grows) counts 1, a
// piece that crosses upwards counts −1. The sum is the winding number; its parity is that of the number of crossings.
//
// The pieces and the cuts of curves are found once for each path, not for each point. A curve is cut where its y turns. Each part crosses the ray at most once; bisection finds the crossing to the accuracy of
// the numbers. A piece contains its start and not its end, so that a corner at the height of the ray counts once.
//
// Sources   documented  CGPathFillRule; open subpaths are closed for filling

import Foundation

/// The lines and curves of a path, every subpath closed. A path makes its outline once and asks it for many points.
struct PathOutline {
    private struct Curve {
        var points: (CGPoint, CGPoint, CGPoint, CGPoint)
        /// The box of the points, which contains the curve.
        var box: CGRect
        /// The parameters between which y does not turn, from 0 to 1.
        var cuts: [CGFloat]
    }

    private var lines: [(start: CGPoint, end: CGPoint)] = []
    private var curves: [Curve] = []

    init(_ elements: [PathElement]) {
        for subpath in elements.subpaths {
            for piece in subpath.pieces {
                switch piece {
                case .line(let start, let end): lines.append((start, end))
                case .curve(let a, let b, let c, let d):
                    curves.append(
                        Curve(
                            points: (a, b, c, d), box: CGRect(around: [a, b, c, d]),
                            cuts: [0] + turnsOfCurve(a.y, b.y, c.y, d.y) + [1]))
                }
            }
            lines.append((subpath.end, subpath.start))
        }
    }

    /// The winding number of the path around a point.
    func windingNumber(around point: CGPoint) -> (winding: Int, crossings: Int) {
        var result = (winding: 0, crossings: 0)
        func count(_ direction: Int) {
            guard direction != 0 else { return }
            result.winding += direction
            result.crossings += 1
        }
        for line in lines { count(crossing(line.start, line.end, point)) }
        for curve in curves
        where curve.box.minY <= point.y && curve.box.maxY >= point.y && curve.box.maxX >= point.x {
            for index in 1..<curve.cuts.count {
                count(crossing(curve.points, curve.cuts[index - 1], curve.cuts[index], point))
            }
        }
        return result
    }
}

/// The direction in which a line crosses the ray from a point to the right: 1 downwards, −1 upwards, 0 not at all.
private func crossing(_ start: CGPoint, _ end: CGPoint, _ point: CGPoint) -> Int {
    let isDownwards = start.y <= point.y && end.y > point.y
    guard isDownwards || (end.y <= point.y && start.y > point.y) else { return 0 }
    let side = (end.x - start.x) * (point.y - start.y) - (point.x - start.x) * (end.y - start.y)
    return isDownwards ? (side > 0 ? 1 : 0) : (side < 0 ? -1 : 0)
}

/// The direction in which a part of a curve, whose y does not turn, crosses the ray.
private func crossing(
    _ curve: (CGPoint, CGPoint, CGPoint, CGPoint), _ from: CGFloat, _ to: CGFloat, _ point: CGPoint
) -> Int {
    let start = from == 0 ? curve.0 : pointOfCurve(from, curve)
    let end = to == 1 ? curve.3 : pointOfCurve(to, curve)
    let isDownwards = start.y <= point.y && end.y > point.y
    guard isDownwards || (end.y <= point.y && start.y > point.y) else { return 0 }
    var (low, high) = (from, to)
    for _ in 0..<60 {
        let middle = (low + high) / 2
        if (pointOfCurve(middle, curve).y <= point.y) == isDownwards { low = middle } else { high = middle }
    }
    guard pointOfCurve((low + high) / 2, curve).x > point.x else { return 0 }
    return isDownwards ? 1 : -1
}
