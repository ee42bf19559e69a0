// UIBezierPath.swift: a path with the properties of the line that draws it.
//
// Sources   documented  UIBezierPath; `bounds` contains control points
//           documented  NSSecureCoding, NSCopying
//           inferred    `cgPath` can be cast to CGMutablePath, as both are one type of Core Foundation
//           invented    corners are quarter ellipses: iOS rounds them with a continuous curvature

public import Foundation

/// Corners of a rectangle.
public struct UIRectCorner: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let topLeft = UIRectCorner(rawValue: 1 << 0)
    public static let topRight = UIRectCorner(rawValue: 1 << 1)
    public static let bottomLeft = UIRectCorner(rawValue: 1 << 2)
    public static let bottomRight = UIRectCorner(rawValue: 1 << 3)
    public static let allCorners = UIRectCorner(rawValue: .max)
}

/// A path with the properties of the line that draws it. Angles are in radians and grow clockwise, as y points down.
open class UIBezierPath: NSObject, NSCopying, NSSecureCoding {
    private final var path = CGMutablePath()

    public required override init() { super.init() }

    public convenience init(rect: CGRect) {
        self.init()
        path.addRect(rect)
    }

    public convenience init(ovalIn rect: CGRect) {
        self.init()
        path.addEllipse(in: rect)
    }

    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        // The corners stay round: the radius is at most half of the shorter side.
        let radius = min(cornerRadius, abs(rect.width) / 2, abs(rect.height) / 2)
        let radii = CGSize(width: radius, height: radius)
        self.init(roundedRect: rect, byRoundingCorners: .allCorners, cornerRadii: radii)
    }

    public convenience init(roundedRect rect: CGRect, byRoundingCorners corners: UIRectCorner, cornerRadii: CGSize) {
        self.init()
        path.elements = PathShapes.roundedRect(rect, radii: cornerRadii, corners: corners)
    }

    public convenience init(
        arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        self.init()
        addArc(withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }

    public convenience init(cgPath CGPath: CGPath) {
        self.init()
        cgPath = CGPath
    }

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// Reads a path. Nil for an archive that `encode(with:)` has not written.
    public required convenience init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding, let data = coder.decodeObject(of: NSData.self, forKey: "elements"),
            let elements = [PathElement](archived: Data(referencing: data))
        else { return nil }
        self.init()
        path.elements = elements
        lineWidth = CGFloat(coder.decodeDouble(forKey: "lineWidth"))
        lineCapStyle = CGLineCap(rawValue: coder.decodeInt32(forKey: "lineCapStyle")) ?? .butt
        lineJoinStyle = CGLineJoin(rawValue: coder.decodeInt32(forKey: "lineJoinStyle")) ?? .miter
        miterLimit = CGFloat(coder.decodeDouble(forKey: "miterLimit"))
        flatness = CGFloat(coder.decodeDouble(forKey: "flatness"))
        usesEvenOddFillRule = coder.decodeBool(forKey: "usesEvenOddFillRule")
        let lengths = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "dash.lengths")
        dash.lengths = (lengths as? [NSNumber] ?? []).map { CGFloat($0.doubleValue) }
        dash.phase = CGFloat(coder.decodeDouble(forKey: "dash.phase"))
    }

    /// Writes the path and the properties of its line. Apple's UIKit cannot read this archive.
    open func encode(with coder: NSCoder) {
        coder.encode(NSData(data: path.elements.archived), forKey: "elements")
        coder.encode(Double(lineWidth), forKey: "lineWidth")
        coder.encode(lineCapStyle.rawValue, forKey: "lineCapStyle")
        coder.encode(lineJoinStyle.rawValue, forKey: "lineJoinStyle")
        coder.encode(Double(miterLimit), forKey: "miterLimit")
        coder.encode(Double(flatness), forKey: "flatness")
        coder.encode(usesEvenOddFillRule, forKey: "usesEvenOddFillRule")
        coder.encode(NSArray(array: dash.lengths.map { NSNumber(value: Double($0)) }), forKey: "dash.lengths")
        coder.encode(Double(dash.phase), forKey: "dash.phase")
    }

    // MARK: Path

    /// A copy of the path. Code may cast it to `CGMutablePath`, as on iOS.
    open var cgPath: CGPath {
        get { CGMutablePath(path.elements) }
        set { path = CGMutablePath(newValue.elements) }
    }

    open func move(to point: CGPoint) { path.move(to: point) }
    open func addLine(to point: CGPoint) { path.addLine(to: point) }
    open func addCurve(to endPoint: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        path.addCurve(to: endPoint, control1: controlPoint1, control2: controlPoint2)
    }
    open func addQuadCurve(to endPoint: CGPoint, controlPoint: CGPoint) {
        path.addQuadCurve(to: endPoint, control: controlPoint)
    }
    open func addArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        // Core Graphics names directions for y upwards.
        path.addArc(
            center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: !clockwise)
    }
    open func close() { path.closeSubpath() }
    open func removeAllPoints() { path = CGMutablePath() }
    open func append(_ bezierPath: UIBezierPath) { path.addPath(bezierPath.path) }
    open func apply(_ transform: CGAffineTransform) {
        path.elements = path.elements.map { $0.applying(transform) }
    }

    /// The same shape, drawn from its end to its start.
    open func reversing() -> UIBezierPath {
        let made = copy() as! UIBezierPath
        made.path.elements = []
        for subpath in path.elements.subpaths.reversed() {
            made.path.move(to: subpath.end)
            for piece in subpath.pieces.reversed() {
                switch piece {
                case .line(let start, _): made.path.addLine(to: start)
                case .curve(let start, let first, let second, _):
                    made.path.addCurve(to: start, control1: second, control2: first)
                }
            }
            if subpath.isClosed { made.path.closeSubpath() }
        }
        return made
    }

    open var isEmpty: Bool { path.isEmpty }
    /// The smallest upright rectangle around all points, control points included; null for an empty path.
    open var bounds: CGRect { path.boundingBox }
    open var currentPoint: CGPoint { path.currentPoint }
    /// Whether the point is inside the area of the path, by the rule that `usesEvenOddFillRule` names.
    open func contains(_ point: CGPoint) -> Bool {
        path.contains(point, using: usesEvenOddFillRule ? .evenOdd : .winding)
    }

    // MARK: Line

    /// In points.
    open var lineWidth: CGFloat = 1
    open var lineCapStyle = CGLineCap.butt
    open var lineJoinStyle = CGLineJoin.miter
    open var miterLimit: CGFloat = 10
    /// No effect here.
    open var flatness: CGFloat = 0.6
    open var usesEvenOddFillRule = false
    private final var dash: (lengths: [CGFloat], phase: CGFloat) = ([], 0)

    /// Sets the lengths of dashes and gaps, in points. Nil and 0 mean a solid line. No effect here, except on `getLineDash`.
    open func setLineDash(_ pattern: UnsafePointer<CGFloat>?, count: Int, phase: CGFloat) {
        dash = (Array(UnsafeBufferPointer(start: pattern, count: pattern == nil ? 0 : count)), phase)
    }

    /// Writes the lengths of dashes and gaps, their number and the phase.
    open func getLineDash(
        _ pattern: UnsafeMutablePointer<CGFloat>?, count: UnsafeMutablePointer<Int>?,
        phase: UnsafeMutablePointer<CGFloat>?
    ) {
        if let pattern { for (index, length) in dash.lengths.enumerated() { pattern[index] = length } }
        count?.pointee = dash.lengths.count
        phase?.pointee = dash.phase
    }

    // MARK: Drawing

    /// No effect: nothing is drawn here. The same holds for the other functions that draw.
    open func fill() {}
    open func stroke() {}
    open func fill(with blendMode: CGBlendMode, alpha: CGFloat) {}
    open func stroke(with blendMode: CGBlendMode, alpha: CGFloat) {}
    /// Clips the current context. Nothing is drawn, but the context knows its clip.
    open func addClip() {
        guard let context = UIGraphicsGetCurrentContext() else { return }
        context.addPath(cgPath)
        context.clip()
    }

    // MARK: Copying

    open func copy(with zone: NSZone? = nil) -> Any {
        let made = type(of: self).init()
        made.path = CGMutablePath(path.elements)
        (made.lineWidth, made.lineCapStyle, made.lineJoinStyle) = (lineWidth, lineCapStyle, lineJoinStyle)
        (made.miterLimit, made.flatness, made.usesEvenOddFillRule) = (miterLimit, flatness, usesEvenOddFillRule)
        made.dash = dash
        return made
    }
}
