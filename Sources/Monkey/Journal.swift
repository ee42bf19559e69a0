// Journal.swift: what was seen of a world while it was played: all that the laws read.
//
// Fed by    MonkeyRun: views and recognisers that are watched from inside their callbacks
// Feeds     Laws.swift, a fold over these entries
// Knows     numbers: view 3 is v3, recogniser 2 is g2, as in the world. Recognisers of UIKit's own count from 100.

package import UIKit

package enum JournalEntry: Equatable, Sendable {
    /// A step of the script begins, at so many milliseconds.
    case step(Int, milliseconds: Int)
    case heard(Hearing)
    /// A recogniser's touches method was called with this touch.
    case told(recognizer: Int, UITouch.Phase, touch: Int)
    /// It let the touch go of its own will.
    case ignored(recognizer: Int, touch: Int)
    case moved(recognizer: Int, from: UIGestureRecognizer.State, to: UIGestureRecognizer.State)
    /// `reset()` was called.
    case reset(recognizer: Int)
    case acted(Action)
    /// The environment says that nothing is under way.
    case idle
    /// Every finger is up, and every timer has run.
    case end(Leftovers)

    /// A view's own touches method was called with a touch that is the view's.
    package struct Hearing: Equatable, Sendable {
        package var view: Int
        package var method: UITouch.Phase
        package var touch: Int
        /// What the touch says of itself just then.
        package var phase: UITouch.Phase
        package var touchView: Int?
        package var timestamp: Double

        package init(
            view: Int, method: UITouch.Phase, touch: Int, phase: UITouch.Phase, touchView: Int?, timestamp: Double
        ) {
            (self.view, self.method, self.touch) = (view, method, touch)
            (self.phase, self.touchView, self.timestamp) = (phase, touchView, timestamp)
        }
    }

    /// An action was sent. The lists are of recognisers at work at that moment.
    package struct Action: Equatable, Sendable {
        package var recognizer: Int
        package var state: UIGestureRecognizer.State
        /// Touches that count it among their recognisers.
        package var touches: [Int]
        package var cancelsTouches: Bool
        /// Those it excludes: related, and nothing allows both. (B7.1)
        package var excludes: [Int]
        /// Those that exclude it and wait for nobody.
        package var excludedBy: [Int]
        /// Those it requires to fail that have not.
        package var waitsFor: [Int]

        package init(
            recognizer: Int, state: UIGestureRecognizer.State, touches: [Int] = [], cancelsTouches: Bool = false,
            excludes: [Int] = [], excludedBy: [Int] = [], waitsFor: [Int] = []
        ) {
            (self.recognizer, self.state, self.touches) = (recognizer, state, touches)
            (self.cancelsTouches, self.excludes) = (cancelsTouches, excludes)
            (self.excludedBy, self.waitsFor) = (excludedBy, waitsFor)
        }
    }

    /// What there still is when there should be nothing.
    package struct Leftovers: Equatable, Sendable {
        package var isEnvironmentIdle = true
        package var liveTouches: [Int] = []
        package var timers = 0
        /// Recognisers that are not possible, or count touches.
        package var busyRecognizers: [Int] = []
        /// Controls that track, scroll views that drag or decelerate.
        package var busyViews: [Int] = []

        package init() {}
    }
}
