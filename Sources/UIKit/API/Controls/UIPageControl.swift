// UIPageControl.swift: dots, one of them the current page.
//
// Fed by    UIControl's tracking
// Feeds     valueChanged and primaryActionTriggered
// Knows     how many pages there are. Not what is on them.
//
// Sources   documented  a tap on the right half turns to the next page, on the left half to the one before
//           documented  hidden pages: hidesForSinglePage; a current page beyond the last is the last
//           inferred    a tap that would turn beyond an end sends nothing

public import Foundation

open class UIPageControl: UIControl {
    /// Points, of a dot with the room around it.
    private static let dot = CGSize(width: 16, height: 26)

    private final var storedPages = 0
    private final var storedPage = 0

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { self.size(forNumberOfPages: storedPages) }

    /// Points the dots of so many pages need.
    open func size(forNumberOfPages pageCount: Int) -> CGSize {
        CGSize(width: Self.dot.width * CGFloat(max(0, pageCount)), height: Self.dot.height)
    }

    // MARK: Pages

    /// Fewer than none is none.
    open var numberOfPages: Int {
        get { storedPages }
        set {
            storedPages = max(0, newValue)
            currentPage = storedPage
        }
    }

    /// From 0. Taken into the range. Setting it sends nothing.
    open var currentPage: Int {
        get { storedPage }
        set { storedPage = min(max(newValue, 0), max(0, storedPages - 1)) }
    }

    /// Whether a single page needs no dot, and its control no finger.
    open var hidesForSinglePage = false
    open var pageIndicatorTintColor: UIColor?
    open var currentPageIndicatorTintColor: UIColor?

    /// A control that shows nothing is not hit.
    open override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        !(hidesForSinglePage && storedPages <= 1) && super.point(inside: point, with: event)
    }

    // MARK: Tracking

    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        !keepsTap(from: gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    open override func endTracking(_ touch: UITouch?, with event: UIEvent?) {
        super.endTracking(touch, with: event)
        guard isTouchInside, let touch else { return }
        let was = storedPage
        currentPage += touch.location(in: self).x < bounds.midX ? -1 : 1
        if storedPage != was { announceValue(event) }
    }
}
