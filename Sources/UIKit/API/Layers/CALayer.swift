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
// Sources   documented  CALayer.sublayers is nil without sublayers; back to front

import Basics
public import Foundation

/// A rectangle in a tree of layers: the layer of a view, or a layer without a view.
open class CALayer: NSObject, CAMediaTiming {
    /// The view of this layer, which clears the pointer before it is freed.
    unowned(unsafe) final var owner: UIView?
    private final var layers: [CALayer] = []
    /// The superlayer, which clears the pointer before it is freed.
    unowned(unsafe) final var superlayerPointer: CALayer?

    /// What only some layers have. (LayerValues.swift)
    final var extraValues: LayerValues?

    public override init() { super.init() }

    /// Makes a copy of another layer, for `presentation()`. A subclass copies its own properties.
    public init(layer: Any) {
        super.init()
        if let other = layer as? CALayer { copyShownValues(of: other) }
    }

    /// Returns nil, because this project has no archives of layers.
    public required init?(coder: NSCoder) { nil }

    deinit { for layer in layers { layer.superlayerPointer = nil } }

    open var name: String?
    private final weak var otherDelegate: (any CALayerDelegate)?
    /// The delegate: the view of this layer, unless another object is set.
    open var delegate: (any CALayerDelegate)? {
        get { otherDelegate ?? owner }
        set { otherDelegate = newValue === owner ? nil : newValue }
    }

    // MARK: Tree

    /// The sublayers, back to front; nil without sublayers.
    open var sublayers: [CALayer]? {
        get {
            if let model = extraValues?.model { return model.sublayers?.map { $0.presented() } }
            return layers.isEmpty ? nil : layers
        }
        set {
            for layer in layers where newValue?.contains(where: { $0 === layer }) != true {
                layer.removeFromSuperlayer()
            }
            for layer in newValue ?? [] { addSublayer(layer) }
        }
    }

    /// The superlayer. For a subview's layer it is the superview's layer, which is made if it does not exist.
    open var superlayer: CALayer? {
        superlayerPointer ?? owner?.superview?.layer ?? extraValues?.model?.superlayer?.presented()
    }

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
    private(set) final var ownGeometryView: UIView?
    final var geometryView: UIView { owner ?? ownGeometryView ?? makeGeometryView() }

    private final func makeGeometryView() -> UIView {
        let made = UIView(frame: .zero)
        ownGeometryView = made
        return made
    }

    /// Removes the geometry that the layer had before it had a view.
    final func takeOwnGeometry() -> UIView? {
        defer { ownGeometryView = nil }
        return ownGeometryView
    }

    open var bounds: CGRect {
        get { geometryView.bounds }
        set { changeGeometry("bounds") { $0.bounds = newValue } }
    }

    /// The position of the anchor point in the superlayer's coordinates.
    open var position: CGPoint {
        get { geometryView.center }
        set { changeGeometry("position") { $0.center = newValue } }
    }

    /// The position of the anchor point in the bounds, as fractions of width and height.
    open var anchorPoint: CGPoint {
        get { geometryView.anchorPoint }
        set { changeGeometry("anchorPoint") { $0.anchorPoint = newValue } }
    }

    open var frame: CGRect {
        get { geometryView.frame }
        set { changeGeometry("position", "bounds") { $0.frame = newValue } }
    }

    /// The transform about the anchor point. Positions use its projection along z, without perspective.
    open var transform: CATransform3D {
        get {
            guard let known = extraValues?.transform, known.affinePart == geometryView.transform else {
                return CATransform3DMakeAffineTransform(geometryView.transform)
            }
            return known
        }
        set {
            changeGeometry("transform") { $0.transform = newValue.affinePart }
            if !newValue.isAffine || extraValues != nil { ownValues.transform = newValue }
        }
    }

    open func affineTransform() -> CGAffineTransform { geometryView.transform }
    open func setAffineTransform(_ m: CGAffineTransform) { changeGeometry("transform") { $0.transform = m } }

    private final func changeGeometry(_ keys: String..., by change: (UIView) -> Void) {
        guard owner == nil else { return change(geometryView) }
        for key in keys { willChange(key) }
        let old = geometryView.bounds.size
        change(geometryView)
        if geometryView.bounds.size != old {
            setNeedsLayout()
            if needsDisplayOnBoundsChange { setNeedsDisplay() }
        }
    }

    // MARK: Appearance

    open var isHidden: Bool {
        get { geometryView.isHidden }
        set {
            willChange("hidden")
            geometryView.isHidden = newValue
        }
    }
    open var opacity: Float {
        get { Float(geometryView.alpha) }
        set {
            willChange("opacity")
            geometryView.alpha = CGFloat(newValue)
        }
    }
    open var masksToBounds: Bool {
        get { geometryView.clipsToBounds }
        set { geometryView.clipsToBounds = newValue }
    }
    open var isOpaque: Bool {
        get { geometryView.isOpaque }
        set { geometryView.isOpaque = newValue }
    }
    open var backgroundColor: CGColor? {
        get { geometryView.backgroundColor?.cgColor }
        set {
            willChange("backgroundColor")
            geometryView.backgroundColor = newValue.map { UIColor(cgColor: $0) }
        }
    }
    /// The order in `hitTest(_:)` among the sublayers of one layer. No effect on touches, as views are hit-tested.
    open var zPosition: CGFloat {
        get { extraValues?.zPosition ?? 0 }
        set { set("zPosition", \.zPosition, newValue) }
    }
    /// No effect on touches.
    open var cornerRadius: CGFloat {
        get { extraValues?.cornerRadius ?? 0 }
        set { set("cornerRadius", \.cornerRadius, newValue) }
    }

