// GestureSettings+Settings.swift: the group's settings, as thresholds of gestures.

package import Gestures
package import Settings

extension GestureSettings {
    /// Every field has a key: `tapMaxDuration` is `tap.maxDuration`.
    package init(_ settings: Settings) {
        self.init()
        tapMaxDuration = settings[.tapMaxDuration]
        tapAllowableMovement = settings[.tapAllowableMovement]
        tapMaxInterval = settings[.tapMaxInterval]
        delayHoldFollowers = settings[.delayHoldFollowers]
        delayEndedAfterFailure = settings[.delayEndedAfterFailure]
        longPressMinDuration = settings[.longPressMinDuration]
        longPressMovement = settings[.longPressMovement]
        panHysteresis = settings[.panHysteresis]
        swipeMaxDuration = settings[.swipeMaxDuration]
        swipeMinDistance = settings[.swipeMinDistance]
        swipeMinDistanceDecay = settings[.swipeMinDistanceDecay]
        swipeMaxSecondary = settings[.swipeMaxSecondary]
        swipeMaxSecondaryDecay = settings[.swipeMaxSecondaryDecay]
        swipeMaxOpposite = settings[.swipeMaxOpposite]
        pinchHysteresis = settings[.pinchHysteresis]
        rotationHysteresis = settings[.rotationHysteresis]
        edgePanRegion = settings[.edgePanRegion]
        scrollContentTouchDelay = settings[.scrollContentTouchDelay]
        scrollSlowestRelease = settings[.scrollSlowestRelease]
        scrollSlowestGlide = settings[.scrollSlowestGlide]
        scrollNormalRate = settings[.scrollNormalRate]
        scrollFastRate = settings[.scrollFastRate]
        scrollRubberBand = settings[.scrollRubberBand]
        scrollSpringStiffness = settings[.scrollSpringStiffness]
        scrollSpringDamping = settings[.scrollSpringDamping]
        gestureSloppiness = settings[.gestureSloppiness]
    }
}
