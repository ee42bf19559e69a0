// TouchAdmission.swift: whether a touch may begin on a view, by the view's own properties.
//
// Station   hitTest
// Input     UIView's setters, UIView.animate
// Output    UIView.ignoresTouches, which each hit test reads of each view that it visits
//
// Sources   documented  hidden, not interactive and alpha < 0.01 are ignored (B3.2); 0.01 is not (E2)
//           documented  views in an animation receive no touches without `.allowUserInteraction` (B3.2)

import Basics
import Foundation

struct TouchAdmission {
    var isHidden = false
    /// 0...1
    private(set) var alpha: CGFloat = 1
    var isInteractive = true
    /// Whether an animation has ever excluded touches. Only then the time is needed. The value is stored, because every visit
    /// reads it; next to `isInteractive` it does not enlarge a view.
    private(set) var dependsOnTime = false
    /// When the last animation that excludes touches ends; `Instant.boot` if there was none.
    private(set) var animationEnd = Instant.boot {
        didSet { dependsOnTime = animationEnd > .boot }
    }

    mutating func setAlpha(_ alpha: CGFloat) { self.alpha = min(max(alpha, 0), 1) }

    /// Excludes touches until the end of an animation, or of an earlier one that ends later.
    mutating func excludeTouches(until end: Instant) { animationEnd = max(animationEnd, end) }

    /// Admits touches again, although an animation has not ended.
    mutating func endAnimations() { animationEnd = .boot }

    /// Whether a person could see the view.
    @inline(__always)
    var isVisible: Bool { !isHidden && alpha >= 0.01 }

    /// Whether touches may begin on the view while no animation excludes them.
    @inline(__always)
    var admitsTouches: Bool { !isHidden && isInteractive && alpha >= 0.01 }

    /// Whether a hit test may have another result than with `other`.
    @inline(__always)
    func differs(from other: TouchAdmission) -> Bool {
        admitsTouches != other.admitsTouches || animationEnd != other.animationEnd
    }
}