    // Content that animations change (LayerProperties.swift). Subclasses of UIKit's override these members.

    /// The names of the properties that this class adds.
    var contentKeys: [String] { [] }
    func contentValue(_ key: String) -> AnimatableValue? { nil }
    /// - Returns: Whether the class has the property.
    func setContentValue(_ value: AnimatableValue, _ key: String) -> Bool { false }
    /// Copies what this class adds, for a presentation layer.
    func copyContent(of other: CALayer) {}

    // MARK: Layout

    /// Asks for a call of `layoutSublayers` before the main loop waits.
    open func setNeedsLayout() {
        if let owner { return owner.setNeedsLayout() }
        guard !(extraValues?.needsLayout ?? false), asksForLayout else { return }
        ownValues.needsLayout = true
        UIApplication.current?.drawing.add(toLayout: self)
    }
    /// Calls `layoutSublayers` now if the layer asked for it.
    open func layoutIfNeeded() {
        if let owner { return owner.layoutIfNeeded() }
        guard extraValues?.needsLayout == true else { return }
        ownValues.needsLayout = false
        layoutSublayers()
    }
    open func needsLayout() -> Bool { owner?.layoutNeeds.viewNeedsLayout ?? extraValues?.needsLayout ?? false }
    /// Arranges the sublayers: the delegate does it. For the layer of a view this is the view's `layoutSubviews`.
    open func layoutSublayers() { delegate?.layoutSublayers(of: self) }

    // MARK: Display (CALayer+Display.swift)

    /// Asks for display before the main loop waits.
    open func setNeedsDisplay() { markForDisplay() }
    /// Asks for display of a part of the layer: its context is clipped to the union of all rectangles since the last display.
    open func setNeedsDisplay(_ r: CGRect) { markForDisplay(r) }
    open func needsDisplay() -> Bool { owner?.needsDisplay ?? extraValues?.needsDisplay ?? false }
    open func displayIfNeeded() { displayNowIfNeeded() }
    /// Draws the content: the delegate's `display(_:)` does it, or else `draw(in:)`.
    open func display() { displayByDelegate() }
    /// Draws into a context, which keeps no pixels. By default the delegate does it.
    open func draw(in ctx: CGContext) { delegate?.draw(self, in: ctx) }
    /// No effect: nothing is drawn here.
    open func render(in ctx: CGContext) {}
    /// Whether a change of the value of this key displays the layer: when `setValue(_:forKey:)` sets it, and in each frame of an
    /// animation of it.
    open class func needsDisplay(forKey key: String) -> Bool { false }

    // MARK: Animations (CALayer+Animations.swift)

    /// Starts an animation, which replaces the one with this key. Values of the layer do not change; those of its
    /// `presentation()` do.
    open func add(_ anim: CAAnimation, forKey key: String?) { start(anim, key) }
    open func removeAnimation(forKey key: String) {
        stopAnimations { $0.key == key }
        (owner ?? ownGeometryView)?.removePropertyAnimations { $0.key == key }
    }
    /// Ends all animations, also those of the layer's view, so that touches reach the view at once. Completions receive false.
    open func removeAllAnimations() {
        owner?.admission.endAnimations()
        stopAnimations { _ in true }
        (owner ?? ownGeometryView)?.removePropertyAnimations()
    }
    /// The animation with this key: one that was added, or one of `UIView.animate`, whose key is the name of its property.
    open func animation(forKey key: String) -> CAAnimation? { foundAnimation(key) }
    /// The keys of all animations, also of those of `UIView.animate`; nil without animations.
    open func animationKeys() -> [String]? { keysOfAnimations }
    /// The action for a change of a property: the delegate's, or else one of `actions`, or else the class's.
    open func action(forKey event: String) -> (any CAAction)? { foundAction(for: event) }
    open class func defaultAction(forKey event: String) -> (any CAAction)? { nil }

    // MARK: Timing. The layer's own times are kept and have no effect: a layer with the speed 0 does not stop its animations.

    private final var timing: MediaTiming { extraValues?.timing ?? MediaTiming(duration: .infinity) }
    open var beginTime: CFTimeInterval {
        get { timing.beginTime }
        set { ownValues.timing.beginTime = newValue }
    }
    open var duration: CFTimeInterval {
        get { timing.duration }
        set { ownValues.timing.duration = newValue }
    }
    open var speed: Float {
        get { timing.speed }
        set { ownValues.timing.speed = newValue }
    }
    open var timeOffset: CFTimeInterval {
        get { timing.timeOffset }
        set { ownValues.timing.timeOffset = newValue }
    }
    open var repeatCount: Float {
        get { timing.repeatCount }
        set { ownValues.timing.repeatCount = newValue }
    }
    open var repeatDuration: CFTimeInterval {
        get { timing.repeatDuration }
        set { ownValues.timing.repeatDuration = newValue }
    }
    open var autoreverses: Bool {
        get { timing.autoreverses }
        set { ownValues.timing.autoreverses = newValue }
    }
    open var fillMode: CAMediaTimingFillMode {
        get { timing.fillMode }
        set { ownValues.timing.fillMode = newValue }
    }

    // MARK: Hit test (CALayer+Geometry.swift)

    /// The frontmost layer at a point in the superlayer's coordinates; nil without one.
    open func hitTest(_ p: CGPoint) -> CALayer? { layerHit(at: p) }
    /// Whether a point in the layer's coordinates is inside its bounds.
    open func contains(_ p: CGPoint) -> Bool { bounds.contains(p) }
}
