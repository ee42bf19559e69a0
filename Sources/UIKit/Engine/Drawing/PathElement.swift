// PathElement.swift: the elements of a path, and the points at which an element starts.
//
// Input     CGMutablePath, which appends elements
// Output    PathBounds.swift, PathContainment.swift and PathStroke.swift, which walk them
//
// A subpath begins with a move. A closed subpath ends at its first point, where the next element without a move starts.
//
// Sources   documented  CGPathElement, CGMutablePath.closeSubpath

import Foundation

/// One step of a path.
enum PathElement: Hashable, Sendable {
    case move(CGPoint)
    case line(CGPoint)
    case quad(control: CGPoint, CGPoint)
    case curve(control1: CGPoint, control2: CGPoint, CGPoint)
    case close

    /// The points of the element, the end point last. A close has none.
    var points: [CGPoint] {
        switch self {
        case .move(let end), .line(let end): [end]
        case .quad(let control, let end): [control, end]
        case .curve(let first, let second, let end): [first, second, end]
        case .close: []
        }
    }

    func applying(_ t: CGAffineTransform) -> PathElement {
        switch self {
        case .move(let end): .move(end.applying(t))
        case .line(let end): .line(end.applying(t))
        case .quad(let control, let end): .quad(control: control.applying(t), end.applying(t))
        case .curve(let first, let second, let end):
            .curve(control1: first.applying(t), control2: second.applying(t), end.applying(t))
        case .close: .close
        }
    }
}

/// A straight or curved piece of a path, with its start.
enum PathPiece {
    case line(CGPoint, CGPoint)
    case curve(CGPoint, CGPoint, CGPoint, CGPoint)

    var start: CGPoint {
        switch self {
        case .line(let start, _), .curve(let start, _, _, _): start
        }
    }
    var end: CGPoint {
        switch self {
        case .line(_, let end), .curve(_, _, _, let end): end
        }
    }
}

/// One subpath: its pieces in order, and whether the path closes it.
struct Subpath {
    var start: CGPoint
    var pieces: [PathPiece] = []
    var isClosed = false

    var end: CGPoint { pieces.last?.end ?? start }
}

extension [PathElement] {
    /// The subpaths. Quadratic curves become cubic curves of the same shape. A move that no piece follows is a subpath
    /// without pieces.
    var subpaths: [Subpath] {
        var made: [Subpath] = []
        var open: Subpath?
        var start = CGPoint.zero
        func piece(_ make: (CGPoint) -> PathPiece) {
            var subpath = open ?? Subpath(start: start)
            subpath.pieces.append(make(subpath.end))
            open = subpath
        }
        for element in self {
            switch element {
            case .move(let point):
                if let open { made.append(open) }
                open = Subpath(start: point)
                start = point
            case .line(let end): piece { .line($0, end) }
            case .quad(let control, let end):
                piece { start in
                    .curve(start, start.part(2 / 3, to: control), end.part(2 / 3, to: control), end)
                }
            case .curve(let first, let second, let end): piece { .curve($0, first, second, end) }
            case .close:
                guard var closed = open else { break }
                closed.isClosed = true
                made.append(closed)
                open = nil
            }
        }
        if let open { made.append(open) }
        return made
    }
}

extension CGPoint {
    /// The point at a part of the way to another point.
    func part(_ t: CGFloat, to end: CGPoint) -> CGPoint { CGPoint(x: x + (end.x - x) * t, y: y + (end.y - y) * t) }
}

/// A point of a cubic curve, by de Casteljau's construction.
func pointOfCurve(_ t: CGFloat, _ p: (CGPoint, CGPoint, CGPoint, CGPoint)) -> CGPoint {
    let (a, b, c) = (p.0.part(t, to: p.1), p.1.part(t, to: p.2), p.2.part(t, to: p.3))
    return a.part(t, to: b).part(t, to: b.part(t, to: c))
}

/// The parameters inside 0...1 at which one coordinate of a cubic curve turns, ascending.
func turnsOfCurve(_ a: CGFloat, _ b: CGFloat, _ c: CGFloat, _ d: CGFloat) -> [CGFloat] {
    // The derivative divided by 3: p t² + q t + r.
    let (p, q, r) = (d - a + 3 * (b - c), 2 * (a - 2 * b + c), b - a)
    let scale = max(abs(a), abs(b), abs(c), abs(d), 1)
    var found: [CGFloat] = []
    if abs(p) < 1e-14 * scale {
        if q != 0 { found = [-r / q] }
    } else {
        let discriminant = q * q - 4 * p * r
        guard discriminant >= 0 else { return [] }
        // This form does not subtract two nearly equal numbers.
        let s = -0.5 * (q + (q < 0 ? -discriminant.squareRoot() : discriminant.squareRoot()))
        found = s == 0 ? [0] : [s / p, r / s]
    }
    return found.filter { $0 > 0 && $0 < 1 }.sorted()
}
