// Curves.swift: sine, cosine and the exponential function from additions and multiplications.
//
// C libraries may round these functions differently, and a seed must give the same script on every machine.

/// Sine and cosine of an angle in degrees; exact at every multiple of 90.
func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    guard degrees.isFinite, degrees.magnitude < 1e9 else { return (0, 1) }
    let quarters = (degrees / 90).rounded()
    let radians = (degrees - quarters * 90) * Double.pi / 180
    let square = radians * radians
    // Within ±45° the eighth terms are about 1e-15.
    var (sine, cosine) = (0.0, 0.0)
    for term in stride(from: 8, through: 1, by: -1) {
        let n = Double(2 * term)
        sine = (sine + 1) * -square / (n * (n + 1))
        cosine = (cosine + 1) * -square / (n * (n - 1))
    }
    (sine, cosine) = (radians * (1 + sine), 1 + cosine)
    return switch (Int(quarters) % 4 + 4) % 4 {
    case 0: (sine, cosine)
    case 1: (cosine, -sine)
    case 2: (-sine, -cosine)
    default: (-cosine, sine)
    }
}

/// e to the power of x, with x limited to −8...8, as (1 + x/65536) to the power of 65536. The relative error is about
/// x²/131072.
func exponential(_ x: Double) -> Double {
    var power = 1 + max(-8, min(8, x)) / 65536
    for _ in 0..<16 { power *= power }
    return power
}

/// The share of its path that a hand has covered, from rest to rest, on the path of least jerk.
///
/// - Parameter time: The share of the duration, 0...1.
/// - Source: documented, Flash and Hogan, "The coordination of arm movements" (1985).
func minimumJerk(_ time: Double) -> Double {
    let cube = time * time * time
    return cube * (10 + time * (6 * time - 15))
}

/// The same for a hand that lifts while it moves: the first six tenths of that path.
func flick(_ time: Double) -> Double { minimumJerk(0.6 * time) / minimumJerk(0.6) }

/// 0 at both ends of 0...1, and 1 in the middle.
func bow(_ share: Double) -> Double { 4 * share * (1 - share) }
