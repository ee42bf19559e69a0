// LayerMaking.swift: makes a layer of the class that a view names.
//
// Input     UIView.layerClass
// Output    the layer of the view
// Sources   documented  UIView.layerClass
//           inferred    a view sets its frame after its layer's `init`, so that a frame of the layer is lost on iOS, too

import Foundation

extension UIView {
    final func makeLayer() -> CALayer {
        guard let layerType = Self.layerClass as? CALayer.Type else {
            preconditionFailure("\(Self.self).layerClass is \(Self.layerClass), which is no layer")
        }
        // The class made an object of itself, whatever the compiler knows of it.
        let layer = unsafeDowncast(ObjectMaking.make(layerType), to: CALayer.self)
        let initial = layer.takeOwnGeometry()
        layer.owner = self
        backingLayer = layer
        if let initial { adopt(initial) }
        for child in children { layer.positionLayer(of: child, .front) }
        if drawsItself { setNeedsDisplay() }
        return layer
    }

    /// Takes what the layer's `init` has set and the view still has its default for. The view's frame stays, because a view
    /// sets its frame after it has made its layer.
    private final func adopt(_ initial: UIView) {
        let frame = frame
        let (own, made) = (space, initial.space)
        if own.anchor == CGPoint(x: 0.5, y: 0.5), made.anchor != own.anchor {
            space.anchor = made.anchor
            if !own.isTransformed { space.center = frame.point(at: made.anchor) }
        }
        if own.bounds.origin == .zero { space.bounds.origin = made.bounds.origin }
        if !own.isTransformed, made.isTransformed { space.transform = made.transform }
        if admission.alpha == 1 { admission.setAlpha(initial.admission.alpha) }
        if initial.admission.isHidden { isHidden = true }
        if appearance.backgroundColor == nil { appearance.backgroundColor = initial.appearance.backgroundColor }
        if initial.appearance.clipsToBounds { appearance.clipsToBounds = true }
        if !initial.appearance.isOpaque { appearance.isOpaque = false }
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
