// UIView.swift: a rectangle in a tree, which touches can land on.
//
// Station   hitTest, responder
// Input     TouchTracker (hit test), UIWindow+SendEvent.swift (touches)
// Output    its subviews in a hit test; its superview or controller in the responder chain
// Knows     its geometry, its subviews and whether it accepts touches. Nothing about pixels.
//
// This file contains what an app can call and override. UIView+Geometry.swift, UIView+Tree.swift, UIView+HitTest.swift and
// UIView+Layout.swift contain the implementation.
//
// Sources   documented  UIView

import Basics
public import Foundation
import Trace

/// A rectangle in a tree of views, which touches can land on.
open class UIView: UIResponder, NSCoding {
    // A hit test reads these properties for every view it passes. The object that a back pointer refers to clears it
    // before it is freed.
    //
    // Properties in UIKit that every event reads are unchecked and their back pointers unsafe, because `bench dispatch`
    // counts the difference. Instructions for each event without unchecked exclusivity: a moved 7,581 instead of 2,974, a tap
    // 12,203 instead of 6,912. With plain `unowned`: 3,050 and 6,993 (Docs/Internals/Dispatch.md).
    @exclusivity(unchecked) final var space: ViewSpace {
        didSet { if hitMembership.isItem { reportMoveToHitIndex() } }
    }
    @exclusivity(unchecked) final var admission = TouchAdmission() {
        didSet {
            if hitMembership.isTracked, admission.differs(from: oldValue) { reportAdmissionToHitIndex() }
        }
    }
    /// The subviews, back to front.
    @exclusivity(unchecked) final var children: [UIView] = [] {
        didSet { if hitMembership.isTracked { reportSubviewsToHitIndex() } }
    }
    @exclusivity(unchecked) final var hitMembership = HitMembership()
    /// The superview, the view controller and the window. Code that reads `parent`, `controller` and `cachedWindow` counts a
    /// reference.
    @exclusivity(unchecked) private(set) final var parentReference: Unmanaged<UIView>?
    @exclusivity(unchecked) private(set) final var controllerReference: Unmanaged<UIViewController>?
    @exclusivity(unchecked) private(set) final var windowReference: Unmanaged<UIWindow>?
    final var parent: UIView? {
        @inline(__always) get { parentReference?.takeUnretainedValue() }
        set { parentReference = newValue.map(Unmanaged.passUnretained) }
    }
    final var controller: UIViewController? {
        @inline(__always) get { controllerReference?.takeUnretainedValue() }
        set { controllerReference = newValue.map(Unmanaged.passUnretained) }
    }
    final var cachedWindow: UIWindow? {
        @inline(__always) get { windowReference?.takeUnretainedValue() }
        set { windowReference = newValue.map(Unmanaged.passUnretained) }
    }
    /// Whether the view's class does nothing with touches but forward them. (TouchForwarding.swift)
    final let onlyForwardsTouches: Bool

    final var backingLayer: CALayer?
    @exclusivity(unchecked) final var recognizers: [UIGestureRecognizer] = []
    final var layoutNeeds = LayoutNeeds()
    final var naming = ViewNaming()
    final var appearance = ViewAppearance()
    /// What only some views have. (ViewValues.swift)
    final var values: ViewValues?

    /// Makes a view.
    public init(frame: CGRect) {
        space = ViewSpace(frame: frame)
        onlyForwardsTouches = TouchForwarding.isAll(of: Self.self)
        super.init()
        demandFinite(frame, "frame")
    }

    public convenience override init() { self.init(frame: .zero) }

