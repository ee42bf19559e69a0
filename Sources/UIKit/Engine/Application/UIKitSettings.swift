// UIKitSettings.swift: UIKit's thresholds and options, as plain values.
//
// Station   app
// Input     AppCore, which copies them from Sources/Settings: the keys, their defaults and their sources
// Output    UIApplication.settings
// Knows     no keys: UIKit does not depend on how a group is configured.

package import Basics
package import Foundation
package import Gestures

/// The settings of one application.
package struct UIKitSettings: Sendable, Equatable {
    /// How UIKit resolves an order that iOS does not specify.
    package enum UnspecifiedOrder: Sendable, Equatable {
        /// Always the same order: from the hit view outwards, in order of adding.
        case deterministic
        /// A shuffled order, the same for the same seed.
        case ios(seed: UInt64)
    }

    /// A display: its size in points after the rotation of its panel, and its pixels per point.
    package struct Screen: Sendable, Equatable {
        package var size: CGSize
        package var scale: CGFloat

        package init(size: CGSize, scale: CGFloat) { (self.size, self.scale) = (size, scale) }
    }

    /// The displays of the group, and the display of this application.
    package struct Display: Sendable, Equatable {
        /// The main display. Its size is `UIScreen.bounds` for an upright interface.
        package var main = Screen(size: CGSize(width: 375, height: 667), scale: 2)
        package var others: [Screen] = []
        /// The index of the application's display: 0 is the main one, then the others.
        package var ownIndex = 0
        /// The initial orientation of the interface, and the orientations that it supports.
        package var orientation = InterfaceOrientation.portrait
        package var orientations = InterfaceOrientation.allCases
        /// Frames per second of the display.
        package var refreshRate = 60
        /// Frames per second at which events are delivered and display links fire. (B15)
        package var frameRate = 60

        /// All displays; the main one is first.
        package var all: [Screen] { [main] + others }
    }

    /// When a landing continues an earlier tap. (B1.6)
    package struct TapCount: Sendable, Equatable {
        /// Seconds from the lift of a touch to the next landing.
        package var interval: TimeInterval = 0.35
        /// Points between the two landings.
        package var radius: CGFloat = 45
    }

    /// How controls track a touch.
    package struct Controls: Sendable, Equatable {
        /// Points around a control's bounds that still count as inside while the control tracks. (B10.6)
        package var trackingMargin: CGFloat = 70
        /// Points along the track after which a finger drags a switch's knob.
        package var switchDragDistance: CGFloat = 10
        /// Seconds from the landing on a stepper to its first repeat.
        package var stepperDelay: TimeInterval = 0.5
        /// Seconds between the first repeats of a held stepper.
        package var stepperInterval: TimeInterval = 0.1
    }

    package var display = Display()
    package var tapCount = TapCount()
    package var controls = Controls()
    package var gestures = GestureSettings()
    package var order = UnspecifiedOrder.deterministic
    /// Hit tests for each new contact. (S02, E1)
    package var hitTestPasses = 2
    /// When hit tests use an index. The result does not depend on it. (HitIndex.swift)
    package var hitIndex = HitIndexPolicy.whenItPays
    /// Whether `UIWindowScene` is between window and application in the responder chain. (E23)
    package var hasWindowScene = false
    /// Whether a table has a wrapper view around its cells, with a delay of its own. (E29)
    package var tableHasWrapperView = false
    /// Seconds that a touch at an edge is withheld from its view while the system server does not answer. (D8)
    package var gateTimeout: TimeInterval = 1

    package init() {}
}
