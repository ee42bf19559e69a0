// RecognizerLines.swift: the lines of one recognizer of a scene, with their side of super.
//
// Station   gesture
// Input     SceneLines.swift: UIKit events; the recognizer's own action
// Output    the application's trace, as conformance lines
// Knows     the keys of one recognizer
//
// Sources   documented  Docs/Spec/Semantics.md section 0.2: touchesBegan and touchesMoved before super, the others
//           after, with the state
//           invented    the side of presses and of `probePosition`; translations in action lines

import Basics
import Trace
import UIKit

/// Prints the lines of one recognizer.
struct RecognizerLines {
    /// The recognizer's path, `V.g`.
    let path: String
    private let words: [GestureProbe]
    private let position: ProbePosition?
    private let printsState: Bool
    private let printsTranslation: Bool

    init(_ spec: GestureSpec, path: String) {
        (self.path, words, position) = (path, spec.probe, spec.probePosition)
        (printsState, printsTranslation) = (spec.logState, spec.logTranslation)
    }

    func print(_ line: String, _ station: Station = .gesture) {
        guard let application = UIApplication.current else { return }
        application.trace.probe(application.now, station, line)
    }

    // MARK: Methods

    func entered(_ call: UIKitEvent.Call) {
        guard let method = Method(call), isPrinted(method), side(of: method) == .before else { return }
        print("gesture \(path) \(method.name)")
    }

    func returned(_ call: UIKitEvent.Call, _ recognizer: UIGestureRecognizer) {
        if case .reset = call, words.contains(.reset) { print("reset \(path)") }
        guard let method = Method(call), isPrinted(method), side(of: method) == .after else { return }
        print("gesture \(path) \(method.name)" + (method.isLast ? " state=\(recognizer.state)" : ""))
    }

    private func isPrinted(_ method: Method) -> Bool {
        words.contains(method.all) || GestureProbe(rawValue: method.name).map(words.contains) == true
    }

    private func side(of method: Method) -> ProbePosition { position ?? (method.isLast ? .after : .before) }

    private struct Method {
        let name: String
        /// The probe word for all methods of this kind.
        let all: GestureProbe
        /// Whether a verdict may follow, so that the line has the state.
        let isLast: Bool

        /// Nil for `reset`, which has a line of its own, and for estimated properties, which have none.
        init?(_ call: UIKitEvent.Call) {
            switch call {
            case .touches(.began, _): self.init("touchesBegan", .touches, false)
            case .touches(.moved, _): self.init("touchesMoved", .touches, false)
            case .touches(.ended, _): self.init("touchesEnded", .touches, true)
            case .touches(.cancelled, _), .touches(.stationary, _), .touches(.regionEntered, _),
                .touches(.regionMoved, _), .touches(.regionExited, _):
                self.init("touchesCancelled", .touches, true)
            case .presses(.began): self.init("pressesBegan", .presses, false)
            case .presses(.changed), .presses(.stationary): self.init("pressesChanged", .presses, false)
            case .presses(.ended): self.init("pressesEnded", .presses, true)
            case .presses(.cancelled): self.init("pressesCancelled", .presses, true)
            case .reset, .estimates: return nil
            }
        }

        private init(_ name: String, _ all: GestureProbe, _ isLast: Bool) {
            (self.name, self.all, self.isLast) = (name, all, isLast)
        }
    }

    // MARK: Actions

    /// Prints `action V.label state=began`.
    func action(_ label: String, of recognizer: UIGestureRecognizer?) {
        var line = "action \(path.prefix { $0 != "." }).\(label)"
        if let recognizer {
            if printsState { line += " state=\(recognizer.state)" }
            if printsTranslation { line += " translation=\(translationText(of: recognizer))" }
        }
        print(line, .action)
    }
}
