// Paging.swift: which page content comes to rest on.
//
// Station   gesture
// Fed by    UIScrollView, as a drag ends with `isPagingEnabled`
//
// Sources   documented  pages are multiples of the scroll view's bounds
//           invented    a flick faster than 200 points per second turns the page, a slower one goes to the nearest

package import Foundation

package enum Paging {
    /// Points per second.
    package static let flick: CGFloat = 200

    /// - Parameters:
    ///   - offset: Where the drag ended.
    ///   - velocity: Of the content offset, points per second.
    ///   - page: Points, more than 0.
    /// - Returns: The offset of a page, no more than one from the drag's end and within `range`.
    package static func target(
        from offset: CGFloat, velocity: CGFloat, page: CGFloat, in range: ClosedRange<CGFloat>
    ) -> CGFloat {
        guard page > 0 else { return offset }
        // Pages are counted from where the content begins, which an inset may put below zero.
        let pages = (offset - range.lowerBound) / page
        let chosen = velocity > flick ? pages.rounded(.up) : velocity < -flick ? pages.rounded(.down) : pages.rounded()
        return min(max(range.lowerBound + chosen * page, range.lowerBound), range.upperBound)
    }
}
