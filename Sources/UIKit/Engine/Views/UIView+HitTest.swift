// UIView+HitTest.swift: which view a finger lands on.
//
// Station   hitTest
// Fed by    TouchTracker: the window first, twice for each new finger
// Feeds     UITouch.view
//
//     ignores touches? ──▶ nil, without asking point(inside:)
//     point outside?   ──▶ nil; what lies in it is not asked, clipped or not
//     else the frontmost subview that answers, else itself
//
// Sources   documented  hidden, not interactive and alpha < 0.01 are ignored (B3.2); 0.01 is not (E2)
//           documented  last subview first; half-open bounds (B3.1, B3.3)

import Foundation

extension UIView {
    final func defaultHitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        event?.viewsAsked += 1
        guard !ignoresTouches, askIsInside(point, event) else { return nil }
        // A copy: an override may change the tree while it is asked.
        let children = self.children
        for child in children.reversed() {
            if let hit = child.askHitTest(child.pointFromSuperview(point), event) { return hit }
        }
        return self
    }
}
