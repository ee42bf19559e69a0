// ZoomRange.swift: the scales of content, and the resistance to fingers beyond them.
//
// Station   gesture
// Input     UIScrollView+Zooming.swift
//
// Sources   documented  minimumZoomScale, maximumZoomScale, bouncesZoom
//           invented    beyond a limit the shown scale is the square root of what the fingers ask for, measured from it

package import Foundation

/// The scales at which content may rest.
package struct ZoomRange: Equatable, Sendable {
    package var minimum: CGFloat = 1
    package var maximum: CGFloat = 1
    package var bounces = true

    package init(minimum: CGFloat = 1, maximum: CGFloat = 1, bounces: Bool = true) {
        (self.minimum, self.maximum, self.bounces) = (minimum, maximum, bounces)
    }

    package var canZoom: Bool { maximum > minimum && minimum > 0 }

    /// The nearest scale at which content may rest.
    package func clamped(_ scale: CGFloat) -> CGFloat { min(max(scale, minimum), max(minimum, maximum)) }

    /// The scale that shows when fingers ask for `scale`.
    package func shown(_ scale: CGFloat) -> CGFloat {
        let limit = clamped(scale)
        guard bounces, limit > 0, scale > 0, scale != limit else { return limit }
        return limit * (scale / limit).squareRoot()
    }

    /// The scale that fingers ask for when `scale` shows.
    package func asked(_ scale: CGFloat) -> CGFloat {
        let limit = clamped(scale)
        guard bounces, limit > 0, scale != limit else { return limit }
        return limit * (scale / limit) * (scale / limit)
    }
}
