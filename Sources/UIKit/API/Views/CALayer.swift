// CALayer.swift: a tree of layers in the order of the tree of views.
//
// Station   hitTest
// Input     UIView+Tree.swift; code that arranges layers
// Output    the order of subviews, which a hit test follows
//
// A view's layer is made when it is first read. From then on it follows its view: layers of subviews are inserted, moved
// and removed with the subviews. Layers without a view can stand between them. Moving the layer of a subview moves the
// subview.
//
// Sources   documented  CALayer.sublayers is nil if there are none; back to front

import Basics
public import Foundation

/// Lays out the sublayers of a layer. A view is the delegate of its layer.
public protocol CALayerDelegate: NSObjectProtocol {
    func layoutSublayers(of layer: CALayer)
}

extension CALayerDelegate {
    public func layoutSublayers(of layer: CALayer) {}
}

/// A rectangle in a tree of layers: the layer of a view, or a layer without a view.
open class CALayer: NSObject {
    /// The view of this layer, which clears the pointer before it is freed.
    unowned(unsafe) final var owner: UIView?
    private final var layers: [CALayer] = []
    /// The superlayer, which clears the pointer before it is freed.
    unowned(unsafe) final var superlayerPointer: CALayer?

    public required override init() { super.init() }

    deinit { for layer in layers { layer.superlayerPointer = nil } }

    open var name: String?
    private final weak var otherDelegate: (any CALayerDelegate)?
    /// The delegate: the view of this layer, unless another object is set.
    open var delegate: (any CALayerDelegate)? {
        get { otherDelegate ?? owner }
        set { otherDelegate = newValue === owner ? nil : newValue }
    }

    // MARK: Tree

    /// The sublayers, back to front; nil if there are none.
    open var sublayers: [CALayer]? {
        get { layers.isEmpty ? nil : layers }
        set {
            for layer in layers where newValue?.contains(where: { $0 === layer }) != true {
                layer.removeFromSuperlayer()
            }
            for layer in newValue ?? [] { addSublayer(layer) }
        }
    }

    /// The superlayer. For a subview's layer it is the superview's layer, which is made if it does not exist.
    open var superlayer: CALayer? { superlayerPointer ?? owner?.superview?.layer }