    /// Reads a view that `encode(with:)` has written, with its subviews. Nil for a coder without keys.
    public required init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding else { return nil }
        space = ViewSpace(frame: .zero)
        onlyForwardsTouches = TouchForwarding.isAll(of: Self.self)
        super.init()
        decodeValues(with: coder)
    }

    /// Writes geometry, look, tag and subviews. A subclass adds its own values.
    open func encode(with coder: NSCoder) { encodeValues(with: coder) }

    deinit {
        hitMembership.own?.invalidate()
        for child in children {
            child.parent = nil
            child.backingLayer?.superlayerPointer = nil
            if child.cachedWindow != nil { child.forgetWindow() }
        }
        for recognizer in recognizers {
            recognizer.abandonAttempt()
            recognizer.attachedView = nil
        }
        backingLayer?.owner = nil
    }

    // MARK: Geometry (UIView+Geometry.swift)

    /// The smallest upright rectangle around the view, in the superview's coordinates. A null rectangle, which `insetBy`
    /// returns for a small one, becomes an empty rectangle at (0, 0).
    open var frame: CGRect {
        get { space.frame }
        set {
            let newValue = newValue.origin.x == .infinity && newValue == .null ? CGRect.zero : newValue
            demandFinite(newValue, "frame")
            animatablePropertyWillBeSet()
            let old = space.bounds.size
            if space.fill(newValue) { sizeDidChange(from: old) }
        }
    }

    /// The rectangle of the view in its own coordinates.
    open var bounds: CGRect {
        get { space.bounds }
        set {
            demandFinite(newValue, "bounds")
            animatablePropertyWillBeSet()
            let old = space.bounds.size
            space.bounds = newValue
            if newValue.size != old { sizeDidChange(from: old) }
        }
    }

    /// The position of the anchor point in the superview's coordinates. By default the anchor point is the middle.
    open var center: CGPoint {
        get { space.center }
        set {
            demandFinite(newValue, "center")
            animatablePropertyWillBeSet()
            space.center = newValue
        }
    }

    /// The transform about the anchor point.
    open var transform: CGAffineTransform {
        get { space.transform }
        set {
            demandFinite(newValue)
            animatablePropertyWillBeSet()
            space.transform = newValue
        }
    }

    /// The anchor point in fractions of the bounds: (0, 0) is the top left corner, (0.5, 0.5) the middle.
    open var anchorPoint: CGPoint {
        get { space.anchor }
        set {
            demandFinite(newValue, "anchorPoint")
            space.anchor = newValue
        }
    }

    /// Converts a point to the coordinates of a view, or of the window if `view` is nil.
    open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint { converted(point, to: view) }
    /// Converts a point from the coordinates of a view, or of the window if `view` is nil.
    open func convert(_ point: CGPoint, from view: UIView?) -> CGPoint { converted(point, from: view) }
    /// Converts a rectangle to the coordinates of a view, or of the window if `view` is nil.
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect { converted(rect, to: view) }
    /// Converts a rectangle from the coordinates of a view, or of the window if `view` is nil.
    open func convert(_ rect: CGRect, from view: UIView?) -> CGRect { converted(rect, from: view) }

    /// The size that the view needs. By default the size that it has.
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

    /// Gives the view the size that it needs.
    open func sizeToFit() {
        let size = sizeThatFits(bounds.size)
        bounds.size = size
    }

    // MARK: Tree (UIView+Tree.swift)

    /// The view that contains this view; nil for a view without one.
    open var superview: UIView? { parent }
    /// The subviews, back to front.
    open var subviews: [UIView] { children }
    /// The window that shows the view; nil for a view in none.
    open var window: UIWindow? { cachedWindow }

    /// Adds a subview in front of the others. The view leaves its superview.
    open func addSubview(_ view: UIView) { insert(view, at: .front) }
    /// Adds a subview at an index, counted from the back.
    open func insertSubview(_ view: UIView, at index: Int) { insert(view, at: .index(index)) }
    /// Adds a subview in front of another one.
    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        insert(view, at: .above(siblingSubview))
    }
    /// Adds a subview behind another one.
    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insert(view, at: .below(siblingSubview))
    }
    /// Exchanges two subviews. An index without a subview stops the program.
    open func exchangeSubview(at index1: Int, withSubviewAt index2: Int) { exchange(index1, index2) }
    /// Moves a subview in front of the others.
    open func bringSubviewToFront(_ view: UIView) { reorder(view, to: .front) }
    /// Moves a subview behind the others.
    open func sendSubviewToBack(_ view: UIView) { reorder(view, to: .back) }
    /// Removes the view from its superview.
    open func removeFromSuperview() { leaveSuperview() }

    /// Called after a subview was added.
    open func didAddSubview(_ subview: UIView) {}
    /// Called before a subview is removed.
    open func willRemoveSubview(_ subview: UIView) {}
    /// Called before the superview changes; nil if the view is removed.
    open func willMove(toSuperview newSuperview: UIView?) {}
    /// Called after the superview changed.
    open func didMoveToSuperview() {}
    /// Called before the window changes; nil if the view leaves its window.
    open func willMove(toWindow newWindow: UIWindow?) {}
    /// Called after the window changed.
    open func didMoveToWindow() {}

    /// Called before `willMove(toWindow:)`, which an app may override without a call of `super`.
    func windowWillChange(to window: UIWindow?) {}

    /// Whether the view is inside `view` or is `view` itself.
    open func isDescendant(of view: UIView) -> Bool { isInside(view) }
    /// The first view with this tag, among this view and the views inside it.
    open func viewWithTag(_ tag: Int) -> UIView? { firstView { $0.tag == tag } }

    // MARK: Properties

    /// Whether the view and its subviews are neither shown nor hit by touches.
    open var isHidden: Bool {
        get { admission.isHidden }
        set {
            admission.isHidden = newValue
            if !newValue { askForDisplayWhenShown() }
            parent?.subviewVisibilityDidChange()
        }
    }
    /// The opacity, 0...1. A view below 0.01 takes no touches. (B3.2)
    open var alpha: CGFloat {
        get { admission.alpha }
        set {
            animatablePropertyWillBeSet()
            admission.setAlpha(newValue)
        }
    }
    /// Whether touches reach the view and its subviews.
    open var isUserInteractionEnabled: Bool {
        get { admission.isInteractive }
        set { admission.isInteractive = newValue }
    }
    /// Whether the view receives a second touch while the first one is down. (B9v.4)
    open var isMultipleTouchEnabled = false
    /// Whether a touch on this view blocks touches on other views of the window, and the reverse. (B11.3)
    open var isExclusiveTouch = false
    /// Has no effect on touches. (B3.4)
    open var clipsToBounds: Bool {
        get { appearance.clipsToBounds }
        set { appearance.clipsToBounds = newValue }
    }
    /// The color behind the content of the view; nil for none.
    open var backgroundColor: UIColor? {
        get { appearance.backgroundColor }
        set {
            animatablePropertyWillBeSet()
            appearance.backgroundColor = newValue
        }
    }
    /// No effect here, because no pixels are drawn.
    open var isOpaque: Bool {
        get { appearance.isOpaque }
        set { appearance.isOpaque = newValue }
    }
    /// A number of the app's choice.
    open var tag = 0
    open var accessibilityIdentifier: String? {
        get { naming.identifier }
        set { naming.identifier = newValue }
    }

    /// Whether no touch can begin on the view: it is hidden, not interactive, nearly transparent, or animated. (B3.2)
    @inline(__always)
    final var ignoresTouches: Bool {
        !admission.admitsTouches || (admission.dependsOnTime && isAnimated)
    }

    /// Whether the view moves all its subviews often, by its bounds' origin. (HitIndex+Build.swift)
    var scrollsSubviews: Bool { false }

    /// Called when a subview is hidden or shown.
    func subviewVisibilityDidChange() {}

    /// Called when the size of the bounds has changed.
    func sizeDidChange(from old: CGSize) {
        setNeedsLayout()
        if appearance.autoresizesSubviews { resizeSubviews(from: old) }
        if values?.contentMode == .redraw { setNeedsDisplay() }
    }

    // MARK: Autoresizing (UIView+Autoresizing.swift)

    /// The distances and sizes that change with the size of the superview.
    open var autoresizingMask: AutoresizingMask {
        get { AutoresizingMask(rawValue: UInt(appearance.autoresizing)) }
        set { appearance.autoresizing = UInt8(truncatingIfNeeded: newValue.rawValue) }
    }
    /// Whether a change of size moves and resizes subviews by their masks.
    open var autoresizesSubviews: Bool {
        get { appearance.autoresizesSubviews }
        set { appearance.autoresizesSubviews = newValue }
    }
    /// The size that the content needs, in points; `noIntrinsicMetric` for a direction without such a size. Nothing uses it
    /// here unless the app does, because there is no Auto Layout.
    open var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: UIView.noIntrinsicMetric)
    }
    /// No effect here, because there is no Auto Layout.
    open func invalidateIntrinsicContentSize() {}
    open var alignmentRectInsets: UIEdgeInsets { .zero }

    // MARK: Margins (UIView+SafeArea.swift)

    /// Called when `safeAreaInsets` has changed because a controller's `additionalSafeAreaInsets` has.
    open func safeAreaInsetsDidChange() {}
    /// Called when `layoutMargins` was set.
    open func layoutMarginsDidChange() {}

    // MARK: Look (UIView+Tint.swift, UIView+Content.swift)

    /// The tint color: the one that was set here, or else the superview's; system blue if none was set.
    open var tintColor: UIColor! {
        get { effectiveTintColor }
        set { setTint { $0.tintColor = newValue } }
    }
    /// Called when the tint color of the view has changed, here or in a view around it.
    open func tintColorDidChange() {}
    /// How the content follows the size. Only `redraw` has an effect: a new size draws the view.
    open var contentMode: ContentMode {
        get { values?.contentMode ?? .scaleToFill }
        set { ownValues.contentMode = newValue }
    }
    open var traitCollection: UITraitCollection { UITraitCollection() }
    /// Not called: traits do not change here.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    /// Not called: there is no Interface Builder here. The same holds for `awakeFromNib`.
    open func prepareForInterfaceBuilder() {}
    open func awakeFromNib() {}

    // MARK: Layer (CALayer.swift)

    /// The class of the view's layer: `CALayer` or one of its subclasses.
    open class var layerClass: AnyClass { CALayer.self }
    /// The view's layer, made when it is first read.
    open var layer: CALayer { backingLayer ?? makeLayer() }

    // MARK: Layout (UIView+Layout.swift)

    /// Arranges the subviews. Called by layout; by default it does nothing.
    open func layoutSubviews() {}

    // MARK: Constraints. Views have no constraints here: these methods call each other before layout, as on iOS.

    open func updateConstraints() {}
    open func setNeedsUpdateConstraints() {
        layoutNeeds.markConstraints()
        setNeedsLayout()
    }
    open func needsUpdateConstraints() -> Bool { layoutNeeds.needsUpdateConstraints }
    open func updateConstraintsIfNeeded() {
        if layoutNeeds.beginConstraints() { updateConstraints() }
    }
    open class var requiresConstraintBasedLayout: Bool { false }
    /// Asks for layout before the main loop waits.
    open func setNeedsLayout() { markForLayout() }
    /// Lays out now what asked for layout, from the outermost of an unbroken line of ancestors that asked.
    open func layoutIfNeeded() { layoutFromTop() }
    /// Arranges the layers of this view: by default `layoutSubviews` does it. Called by layout if a class overrides it.
    open func layoutSublayers(of layer: CALayer) { layoutSubviews() }

    /// Displays the layer of this view: by default `draw(_:in:)` of the layer and of the view follow.
    open func display(_ layer: CALayer) { layer.drawInNewContext() }
    /// Draws the layer of this view: by default `draw(_:)` follows.
    open func draw(_ layer: CALayer, in ctx: CGContext) {
        UIGraphicsPushContext(ctx)
        draw(layer.rectToDraw)
        UIGraphicsPopContext()
    }
    /// No action: changes of a view's layer are animated by `UIView.animate`.
    open func action(for layer: CALayer, forKey event: String) -> (any CAAction)? { NSNull() }

    // MARK: Drawing (ApplicationDrawing.swift)

    /// Draws the view into the current context, which keeps no pixels. Called before the main loop waits: once when the view
    /// has entered a window, and once after any number of `setNeedsDisplay`.
    open func draw(_ rect: CGRect) {}
    /// Asks for a call of `draw(_:)`. Without an override nothing happens.
    open func setNeedsDisplay() { markForDisplay() }
    /// Asks for a call of `draw(_:)` with the union of all rectangles since the last one, inside the bounds.
    open func setNeedsDisplay(_ rect: CGRect) { markForDisplay(rect) }

    // MARK: Accessibility (UIAccessibility.swift). No assistive technology asks for these values here.

    open var isAccessibilityElement: Bool {
        get { values?.accessibility.isElement ?? false }
        set { ownValues.accessibility.isElement = newValue }
    }
    open var accessibilityLabel: String? {
        get { values?.accessibility.label }
        set { ownValues.accessibility.label = newValue }
    }
    open var accessibilityHint: String? {
        get { values?.accessibility.hint }
        set { ownValues.accessibility.hint = newValue }
    }
    open var accessibilityValue: String? {
        get { values?.accessibility.value }
        set { ownValues.accessibility.value = newValue }
    }
    open var accessibilityTraits: UIAccessibilityTraits {
        get { values?.accessibility.traits ?? .none }
        set { ownValues.accessibility.traits = newValue }
    }
    /// In the screen's coordinates: the view's frame there, unless another one is set.
    open var accessibilityFrame: CGRect {
        get { values?.accessibility.frame ?? UIAccessibility.convertToScreenCoordinates(bounds, in: self) }
        set { ownValues.accessibility.frame = newValue }
    }
    /// In the screen's coordinates: the middle of `accessibilityFrame`, unless another one is set.
    open var accessibilityActivationPoint: CGPoint {
        get {
            let frame = accessibilityFrame
            return values?.accessibility.activationPoint ?? CGPoint(x: frame.midX, y: frame.midY)
        }
        set { ownValues.accessibility.activationPoint = newValue }
    }
    open var accessibilityElements: [Any]? {
        get { values?.accessibility.elements }
        set { ownValues.accessibility.elements = newValue }
    }
    open func accessibilityElementCount() -> Int { accessibilityElements?.count ?? 0 }
    open func accessibilityElement(at index: Int) -> Any? {
        guard let elements = accessibilityElements, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
    /// The index of an element that is an object; `NSNotFound` for an object that is no element of the view.
    open func index(ofAccessibilityElement element: Any) -> Int {
        accessibilityElements?.firstIndex { $0 as AnyObject === element as AnyObject } ?? NSNotFound
    }
    open func accessibilityIncrement() {}
    open func accessibilityDecrement() {}
    open func accessibilityActivate() -> Bool { false }
    open func accessibilityScroll(_ direction: UIAccessibilityScrollDirection) -> Bool { false }
    open func accessibilityElementDidBecomeFocused() {}
    open func accessibilityElementDidLoseFocus() {}

    // MARK: Touches (UIView+HitTest.swift)

    /// The frontmost view at a point in this view's coordinates; nil if the point is outside, or the view ignores
    /// touches. (B3.1)
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { defaultHitTest(point, with: event) }

    /// Whether the point is inside the bounds. The left and top edges are inside, the right and bottom edges are not. (B3.3)
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { space.bounds.containsForHitTest(point) }

    /// The recognizers in the order in which they were added; nil if there are none.
    open var gestureRecognizers: [UIGestureRecognizer]? {
        get { recognizers.isEmpty ? nil : recognizers }
        set { replaceRecognizers(with: newValue ?? []) }
    }

    /// Attaches a recognizer as the last one of this view, and removes it from its previous view.
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) { attach(gestureRecognizer) }
    /// Removes a recognizer. An active one fails or is cancelled. (B5.7)
    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) { detach(gestureRecognizer) }

    /// Asked before a recognizer begins that would take touches from this view. (B5.4)
    open func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }

    // MARK: Chain

    /// The view controller of the view if it has one, or else the superview.
    open override var next: UIResponder? { standardNext }

    override var standardNext: UIResponder? { controllerReference == nil ? parent : controller }

    override var nextTouchReceiver: UIResponder? { onlyForwardsTouches ? touchReceiver : next }

    override var responderWindow: UIWindow? { cachedWindow }

    /// The name of the view in traces: `UIView "Y"`.
    package var traceLabel: String {
        accessibilityIdentifier.map { "\(traceClass) \"\($0)\"" } ?? traceClass
    }
}
