// SpringTiming.swift: where a damped spring is, and when it rests.
//
// With the decay rate r = damping / 2 mass, the amplitude of a spring that starts at distance 1 falls as exp(−rt). A spring
// that does not oscillate follows its slower exponential.
//
// Sources   invented    the limit of 1/1000

import Foundation

struct SpringTiming {
    var mass: CGFloat
    var stiffness: CGFloat
    var damping: CGFloat
    /// In distances a second, towards the end.
    var velocity: CGFloat

    /// The part of the way after a time, in seconds: 0 at the beginning, 1 at rest.
    func progress(after time: CGFloat) -> CGFloat {
        let mass = max(mass, 1e-9)
        let (rate, square) = (max(damping, 0) / (2 * mass), max(stiffness, 0) / mass)
        // The distance x to the end: x(0) = 1, x'(0) = −velocity.
        if rate * rate < square {
            let frequency = (square - rate * rate).squareRoot()
            let swing = cos(frequency * time) + (rate - velocity) / frequency * sin(frequency * time)
            return 1 - exp(-rate * time) * swing
        }
        let root = (rate * rate - square).squareRoot()
        guard root > 1e-6 * rate else { return 1 - (1 + (rate - velocity) * time) * exp(-rate * time) }
        let (slow, fast) = (rate - root, rate + root)
        let amplitude = (fast - velocity) / (fast - slow)
        return 1 - amplitude * exp(-slow * time) - (1 - amplitude) * exp(-fast * time)
    }

    /// In seconds; infinity without damping or stiffness.
    var settlingDuration: Double {
        let mass = max(mass, 1e-9)
        guard damping > 0, stiffness > 0 else { return .infinity }
        let rate = damping / (2 * mass)
        let square = stiffness / mass
        let limit: CGFloat = 0.001
        guard rate * rate < square else {
            let slow = rate - (rate * rate - square).squareRoot()
            let fast = rate + (rate * rate - square).squareRoot()
            guard fast - slow > 1e-6 * rate else {
                // Critical damping: (1 + rate t) exp(−rate t), by iteration.
                var t = -log(limit) / rate
                for _ in 0..<20 { t = (log(1 + abs(rate - velocity) * t) - log(limit)) / rate }
                return Double(t)
            }
            let amplitude = max(abs((fast - velocity) / (fast - slow)), 1)
            return Double(log(amplitude / limit) / slow)
        }
        let frequency = (square - rate * rate).squareRoot()
        let sine = (rate - velocity) / frequency
        return Double(log((1 + sine * sine).squareRoot() / limit) / rate)
    }
}
