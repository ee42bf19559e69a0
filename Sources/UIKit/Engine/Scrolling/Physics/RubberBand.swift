// RubberBand.swift: the distance that content follows a finger beyond its range.
//
// Station   gesture
// Input     ScrollAxis, for ScrollDrag
// Output    the position that shows for a pull, and the pull for a position
//
//     shown = (1 − 1 / (pull · give / length + 1)) · length
//
// Each further point of a pull shows less, and the whole pull never shows as much as the view's length.
//
// Sources   observed    the formula and its give of 0.55: scroll traces recorded on iOS 26.1 (B12.11)

package import Foundation

/// The resistance of one axis beyond its range.
package struct RubberBand: Equatable, Sendable {
    /// The points that show for the first point of a pull.
    package var give: CGFloat
    /// The length of the scroll view on this axis, in points.
    package var length: CGFloat

    package init(give: CGFloat, length: CGFloat) { (self.give, self.length) = (give, length) }

    /// The distance that shows for a pull.
    ///
    /// - Parameter pull: Points beyond the edge, not negative.
    package func stretch(_ pull: CGFloat) -> CGFloat {
        length > 0 ? (1 - 1 / (pull * give / length + 1)) * length : 0
    }

    /// The pull for which this distance shows.
    package func pull(stretching stretch: CGFloat) -> CGFloat {
        guard length > 0, give > 0 else { return 0 }
        // Code may have put content further than any finger could pull it.
        let part = min(max(stretch / length, 0), 0.99)
        return length / give * (1 / (1 - part) - 1)
    }

    /// The position that shows when a finger has pulled content to `position`.
    package func shown(_ position: CGFloat, in range: ClosedRange<CGFloat>) -> CGFloat {
        if position < range.lowerBound { return range.lowerBound - stretch(range.lowerBound - position) }
        if position > range.upperBound { return range.upperBound + stretch(position - range.upperBound) }
        return position
    }

    /// The position to which a finger pulls content that shows at `position`.
    package func pulled(_ position: CGFloat, in range: ClosedRange<CGFloat>) -> CGFloat {
        if position < range.lowerBound { return range.lowerBound - pull(stretching: range.lowerBound - position) }
        if position > range.upperBound { return range.upperBound + pull(stretching: position - range.upperBound) }
        return position
    }
}
