// UIKitSettings+Settings.swift: the group's settings, as the numbers that UIKit goes by.

import Basics
import Foundation
import Gestures
import HID
package import Settings
package import UIKit

extension UIKitSettings {
    /// What the group's settings say of UIKit.
    package init(_ settings: Settings) {
        self.init()
        let displays = Displays(settings)
        let screens = displays.all.map { display in
            let bounds = display.geometry.bounds
            return Screen(size: CGSize(width: bounds.width, height: bounds.height), scale: CGFloat(display.scale))
        }
        (screenSize, screenScale, otherScreens) = (screens[0].size, screens[0].scale, Array(screens.dropFirst()))
        ownScreen = Int(settings[.appDisplay]) - 1
        if ownScreen >= screens.count { ownScreen = 0 }
        (orientation, orientations) = (settings.initialOrientation, settings[.appOrientations])
        screenRefreshRate = settings[.screenRefreshRate]
        let rate = settings[.frameRate]
        frameRate = rate > 0 ? max(1, Int(rate)) : screenRefreshRate
        hitTestPasses = settings[.hitTestPasses]
        hasWindowScene = settings[.responderWindowScene]
        tapCountInterval = settings[.touchTapCountInterval]
        tapCountRadius = CGFloat(settings[.touchTapCountRadius])
        trackingMargin = CGFloat(settings[.controlTrackingMargin])
        switchDragDistance = CGFloat(settings[.controlSwitchDragDistance])
        stepperDelay = settings[.controlStepperDelay]
        stepperInterval = settings[.controlStepperInterval]
        gateTimeout = settings[.gateEdgeDelayMax]
        tableHasWrapperView = settings[.tableHasWrapperView]
        gestures = GestureSettings(settings)
        if settings[.orderMode] == .ios { order = .ios(seed: settings[.orderSeed]) }
    }
}
