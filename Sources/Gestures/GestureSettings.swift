// GestureSettings.swift: every threshold a gesture is judged by.
//
// Each has a key that is its path here (`tap.maxDuration` …, Sources/Settings), by which a configuration or a
// scenario overrides it. Seconds, points, degrees, hertz.
//
// Sources   Docs/Spec/Semantics.md section 0.5; each field names its own

package struct GestureSettings: Equatable, Sendable {
    package var tap = Tap()
    package var delay = Delay()
    package var longPress = LongPress()
    package var pan = Pan()
    package var swipe = Swipe()
    package var pinch = Pinch()
    package var rotation = Rotation()
    package var edgePan = EdgePan()
    package var scroll = Scroll()
    package var gesture = Gesture()

    package init() {}

    /// Thresholds of taps.
    package struct Tap: Equatable, Sendable {
        /// Seconds a single press of a tap may last. Source: inferred, ports of touch handling (B9.1, E28).
        package var maxDuration = 1.5
        /// Points a tap's finger may stray. Source: inferred (B9.1).
        package var allowableMovement = 45.0
        /// Seconds from a tap's lift to the next tap's landing. Source: inferred (B9.1).
        package var maxInterval = 0.35
    }

    /// Touches and ends that recognizers hold back from a view.
    package struct Delay: Equatable, Sendable {
        /// Whether a recogniser that already holds a touch also holds touches that begin later. Source: invented (B8.6, E35).
        package var holdFollowers = false
        /// Seconds an end is held on after the last recogniser that held it has failed. Source: observed in prose only,
        /// and overruled (E3).
        package var endedAfterFailure = 0.0
    }

    /// Thresholds of long presses whose recognizer says nothing else.
    package struct LongPress: Equatable, Sendable {
        /// Seconds. Source: documented, UILongPressGestureRecognizer.
        package var minDuration = 0.5
        /// Points. Source: documented, UILongPressGestureRecognizer.
        package var movement = 10.0
    }

    /// Thresholds of pans.
    package struct Pan: Equatable, Sendable {
        /// Points per axis. Source: inferred, recorded drags of scroll views (B9.3).
        package var hysteresis = 10.0
    }

    /// Thresholds of swipes.
    package struct Swipe: Equatable, Sendable {
        /// Seconds since a finger's own touch-down, inclusive. Source: observed, a probe of iOS 26.1 (B9.4).
        package var maxDuration = 0.5
        /// Points along the direction at touch-down. Source: observed (B9.4).
        package var minDistance = 50.0
        /// The share of `minDistance` that is no longer needed a second later. Source: observed (B9.4).
        package var minDistanceDecay = 0.94
        /// Points across at touch-down. Source: observed (B9.4).
        package var maxSecondary = 50.0
        /// The share of `maxSecondary` that is no longer allowed a second later. Source: observed (B9.4).
        package var maxSecondaryDecay = 0.98
        /// Points behind the start. Source: observed (B9.4).
        package var maxOpposite = 0.0
    }

    /// Thresholds of pinches.
    package struct Pinch: Equatable, Sendable {
        /// Points of distance between the fingers. Source: inferred (B9.5).
        package var hysteresis = 8.0
    }

    /// Thresholds of rotations.
    package struct Rotation: Equatable, Sendable {
        /// Degrees. Source: inferred (B9.5).
        package var hysteresis = 10.0
    }

    /// Thresholds of pans from an edge of the screen.
    package struct EdgePan: Equatable, Sendable {
        /// Points from the edge. Source: invented (B9.6).
        package var region = 13.0
    }

    /// A scroll view's touches, and the motion of its content.
    package struct Scroll: Equatable, Sendable {
        /// Seconds content touches of a scroll view wait. Source: observed (S23).
        package var contentTouchDelay = 0.150
        /// Points per second; a slower release does not glide. Source: observed, iOS 26.1 (B12.10).
        package var slowestRelease = 250.0
        /// Points per second at which a glide stops. Source: observed, iOS 26.1 (B12.10).
        package var slowestGlide = 10.0
        /// The part of a glide's speed that is left after a millisecond. Source: documented,
        /// UIScrollView.DecelerationRate.normal.
        package var normalRate = 0.998
        /// The same for UIScrollView.DecelerationRate.fast. Source: documented.
        package var fastRate = 0.99
        /// The points that show for the first point of a pull beyond an edge. Source: observed, iOS 26.1 (B12.11).
        package var rubberBand = 0.55
        /// Per square second, for a mass of 1: the spring at an edge. Source: observed, iOS 26.1 (B12.12).
        package var springStiffness = 120.0
        /// Per second, for a mass of 1: the damping of that spring. Source: observed, iOS 26.1 (B12.12).
        package var springDamping = 22.0
    }

    /// Thresholds of all gestures.
    package struct Gesture: Equatable, Sendable {
        /// What distances are multiplied by. Source: inferred from a private factor of views; its value invented (B9).
        package var sloppiness = 1.0
    }
}
