// UIView.swift: a rectangle in a tree, which may be touched.
//
// Station   hitTest, responder
// Fed by    TouchTracker (hit test), UIWindow+SendEvent.swift (touches)
// Feeds     its subviews in a hit test; its superview or controller in the responder chain
// Knows     where it is, what it holds, who may touch it. Pixels are nobody's business here.
//
// What can be overridden is written in this file; how it works is in UIView+Geometry, +Tree, +HitTest and +Layout.
//
// Sources   documented  UIView

import Basics
public import Foundation
import Trace

open class UIView: UIResponder {
    // A hit test reads these properties for every view it passes. The object that a back pointer refers to clears it
    // before it is freed.
    //
    // Properties in UIKit that every event reads are unchecked and their back pointers unsafe, because `bench dispatch`
    // counts the difference. Instructions for each event without unchecked exclusivity: a moved 7,581 instead of 2,974, a tap
    // 12,203 instead of 6,912. With plain `unowned`: 3,050 and 6,993 (Docs/Dispatch.md).
    @exclusivity(unchecked) final var space: ViewSpace
    @exclusivity(unchecked) final var admission = TouchAdmission()
    @exclusivity(unchecked) final var children: [UIView] = []
    @exclusivity(unchecked) unowned(unsafe) final var parent: UIView?
    @exclusivity(unchecked) unowned(unsafe) final var cachedWindow: UIWindow?
    @exclusivity(unchecked) unowned(unsafe) final var controller: UIViewController?

    final var backing: CALayer?
    final var recognizers: [UIGestureRecognizer] = []
    final var layoutNeeds = LayoutNeeds()
    final var naming = ViewNaming()
    private final var appearance = ViewAppearance()

    public init(frame: CGRect) {
        space = ViewSpace(frame: frame)
        super.init()
        demandFinite(frame, "frame")
    }

    public convenience override init() { self.init(frame: .zero) }

    /// There are no archives of views here: always nil.
    public required init?(coder: NSCoder) { nil }

    deinit {
        for child in children {
            child.parent = nil
            child.backing?.above = nil
            if child.cachedWindow != nil { child.forgetWindow() }
        }
        for recognizer in recognizers {
            recognizer.giveUp()
            recognizer.attachedView = nil
        }
        backing?.owner = nil
    }

    // MARK: Geometry (UIView+Geometry.swift)

    /// In the superview's coordinates: the smallest upright rectangle around the view.
    open var frame: CGRect {
        get { space.frame }
        set {
            demandFinite(newValue, "frame")
            if space.fill(newValue) { sizeDidChange() }
            wasSet()
        }
    }

    open var bounds: CGRect {
        get { space.bounds }
        set {
            demandFinite(newValue, "bounds")
            let resized = newValue.size != space.bounds.size
            space.bounds = newValue
            wasSet()
            if resized { sizeDidChange() }
        }
    }

    /// Where the anchor point is, in the superview's coordinates: the middle, unless the anchor is elsewhere.
    open var center: CGPoint {
        get { space.center }
        set {
            demandFinite(newValue, "center")
            space.center = newValue
            wasSet()
        }
    }

    /// About the anchor point.
    open var transform: CGAffineTransform {
        get { space.transform }
        set {
            demandFinite(newValue)
            space.transform = newValue
            wasSet()
        }
    }

    /// In parts of the bounds: (0, 0) is the top left corner, (0.5, 0.5) the middle.
    open var anchorPoint: CGPoint {
        get { space.anchor }
        set {
            demandFinite(newValue, "anchorPoint")
            space.anchor = newValue
        }
    }

    open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint { converted(point, to: view) }
    open func convert(_ point: CGPoint, from view: UIView?) -> CGPoint { converted(point, from: view) }
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect { converted(rect, to: view) }
    open func convert(_ rect: CGRect, from view: UIView?) -> CGRect { converted(rect, from: view) }

    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

    open func sizeToFit() {
        let size = sizeThatFits(bounds.size)
        bounds.size = size
    }

    // MARK: Tree (UIView+Tree.swift)

    open var superview: UIView? { parent }
    /// Back to front.
    open var subviews: [UIView] { children }
    open var window: UIWindow? { cachedWindow }

