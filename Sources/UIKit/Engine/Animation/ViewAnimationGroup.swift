// ViewAnimationGroup.swift: the animations of one block: how far they are, and their common end.
//
//     UIView.animate ─▶ group ─▶ one PropertyAnimation for each property that the block has changed
//
// Input     UIView.animate, UIViewPropertyAnimator, implicit animations of layers, TransitionDrive
// Output    progress, which presentation layers ask for; the completion
//
// Sources   documented  a completion receives false if an animation was removed before its end
//           inferred    the completion runs when the last animation of the group is removed

import Basics
import Foundation

/// When an animation runs, and by which curve.
struct AnimationTiming {
    var begin: Instant
    /// Of one run, in seconds.
    var duration: TimeInterval
    var curve: TimingCurve
    /// Infinity for ever.
    var repeatCount: Double = 1
    var autoreverses = false

    /// - Parameter elapsed: Seconds since the beginning. Below 0 the animation waits at its first value.
    /// - Returns: Nil after the end.
    func progress(after elapsed: TimeInterval) -> CGFloat? {
        guard elapsed > 0 else { return duration > 0 ? 0 : nil }
        let run = duration * (autoreverses ? 2 : 1)
        guard run > 0, elapsed < run * repeatCount else { return nil }
        let time = elapsed.truncatingRemainder(dividingBy: run)
        return curve.progress(at: CGFloat((time <= duration ? time : run - time) / duration))
    }
}

final class ViewAnimationGroup {
    private struct Animated { weak var view: UIView? }

    private let shownProgress: (Instant) -> CGFloat?
    /// The group of the block around this one's, if it tells the progress.
    private(set) weak var parent: ViewAnimationGroup?
    private var children: [ViewAnimationGroup] = []
    private var animated: [Animated] = []
    private var completion: ((Bool) -> Void)?
    /// The group of a transaction that waits for this group.
    private var transaction: TransactionGroup?
    var endTimer: UInt64?
    /// How many animations of properties have not been removed, and whether one was.
    private var (count, wasInterrupted) = (0, false)
    private(set) var isOver = false

    /// - Parameter progress: How far the animations are, 0...1 or beyond for a spring; nil if they are over.
    init(completion: ((Bool) -> Void)? = nil, progress: @escaping (Instant) -> CGFloat?) {
        (self.completion, shownProgress) = (completion, progress)
    }

    convenience init(_ timing: AnimationTiming, completion: ((Bool) -> Void)? = nil) {
        self.init(completion: completion) { timing.progress(after: timing.begin.duration(to: $0).seconds) }
    }

    /// Makes a group that follows another one. It ends with the other one at the latest.
    ///
    /// - Parameter part: This group's progress for the other one's.
    init(
        in parent: ViewAnimationGroup, completion: ((Bool) -> Void)? = nil,
        part: @escaping (CGFloat) -> CGFloat = { $0 }
    ) {
        (self.completion, self.parent) = (completion, parent)
        shownProgress = { [weak parent] in parent?.progress(at: $0).map(part) }
        parent.children.append(self)
    }

    /// How far the animations are; nil if they are over.
    func progress(at now: Instant) -> CGFloat? { isOver ? nil : shownProgress(now) }

    func wait(for transaction: TransactionGroup) {
        transaction.animationStarted()
        self.transaction = transaction
    }

    func animationStarted(of view: UIView) {
        count += 1
        if animated.last?.view !== view { animated.append(Animated(view: view)) }
    }

    /// Notes that the animation of a property was removed before its end.
    func animationRemoved(_ application: UIApplication?) {
        count -= 1
        wasInterrupted = true
        endIfEmpty(application)
    }

    private func endIfEmpty(_ application: UIApplication?) {
        guard count <= 0, !isOver, children.allSatisfy(\.isOver) else { return }
        if let endTimer { application?.mainLoop?.invalidate(endTimer) }
        end()
        guard let parent else { return }
        parent.wasInterrupted = true
        parent.endIfEmpty(application)
    }

    /// Ends the group and calls its completion.
    func end() {
        guard !isOver else { return }
        isOver = true
        let (block, waiting) = (completion, transaction)
        (completion, transaction, endTimer) = (nil, nil, nil)
        for one in animated { one.view?.values?.animations.removeAll { $0.group === self } }
        animated = []
        for child in children { child.end() }
        children = []
        block?(!wasInterrupted)
        waiting?.animationStopped()
    }
}

/// A change of one property that a group shows gradually.
struct PropertyAnimation {
    enum Change {
        /// The distance from the new value to the old one, which becomes 0. Such animations add up.
        case offset([CGFloat])
        /// The old value.
        case from(AnimatableValue)
        /// A key frame: the way to a value, from another one or from what the key frames before have shown.
        case step(from: AnimatableValue?, to: AnimatableValue)
    }
    /// Unique in the application. Later animations have greater numbers.
    let number: UInt64
    /// The key of Core Animation, such as `position`.
    let key: String
    let change: Change
    let group: ViewAnimationGroup
    /// Whether the change of a layer without a view made the animation. The next change replaces it.
    var isImplicit = false

    /// The value at the moment, from the value without this animation; nil if the animation is over.
    func value(_ base: AnimatableValue, at now: Instant) -> AnimatableValue? {
        guard let progress = group.progress(at: now) else { return nil }
        switch change {
        case .offset(let offset): return base.adding(.numbers(offset.map { $0 * (1 - progress) }))
        case .from(let old): return old.part(progress, to: base)
        case .step(let start, let end): return (start ?? base).part(progress, to: end)
        }
    }
}

extension UIView {
    /// Adds an animation, and forgets those that are over.
    final func add(_ animation: PropertyAnimation) {
        let values = ownValues
        if animation.isImplicit {
            values.animations.removeAll { $0.isImplicit && $0.key == animation.key }
        } else {
            animation.group.animationStarted(of: self)
        }
        values.animations.append(animation)
    }

    /// Removes animations before their end.
    final func removePropertyAnimations(where isMeant: (PropertyAnimation) -> Bool = { _ in true }) {
        guard let values, !values.animations.isEmpty else { return }
        let removed = values.animations.filter(isMeant)
        values.animations.removeAll(where: isMeant)
        let application = cachedWindow?.application ?? UIApplication.current
        for animation in removed where !animation.group.isOver { animation.group.animationRemoved(application) }
    }
}
