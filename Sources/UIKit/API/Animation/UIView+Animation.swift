// UIView+Animation.swift: animations, which keep touches from views while they run.
//
// Station   hitTest
// Input     UIView.animate, and the properties that are set in its block
// Output    UIView.ignoresTouches; AnimationRecorder, which gives presentation layers the values on the way
// Knows     the animated views and the end of their animations. New values apply at once, as on iOS.
//
// Sources   documented  views in an animation take no touches unless `.allowUserInteraction` is given (B3.2)
//           documented  an inner animation has the outer one's duration unless `.overrideInheritedDuration` is given
//           documented  curves, springs, `.beginFromCurrentState`
//           inferred    the main loop calls the completion in the common modes

import Basics
public import Foundation

extension UIView {
    /// Options of an animation. The curve, `allowUserInteraction`, `beginFromCurrentState`, `repeat`, `autoreverse` beside
    /// `repeat`, and `overrideInheritedDuration` have an effect.
    public struct AnimationOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let layoutSubviews = AnimationOptions(rawValue: 1 << 0)
        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
        /// The animation does not end: the view takes no touches until `layer.removeAllAnimations()`.
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
        public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20)
        public static let transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20)
        public static let transitionCurlUp = AnimationOptions(rawValue: 3 << 20)
        public static let transitionCurlDown = AnimationOptions(rawValue: 4 << 20)
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
        public static let transitionFlipFromTop = AnimationOptions(rawValue: 6 << 20)
        public static let transitionFlipFromBottom = AnimationOptions(rawValue: 7 << 20)
        public static let preferredFramesPerSecond60 = AnimationOptions(rawValue: 3 << 24)
        public static let preferredFramesPerSecond30 = AnimationOptions(rawValue: 7 << 24)
    }

    /// Runs `animations`. The views that it changes take no touches until the animation ends.
    ///
    /// - Parameters:
    ///   - duration: In seconds.
    ///   - delay: In seconds. The views take no touches during the delay either.
    ///   - options: The curve, whether the animation repeats, and whether the views take touches meanwhile.
    ///   - animations: Sets the properties to their final values. It runs now.
    ///   - completion: Receives true when the animation ends, false when it was removed before. A repeated animation
    ///     ends only if it is removed.
    public class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval, options: AnimationOptions = [],
        animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        guard let application = UIApplication.current else {
            // Outside an application there is no clock, so the animation ends at once.
            animations()
            completion?(true)
            return
        }
        guard application.areAnimationsEnabled else {
            animations()
            completion?(true)
            return
        }
        run(
            duration, delay, TimingCurve(options), options, application: application, animations: animations,
            completion: completion)
    }

    private class func run(
        _ duration: TimeInterval, _ delay: TimeInterval, _ curve: TimingCurve, _ options: AnimationOptions,
        application: UIApplication, animations: () -> Void, completion: ((Bool) -> Void)?
    ) {
        let outer = application.animation
        outer?.recorder.commit(application)
        let (now, loop) = (application.now, application.mainLoop)
        var timing = AnimationTiming(
            begin: now.advanced(by: Duration(seconds: max(0, delay))), duration: max(0, duration), curve: curve,
            repeatCount: options.contains(.repeat) ? .infinity : 1,
            autoreverses: options.isSuperset(of: [.repeat, .autoreverse]))
        var end = timing.begin.advanced(by: Duration(seconds: timing.duration))
        let inherits = outer != nil && !options.contains(.overrideInheritedDuration)
        let drive = application.transactions.drive
        let group: ViewAnimationGroup
        if let outer, inherits {
            end = outer.end
            group = ViewAnimationGroup(in: outer.recorder.group, completion: completion)
            timing.duration = max(0, now.duration(to: end).seconds)
        } else if let drive {
            end = .never
            group = drive.group(timing, delay: max(0, delay), completion: completion)
        } else {
            group = ViewAnimationGroup(timing, completion: completion)
        }
        if options.contains(.repeat) { end = .never }
        let recorder = AnimationRecorder(
            group, options.contains(.beginFromCurrentState) ? .shownValue : .additive)
        application.animation = UIViewAnimation(
            end: end, allowsTouches: options.contains(.allowUserInteraction),
            changes: outer?.changes ?? drive?.changes, recorder: recorder)
        animations()
        recorder.commit(application)
        application.animation = outer
        if outer == nil { drive?.changes.blockDidRun() }
        guard end < .never else { return }
        guard let loop else { return group.end() }
        if end > now, let transaction = application.transactions.current { group.wait(for: transaction) }
        // Without a completion the end is work, too: a test waits for it.
        guard completion != nil || end > now else { return group.end() }
        group.endTimer = loop.schedule(at: end, every: nil, modes: [.default, .tracking]) { group.end() }
    }

    public class func animate(
        withDuration duration: TimeInterval, animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        animate(withDuration: duration, delay: 0, options: [], animations: animations, completion: completion)
    }

    /// Runs `animations` with the curve of a damped spring that rests at the duration.
    ///
    /// - Parameters:
    ///   - duration: In seconds.
    ///   - delay: In seconds. The views take no touches during the delay either.
    ///   - dampingRatio: 1 for a spring that does not swing.
    ///   - velocity: In distances a second.
    ///   - options: Whether the animation repeats, and whether the views take touches meanwhile. A curve has no effect.
    ///   - animations: Sets the properties to their final values. It runs now.
    ///   - completion: Receives true when the animation ends, false when it was removed before.
    public class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval, usingSpringWithDamping dampingRatio: CGFloat,
        initialSpringVelocity velocity: CGFloat, options: AnimationOptions = [], animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        guard let application = UIApplication.current, application.areAnimationsEnabled else {
            animations()
            completion?(true)
            return
        }
        run(
            duration, delay, .spring(dampingRatio: dampingRatio, velocity: velocity * CGFloat(duration)), options,
            application: application, animations: animations, completion: completion)
    }

    /// Runs `animations` with the curve of a spring.
    ///
    /// - Parameters:
    ///   - duration: In seconds. The spring rests at this time, which is longer on iOS.
    ///   - bounce: 0 for a spring that does not swing, 1 for one without damping.
    ///   - initialSpringVelocity: In distances a second.
    ///   - delay: In seconds. The views take no touches during the delay either.
    ///   - options: Whether the animation repeats, and whether the views take touches meanwhile. A curve has no effect.
    ///   - animations: Sets the properties to their final values. It runs now.
    ///   - completion: Receives true when the animation ends, false when it was removed before.
    public class func animate(
        springDuration duration: TimeInterval = 0.5, bounce: CGFloat = 0, initialSpringVelocity: CGFloat = 0,
        delay: TimeInterval = 0, options: AnimationOptions = [], animations: () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        withoutActuallyEscaping(animations) { animations in
            animate(
                withDuration: duration, delay: delay, usingSpringWithDamping: 1 - bounce,
                initialSpringVelocity: initialSpringVelocity, options: options, animations: animations,
                completion: completion)
        }
    }

    /// Runs a closure whose changes are not animated.
    public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
        let application = UIApplication.current
        let (outer, wereEnabled) = (application?.animation, application?.areAnimationsEnabled ?? true)
        if let application { outer?.recorder.commit(application) }
        application?.animation = nil
        application?.areAnimationsEnabled = false
        actionsWithoutAnimation()
        application?.animation = outer
        application?.areAnimationsEnabled = wereEnabled
    }

    /// Notes that an animatable property will be set. The change of a view without a window is not animated.
    @inline(__always)
    final func animatablePropertyWillBeSet() {
        guard let animation = cachedWindow?.application?.animation else { return }
        animation.changes?.viewWillChange(self)
        animation.recorder.viewWillChange(self)
        if !animation.allowsTouches { admission.excludeTouches(until: animation.end) }
    }

    /// Whether an animation of the view is in progress.
    final var isAnimated: Bool {
        guard admission.dependsOnTime, let application = cachedWindow?.application else { return false }
        return application.now < admission.animationEnd
    }
}

/// The properties that a block of animations gives to the views that it changes.
struct UIViewAnimation {
    var end: Instant
    var allowsTouches: Bool
    /// Records the values before the animation, for an animator that can return to them.
    var changes: ViewChanges?
    var recorder: AnimationRecorder
}

extension TimingCurve {
    /// The curve that the options name.
    init(_ options: UIView.AnimationOptions) {
        self.init(UIView.AnimationCurve(rawValue: Int(options.rawValue >> 16 & 3)) ?? .easeInOut)
    }
}
