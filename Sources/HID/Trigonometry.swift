// Trigonometry.swift: sine, cosine and arc tangent without the C library.
//
// Station   hid
// Input     PanelMeasures, and WebDriver's angles in Recordings: the two forms of a pen's tilt
// Output    the functions' values
// Knows     angles in radians. No pen.
//
// Sources   documented  the functions' Taylor series; with a reduced argument, ten terms of the arc tangent and twelve of
//                       the sine are exact to a Double's last few bits

/// Sine, cosine and arc tangent.
public enum Trigonometry {
    public static func sine(_ angle: Double) -> Double {
        // Reduces the angle to half a turn, then mirrors it into a quarter turn in either direction.
        var x = angle - (angle / (2 * .pi)).rounded() * 2 * .pi
        if x > .pi / 2 { x = .pi - x } else if x < -.pi / 2 { x = -.pi - x }
        var (term, sum) = (x, x)
        for index in stride(from: 2.0, through: 22, by: 2) {
            term *= -x * x / (index * (index + 1))
            sum += term
        }
        return sum
    }

    public static func cosine(_ angle: Double) -> Double { sine(angle + .pi / 2) }

    /// - Returns: −π/2...π/2; for NaN the same as for infinity.
    public static func arcTangent(_ slope: Double) -> Double {
        guard slope.magnitude < 1e300 else { return slope < 0 ? -.pi / 2 : .pi / 2 }
        // The angle is halved three times: tan(a/2) = t / (1 + √(1 + t²)).
        var x = slope.magnitude > 1 ? 1 / slope.magnitude : slope.magnitude
        for _ in 0..<3 { x = x / (1 + (1 + x * x).squareRoot()) }
        var (power, sum) = (x, 0.0)
        for index in 0..<10 {
            sum += (index % 2 == 0 ? power : -power) / Double(2 * index + 1)
            power *= x * x
        }
        let angle = slope.magnitude > 1 ? .pi / 2 - 8 * sum : 8 * sum
        return slope < 0 ? -angle : angle
    }
}
