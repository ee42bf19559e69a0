import Basics
import Foundation
import Testing
import UIKit

@Suite("UIViewPropertyAnimator")
struct PropertyAnimatorTests {
    private let stage = Stage()
    private let view: ProbeView

    init() {
        view = stage.view("V", 0, 0, 100, 100)
    }

    private func makeAnimator(_ curve: UIView.AnimationCurve = .linear) -> UIViewPropertyAnimator {
        let view = view
        return UIViewPropertyAnimator(duration: 1, curve: curve) { view.frame.origin.y = 200 }
    }

    @Test("values apply at the start and the completion runs at the end")
    func start() {
        var ends: [UIViewAnimatingPosition] = []
        let animator = stage.run(at: 1) {
            let animator = makeAnimator()
            animator.addCompletion { ends.append($0) }
            #expect(animator.state == .inactive && view.frame.minY == 0)
            animator.startAnimation()
            return animator
        }
        #expect(animator.state == .active && animator.isRunning && view.frame.minY == 200)
        stage.run(at: 1.25) { #expect(animator.fractionComplete == 0.25) }
        stage.wait(until: 1.9)
        #expect(ends.isEmpty)
        stage.wait(until: 2)
        #expect(ends == [.end] && animator.state == .inactive && !animator.isRunning)
    }

    @Test("a reversed animation returns to the old values in the time that has passed")
    func reversed() {
        var ends: [String] = []
        let animator = stage.run(at: 0) {
            let animator = makeAnimator()
            animator.addCompletion { ends.append("\($0) \(stage.now)") }
            animator.startAnimation()
            return animator
        }
        stage.run(at: 0.25) { animator.isReversed = true }
        #expect(view.frame.minY == 200)
        stage.wait(until: 2)
        #expect(ends == ["start 0.5"] && view.frame.minY == 0)
    }

    @Test("a stopped animation leaves the values of the moment")
    func stopped() {
        var ends: [UIViewAnimatingPosition] = []
        let animator = stage.run(at: 0) {
            let animator = makeAnimator()
            animator.addCompletion { ends.append($0) }
            animator.startAnimation()
            return animator
        }
        stage.run(at: 0.25) { animator.stopAnimation(false) }
        #expect(animator.state == .stopped && view.frame.minY == 50)
        stage.run(at: 0.3) { animator.finishAnimation(at: .current) }
        #expect(ends == [.current] && view.frame.minY == 50 && animator.state == .inactive)
        stage.wait(until: 2)
        #expect(ends == [.current])
    }

    @Test("a paused animation continues with the rest of its duration")
    func paused() {
        var ends: [String] = []
        let animator = stage.run(at: 0) {
            let animator = makeAnimator()
            animator.addCompletion { ends.append("\($0) \(stage.now)") }
            animator.pauseAnimation()
            animator.fractionComplete = 0.4
            return animator
        }
        #expect(animator.state == .active && !animator.isRunning && view.frame.minY == 200)
        stage.wait(until: 5)
        stage.run(at: 5) { animator.continueAnimation(withTimingParameters: nil, durationFactor: 0) }
        stage.wait(until: 9)
        #expect(ends == ["end 5.6"])
    }

    @Test("continuing with a factor sets the duration of the rest")
    func factor() {
        var end = 0.0
        stage.run(at: 0) {
            let animator = makeAnimator()
            animator.addCompletion { _ in end = stage.now }
            animator.fractionComplete = 0.5
            animator.continueAnimation(withTimingParameters: nil, durationFactor: 0.2)
        }
        stage.wait(until: 9)
        #expect(abs(end - 0.2) < 1e-9)
    }

    @Test("views of an animator take touches unless interaction is disabled")
    func touches() {
        stage.run(at: 0) { makeAnimator().startAnimation() }
        stage.tap(10, 210, at: 0.5)
        #expect(stage.log.drain().first == "touchesBegan V")
        stage.run(at: 2) {
            let animator = UIViewPropertyAnimator(duration: 1, curve: .linear) { view.frame.origin.y = 300 }
            animator.isUserInteractionEnabled = false
            animator.startAnimation()
        }
        stage.tap(10, 310, at: 2.5)
        #expect(stage.log.drain().isEmpty)
    }

    @Test("a curve sets the values of a stopped animation")
    func curves() {
        let animator = stage.run(at: 0) {
            let animator = makeAnimator(.easeInOut)
            animator.startAnimation()
            return animator
        }
        stage.run(at: 0.5) { animator.stopAnimation(true) }
        #expect(abs(view.frame.minY - 100) < 1e-6 && animator.state == .inactive)
        #expect(
            UISpringTimingParameters(mass: 1, stiffness: 100, damping: 10, initialVelocity: .zero).timingCurveType
                == .spring)
    }

    @Test("without animations a block changes views at once and completes at once")
    func disabled() {
        var ends = 0
        stage.run(at: 0) {
            UIView.setAnimationsEnabled(false)
            UIView.animate(withDuration: 5, animations: { view.alpha = 0.5 }, completion: { _ in ends += 1 })
            #expect(ends == 1 && !UIView.areAnimationsEnabled)
            UIView.setAnimationsEnabled(true)
            UIView.animate(withDuration: 5) { #expect(UIView.inheritedAnimationDuration == 5) }
        }
        stage.tap(10, 10, at: 1)
        #expect(stage.log.drain().first == "touchesBegan V")
    }

    @Test("a transition replaces a view and keeps touches from the new one until its end")
    func transitions() {
        let next = ProbeView("next", view.frame, stage.log)
        var ended = 0.0
        stage.run(at: 0) {
            UIView.transition(from: view, to: next, duration: 1) { _ in ended = stage.now }
            #expect(view.superview == nil && next.superview === stage.window)
        }
        stage.tap(10, 10, at: 0.5)
        #expect(stage.log.drain().isEmpty)
        stage.wait(until: 1)
        stage.tap(10, 10, at: 1)
        #expect(stage.log.drain().first == "touchesBegan next" && ended == 1)
        stage.run(at: 2) {
            UIView.animateKeyframes(withDuration: 1, delay: 0) {
                UIView.addKeyframe(withRelativeStartTime: 0, relativeDuration: 0.5) { next.alpha = 0.5 }
            }
        }
        stage.tap(10, 10, at: 2.9)
        #expect(next.alpha == 0.5 && stage.log.drain().isEmpty)
    }
}
