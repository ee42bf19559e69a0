// GestureSettings.swift: every threshold a gesture is judged by.
//
// Each has a key of the same name in Sources/Settings (`tap.maxDuration` …), by which a configuration or a
// scenario overrides it. Seconds, points, degrees, hertz.
//
// Sources   Docs/Spec/Semantics.md section 0.5; each field names its own

package struct GestureSettings: Equatable, Sendable {
    /// Seconds a single press of a tap may last. Source: inferred, ports of touch handling (B9.1, E28).
    package var tapMaxDuration = 1.5
    /// Points a tap's finger may stray. Source: inferred (B9.1).
    package var tapAllowableMovement = 45.0
    /// Seconds from a tap's lift to the next tap's landing. Source: inferred (B9.1).
    package var tapMaxInterval = 0.35
    /// Whether a recogniser that already holds a touch also holds touches that begin later. Source: invented (B8.6, E35).
    package var delayHoldFollowers = false
    /// Seconds an end is held on after the last recogniser that held it has failed. Source: observed in prose only,
    /// and overruled (E3).
    package var delayEndedAfterFailure = 0.0
    /// Seconds. Source: documented, UILongPressGestureRecognizer.
    package var longPressMinDuration = 0.5
    /// Points. Source: documented, UILongPressGestureRecognizer.
    package var longPressMovement = 10.0
    /// Points per axis. Source: inferred, recorded drags of scroll views (B9.3).
    package var panHysteresis = 10.0
    /// Seconds since a finger's own touch-down, inclusive. Source: observed, a probe of iOS 26.1 (B9.4).
    package var swipeMaxDuration = 0.5
    /// Points along the direction at touch-down. Source: observed (B9.4).
    package var swipeMinDistance = 50.0
    /// The share of `swipeMinDistance` that is no longer needed a second later. Source: observed (B9.4).
    package var swipeMinDistanceDecay = 0.94
    /// Points across at touch-down. Source: observed (B9.4).
    package var swipeMaxSecondary = 50.0
    /// The share of `swipeMaxSecondary` that is no longer allowed a second later. Source: observed (B9.4).
    package var swipeMaxSecondaryDecay = 0.98
    /// Points behind the start. Source: observed (B9.4).
    package var swipeMaxOpposite = 0.0
    /// Points of distance between the fingers. Source: inferred (B9.5).
    package var pinchHysteresis = 8.0
    /// Degrees. Source: inferred (B9.5).
    package var rotationHysteresis = 10.0
    /// Points from the edge. Source: invented (B9.6).
    package var edgePanRegion = 13.0
    /// Seconds content touches of a scroll view wait. Source: observed (S23).
    package var scrollContentTouchDelay = 0.150
    /// Points per second; a slower release does not glide. Source: observed, iOS 26.1 (B12.10).
    package var scrollSlowestRelease = 250.0
    /// Points per second at which a glide stops. Source: observed, iOS 26.1 (B12.10).
    package var scrollSlowestGlide = 10.0
    /// The part of a glide's speed that is left after a millisecond. Source: documented,
    /// UIScrollView.DecelerationRate.normal.
    package var scrollNormalRate = 0.998
    /// The same for UIScrollView.DecelerationRate.fast. Source: documented.
    package var scrollFastRate = 0.99
    /// The points that show for the first point of a pull beyond an edge. Source: observed, iOS 26.1 (B12.11).
    package var scrollRubberBand = 0.55
    /// Per square second, for a mass of 1: the spring at an edge. Source: observed, iOS 26.1 (B12.12).
    package var scrollSpringStiffness = 120.0
    /// Per second, for a mass of 1: the damping of that spring. Source: observed, iOS 26.1 (B12.12).
    package var scrollSpringDamping = 22.0

    /// What distances are multiplied by. Source: inferred from a private factor of views; its value invented (B9).
    package var gestureSloppiness = 1.0

    package init() {}
}
