import AppCore
import Basics
import Foundation
import HID
import Hosting
import Links
import Scenarios
import Settings
import Testbed
import Trace
import UIKit
import Wire

/// A sample app in an app's core, on a clock that the test advances, with contacts.
///
/// The screen is 375 × 667 points. Times are seconds since the app came to the front. The test reads the app as a person
/// would: by its views, found by their identifiers, and by the text of its labels.
final class Phone {
    private var core: AppCore
    private var outbox = Outbox()
    private var armed: Instant?
    private var now = Instant(seconds: Phone.begin)
    private var server = LinkNumbers(epoch: 1, generation: 1)
    private var fingers = Fingers(first: 1)

    private static let begin = 10.0

    init(_ name: String, _ settings: [(String, String)] = []) throws {
        let list = [Setting(key: "app.sample", value: name)] + settings.map { Setting(key: $0, value: $1) }
        let order = LaunchOrder(peer: .app(1), epoch: 1, generation: 1, runDirectory: "", settings: list)
        let values = try Settings(list)
        core = AppCore(order: order, settings: values, content: try chosenContent(values))
        deliver(.started)
        deliver(.connected(.systemServer))
        deliver(.frame(server.frame(.hello), from: .systemServer))
        deliver(.frame(server.frame(.lifeCycle(.didBecomeActive)), from: .systemServer))
        wait(until: 0)
    }

    // MARK: Contacts

    /// One scan: the acts of some contacts at a time; the other contacts rest.
    func frame(at seconds: Double, _ acts: Fingers.Act...) {
        wait(until: seconds)
        let frame = fingers.frame(acts, at: now)
        deliver(.frame(server.frame(.touches(frame), ledger: Ledger(device: now)), from: .systemServer))
    }

    func tap(at seconds: Double, _ x: Double, _ y: Double, for length: Double = 0.08) {
        frame(at: seconds, .down(1, x, y))
        frame(at: seconds + length, .up(1))
    }

    /// A drag: down, a move every 60th of a second along a line, and up at its end.
    func drag(
        at seconds: Double, from start: (x: Double, y: Double), to end: (x: Double, y: Double), steps: Int = 12,
        rest: Double = 0
    ) {
        frame(at: seconds, .down(1, start.x, start.y))
        for step in 1...steps {
            let part = Double(step) / Double(steps)
            frame(
                at: seconds + rest + Double(step) / 60,
                .move(1, start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part))
        }
        frame(at: seconds + rest + Double(steps + 1) / 60, .up(1))
    }

    // MARK: Time

    /// Advances the time, and fires the app's timer whenever it is due.
    func wait(until seconds: Double) {
        let end = Instant(seconds: Phone.begin + seconds)
        while let due = armed, due <= end {
            now = max(now, due)
            armed = nil
            deliver(.timerFired(AppCore.loopTimer))
        }
        now = max(now, end)
    }

    private func deliver(_ input: Input) {
        core.handle(input, at: now, into: &outbox)
        outbox.trace.removeFacts()
        for effect in outbox.drain() {
            switch effect {
            case .arm(AppCore.loopTimer, let moment): armed = moment
            case .disarm(AppCore.loopTimer): armed = nil
            case .send(let frame, .systemServer):
                if frame.message == .hello { server.adopt(hello: frame, epoch: 1) }
            default: break
            }
        }
    }

    // MARK: The app's views

    func view(_ name: String) -> UIView {
        guard let view = core.application.view(named: name) else { preconditionFailure("no view is called \(name)") }
        return view
    }

    func text(_ name: String) -> String { (view(name) as? UILabel)?.text ?? "" }

    /// Whether no touch is live.
    var isQuiet: Bool { core.application.touchTracker.liveTouches.isEmpty }
}
