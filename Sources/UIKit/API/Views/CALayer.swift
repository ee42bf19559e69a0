// CALayer.swift: the tree of layers that mirrors the tree of views, in the same order.
//
// A view's layer is made when somebody asks for it, and from then on follows its view: subviews' layers come and go
// and change places with them. Layers without a view may stand between. Moving a subview's layer moves the subview.
//
// Sources   documented  CALayer.sublayers is nil when there are none; back to front

import Basics
public import Foundation

/// Told of its layer's wishes. A view is its layer's.
public protocol CALayerDelegate: NSObjectProtocol {
    func layoutSublayers(of layer: CALayer)
}

extension CALayerDelegate {
    public func layoutSublayers(of layer: CALayer) {}
}

open class CALayer: NSObject {
    /// The view this is the layer of. Cleared by it when it goes.
    unowned(unsafe) final var owner: UIView?
    private final var list: [CALayer] = []
    /// Cleared by whoever it points at.
    unowned(unsafe) final var above: CALayer?

    public required override init() { super.init() }

    deinit { for layer in list { layer.above = nil } }

    open var name: String?
    private final weak var otherDelegate: (any CALayerDelegate)?
    /// A view is its layer's, unless another is set.
    open var delegate: (any CALayerDelegate)? {
        get { otherDelegate ?? owner }
        set { otherDelegate = newValue === owner ? nil : newValue }
    }

    // MARK: Tree

    /// Back to front; nil when there are none.
    open var sublayers: [CALayer]? {
        get { list.isEmpty ? nil : list }
        set {
            for layer in list where newValue?.contains(where: { $0 === layer }) != true { layer.removeFromSuperlayer() }
            for layer in newValue ?? [] { addSublayer(layer) }
        }
    }

    /// A subview's layer has one before anybody has asked the superview for it.
    open var superlayer: CALayer? { above ?? owner?.superview?.layer }

    open func addSublayer(_ layer: CALayer) { insertSublayer(layer, at: UInt32.max) }

    /// - Parameter idx: Counted once the layer has left its old place; beyond the end is the front.
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
            // From here on by views, not all of which have been asked for a layer.
            if current.above == nil, let owner = current.owner { return other.owner.map(owner.isInside) ?? false }
            layer = current.above
        }
        return false
    }

    /// Next to a layer that is none of this one's is at the back.
    open func insertSublayer(_ layer: CALayer, below sibling: CALayer?) {
        insertSublayer(layer, at: UInt32(index(of: sibling, without: layer) ?? 0))
    }

    /// Next to a layer that is none of this one's is at the front.
    open func insertSublayer(_ layer: CALayer, above sibling: CALayer?) {
        insertSublayer(layer, at: index(of: sibling, without: layer).map { UInt32($0 + 1) } ?? .max)
    }

    open func replaceSublayer(_ oldLayer: CALayer, with newLayer: CALayer) {
        guard oldLayer !== newLayer, list.contains(where: { $0 === oldLayer }) else { return }
        insertSublayer(newLayer, below: oldLayer)
        oldLayer.removeFromSuperlayer()
    }

    private final func index(of sibling: CALayer?, without layer: CALayer) -> Int? {
        list.lazy.filter { $0 !== layer }.enumerated().first { $0.element === sibling }?.offset
    }

    /// Taking a subview's layer out takes the subview out.
    open func removeFromSuperlayer() {
        if let owner, let superview = owner.superview, above == nil || superview.backing === above {
            owner.removeFromSuperview()
            return
        }
        above?.list.removeAll { $0 === self }
        above = nil
    }

    // MARK: Following the view

    /// Puts a subview's layer where its view is. Next to a subview is next to that subview's layer.
    final func placeLayer(of view: UIView, _ place: SubviewPlace) {
        let layer = view.layer
        list.removeAll { $0 === layer }
        layer.above = self
        switch place {
        case .back: list.insert(layer, at: 0)
        case .above(let sibling):
            list.insert(layer, at: list.firstIndex { $0 === sibling.backing }.map { $0 + 1 } ?? list.count)
        case .front, .index, .below:
            // Right behind the next subview in front of it.
            let siblings = owner?.children ?? []
            let index = siblings.firstIndex { $0 === view } ?? siblings.count - 1
            let inFront = index + 1 < siblings.count ? siblings[index + 1].backing : nil
            list.insert(layer, at: list.firstIndex { $0 === inFront } ?? list.count)
        }
    }

    final func exchangeLayers(of first: UIView, _ second: UIView) {
        guard let a = list.firstIndex(where: { $0 === first.backing }),
            let b = list.firstIndex(where: { $0 === second.backing })
        else { return }
        list.swapAt(a, b)
    }

    final func dropLayer(of view: UIView) {
        guard let layer = view.backing, layer.above === self else { return }
        list.removeAll { $0 === layer }
        layer.above = nil
    }

    // MARK: Geometry

    // A layer has a view of its own to keep its place when it is no view's: the sums are the same.
    private final lazy var place = UIView(frame: .zero)
    private final var body: UIView { owner ?? place }

    open var bounds: CGRect {
        get { body.bounds }
        set { body.bounds = newValue }
    }

    /// Where the anchor point is, in the superlayer's coordinates.
    open var position: CGPoint {
        get { body.center }
        set { body.center = newValue }
    }

    /// In parts of the bounds.
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

    // MARK: What it is like

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
    open var zPosition: CGFloat = 0
    open var cornerRadius: CGFloat = 0

    /// Touches come through again at once.
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

    /// The subviews' layers were put in another order: so are the subviews.
    final func takeOrder(from layers: [CALayer]) {
        let ordered = layers.compactMap { layer in
            layer.owner.flatMap { view in view.parent === self ? view : nil }
        }
        guard ordered.count == children.count else { return }
        children = ordered
    }
}
