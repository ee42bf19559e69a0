import Basics
import Foundation
import HID
import Testbed
import Testing
import UIKit

@Suite("Coalesced, predicted and estimated touches")
struct CadenceTests {
    private let stage = Stage()
    private let view: ProbeView

    init() {
        view = stage.view("V", 0, 0, 375, 667)
        view.logsTouches = false
    }

    private func contact(_ id: UInt32, _ phase: TouchContact.Phase, _ x: Double) -> TouchContact {
        TouchContact(touch: TouchID(rawValue: id), phase: phase, at: Point(x, 100))
    }

    private func frame(_ seconds: Double, _ contacts: TouchContact...) -> TouchFrame {
        TouchFrame(timeStamp: Instant(seconds: seconds), contacts: contacts)
    }

    private func deliver(_ frames: TouchFrame...) {
        let last = frames[frames.count - 1]
        stage.run(at: last.timeStamp.seconds) { _ = stage.app.deliver(last, merging: frames.dropLast()) }
    }

    /// Calls `heard` with each touch of the view, its coalesced touches and its predicted touches.
    private func listen(_ heard: @escaping (UITouch, [UITouch], [UITouch]) -> Void) {
        view.onTouches = { touches, event in
            for touch in touches.sorted(by: { $0.id < $1.id }) {
                heard(
                    touch, event?.coalescedTouches(for: touch) ?? [], event?.predictedTouches(for: touch) ?? [])
            }
        }
    }

    @Test("S95: coalesced touches are all samples since the last delivery, in order")
    func coalesced() {
        var lines: [String] = []
        listen { touch, merged, _ in
            #expect(merged.last === touch)
            lines.append(
                merged.map { "\($0.previousLocation(in: nil).x)→\($0.location(in: nil).x)" }.joined(separator: " "))
        }
        deliver(frame(1, contact(1, .began, 10)))
        deliver(
            frame(1.004, contact(1, .moved, 11)), frame(1.008, contact(1, .moved, 13)),
            frame(1.012, contact(1, .moved, 16)))
        deliver(frame(1.020, contact(1, .ended, 16)))
        #expect(lines == ["10.0→10.0", "10.0→11.0 11.0→13.0 10.0→16.0", "16.0→16.0"])
    }

    @Test("with immediate delivery a touch is its only coalesced touch")
    func immediate() {
        var counts: [Int] = []
        listen { touch, merged, _ in
            #expect(merged.first === touch)
            counts.append(merged.count)
        }
        stage.frame(.down(1, 10, 10), at: 1)
        stage.frame(.move(1, 20, 10), at: 1.1)
        stage.frame(.up(1), at: 1.2)
        #expect(counts == [1, 1, 1])
        #expect(UIEvent().coalescedTouches(for: UITouch()) == nil)
        #expect(UIEvent().predictedTouches(for: UITouch()) == nil)
    }

    @Test("a finger that moved and then rested is delivered as moved")
    func rested() {
        view.isMultipleTouchEnabled = true
        deliver(frame(1, contact(1, .began, 10), contact(2, .began, 200)))
        var lines: [String] = []
        listen { touch, merged, _ in
            lines.append("\(touch.id.rawValue) \(touch.location(in: nil).x) at \(touch.timestamp): \(merged.count)")
        }
        deliver(
            frame(1.004, contact(1, .moved, 12), contact(2, .stationary, 200)),
            frame(1.008, contact(1, .stationary, 12), contact(2, .moved, 205)))
        #expect(lines == ["1 12.0 at 1.004: 1", "2 205.0 at 1.008: 1"])
    }

    @Test("a finger that strays between two deliveries is no tap")
    func strays() {
        deliver(frame(1, contact(1, .began, 10)))
        deliver(frame(1.004, contact(1, .moved, 90)), frame(1.008, contact(1, .moved, 11)))
        var taps = -1
        listen { touch, _, _ in taps = touch.tapCount }
        deliver(frame(1.02, contact(1, .ended, 11)))
        #expect(taps == 0)
    }

