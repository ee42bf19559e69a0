// LayerMaking.swift: makes a layer of the class that a view names.
//
// Input     UIView.layerClass
// Output    the layer of the view
// Sources   documented  UIView.layerClass

import Foundation

extension UIView {
    final func makeLayer() -> CALayer {
        guard let layerType = Self.layerClass as? CALayer.Type else {
            preconditionFailure("\(Self.self).layerClass is \(Self.layerClass), which is no layer")
        }
        // The class made an object of itself, whatever the compiler knows of it.
        let layer = unsafeDowncast(ObjectMaking.make(layerType), to: CALayer.self)
        layer.owner = self
        backingLayer = layer
        for child in children { layer.positionLayer(of: child, .front) }
        if drawsItself { setNeedsDisplay() }
        return layer
    }

    /// Orders the subviews as their layers are ordered.
    final func reorderSubviews(like layers: [CALayer]) {
        let ordered = layers.compactMap { layer in
            layer.owner.flatMap { view in view.parent === self ? view : nil }
        }
        guard ordered.count == children.count else { return }
        children = ordered
    }
}
