// UIKitSettings+Settings.swift: the settings of UIKit from the settings of the group.
//
// Station   event … action
// Input     Settings
// Output    UIKitSettings
//
// Sources   invented

import Basics
import Foundation
import Gestures
import HID
package import Settings
package import UIKit

extension UIKitSettings {
    /// Reads the settings of UIKit from the group's.
    package init(_ settings: Settings) {
        self.init()
        let displays = Displays(settings)
        let screens = displays.all.map { display in
            let bounds = display.geometry.bounds
            return Screen(size: CGSize(width: bounds.width, height: bounds.height), scale: CGFloat(display.scale))
        }
        (display.main, display.others) = (screens[0], Array(screens.dropFirst()))
        display.ownIndex = Int(settings[.appDisplay]) - 1
        if display.ownIndex >= screens.count { display.ownIndex = 0 }
        (display.orientation, display.orientations) = (settings.initialOrientation, settings[.appOrientations])
        display.refreshRate = settings[.screenRefreshRate]
        let rate = settings[.frameRate]
        display.frameRate = rate > 0 ? max(1, Int(rate)) : display.refreshRate
        hitTestPasses = settings[.hitTestPasses]
        hasWindowScene = settings[.responderWindowScene]
        tapCount.interval = settings[.touchTapCountInterval]
        tapCount.radius = CGFloat(settings[.touchTapCountRadius])
        controls.trackingMargin = CGFloat(settings[.controlTrackingMargin])
        controls.switchDragDistance = CGFloat(settings[.controlSwitchDragDistance])
        controls.stepperDelay = settings[.controlStepperDelay]
        controls.stepperInterval = settings[.controlStepperInterval]
        gateTimeout = settings[.gateEdgeDelayMax]
        tableHasWrapperView = settings[.tableHasWrapperView]
        gestures = GestureSettings(settings)
        if settings[.orderMode] == .ios { order = .ios(seed: settings[.orderSeed]) }
    }
}
