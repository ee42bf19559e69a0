// SpringTiming.swift: when a damped spring rests.
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
