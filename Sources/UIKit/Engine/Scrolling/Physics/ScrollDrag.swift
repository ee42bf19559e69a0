// ScrollDrag.swift: the content offset while a finger drags.
//
// Station   gesture
// Input     UIScrollView+Dragging.swift, with the pan's translation
// Output    the content offset
//
// The finger pulls content to a position; beyond its range the rubber band shows less of the pull. A drag that takes
// hold of content beyond its range begins with the pull that would have brought it there.
//
// Sources   documented  bounces, alwaysBounceVertical, alwaysBounceHorizontal, isDirectionalLockEnabled
//           invented    a drag is locked when one axis has moved twice as far as the other as it begins

package import Foundation

/// What one axis of a scroll view allows.
package struct ScrollAxis: Equatable, Sendable {
    /// Where content may rest, in points.
    package var range: ClosedRange<CGFloat>
    package var band: RubberBand
    /// Content may be dragged beyond its range, and comes back.
    package var bounces: Bool

    /// - Parameter length: Of the scroll view, in points.
    package init(
        range: ClosedRange<CGFloat>, length: CGFloat, bounces: Bool, _ laws: ScrollLaws = ScrollLaws()
    ) {
        (self.range, self.bounces) = (range, bounces)
        band = RubberBand(give: laws.rubberBand, length: length)
    }

    /// Of the scroll view, in points.
    package var length: CGFloat { band.length }

    package var canScroll: Bool { range.lowerBound < range.upperBound || bounces }

    package func clamped(_ position: CGFloat) -> CGFloat { min(max(position, range.lowerBound), range.upperBound) }

    /// The position that shows when content is pulled to `position`.
    package func shown(_ position: CGFloat) -> CGFloat {
        bounces ? band.shown(position, in: range) : clamped(position)
    }

    /// The position to which content has to be pulled to show at `position`.
    package func pulled(_ position: CGFloat) -> CGFloat {
        bounces ? band.pulled(position, in: range) : clamped(position)
    }
}

package struct ScrollDrag: Equatable, Sendable {
    /// The axes that follow the finger.
    package let followsX, followsY: Bool
    /// The position to which the content was pulled as the drag began.
    private var start: CGPoint

    /// - Parameters:
    ///   - offset: Of the content as the drag begins.
    ///   - way: The finger's way since its touch-down, in points.
    package init(from offset: CGPoint, x: ScrollAxis, y: ScrollAxis, way: CGPoint, locks: Bool) {
        var (followsX, followsY) = (x.canScroll, y.canScroll)
        if locks, followsX, followsY {
            if abs(way.x) >= 2 * abs(way.y), abs(way.x) > 0 { followsY = false }
            if abs(way.y) >= 2 * abs(way.x), abs(way.y) > 0 { followsX = false }
        }
        (self.followsX, self.followsY) = (followsX, followsY)
        start = CGPoint(x: x.pulled(offset.x), y: y.pulled(offset.y))
    }

    /// The content offset that shows.
    ///
    /// - Parameters:
    ///   - translation: The finger's since the drag began; content follows it, so the offset goes the other way.
    ///   - current: The offset there is: an axis that does not follow keeps it.
    package func offset(after translation: CGPoint, from current: CGPoint, x: ScrollAxis, y: ScrollAxis) -> CGPoint {
        CGPoint(
            x: followsX ? x.shown(start.x - translation.x) : current.x,
            y: followsY ? y.shown(start.y - translation.y) : current.y)
    }

    /// Code has moved the content by so much: the finger holds it there.
    package mutating func move(by x: CGFloat, _ y: CGFloat) {
        start.x += x
        start.y += y
    }
}
