// GestureSettings+Settings.swift: the thresholds of gestures from the settings of the group.
//
// Station   gesture
// Input     Settings
// Output    GestureSettings
//
// Sources   Docs/Spec/Semantics.md section 0.5

package import Gestures
package import Settings

extension GestureSettings {
    /// Reads each field by its key, which is the field's path: `tap.maxDuration`.
    package init(_ settings: Settings) {
        self.init()
        tap.maxDuration = settings[.tapMaxDuration]
        tap.allowableMovement = settings[.tapAllowableMovement]
        tap.maxInterval = settings[.tapMaxInterval]
        delay.holdsLaterTouches = settings[.delayHoldsLaterTouches]
        delay.endedAfterFailure = settings[.delayEndedAfterFailure]
        longPress.minDuration = settings[.longPressMinDuration]
        longPress.allowableMovement = settings[.longPressAllowableMovement]
        pan.hysteresis = settings[.panHysteresis]
        swipe.maxDuration = settings[.swipeMaxDuration]
        swipe.minDistance = settings[.swipeMinDistance]
        swipe.minDistanceDecay = settings[.swipeMinDistanceDecay]
        swipe.maxSecondary = settings[.swipeMaxSecondary]
        swipe.maxSecondaryDecay = settings[.swipeMaxSecondaryDecay]
        swipe.maxOpposite = settings[.swipeMaxOpposite]
        pinch.hysteresis = settings[.pinchHysteresis]
        rotation.hysteresis = settings[.rotationHysteresis]
        edgePan.region = settings[.edgePanRegion]
        scroll.contentTouchDelay = settings[.scrollContentTouchDelay]
        scroll.slowestRelease = settings[.scrollSlowestRelease]
        scroll.slowestGlide = settings[.scrollSlowestGlide]
        scroll.normalDecelerationRate = settings[.scrollNormalDecelerationRate]
        scroll.fastDecelerationRate = settings[.scrollFastDecelerationRate]
        scroll.rubberBand = settings[.scrollRubberBand]
        scroll.springStiffness = settings[.scrollSpringStiffness]
        scroll.springDamping = settings[.scrollSpringDamping]
        gesture.sloppiness = settings[.gestureSloppiness]
    }
}
