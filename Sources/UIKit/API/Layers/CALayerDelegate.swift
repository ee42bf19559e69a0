// CALayerDelegate.swift: the object that lays out and draws a layer, which is the layer's view by default.

public import Foundation

/// Lays out and draws a layer.
public protocol CALayerDelegate: NSObjectProtocol {
    func layoutSublayers(of layer: CALayer)
    /// Displays the layer in place of `draw(_:in:)`. The default implementation calls `draw(_:in:)`.
    func display(_ layer: CALayer)
    func draw(_ layer: CALayer, in ctx: CGContext)
    /// The action for a change of a property; nil leaves the answer to the layer.
    func action(for layer: CALayer, forKey event: String) -> (any CAAction)?
}

extension CALayerDelegate {
    public func layoutSublayers(of layer: CALayer) {}
    public func display(_ layer: CALayer) { layer.drawInNewContext() }
    public func draw(_ layer: CALayer, in ctx: CGContext) {}
    public func action(for layer: CALayer, forKey event: String) -> (any CAAction)? { nil }
}

/// The response to a change of a property of a layer.
public protocol CAAction {
    func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?)
}

/// `NSNull` as an action means that the change is not animated.
extension NSNull: CAAction {
    public func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?) {}
}