    open func addSubview(_ view: UIView) { insert(view, .front) }
    open func insertSubview(_ view: UIView, at index: Int) { insert(view, .index(index)) }
    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        insert(view, .above(siblingSubview))
    }
    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insert(view, .below(siblingSubview))
    }
    open func exchangeSubview(at index1: Int, withSubviewAt index2: Int) { exchange(index1, index2) }
    open func bringSubviewToFront(_ view: UIView) { reorder(view, .front) }
    open func sendSubviewToBack(_ view: UIView) { reorder(view, .back) }
    open func removeFromSuperview() { leaveSuperview() }

    open func didAddSubview(_ subview: UIView) {}
    open func willRemoveSubview(_ subview: UIView) {}
    open func willMove(toSuperview newSuperview: UIView?) {}
    open func didMoveToSuperview() {}
    open func willMove(toWindow newWindow: UIWindow?) {}
    open func didMoveToWindow() {}

    /// Before `willMove(toWindow:)`, which an app may override without a word to super.
    func windowWillChange(to window: UIWindow?) {}

    /// A view is its own descendant.
    open func isDescendant(of view: UIView) -> Bool { isInside(view) }
    open func viewWithTag(_ tag: Int) -> UIView? { firstView { $0.tag == tag } }

    // MARK: What it is like

    open var isHidden: Bool {
        get { admission.isHidden }
        set {
            admission.isHidden = newValue
            parent?.subviewWasHidden()
        }
    }
    open var alpha: CGFloat {
        get { admission.alpha }
        set {
            admission.setAlpha(newValue)
            wasSet()
        }
    }
    open var isUserInteractionEnabled: Bool {
        get { admission.isInteractive }
        set { admission.isInteractive = newValue }
    }
    /// Whether a second finger on this view is told to it while the first is down.
    open var isMultipleTouchEnabled = false
    /// Whether a finger on this view keeps others off the window, and the other way round.
    open var isExclusiveTouch = false
    /// Without meaning for touches. (B3.4)
    open var clipsToBounds: Bool {
        get { appearance.clipsToBounds }
        set { appearance.clipsToBounds = newValue }
    }
    open var backgroundColor: UIColor? {
        get { appearance.backgroundColor }
        set { appearance.backgroundColor = newValue }
    }
    open var isOpaque: Bool {
        get { appearance.isOpaque }
        set { appearance.isOpaque = newValue }
    }
    open var tag = 0
    open var accessibilityIdentifier: String? {
        get { naming.identifier }
        set { naming.identifier = newValue }
    }

    /// What no touch begins on: hidden, not interactive, all but transparent, or being animated. (B3.2)
    @inline(__always)
    final var ignoresTouches: Bool {
        !admission.takesTouches || (admission.dependsOnTime && isAnimated)
    }

    /// One of its subviews has been hidden, or shown again.
    func subviewWasHidden() {}

    /// The bounds have another size.
    func sizeDidChange() { setNeedsLayout() }

    // MARK: Layer (CALayer.swift)

    /// The class of its layer: `CALayer` or one of its subclasses.
    open class var layerClass: AnyClass { CALayer.self }
    /// Made when first asked for.
    open var layer: CALayer { backing ?? makeLayer() }

    // MARK: Layout (UIView+Layout.swift)

    open func layoutSubviews() {}
    open func setNeedsLayout() { markForLayout() }
    open func layoutIfNeeded() { layoutFromTop() }
    /// Nothing is drawn here.
    open func setNeedsDisplay() {}

    // MARK: Touches (UIView+HitTest.swift)

    /// The frontmost view under the point, in this view's coordinates, or nil.
    open func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { defaultHitTest(point, with: event) }

    /// Half-open: the left and top edges are inside, the right and bottom are not.
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { space.bounds.holds(point) }

    open var gestureRecognizers: [UIGestureRecognizer]? {
        get { recognizers.isEmpty ? nil : recognizers }
        set { replaceRecognizers(with: newValue ?? []) }
    }

    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) { attach(gestureRecognizer) }
    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) { detach(gestureRecognizer) }

    /// Asked before a recogniser that would take touches from this view begins.
    open func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }

    // MARK: Chain

    open override var next: UIResponder? { controller ?? parent }

    override var responderWindow: UIWindow? { cachedWindow }

    /// How traces call it: `UIView "Y"`.
    var traceLabel: String {
        accessibilityIdentifier.map { "\(traceClass) \"\($0)\"" } ?? traceClass
    }

    /// The class a trace names. A scene's stand-in sets what the scene calls it, which need not be its Swift name.
    package final var traceClass: String {
        get {
            if let known = naming.className { return known }
            let name = "\(type(of: self))"
            naming.className = name
            return name
        }
        set { naming.className = newValue }
    }

    final func traceName(in application: UIApplication) -> Int64 {
        let label = naming.knownLabel ?? traceLabel
        naming.knownLabel = label
        return application.trace.name(label)
    }
}
