import TouchlineTesting
import UIKit

/// A view `Y` of 200 × 200 points in the middle of a view `R`, for recognizers with a logged action.
final class RecognizerScene {
    let stage = Stage()
    let r: ProbeView
    let y: ProbeView
    var log: Log { stage.log }

    init() {
        r = stage.view("R", 0, 0, 375, 667)
        y = stage.view("Y", 87.5, 233.5, 200, 200, in: r)
        r.logsTouches = false
    }

    /// Adds the recognizer to `view` or to `R`, with a name and a logged action.
    @discardableResult
    func add<Recognizer: UIGestureRecognizer>(
        _ recognizer: Recognizer, _ name: String, to view: UIView? = nil, logsState: Bool = false
    ) -> Recognizer {
        recognizer.name = name
        recognizer.addAction(
            UIAction { [unowned recognizer, log] _ in
                log.add("action \(name)" + (logsState ? " \(recognizer.state)" : ""))
            })
        (view ?? r).addGestureRecognizer(recognizer)
        return recognizer
    }

    func frame(_ acts: Stage.Act..., at seconds: Double) { stage.deliver(acts, at: seconds) }

    func tap(_ x: Double = 187, _ y: Double = 333, finger: Int = 1, down: Double = 0, up: Double = 0.08) {
        frame(.down(finger, x, y), at: down)
        frame(.up(finger), at: up)
    }

    func wait(until seconds: Double) { stage.wait(until: seconds) }

    /// Makes the recognizer ignore the finger that landed last.
    func ignoreLast(by recognizer: UIGestureRecognizer, at seconds: Double) {
        stage.run(at: seconds) {
            let tracker = stage.app.touchTracker
            recognizer.ignore(tracker.liveTouches[tracker.liveTouches.count - 1], for: tracker.event)
        }
    }

    /// Moves a finger in steps of (dx, dy) points, one for each frame of 1/60 s.
    func stroke(from x: Double, _ y: Double, by dx: Double, _ dy: Double, steps: Int, at start: Double = 0) {
        frame(.down(1, x, y), at: start)
        for step in 1...steps {
            frame(.move(1, x + dx * Double(step), y + dy * Double(step)), at: start + Double(step) / 60)
        }
        frame(.up(1), at: start + Double(steps + 1) / 60)
    }

    var isQuiet: Bool { stage.app.isGestureIdle && stage.timerCount == 0 }
}
