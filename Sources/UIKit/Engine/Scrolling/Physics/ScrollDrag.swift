// ScrollDrag.swift: the content offset during a drag.
//
// Station   gesture
// Input     UIScrollView+Dragging.swift, with the pan's translation
// Output    the content offset
//
// The finger pulls content to a position; beyond its range the rubber band shows less of the pull. A drag that begins
// with content beyond its range starts from the pull that would have brought it there.
//
// Sources   documented  bounces, alwaysBounceVertical, alwaysBounceHorizontal, isDirectionalLockEnabled
//           invented    a drag is locked when one axis has moved twice as far as the other at its beginning

package import Foundation

/// One axis of a scroll view.
package struct ScrollAxis: Equatable, Sendable {
    /// Where content may rest, in points.
    package var range: ClosedRange<CGFloat>
    package var band: RubberBand
    /// Whether content may be dragged beyond its range, and then comes back.
    package var bounces: Bool

    /// - Parameter length: The length of the scroll view, in points.
    package init(
        range: ClosedRange<CGFloat>, length: CGFloat, bounces: Bool, _ laws: ScrollLaws = ScrollLaws()
    ) {
        (self.range, self.bounces) = (range, bounces)
        band = RubberBand(give: laws.rubberBand, length: length)
    }

    /// The length of the scroll view, in points.
    package var length: CGFloat { band.length }

    package var canScroll: Bool { range.lowerBound < range.upperBound || bounces }

    /// The nearest position at which content may rest.
    package func clamped(_ position: CGFloat) -> CGFloat { min(max(position, range.lowerBound), range.upperBound) }

    /// The position that shows when content is pulled to `position`.
    package func shown(_ position: CGFloat) -> CGFloat {
        bounces ? band.shown(position, in: range) : clamped(position)
    }

    /// The position to which content is pulled when it shows at `position`.
    package func pulled(_ position: CGFloat) -> CGFloat {
        bounces ? band.pulled(position, in: range) : clamped(position)
    }
}

/// One drag of a scroll view's content.
package struct ScrollDrag: Equatable, Sendable {
    /// The axes that follow the finger.
    package let followsX, followsY: Bool
    /// The position to which the content was pulled at the beginning of the drag.
    private var start: CGPoint

    /// - Parameters:
    ///   - offset: The content offset at the beginning of the drag.
    ///   - movement: The movement of the finger since its landing, in points.
    package init(from offset: CGPoint, x: ScrollAxis, y: ScrollAxis, movement: CGPoint, locks: Bool) {
        var (followsX, followsY) = (x.canScroll, y.canScroll)
        if locks, followsX, followsY {
            if abs(movement.x) >= 2 * abs(movement.y), abs(movement.x) > 0 { followsY = false }
            if abs(movement.y) >= 2 * abs(movement.x), abs(movement.y) > 0 { followsX = false }
        }
        (self.followsX, self.followsY) = (followsX, followsY)
        start = CGPoint(x: x.pulled(offset.x), y: y.pulled(offset.y))
    }

    /// The content offset that shows.
    ///
    /// - Parameters:
    ///   - translation: The movement of the finger since the beginning of the drag. The offset changes in the opposite
    ///   direction.
    ///   - current: The present offset, which an axis that does not follow keeps.
    package func offset(after translation: CGPoint, from current: CGPoint, x: ScrollAxis, y: ScrollAxis) -> CGPoint {
        CGPoint(
            x: followsX ? x.shown(start.x - translation.x) : current.x,
            y: followsY ? y.shown(start.y - translation.y) : current.y)
    }

    /// Moves the start of the drag, after code has moved the content. The finger then holds the content there.
    package mutating func move(by x: CGFloat, _ y: CGFloat) {
        start.x += x
        start.y += y
    }
}
