// UIScrollView.swift: a view that shows a part of content that is larger than itself.
//
// Station   gesture, responder
// Input     its pan and pinch; the recognizer that delays touches on its content; its timer; code that sets its offset
// Output    its bounds' origin, which is the content offset; its delegate
// Knows     the size of the content and the part that is visible. Not what the content is.
//
// This file contains the properties and the methods that an app can set and override. UIScrollView+Dragging.swift turns a
// drag into an offset. ScrollActivity.swift contains the decisions, and Physics/ the formulas.
//
// Sources   documented  UIScrollView, UIScrollViewDelegate (B12)
//           documented  touches end here while scrolling is enabled, and go up the chain while it is disabled

import Basics
public import Foundation

/// A view that shows a part of content that is larger than itself, and scrolls and zooms it.
open class UIScrollView: UIView {
    /// The rate at which released content slows down.
    public struct DecelerationRate: RawRepresentable, Hashable, Sendable {
        /// The fraction of the speed that remains after one millisecond.
        public var rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        public static let normal = DecelerationRate(rawValue: 0.998)
        public static let fast = DecelerationRate(rawValue: 0.99)
    }

    /// The look of scroll indicators. No effect here.
    public enum IndicatorStyle: Int, Sendable { case `default`, black, white }
    /// How a drag dismisses the keyboard. No effect here.
    public enum KeyboardDismissMode: Int, Sendable { case none, onDrag, interactive }
    /// How safe areas change the content inset. No effect here.
    public enum ContentInsetAdjustmentBehavior: Int, Sendable { case automatic, scrollableAxes, never, always }

    // MARK: State (UIScrollView+Dragging.swift, UIScrollView+Zooming.swift)

    final var activity = ScrollActivity()
    @exclusivity(unchecked) final var tracking = ScrollTracking()
    @exclusivity(unchecked) final var motion = ContentMotion()
    @exclusivity(unchecked) final var zooming = ScrollZoom()
    @exclusivity(unchecked) final var content = ScrollContent()
    private final var options = ScrollOptions()
    @exclusivity(unchecked) private final var contentTouches = ContentTouches()
    private final var indicators = ScrollIndicators()
    private(set) final var ownRecognizers: ScrollRecognizers!

    public override init(frame: CGRect) {
        super.init(frame: frame)
        clipsToBounds = true
        ownRecognizers = ScrollRecognizers(of: self)
        attach(ownRecognizers.delay)
        attach(ownRecognizers.pan)
    }

    public required init?(coder: NSCoder) { nil }

    deinit { ownRecognizers?.forgetScrollView() }

    /// The delegate. A UITableView's may be a `UITableViewDelegate`, which also receives events of rows.
    open weak var delegate: (any UIScrollViewDelegate)?

    // MARK: Geometry

    /// The bounds, whose origin is the content offset. Assigning it moves the content without `scrollViewDidScroll`. (B12.13)
    open override var bounds: CGRect {
        get { super.bounds }
        set {
            let old = super.bounds.origin
            super.bounds = newValue
            if newValue.origin != old { setNeedsLayout() }
        }
    }

    override func sizeDidChange(from old: CGSize) {
        super.sizeDidChange(from: old)
        restingRangeDidChange()
    }

    override var scrollsSubviews: Bool { true }

    /// The point of the content at the top left corner of the bounds. Setting it ends an animated scroll.
    ///
    /// A drag or a deceleration continues from the new offset.
    open var contentOffset: CGPoint {
        get { space.bounds.origin }
        set { moveContent(to: newValue) }
    }

