// Curves.swift: sine, cosine and powers of e from additions and multiplications.
//
// A C library may round them as it likes, and a seed has to give the same script on every machine.

/// Of an angle in degrees; every multiple of 90 exactly.
func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    guard degrees.isFinite, degrees.magnitude < 1e9 else { return (0, 1) }
    let quarters = (degrees / 90).rounded()
    let radians = (degrees - quarters * 90) * Double.pi / 180
    let square = radians * radians
    // Within ±45° the eighth terms are below 1e-15.
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

/// e to the power of −8...8, to six digits: (1 + x/65536) to the power of 65536.
func exponential(_ x: Double) -> Double {
    var power = 1 + max(-8, min(8, x)) / 65536
    for _ in 0..<16 { power *= power }
    return power
}

/// How far a hand that goes from rest to rest has come: the way whose jerk is least.
///
/// - Source: documented, Flash and Hogan, "The coordination of arm movements" (1985).
func minimumJerk(_ time: Double) -> Double {
    let cube = time * time * time
    return cube * (10 + time * (6 * time - 15))
}

/// The same of a hand that lifts at speed: the first six tenths of that way.
func flick(_ time: Double) -> Double { minimumJerk(0.6 * time) / minimumJerk(0.6) }

/// 0 at both ends of 0...1, and 1 in the middle.
func bow(_ share: Double) -> Double { 4 * share * (1 - share) }
