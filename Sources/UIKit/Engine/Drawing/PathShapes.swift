// PathShapes.swift: the elements of arcs, ellipses and rectangles.
//
// Angles are in radians and grow clockwise if y points down. An arc consists of cubic curves of at most a quarter turn,
// which are at most 0.03 % of the radius away from the circle.
//
// Sources   documented  the shapes of CGMutablePath
//           inferred    the order of an ellipse's curves: from the middle of the right edge over the bottom
//           invented    an arc of more than one turn runs round once, and then to its end

import Foundation

enum PathShapes {
    /// The part of a quarter circle's tangent that ends at the control point: 4/3 tan(π/8).
    static let kappa: CGFloat = 0.552284749830793398402251632279597438

    static func rect(_ rect: CGRect) -> [PathElement] {
        let corners = rect.corners
        return [.move(corners[0]), .line(corners[1]), .line(corners[2]), .line(corners[3]), .close]
    }

    static func ellipse(in rect: CGRect) -> [PathElement] {
        let (x, y, rx, ry) = (rect.midX, rect.midY, rect.width / 2, rect.height / 2)
        let (kx, ky) = (rx * kappa, ry * kappa)
        func at(_ dx: CGFloat, _ dy: CGFloat) -> CGPoint { CGPoint(x: x + dx, y: y + dy) }
        return [
            .move(at(rx, 0)), .curve(control1: at(rx, ky), control2: at(kx, ry), at(0, ry)),
            .curve(control1: at(-kx, ry), control2: at(-rx, ky), at(-rx, 0)),
            .curve(control1: at(-rx, -ky), control2: at(-kx, -ry), at(0, -ry)),
            .curve(control1: at(kx, -ry), control2: at(rx, -ky), at(rx, 0)), .close,
        ]
    }

    /// A rectangle with elliptic corners, clockwise from the left end of the top edge if y points down.
    ///
    /// - Parameter radii: Of the corners; a corner that is not in `corners` is square. Radii are limited to half of the
    ///   rectangle's size.
    static func roundedRect(_ rect: CGRect, radii: CGSize, corners: UIRectCorner) -> [PathElement] {
        let rect = rect.standardized
        let (rx, ry) = (min(max(radii.width, 0), rect.width / 2), min(max(radii.height, 0), rect.height / 2))
        guard rx > 0, ry > 0 else { return Self.rect(rect) }
        let (kx, ky) = (rx * (1 - kappa), ry * (1 - kappa))
        func size(_ corner: UIRectCorner) -> (CGFloat, CGFloat) { corners.contains(corner) ? (rx, ry) : (0, 0) }
        func at(_ x: CGFloat, _ y: CGFloat) -> CGPoint { CGPoint(x: x, y: y) }
        let (left, top, right, bottom) = (rect.minX, rect.minY, rect.maxX, rect.maxY)
        let (topLeft, topRight) = (size(.topLeft), size(.topRight))
        let (bottomRight, bottomLeft) = (size(.bottomRight), size(.bottomLeft))
        var elements: [PathElement] = [.move(at(left + topLeft.0, top)), .line(at(right - topRight.0, top))]
        if topRight.0 > 0 {
            elements.append(
                .curve(control1: at(right - kx, top), control2: at(right, top + ky), at(right, top + ry)))
        }
        elements.append(.line(at(right, bottom - bottomRight.1)))
        if bottomRight.0 > 0 {
            elements.append(
                .curve(control1: at(right, bottom - ky), control2: at(right - kx, bottom), at(right - rx, bottom)))
        }
        elements.append(.line(at(left + bottomLeft.0, bottom)))
        if bottomLeft.0 > 0 {
            elements.append(
                .curve(control1: at(left + kx, bottom), control2: at(left, bottom - ky), at(left, bottom - ry)))
        }
        elements.append(.line(at(left, top + topLeft.1)))
        if topLeft.0 > 0 {
            elements.append(.curve(control1: at(left, top + ky), control2: at(left + kx, top), at(left + rx, top)))
        }
        elements.append(.close)
        return elements
    }

    /// The angle through which an arc turns.
    ///
    /// - Parameter growing: Whether the angle grows along the arc.
    static func turn(from start: CGFloat, to end: CGFloat, growing: Bool) -> CGFloat {
        let full = 2 * CGFloat.pi
        let difference = growing ? end - start : start - end
        var turn = difference
        if difference < 0 {
            turn = difference.truncatingRemainder(dividingBy: full)
            if turn < 0 { turn += full }
        } else if difference > full {
            turn = full + difference.truncatingRemainder(dividingBy: full)
        }
        return growing ? turn : -turn
    }

    /// The start of an arc, and the curves from there.
    static func arc(
        center: CGPoint, radius: CGFloat, from start: CGFloat, through turn: CGFloat
    ) -> (start: CGPoint, curves: [PathElement]) {
        func at(_ angle: CGFloat) -> (point: CGPoint, tangent: CGPoint) {
            let (sine, cosine) = (sin(angle), cos(angle))
            return (
                CGPoint(x: center.x + radius * cosine, y: center.y + radius * sine), CGPoint(x: -sine, y: cosine)
            )
        }
        let count = max(1, Int((abs(turn) / (.pi / 2) - 1e-9).rounded(.up)))
        let step = turn / CGFloat(count)
        let reach = radius * 4 / 3 * tan(step / 4)
        var from = at(start)
        let first = from.point
        var curves: [PathElement] = []
        guard turn != 0 else { return (first, []) }
        for index in 1...count {
            let to = at(start + step * CGFloat(index))
            curves.append(
                .curve(
                    control1: CGPoint(
                        x: from.point.x + from.tangent.x * reach, y: from.point.y + from.tangent.y * reach),
                    control2: CGPoint(x: to.point.x - to.tangent.x * reach, y: to.point.y - to.tangent.y * reach),
                    to.point))
            from = to
        }
        return (first, curves)
    }
}
