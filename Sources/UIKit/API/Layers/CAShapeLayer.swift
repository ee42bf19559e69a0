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
    open var path: CGPath? { didSet { noteImplicitAnimation() } }
    open var fillColor: CGColor? = .black { didSet { noteImplicitAnimation() } }
    open var fillRule = CAShapeLayerFillRule.nonZero
    open var strokeColor: CGColor? { didSet { noteImplicitAnimation() } }
    /// The drawn part of the path, as fractions of its length.
    open var strokeStart: CGFloat = 0 { didSet { noteImplicitAnimation() } }
    open var strokeEnd: CGFloat = 1 { didSet { noteImplicitAnimation() } }
    open var lineWidth: CGFloat = 1 { didSet { noteImplicitAnimation() } }
    open var miterLimit: CGFloat = 10
    open var lineCap = CAShapeLayerLineCap.butt
    open var lineJoin = CAShapeLayerLineJoin.miter
    open var lineDashPhase: CGFloat = 0
    open var lineDashPattern: [NSNumber]?
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
    open var colors: [Any]? { didSet { noteImplicitAnimation() } }
    open var locations: [NSNumber]? { didSet { noteImplicitAnimation() } }
    /// In fractions of the bounds.
    open var startPoint = CGPoint(x: 0.5, y: 0) { didSet { noteImplicitAnimation() } }
    /// In fractions of the bounds.
    open var endPoint = CGPoint(x: 0.5, y: 1) { didSet { noteImplicitAnimation() } }
    open var type = CAGradientLayerType.axial
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
    open var string: Any? { didSet { noteImplicitAnimation() } }
    /// A `CGFont`, a `UIFont` or the name of a font.
    open var font: AnyObject?
    /// In points.
    open var fontSize: CGFloat = 36 { didSet { noteImplicitAnimation() } }
    open var foregroundColor: CGColor? = .white { didSet { noteImplicitAnimation() } }
    open var isWrapped = false
    open var alignmentMode = CATextLayerAlignmentMode.natural
    open var truncationMode = CATextLayerTruncationMode.none
    open var allowsFontSubpixelQuantization = false
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
}
