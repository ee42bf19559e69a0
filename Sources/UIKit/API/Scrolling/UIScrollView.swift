// UIScrollView.swift: a window on content larger than itself.
//
// Station   gesture, responder
// Fed by    its pan and pinch; the recogniser that holds its content's touches; its timer; whoever sets its offset
// Feeds     its bounds' origin, which is the content offset; its delegate
// Knows     how much content there is and which part shows. What content is, the subviews know.
//
// What can be set and overridden is written in this file. How a drag becomes an offset is in
// UIScrollView+Dragging.swift, which decisions there are in ScrollActivity.swift, the sums in Physics/.
//
// Sources   documented  UIScrollView, UIScrollViewDelegate (B12)
//           documented  touches end here while scrolling is enabled, and go up the chain while it is not

import Basics
public import Foundation

open class UIScrollView: UIView {
    public struct DecelerationRate: RawRepresentable, Hashable, Sendable {
        /// Of the speed that is left after a millisecond.
        public var rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }

        public static let normal = DecelerationRate(rawValue: 0.998)
        public static let fast = DecelerationRate(rawValue: 0.99)
    }

    public enum IndicatorStyle: Int, Sendable { case `default`, black, white }
    public enum KeyboardDismissMode: Int, Sendable { case none, onDrag, interactive }
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

    /// UITableView's is a `UITableViewDelegate`.
    open weak var delegate: (any UIScrollViewDelegate)?

    // MARK: Geometry

    /// Its origin is the content offset. Assigning it moves the content without `scrollViewDidScroll`. (B12.13)
    open override var bounds: CGRect {
        get { super.bounds }
        set {
            let old = super.bounds.origin
            super.bounds = newValue
            if newValue.origin != old { setNeedsLayout() }
        }
    }

    override func sizeDidChange() {
        super.sizeDidChange()
        roomDidChange()
    }

    /// Setting it moves what is dragged or moving along; only an animated scroll ends.
    open var contentOffset: CGPoint {
        get { space.bounds.origin }
        set { moveContent(to: newValue) }
    }

    /// With `animated`, the content is under way for 0.3 s and the delegate is told of its arrival. Without, whatever
    /// moved the content stops.
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        scroll(to: contentOffset, animated: animated)
    }

    /// No further than needed, and never beyond the bounds of the content.
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) { scroll(toShow: rect, animated: animated) }

    /// Content that rests, and would show what is no more, moves.
    open var contentSize: CGSize {
        get { content.size }
        set {
            let old = content.size
            content.size = newValue
            demandFinite(CGRect(origin: .zero, size: newValue), "contentSize")
            guard newValue != old else { return }
            setNeedsLayout()
            roomDidChange()
        }
    }

    /// Room around the content. Content that rested at the top or left edge follows it.
    open var contentInset: UIEdgeInsets {
        get { content.inset }
        set {
            let old = content.inset
            content.inset = newValue
            insetDidChange(from: old)
        }
    }

    /// There is nothing else to adjust to: no bars, no notch.
    open var adjustedContentInset: UIEdgeInsets { contentInset }
    open var contentInsetAdjustmentBehavior: ContentInsetAdjustmentBehavior {
        get { content.insetAdjustment }
        set { content.insetAdjustment = newValue }
    }

    // MARK: What it allows

    /// Disabled, it neither scrolls nor holds touches back, and touches on it go up the responder chain.
    open var isScrollEnabled: Bool {
        get { options.isEnabled }
        set {
            options.isEnabled = newValue
            ownRecognizers.pan.isEnabled = newValue
            ownRecognizers.delay.isEnabled = newValue
        }
    }
    open var bounces: Bool {
        get { options.bounces }
        set { options.bounces = newValue }
    }
    /// Where there is no more content than fits.
    open var alwaysBounceVertical: Bool {
        get { options.alwaysBouncesVertically }
        set { options.alwaysBouncesVertically = newValue }
    }
    open var alwaysBounceHorizontal: Bool {
        get { options.alwaysBouncesHorizontally }
        set { options.alwaysBouncesHorizontally = newValue }
    }
    open var isPagingEnabled: Bool {
        get { options.isPaged }
        set { options.isPaged = newValue }
    }
    /// A drag that begins along one axis stays on it.
    open var isDirectionalLockEnabled: Bool {
        get { options.locksDirection }
        set { options.locksDirection = newValue }
    }
    open var decelerationRate: DecelerationRate {
        get { options.decelerationRate }
        set { options.decelerationRate = newValue }
    }
    open var scrollsToTop = true
    open var keyboardDismissMode = KeyboardDismissMode.none

    // Nothing is drawn here.
    open var indicatorStyle: IndicatorStyle {
        get { indicators.style }
        set { indicators.style = newValue }
    }
    open var showsVerticalScrollIndicator: Bool {
        get { indicators.showsVertical }
        set { indicators.showsVertical = newValue }
    }
    open var showsHorizontalScrollIndicator: Bool {
        get { indicators.showsHorizontal }
        set { indicators.showsHorizontal = newValue }
    }
    open var scrollIndicatorInsets: UIEdgeInsets {
        get { indicators.insets }
        set { indicators.insets = newValue }
    }
    open func flashScrollIndicators() {}

    // MARK: Touches of the content

    /// Whether touches wait, for as long as a flick needs to show, before the content hears of them.
    open var delaysContentTouches: Bool {
        get { contentTouches.areDelayed }
        set { contentTouches.areDelayed = newValue }
    }
    /// Whether a drag may take a touch from content that has heard of it.
    open var canCancelContentTouches: Bool {
        get { contentTouches.mayBeCanceled }
        set { contentTouches.mayBeCanceled = newValue }
    }

    /// Asked when content is about to hear of touches it was kept from. False: it never will.
    open func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool { true }

    /// Asked before a drag takes touches from content that has heard of them. Controls keep theirs.
    open func touchesShouldCancel(in view: UIView) -> Bool { !(view is UIControl) }

    // A touch goes up the chain from beginning to end, or not at all.
    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard !isScrollEnabled else { return }
        contentTouches.pass(touches)
        super.touchesBegan(touches, with: event)
    }
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        let touches = contentTouches.passing(among: touches)
        if !touches.isEmpty { super.touchesMoved(touches, with: event) }
    }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        let touches = contentTouches.endPassing(touches)
        if !touches.isEmpty { super.touchesEnded(touches, with: event) }
    }
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        let touches = contentTouches.endPassing(touches)
        if !touches.isEmpty { super.touchesCancelled(touches, with: event) }
    }

    // MARK: What it does

    /// Attached to another view, it scrolls this one still.
    open var panGestureRecognizer: UIPanGestureRecognizer { ownRecognizers.pan }
    /// Nil while there is no range to zoom in.
    open var pinchGestureRecognizer: UIPinchGestureRecognizer? { zooming.range.canZoom ? ownRecognizers.pinch : nil }

    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        if gestureRecognizer === ownRecognizers.pan { return panMayBegin(ownRecognizers.pan) }
        if let pinch = ownRecognizers.pinch, gestureRecognizer === pinch { return pinchMayBegin(pinch) }
        return super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    /// A finger is down; it may not have dragged yet.
    open var isTracking: Bool { tracking.isTouched }
    /// A finger has dragged and is still down.
    open var isDragging: Bool { activity.state == .dragging }
    /// The finger is up and the content still moves.
    open var isDecelerating: Bool { activity.state == .decelerating }

    // MARK: Zooming (UIScrollView+Zooming.swift)

    open var minimumZoomScale: CGFloat {
        get { zooming.range.minimum }
        set {
            zooming.range.minimum = newValue
            zoomRangeDidChange()
        }
    }
    open var maximumZoomScale: CGFloat {
        get { zooming.range.maximum }
        set {
            zooming.range.maximum = newValue
            zoomRangeDidChange()
        }
    }
    /// Beyond its limits the scale follows two fingers reluctantly, and comes back.
    open var bouncesZoom: Bool {
        get { zooming.range.bounces }
        set { zooming.range.bounces = newValue }
    }
    open var zoomScale: CGFloat {
        get { zooming.scale }
        set { setZoomScale(newValue, animated: false) }
    }
    /// About the middle of what shows.
    open func setZoomScale(_ scale: CGFloat, animated: Bool) { zoom(to: scale, animated: animated) }
    /// So that `rect`, in the zoomed view's coordinates, fills what shows.
    open func zoom(to rect: CGRect, animated: Bool) { zoom(toShow: rect, animated: animated) }
    /// Two fingers are at it.
    open var isZooming: Bool { zooming.isByFingers }
    /// The scale is on its way back from beyond a limit.
    open var isZoomBouncing: Bool { zooming.underWay?.motion.isBounce == true }

    final func makePinch() {
        let pinch = ownRecognizers.newPinch()
        ownRecognizers.pinch = pinch
        attach(pinch)
    }

    /// A drag is over when its scroll view leaves the window, and so is whatever else moves the content.
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
