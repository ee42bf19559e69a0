// UIView+HitTest.swift: the view that a touch lands on.
//
// Station   hitTest
// Input     TouchTracker: the window first, twice for each new contact
// Output    UITouch.view
//
//     ignores touches? ──▶ nil, without asking point(inside:)
//     point outside?   ──▶ nil; subviews are not asked, whether they are clipped or not
//     else the frontmost subview with an answer, else the view itself
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
        // A copy: an override may change the tree during the walk.
        let children = self.children
        for child in children.reversed() {
            let own = child.pointFromSuperview(point)
            let hit = isIntercepted ? child.watchHitTest(own, event) : child.hitTest(own, with: event)
            if let hit { return hit }
        }
        return self
    }
}
