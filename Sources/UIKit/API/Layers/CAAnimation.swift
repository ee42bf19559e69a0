// CAAnimation.swift: animations of layers as values, with their ends in virtual time.
//
// Input     CALayer.add(_:forKey:)
// Output    the delegate's calls from the main loop (CALayer+Animations.swift)
//           values of presentation layers (AnimationProgress.swift)
// Knows     times. No value of a model layer changes, and touches are not blocked, as on iOS.
//
// Sources   documented  CAAnimation and its subclasses
//           invented    the end of a spring: when its amplitude is below 1/1000

public import Foundation

/// Called when an animation starts and stops.
public protocol CAAnimationDelegate: AnyObject {
    func animationDidStart(_ anim: CAAnimation)
    /// - Parameters:
    ///   - anim: The animation that stopped.
    ///   - flag: Whether the animation ran to its end. False if it was removed or replaced.
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool)
}

extension CAAnimationDelegate {
    public func animationDidStart(_ anim: CAAnimation) {}
    public func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {}
}

/// An animation of a layer. A layer uses this object and no copy of it: what it reads, it reads when the animation is added.
open class CAAnimation: NSObject, CAMediaTiming, CAAction, NSCopying {
    private final var timing = MediaTiming()
    private final var named: [String: Any] = [:]

    public required override init() { super.init() }
    /// Returns nil, because this project has no archives of animations.
    public required init?(coder: NSCoder) { nil }

    /// Retained until the animation is freed.
    open var delegate: (any CAAnimationDelegate)?
    /// The curve of each run; nil for a constant speed.
    open var timingFunction: CAMediaTimingFunction?
    /// Whether the layer forgets the animation at its end.
    open var isRemovedOnCompletion = true

    open var beginTime: CFTimeInterval {
        get { timing.beginTime }
        set { timing.beginTime = newValue }
    }
    open var duration: CFTimeInterval {
        get { timing.duration }
        set { timing.duration = newValue }
    }
    open var speed: Float {
        get { timing.speed }
        set { timing.speed = newValue }
    }
    open var timeOffset: CFTimeInterval {
        get { timing.timeOffset }
        set { timing.timeOffset = newValue }
    }
    open var repeatCount: Float {
        get { timing.repeatCount }
        set { timing.repeatCount = newValue }
    }
    open var repeatDuration: CFTimeInterval {
        get { timing.repeatDuration }
        set { timing.repeatDuration = newValue }
    }
    open var autoreverses: Bool {
        get { timing.autoreverses }
        set { timing.autoreverses = newValue }
    }
    open var fillMode: CAMediaTimingFillMode {
        get { timing.fillMode }
        set { timing.fillMode = newValue }
    }

    /// For how long the animation runs, in seconds; infinity for ever.
    final func activeDuration(standard: CFTimeInterval) -> CFTimeInterval {
        timing.activeDuration(standard: standard)
    }

    /// The value that `setValue(_:forKey:)` stored under a name. Properties are not found by their names here.
    open func value(forKey key: String) -> Any? { named[key] }
    /// Stores a value under a name. Properties are not found by their names here.
    open func setValue(_ value: Any?, forKey key: String) { named[key] = value }

    /// Adds the animation to a layer under the name of the property that changed.
    open func run(forKey event: String, object anObject: Any, arguments dict: [AnyHashable: Any]?) {
        (anObject as? CALayer)?.add(self, forKey: event)
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let made = type(of: self).init()
        made.copyValues(of: self)
        return made
    }

    func copyValues(of other: CAAnimation) {
        (timing, named) = (other.timing, other.named)
        (delegate, timingFunction) = (other.delegate, other.timingFunction)
        isRemovedOnCompletion = other.isRemovedOnCompletion
    }
}

/// An animation of one property, named by its key path.
open class CAPropertyAnimation: CAAnimation {
    open var keyPath: String?
    /// Whether the value is added to the layer's.
    open var isAdditive = false
    /// No effect here.
    open var isCumulative = false

    public convenience init(keyPath path: String?) {
        self.init()
        keyPath = path
    }

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CAPropertyAnimation else { return }
        (keyPath, isAdditive, isCumulative) = (other.keyPath, other.isAdditive, other.isCumulative)
    }
}

/// An animation between two values.
open class CABasicAnimation: CAPropertyAnimation {
    open var fromValue: Any?
    open var toValue: Any?
    open var byValue: Any?

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CABasicAnimation else { return }
        (fromValue, toValue, byValue) = (other.fromValue, other.toValue, other.byValue)
    }
}

/// An animation by a damped spring. Its duration is not its settling duration unless code sets it so.
open class CASpringAnimation: CABasicAnimation {
    open var mass: CGFloat = 1
    open var stiffness: CGFloat = 100
    open var damping: CGFloat = 10
    open var initialVelocity: CGFloat = 0

    /// After how many seconds the amplitude is below 1/1000; infinity for a spring without damping.
    open var settlingDuration: CFTimeInterval {
        SpringTiming(mass: mass, stiffness: stiffness, damping: damping, velocity: initialVelocity).settlingDuration
    }

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CASpringAnimation else { return }
        (mass, stiffness, damping) = (other.mass, other.stiffness, other.damping)
        initialVelocity = other.initialVelocity
    }
}

/// How values between key frames are computed. The cubic modes are computed as the linear ones here.
public struct CAAnimationCalculationMode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let linear = CAAnimationCalculationMode(rawValue: "linear")
    public static let discrete = CAAnimationCalculationMode(rawValue: "discrete")
    public static let paced = CAAnimationCalculationMode(rawValue: "paced")
    public static let cubic = CAAnimationCalculationMode(rawValue: "cubic")
    public static let cubicPaced = CAAnimationCalculationMode(rawValue: "cubicPaced")
}

/// An animation over several values.
open class CAKeyframeAnimation: CAPropertyAnimation {
    open var values: [Any]?
    open var path: CGPath?
    /// When each value is reached, as fractions of the duration.
    open var keyTimes: [NSNumber]?
    open var timingFunctions: [CAMediaTimingFunction]?
    open var calculationMode = CAAnimationCalculationMode.linear

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CAKeyframeAnimation else { return }
        (values, path, keyTimes) = (other.values, other.path, other.keyTimes)
        (timingFunctions, calculationMode) = (other.timingFunctions, other.calculationMode)
    }
}

/// Several animations with one duration. The delegates of its animations are not called.
open class CAAnimationGroup: CAAnimation {
    open var animations: [CAAnimation]?

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        animations = (other as? CAAnimationGroup)?.animations
    }
}

/// The look of a transition. No effect here.
public struct CATransitionType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let fade = CATransitionType(rawValue: "fade")
    public static let moveIn = CATransitionType(rawValue: "moveIn")
    public static let push = CATransitionType(rawValue: "push")
    public static let reveal = CATransitionType(rawValue: "reveal")
}

/// The direction of a transition. No effect here.
public struct CATransitionSubtype: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let fromLeft = CATransitionSubtype(rawValue: "fromLeft")
    public static let fromRight = CATransitionSubtype(rawValue: "fromRight")
    public static let fromTop = CATransitionSubtype(rawValue: "fromTop")
    public static let fromBottom = CATransitionSubtype(rawValue: "fromBottom")
}

/// An animation between two states of a layer.
open class CATransition: CAAnimation {
    open var type = CATransitionType.fade
    open var subtype: CATransitionSubtype?

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        guard let other = other as? CATransition else { return }
        (type, subtype) = (other.type, other.subtype)
    }
}
