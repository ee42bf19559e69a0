// TouchMeasures.swift: what a panel measures of a touch besides its position.
//
// Station   event
// Input     TouchTracker, with each contact; UIApplication.settle, with corrections of a pencil's estimates
// Output    UITouch: radius, force, angles, and which of them are estimates
//
// Sources   observed    the greatest force of a finger is 6.67 on phones that measure it, a pencil's 4.17

import Basics
package import Foundation
import HID

struct TouchMeasures {
    var majorRadius: CGFloat = 0
    var majorRadiusTolerance: CGFloat = 0
    /// 1 is the force of an ordinary touch. Zero if the panel does not measure it.
    var force: CGFloat = 0
    /// The greatest possible force; zero until the panel has measured the pressure of this touch.
    private(set) var greatestForce: CGFloat = 0
    var pose = PencilPose.upright
    var estimate = UITouch.Estimate()

    /// The force at full pressure.
    static let greatestForceOfFinger: CGFloat = 20 / 3
    static let greatestForceOfPencil: CGFloat = 25 / 6

    /// Stores the measured values of a contact. A value that the panel did not measure stays unchanged.
    mutating func update(from contact: TouchContact, isPencil: Bool) {
        majorRadius = CGFloat(contact.majorRadius.double)
        if contact.pressure != .zero || greatestForce != 0 {
            greatestForce = isPencil ? Self.greatestForceOfPencil : Self.greatestForceOfFinger
            force = CGFloat(contact.pressure.double) * greatestForce
        }
        if let angles = contact.angles { pose = PencilPose(angles) }
    }
}

/// The angles of a pencil, in radians.
struct PencilPose {
    /// The angle from the glass.
    var altitude: CGFloat
    /// The angle from the window's x axis.
    var azimuth: CGFloat

    static var upright: PencilPose { PencilPose(altitude: .pi / 2, azimuth: 0) }
}

extension PencilPose {
    init(_ angles: PencilAngles) {
        self.init(altitude: CGFloat(angles.altitude.double), azimuth: CGFloat(angles.azimuth.double))
    }
}

extension UITouch {
    /// The greatest force of a finger; 1 is the force of an ordinary touch.
    package static var greatestForceOfFinger: CGFloat { TouchMeasures.greatestForceOfFinger }
}
