// TouchAdmission.swift: whether a touch may begin on a view, as far as the view itself says.
//
// Station   hitTest
// Input     UIView's setters, UIView.animate
// Output    UIView.ignoresTouches, which every hit test reads of every view it passes
//
// Sources   documented  hidden, not interactive and alpha < 0.01 are ignored (B3.2); 0.01 is not (E2)
//           documented  views in an animation take no touches unless `.allowUserInteraction` is given (B3.2)

import Basics
import Foundation

struct TouchAdmission {
    var isHidden = false
    /// 0...1
    private(set) var alpha: CGFloat = 1
    var isInteractive = true
    /// Until when an animation keeps touches off; `Instant.boot` if none ever did.
    private(set) var animationEnd = Instant.boot

    mutating func setAlpha(_ alpha: CGFloat) { self.alpha = min(max(alpha, 0), 1) }

    /// An animation keeps touches off until its end, or until a longer one's that is under way.
    mutating func close(until end: Instant) { animationEnd = max(animationEnd, end) }

    /// No animation keeps touches off any more.
    mutating func endAnimations() { animationEnd = .boot }

    /// Whether a person could see the view.
    @inline(__always)
    var isVisible: Bool { !isHidden && alpha >= 0.01 }

    /// Whether the view takes touches as long as no animation keeps them off.
    @inline(__always)
    var takesTouches: Bool { !isHidden && isInteractive && alpha >= 0.01 }

    /// Whether an animation has ever kept touches off: only then the time matters.
    @inline(__always)
    var dependsOnTime: Bool { animationEnd > .boot }
}
