// ScrollContent.swift: the size of a scroll view's content, and the offsets at which it may rest.
//
// Station   gesture
// Input     UIScrollView's setters
// Output    UIScrollView+Dragging.swift: which content a change has put beyond its range

import Foundation

struct ScrollContent {
    var size = CGSize.zero
    var inset = UIEdgeInsets.zero
    var insetAdjustment = UIScrollView.ContentInsetAdjustmentBehavior.automatic
    /// The offsets at which content could rest when they last changed.
    private(set) var restingRange = RestingRange(x: 0...0, y: 0...0)

    /// The offsets at which content may rest, in points.
    struct RestingRange: Equatable {
        var x, y: ClosedRange<CGFloat>

        /// The new offset of content at `offset` after this room has changed. Content that was beyond the old room
        /// stays, because code may have put it there on purpose.
        func settled(_ offset: CGPoint, x newX: ScrollAxis, y newY: ScrollAxis) -> CGPoint {
            CGPoint(
                x: x.contains(offset.x) ? newX.clamped(offset.x) : offset.x,
                y: y.contains(offset.y) ? newY.clamped(offset.y) : offset.y)
        }
    }

    /// Notes the offsets at which content may rest now.
    ///
    /// - Returns: The earlier room; nil if it is the same.
    mutating func updateRestingRange(x: ScrollAxis, y: ScrollAxis) -> RestingRange? {
        let (old, new) = (restingRange, RestingRange(x: x.range, y: y.range))
        guard new != old else { return nil }
        restingRange = new
        return old
    }

    /// The new offset after a change of inset: content at the top or left edge stays at the edge.
    func offset(_ offset: CGPoint, following old: UIEdgeInsets) -> CGPoint {
        CGPoint(
            x: offset.x == -old.left ? -inset.left : offset.x, y: offset.y == -old.top ? -inset.top : offset.y)
    }
}
