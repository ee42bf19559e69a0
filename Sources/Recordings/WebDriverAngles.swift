// WebDriverAngles.swift: how a pen leans, from height and direction to tilts to the right and to the front.
//
// Sources   documented  Pointer Events: "converting between tiltX / tiltY and altitudeAngle / azimuthAngle"

import HID

enum WebDriverAngles {
    /// - Parameters:
    ///   - altitude: Radians, 0...π/2: flat to upright.
    ///   - azimuth: Radians, 0...2π: clockwise from the right.
    /// - Returns: Whole degrees, −90...90.
    static func tilt(altitude: Double, azimuth: Double) -> (x: Int32, y: Int32) {
        let (sine, cosine) = (Trigonometry.sine(azimuth), Trigonometry.cosine(azimuth))
        guard altitude != 0 else {
            // Flat on the glass: as far as it goes towards every side it leans to. An axis it lies along is no side.
            func side(_ share: Double) -> Int32 { share.magnitude < 1e-12 ? 0 : share > 0 ? 90 : -90 }
            return (side(cosine), side(sine))
        }
        let slope = tangent(altitude)
        func degrees(_ share: Double) -> Int32 { Int32((Trigonometry.arcTangent(share / slope) * 180 / .pi).rounded()) }
        return (degrees(cosine), degrees(sine))
    }

    private static func tangent(_ angle: Double) -> Double {
        Trigonometry.sine(angle) / Trigonometry.cosine(angle)
    }
}
