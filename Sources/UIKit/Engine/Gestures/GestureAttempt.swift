// GestureAttempt.swift: one recognizer's attempt, from its first touch to its reset.
//
// Station   gesture
// Input     GestureEnvironment, and no other type

import Gestures

/// One attempt of one recognizer.
struct GestureAttempt {
    private(set) var state = AttemptState.idle
    /// The kind of event. Only recognizers of one kind exclude each other.
    var event: UIEvent.EventType?
    /// Whether the next update looks at the recognizer.
    var needsUpdate = false
    /// Whether no requirement query has included the recognizer yet.
    var isNew = false
    /// Whether the recognizer withholds touches or presses from their views.
    var holdsInput = false
    /// The number of the last event that was delivered to the recognizer.
    var deliveredEventNumber: UInt64 = 0
    /// The numbers of the updates in which its state was last assigned, and in which it last acted.
    var assignedUpdateNumber: UInt64 = 0
    var actedUpdateNumber: UInt64 = 0
    /// The answer of `shouldReceive(_: UIEvent)`, asked once until the recognizer is reset.
    var receivesEvent: Bool?
    /// Touches that the recognizer left before the attempt was over. They no longer list it.
    var leftTouches: [UITouch] = []
    /// The number of views from its view up to the root, both included. Stored, because the view may leave the tree.
    var depth = 0

    mutating func handle(_ input: AttemptState.Input) -> AttemptState.Effect {
        let (next, effect) = AttemptState.transition(from: state, on: input)
        state = next
        return effect
    }

    /// Returns to the idle state and forgets everything about the attempt.
    mutating func reset() {
        _ = handle(.reset)
        var fresh = GestureAttempt()
        fresh.state = state
        self = fresh
    }

    var isActive: Bool { state.isActive }
}
