// RubberBand.swift: how far content follows a finger beyond its bounds.
//
// Station   gesture
// Fed by    ScrollDrag
//
//     shown = (1 − 1 / (pull · 0.55 / length + 1)) · length
//
// The band gives less the further it is pulled, and never as much as the view is long.
//
// Sources   observed    the formula and its 0.55 are known from measuring iOS's scroll views

package import Foundation

package enum RubberBand {
    /// Points that show for a point that is pulled, at first.
    package static let give: CGFloat = 0.55

    /// - Parameters:
    ///   - pull: Points beyond the edge, not negative.
    ///   - length: Of the scroll view on this axis, in points.
    package static func stretch(_ pull: CGFloat, length: CGFloat) -> CGFloat {
        length > 0 ? (1 - 1 / (pull * give / length + 1)) * length : 0
    }

    /// The pull that stretches so far.
    package static func pull(stretching stretch: CGFloat, length: CGFloat) -> CGFloat {
        guard length > 0 else { return 0 }
        // Content may have been put where no finger could pull it.
        let part = min(max(stretch / length, 0), 0.99)
        return length / give * (1 / (1 - part) - 1)
    }

    /// Where content shows that a finger has pulled to `place`.
    package static func shown(_ place: CGFloat, in range: ClosedRange<CGFloat>, length: CGFloat) -> CGFloat {
        if place < range.lowerBound { return range.lowerBound - stretch(range.lowerBound - place, length: length) }
        if place > range.upperBound { return range.upperBound + stretch(place - range.upperBound, length: length) }
        return place
    }

    /// Where a finger has to pull for content to show at `place`.
    package static func pulled(_ place: CGFloat, in range: ClosedRange<CGFloat>, length: CGFloat) -> CGFloat {
        if place < range.lowerBound {
            return range.lowerBound - pull(stretching: range.lowerBound - place, length: length)
        }
        if place > range.upperBound {
            return range.upperBound + pull(stretching: place - range.upperBound, length: length)
        }
        return place
    }
}
