// PathStroke.swift: the area that a line of some width along a path covers, as a path.
//
// The area is the union of simple shapes, filled by the winding rule: a rectangle for each straight piece, a shape for each
// corner, and a shape for each end. All shapes turn in the same direction, so that overlaps do not cancel out. Curves become
// polylines first.
//
// Sources   documented  CGPath.copy(strokingWithWidth:lineCap:lineJoin:miterLimit:transform:)
//           invented    a polyline is at most 1/64 pt away from its curve; the elements of the result

import Foundation

/// Makes the outline of a stroke.
struct PathStroke {
    var halfWidth: CGFloat
    var cap: CGLineCap
    var join: CGLineJoin
    var miterLimit: CGFloat
    private(set) var elements: [PathElement] = []

    init(width: CGFloat, cap: CGLineCap, join: CGLineJoin, miterLimit: CGFloat) {
        halfWidth = abs(width) / 2
        (self.cap, self.join, self.miterLimit) = (cap, join, miterLimit)
    }

    mutating func add(_ path: [PathElement]) {
        for subpath in path.subpaths {
            var points = [subpath.start]
            for piece in subpath.pieces { points += piece.polyline }
            // Equal neighbors have no direction.
            var line: [CGPoint] = []
            for point in points where line.last != point { line.append(point) }
            if subpath.isClosed, line.count > 1, line.first == line.last { line.removeLast() }
            if line.count == 1 {
                if !subpath.pieces.isEmpty || subpath.isClosed { addDot(at: line[0]) }
            } else {
                add(line, isClosed: subpath.isClosed)
            }
        }
    }

    private mutating func add(_ line: [CGPoint], isClosed: Bool) {
        let last = line.count - 1
        for index in 0..<last { addSegment(line[index], line[index + 1]) }
        if isClosed { addSegment(line[last], line[0]) }
        for index in 1..<max(last, 1) { addJoin(line[index - 1], line[index], line[index + 1]) }
        if isClosed {
            addJoin(line[last - 1], line[last], line[0])
            addJoin(line[last], line[0], line[1])
        } else {
            addCap(at: line[0], from: line[1])
            addCap(at: line[last], from: line[last - 1])
        }
    }

    // MARK: Shapes

    private mutating func addSegment(_ start: CGPoint, _ end: CGPoint) {
        let side = normal(start, end)
        addPolygon([start + side, end + side, end - side, start - side])
    }

    private mutating func addJoin(_ before: CGPoint, _ corner: CGPoint, _ after: CGPoint) {
        var (first, second) = (normal(before, corner), normal(corner, after))
        let turn = first.x * second.y - first.y * second.x
        if join == .round { return addCircle(at: corner) }
        guard turn != 0 else { return }
        // The outside of the corner.
        if turn > 0 { (first, second) = (CGPoint.zero - first, CGPoint.zero - second) }
        let sum = first + second
        let (square, length) = (halfWidth * halfWidth, sum.x * sum.x + sum.y * sum.y)
        // The length of a miter, in widths of the line, is 1 / sin(angle / 2) = 2 × half width / length of the sum.
        if join == .miter, length > 0, 4 * square <= miterLimit * miterLimit * length {
            let tip = CGPoint(x: sum.x * 2 * square / length, y: sum.y * 2 * square / length)
            addPolygon([corner, corner + first, corner + tip, corner + second])
        } else {
            addPolygon([corner, corner + first, corner + second])
        }
    }

    private mutating func addCap(at end: CGPoint, from inner: CGPoint) {
        switch cap {
        case .butt: break
        case .round: addCircle(at: end)
        case .square:
            let side = normal(inner, end)
            let ahead = CGPoint(x: side.y, y: -side.x)
            addPolygon([end + side, end + side + ahead, end - side + ahead, end - side])
        }
    }

    private mutating func addDot(at point: CGPoint) {
        switch cap {
        case .butt: break
        case .round: addCircle(at: point)
        case .square:
            let (h, w) = (halfWidth, 2 * halfWidth)
            addPolygon(CGRect(x: point.x - h, y: point.y - h, width: w, height: w).corners)
        }
    }

    private mutating func addCircle(at center: CGPoint) {
        let box = CGRect(
            x: center.x - halfWidth, y: center.y - halfWidth, width: 2 * halfWidth, height: 2 * halfWidth)
        elements += PathShapes.ellipse(in: box)
    }

    private mutating func addPolygon(_ points: [CGPoint]) {
        var area: CGFloat = 0
        for (a, b) in zip(points, points.dropFirst() + points.prefix(1)) { area += a.x * b.y - a.y * b.x }
        let ordered = area < 0 ? points.reversed() : points
        elements.append(.move(ordered[0]))
        elements += ordered.dropFirst().map { .line($0) }
        elements.append(.close)
    }

    /// The vector across a line, half as long as the line is wide.
    private func normal(_ start: CGPoint, _ end: CGPoint) -> CGPoint {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let scale = halfWidth / (dx * dx + dy * dy).squareRoot()
        return CGPoint(x: -dy * scale, y: dx * scale)
    }
}

extension PathPiece {
    /// Points along the piece, without its start.
    var polyline: [CGPoint] {
        guard case .curve(let a, let b, let c, let d) = self else { return [end] }
        // The second differences of the control points limit the distance between a curve and its chords.
        let (first, second) = (a + c - b - b, b + d - c - c)
        let bend = max(abs(first.x) + abs(first.y), abs(second.x) + abs(second.y))
        let count = min(max(Int((bend * 48).squareRoot().rounded(.up)), 1), 256)
        return (1...count).map { $0 == count ? d : pointOfCurve(CGFloat($0) / CGFloat(count), (a, b, c, d)) }
    }
}

private func + (a: CGPoint, b: CGPoint) -> CGPoint { CGPoint(x: a.x + b.x, y: a.y + b.y) }
private func - (a: CGPoint, b: CGPoint) -> CGPoint { CGPoint(x: a.x - b.x, y: a.y - b.y) }
