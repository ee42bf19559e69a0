// CALayer+Animations.swift: the running animations of a layer, and the calls of their delegates.
//
// Station   loop
// Input     CALayer.add, removeAnimation
// Output    CAAnimationDelegate, and the completion of the transaction
//
// Sources   documented  animationDidStop(finished: false) if an animation is removed or replaced; CAMediaTiming
//           inferred    the main loop calls the delegate in the common modes

import Basics
import Foundation

/// An animation that a layer has. Its timer is gone when it ended and stays because it is not removed on completion.
struct RunningLayerAnimation {
    let number: UInt64
    let key: String?
    let animation: CAAnimation
    let group: TransactionGroup?
    /// After the delay.
    let begin: Instant
    /// Of a run of an animation that has no duration, in seconds.
    let standardDuration: TimeInterval
    var endTimer: UInt64?
    /// Asks for display in each frame, if the class of the layer needs it for the animated key.
    var frameTimer: UInt64?
    var isRunning = true
}

extension CALayer {
    final func start(_ animation: CAAnimation, _ key: String?) {
        if let key { removeAnimation(forKey: key) }
        let standard = CATransaction.animationDuration()
        let delegate = animation.delegate
        guard let application = UIApplication.current, let loop = application.mainLoop else {
            // Without a clock the animation ends at once.
            delegate?.animationDidStart(animation)
            delegate?.animationDidStop(animation, finished: true)
            return
        }
        let now = application.now
        let duration = animation.activeDuration(standard: standard)
        let delay = animation.beginTime > 0 ? max(0, animation.beginTime - now.seconds) : 0
        let number = application.transactions.nextNumber()
        var running = RunningLayerAnimation(
            number: number, key: key, animation: animation, group: application.transactions.current,
            begin: now.advanced(by: Duration(seconds: delay)), standardDuration: standard)
        running.group?.animationStarted()
        if delegate != nil {
            let begin = now.advanced(by: Duration(seconds: delay))
            _ = loop.schedule(at: begin, every: nil, modes: [.default, .tracking]) { [weak self] in
                guard self?.extraValues?.animations.contains(where: { $0.number == number }) == true else { return }
                animation.delegate?.animationDidStart(animation)
            }
        }
        if duration.isFinite {
            let end = now.advanced(by: Duration(seconds: delay + duration))
            running.endTimer = loop.schedule(at: end, every: nil, modes: [.default, .tracking]) {
                self.finish(number)
            }
        }
        if type(of: self).isOfApp, let animated = (animation as? CAPropertyAnimation)?.keyPath,
            type(of: self).needsDisplay(forKey: animated)
        {
            let frame = Duration(seconds: 1.0 / 60)
            running.frameTimer = loop.schedule(
                at: running.begin.advanced(by: frame), every: frame, modes: [.default, .tracking]
            ) { [weak self] in self?.setNeedsDisplay() }
        }
        ownValues.animations.append(running)
    }

    /// Ends an animation at its time. Its timer retains the layer until then.
    private final func finish(_ number: UInt64) {
        guard let index = ownValues.animations.firstIndex(where: { $0.number == number }) else { return }
        let ended = ownValues.animations[index]
        if let timer = ended.frameTimer {
            UIApplication.current?.mainLoop?.invalidate(timer)
            ownValues.animations[index].frameTimer = nil
        }
        if ended.animation.isRemovedOnCompletion {
            ownValues.animations.remove(at: index)
        } else {
            ownValues.animations[index].isRunning = false
            ownValues.animations[index].endTimer = nil
        }
        ended.animation.delegate?.animationDidStop(ended.animation, finished: true)
        ended.group?.animationStopped()
    }

    /// Removes animations. Those that run end now.
    final func stopAnimations(where isMeant: (RunningLayerAnimation) -> Bool) {
        guard let extraValues, !extraValues.animations.isEmpty else { return }
        let stopped = extraValues.animations.filter(isMeant)
        extraValues.animations.removeAll(where: isMeant)
        for one in stopped where one.isRunning {
            for timer in [one.endTimer, one.frameTimer].compactMap(\.self) {
                UIApplication.current?.mainLoop?.invalidate(timer)
            }
            one.animation.delegate?.animationDidStop(one.animation, finished: false)
            one.group?.animationStopped()
        }
    }

    private final var propertyAnimations: [PropertyAnimation] {
        let now = shownApplication?.now ?? .boot
        return (owner ?? ownGeometryView)?.values?.animations.filter { $0.group.progress(at: now) != nil } ?? []
    }

    final var keysOfAnimations: [String]? {
        var keys = extraValues?.animations.compactMap(\.key) ?? []
        for animation in propertyAnimations where !keys.contains(animation.key) { keys.append(animation.key) }
        return keys.isEmpty ? nil : keys
    }

    final func foundAnimation(_ key: String) -> CAAnimation? {
        if let found = extraValues?.animations.first(where: { $0.key == key }) { return found.animation }
        guard let found = propertyAnimations.last(where: { $0.key == key }) else { return nil }
        let animation = CABasicAnimation(keyPath: key)
        switch found.change {
        case .offset(let offset):
            animation.isAdditive = true
            animation.fromValue = AnimatableValue.numbers(offset).any
            animation.toValue = AnimatableValue.numbers(offset.map { _ in 0 }).any
        case .from(let old): animation.fromValue = old.any
        case .step(let start, let end): (animation.fromValue, animation.toValue) = (start?.any, end.any)
        }
        return animation
    }

    final func foundAction(for event: String) -> (any CAAction)? {
        let found = delegate?.action(for: self, forKey: event) ?? extraValues?.actions?[event]
        if let found { return found is NSNull ? nil : found }
        return type(of: self).defaultAction(forKey: event)
    }
}
