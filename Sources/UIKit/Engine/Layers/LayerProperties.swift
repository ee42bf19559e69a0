// LayerProperties.swift: the properties of a layer by their names.
//
// Input     animations, which name a property by its key path
// Output    values for presentation layers
//
// Sources   documented  Core Animation Programming Guide, key-value coding extensions: transform.scale, bounds.size …

import Foundation

extension CALayer {
    /// The keys beside geometry, opacity and background that a block of UIView can change.
    static let commonKeys = [
        "cornerRadius", "borderWidth", "borderColor", "shadowColor", "shadowOpacity", "shadowOffset", "shadowRadius",
        "shadowPath", "zPosition", "contentsRect",
    ]

    /// The value of a property as animations change it; nil if there is no property with this name.
    final func animatableValue(_ key: String) -> AnimatableValue? {
        let space = geometryView.space
        let (bounds, t) = (space.bounds, space.transform)
        return switch key {
        case "position": .point(space.center)
        case "position.x": .number(space.center.x)
        case "position.y": .number(space.center.y)
        case "bounds": .rect(bounds)
        case "bounds.origin": .point(bounds.origin)
        case "bounds.origin.x": .number(bounds.minX)
        case "bounds.origin.y": .number(bounds.minY)
        case "bounds.size": .size(bounds.size)
        case "bounds.size.width": .number(bounds.size.width)
        case "bounds.size.height": .number(bounds.size.height)
        case "anchorPoint": .point(space.anchor)
        case "anchorPoint.x": .number(space.anchor.x)
        case "anchorPoint.y": .number(space.anchor.y)
        case "transform": .transform(transform)
        case "transform.rotation", "transform.rotation.z": .number(atan2(t.b, t.a))
        case "transform.scale": .number((hypot(t.a, t.b) + hypot(t.c, t.d)) / 2)
        case "transform.scale.x": .number(hypot(t.a, t.b))
        case "transform.scale.y": .number(hypot(t.c, t.d))
        case "transform.translation": .size(CGSize(width: t.tx, height: t.ty))
        case "transform.translation.x": .number(t.tx)
        case "transform.translation.y": .number(t.ty)
        case "opacity": .number(geometryView.alpha)
        case "backgroundColor": .color(backgroundColor ?? .clear)
        case "cornerRadius": .number(cornerRadius)
        case "borderWidth": .number(borderWidth)
        case "borderColor": borderColor.map { .color($0) }
        case "shadowColor": shadowColor.map { .color($0) }
        case "shadowOpacity": .number(CGFloat(shadowOpacity))
        case "shadowOffset": .size(shadowOffset)
        case "shadowOffset.width": .number(shadowOffset.width)
        case "shadowOffset.height": .number(shadowOffset.height)
        case "shadowRadius": .number(shadowRadius)
        case "shadowPath": shadowPath.map { .path($0) }
        case "zPosition": .number(zPosition)
        case "anchorPointZ": .number(anchorPointZ)
        case "contentsRect": .rect(contentsRect)
        case "sublayerTransform": .transform(sublayerTransform)
        default: contentValue(key) ?? extraValues?.named[key].map { AnimatableValue($0) }
        }
    }

    /// Sets a property of a presentation layer. A value of another kind than the property's changes nothing.
    final func setAnimatableValue(_ value: AnimatableValue, _ key: String) {
        let view = geometryView
        func set<Value>(_ path: WritableKeyPath<ViewSpace, Value>, _ new: Value?) {
            if let new { view.space[keyPath: path] = new }
        }
        func setParts(_ change: (inout TransformParts) -> Void) {
            guard var parts = TransformParts(view.space.transform) else { return }
            change(&parts)
            view.space.transform = parts.transform
            extraValues?.transform = nil
        }
        switch key {
        case "position": set(\.center, value.point)
        case "position.x": set(\.center.x, value.number)
        case "position.y": set(\.center.y, value.number)
        case "bounds": set(\.bounds, value.rect)
        case "bounds.origin": set(\.bounds.origin, value.point)
        case "bounds.origin.x": set(\.bounds.origin.x, value.number)
        case "bounds.origin.y": set(\.bounds.origin.y, value.number)
        case "bounds.size": set(\.bounds.size, value.size)
        case "bounds.size.width": set(\.bounds.size.width, value.number)
        case "bounds.size.height": set(\.bounds.size.height, value.number)
        case "anchorPoint": set(\.anchor, value.point)
        case "anchorPoint.x": set(\.anchor.x, value.number)
        case "anchorPoint.y": set(\.anchor.y, value.number)
        case "transform":
            guard let transform = value.transform else { break }
            ownValues.transform = transform
            view.space.transform = transform.affinePart
        case "transform.rotation", "transform.rotation.z":
            if let angle = value.number { setParts { $0.rotation = angle } }
        case "transform.scale":
            guard let scale = value.number else { break }
            setParts { $0.scale = CGSize(width: scale, height: scale) }
        case "transform.scale.x": if let scale = value.number { setParts { $0.scale.width = scale } }
        case "transform.scale.y": if let scale = value.number { setParts { $0.scale.height = scale } }
        case "transform.translation": if let offset = value.point { setParts { $0.translation = offset } }
        case "transform.translation.x": if let x = value.number { setParts { $0.translation.x = x } }
        case "transform.translation.y": if let y = value.number { setParts { $0.translation.y = y } }
        case "opacity": if let alpha = value.number { view.admission.setAlpha(alpha) }
        case "backgroundColor":
            if let color = value.color { view.appearance.backgroundColor = UIColor(cgColor: color) }
        case "cornerRadius": if let radius = value.number { ownValues.cornerRadius = radius }
        case "borderWidth": if let width = value.number { ownValues.borderWidth = width }
        case "borderColor": if let color = value.color { ownValues.borderColor = color }
        case "shadowColor": if let color = value.color { ownValues.shadow.color = color }
        case "shadowOpacity": if let opacity = value.number { ownValues.shadow.opacity = Float(opacity) }
        case "shadowOffset": if let offset = value.size { ownValues.shadow.offset = offset }
        case "shadowOffset.width": if let width = value.number { ownValues.shadow.offset.width = width }
        case "shadowOffset.height": if let height = value.number { ownValues.shadow.offset.height = height }
        case "shadowRadius": if let radius = value.number { ownValues.shadow.radius = radius }
        case "shadowPath": if let path = value.path { ownValues.shadow.path = path }
        case "zPosition": if let z = value.number { ownValues.zPosition = z }
        case "anchorPointZ": if let z = value.number { ownValues.anchorPointZ = z }
        case "contentsRect": if let rect = value.rect { ownValues.contentsRect = rect }
        case "sublayerTransform": if let transform = value.transform { ownValues.sublayerTransform = transform }
        default: if !setContentValue(value, key) { ownValues.named[key] = value.any(like: extraValues?.named[key]) }
        }
    }
}
