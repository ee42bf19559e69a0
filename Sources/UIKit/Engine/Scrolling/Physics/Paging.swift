// Paging.swift: the page on which content comes to rest.
//
// Station   gesture
// Input     UIScrollView, as a drag ends with `isPagingEnabled`
// Output    the offset of a page
//
// Sources   documented  pages are multiples of the scroll view's bounds
//           inferred    a release that would glide turns the page; a slower one goes to the nearest (B12.10)

package import Foundation

package enum Paging {
    /// - Parameters:
    ///   - offset: Where the drag ended.
    ///   - velocity: The content offset's, in points per second; zero for a release too slow to glide.
    ///   - page: Points, more than 0.
    /// - Returns: The offset of a page, no more than one from the drag's end and within `range`.
    package static func target(
        from offset: CGFloat, velocity: CGFloat, page: CGFloat, in range: ClosedRange<CGFloat>
    ) -> CGFloat {
        guard page > 0 else { return offset }
        // Pages are counted from where the content begins, which an inset may put below zero.
        let pages = (offset - range.lowerBound) / page
        // From exactly a page a release that glides leaves it.
        let chosen =
            velocity > 0 ? pages.rounded(.down) + 1 : velocity < 0 ? pages.rounded(.up) - 1 : pages.rounded()
        return min(max(range.lowerBound + chosen * page, range.lowerBound), range.upperBound)
    }
}
