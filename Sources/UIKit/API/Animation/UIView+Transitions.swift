// UIView+Transitions.swift: transitions between views, and animations in several steps.
//
// Input     an app
// Output    UIView.animate
//
// Sources   documented  UIView.transition, UIView.animateKeyframes, UIView.setAnimationsEnabled
//           inferred    the view of a transition takes no touches unless `.allowUserInteraction` is given
//           invented    views of a key frame take no touches until the whole animation ends

import Basics
public import Foundation

extension UIView {
    /// The curve of an animation.
    public enum AnimationCurve: Int, Sendable { case easeInOut, easeIn, easeOut, linear }

    /// Options of an animation in steps. They have the meaning of `AnimationOptions`.
    public struct KeyframeAnimationOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let layoutSubviews = KeyframeAnimationOptions(rawValue: 1 << 0)
        public static let allowUserInteraction = KeyframeAnimationOptions(rawValue: 1 << 1)
        public static let beginFromCurrentState = KeyframeAnimationOptions(rawValue: 1 << 2)
        public static let `repeat` = KeyframeAnimationOptions(rawValue: 1 << 3)
        public static let autoreverse = KeyframeAnimationOptions(rawValue: 1 << 4)
        public static let overrideInheritedDuration = KeyframeAnimationOptions(rawValue: 1 << 5)
        public static let overrideInheritedOptions = KeyframeAnimationOptions(rawValue: 1 << 9)
        public static let calculationModeLinear: KeyframeAnimationOptions = []
        public static let calculationModeDiscrete = KeyframeAnimationOptions(rawValue: 1 << 10)
        public static let calculationModePaced = KeyframeAnimationOptions(rawValue: 2 << 10)
        public static let calculationModeCubic = KeyframeAnimationOptions(rawValue: 3 << 10)
        public static let calculationModeCubicPaced = KeyframeAnimationOptions(rawValue: 4 << 10)
    }

    // MARK: Enabling

    /// Sets whether `animate` animates. If not, it changes views at once and calls its completion at once.
    public class func setAnimationsEnabled(_ enabled: Bool) { UIApplication.current?.areAnimationsEnabled = enabled }
    public class var areAnimationsEnabled: Bool { UIApplication.current?.areAnimationsEnabled ?? true }

    /// The duration of the animation whose block is running, in seconds; 0 outside of animations.
    public class var inheritedAnimationDuration: TimeInterval {
        guard let application = UIApplication.current, let animation = application.animation, animation.end < .never
        else { return 0 }
        return animation.end.seconds - application.now.seconds
    }

    // MARK: Key frames

    /// Runs `animations`, which adds key frames. The values of all key frames apply at once; those of presentation layers
    /// follow the key frames. The calculation mode has no effect here.
    public class func animateKeyframes(
        withDuration duration: TimeInterval, delay: TimeInterval, options: KeyframeAnimationOptions = [],
        animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        // The bits of a curve are those of `AnimationOptions`.
        animate(
            withDuration: duration, delay: delay, options: AnimationOptions(rawValue: options.rawValue & 0xf03ff),
            animations: animations, completion: completion)
    }

    /// Runs `animations` as a part of the animation around it.
    ///
    /// - Parameters:
    ///   - frameStartTime: When the part begins, 0...1 of the animation around it.
    ///   - frameDuration: How long the part lasts, 0...1 of the animation around it.
    ///   - animations: Sets the properties to their values at the end of the part.
    public class func addKeyframe(
        withRelativeStartTime frameStartTime: Double, relativeDuration frameDuration: Double,
        animations: @escaping () -> Void
    ) {
        guard let application = UIApplication.current, let outer = application.animation else { return animations() }
        outer.recorder.commit(application)
        let (start, part) = (CGFloat(frameStartTime), CGFloat(frameDuration))
        let group = ViewAnimationGroup(
            in: outer.recorder.group,
            part: { progress in
                if part > 0 { return min(max((progress - start) / part, 0), 1) }
                return progress < start ? 0 : 1
            })
        var animation = outer
        animation.recorder = AnimationRecorder(group, .keyFrame)
        application.animation = animation
        animations()
        animation.recorder.commit(application)
        application.animation = outer
    }

    /// Runs `animations` once: repeats and runs backwards have no effect here.
    public class func modifyAnimations(
        withRepeatCount count: CGFloat, autoreverses: Bool, animations: () -> Void
    ) {
        animations()
    }

    // MARK: Transitions

    /// Runs `animations`. The view takes no touches until the transition ends.
    ///
    /// - Parameters:
    ///   - view: The view that changes its content.
    ///   - duration: In seconds.
    ///   - options: The curve, and whether the view takes touches meanwhile. The look of the transition has no effect.
    ///   - animations: Changes the content. It runs now; nil for none.
    ///   - completion: Receives true when the transition ends, false when it was removed before.
    public class func transition(
        with view: UIView, duration: TimeInterval, options: AnimationOptions = [], animations: (() -> Void)?,
        completion: ((Bool) -> Void)? = nil
    ) {
        animate(
            withDuration: duration, delay: 0, options: options,
            animations: {
                view.animatablePropertyWillBeSet()
                animations?()
            }, completion: completion)
    }

    /// Replaces a view by another one in its superview, or with `.showHideTransitionViews` hides one and shows the other.
    ///
    /// - Parameters:
    ///   - fromView: The view that leaves its superview, or is hidden.
    ///   - toView: The view that takes its place, or is shown.
    ///   - duration: In seconds.
    ///   - options: The curve, and which views are hidden. The look of the transition has no effect.
    ///   - completion: Receives true when the transition ends, false when it was removed before.
    public class func transition(
        from fromView: UIView, to toView: UIView, duration: TimeInterval, options: AnimationOptions = [],
        completion: ((Bool) -> Void)? = nil
    ) {
        animate(
            withDuration: duration, delay: 0, options: options,
            animations: {
                if options.contains(.showHideTransitionViews) {
                    (fromView.isHidden, toView.isHidden) = (true, false)
                } else {
                    fromView.superview?.insertSubview(toView, aboveSubview: fromView)
                    fromView.removeFromSuperview()
                }
                toView.animatablePropertyWillBeSet()
            }, completion: completion)
    }
}
