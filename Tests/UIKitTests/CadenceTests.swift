import Basics
import Foundation
import HID
import Testing
import TouchlineTesting
import UIKit

@Suite("Coalesced, predicted and estimated touches")
struct CadenceTests {
    /// Touches wait for the display's next frame. Frames are a 60th of a second apart, and one is at 0.
    private let stage = Stage(settings: [("app.delivery", "frameAligned")])
    private let view: ProbeView

    init() {
        view = stage.view("V", 0, 0, 375, 667)
        view.logsTouches = false
    }

    /// Puts finger 1 down just before a frame.
    private func land() {
        stage.frame(.down(1, 10, 100), at: 0.016)
        stage.wait(until: 0.017)
    }

    /// Moves finger 1 at these times, up to the frame at 0.0333 s.
    private func move(_ moves: (at: Double, x: Double)...) {
        for move in moves { stage.frame(.move(1, move.x, 100), at: move.at) }
        stage.wait(until: 0.034)
    }

    private func lift() {
        stage.frame(.up(1), at: 0.036)
        stage.wait(until: 0.051)
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
        land()
        move((0.020, 11), (0.024, 13), (0.028, 16))
        lift()
        #expect(lines == ["10.0→10.0", "10.0→11.0 11.0→13.0 10.0→16.0", "16.0→16.0"])
    }

    @Test("with immediate delivery a touch is its only coalesced touch")
    func immediate() {
        let stage = Stage()
        stage.window.addSubview(view)
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
        stage.frame(.down(1, 10, 100), .down(2, 200, 100), at: 0.016)
        stage.wait(until: 0.017)
        var lines: [String] = []
        listen { touch, merged, _ in
            lines.append(
                "\(touch.id.rawValue) \(touch.location(in: nil).x) at \(stage.seconds(of: touch.timestamp)): \(merged.count)"
            )
        }
        stage.frame(.move(1, 12, 100), at: 0.020)
        stage.frame(.move(2, 205, 100), at: 0.024)
        stage.wait(until: 0.034)
        #expect(lines == ["0 12.0 at 0.02: 1", "1 205.0 at 0.024: 1"])
    }

    @Test("a finger that strays between two deliveries is no tap")
    func strays() {
        land()
        move((0.020, 90), (0.024, 11))
        var taps = -1
        listen { touch, _, _ in taps = touch.tapCount }
        lift()
        #expect(taps == 0)
    }

    @Test("predicted touches continue at the finger's speed until the next frame")
    func predicted() {
        var lines: [String] = []
        listen { touch, _, guesses in
            let words = guesses.map { guess in
                "\(Int((guess.location(in: nil).x * 10).rounded())) @\(Int((stage.seconds(of: guess.timestamp) * 1000).rounded()))"
            }
            lines.append("\(touch.phase): \(words.joined(separator: " "))")
        }
        land()
        move((0.020, 12), (0.024, 14))
        // The finger rests while another one lands, which the view does not receive.
        stage.frame(.down(2, 200, 300), at: 0.040)
        stage.frame(.move(1, 64, 100), at: 0.116)
        stage.frame(.up(1), at: 0.216)
        stage.wait(until: 0.3)
        #expect(
            lines == [
                "began: ", "moved: 160 @28 180 @32 200 @36 220 @40",
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
