// UIView+HitTest.swift: the view that a touch lands on.
//
// Station   hitTest
// Input     TouchTracker: the window first, twice for each new contact
// Output    UITouch.view
//
//     ignores touches? ──▶ nil, without asking point(inside:)
//     point outside?   ──▶ nil; subviews are not asked, whether they are clipped or not
//     hit index?       ──▶ its answer, if it has one (HitIndex.swift)
//     else the walk:       the frontmost subview with an answer, else the view itself
//
// Sources   documented  hidden, not interactive and alpha < 0.01 are ignored (B3.2); 0.01 is not (E2)
//           documented  last subview first; half-open bounds (B3.1, B3.3)

import Foundation

extension UIView {
    /// The hit test of UIView, as `hitTest(_:with:)` does it unless a subclass overrides it.
    final func defaultHitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        var isIntercepted = false
        if let event {
            event.hitTestedViewCount += 1
            isIntercepted = event.isIntercepted
        }
        guard !ignoresTouches, isIntercepted ? watchIsInside(point, event) : self.point(inside: point, with: event)
        else {
            return nil
        }
        if hitMembership.own != nil, !isIntercepted {
            return hitMembership.hasReadyIndex
                ? indexedHitTest(point, with: event) : undecidedHitTest(point, with: event, from: HitItem.unknown)
        }
        return walkSubviews(point, with: event, isIntercepted: isIntercepted)
    }

    @inline(__always)
    private final func walkSubviews(_ point: CGPoint, with event: UIEvent?, isIntercepted: Bool) -> UIView? {
        // A copy: an override may change the tree during the walk.
        let children = self.children
        for child in children.reversed() {
            let own = child.pointFromSuperview(point)
            let hit = isIntercepted ? child.watchHitTest(own, event) : child.hitTest(own, with: event)
            if let hit { return hit }
        }
        return self
    }

    /// The answer of the view's index, or else of `undecidedHitTest`.
    ///
    /// The index is not retained, because no code of an app runs in a search, and a search changes no view: `hitMembership`
    /// refers to the index until the search ends.
    @inline(never)
    private final func indexedHitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        guard let index = hitMembership.own.map(Unmanaged.passUnretained) else { return nil }
        let (view, item) = index._withUnsafeGuaranteedRef { $0.search(at: point) }
        if let view { return view.takeUnretainedValue() }
        return undecidedHitTest(point, with: event, from: item)
    }

    /// The answer of the view's index where it needs more than a search, or else of a walk, whose cost the index records.
    ///
    /// - Parameters:
    ///   - point: A point in the bounds.
    ///   - event: The event of the hit test.
    ///   - item: The item that the search found; `HitItem.unknown` without a search.
    @inline(never)
    private final func undecidedHitTest(_ point: CGPoint, with event: UIEvent?, from item: Int32) -> UIView? {
        guard let index = hitMembership.own else { return nil }
        if index.mayDecide, let hit = index.hitView(at: point, with: event, from: item) { return hit }
        // Without an event the visits are not counted.
        let before = event.map { $0.hitTestedViewCount } ?? -32
        let hit = walkSubviews(point, with: event, isIntercepted: false)
        index.recordWalk(visiting: (event?.hitTestedViewCount ?? 0) - before)
        return hit
    }
}
