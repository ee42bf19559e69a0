// RecognizerKinds.swift: the kinds of recognizers in a monkey's world: their share of the seeds, object and text.
//
// Input     Invention, for a kind; MonkeyRun, for the recognizer; MonkeyWorld, for the text
// Output    a kind; a recognizer of UIKit
// Knows     UIKit's recognizers. A new kind is declared, drawn, made and described here.
//
// Sources   invented

package import UIKit

extension MonkeyWorld.Recognizer {
    /// The kind of a recognizer, with its parameters.
    package enum Kind: Equatable, Sendable {
        case tap(taps: Int, touches: Int)
        case press(taps: Int, touches: Int)
        case pan(least: Int, most: Int)
        case swipe(direction: Int)
        case pinch, rotation
        case edge(edges: Int)
        /// A recognizer that decides nothing.
        case plain
        /// A recognizer that assigns the next state at each touch callback, repeats the last one, and assigns `finale`
        /// when its touches have ended.
        case custom(states: [UIGestureRecognizer.State], finale: UIGestureRecognizer.State, ignores: Bool)

        init(_ chance: inout Chance) {
            self =
                switch chance.number(in: 1...16) {
                case 1...4: .tap(taps: chance.number(in: 1...3), touches: chance.oneIn(4) ? 2 : 1)
                case 5...6: .press(taps: chance.oneIn(4) ? 1 : 0, touches: chance.oneIn(5) ? 2 : 1)
                case 7...8: .pan(least: chance.oneIn(4) ? 2 : 1, most: chance.oneIn(3) ? 2 : .max)
                case 9: .swipe(direction: 1 << chance.number(in: 0...3))
                case 10: .pinch
                case 11: .rotation
                case 12: .edge(edges: 1 << chance.number(in: 0...3))
                case 13: .plain
                default:
                    .custom(
                        states: chance.pick([
                            [.began, .changed], [.possible, .began, .changed], [.possible, .possible, .ended],
                            [.ended], [.possible], [.failed], [.began, .changed, .cancelled],
                            [.possible, .began, .ended], [.possible, .changed, .possible, .began, .failed],
                        ]), finale: chance.pick([.ended, .failed, .cancelled]), ignores: chance.oneIn(6))
                }
        }

        func make() -> UIGestureRecognizer {
            switch self {
            case .tap(let taps, let touches):
                let tap = UITapGestureRecognizer()
                (tap.numberOfTapsRequired, tap.numberOfTouchesRequired) = (taps, touches)
                return tap
            case .press(let taps, let touches):
                let press = UILongPressGestureRecognizer()
                (press.numberOfTapsRequired, press.numberOfTouchesRequired) = (taps, touches)
                return press
            case .pan(let least, let most):
                let pan = UIPanGestureRecognizer()
                (pan.minimumNumberOfTouches, pan.maximumNumberOfTouches) = (least, most)
                return pan
            case .swipe(let direction):
                let swipe = UISwipeGestureRecognizer()
                swipe.direction = UISwipeGestureRecognizer.Direction(rawValue: UInt(direction))
                return swipe
            case .pinch: return UIPinchGestureRecognizer()
            case .rotation: return UIRotationGestureRecognizer()
            case .edge(let edges):
                let edge = UIScreenEdgePanGestureRecognizer()
                edge.edges = UIRectEdge(rawValue: UInt(edges))
                return edge
            case .plain: return UIGestureRecognizer()
            case .custom(let states, let finale, let ignores):
                let custom = CustomRecognizer()
                (custom.script, custom.finale, custom.ignoresFirst) = (states, finale, ignores)
                return custom
            }
        }

        var words: [String] {
            switch self {
            case .tap(let taps, let touches): ["tap ×\(taps), \(touches) fingers"]
            case .press(let taps, let touches): ["long press after \(taps) taps, \(touches) fingers"]
            case .pan(let least, let most): ["pan, \(least) to \(most) fingers"]
            case .swipe(let direction): ["swipe, direction \(direction)"]
            case .pinch: ["pinch"]
            case .rotation: ["rotation"]
            case .edge(let edges): ["edge pan, edges \(edges)"]
            case .plain: ["plain"]
            case .custom(let states, let finale, let ignores):
                ["custom \(states.map { "\($0)" }.joined(separator: " ")), at last \(finale)"]
                    + (ignores ? ["ignores its first touch"] : [])
            }
        }
    }
}
