// ScrollContent.swift: how much content a scroll view has, and where it might rest.
//
// Station   gesture
// Input     UIScrollView's setters
// Output    UIScrollView+Dragging.swift: which content a change has put beyond its range

import Foundation

struct ScrollContent {
    var size = CGSize.zero
    var inset = UIEdgeInsets.zero
    var insetAdjustment = UIScrollView.ContentInsetAdjustmentBehavior.automatic
    /// Where content might rest when that last changed.
    private(set) var room = Room(x: 0...0, y: 0...0)

    /// The offsets at which content may rest, in points.
    struct Room: Equatable {
        var x, y: ClosedRange<CGFloat>

        /// Where content goes that was at `offset` when this room became another. Only what the change has put beyond it
        /// moves: code may have put content there on purpose.
        func settled(_ offset: CGPoint, x newX: ScrollAxis, y newY: ScrollAxis) -> CGPoint {
            CGPoint(
                x: x.contains(offset.x) ? newX.clamped(offset.x) : offset.x,
                y: y.contains(offset.y) ? newY.clamped(offset.y) : offset.y)
        }
    }

    /// Notes where content may rest now.
    ///
    /// - Returns: Where it might rest before; nil if that is the same.
    mutating func changeRoom(x: ScrollAxis, y: ScrollAxis) -> Room? {
        let (old, new) = (room, Room(x: x.range, y: y.range))
        guard new != old else { return nil }
        room = new
        return old
    }

    /// Where content goes that rested at the top or left edge when the inset was `old`.
    func offset(_ offset: CGPoint, following old: UIEdgeInsets) -> CGPoint {
        CGPoint(
            x: offset.x == -old.left ? -inset.left : offset.x, y: offset.y == -old.top ? -inset.top : offset.y)
    }
}
