// UITimingCurveProvider.swift: the curves of an animator.
//
// Sources   documented  UICubicTimingParameters, UISpringTimingParameters

public import Foundation

/// The kind of a curve.
public enum UITimingCurveType: Int, Sendable { case builtin, cubic, spring, composed }

/// A curve of an animation.
public protocol UITimingCurveProvider: NSObjectProtocol {
    var timingCurveType: UITimingCurveType { get }
    var cubicTimingParameters: UICubicTimingParameters? { get }
    var springTimingParameters: UISpringTimingParameters? { get }
}

extension UITimingCurveProvider {
    var curve: TimingCurve {
        if let spring = springTimingParameters {
            return .spring(dampingRatio: spring.dampingRatio, velocity: spring.initialVelocity.dx)
        }
        guard let cubic = cubicTimingParameters else { return TimingCurve(.easeInOut) }
        return .cubic(cubic.controlPoint1, cubic.controlPoint2)
    }
}

/// A cubic curve from (0, 0) to (1, 1).
open class UICubicTimingParameters: NSObject, UITimingCurveProvider {
    public let animationCurve: UIView.AnimationCurve
    public let controlPoint1, controlPoint2: CGPoint
    private let isNamed: Bool

    public override convenience init() { self.init(animationCurve: .easeInOut) }

    public init(animationCurve curve: UIView.AnimationCurve) {
        (animationCurve, isNamed) = (curve, true)
        guard case .cubic(let first, let second) = TimingCurve(curve) else { preconditionFailure("\(curve)") }
        (controlPoint1, controlPoint2) = (first, second)
    }

    public init(controlPoint1 point1: CGPoint, controlPoint2 point2: CGPoint) {
        (animationCurve, isNamed, controlPoint1, controlPoint2) = (.easeInOut, false, point1, point2)
    }

    open var timingCurveType: UITimingCurveType { isNamed ? .builtin : .cubic }
    open var cubicTimingParameters: UICubicTimingParameters? { self }
    open var springTimingParameters: UISpringTimingParameters? { nil }
}

/// A damped spring. The duration is the animator's.
open class UISpringTimingParameters: NSObject, UITimingCurveProvider {
    /// 1 for a spring that does not swing.
    final let dampingRatio: CGFloat
    /// In distances for the whole duration here; only `dx` has an effect.
    public let initialVelocity: CGVector

    public convenience override init() { self.init(dampingRatio: 1) }
    public convenience init(dampingRatio ratio: CGFloat) { self.init(dampingRatio: ratio, initialVelocity: .zero) }
    public init(dampingRatio ratio: CGFloat, initialVelocity velocity: CGVector) {
        (dampingRatio, initialVelocity) = (ratio, velocity)
    }
    public init(mass: CGFloat, stiffness: CGFloat, damping: CGFloat, initialVelocity velocity: CGVector) {
        dampingRatio = damping / (2 * (mass * stiffness).squareRoot())
        initialVelocity = velocity
    }

    open var timingCurveType: UITimingCurveType { .spring }
    open var cubicTimingParameters: UICubicTimingParameters? { nil }
    open var springTimingParameters: UISpringTimingParameters? { self }
}