    @Test("predicted touches continue at the finger's speed until the next frame")
    func predicted() {
        var lines: [String] = []
        listen { touch, _, guesses in
            let words = guesses.map { guess in
                "\(Int((guess.location(in: nil).x * 10).rounded())) @\(Int((guess.timestamp * 1000).rounded()))"
            }
            lines.append("\(touch.phase): \(words.joined(separator: " "))")
        }
        deliver(frame(1, contact(1, .began, 10)))
        deliver(frame(1.004, contact(1, .moved, 12)), frame(1.008, contact(1, .moved, 14)))
        deliver(frame(1.012, contact(1, .stationary, 14)))
        deliver(frame(1.1, contact(1, .moved, 64)))
        deliver(frame(1.2, contact(1, .ended, 64)))
        #expect(
            lines == [
                "began: ", "moved: 160 @1012 180 @1016 200 @1020 220 @1024",
                // The last samples are further apart than the time that predictions look back.
                "moved: ", "ended: ",
            ])
    }

    @Test("predictions use the speed of the last 50 ms")
    func trail() {
        var trail = TouchTrail()
        for step in 0..<100 {
            // The finger is slow, and then fast in the last 50 ms, which are six samples.
            let x = step < 95 ? Double(step) : 94 + Double(step - 94) * 10
            trail.append(CGPoint(x: x, y: 0), at: Double(step) * 0.010)
        }
        let guesses = trail.predictions(within: 0.020)
        #expect(guesses.map { ($0.position.x * 1000).rounded() } == [154_000, 164_000])
        #expect(trail.predictions(within: 0.005).map { ($0.position.x * 1000).rounded() } == [149_000])
    }

    @Test("predictions need samples of two moments and number at most eight")
    func degenerate() {
        var trail = TouchTrail()
        #expect(trail.predictions(within: 0.016).isEmpty)
        trail.append(.zero, at: 1)
        #expect(trail.predictions(within: 0.016).isEmpty)
        trail.append(CGPoint(x: 5, y: 5), at: 1)
        #expect(trail.predictions(within: 0.016).isEmpty)
        trail.append(CGPoint(x: 6, y: 6), at: 1.001)
        #expect(trail.predictions(within: 0.016).count == TouchTrail.predictionLimit)
    }

    // MARK: Estimates

    private final class Corrected: UIGestureRecognizer {
        var forces: [CGFloat] = []
        override func touchesEstimatedPropertiesUpdated(_ touches: Set<UITouch>) { forces += touches.map(\.force) }
    }

    private final class Pad: UIView {
        var updates: [String] = []
        override func touchesEstimatedPropertiesUpdated(_ touches: Set<UITouch>) {
            updates += touches.map {
                let expected = $0.estimatedPropertiesExpectingUpdates.rawValue
                return "\($0.estimationUpdateIndex ?? 0): \($0.force) expecting \(expected)"
            }
        }
    }

    @Test("an estimate's update reaches the touch's view and recognizer by index")
    func estimates() {
        let pad = Pad(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
        let recognizer = Corrected()
        stage.window.addSubview(pad)
        pad.addGestureRecognizer(recognizer)
        stage.app.estimateProperties([.force, .location])
        stage.frame(.down(1, 10, 10), at: 1)
        let touch = stage.app.touchTracker.liveTouches[0]
        #expect(touch.estimationUpdateIndex == 1)
        #expect(touch.estimatedProperties == [.force, .location])
        stage.frame(.move(1, 20, 10), at: 1.1)
        #expect(touch.estimationUpdateIndex == 2)
        stage.frame(.up(1), at: 1.2)
        stage.run(at: 2) {
            stage.app.settleEstimate(1, force: 0.5)
            stage.app.settleEstimate(2, force: 0.25, location: CGPoint(x: 21, y: 10))
            stage.app.settleEstimate(2, force: 0.75)
            stage.app.settleEstimate(1, location: .zero)
            stage.app.settleEstimate(99, force: 1)
        }
        #expect(pad.updates == ["1: 0.5 expecting 8", "2: 0.25 expecting 0", "1: 0.5 expecting 0"])
        #expect(recognizer.forces == [0.5, 0.25, 0.5])
    }

    @Test("touches of a panel that measures have no estimates")
    func noEstimates() {
        stage.frame(.down(1, 10, 10))
        #expect(stage.app.touchTracker.liveTouches[0].estimationUpdateIndex == nil)
        #expect(stage.app.touchTracker.liveTouches[0].estimatedProperties == [])
    }
}
