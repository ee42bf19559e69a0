// TimingCurve.swift: the progress of an animation over time.
//
// Sources   documented  UICubicTimingParameters: the control points of the named curves are CAMediaTimingFunction's
//           documented  the velocity of a spring is in distances a second
//           invented    a spring without an initial velocity is within 1/1000 of its end at the duration

import Foundation

enum TimingCurve {
    case cubic(CGPoint, CGPoint)
    /// The velocity is in distances for the whole duration.
    case spring(dampingRatio: CGFloat, velocity: CGFloat = 0)

    init(_ curve: UIView.AnimationCurve) {
        self =
            switch curve {
            case .easeInOut: .cubic(CGPoint(x: 0.42, y: 0), CGPoint(x: 0.58, y: 1))
            case .easeIn: .cubic(CGPoint(x: 0.42, y: 0), CGPoint(x: 1, y: 1))
            case .easeOut: .cubic(CGPoint(x: 0, y: 0), CGPoint(x: 0.58, y: 1))
            case .linear: .cubic(CGPoint(x: 0, y: 0), CGPoint(x: 1, y: 1))
            }
    }

    /// - Parameter time: 0...1 of the duration.
    func progress(at time: CGFloat) -> CGFloat {
        guard time > 0 else { return 0 }
        guard time < 1 else { return 1 }
        switch self {
        case .cubic(let first, let second):
            if first.x == first.y, second.x == second.y { return time }
            let curve = (CGPoint.zero, first, second, CGPoint(x: 1, y: 1))
            var (low, high): (CGFloat, CGFloat) = (0, 1)
            for _ in 0..<50 {
                let middle = (low + high) / 2
                if pointOfCurve(middle, curve).x < time { low = middle } else { high = middle }
            }
            return pointOfCurve((low + high) / 2, curve).y
        case .spring(let dampingRatio, let velocity):
            let ratio = min(max(dampingRatio, 0.05), 1)
            let rate = log(1000 as CGFloat)
            guard ratio < 1 else { return 1 - (1 + (rate - velocity) * time) * exp(-rate * time) }
            let frequency = rate / ratio * (1 - ratio * ratio).squareRoot()
            let swing = cos(frequency * time) + (rate - velocity) / frequency * sin(frequency * time)
            return 1 - exp(-rate * time) * swing
        }
    }
}
