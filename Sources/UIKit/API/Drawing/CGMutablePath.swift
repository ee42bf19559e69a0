// CGMutablePath.swift: a path to which lines and curves are added.
//
// Sources   documented  CGMutablePath; a line or a curve of a path without a current point is an error that adds nothing
//           documented  `clockwise` is meant for y upwards: with y downwards, a clockwise arc looks counterclockwise

public import Foundation

/// A path to which lines and curves are added. Each point passes through the transform of its call.
public class CGMutablePath: CGPath {
    override init(_ elements: [PathElement]) { super.init(elements) }

    public convenience init() { self.init([]) }

    private func add(_ new: [PathElement], _ transform: CGAffineTransform) {
        elements += transform.isIdentity ? new : new.map { $0.applying(transform) }
    }

    /// Adds an element that starts at the current point. Without a current point nothing is added.
    private func extend(_ element: PathElement, _ transform: CGAffineTransform) {
        guard !elements.isEmpty else { return }
        if elements.last == .close { elements.append(.move(subpathStart)) }
        add([element], transform)
    }

    // MARK: Lines and curves

    public func move(to point: CGPoint, transform: CGAffineTransform = .identity) {
        // A move after a move replaces it, because the first one has drawn nothing.
        if case .move = elements.last { elements.removeLast() }
        add([.move(point)], transform)
    }

    public func addLine(to point: CGPoint, transform: CGAffineTransform = .identity) {
        extend(.line(point), transform)
    }

    public func addQuadCurve(to end: CGPoint, control: CGPoint, transform: CGAffineTransform = .identity) {
        extend(.quad(control: control, end), transform)
    }

    public func addCurve(
        to end: CGPoint, control1: CGPoint, control2: CGPoint, transform: CGAffineTransform = .identity
    ) {
        extend(.curve(control1: control1, control2: control2, end), transform)
    }

    /// Ends the subpath with a line to its first point, which is the current point from then on.
    public func closeSubpath() {
        guard !elements.isEmpty, elements.last != .close else { return }
        elements.append(.close)
    }

    /// Adds lines from the first point over all others, as a subpath of their own.
    public func addLines(between points: [CGPoint], transform: CGAffineTransform = .identity) {
        guard let first = points.first else { return }
        move(to: first, transform: transform)
        for point in points.dropFirst() { addLine(to: point, transform: transform) }
    }

    // MARK: Shapes

    public func addRect(_ rect: CGRect, transform: CGAffineTransform = .identity) {
        add(PathShapes.rect(rect), transform)
    }

    public func addRects(_ rects: [CGRect], transform: CGAffineTransform = .identity) {
        for rect in rects { addRect(rect, transform: transform) }
    }

    public func addEllipse(in rect: CGRect, transform: CGAffineTransform = .identity) {
        add(PathShapes.ellipse(in: rect), transform)
    }

    public func addRoundedRect(
        in rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat, transform: CGAffineTransform = .identity
    ) {
        let radii = CGSize(width: cornerWidth, height: cornerHeight)
        add(PathShapes.roundedRect(rect, radii: radii, corners: .allCorners), transform)
    }

    public func addPath(_ path: CGPath, transform: CGAffineTransform = .identity) { add(path.elements, transform) }

    // MARK: Arcs

    /// Adds an arc of a circle, and a line to its start if there is a current point.
    ///
    /// - Parameters:
    ///   - center: The center of the circle.
    ///   - radius: In points.
    ///   - startAngle: In radians.
    ///   - endAngle: In radians.
    ///   - clockwise: Whether the angle shrinks along the arc. With y downwards such an arc looks counterclockwise.
    ///   - transform: Applied to the arc.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool,
        transform: CGAffineTransform = .identity
    ) {
        let turn = PathShapes.turn(from: startAngle, to: endAngle, growing: !clockwise)
        addRelativeArc(center: center, radius: radius, startAngle: startAngle, delta: turn, transform: transform)
    }

    /// Adds an arc that turns through `delta` radians.
    public func addRelativeArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, delta: CGFloat,
        transform: CGAffineTransform = .identity
    ) {
        let arc = PathShapes.arc(center: center, radius: radius, from: startAngle, through: delta)
        if elements.isEmpty {
            move(to: arc.start, transform: transform)
        } else {
            addLine(to: arc.start, transform: transform)
        }
        add(arc.curves, transform)
    }

    /// Adds the arc of a circle that touches the line from the current point to `tangent1End`, and the line from there to
    /// `tangent2End`; and a line to its start.
    public func addArc(
        tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat, transform: CGAffineTransform = .identity
    ) {
        guard !elements.isEmpty else { return }
        let start = currentPoint.applying(transform.inverted())
        let (corner, end) = (tangent1End, tangent2End)
        let (first, second) = (
            CGPoint(x: start.x - corner.x, y: start.y - corner.y), CGPoint(x: end.x - corner.x, y: end.y - corner.y)
        )
        let lengths = hypot(first.x, first.y) * hypot(second.x, second.y)
        let (cross, dot) = (first.x * second.y - first.y * second.x, first.x * second.x + first.y * second.y)
        guard lengths > 0, radius > 0, abs(cross) > 1e-12 * lengths else {
            return addLine(to: corner, transform: transform)
        }
        let half = atan2(abs(cross), dot) / 2
        let distance = radius / tan(half)
        let (a, b) = (1 / hypot(first.x, first.y), 1 / hypot(second.x, second.y))
        let touch = CGPoint(x: corner.x + first.x * a * distance, y: corner.y + first.y * a * distance)
        let other = CGPoint(x: corner.x + second.x * b * distance, y: corner.y + second.y * b * distance)
        let middle = CGPoint(x: first.x * a + second.x * b, y: first.y * a + second.y * b)
        let reach = radius / sin(half) / hypot(middle.x, middle.y)
        let center = CGPoint(x: corner.x + middle.x * reach, y: corner.y + middle.y * reach)
        addArc(
            center: center, radius: radius, startAngle: atan2(touch.y - center.y, touch.x - center.x),
            endAngle: atan2(other.y - center.y, other.x - center.x), clockwise: cross > 0, transform: transform)
    }
}
