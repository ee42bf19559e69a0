// CAShapeLayer.swift: layers with a content of their own, which is kept and not drawn.
//
// Sources   documented  CAShapeLayer, CAGradientLayer, CATextLayer, CAReplicatorLayer: names and defaults
//           inferred    `contains(_:)` of a shape is its bounds', not its path's

public import Foundation

/// Which parts of a shape are filled.
public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
    public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

/// The corners of a shape's line.
public struct CAShapeLayerLineJoin: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
    public static let round = CAShapeLayerLineJoin(rawValue: "round")
    public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")
}

/// The ends of a shape's line.
public struct CAShapeLayerLineCap: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let butt = CAShapeLayerLineCap(rawValue: "butt")
    public static let round = CAShapeLayerLineCap(rawValue: "round")
    public static let square = CAShapeLayerLineCap(rawValue: "square")
}

/// A layer with a path.
open class CAShapeLayer: CALayer {
    open var path: CGPath? { willSet { willChange("path") } }
    open var fillColor: CGColor? = .black { willSet { willChange("fillColor") } }
    open var fillRule = CAShapeLayerFillRule.nonZero
    open var strokeColor: CGColor? { willSet { willChange("strokeColor") } }
    /// The drawn part of the path, as fractions of its length.
    open var strokeStart: CGFloat = 0 { willSet { willChange("strokeStart") } }
    open var strokeEnd: CGFloat = 1 { willSet { willChange("strokeEnd") } }
    open var lineWidth: CGFloat = 1 { willSet { willChange("lineWidth") } }
    open var miterLimit: CGFloat = 10
    open var lineCap = CAShapeLayerLineCap.butt
    open var lineJoin = CAShapeLayerLineJoin.miter
    open var lineDashPhase: CGFloat = 0 { willSet { willChange("lineDashPhase") } }
    open var lineDashPattern: [NSNumber]?

    override var contentKeys: [String] {
        ["path", "fillColor", "strokeColor", "strokeStart", "strokeEnd", "lineWidth", "lineDashPhase"]
    }

    override func contentValue(_ key: String) -> AnimatableValue? {
        switch key {
        case "path": path.map { .path($0) }
        case "fillColor": fillColor.map { .color($0) }
        case "strokeColor": strokeColor.map { .color($0) }
        case "strokeStart": .number(strokeStart)
        case "strokeEnd": .number(strokeEnd)
        case "lineWidth": .number(lineWidth)
        case "lineDashPhase": .number(lineDashPhase)
        default: nil
        }
    }

    override func setContentValue(_ value: AnimatableValue, _ key: String) -> Bool {
        switch key {
        case "path": path = value.path ?? path
        case "fillColor": fillColor = value.color ?? fillColor
        case "strokeColor": strokeColor = value.color ?? strokeColor
        case "strokeStart": strokeStart = value.number ?? strokeStart
        case "strokeEnd": strokeEnd = value.number ?? strokeEnd
        case "lineWidth": lineWidth = value.number ?? lineWidth
        case "lineDashPhase": lineDashPhase = value.number ?? lineDashPhase
        default: return false
        }
        return true
    }

    override func copyContent(of other: CALayer) {
        guard let other = other as? CAShapeLayer else { return }
        (path, fillColor, fillRule, strokeColor) = (other.path, other.fillColor, other.fillRule, other.strokeColor)
        (strokeStart, strokeEnd, lineWidth) = (other.strokeStart, other.strokeEnd, other.lineWidth)
        (miterLimit, lineCap, lineJoin) = (other.miterLimit, other.lineCap, other.lineJoin)
        (lineDashPhase, lineDashPattern) = (other.lineDashPhase, other.lineDashPattern)
    }
}

/// The kind of a gradient.
public struct CAGradientLayerType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let axial = CAGradientLayerType(rawValue: "axial")
    public static let radial = CAGradientLayerType(rawValue: "radial")
    public static let conic = CAGradientLayerType(rawValue: "conic")
}

/// A layer with a gradient.
open class CAGradientLayer: CALayer {
    /// Of `CGColor`.
    open var colors: [Any]? { willSet { willChange("colors") } }
    open var locations: [NSNumber]? { willSet { willChange("locations") } }
    /// In fractions of the bounds.
    open var startPoint = CGPoint(x: 0.5, y: 0) { willSet { willChange("startPoint") } }
    /// In fractions of the bounds.
    open var endPoint = CGPoint(x: 0.5, y: 1) { willSet { willChange("endPoint") } }
    open var type = CAGradientLayerType.axial

    override var contentKeys: [String] { ["colors", "locations", "startPoint", "endPoint"] }

