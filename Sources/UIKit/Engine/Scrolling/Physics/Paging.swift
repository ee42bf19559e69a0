// Paging.swift: the page on which content comes to rest.
//
// Station   gesture
// Input     UIScrollView, at the end of a drag with `isPagingEnabled`
// Output    the offset of a page
//
// Sources   documented  pages are multiples of the scroll view's bounds
//           inferred    a release that would glide turns the page; a slower one goes to the nearest (B12.10)

package import Foundation

/// Chooses pages.
package enum Paging {
    /// The offset of the page for a release.
    ///
    /// - Parameters:
    ///   - offset: The offset at the end of the drag.
    ///   - velocity: The content offset's, in points per second; zero for a release too slow to glide.
    ///   - page: The length of a page in points, more than 0.
    /// - Returns: The offset of a page, at most one page from the drag's end and within `range`.
    package static func target(
        from offset: CGFloat, velocity: CGFloat, page: CGFloat, in range: ClosedRange<CGFloat>
    ) -> CGFloat {
        guard page > 0 else { return offset }
        // The first page begins where the content begins, which an inset may put below zero.
        let pages = (offset - range.lowerBound) / page
        // A release that glides and begins exactly at a page leaves this page.
        let chosen =
            velocity > 0 ? pages.rounded(.down) + 1 : velocity < 0 ? pages.rounded(.up) - 1 : pages.rounded()
        return min(max(range.lowerBound + chosen * page, range.lowerBound), range.upperBound)
    }
}