    /// Moves the content to an offset.
    ///
    /// With `animated` the movement takes 0.3 s, and the delegate receives `scrollViewDidEndScrollingAnimation`. Without it,
    /// a deceleration or an animated scroll ends.
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        scroll(to: contentOffset, animated: animated)
    }

    /// Moves the content as far as needed to show `rect`, but not beyond the edges of the content.
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) { scroll(toShow: rect, animated: animated) }

    /// The size of the content. Content at rest moves if it would lie beyond the new size.
    open var contentSize: CGSize {
        get { content.size }
        set {
            let old = content.size
            content.size = newValue
            demandFinite(CGRect(origin: .zero, size: newValue), "contentSize")
            guard newValue != old else { return }
            setNeedsLayout()
            restingRangeDidChange()
        }
    }

    /// The space around the content. Content that rested at the top or left edge moves with that edge.
    open var contentInset: UIEdgeInsets {
        get { content.inset }
        set {
            let old = content.inset
            content.inset = newValue
            insetDidChange(from: old)
        }
    }

    /// The content inset. Here no bar and no notch changes it.
    open var adjustedContentInset: UIEdgeInsets { contentInset }
    /// No effect here, because no bar and no notch changes the inset.
    open var contentInsetAdjustmentBehavior: ContentInsetAdjustmentBehavior {
        get { content.insetAdjustment }
        set { content.insetAdjustment = newValue }
    }

    // MARK: Permitted movement

    /// Whether the content scrolls. Otherwise touches are not delayed, and go up the responder chain.
    open var isScrollEnabled: Bool {
        get { options.isEnabled }
        set {
            options.isEnabled = newValue
            ownRecognizers.pan.isEnabled = newValue
            ownRecognizers.delay.isEnabled = newValue
        }
    }
    /// Whether content can be dragged beyond its edges, and returns.
    open var bounces: Bool {
        get { options.bounces }
        set { options.bounces = newValue }
    }
    /// Whether content bounces vertically even if all of it is visible.
    open var alwaysBounceVertical: Bool {
        get { options.alwaysBouncesVertically }
        set { options.alwaysBouncesVertically = newValue }
    }
    /// Whether content bounces horizontally even if all of it is visible.
    open var alwaysBounceHorizontal: Bool {
        get { options.alwaysBouncesHorizontally }
        set { options.alwaysBouncesHorizontally = newValue }
    }
    /// Whether content comes to rest at multiples of the bounds' size.
    open var isPagingEnabled: Bool {
        get { options.isPaged }
        set { options.isPaged = newValue }
    }
    /// Whether a drag that begins along one axis stays on it.
    open var isDirectionalLockEnabled: Bool {
        get { options.locksDirection }
        set { options.locksDirection = newValue }
    }
    /// How fast released content slows down.
    open var decelerationRate: DecelerationRate {
        get { options.decelerationRate }
        set { options.decelerationRate = newValue }
    }
    /// No effect here, because there is no status bar.
    open var scrollsToTop = true
    /// No effect here, because there is no keyboard on the screen.
    open var keyboardDismissMode = KeyboardDismissMode.none

    // Scroll indicators are not drawn.
    /// No effect here, because indicators are not drawn.
    open var indicatorStyle: IndicatorStyle {
        get { indicators.style }
        set { indicators.style = newValue }
    }
    /// No effect here, because indicators are not drawn.
    open var showsVerticalScrollIndicator: Bool {
        get { indicators.showsVertical }
        set { indicators.showsVertical = newValue }
    }
    /// No effect here, because indicators are not drawn.
    open var showsHorizontalScrollIndicator: Bool {
        get { indicators.showsHorizontal }
        set { indicators.showsHorizontal = newValue }
    }
    /// No effect here, because indicators are not drawn.
    open var scrollIndicatorInsets: UIEdgeInsets {
        get { indicators.insets }
        set { indicators.insets = newValue }
    }
    /// Does nothing.
    open func flashScrollIndicators() {}

    // MARK: Touches of the content

    /// Whether touches on the content are delayed until the scroll view knows that they do not drag.
    open var delaysContentTouches: Bool {
        get { contentTouches.areDelayed }
        set { contentTouches.areDelayed = newValue }
    }
    /// Whether a drag may cancel touches that the content has received.
    open var canCancelContentTouches: Bool {
        get { contentTouches.mayBeCanceled }
        set { contentTouches.mayBeCanceled = newValue }
    }

    /// Asked before the content receives touches that were delayed. If the answer is false, the content never receives them.
    open func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool { true }

    /// Asked before a drag cancels touches that the content has received. Touches of controls are not cancelled.
    open func touchesShouldCancel(in view: UIView) -> Bool { !(view is UIControl) }

    // A touch goes up the responder chain from its landing to its lift, or not at all.
    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard !isScrollEnabled else { return }
        contentTouches.addForwarded(touches)
        super.touchesBegan(touches, with: event)
    }
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        let touches = contentTouches.forwarded(among: touches)
        if !touches.isEmpty { super.touchesMoved(touches, with: event) }
    }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        let touches = contentTouches.endForwarding(of: touches)
        if !touches.isEmpty { super.touchesEnded(touches, with: event) }
    }
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        let touches = contentTouches.endForwarding(of: touches)
        if !touches.isEmpty { super.touchesCancelled(touches, with: event) }
    }

    // MARK: Movement

    /// The pan that scrolls the content. It scrolls this view even if an app attaches it to another view.
    open var panGestureRecognizer: UIPanGestureRecognizer { ownRecognizers.pan }
    /// The pinch that zooms the content; nil while the minimum and the maximum scale permit no zoom.
    open var pinchGestureRecognizer: UIPinchGestureRecognizer? { zooming.range.canZoom ? ownRecognizers.pinch : nil }

    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        if gestureRecognizer === ownRecognizers.pan { return panMayBegin(ownRecognizers.pan) }
        if let pinch = ownRecognizers.pinch, gestureRecognizer === pinch { return pinchMayBegin(pinch) }
        return super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    /// Whether a touch is down on the content. It may not have dragged yet.
    open var isTracking: Bool { tracking.isTouched }
    /// Whether a touch has dragged and is still down.
    open var isDragging: Bool { activity.state == .dragging }
    /// Whether the content still moves after the touch lifted.
    open var isDecelerating: Bool { activity.state == .decelerating }

    // MARK: Zooming (UIScrollView+Zooming.swift)

    /// The least scale of the content.
    open var minimumZoomScale: CGFloat {
        get { zooming.range.minimum }
        set {
            zooming.range.minimum = newValue
            zoomRangeDidChange()
        }
    }
    /// The greatest scale of the content.
    open var maximumZoomScale: CGFloat {
        get { zooming.range.maximum }
        set {
            zooming.range.maximum = newValue
            zoomRangeDidChange()
        }
    }
    /// Whether a pinch can move the scale beyond its limits, with resistance, so that it returns afterwards.
    open var bouncesZoom: Bool {
        get { zooming.range.bounces }
        set { zooming.range.bounces = newValue }
    }
    /// The scale of the zoomed view. A value beyond the limits becomes the nearest limit.
    open var zoomScale: CGFloat {
        get { zooming.scale }
        set { setZoomScale(newValue, animated: false) }
    }
    /// Sets the scale. The center of the visible content stays in place.
    open func setZoomScale(_ scale: CGFloat, animated: Bool) { zoom(to: scale, animated: animated) }
    /// Scales and moves the content so that `rect`, in the coordinates of the zoomed view, fills the bounds.
    open func zoom(to rect: CGRect, animated: Bool) { zoom(toShow: rect, animated: animated) }
    /// Whether a pinch changes the scale.
    open var isZooming: Bool { zooming.isByFingers }
    /// Whether the scale returns to a limit that it has exceeded.
    open var isZoomBouncing: Bool { zooming.runningMotion?.motion.isBounce == true }

    /// Makes and attaches the pinch.
    final func makePinch() {
        let pinch = ownRecognizers.newPinch()
        ownRecognizers.pinch = pinch
        attach(pinch)
    }

    // Leaving the window ends a drag and every other movement of the content.
    override func windowWillChange(to window: UIWindow?) {
        super.windowWillChange(to: window)
        ownRecognizers.giveUp()
        tracking.leave()
        finishZoomMotion()
        let moved = isDragging || isDecelerating
        handle(.removed)
        if moved { settleAtOnce() }
    }
}
