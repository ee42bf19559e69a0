// RecognizerLines.swift: what one recogniser of a scene prints, on which side of super.
//
// Station   gesture
// Fed by    the probe recognisers, from every method they override; its own action
// Feeds     the application's trace, as conformance lines
// Knows     the keys of one recogniser. The classes know only when to ask.
//
// Sources   documented  SEMANTICS 0.2: touchesBegan and touchesMoved before super, the others after, with the state
//           invented    the side of presses and of `probePosition`; translations in action lines

import Basics
import Trace
import UIKit

struct RecognizerLines {
    /// `V.g`.
    let path: String
    private let words: [GestureProbe]
    private let position: ProbePosition?
    private let tellsState: Bool
    private let tellsTranslation: Bool

    init(_ spec: GestureSpec, path: String) {
        (self.path, words, position) = (path, spec.probe, spec.probePosition)
        (tellsState, tellsTranslation) = (spec.logState, spec.logTranslation)
    }

    func print(_ line: String, _ station: Station = .gesture) {
        guard let application = UIApplication.current else { return }
        application.trace.probe(application.now, station, line)
    }

    func touchesBegan(_ g: UIGestureRecognizer, super: () -> Void) { method("touchesBegan", g, false, `super`) }
    func touchesMoved(_ g: UIGestureRecognizer, super: () -> Void) { method("touchesMoved", g, false, `super`) }
    func touchesEnded(_ g: UIGestureRecognizer, super: () -> Void) { method("touchesEnded", g, true, `super`) }
    func touchesCancelled(_ g: UIGestureRecognizer, super: () -> Void) { method("touchesCancelled", g, true, `super`) }
    func pressesBegan(_ g: UIGestureRecognizer, super: () -> Void) { method("pressesBegan", g, false, `super`) }
    func pressesChanged(_ g: UIGestureRecognizer, super: () -> Void) { method("pressesChanged", g, false, `super`) }
    func pressesEnded(_ g: UIGestureRecognizer, super: () -> Void) { method("pressesEnded", g, true, `super`) }
    func pressesCancelled(_ g: UIGestureRecognizer, super: () -> Void) { method("pressesCancelled", g, true, `super`) }

    func reset(super: () -> Void) {
        `super`()
        if words.contains(.reset) { print("reset \(path)") }
    }

    /// `isLast`: after it there is a verdict to tell.
    private func method(_ name: String, _ recognizer: UIGestureRecognizer, _ isLast: Bool, _ super: () -> Void) {
        let all: GestureProbe = name.hasPrefix("press") ? .presses : .touches
        let isPrinted = words.contains(all) || GestureProbe(rawValue: name).map(words.contains) == true
        let isBefore = position.map { $0 == .before } ?? !isLast
        if isPrinted, isBefore { print("gesture \(path) \(name)") }
        `super`()
        if isPrinted, !isBefore { print("gesture \(path) \(name)" + (isLast ? " state=\(recognizer.state)" : "")) }
    }

    /// `action V.label state=began`.
    func action(_ label: String, of recognizer: UIGestureRecognizer?) {
        var line = "action \(path.prefix { $0 != "." }).\(label)"
        if let recognizer {
            if tellsState { line += " state=\(recognizer.state)" }
            if tellsTranslation { line += " translation=\(translationText(of: recognizer))" }
        }
        print(line, .action)
    }
}
