// RecognizerActivity.swift: the active recognizers, from the touches that they received and their changes of state.
//
// Input     MonkeyRun+Events.swift
// Output    MonkeyRun+Relations.swift, for the possible exclusions
// Knows     numbers of recognizers. No views.
//
// Sources   invented

import HID

/// The active recognizers of a run.
struct RecognizerActivity {
    /// Recognizers that received a touch or changed their state since their last reset.
    private(set) var active: Set<Int> = []
    /// The touches that each recognizer received since then and has not ignored.
    private var touches: [Int: Set<TouchID>] = [:]
    /// The journal index of each recognizer's last change of state.
    private(set) var lastMove: [Int: Int] = [:]

    mutating func receive(_ began: [TouchID], by number: Int) {
        active.insert(number)
        if !began.isEmpty { touches[number, default: []].formUnion(began) }
    }

    /// Removes a touch. An undecided recognizer that has ignored all of its touches is no longer active (B5.9).
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
