// TouchMeasures.swift: what a panel measures of a touch besides its position.
//
// Station   event
// Input     TouchTracker, with each contact; UIApplication.settle, for what a pencil corrects later
// Output    UITouch: radius, force, angles, which of them are estimates
//
// Sources   observed    a finger's greatest force is 6.67 on phones that measure it, a pencil's 4.17

import Basics
import Foundation
import HID

struct TouchMeasures {
    var majorRadius: CGFloat = 0
    var majorRadiusTolerance: CGFloat = 0
    /// 1 is an ordinary touch's. Zero where the panel does not measure it.
    var force: CGFloat = 0
    /// Of a touch that presses as hard as it can; zero until the panel has measured how hard this touch presses.
    private(set) var greatestForce: CGFloat = 0
    var pose = PencilPose.upright
    var estimate = UITouch.Estimate()

    /// What a panel's full pressure is: as many ordinary touches.
    static let greatestForceOfFinger: CGFloat = 20 / 3
    static let greatestForceOfPencil: CGFloat = 25 / 6

    /// Takes what the panel measured; what it did not measure stays as it was.
    mutating func take(_ contact: TouchContact, isPencil: Bool) {
        majorRadius = CGFloat(contact.majorRadius.double)
        if contact.pressure != .zero || greatestForce != 0 {
            greatestForce = isPencil ? Self.greatestForceOfPencil : Self.greatestForceOfFinger
            force = CGFloat(contact.pressure.double) * greatestForce
        }
        if let angles = contact.angles { pose = PencilPose(angles) }
    }
}

/// How a pencil is held, in radians.
struct PencilPose {
    /// From the glass.
    var altitude: CGFloat
    /// From the window's x axis.
    var azimuth: CGFloat

    static var upright: PencilPose { PencilPose(altitude: .pi / 2, azimuth: 0) }
}

extension PencilPose {
    init(_ angles: PencilAngles) {
        self.init(altitude: CGFloat(angles.altitude.double), azimuth: CGFloat(angles.azimuth.double))
    }
}
