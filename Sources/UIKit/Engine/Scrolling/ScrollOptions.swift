// ScrollOptions.swift: an app's choices for a scroll view's content and touches.
//
// Station   gesture
// Input     UIScrollView's properties. UIKit reads the properties, because a subclass may override them.
//
// Sources   documented  the defaults

import Foundation

/// How content follows a drag, and moves on after it.
struct ScrollOptions {
    var isEnabled = true
    var bounces = true
    /// This and the next: whether content bounces even if all of it fits.
    var alwaysBouncesVertically = false
    var alwaysBouncesHorizontally = false
    var isPaged = false
    /// Whether a drag that begins along one axis stays on it.
    var locksDirection = false
    var decelerationRate = UIScrollView.DecelerationRate.normal
}

/// Which touches content receives.
struct ContentTouches {
    /// Whether touches are withheld for as long as a flick may take to show.
    var areDelayed = true
    /// Whether a drag may take a touch from content that has received it.
    var mayBeCanceled = true
    /// Touches that began while scrolling was disabled. The scroll view forwards them along the responder chain.
    private var forwardedTouches: Set<UITouch> = []

    mutating func addForwarded(_ touches: Set<UITouch>) { forwardedTouches.formUnion(touches) }

    func forwarded(among touches: Set<UITouch>) -> Set<UITouch> { touches.intersection(forwardedTouches) }

    /// Removes touches that are over.
    ///
    /// - Returns: The removed ones, which were forwarded.
    mutating func endForwarding(of touches: Set<UITouch>) -> Set<UITouch> {
        let ended = touches.intersection(forwardedTouches)
        forwardedTouches.subtract(ended)
        return ended
    }
}

/// What a screen would show beside the content. Nothing is drawn here.
struct ScrollIndicators {
    var style = UIScrollView.IndicatorStyle.default
    var showsVertical = true
    var showsHorizontal = true
    var insets = UIEdgeInsets.zero
}
