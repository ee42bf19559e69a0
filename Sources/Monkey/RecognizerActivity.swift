// RecognizerActivity.swift: which recognizers have touches or a state, by what they received and where they moved.
//
// Fed by    MonkeyRun+Events.swift
// Feeds     MonkeyRun+Relations.swift, which asks who may exclude whom
// Knows     numbers of recognizers. No views.

import HID

struct RecognizerActivity {
    /// Recognizers that received a touch, or moved, since they were last reset.
    private(set) var active: Set<Int> = []
    /// Touches that each received since then and has not ignored.
    private var touches: [Int: Set<TouchID>] = [:]
    /// When each last moved, by its place in the journal.
    private(set) var lastMove: [Int: Int] = [:]

    mutating func receive(_ began: [TouchID], by number: Int) {
        active.insert(number)
        if !began.isEmpty { touches[number, default: []].formUnion(began) }
    }

    /// A recognizer that has ignored all its touches, undecided, takes no part any more. (B5.9)
    mutating func ignore(_ touch: TouchID, by number: Int, isUndecided: Bool) {
        touches[number]?.remove(touch)
        if touches[number]?.isEmpty != false, isUndecided { active.remove(number) }
    }

    /// - Parameter isOver: Whether its state is possible again.
    mutating func move(_ number: Int, at place: Int, isOver: Bool) {
        lastMove[number] = place
        if isOver {
            active.remove(number)
            touches[number] = nil
        } else {
            active.insert(number)
        }
    }

    mutating func becomeIdle() { (active, touches) = ([], [:]) }
}
