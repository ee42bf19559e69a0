// CAMediaTiming.swift: when an animation begins, how long it lasts, and by which curve it progresses.
//
// Sources   documented  CAMediaTiming, CAMediaTimingFunction: the control points of the named curves

public import Foundation

/// What an animation shows before it begins and after it ends.
public struct CAMediaTimingFillMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let removed = CAMediaTimingFillMode(rawValue: "removed")
    public static let forwards = CAMediaTimingFillMode(rawValue: "forwards")
    public static let backwards = CAMediaTimingFillMode(rawValue: "backwards")
    public static let both = CAMediaTimingFillMode(rawValue: "both")
}

/// The times of an animation, in seconds.
public protocol CAMediaTiming {
    /// When the animation begins, as `CACurrentMediaTime` counts; 0 for at once.
    var beginTime: CFTimeInterval { get set }
    /// Of one run; 0 for the transaction's duration.
    var duration: CFTimeInterval { get set }
    /// The factor by which time runs faster.
    var speed: Float { get set }
    /// What is added to the time inside the animation.
    var timeOffset: CFTimeInterval { get set }
    /// How often the animation runs; infinity for ever.
    var repeatCount: Float { get set }
    /// For how long the animation repeats; 0 for `repeatCount` runs.
    var repeatDuration: CFTimeInterval { get set }
    /// Whether each run is followed by a run backwards.
    var autoreverses: Bool { get set }
    var fillMode: CAMediaTimingFillMode { get set }
}

/// The stored times of an animation or a layer.
struct MediaTiming {
    var beginTime: CFTimeInterval = 0
    var duration: CFTimeInterval = 0
    var speed: Float = 1
    var timeOffset: CFTimeInterval = 0
    var repeatCount: Float = 0
    var repeatDuration: CFTimeInterval = 0
    var autoreverses = false
    var fillMode = CAMediaTimingFillMode.removed

    /// For how long the animation runs, in seconds; infinity for ever.
    ///
    /// - Parameter standard: The duration of one run if none is set.
    func activeDuration(standard: CFTimeInterval) -> CFTimeInterval {
        guard speed > 0 else { return .infinity }
        let run = (duration > 0 ? duration : standard) * (autoreverses ? 2 : 1)
        let total = repeatDuration > 0 ? repeatDuration : run * Double(repeatCount > 0 ? repeatCount : 1)
        return total / Double(speed)
    }
}

/// The name of a curve.
public struct CAMediaTimingFunctionName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let linear = CAMediaTimingFunctionName(rawValue: "linear")
    public static let easeIn = CAMediaTimingFunctionName(rawValue: "easeIn")
    public static let easeOut = CAMediaTimingFunctionName(rawValue: "easeOut")
    public static let easeInEaseOut = CAMediaTimingFunctionName(rawValue: "easeInEaseOut")
    public static let `default` = CAMediaTimingFunctionName(rawValue: "default")
}

/// The progress of an animation over time, as a cubic curve from (0, 0) to (1, 1).
open class CAMediaTimingFunction: NSObject {
    private final let points: [Float]

    /// - Parameter name: A name that is not known means `linear`.
    public convenience init(name: CAMediaTimingFunctionName) {
        switch name {
        case .easeIn: self.init(controlPoints: 0.42, 0, 1, 1)
        case .easeOut: self.init(controlPoints: 0, 0, 0.58, 1)
        case .easeInEaseOut: self.init(controlPoints: 0.42, 0, 0.58, 1)
        case .default: self.init(controlPoints: 0.25, 0.1, 0.25, 1)
        default: self.init(controlPoints: 0, 0, 1, 1)
        }
    }

    public init(controlPoints c1x: Float, _ c1y: Float, _ c2x: Float, _ c2y: Float) { points = [c1x, c1y, c2x, c2y] }

    final var curve: TimingCurve {
        let p = points.map { CGFloat($0) }
        return .cubic(CGPoint(x: p[0], y: p[1]), CGPoint(x: p[2], y: p[3]))
    }

    /// Writes x and y of a point of the curve: 0 and 3 are its ends, 1 and 2 its control points.
    open func getControlPoint(at idx: Int, values ptr: UnsafeMutablePointer<Float>) {
        let all = [0, 0] + points + [1, 1]
        demand((0...3).contains(idx), "a timing function has no control point \(idx)")
        (ptr[0], ptr[1]) = (all[idx * 2], all[idx * 2 + 1])
    }
}
