// ScrollDrag.swift: where content is that a finger drags.
//
// Station   gesture
// Fed by    UIScrollView+Dragging.swift, with the pan's translation
//
// The finger pulls a place; what shows of it beyond the bounds is the rubber band's. A drag that takes hold of
// content beyond its bounds begins with the pull that would have brought it there.
//
// Sources   documented  bounces, alwaysBounceVertical, alwaysBounceHorizontal, isDirectionalLockEnabled
//           invented    a drag is locked when one axis has moved twice as far as the other as it begins

package import Foundation

/// What one axis of a scroll view allows.
package struct ScrollAxis: Equatable, Sendable {
    /// Where content may rest, in points.
    package var range: ClosedRange<CGFloat>
    /// Of the scroll view, in points.
    package var length: CGFloat
    /// Content may be dragged beyond its range, and comes back.
    package var bounces: Bool

    package init(range: ClosedRange<CGFloat>, length: CGFloat, bounces: Bool) {
        (self.range, self.length, self.bounces) = (range, length, bounces)
    }

    package var canScroll: Bool { range.lowerBound < range.upperBound || bounces }

    package func clamped(_ place: CGFloat) -> CGFloat { min(max(place, range.lowerBound), range.upperBound) }

    /// Where content shows that is pulled to `place`.
    package func shown(_ place: CGFloat) -> CGFloat {
        bounces ? RubberBand.shown(place, in: range, length: length) : clamped(place)
    }

    package func pulled(_ place: CGFloat) -> CGFloat {
        bounces ? RubberBand.pulled(place, in: range, length: length) : clamped(place)
    }
}

package struct ScrollDrag: Equatable, Sendable {
    /// The axes that follow the finger.
    package let followsX, followsY: Bool
    /// What the content was pulled to as the drag began.
    private var start: CGPoint

    /// - Parameters:
    ///   - offset: Of the content as the drag begins.
    ///   - way: Of the finger since it landed, in points.
    package init(from offset: CGPoint, x: ScrollAxis, y: ScrollAxis, way: CGPoint, locks: Bool) {
        var (followsX, followsY) = (x.canScroll, y.canScroll)
        if locks, followsX, followsY {
            if abs(way.x) >= 2 * abs(way.y), abs(way.x) > 0 { followsY = false }
            if abs(way.y) >= 2 * abs(way.x), abs(way.y) > 0 { followsX = false }
        }
        (self.followsX, self.followsY) = (followsX, followsY)
        start = CGPoint(x: x.pulled(offset.x), y: y.pulled(offset.y))
    }

    /// Where the content shows.
    ///
    /// - Parameters:
    ///   - current: Where it is: an axis that does not follow stays.
    ///   - translation: Of the finger since the drag began; content follows it, so the offset goes the other way.
    package func offset(after translation: CGPoint, from current: CGPoint, x: ScrollAxis, y: ScrollAxis) -> CGPoint {
        CGPoint(
            x: followsX ? x.shown(start.x - translation.x) : current.x,
            y: followsY ? y.shown(start.y - translation.y) : current.y)
    }

    /// The content was put elsewhere by somebody else: the finger holds it there.
    package mutating func move(by x: CGFloat, _ y: CGFloat) {
        start.x += x
        start.y += y
    }
}
