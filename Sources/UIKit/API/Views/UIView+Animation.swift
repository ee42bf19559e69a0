// UIView+Animation.swift: changes that take time on a screen, and keep touches off meanwhile.
//
// Station   hitTest
// Fed by    UIView.animate, and the properties that are set in its block
// Feeds     UIView.ignoresTouches
// Knows     who is animated, and until when. Nothing moves in between: a view is where it will be from the start.
//
// Sources   documented  views in an animation take no touches unless `.allowUserInteraction` is given (B3.2)
//           documented  an inner animation has the outer's time unless `.overrideInheritedDuration` is given
//           inferred    completion is called by the main loop, in the common modes

import Basics
public import Foundation

extension UIView {
    public struct AnimationOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let layoutSubviews = AnimationOptions(rawValue: 1 << 0)
        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
        /// Without end: touches stay off until `layer.removeAllAnimations()`.
        public static let `repeat` = AnimationOptions(rawValue: 1 << 3)
        public static let autoreverse = AnimationOptions(rawValue: 1 << 4)
        public static let overrideInheritedDuration = AnimationOptions(rawValue: 1 << 5)
        public static let overrideInheritedCurve = AnimationOptions(rawValue: 1 << 6)
        public static let allowAnimatedContent = AnimationOptions(rawValue: 1 << 7)
        public static let showHideTransitionViews = AnimationOptions(rawValue: 1 << 8)
        public static let overrideInheritedOptions = AnimationOptions(rawValue: 1 << 9)
        public static let curveEaseInOut: AnimationOptions = []
        public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16)
        public static let curveEaseOut = AnimationOptions(rawValue: 2 << 16)
        public static let curveLinear = AnimationOptions(rawValue: 3 << 16)
    }

    /// - Parameters:
    ///   - duration: Seconds.
    ///   - delay: Seconds. Touches are kept off during it too.
    ///   - completion: Told whether the animation ran to its end, which here it does.
    public class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval, options: AnimationOptions = [],
        animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        guard let application = UIApplication.current else {
            // Outside an application nobody keeps time.
            animations()
            completion?(true)
            return
        }
        let outer = application.animation
        var animation = UIViewAnimation(
            end: application.now.advanced(by: Duration(seconds: max(0, duration) + max(0, delay))),
            allowsTouches: options.contains(.allowUserInteraction))
        if let outer, !options.contains(.overrideInheritedDuration) { animation.end = outer.end }
        if options.contains(.repeat) { animation.end = .never }
        application.animation = animation
        animations()
        application.animation = outer
        guard let completion, animation.end < .never else { return }
        guard let loop = application.mainLoop else { return completion(true) }
        _ = loop.schedule(at: animation.end, every: nil, modes: [.default, .tracking]) { completion(true) }
    }

    public class func animate(
        withDuration duration: TimeInterval, animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        animate(withDuration: duration, delay: 0, options: [], animations: animations, completion: completion)
    }

    public class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval, usingSpringWithDamping dampingRatio: CGFloat,
        initialSpringVelocity velocity: CGFloat, options: AnimationOptions = [], animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        animate(withDuration: duration, delay: delay, options: options, animations: animations, completion: completion)
    }

    public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
        let application = UIApplication.current
        let outer = application?.animation
        application?.animation = nil
        actionsWithoutAnimation()
        application?.animation = outer
    }

    /// A property that can be animated has been set. What a view off screen is set to is not animated.
    @inline(__always)
    final func wasSet() {
        guard let animation = cachedWindow?.application?.animation, !animation.allowsTouches else { return }
        admission.close(until: animation.end)
    }

    final var isAnimated: Bool {
        guard admission.dependsOnTime, let application = cachedWindow?.application else { return false }
        return application.now < admission.animationEnd
    }
}

/// What a block of animations gives to the views it changes.
struct UIViewAnimation {
    var end: Instant
    var allowsTouches: Bool
}
