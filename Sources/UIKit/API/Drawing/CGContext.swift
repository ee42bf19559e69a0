// CGContext.swift: the destination of drawing, which keeps its state and draws nothing.
//
// Input     UIView.draw(_:), CALayer.draw(in:), UIGraphicsBeginImageContext
// Output    its transform, path and clip, which drawing code reads back. No pixels.
//
// Sources   documented  CGContext: the transform applies to a point when the point is added to the path; a path ends when it
//                       is drawn or becomes the clip

public import Foundation

/// How a path is drawn. No effect here.
public enum CGPathDrawingMode: Int32, Sendable { case fill, eoFill, stroke, fillStroke, eoFillStroke }

/// How a scaled image is smoothed. No effect here.
public enum CGInterpolationQuality: Int32, Sendable { case `default`, none, low, high, medium }

/// The destination of drawing. It keeps the transform, the path and the clip; everything that would change a pixel, or only
/// matters for pixels, has no effect.
public class CGContext {
    private struct GraphicsState {
        var transform = CGAffineTransform.identity
        /// In pixels.
        var clip: CGRect
        var fill = CGColor.black
        var stroke = CGColor.black
        var lineWidth: CGFloat = 1
        var lineCap = CGLineCap.butt
        var lineJoin = CGLineJoin.miter
        var miterLimit: CGFloat = 10
    }

    /// The size in pixels.
    public let width, height: Int
    /// The number of pixels in a point.
    final let scale: CGFloat
    private final var state: GraphicsState
    private final var saved: [GraphicsState] = []
    /// The path that has not been drawn yet, in pixels.
    private final var pixelPath = CGMutablePath()

    /// - Parameters:
    ///   - size: In points.
    ///   - scale: The number of pixels in a point.
    init(size: CGSize, scale: CGFloat) {
        self.scale = scale
        (width, height) = (Int((size.width * scale).rounded(.up)), Int((size.height * scale).rounded(.up)))
        state = GraphicsState(clip: CGRect(x: 0, y: 0, width: width, height: height))
        state.transform = CGAffineTransform(scaleX: scale, y: scale)
        base = state
    }
    private let base: GraphicsState

    // MARK: State

    public func saveGState() { saved.append(state) }
    /// Restores the state of the last `saveGState`. Without one, nothing happens.
    public func restoreGState() { if let last = saved.popLast() { state = last } }

    // MARK: Transform

