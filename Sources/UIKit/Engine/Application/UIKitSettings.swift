// UIKitSettings.swift: the numbers UIKit goes by, as plain values.
//
// Sources/Settings holds the keys, their defaults and their sources; AppCore copies them here, so that UIKit
// need not know how a group is configured.

package import Basics
package import Foundation
package import Gestures

package struct UIKitSettings: Sendable, Equatable {
    /// What becomes of an order that iOS does not specify.
    package enum UnspecifiedOrder: Sendable, Equatable {
        /// Always the same: hit view outwards, in order of adding.
        case deterministic
        /// Shuffled, the same way for the same seed.
        case ios(seed: UInt64)
    }

    /// A display: points, as the panel is turned, and pixels in one of them.
    package struct Screen: Sendable, Equatable {
        package var size: CGSize
        package var scale: CGFloat

        package init(size: CGSize, scale: CGFloat) { (self.size, self.scale) = (size, scale) }
    }

    /// The displays of the group, and how the application is shown on its own one.
    package struct Display: Sendable, Equatable {
        /// Its size is what `UIScreen.bounds` says of an upright interface.
        package var main = Screen(size: CGSize(width: 375, height: 667), scale: 2)
        package var others: [Screen] = []
        /// The display that the application is on: 0 is the main one, then the others.
        package var own = 0
        /// Which way up the interface is at first, and which it can be.
        package var orientation = InterfaceOrientation.portrait
        package var orientations = InterfaceOrientation.allCases
        /// Frames in a second.
        package var refreshRate = 60
        /// Frames in a second that events are delivered and display links called at. (B15)
        package var frameRate = 60

        /// The main one first.
        package var all: [Screen] { [main] + others }
    }

    /// When a landing continues the taps before it. (B1.6)
    package struct TapCount: Sendable, Equatable {
        /// Seconds from a touch's lift to the next touch-down.
        package var interval: TimeInterval = 0.35
        /// Points.
        package var radius: CGFloat = 45
    }

    /// How controls follow a touch.
    package struct Controls: Sendable, Equatable {
        /// Points around a control's bounds that still count as inside while it tracks. (B10.6)
        package var trackingMargin: CGFloat = 70
        /// Points along its track that a finger drags a switch's knob from.
        package var switchDragDistance: CGFloat = 10
        /// Seconds a stepper is held before it repeats.
        package var stepperDelay: TimeInterval = 0.5
        /// Seconds between a held stepper's first repeats.
        package var stepperInterval: TimeInterval = 0.1
    }

    package var display = Display()
    package var tapCount = TapCount()
    package var controls = Controls()
    package var gestures = GestureSettings()
    package var order = UnspecifiedOrder.deterministic
    /// Walks for each new contact. (S02, E1)
    package var hitTestPasses = 2
    /// `UIWindowScene` stands between window and application. (E23)
    package var hasWindowScene = false
    /// A view between a table and its cells, with a delay of its own. (E29)
    package var tableHasWrapperView = false
    /// Seconds a touch at an edge is kept from its view while the system server says nothing. (D8)
    package var gateTimeout: TimeInterval = 1

    package init() {}
}
