// CustomRecognizer.swift: a recognizer of the app's own. It assigns what its script says, legal or not, and decides when
// its fingers are gone.
//
// Fed by    UIKit, as any recognizer
// Feeds     its state
// Knows     its script. MonkeyRun observes it as any other.

import UIKit

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
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) { leave(touches, finale) }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) { leave(touches, .cancelled) }

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
        // Assigning possible to what is possible says nothing; assigning it later is misuse that is tolerated.
        state = next
    }

    private func leave(_ touches: Set<UITouch>, _ last: State) {
        fingers.removeAll { touches.contains($0) }
        guard fingers.isEmpty else { return }
        // One that ends without having begun was discrete, or failed; one that is left undecided holds others up.
        state = last
    }
}
