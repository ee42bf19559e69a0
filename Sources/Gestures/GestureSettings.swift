// GestureSettings.swift: the thresholds of all gestures.
//
// Station   gesture
// Output    limits for the rules of machines, for the gesture environment and for scroll views
//
// The key of a threshold is its path here (`tap.maxDuration` …, Sources/Settings). A configuration or a scenario
// overrides it by this key. Units are seconds, points, degrees and hertz.
//
// Sources   Docs/Spec/Semantics.md section 0.5; each field has its own

/// The thresholds of all gestures, with their defaults.
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
        /// The longest duration of one press of a tap, in seconds. Source: inferred, ports of touch handling (B9.1, E28).
        package var maxDuration = 1.5
        /// The longest distance of a tap's finger from its landing, in points. Source: inferred (B9.1).
        package var allowableMovement = 45.0
        /// The longest time from a tap's lift to the next tap's landing, in seconds. Source: inferred (B9.1).
        package var maxInterval = 0.35
    }

    /// Settings of touches and ends that recognizers delay.
    package struct Delay: Equatable, Sendable {
        /// Whether a recognizer that already holds a touch also holds touches that begin later. Source: invented (B8.6, E35).
        package var holdsLaterTouches = false
        /// The time for which an end is held after the last recognizer that held it has failed, in seconds.
        /// Source: observed in prose only, and overruled (E3).
        package var endedAfterFailure = 0.0
    }

    /// Thresholds of long presses whose recognizer sets no others.
    package struct LongPress: Equatable, Sendable {
        /// Seconds. Source: documented, UILongPressGestureRecognizer.
        package var minDuration = 0.5
        /// Points. Source: documented, UILongPressGestureRecognizer.
        package var allowableMovement = 10.0
    }

    /// Thresholds of pans.
    package struct Pan: Equatable, Sendable {
        /// The travel on either axis at which a pan begins, in points. Source: inferred, recorded drags of scroll views (B9.3).
        package var hysteresis = 10.0
    }

    /// Thresholds of swipes.
    package struct Swipe: Equatable, Sendable {
        /// The longest time since a finger's own touch-down, inclusive, in seconds. Source: observed, a probe of iOS 26.1 (B9.4).
        package var maxDuration = 0.5
        /// The distance along the direction that is needed at touch-down, in points. Source: observed (B9.4).
        package var minDistance = 50.0
        /// The share of `minDistance` that is no longer needed after one second. Source: observed (B9.4).
        package var minDistanceDecay = 0.94
        /// The distance across the direction that is allowed at touch-down, in points. Source: observed (B9.4).
        package var maxSecondary = 50.0
        /// The share of `maxSecondary` that is no longer allowed after one second. Source: observed (B9.4).
        package var maxSecondaryDecay = 0.98
        /// The distance behind the start that is allowed, in points. Source: observed (B9.4).
        package var maxOpposite = 0.0
    }

    /// Thresholds of pinches.
    package struct Pinch: Equatable, Sendable {
        /// The change of the fingers' distance at which a pinch begins, in points. Source: inferred (B9.5).
        package var hysteresis = 8.0
    }

    /// Thresholds of rotations.
    package struct Rotation: Equatable, Sendable {
        /// The angle at which a rotation begins, in degrees. Source: inferred (B9.5).
        package var hysteresis = 10.0
    }

    /// Thresholds of pans from an edge of the screen.
    package struct EdgePan: Equatable, Sendable {
        /// The width of the region along an edge, in points. Source: invented (B9.6).
        package var region = 13.0
    }

    /// Settings of a scroll view's touches and of the motion of its content.
    package struct Scroll: Equatable, Sendable {
        /// The delay of a scroll view's content touches, in seconds. Source: observed (S23).
        package var contentTouchDelay = 0.150
        /// In points per second; a slower release does not glide. Source: observed, iOS 26.1 (B12.10).
        package var slowestRelease = 250.0
        /// The speed at which a glide stops, in points per second. Source: observed, iOS 26.1 (B12.10).
        package var slowestGlide = 10.0
        /// The share of a glide's speed that is left after a millisecond. Source: documented,
        /// UIScrollView.DecelerationRate.normal.
        package var normalDecelerationRate = 0.998
        /// The same for UIScrollView.DecelerationRate.fast. Source: documented.
        package var fastDecelerationRate = 0.99
        /// The visible points for the first point of a pull beyond an edge. Source: observed, iOS 26.1 (B12.11).
        package var rubberBand = 0.55
        /// The stiffness of the spring at an edge for a mass of 1, per square second. Source: observed, iOS 26.1 (B12.12).
        package var springStiffness = 120.0
        /// The damping of that spring for a mass of 1, per second. Source: observed, iOS 26.1 (B12.12).
        package var springDamping = 22.0
    }

    /// Thresholds of all gestures.
    package struct Gesture: Equatable, Sendable {
        /// The factor of all distances. Source: inferred from a private factor of views; its value invented (B9).
        package var sloppiness = 1.0
    }
}
