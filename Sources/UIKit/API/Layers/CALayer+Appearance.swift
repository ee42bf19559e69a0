// CALayer+Appearance.swift: properties of a layer that only pixels show. They are kept and have no effect on touches.
//
// Sources   documented  CALayer: names and defaults

public import Foundation

/// The curve of rounded corners.
public struct CALayerCornerCurve: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let circular = CALayerCornerCurve(rawValue: "circular")
    public static let continuous = CALayerCornerCurve(rawValue: "continuous")
}

/// How the content fills the bounds.
public struct CALayerContentsGravity: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let center = CALayerContentsGravity(rawValue: "center")
    public static let top = CALayerContentsGravity(rawValue: "top")
    public static let bottom = CALayerContentsGravity(rawValue: "bottom")
    public static let left = CALayerContentsGravity(rawValue: "left")
    public static let right = CALayerContentsGravity(rawValue: "right")
    public static let resize = CALayerContentsGravity(rawValue: "resize")
    public static let resizeAspect = CALayerContentsGravity(rawValue: "resizeAspect")
    public static let resizeAspectFill = CALayerContentsGravity(rawValue: "resizeAspectFill")
}

/// The corners that `cornerRadius` rounds.
public struct CACornerMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let layerMinXMinYCorner = CACornerMask(rawValue: 1 << 0)
    public static let layerMaxXMinYCorner = CACornerMask(rawValue: 1 << 1)
    public static let layerMinXMaxYCorner = CACornerMask(rawValue: 1 << 2)
    public static let layerMaxXMaxYCorner = CACornerMask(rawValue: 1 << 3)
    static let all = CACornerMask(rawValue: 15)
}

extension CALayer {
    /// The layer whose opaque parts show this one. No effect on touches: a hit test ignores it, as on iOS.
    public var mask: CALayer? {
        get { extraValues?.mask }
        set { ownValues.mask = newValue }
    }
    public var cornerCurve: CALayerCornerCurve {
        get { extraValues?.cornerCurve ?? .circular }
        set { ownValues.cornerCurve = newValue }
    }
    public var maskedCorners: CACornerMask {
        get { extraValues?.maskedCorners ?? .all }
        set { ownValues.maskedCorners = newValue }
    }
    public var borderWidth: CGFloat {
        get { extraValues?.borderWidth ?? 0 }
        set { set("borderWidth", \.borderWidth, newValue) }
    }
    public var borderColor: CGColor? {
        get { extraValues?.borderColor ?? (extraValues == nil ? .black : nil) }
        set { set("borderColor", \.borderColor, newValue) }
    }
    public var shadowColor: CGColor? {
        get { extraValues?.shadow.color ?? (extraValues == nil ? .black : nil) }
        set { set("shadowColor", \.shadow.color, newValue) }
    }
    public var shadowOpacity: Float {
        get { extraValues?.shadow.opacity ?? 0 }
        set { set("shadowOpacity", \.shadow.opacity, newValue) }
    }
    public var shadowOffset: CGSize {
        get { extraValues?.shadow.offset ?? CGSize(width: 0, height: -3) }
        set { set("shadowOffset", \.shadow.offset, newValue) }
    }
    public var shadowRadius: CGFloat {
        get { extraValues?.shadow.radius ?? 3 }
        set { set("shadowRadius", \.shadow.radius, newValue) }
    }
    public var shadowPath: CGPath? {
        get { extraValues?.shadow.path }
        set { set("shadowPath", \.shadow.path, newValue) }
    }

    /// The image of the layer. An image made by drawing is not kept here, because it has no pixels.
    public var contents: Any? {
        get { extraValues?.contents }
        set { set("contents", \.contents, newValue) }
    }
    /// The number of pixels in a point, which a context of the layer has.
    public var contentsScale: CGFloat {
        get { pixelScale }
        set { ownValues.contentsScale = newValue }
    }
    public var contentsGravity: CALayerContentsGravity {
        get { extraValues?.contentsGravity ?? .resize }
        set { ownValues.contentsGravity = newValue }
    }
    public var contentsRect: CGRect {
        get { extraValues?.contentsRect ?? CGRect(x: 0, y: 0, width: 1, height: 1) }
        set { set("contentsRect", \.contentsRect, newValue) }
    }
    public var contentsCenter: CGRect {
        get { extraValues?.contentsCenter ?? CGRect(x: 0, y: 0, width: 1, height: 1) }
        set { set("contentsCenter", \.contentsCenter, newValue) }
    }
    /// Whether a change of size displays the layer.
    public var needsDisplayOnBoundsChange: Bool {
        get { extraValues?.needsDisplayOnBoundsChange ?? false }
        set { ownValues.needsDisplayOnBoundsChange = newValue }
    }
    public var drawsAsynchronously: Bool {
        get { extraValues?.drawsAsynchronously ?? false }
        set { ownValues.drawsAsynchronously = newValue }
    }
    public var shouldRasterize: Bool {
        get { extraValues?.rasterization.isOn ?? false }
        set { ownValues.rasterization.isOn = newValue }
    }
    public var rasterizationScale: CGFloat {
        get { extraValues?.rasterization.scale ?? 1 }
        set { ownValues.rasterization.scale = newValue }
    }
    public var allowsEdgeAntialiasing: Bool {
        get { extraValues?.allowsEdgeAntialiasing ?? false }
        set { ownValues.allowsEdgeAntialiasing = newValue }
    }
    public var allowsGroupOpacity: Bool {
        get { extraValues?.allowsGroupOpacity ?? true }
        set { ownValues.allowsGroupOpacity = newValue }
    }
    /// No effect: sublayers keep their positions.
    public var sublayerTransform: CATransform3D {
        get { extraValues?.sublayerTransform ?? CATransform3DIdentity }
        set { set("sublayerTransform", \.sublayerTransform, newValue) }
    }
    public var anchorPointZ: CGFloat {
        get { extraValues?.anchorPointZ ?? 0 }
        set { ownValues.anchorPointZ = newValue }
    }
    public var isDoubleSided: Bool {
        get { extraValues?.isDoubleSided ?? true }
        set { ownValues.isDoubleSided = newValue }
    }
    /// No effect: y always points down.
    public var isGeometryFlipped: Bool {
        get { extraValues?.isGeometryFlipped ?? false }
        set { ownValues.isGeometryFlipped = newValue }
    }
    /// The actions for changes of properties, by the names of the properties.
    public var actions: [String: any CAAction]? {
        get { extraValues?.actions }
        set { ownValues.actions = newValue }
    }
}
