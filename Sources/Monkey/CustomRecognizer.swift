// CustomRecognizer.swift: a recognizer of the app's own that assigns the states of its script, legal or not.
//
// Input     UIKit, as for any recognizer
// Output    its state; it decides when its touches have ended
// Knows     its script. MonkeyRun observes it like any other recognizer.
//
// Sources   invented

import UIKit

/// A recognizer that assigns the states of its script.
final class CustomRecognizer: UIGestureRecognizer {
    var script: [State] = [.possible]
    var finale = State.failed
    var ignoresFirst = false
    var cannotPrevent: Set<ObjectIdentifier> = []
    var cannotBePrevented: Set<ObjectIdentifier> = []
    private var calls = 0
    private var fingers: [UITouch] = []

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        let sorted = touches.sorted { $0.id < $1.id }
        fingers += sorted
        if ignoresFirst, state == .possible, calls == 0 {
            calls += 1
            ignore(sorted[0], for: event)
        } else {
            step()
        }
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) { step() }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { endTouches(touches, finale) }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) { endTouches(touches, .cancelled) }

    override func ignore(_ touch: UITouch, for event: UIEvent) {
        fingers.removeAll { $0 === touch }
        super.ignore(touch, for: event)
    }

    override func reset() {
        (calls, fingers) = (0, [])
        super.reset()
    }

    override func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool {
        !cannotPrevent.contains(ObjectIdentifier(preventedGestureRecognizer))
    }

    override func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool {
        !cannotBePrevented.contains(ObjectIdentifier(preventingGestureRecognizer))
    }

    private func step() {
        let next = script[min(calls, script.count - 1)]
        calls += 1
        // Assigning possible to a possible recognizer has no effect. Assigning it later is misuse that UIKit tolerates.
        state = next
    }

    private func endTouches(_ touches: Set<UITouch>, _ last: State) {
        fingers.removeAll { touches.contains($0) }
        guard fingers.isEmpty else { return }
        // A recognizer that ends without having begun was discrete, or failed. An undecided one would delay others.
        state = last
    }
}
