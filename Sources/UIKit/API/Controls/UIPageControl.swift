// UIPageControl.swift: a row of dots, one for each page.
//
// Station   action
// Input     UIControl's tracking
// Output    valueChanged and primaryActionTriggered
// Knows     the number of pages. Not their content.
//
// Sources   documented  a tap on the right half turns to the next page, a tap on the left half to the previous one
//           documented  hidesForSinglePage hides the dots of a single page; a page beyond the last becomes the last
//           inferred    a tap that would turn beyond an end sends nothing

public import Foundation

/// A control that shows and changes the current page.
open class UIPageControl: UIControl {
    /// The size of a dot with the space around it, in points.
    private static let dot = CGSize(width: 16, height: 26)

    private final var storedPages = 0
    private final var storedPage = 0

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    open override func sizeThatFits(_ size: CGSize) -> CGSize { self.size(forNumberOfPages: storedPages) }

    /// The size that the dots of `pageCount` pages need, in points.
    open func size(forNumberOfPages pageCount: Int) -> CGSize {
        CGSize(width: Self.dot.width * CGFloat(max(0, pageCount)), height: Self.dot.height)
    }

    // MARK: Pages

    /// The number of pages. A negative number becomes 0.
    open var numberOfPages: Int {
        get { storedPages }
        set {
            storedPages = max(0, newValue)
            currentPage = storedPage
        }
    }

    /// The current page, from 0. A page out of range becomes the nearest. Setting it sends no event.
    open var currentPage: Int {
        get { storedPage }
        set { storedPage = min(max(newValue, 0), max(0, storedPages - 1)) }
    }

    /// Whether the control is hidden from view and from touches while there is at most one page.
    open var hidesForSinglePage = false
    open var pageIndicatorTintColor: UIColor?
    open var currentPageIndicatorTintColor: UIColor?

    /// Whether the point is inside. A control that shows no dots contains no point.
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
        if storedPage != was { sendValueEvents(with: event) }
    }
}