    /// The transform from the current coordinates to pixels.
    public var ctm: CGAffineTransform { state.transform }
    public func concatenate(_ transform: CGAffineTransform) {
        state.transform = transform.concatenating(state.transform)
    }
    public func translateBy(x tx: CGFloat, y ty: CGFloat) {
        state.transform = state.transform.translatedBy(x: tx, y: ty)
    }
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) { state.transform = state.transform.scaledBy(x: sx, y: sy) }
    /// - Parameter angle: In radians.
    public func rotate(by angle: CGFloat) { state.transform = state.transform.rotated(by: angle) }
    public func convertToDeviceSpace(_ point: CGPoint) -> CGPoint { point.applying(ctm) }
    public func convertToUserSpace(_ point: CGPoint) -> CGPoint { point.applying(ctm.inverted()) }

    // MARK: Path

    public func beginPath() { pixelPath = CGMutablePath() }
    public func closePath() { pixelPath.closeSubpath() }
    public func move(to point: CGPoint) { pixelPath.move(to: point, transform: ctm) }
    public func addLine(to point: CGPoint) { pixelPath.addLine(to: point, transform: ctm) }
    public func addLines(between points: [CGPoint]) { pixelPath.addLines(between: points, transform: ctm) }
    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        pixelPath.addCurve(to: end, control1: control1, control2: control2, transform: ctm)
    }
    public func addQuadCurve(to end: CGPoint, control: CGPoint) {
        pixelPath.addQuadCurve(to: end, control: control, transform: ctm)
    }
    /// - Parameters:
    ///   - center: The center of the circle.
    ///   - radius: In points.
    ///   - startAngle: In radians.
    ///   - endAngle: In radians.
    ///   - clockwise: As in `CGMutablePath.addArc`.
    public func addArc(
        center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        pixelPath.addArc(
            center: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise,
            transform: ctm)
    }
    public func addArc(tangent1End: CGPoint, tangent2End: CGPoint, radius: CGFloat) {
        pixelPath.addArc(tangent1End: tangent1End, tangent2End: tangent2End, radius: radius, transform: ctm)
    }
    public func addRect(_ rect: CGRect) { pixelPath.addRect(rect, transform: ctm) }
    public func addRects(_ rects: [CGRect]) { pixelPath.addRects(rects, transform: ctm) }
    public func addEllipse(in rect: CGRect) { pixelPath.addEllipse(in: rect, transform: ctm) }
    public func addPath(_ path: CGPath) { pixelPath.addPath(path, transform: ctm) }
    /// Replaces the path by the area of its line.
    public func replacePathWithStrokedPath() {
        guard let path else { return }
        beginPath()
        addPath(
            path.copy(
                strokingWithWidth: state.lineWidth, lineCap: state.lineCap, lineJoin: state.lineJoin,
                miterLimit: state.miterLimit))
    }

    /// The path that has not been drawn yet, in the current coordinates; nil if it is empty.
    public var path: CGPath? {
        guard !pixelPath.isEmpty else { return nil }
        let inverse = ctm.inverted()
        return CGPath(pixelPath.elements.map { $0.applying(inverse) })
    }
    public var isPathEmpty: Bool { pixelPath.isEmpty }
    public var currentPointOfPath: CGPoint { path?.currentPoint ?? .zero }
    public var boundingBoxOfPath: CGRect { path?.boundingBox ?? .null }
    public func pathContains(_ point: CGPoint, mode: CGPathDrawingMode) -> Bool {
        let isEvenOdd = mode == .eoFill || mode == .eoFillStroke
        return pixelPath.contains(point.applying(ctm), using: isEvenOdd ? .evenOdd : .winding)
    }

    // MARK: Clip

    /// Limits the clip to the bounding box of the path, and ends the path. The clip is a rectangle here.
    public func clip(using rule: CGPathFillRule = .winding) {
        if !pixelPath.isEmpty { state.clip = state.clip.intersection(pixelPath.boundingBoxOfPath) }
        beginPath()
    }
    public func clip(to rect: CGRect) { state.clip = state.clip.intersection(rect.applying(ctm)) }
    public func clip(to rects: [CGRect]) {
        clip(to: rects.reduce(CGRect.null) { $0.union($1) })
    }
    /// Limits the clip to the rectangle; the mask has no effect.
    public func clip(to rect: CGRect, mask: CGImage) { clip(to: rect) }
    public func resetClip() { state.clip = base.clip }
    /// The bounding box of the clip, in the current coordinates.
    public var boundingBoxOfClipPath: CGRect { state.clip.applying(ctm.inverted()) }

    // MARK: Drawing, which ends the path and has no other effect

    public func fillPath(using rule: CGPathFillRule = .winding) { beginPath() }
    public func strokePath() { beginPath() }
    public func drawPath(using mode: CGPathDrawingMode) { beginPath() }
    public func strokeLineSegments(between points: [CGPoint]) { beginPath() }
    public func fill(_ rect: CGRect) {}
    public func fill(_ rects: [CGRect]) {}
    public func stroke(_ rect: CGRect) {}
    public func stroke(_ rect: CGRect, width: CGFloat) {}
    public func fillEllipse(in rect: CGRect) {}
    public func strokeEllipse(in rect: CGRect) {}
    public func clear(_ rect: CGRect) {}
    public func draw(_ image: CGImage, in rect: CGRect, byTiling: Bool = false) {}
    public func drawLinearGradient(
        _ gradient: CGGradient, start startPoint: CGPoint, end endPoint: CGPoint, options: CGGradientDrawingOptions
    ) {}
    public func drawRadialGradient(
        _ gradient: CGGradient, startCenter: CGPoint, startRadius: CGFloat, endCenter: CGPoint, endRadius: CGFloat,
        options: CGGradientDrawingOptions
    ) {}
    public func beginTransparencyLayer(auxiliaryInfo: CFDictionary?) { saveGState() }
    public func beginTransparencyLayer(in rect: CGRect, auxiliaryInfo: CFDictionary?) { saveGState() }
    public func endTransparencyLayer() { restoreGState() }
    public func flush() {}

    /// An image with the size of the context and without pixels.
    public func makeImage() -> CGImage? { CGImage(width: width, height: height) }

    // MARK: Line

    public func setLineWidth(_ width: CGFloat) { state.lineWidth = width }
    public func setLineCap(_ cap: CGLineCap) { state.lineCap = cap }
    public func setLineJoin(_ join: CGLineJoin) { state.lineJoin = join }
    public func setMiterLimit(_ limit: CGFloat) { state.miterLimit = limit }

    // MARK: Properties of pixels, which have no effect

    public func setFillColor(_ color: CGColor) { state.fill = color }
    public func setStrokeColor(_ color: CGColor) { state.stroke = color }
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.stroke = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }
    public func setFillColor(gray: CGFloat, alpha: CGFloat) { state.fill = CGColor(gray: gray, alpha: alpha) }
    public func setStrokeColor(gray: CGFloat, alpha: CGFloat) { state.stroke = CGColor(gray: gray, alpha: alpha) }
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {}
    public func setFlatness(_ flatness: CGFloat) {}
    public func setAlpha(_ alpha: CGFloat) {}
    public func setBlendMode(_ mode: CGBlendMode) {}
    public func setShadow(offset: CGSize, blur: CGFloat) {}
    public func setShadow(offset: CGSize, blur: CGFloat, color: CGColor?) {}
    public func setAllowsAntialiasing(_ allowsAntialiasing: Bool) {}
    public func setShouldAntialias(_ shouldAntialias: Bool) {}
    public var interpolationQuality = CGInterpolationQuality.default

    // MARK: Of this project

    /// The colors and the line width that drawing would use.
    package final var drawingState: (fill: CGColor, stroke: CGColor, lineWidth: CGFloat) {
        (state.fill, state.stroke, state.lineWidth)
    }
}
