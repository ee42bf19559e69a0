// CALayer+Geometry.swift: conversions between layers, and the hit test of layers.
//
// Sources   documented  CALayer.hitTest: the point is in the superlayer's coordinates; convert(_:to:)
//           inferred    a sublayer outside the bounds can be hit unless `masksToBounds` is set; a hidden layer cannot

public import Foundation

extension CALayer {
    /// Converts a point to the coordinates of a layer, or of the outermost layer if `layer` is nil.
    public func convert(_ p: CGPoint, to layer: CALayer?) -> CGPoint {
        var (point, current): (CGPoint, CALayer?) = (p, self)
        while let inner = current {
            point = inner.geometryView.pointToSuperview(point)
            current = inner.superlayer
        }
        return layer.map { $0.pointFromOutermost(point) } ?? outermost.pointFromOutermost(point)
    }
    public func convert(_ p: CGPoint, from layer: CALayer?) -> CGPoint {
        (layer ?? outermost).convert(p, to: self)
    }
    /// Converts a rectangle: the result is the smallest upright rectangle around its converted corners.
    public func convert(_ r: CGRect, to layer: CALayer?) -> CGRect {
        CGRect(around: r.corners.map { convert($0, to: layer) })
    }
    public func convert(_ r: CGRect, from layer: CALayer?) -> CGRect {
        CGRect(around: r.corners.map { convert($0, from: layer) })
    }
    /// The same time: all layers have one clock here.
    public func convertTime(_ t: CFTimeInterval, to layer: CALayer?) -> CFTimeInterval { t }
    /// The same time: all layers have one clock here.
    public func convertTime(_ t: CFTimeInterval, from layer: CALayer?) -> CFTimeInterval { t }

    private final var outermost: CALayer {
        var top = self
        while let next = top.superlayer { top = next }
        return top
    }

    private final func pointFromOutermost(_ point: CGPoint) -> CGPoint {
        geometryView.pointFromSuperview(superlayer?.pointFromOutermost(point) ?? point)
    }

    final func layerHit(at point: CGPoint) -> CALayer? {
        guard !isHidden else { return nil }
        let own = geometryView.pointFromSuperview(point)
        let isInside = contains(own)
        guard isInside || !masksToBounds else { return nil }
        // Back to front; layers of equal depth keep their order.
        let order = (sublayers ?? []).enumerated().sorted {
            ($0.element.zPosition, $0.offset) < ($1.element.zPosition, $1.offset)
        }
        for (_, layer) in order.reversed() {
            if let hit = layer.hitTest(own) { return hit }
        }
        return isInside ? self : nil
    }

    /// Scrolls nothing and does nothing, because layers do not scroll here.
    public func scrollRectToVisible(_ r: CGRect) {}
}

/// A moment or a duration of Core Animation, in seconds.
public typealias CFTimeInterval = TimeInterval

// MARK: Values by name

extension CALayer {
    /// A value of the layer by its name, or a value that `setValue(_:forKey:)` stored under another name.
    ///
    /// - Parameter key: Known are `bounds`, `position`, `frame`, `anchorPoint`, `transform`, `opacity`, `cornerRadius`, and
    ///   below `transform` the paths `rotation`, `rotation.z`, `scale`, `scale.x`, `scale.y`, `translation.x` and
    ///   `translation.y`.
    public func value(forKeyPath key: String) -> Any? {
        let t = affineTransform()
        return switch key {
        case "bounds": bounds
        case "position": position
        case "frame": frame
        case "anchorPoint": anchorPoint
        case "transform": transform
        case "opacity": opacity
        case "cornerRadius": cornerRadius
        case "transform.rotation", "transform.rotation.z": atan2(t.b, t.a)
        case "transform.scale": (hypot(t.a, t.b) + hypot(t.c, t.d)) / 2
        case "transform.scale.x": hypot(t.a, t.b)
        case "transform.scale.y": hypot(t.c, t.d)
        case "transform.translation.x": t.tx
        case "transform.translation.y": t.ty
        default: extraValues?.named[key]
        }
    }
    public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// Stores a value under a name that `value(forKeyPath:)` returns. The names of the layer's own values, which only code can
    /// set, stop the program.
    public func setValue(_ value: Any?, forKey key: String) {
        let name = String(key.prefix { $0 != "." })
        demand(
            !Self.ownNames.contains(name),
            "CALayer.setValue(_:forKey:) cannot set \(key): set the property")
        ownValues.named[key] = value
        if type(of: self).isOfApp, owner != nil || superlayerPointer != nil, type(of: self).needsDisplay(forKey: key) {
            setNeedsDisplay()
        }
    }
    public func setValue(_ value: Any?, forKeyPath key: String) { setValue(value, forKey: key) }

    /// The first names of the key paths of Core Animation's own values.
    private static let ownNames: Set<String> = [
        "anchorPoint", "anchorPointZ", "backgroundColor", "borderColor", "borderWidth", "bounds",
        "contents", "contentsScale", "cornerRadius", "doubleSided", "frame", "hidden", "mask",
        "masksToBounds", "opacity", "position", "shadowColor", "shadowOffset", "shadowOpacity",
        "shadowPath", "shadowRadius", "sublayerTransform", "sublayers", "transform", "zPosition",
    ]
}

extension CALayer {
    /// The layer that is on screen: a copy with the values of the moment, also of its sublayers. Without an application, and
    /// for a layer of a class of the app that is not animated, this layer itself.
    public func presentation() -> Self? { unsafeDowncast(presented(), to: Self.self) }
    /// The layer whose values the app sets: this one, unless it is a presentation layer.
    public func model() -> Self { unsafeDowncast(extraValues?.model ?? self, to: Self.self) }
}