    override func contentValue(_ key: String) -> AnimatableValue? {
        switch key {
        case "colors": colors.map { AnimatableValue($0) }
        case "locations": locations.map { AnimatableValue($0) }
        case "startPoint": .point(startPoint)
        case "endPoint": .point(endPoint)
        default: nil
        }
    }

    override func setContentValue(_ value: AnimatableValue, _ key: String) -> Bool {
        switch (key, value) {
        case ("colors", .list(let list)): colors = list.map(\.any)
        case ("locations", .list(let list)):
            locations = list.map { NSNumber(value: Double($0.number ?? 0)) }
        case ("startPoint", _): startPoint = value.point ?? startPoint
        case ("endPoint", _): endPoint = value.point ?? endPoint
        default: return key == "colors" || key == "locations"
        }
        return true
    }

    override func copyContent(of other: CALayer) {
        guard let other = other as? CAGradientLayer else { return }
        (colors, locations, type) = (other.colors, other.locations, other.type)
        (startPoint, endPoint) = (other.startPoint, other.endPoint)
    }
}

/// The position of lines in a text layer.
public struct CATextLayerAlignmentMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let natural = CATextLayerAlignmentMode(rawValue: "natural")
    public static let left = CATextLayerAlignmentMode(rawValue: "left")
    public static let right = CATextLayerAlignmentMode(rawValue: "right")
    public static let center = CATextLayerAlignmentMode(rawValue: "center")
    public static let justified = CATextLayerAlignmentMode(rawValue: "justified")
}

/// Where a text layer shortens its text.
public struct CATextLayerTruncationMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let none = CATextLayerTruncationMode(rawValue: "none")
    public static let start = CATextLayerTruncationMode(rawValue: "start")
    public static let end = CATextLayerTruncationMode(rawValue: "end")
    public static let middle = CATextLayerTruncationMode(rawValue: "middle")
}

/// A layer with text.
open class CATextLayer: CALayer {
    /// A string or an attributed string.
    open var string: Any? { willSet { willChange("string") } }
    /// A `CGFont`, a `UIFont` or the name of a font.
    open var font: AnyObject?
    /// In points.
    open var fontSize: CGFloat = 36 { willSet { willChange("fontSize") } }
    open var foregroundColor: CGColor? = .white { willSet { willChange("foregroundColor") } }
    open var isWrapped = false
    open var alignmentMode = CATextLayerAlignmentMode.natural
    open var truncationMode = CATextLayerTruncationMode.none
    open var allowsFontSubpixelQuantization = false

    override var contentKeys: [String] { ["fontSize", "foregroundColor"] }

    override func contentValue(_ key: String) -> AnimatableValue? {
        switch key {
        case "fontSize": .number(fontSize)
        case "foregroundColor": foregroundColor.map { .color($0) }
        default: nil
        }
    }

    override func setContentValue(_ value: AnimatableValue, _ key: String) -> Bool {
        switch key {
        case "fontSize": fontSize = value.number ?? fontSize
        case "foregroundColor": foregroundColor = value.color ?? foregroundColor
        default: return false
        }
        return true
    }

    override func copyContent(of other: CALayer) {
        guard let other = other as? CATextLayer else { return }
        (string, font, fontSize, foregroundColor) = (other.string, other.font, other.fontSize, other.foregroundColor)
        (isWrapped, alignmentMode, truncationMode) = (other.isWrapped, other.alignmentMode, other.truncationMode)
        allowsFontSubpixelQuantization = other.allowsFontSubpixelQuantization
    }
}

/// A layer that shows its sublayers several times. The copies are not layers: a hit test does not find them.
open class CAReplicatorLayer: CALayer {
    open var instanceCount = 1
    /// In seconds.
    open var instanceDelay: CFTimeInterval = 0
    open var instanceTransform = CATransform3DIdentity
    open var instanceColor: CGColor? = .white
    open var instanceRedOffset: Float = 0
    open var instanceGreenOffset: Float = 0
    open var instanceBlueOffset: Float = 0
    open var instanceAlphaOffset: Float = 0
    open var preservesDepth = false

    override func copyContent(of other: CALayer) {
        guard let other = other as? CAReplicatorLayer else { return }
        (instanceCount, instanceDelay) = (other.instanceCount, other.instanceDelay)
        (instanceTransform, instanceColor) = (other.instanceTransform, other.instanceColor)
        (instanceRedOffset, instanceGreenOffset) = (other.instanceRedOffset, other.instanceGreenOffset)
        (instanceBlueOffset, instanceAlphaOffset) = (other.instanceBlueOffset, other.instanceAlphaOffset)
        preservesDepth = other.preservesDepth
    }
}
