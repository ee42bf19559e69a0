// WebDriverAngles.swift: converts a pen's altitude and azimuth to its tilts.

import HID

/// The conversion of pen angles.
enum WebDriverAngles {
    /// Converts the angles of a pen.
    ///
    /// - Parameters:
    ///   - altitude: Radians, 0...π/2: flat to upright.
    ///   - azimuth: Radians, 0...2π: clockwise from the right.
    /// - Returns: Whole degrees, −90...90.
    static func tilt(altitude: Double, azimuth: Double) -> (x: Int32, y: Int32) {
        let (sine, cosine) = (Trigonometry.sine(azimuth), Trigonometry.cosine(azimuth))
        guard altitude != 0 else {
            // A flat pen has the largest tilt toward each side it points to, and none along the other axis.
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
