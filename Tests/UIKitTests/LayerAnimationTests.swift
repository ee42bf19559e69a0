import Basics
import Foundation
import Testing
import UIKit

private final class AnimationLog: CAAnimationDelegate {
    var lines: [String] = []
    let stage: Stage
    init(_ stage: Stage) { self.stage = stage }
    func animationDidStart(_ anim: CAAnimation) { lines.append("start \(stage.now)") }
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {
        lines.append("stop \(flag) \(stage.now)")
    }
}

@Suite("Animations of layers")
struct LayerAnimationTests {
    private let stage = Stage()

    private func animation(_ seconds: Double, _ change: (CABasicAnimation) -> Void = { _ in }) -> CABasicAnimation {
        let made = CABasicAnimation(keyPath: "opacity")
        made.duration = seconds
        change(made)
        return made
    }

    @Test("a delegate is called when the animation starts and after its duration")
    func delegates() {
        let log = AnimationLog(stage)
        let layer = stage.window.layer
        stage.run(at: 1) { layer.add(animation(0.5) { $0.delegate = log }, forKey: "fade") }
        #expect(layer.animationKeys() == ["fade"])
        stage.wait(until: 1.4)
        #expect(log.lines == ["start 1.0"])
        stage.wait(until: 3)
        #expect(log.lines == ["start 1.0", "stop true 1.5"] && layer.animationKeys() == nil)
    }

    @Test("repeats, reversals and speed change the duration")
    func durations() {
        let log = AnimationLog(stage)
        stage.run(at: 0) {
            stage.window.layer.add(
                animation(1) {
                    ($0.repeatCount, $0.autoreverses, $0.speed, $0.delegate) = (3, true, 2, log)
                    $0.beginTime = CACurrentMediaTime() + 4
                }, forKey: nil)
            stage.window.layer.add(animation(1) { $0.repeatCount = .infinity }, forKey: "endless")
        }
        stage.wait(until: 100)
        #expect(log.lines == ["start 4.0", "stop true 7.0"])
        #expect(stage.window.layer.animation(forKey: "endless") != nil)
    }

    @Test("a removed or replaced animation stops unfinished")
    func removal() {
        let log = AnimationLog(stage)
        let layer = stage.window.layer
        stage.run(at: 0) {
            layer.add(animation(5) { $0.delegate = log }, forKey: "a")
            layer.add(animation(5) { $0.delegate = log }, forKey: "a")
        }
        stage.wait(until: 1)
        stage.run(at: 1) { layer.removeAnimation(forKey: "a") }
        stage.wait(until: 9)
        #expect(log.lines == ["stop false 0.0", "start 0.0", "stop false 1.0"])
    }

    @Test("an animation that is kept at its end stops once")
    func kept() {
        let log = AnimationLog(stage)
        let layer = stage.window.layer
        stage.run(at: 0) {
            layer.add(animation(1) { ($0.delegate, $0.isRemovedOnCompletion) = (log, false) }, forKey: "a")
        }
        stage.wait(until: 5)
        stage.run(at: 5) { layer.removeAllAnimations() }
        #expect(log.lines == ["start 0.0", "stop true 1.0"] && layer.animationKeys() == nil)
    }

    @Test("a transaction completes after its last animation")
    func transactions() {
        var lines: [String] = []
        func note(_ line: String) { lines.append("\(line) \(stage.now)") }
        let shape = CAShapeLayer()
        stage.run(at: 1) {
            stage.window.layer.addSublayer(shape)
            CATransaction.begin()
            CATransaction.setCompletionBlock { note("empty") }
            CATransaction.commit()
            CATransaction.begin()
            CATransaction.setAnimationDuration(2)
            CATransaction.setCompletionBlock { note("outer") }
            CATransaction.begin()
            CATransaction.setCompletionBlock { note("inner") }
            stage.window.layer.add(animation(0.5), forKey: nil)
            CATransaction.commit()
            // Without a duration of its own, the animation has the transaction's.
            stage.window.layer.add(animation(0), forKey: nil)
            CATransaction.commit()
        }
        #expect(lines == ["empty 1.0"])
        stage.wait(until: 9)
        #expect(lines == ["empty 1.0", "inner 1.5", "outer 3.0"])
    }

    @Test("a changed layer without a view is animated unless actions are disabled")
    func implicit() {
        var lines: [String] = []
        func note(_ line: String) { lines.append("\(line) \(stage.now)") }
        let shape = CAShapeLayer()
        stage.run(at: 0) {
            stage.window.layer.addSublayer(shape)
            for isDisabled in [false, true] {
                CATransaction.begin()
                CATransaction.setDisableActions(isDisabled)
                CATransaction.setCompletionBlock { note("disabled \(isDisabled)") }
                shape.strokeEnd = isDisabled ? 1 : 0.5
                CATransaction.commit()
            }
        }
        #expect(lines == ["disabled true 0.0"])
        stage.wait(until: 9)
        #expect(lines == ["disabled true 0.0", "disabled false 0.25"])
    }

    @Test("animations of views and the implicit transaction count")
    func views() {
        var lines: [String] = []
        stage.run(at: 0) {
            CATransaction.setCompletionBlock { lines.append("implicit \(stage.now)") }
            UIView.animate(withDuration: 0.3) { stage.window.alpha = 0.5 }
            #expect(lines.isEmpty)
        }
        stage.wait(until: 1)
        #expect(lines == ["implicit 0.3"])
    }

    @Test("a spring settles when its amplitude is a thousandth")
    func springs() {
        let spring = CASpringAnimation(keyPath: "position")
        // The amplitude is exp(−5t) × 1.1547.
        #expect(abs(spring.settlingDuration - log(1154.7) / 5) < 1e-4)
        spring.damping = 0
        #expect(spring.settlingDuration == .infinity)
    }

    @Test("a copy has the values of its animation")
    func copies() throws {
        let original = animation(3) { ($0.fromValue, $0.repeatCount) = (0.5, 4) }
        original.setValue("x", forKey: "id")
        let copy = try #require(original.copy() as? CABasicAnimation)
        #expect(copy.keyPath == "opacity" && copy.duration == 3 && copy.repeatCount == 4)
        #expect(copy.fromValue as? Double == 0.5 && copy.value(forKey: "id") as? String == "x")
    }
}
