// ScrollOptions.swift: what an app allows a scroll view to do with its content and with its touches.
//
// Input     UIScrollView's properties, which a subclass may override: UIKit reads them there
//
// Sources   documented  the defaults

import Foundation

/// How content follows a drag, and moves on after it.
struct ScrollOptions {
    var isEnabled = true
    var bounces = true
    /// Where there is no more content than fits.
    var alwaysBouncesVertically = false
    var alwaysBouncesHorizontally = false
    var isPaged = false
    /// A drag that begins along one axis stays on it.
    var locksDirection = false
    var decelerationRate = UIScrollView.DecelerationRate.normal
}

/// Which touches content receives.
struct ContentTouches {
    /// Whether touches wait, for as long as a flick needs to show.
    var areDelayed = true
    /// Whether a drag may take a touch from content that has received it.
    var mayBeCanceled = true
    /// Touches that began while scrolling was disabled. They go up the chain from beginning to end.
    private var passing: Set<UITouch> = []

    mutating func pass(_ touches: Set<UITouch>) { passing.formUnion(touches) }

    func passing(among touches: Set<UITouch>) -> Set<UITouch> { touches.intersection(passing) }

    /// The touches are over.
    ///
    /// - Returns: Those that have gone up the chain.
    mutating func endPassing(_ touches: Set<UITouch>) -> Set<UITouch> {
        let ended = touches.intersection(passing)
        passing.subtract(ended)
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
