// CGPath.swift: the shapes of Core Graphics, which Foundation on Linux does not have.
//
// Output    UIBezierPath, CAShapeLayer; components that test touches against a shape
//
// Sources   documented  CGPath, CGPathElement
//           documented  contains(_:using:transform:) transforms the point

public import Foundation

/// The kind of an element of a path.
public enum CGPathElementType: Int32, Sendable {
    case moveToPoint, addLineToPoint, addQuadCurveToPoint, addCurveToPoint, closeSubpath
}

/// One element of a path, for the duration of a call.
public struct CGPathElement {
    public var type: CGPathElementType
    /// The points of the element: one for a move or a line, two for a quadratic curve, three for a cubic curve. The end
    /// point is the last one.
    public var points: UnsafeMutablePointer<CGPoint>
}

/// Which points are inside a path: those with a winding number that is not 0, or those that a ray leaves by an odd number
/// of crossings.
public enum CGPathFillRule: Int, Sendable { case winding, evenOdd }

/// The shape of a line's ends.
public enum CGLineCap: Int32, Sendable { case butt, round, square }

/// The shape of a line's corners.
public enum CGLineJoin: Int32, Sendable { case miter, round, bevel }

/// A shape of lines and curves that does not change.
public class CGPath {
    final var elements: [PathElement] {
        didSet { knownOutline = nil }
    }
    /// The outline of the elements, from the first question until they change.
    private final var knownOutline: PathOutline?

    init(_ elements: [PathElement]) { self.elements = elements }

    public convenience init(rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init(PathShapes.rect(rect).applying(transform))
    }

    public convenience init(ellipseIn rect: CGRect, transform: UnsafePointer<CGAffineTransform>?) {
        self.init(PathShapes.ellipse(in: rect).applying(transform))
    }

    /// - Parameters:
    ///   - rect: In points.
    ///   - cornerWidth: The horizontal radius of the corners, in points; at most half of the width.
    ///   - cornerHeight: The vertical radius of the corners, in points; at most half of the height.
    ///   - transform: Applied to the rectangle; nil for none.
    public convenience init(
        roundedRect rect: CGRect, cornerWidth: CGFloat, cornerHeight: CGFloat,
        transform: UnsafePointer<CGAffineTransform>?
    ) {
        let radii = CGSize(width: cornerWidth, height: cornerHeight)
        self.init(PathShapes.roundedRect(rect, radii: radii, corners: .allCorners).applying(transform))
    }

    // MARK: Copies

    public func copy() -> CGPath? { CGPath(elements) }
    public func copy(using transform: UnsafePointer<CGAffineTransform>?) -> CGPath? {
        CGPath(elements.applying(transform))
    }
    public func mutableCopy() -> CGMutablePath? { CGMutablePath(elements) }
    public func mutableCopy(using transform: UnsafePointer<CGAffineTransform>?) -> CGMutablePath? {
        CGMutablePath(elements.applying(transform))
    }

    /// The area that a line along this path covers. Its winding numbers are right; its elements are not Core Graphics'.
    ///
    /// - Parameters:
    ///   - lineWidth: In points.
    ///   - lineCap: The form of the ends of open subpaths.
    ///   - lineJoin: The form of corners.
    ///   - miterLimit: The greatest length of a miter, in widths of the line. A longer corner is a bevel.
    ///   - transform: Applied to this path before the line is drawn.
    public func copy(
        strokingWithWidth lineWidth: CGFloat, lineCap: CGLineCap, lineJoin: CGLineJoin, miterLimit: CGFloat,
        transform: CGAffineTransform = .identity
    ) -> CGPath {
        var stroke = PathStroke(width: lineWidth, cap: lineCap, join: lineJoin, miterLimit: miterLimit)
        stroke.add(elements.map { $0.applying(transform) })
        return CGPath(stroke.elements)
    }

    // MARK: Properties

    public var isEmpty: Bool { elements.isEmpty }
    /// The smallest upright rectangle around all points, control points included; null for an empty path.
    public var boundingBox: CGRect { elements.boxOfPoints }
    /// The smallest upright rectangle around the lines and curves; null for an empty path.
    public var boundingBoxOfPath: CGRect { elements.boxOfPieces }
    /// The point at which the next element starts; (0, 0) for an empty path.
    public var currentPoint: CGPoint {
        guard let last = elements.last else { return .zero }
        return last.points.last ?? subpathStart
    }

    /// The first point of the last subpath; (0, 0) for an empty path.
    final var subpathStart: CGPoint {
        for element in elements.reversed() {
            if case .move(let start) = element { return start }
        }
        return .zero
    }

    /// Whether a point is inside the area of the path. Open subpaths are closed for this question.
    ///
    /// - Parameters:
    ///   - point: In the coordinates of the path.
    ///   - rule: Which parts of a path that crosses itself are its area.
    ///   - transform: Applied to the point.
    public func contains(
        _ point: CGPoint, using rule: CGPathFillRule = .winding, transform: CGAffineTransform = .identity
    ) -> Bool {
        let outline = knownOutline ?? PathOutline(elements)
        knownOutline = outline
        let (winding, crossings) = outline.windingNumber(around: point.applying(transform))
        return rule == .winding ? winding != 0 : crossings % 2 != 0
    }

    /// Calls the block for each element, in order.
    public func applyWithBlock(_ block: (UnsafePointer<CGPathElement>) -> Void) {
        for element in elements {
            let kind: CGPathElementType =
                switch element {
                case .move: .moveToPoint
                case .line: .addLineToPoint
                case .quad: .addQuadCurveToPoint
                case .curve: .addCurveToPoint
                case .close: .closeSubpath
                }
            var points = element.points
            points.withUnsafeMutableBufferPointer { buffer in
                withUnsafeTemporaryAllocation(of: CGPoint.self, capacity: 1) { none in
                    let element = CGPathElement(type: kind, points: buffer.baseAddress ?? none.baseAddress!)
                    withUnsafePointer(to: element, block)
                }
            }
        }
    }
}

extension CGPath: Hashable {
    /// Whether two paths have the same elements.
    public static func == (a: CGPath, b: CGPath) -> Bool { a.elements == b.elements }
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension [PathElement] {
    func applying(_ transform: UnsafePointer<CGAffineTransform>?) -> [PathElement] {
        guard let transform else { return self }
        return map { $0.applying(transform.pointee) }
    }
}
