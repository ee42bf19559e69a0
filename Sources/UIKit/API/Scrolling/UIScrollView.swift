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
    final var drag: ScrollDrag?
    /// Where the content goes by itself, and since when.
    final var motion: (ScrollMotion, since: Instant)?
    final var ticker: HeldTimer?
    final var trackingMode: HeldMode?
    /// Where content might rest when that last changed, in points.
    final var room: (x: ClosedRange<CGFloat>, y: ClosedRange<CGFloat>) = (0...0, 0...0)
    /// Where an animated scroll goes.
    final var wanted = CGPoint.zero
    /// How content is about to move whose release is being handled.
    final var glide: ScrollMotion?
    /// The delegate has been told that deceleration begins.
    final var toldOfDeceleration = false
    /// The finger's way from landing to the beginning of the drag, in points.
    final var dragWay = CGPoint.zero

    /// A finger of the pan's is down.
    final var isTouched = false
    /// The finger that is down has stopped moving content.
    final var isCaught = false
    /// What says for its own recognisers whether they may.
    private final var decider: ScrollViewGestureDelegate!
    final var pan: UIScrollViewPanGestureRecognizer!
    final var delay: UIScrollViewDelayedTouchesBeganGestureRecognizer!
    /// Made when there is first something to zoom.
    final var pinch: UIScrollViewPinchGestureRecognizer?

    /// Touches that began while scrolling was disabled, and go up the chain.
    private final var passing: Set<UITouch> = []

    final var zoom = ZoomRange()
    /// What two fingers ask for at a scale of theirs of 1, while they zoom.
    final var zoomAsked: CGFloat?
    final var storedZoom: CGFloat = 1
    final var zoomMotion: (ZoomMotion, since: Instant)?
    final var zoomTicker: HeldTimer?

    public override init(frame: CGRect) {
        super.init(frame: frame)
        clipsToBounds = true
        let decider = ScrollViewGestureDelegate(of: self)
        self.decider = decider
        pan = UIScrollViewPanGestureRecognizer(deciding: decider)
        delay = UIScrollViewDelayedTouchesBeganGestureRecognizer(of: self)
        attach(delay)
        attach(pan)
    }

    public required init?(coder: NSCoder) { nil }

    deinit {
        decider?.scrollView = nil
        delay?.scrollView = nil
    }

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
    open var contentSize = CGSize.zero {
        didSet {
            demandFinite(CGRect(origin: .zero, size: contentSize), "contentSize")
            guard contentSize != oldValue else { return }
            setNeedsLayout()
            roomDidChange()
        }
    }

    /// Room around the content. Content that rested at the top or left edge follows it.
    open var contentInset = UIEdgeInsets.zero {
        didSet { insetDidChange(from: oldValue) }
    }

    /// There is nothing else to adjust to: no bars, no notch.
    open var adjustedContentInset: UIEdgeInsets { contentInset }
    open var contentInsetAdjustmentBehavior = ContentInsetAdjustmentBehavior.automatic

    // MARK: What it allows

    /// Disabled, it neither scrolls nor holds touches back, and touches on it go up the responder chain.
    open var isScrollEnabled = true {
        didSet {
            pan.isEnabled = isScrollEnabled
            delay.isEnabled = isScrollEnabled
        }
    }
    open var bounces = true
    /// Where there is no more content than fits.
    open var alwaysBounceVertical = false
    open var alwaysBounceHorizontal = false
    open var isPagingEnabled = false
    /// A drag that begins along one axis stays on it.
    open var isDirectionalLockEnabled = false
    open var decelerationRate = DecelerationRate.normal
    open var scrollsToTop = true
    open var keyboardDismissMode = KeyboardDismissMode.none

    // Nothing is drawn here.
    open var indicatorStyle = IndicatorStyle.default
    open var showsVerticalScrollIndicator = true
    open var showsHorizontalScrollIndicator = true
    open var scrollIndicatorInsets = UIEdgeInsets.zero
    open func flashScrollIndicators() {}

    // MARK: Touches of the content

    /// Whether touches wait, for as long as a flick needs to show, before the content hears of them.
    open var delaysContentTouches = true
    /// Whether a drag may take a touch from content that has heard of it.
    open var canCancelContentTouches = true

    /// Asked when content is about to hear of touches it was kept from. False: it never will.
    open func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool { true }

    /// Asked before a drag takes touches from content that has heard of them. Controls keep theirs.
    open func touchesShouldCancel(in view: UIView) -> Bool { !(view is UIControl) }

    // A touch goes up the chain from beginning to end, or not at all.
    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard !isScrollEnabled else { return }
        passing.formUnion(touches)
        super.touchesBegan(touches, with: event)
    }
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        let touches = touches.intersection(passing)
        if !touches.isEmpty { super.touchesMoved(touches, with: event) }
    }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        let touches = touches.intersection(passing)
        passing.subtract(touches)
        if !touches.isEmpty { super.touchesEnded(touches, with: event) }
    }
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        let touches = touches.intersection(passing)
        passing.subtract(touches)
        if !touches.isEmpty { super.touchesCancelled(touches, with: event) }
    }

    // MARK: What it does

    /// Attached to another view, it scrolls this one still.
    open var panGestureRecognizer: UIPanGestureRecognizer { pan }
    /// Nil while there is no range to zoom in.
    open var pinchGestureRecognizer: UIPinchGestureRecognizer? { zoom.canZoom ? pinch : nil }

    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        if gestureRecognizer === pan { return panMayBegin(pan) }
        if let pinch, gestureRecognizer === pinch { return pinchMayBegin(pinch) }
        return super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    /// A finger is down; it may not have dragged yet.
    open var isTracking: Bool { isTouched }
    /// A finger has dragged and is still down.
    open var isDragging: Bool { activity.state == .dragging }
    /// The finger is up and the content still moves.
    open var isDecelerating: Bool { activity.state == .decelerating }

    // MARK: Zooming (UIScrollView+Zooming.swift)

    open var minimumZoomScale: CGFloat {
        get { zoom.minimum }
        set {
            zoom.minimum = newValue
            zoomRangeDidChange()
        }
    }
    open var maximumZoomScale: CGFloat {
        get { zoom.maximum }
        set {
            zoom.maximum = newValue
            zoomRangeDidChange()
        }
    }
    /// Beyond its limits the scale follows two fingers reluctantly, and comes back.
    open var bouncesZoom: Bool {
        get { zoom.bounces }
        set { zoom.bounces = newValue }
    }
    open var zoomScale: CGFloat {
        get { storedZoom }
        set { setZoomScale(newValue, animated: false) }
    }
    /// About the middle of what shows.
    open func setZoomScale(_ scale: CGFloat, animated: Bool) { zoom(to: scale, animated: animated) }
    /// So that `rect`, in the zoomed view's coordinates, fills what shows.
    open func zoom(to rect: CGRect, animated: Bool) { zoom(toShow: rect, animated: animated) }
    /// Two fingers are at it.
    open var isZooming: Bool { zoomAsked != nil }
    /// The scale is on its way back from beyond a limit.
    open var isZoomBouncing: Bool { zoomMotion?.0.isBounce == true }

    final func makePinch() {
        let pinch = UIScrollViewPinchGestureRecognizer(deciding: decider)
        self.pinch = pinch
        attach(pinch)
    }

    /// A drag is over when its scroll view leaves the window, and so is whatever else moves the content.
    override func windowWillChange(to window: UIWindow?) {
        super.windowWillChange(to: window)
        pan.giveUp()
        delay.giveWay(because: "the scroll view left its window")
        pinch?.giveUp()
        isTouched = false
        isCaught = false
        finishZoomMotion()
        let moved = isDragging || isDecelerating
        handle(.removed)
        if moved { settleAtOnce() }
    }
}
