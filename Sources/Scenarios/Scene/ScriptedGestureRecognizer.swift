// ScriptedGestureRecognizer.swift: a recognizer that assigns the states of its scenario, through the public interface.
//
// Station   gesture
// Input     UIKit, as for any recognizer
// Output    its state, and the application's trace: `set V.g changed -> began` (S57)
// Knows     the states of its scenario. Nothing of touches.
//
// Sources   invented; UIKit decides about an assigned state (B5.2)

import UIKit

/// A recognizer that assigns the states of its scenario.
final class ScriptedGestureRecognizer: UIGestureRecognizer {
    private let lines: RecognizerLines
    private let spec: GestureSpec
    private var receivedTouchCount = 0

    init(_ spec: GestureSpec, _ lines: RecognizerLines) {
        (self.lines, self.spec) = (lines, spec)
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        for touch in touches.sorted(by: { $0.id < $1.id }) {
            if let limit = spec.ignoresAfter, receivedTouchCount >= limit {
                ignore(touch, for: event)
            } else {
                receivedTouchCount += 1
            }
        }
        setStates(of: .touchesBegan)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) { setStates(of: .touchesMoved) }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { setStates(of: .touchesEnded) }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) { setStates(of: .touchesCancelled) }
    override func reset() { receivedTouchCount = 0 }

    private func setStates(of method: GestureProbe) {
        for word in spec.sets[method] ?? [] {
            let wanted = UIGestureRecognizer.State(word)
            state = wanted
            lines.print("set \(lines.path) \(wanted) -> \(state)")
        }
    }
}

extension UIGestureRecognizer.State {
    fileprivate init(_ word: GestureState) {
        self =
            switch word {
            case .possible: .possible
            case .began: .began
            case .changed: .changed
            case .ended: .ended
            case .cancelled: .cancelled
            case .failed: .failed
            }
    }
}
