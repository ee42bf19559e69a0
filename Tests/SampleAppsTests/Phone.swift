import Foundation
import SampleApps
import Testing
import TouchlineTesting
import UIKit

/// A sample app under a test's fingers, at times that the test names.
///
/// The screen is 375 × 667 points. Times are seconds since the app came to the front. The test reads the app as a person
/// would: by its views, found by their identifiers, and by the text of its labels.
final class Phone {
    private let phone: TestPhone

    init(_ name: String, _ settings: [(String, String)] = []) throws {
        let app = try #require(SampleApp.named(name))
        phone = TestPhone(settings: settings) { application in
            application.keptDelegate = app.makeDelegate()
            application.makeSceneDelegate = app.makeSceneDelegate.map { make in { make() } }
        }
    }

    // MARK: Fingers

    enum Act {
        case down(Int, Double, Double)
        case move(Int, Double, Double)
        case up(Int)
    }

    /// One scan: the acts of some fingers at a time; the others rest.
    func frame(at seconds: Double, _ acts: Act...) throws {
        wait(until: seconds)
        try phone.scan(
            acts.map { act in
                switch act {
                case .down(let finger, let x, let y): .down(finger, CGPoint(x: x, y: y))
                case .move(let finger, let x, let y): .move(finger, CGPoint(x: x, y: y))
                case .up(let finger): .up(finger)
                }
            })
    }

    func tap(at seconds: Double, _ x: Double, _ y: Double, for length: Double = 0.08) throws {
        try frame(at: seconds, .down(1, x, y))
        try frame(at: seconds + length, .up(1))
    }

    /// A drag: down, a move every 60th of a second along a line, and up at its end.
    func drag(
        at seconds: Double, from start: (x: Double, y: Double), to end: (x: Double, y: Double), steps: Int = 12,
        rest: Double = 0
    ) throws {
        try frame(at: seconds, .down(1, start.x, start.y))
        for step in 1...steps {
            let part = Double(step) / Double(steps)
            try frame(
                at: seconds + rest + Double(step) / 60,
                .move(1, start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part))
        }
        try frame(at: seconds + rest + Double(steps + 1) / 60, .up(1))
    }

    func wait(until seconds: Double) { phone.advance(to: .seconds(seconds)) }

    // MARK: The app's views

    func view(_ name: String) throws -> UIView { try phone.find(.id(name)) }

    func text(_ name: String) throws -> String { try phone.find(UILabel.self, name).text ?? "" }

    /// Whether no touch is live.
    var isQuiet: Bool { phone.application.touchTracker.liveTouches.isEmpty }
}