    open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: UInt32.max) }

    /// Inserts a layer at an index, which counts after the layer has left its old position. A greater index is the front.
    open func insertSublayer(_ layer: CALayer, at idx: UInt32) {
        demand(!isInside(layer), "\(layer.label) cannot be put inside itself")
        if layer.superlayerPointer === self {
            layers.removeAll { $0 === layer }
        } else {
            layer.removeFromSuperlayer()
        }
        layers.insert(layer, at: min(Int(idx), layers.count))
        layer.superlayerPointer = self
        owner?.reorderSubviews(like: layers)
    }

    private final var label: String { owner?.traceLabel ?? name ?? "\(type(of: self))" }

    private final func isInside(_ other: CALayer) -> Bool {
        var layer: CALayer? = self
        while let current = layer {
            if current === other { return true }
            // From here the search continues in the tree of views, because some views have no layer.
            if current.superlayerPointer == nil, let owner = current.owner {
                return other.owner.map(owner.isInside) ?? false
            }
            layer = current.superlayerPointer
        }
        return false
    }

    /// Inserts a layer behind a sibling, or at the back if `sibling` is not a sublayer.
    open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        insertSublayer(layer, at: UInt32(index(of: sibling, without: layer) ?? 0))
    }

    /// Inserts a layer in front of a sibling, or at the front if `sibling` is not a sublayer.
    open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        insertSublayer(layer, at: index(of: sibling, without: layer).map { UInt32($0 + 1) } ?? .max)
    }

    /// Replaces a sublayer. Nothing happens if `oldLayer` is not a sublayer.
    open func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
        guard oldLayer !== newLayer, layers.contains(where: { $0 === oldLayer }) else { return }
        insertSublayer(newLayer, below: oldLayer)
        oldLayer.removeFromSuperlayer()
    }

    private final func index(of sibling: CALayer?, without layer: CALayer) -> Int? {
        layers.lazy.filter { $0 !== layer }.enumerated().first { $0.element === sibling }?.offset
    }

    /// Removes the layer. The layer of a subview is removed with the subview.
    open func removeFromSuperlayer() {
        if let owner, let superview = owner.superview,
            superlayerPointer == nil || superview.backingLayer === superlayerPointer
        {
            owner.removeFromSuperview()
            return
        }
        superlayerPointer?.layers.removeAll { $0 === self }
        superlayerPointer = nil
    }

    // MARK: Order of views

    /// Moves the layer of a subview to the subview's position. A position next to a subview is next to the subview's layer.
    final func positionLayer(of view: UIView, _ place: SubviewPosition) {
        let layer = view.layer
        layers.removeAll { $0 === layer }
        layer.superlayerPointer = self
        switch place {
        case .back: layers.insert(layer, at: 0)
        case .above(let sibling):
            layers.insert(layer, at: layers.firstIndex { $0 === sibling.backingLayer }.map { $0 + 1 } ?? layers.count)
        case .front, .index, .below:
            // The layer goes directly behind the layer of the next subview in front of it.
            let siblings = owner?.children ?? []
            let index = siblings.firstIndex { $0 === view } ?? siblings.count - 1
            let inFront = index + 1 < siblings.count ? siblings[index + 1].backingLayer : nil
            layers.insert(layer, at: layers.firstIndex { $0 === inFront } ?? layers.count)
        }
    }

    /// Exchanges the layers of two subviews.
    final func exchangeLayers(of first: UIView, _ second: UIView) {
        guard let a = layers.firstIndex(where: { $0 === first.backingLayer }),
            let b = layers.firstIndex(where: { $0 === second.backingLayer })
        else { return }
        layers.swapAt(a, b)
    }

    /// Removes the layer of a view that is not a subview any more.
    final func dropLayer(of view: UIView) {
        guard let layer = view.backingLayer, layer.superlayerPointer === self else { return }
        layers.removeAll { $0 === layer }
        layer.superlayerPointer = nil
    }

    // MARK: Geometry

    // A layer without a view has a view of its own for its geometry, because the formulas are the same.
    private final lazy var ownGeometryView = UIView(frame: .zero)
    private final var geometryView: UIView { owner ?? ownGeometryView }

    open var bounds: CGRect {
        get { geometryView.bounds }
        set { geometryView.bounds = newValue }
    }

    /// The position of the anchor point in the superlayer's coordinates.
    open var position: CGPoint {
        get { geometryView.center }
        set { geometryView.center = newValue }
    }

    /// The position of the anchor point in the bounds, as fractions of width and height.
    open var anchorPoint: CGPoint {
        get { geometryView.anchorPoint }
        set { geometryView.anchorPoint = newValue }
    }

    open var frame: CGRect {
        get { geometryView.frame }
        set { geometryView.frame = newValue }
    }

    open func affineTransform() -> CGAffineTransform { geometryView.transform }
    open func setAffineTransform(_ m: CGAffineTransform) { geometryView.transform = m }

    // MARK: Appearance

    open var isHidden: Bool {
        get { geometryView.isHidden }
        set { geometryView.isHidden = newValue }
    }
    open var opacity: Float {
        get { Float(geometryView.alpha) }
        set { geometryView.alpha = CGFloat(newValue) }
    }
    open var masksToBounds: Bool {
        get { geometryView.clipsToBounds }
        set { geometryView.clipsToBounds = newValue }
    }
    /// No effect here.
    open var zPosition: CGFloat = 0
    /// No effect here.
    open var cornerRadius: CGFloat = 0

    /// Ends animations of the layer's view, so that touches reach the view at once.
    open func removeAllAnimations() { owner?.admission.endAnimations() }

    open func setNeedsLayout() { owner?.setNeedsLayout() }
    open func layoutIfNeeded() { owner?.layoutIfNeeded() }
}

extension UIView: CALayerDelegate {}

extension UIView {
    final func makeLayer() -> CALayer {
        guard let layerType = Self.layerClass as? CALayer.Type else {
            preconditionFailure("\(Self.self).layerClass is \(Self.layerClass), which is no layer")
        }
        let layer = layerType.init()
        layer.owner = self
        backingLayer = layer
        for child in children { layer.positionLayer(of: child, .front) }
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
