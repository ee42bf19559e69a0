// Journal.swift: the observations of one run, which are all that the laws read.
//
// Input     MonkeyRun+Events.swift: UIKit events
// Output    Laws.swift, a fold over these entries
// Knows     numbers: view 3 is v3, recognizer 2 is g2, as in the world. UIKit's own recognizers have numbers from 100.
//
// Sources   invented

package import UIKit

/// One observation of a run.
package enum JournalEntry: Equatable, Sendable {
    /// The beginning of a step of the script, with its time.
    case step(Int, milliseconds: Int)
    case viewCall(ViewCall)
    /// The call of a recognizer's touches method with this touch.
    case recognizerCall(recognizer: Int, UITouch.Phase, touch: Int)
    /// A recognizer ignored a touch by itself.
    case ignored(recognizer: Int, touch: Int)
    case stateChanged(recognizer: Int, from: UIGestureRecognizer.State, to: UIGestureRecognizer.State)
    /// The call of `reset()`.
    case reset(recognizer: Int)
    case acted(Action)
    /// The gesture environment reports that nothing is active.
    case idle
    /// The end of the run: every finger has lifted, and every timer has fired.
    case end(Leftovers)

    /// The call of a view's touches method with a touch of that view.
    package struct ViewCall: Equatable, Sendable {
        package var view: Int
        package var method: UITouch.Phase
        package var touch: Int
        /// The properties of the touch at that moment.
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

    /// An action that was sent. The lists contain recognizers that were active at that moment.
    package struct Action: Equatable, Sendable {
        package var recognizer: Int
        package var state: UIGestureRecognizer.State
        /// The touches that have the recognizer among theirs.
        package var touches: [Int]
        package var cancelsTouches: Bool
        /// The recognizers that it excludes: related, and nothing allows both (B7.1).
        package var excludes: [Int]
        /// The recognizers that exclude it and wait for no other.
        package var excludedBy: [Int]
        /// The recognizers that it requires to fail and that have not failed.
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

    /// What is left at the end, where nothing should be.
    package struct Leftovers: Equatable, Sendable {
        package var isEnvironmentIdle = true
        package var liveTouches: [Int] = []
        package var timers = 0
        /// Recognizers that are not possible, or have touches.
        package var busyRecognizers: [Int] = []
        /// Controls that track; scroll views that drag or decelerate.
        package var busyViews: [Int] = []

        package init() {}
    }
}
