// TransitionDrive.swift: the animations of a transition that a gesture drives by fractions.
//
//     update ─▶ fraction ─▶ progress of the blocks that the animator has started
//     finish ─▶ the fraction grows to 1 ─▶ completions
//     cancel ─▶ the fraction shrinks to 0 ─▶ old values ─▶ completions
//
// Input     TransitionContext; UIView.animate and UIViewPropertyAnimator inside of the animator's method
// Output    progress of their groups
//
// Sources   documented  UIPercentDrivenInteractiveTransition: the animator starts with the transition and follows the
//                       percentage; the rest runs at `completionSpeed`
//           inferred    a cancelled transition sets the values back that blocks have set
//           invented    `completionCurve` has no effect: the rest runs at a constant speed

import Basics
import Foundation

final class TransitionDrive {
    /// Of the whole transition, in seconds.
    private let duration: TimeInterval
    /// The fraction at `start`, or while the gesture holds it.
    private var fraction: CGFloat = 0
    /// When the rest began to run, and how much of the transition passes in a second.
    private var run: (start: Instant, speed: Double)?
    /// The values that blocks have changed.
    let changes = ViewChanges()
    private var groups: [ViewAnimationGroup] = []
    private var animators: [UIViewPropertyAnimator] = []

    init(duration: TimeInterval) { self.duration = duration }

    var isEmpty: Bool { groups.isEmpty && animators.isEmpty }

    func update(_ fraction: CGFloat) { if run == nil { self.fraction = fraction } }

    /// Seconds of the transition that have passed, as its animations count.
    func elapsed(at now: Instant) -> TimeInterval {
        let passed = run.map { $0.start.duration(to: now).seconds * $0.speed } ?? 0
        return min(max(Double(fraction) + passed, 0), 1) * duration
    }

    /// Makes the group of a block.
    ///
    /// - Parameter delay: In seconds of the transition.
    func group(
        _ timing: AnimationTiming, delay: TimeInterval, completion: ((Bool) -> Void)?
    ) -> ViewAnimationGroup {
        let group = ViewAnimationGroup(completion: completion) { [weak self] now in
            self.flatMap { timing.progress(after: $0.elapsed(at: now) - delay) } ?? 1
        }
        groups.append(group)
        return group
    }

    func add(_ animator: UIViewPropertyAnimator) {
        if !animators.contains(where: { $0 === animator }) { animators.append(animator) }
    }

    /// Lets the rest of the transition run to one of its ends.
    ///
    /// - Parameter speed: How much faster than usual.
    func run(finishing: Bool, speed: CGFloat) {
        let rate = duration > 0 ? max(Double(speed), 1e-3) / duration : .infinity
        let rest = Double(finishing ? 1 - fraction : fraction) / rate
        guard rest > 0, let application = UIApplication.current, let loop = application.mainLoop else {
            return end(finishing)
        }
        run = (application.now, finishing ? rate : -rate)
        let moment = application.now.advanced(by: Duration(seconds: rest))
        _ = loop.schedule(at: moment, every: nil, modes: [.default, .tracking]) { self.end(finishing) }
    }

    private func end(_ finished: Bool) {
        (fraction, run) = (finished ? 1 : 0, nil)
        if !finished { changes.apply(0) }
        for view in changes.views { view.admission.endAnimations() }
        changes.removeAll()
        let (groups, animators) = (groups, animators)
        (self.groups, self.animators) = ([], [])
        for group in groups { group.end() }
        for animator in animators { animator.endDriven(finished) }
    }
}
