// LayerValues.swift: values that few layers have, in one object, so that other layers have only one empty field.
//
// Input     CALayer's setters

import Foundation

final class LayerValues {
    /// The transform if it was set as a `CATransform3D`. It counts as long as the geometry has its projection.
    var transform: CATransform3D?
    var sublayerTransform = CATransform3DIdentity
    var zPosition: CGFloat = 0
    var anchorPointZ: CGFloat = 0
    var isDoubleSided = true
    var isGeometryFlipped = false

    var mask: CALayer?
    var cornerRadius: CGFloat = 0
    var cornerCurve = CALayerCornerCurve.circular
    var maskedCorners: CACornerMask = .all
    var borderWidth: CGFloat = 0
    var borderColor: CGColor? = .black
    var shadow = Shadow()
    struct Shadow {
        var color: CGColor? = .black
        var opacity: Float = 0
        var offset = CGSize(width: 0, height: -3)
        var radius: CGFloat = 3
        var path: CGPath?
    }

    var contents: Any?
    var contentsScale: CGFloat?
    var contentsGravity = CALayerContentsGravity.resize
    var contentsRect = CGRect(x: 0, y: 0, width: 1, height: 1)
    var contentsCenter = CGRect(x: 0, y: 0, width: 1, height: 1)
    var needsDisplayOnBoundsChange = false
    var needsDisplay = false
    /// The part of the layer that waits for display; nil for all of it.
    var invalidRect: CGRect?
    /// The part that is being displayed.
    var rectOfDisplay: CGRect?
    var needsLayout = false
    var drawsAsynchronously = false
    var rasterization = (isOn: false, scale: CGFloat(1))
    var allowsEdgeAntialiasing = false
    var allowsGroupOpacity = true

    var actions: [String: any CAAction]?
    var animations: [RunningLayerAnimation] = []
    var timing = MediaTiming()
    /// Values of names that `setValue(_:forKey:)` stored.
    var named: [String: Any] = [:]
    /// The layer whose presentation this one is; nil for a layer of the app.
    var model: CALayer?

    /// The values that are shown: without what waits for layout or display.
    func copy() -> LayerValues {
        let made = LayerValues()
        (made.transform, made.sublayerTransform) = (transform, sublayerTransform)
        (made.zPosition, made.anchorPointZ) = (zPosition, anchorPointZ)
        (made.isDoubleSided, made.isGeometryFlipped) = (isDoubleSided, isGeometryFlipped)
        (made.mask, made.cornerRadius, made.cornerCurve) = (mask, cornerRadius, cornerCurve)
        (made.maskedCorners, made.borderWidth, made.borderColor) = (maskedCorners, borderWidth, borderColor)
        made.shadow = shadow
        (made.contents, made.contentsScale, made.contentsGravity) = (contents, contentsScale, contentsGravity)
        (made.contentsRect, made.contentsCenter) = (contentsRect, contentsCenter)
        (made.rasterization, made.allowsEdgeAntialiasing) = (rasterization, allowsEdgeAntialiasing)
        (made.allowsGroupOpacity, made.actions) = (allowsGroupOpacity, actions)
        (made.timing, made.named) = (timing, named)
        return made
    }
}

extension CALayer {
    /// The layer's extra values, made when one is first set.
    final var ownValues: LayerValues {
        if let extraValues { return extraValues }
        let made = LayerValues()
        extraValues = made
        return made
    }

    /// Sets an extra value, whose change is animated.
    ///
    /// - Parameter key: The name of the property.
    final func set<Value>(_ key: String, _ path: ReferenceWritableKeyPath<LayerValues, Value>, _ value: Value) {
        willChange(key)
        ownValues[keyPath: path] = value
    }

    /// Whether a class of UIKit's, which draws and arranges nothing by itself.
    private static let own: Set<ObjectIdentifier> = [
        ObjectIdentifier(CALayer.self), ObjectIdentifier(CAShapeLayer.self), ObjectIdentifier(CAGradientLayer.self),
        ObjectIdentifier(CATextLayer.self), ObjectIdentifier(CAReplicatorLayer.self),
    ]
    /// Whether code of the app may draw or arrange layers of this class.
    final class var isOfApp: Bool { self != CALayer.self && !own.contains(ObjectIdentifier(self)) }

    /// Whether a call of `layoutSublayers` can reach code of the app.
    final var asksForLayout: Bool { type(of: self).isOfApp || delegate != nil }

    /// The number of pixels in a point.
    final var pixelScale: CGFloat { extraValues?.contentsScale ?? owner?.contentScaleFactor ?? 1 }
}
