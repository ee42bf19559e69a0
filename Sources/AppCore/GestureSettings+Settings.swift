// GestureSettings+Settings.swift: the group's settings, as thresholds of gestures.

package import Gestures
package import Hosting

extension GestureSettings {
    /// Every field has a key: `tapMaxDuration` is `tap.maxDuration`.
    package init(_ settings: Settings) {
        self.init()
        tapMaxDuration = settings.number("tap.maxDuration")
        tapAllowableMovement = settings.number("tap.allowableMovement")
        tapMaxInterval = settings.number("tap.maxInterval")
        delayHoldFollowers = settings.flag("delay.holdFollowers")
        delayEndedAfterFailure = settings.number("delay.endedAfterFailure")
        longPressMinDuration = settings.number("longPress.minDuration")
        longPressMovement = settings.number("longPress.movement")
        panHysteresis = settings.number("pan.hysteresis")
        swipeMaxDuration = settings.number("swipe.maxDuration")
        swipeMinDistance = settings.number("swipe.minDistance")
        swipeMinDistanceDecay = settings.number("swipe.minDistanceDecay")
        swipeMaxSecondary = settings.number("swipe.maxSecondary")
        swipeMaxSecondaryDecay = settings.number("swipe.maxSecondaryDecay")
        swipeMaxOpposite = settings.number("swipe.maxOpposite")
        pinchHysteresis = settings.number("pinch.hysteresis")
        rotationHysteresis = settings.number("rotation.hysteresis")
        edgePanRegion = settings.number("edgePan.region")
        scrollContentTouchDelay = settings.number("scroll.contentTouchDelay")
        scrollSlowestRelease = settings.number("scroll.slowestRelease")
        scrollSlowestGlide = settings.number("scroll.slowestGlide")
        scrollNormalRate = settings.number("scroll.normalRate")
        scrollFastRate = settings.number("scroll.fastRate")
        scrollRubberBand = settings.number("scroll.rubberBand")
        scrollSpringStiffness = settings.number("scroll.springStiffness")
        scrollSpringDamping = settings.number("scroll.springDamping")
        gestureSloppiness = settings.number("gesture.sloppiness")
    }
}
