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
    private final var list: [CALayer] = []
    /// The superlayer, which clears the pointer before it is freed.
    unowned(unsafe) final var above: CALayer?

    public required override init() { super.init() }

    deinit { for layer in list { layer.above = nil } }

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
        get { list.isEmpty ? nil : list }
        set {
            for layer in list where newValue?.contains(where: { $0 === layer }) != true { layer.removeFromSuperlayer() }
            for layer in newValue ?? [] { addSublayer(layer) }
        }
    }

    /// The superlayer. For a subview's layer it is the superview's layer, which is made if it does not exist.
    open var superlayer: CALayer? { above ?? owner?.superview?.layer }

    open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: UInt32.max) }

    /// Inserts a layer at an index, which counts after the layer has left its old position. A greater index is the front.
    open func insertSublayer(_ layer: CALayer, at idx: UInt32) {
        demand(!isInside(layer), "\(layer.label) cannot be put inside itself")
        if layer.above === self {
            list.removeAll { $0 === layer }
        } else {
            layer.removeFromSuperlayer()
        }
        list.insert(layer, at: min(Int(idx), list.count))
        layer.above = self
        owner?.takeOrder(from: list)
    }

    private final var label: String { owner?.traceLabel ?? name ?? "\(type(of: self))" }

    private final func isInside(_ other: CALayer) -> Bool {
        var layer: CALayer? = self
        while let current = layer {
            if current === other { return true }
            // From here the search continues in the tree of views, because some views have no layer.
            if current.above == nil, let owner = current.owner { return other.owner.map(owner.isInside) ?? false }
            layer = current.above
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
        guard oldLayer !== newLayer, list.contains(where: { $0 === oldLayer }) else { return }
        insertSublayer(newLayer, below: oldLayer)
        oldLayer.removeFromSuperlayer()
    }

    private final func index(of sibling: CALayer?, without layer: CALayer) -> Int? {
        list.lazy.filter { $0 !== layer }.enumerated().first { $0.element === sibling }?.offset
    }

    /// Removes the layer. The layer of a subview is removed with the subview.
    open func removeFromSuperlayer() {
        if let owner, let superview = owner.superview, above == nil || superview.backing === above {
            owner.removeFromSuperview()
            return
        }
        above?.list.removeAll { $0 === self }
        above = nil
    }

    // MARK: Order of views

    /// Moves the layer of a subview to the subview's position. A position next to a subview is next to the subview's layer.
    final func placeLayer(of view: UIView, _ place: SubviewPlace) {
        let layer = view.layer
        list.removeAll { $0 === layer }
        layer.above = self
        switch place {
        case .back: list.insert(layer, at: 0)
        case .above(let sibling):
            list.insert(layer, at: list.firstIndex { $0 === sibling.backing }.map { $0 + 1 } ?? list.count)
        case .front, .index, .below:
            // The layer goes directly behind the layer of the next subview in front of it.
            let siblings = owner?.children ?? []
            let index = siblings.firstIndex { $0 === view } ?? siblings.count - 1
            let inFront = index + 1 < siblings.count ? siblings[index + 1].backing : nil
            list.insert(layer, at: list.firstIndex { $0 === inFront } ?? list.count)
        }
    }

    /// Exchanges the layers of two subviews.
    final func exchangeLayers(of first: UIView, _ second: UIView) {
        guard let a = list.firstIndex(where: { $0 === first.backing }),
            let b = list.firstIndex(where: { $0 === second.backing })
        else { return }
        list.swapAt(a, b)
    }

    /// Removes the layer of a view that is not a subview any more.
    final func dropLayer(of view: UIView) {
        guard let layer = view.backing, layer.above === self else { return }
        list.removeAll { $0 === layer }
        layer.above = nil
    }

    // MARK: Geometry

    // A layer without a view has a view of its own for its geometry, because the formulas are the same.
    private final lazy var place = UIView(frame: .zero)
    private final var body: UIView { owner ?? place }

    open var bounds: CGRect {
        get { body.bounds }
        set { body.bounds = newValue }
    }

    /// The position of the anchor point in the superlayer's coordinates.
    open var position: CGPoint {
        get { body.center }
        set { body.center = newValue }
    }

    /// The position of the anchor point in the bounds, as fractions of width and height.
    open var anchorPoint: CGPoint {
        get { body.anchorPoint }
        set { body.anchorPoint = newValue }
    }

    open var frame: CGRect {
        get { body.frame }
        set { body.frame = newValue }
    }

    open func affineTransform() -> CGAffineTransform { body.transform }
    open func setAffineTransform(_ m: CGAffineTransform) { body.transform = m }

    // MARK: Appearance

    open var isHidden: Bool {
        get { body.isHidden }
        set { body.isHidden = newValue }
    }
    open var opacity: Float {
        get { Float(body.alpha) }
        set { body.alpha = CGFloat(newValue) }
    }
    open var masksToBounds: Bool {
        get { body.clipsToBounds }
        set { body.clipsToBounds = newValue }
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
        backing = layer
        for child in children { layer.placeLayer(of: child, .front) }
        return layer
    }

    /// Orders the subviews as their layers are ordered.
    final func takeOrder(from layers: [CALayer]) {
        let ordered = layers.compactMap { layer in
            layer.owner.flatMap { view in view.parent === self ? view : nil }
        }
        guard ordered.count == children.count else { return }
        children = ordered
    }
}
