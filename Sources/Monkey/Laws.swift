// Laws.swift: the laws that hold in every world.
//
// Input     a journal, entry by entry
// Output    violations: the law, the entry, and the observation
// Knows     the rules of Docs/Spec/Semantics.md. Nothing of the engine.
//
// Each law is about something that an app can observe.
//
// Sources   Docs/Spec/Semantics.md B1.4, B5, B6.1, B7, B8, B9v; Docs/Internals/Monkey.md

import UIKit

/// A law of every world.
package enum MonkeyLaw: String, CaseIterable, Sendable {
    /// A view receives began, then moves, then one ended or cancelled, and nothing after; time does not go back.
    case pairing
    /// A touch is delivered to its own view, and keeps this view until it ends.
    case view
    /// A recognizer receives began of each touch first and at most one end, and nothing after its decision.
    case listening
    /// States change as documented. A recognizer that has sent an action is not made to fail.
    case states
    /// `reset` follows a decision, once, before the next attempt.
    case resets
    /// An action is sent in a recognized state, or in cancelled after began. No action follows the last one.
    case acting
    /// Of two related recognizers that nothing allows together, only one sends actions.
    case exclusion
    /// A recognizer sends no action while a recognizer that it requires to fail has not failed.
    case requirements
    /// A view receives only cancelled of a touch that a recognizer took with its action.
    case taking
    /// When the fingers are up and the timers have fired, no recognizer is active, no touch is left and no timer waits.
    case quiet
    /// The same seed gives the same lines.
    case repetition
}

/// A broken law with its entry.
package struct MonkeyViolation: Equatable, Sendable, CustomStringConvertible {
    package var law: MonkeyLaw
    /// The index in the journal.
    package var entry: Int
    package var text: String

    package init(_ law: MonkeyLaw, at entry: Int, _ text: String) {
        (self.law, self.entry, self.text) = (law, entry, text)
    }

    package var description: String { "\(law.rawValue): \(text)" }
}

/// A fold over a journal that finds violations.
package struct MonkeyLaws {
    private struct ViewTouch {
        var view: Int
        var isOver = false
        var timestamp: Double
    }

    private struct Attempt {
        var state = UIGestureRecognizer.State.possible
        var isAtWork = false
        var hasActed = false
        var isDone = false
        /// Whether it sends began later than it began, because it had to wait (B7.7).
        var sendsBeganLate = false
        /// Whether `reset` was called since the last decision.
        var wasReset = false
        /// The touches of this attempt, and whether each has ended.
        var touches: [Int: Bool] = [:]
        /// The recognizer that sent an action while this one was active and nothing allowed both.
        var excludedBy: Int?
    }

    /// By touch and view. A touch has one view, and a second one is a violation.
    private var viewTouches: [Int: ViewTouch] = [:]
    private var attempts: [Int: Attempt] = [:]
    /// The touches of which views must receive only cancelled, with the recognizers that took them.
    private var taken: [Int: Int] = [:]
    package private(set) var violations: [MonkeyViolation] = []
    private var index = 0

    package init() {}

    /// Returns all violations in a journal, in order.
    package static func violations(in journal: [JournalEntry]) -> [MonkeyViolation] {
        var laws = MonkeyLaws()
        for entry in journal { laws.read(entry) }
        return laws.violations
    }

    private mutating func broken(_ law: MonkeyLaw, _ text: String) {
        violations.append(MonkeyViolation(law, at: index, text))
    }

    package mutating func read(_ entry: JournalEntry) {
        switch entry {
        case .step: break
        case .viewCall(let hearing): read(hearing)
        case .recognizerCall(let recognizer, let phase, let touch): readRecognizerCall(recognizer, phase, touch)
        case .ignored(let recognizer, let touch): ignored(recognizer, touch)
        case .stateChanged(let recognizer, let from, let to): moved(recognizer, from, to)
        case .reset(let recognizer): reset(recognizer)
        case .acted(let action): read(action)
        case .idle: attempts = attempts.mapValues { Attempt(state: $0.state) }
        case .end(let leftovers): read(leftovers)
        }
        index += 1
    }

    // MARK: Views

    private mutating func read(_ hearing: JournalEntry.ViewCall) {
        let name = "v\(hearing.view) touches\(hearing.method) with touch \(hearing.touch)"
        if hearing.phase != hearing.method { broken(.pairing, "\(name), whose phase is \(hearing.phase)") }
        if hearing.touchView != hearing.view {
            broken(.view, "\(name), whose view is \(hearing.touchView.map { "v\($0)" } ?? "none")")
        }
        if let taker = taken[hearing.touch], hearing.method != .cancelled {
            broken(.taking, "\(name), which g\(taker) took")
        }
        guard var known = viewTouches[hearing.touch] else {
            if hearing.method != .began { broken(.pairing, "\(name) before began") }
            viewTouches[hearing.touch] = ViewTouch(
                view: hearing.view, isOver: hearing.method == .ended || hearing.method == .cancelled,
                timestamp: hearing.timestamp)
            return
        }
        if known.view != hearing.view { broken(.view, "\(name), which began on v\(known.view)") }
        if hearing.method == .began { broken(.pairing, "\(name) twice") }
        if known.isOver { broken(.pairing, "\(name) after its end") }
        if hearing.timestamp < known.timestamp {
            broken(.pairing, "\(name) at \(hearing.timestamp), earlier than before")
        }
        known.isOver = known.isOver || hearing.method == .ended || hearing.method == .cancelled
        known.timestamp = hearing.timestamp
        viewTouches[hearing.touch] = known
    }

    // MARK: Recognizers

    private mutating func readRecognizerCall(_ recognizer: Int, _ phase: UITouch.Phase, _ touch: Int) {
        var attempt = attempts[recognizer, default: Attempt()]
        let name = "g\(recognizer) touches\(phase) with touch \(touch)"
        if attempt.state.rawValue > UIGestureRecognizer.State.changed.rawValue {
            broken(.listening, "\(name) while \(attempt.state)")
        }
        if phase == .began {
            if attempt.touches[touch] != nil { broken(.listening, "\(name) twice") }
            attempt.touches[touch] = false
            attempt.isAtWork = true
        } else {
            switch attempt.touches[touch] {
            case nil: broken(.listening, "\(name) before began")
            case true?: broken(.listening, "\(name) after its end")
            case false?: break
            }
            if phase == .ended || phase == .cancelled { attempt.touches[touch] = true }
        }
        attempts[recognizer] = attempt
    }

    /// Ends the attempt of an undecided recognizer that has ignored all of its touches.
    private mutating func ignored(_ recognizer: Int, _ touch: Int) {
        guard var attempt = attempts[recognizer] else { return }
        attempt.touches[touch] = nil
        if attempt.touches.isEmpty, attempt.state == .possible { attempt = Attempt() }
        attempts[recognizer] = attempt
    }

    private mutating func moved(
        _ recognizer: Int, _ from: UIGestureRecognizer.State, _ to: UIGestureRecognizer.State
    ) {
        var attempt = attempts[recognizer, default: Attempt()]
        let name = "g\(recognizer) \(from) → \(to)"
        if from != attempt.state, !(from == .began && attempt.sendsBeganLate) {
            broken(.states, "\(name), but it was \(attempt.state)")
        }
        attempt.sendsBeganLate = false
        switch (from, to) {
        case (.possible, .began), (.possible, .ended), (.possible, .failed): break
        case (.began, .changed), (.began, .ended), (.began, .cancelled): break
        case (.changed, .changed), (.changed, .ended), (.changed, .cancelled): break
        // It was excluded, or its requirement was recognized, before it sent an action (B7.2).
        case (.began, .failed), (.changed, .failed), (.ended, .failed):
            if attempt.hasActed { broken(.states, "\(name), and it has acted") }
        // It waited to send ended, and the recognizer it waited for was recognized (B7.6).
        case (.ended, .cancelled):
            if !attempt.hasActed || attempt.isDone { broken(.states, "\(name) is no legal move") }
        case (.ended, .possible), (.cancelled, .possible), (.failed, .possible):
            if !attempt.wasReset { broken(.resets, "\(name) without reset") }
            attempts[recognizer] = Attempt()
            return
        default: broken(.states, "\(name) is no legal move")
        }
        attempt.isAtWork = true
        attempt.state = to
        attempts[recognizer] = attempt
    }

    private mutating func reset(_ recognizer: Int) {
        var attempt = attempts[recognizer, default: Attempt()]
        if attempt.state.rawValue <= UIGestureRecognizer.State.changed.rawValue {
            broken(.resets, "g\(recognizer) reset while \(attempt.state)")
        }
        if attempt.wasReset { broken(.resets, "g\(recognizer) reset twice") }
        attempt.wasReset = true
        attempts[recognizer] = attempt
    }

    // MARK: Actions

    private mutating func read(_ action: JournalEntry.Action) {
        var attempt = attempts[action.recognizer, default: Attempt()]
        let name = "g\(action.recognizer) acts, \(action.state)"
        defer { attempts[action.recognizer] = attempt }
        if attempt.isDone { broken(.acting, "\(name), and it was done") }
        attempt.sendsBeganLate = action.state == .began && attempt.state != .began
        if action.state != attempt.state, !attempt.sendsBeganLate || attempt.hasActed {
            broken(.acting, "\(name), and is \(attempt.state)")
        }
        switch action.state {
        case .began, .changed: break
        case .ended: attempt.isDone = true
        case .cancelled:
            if !attempt.hasActed { broken(.acting, "\(name), and had not acted before") }
            attempt.isDone = true
            // The recognizer sends its last action. This excludes no other, and no other excludes it.
            return
        case .possible, .failed:
            broken(.acting, name)
            return
        }
        if !action.waitsFor.isEmpty {
            broken(.requirements, "\(name), and requires \(list(action.waitsFor)) to fail")
        }
        if !attempt.hasActed {
            if let winner = attempt.excludedBy { broken(.exclusion, "\(name), which g\(winner) had excluded") }
            for other in action.excludedBy {
                let rival = attempts[other, default: Attempt()]
                if rival.hasActed, rival.state.rawValue <= UIGestureRecognizer.State.ended.rawValue,
                    rival.state != .possible
                {
                    broken(.exclusion, "\(name), and g\(other), which excludes it, is \(rival.state)")
                }
            }
        }
        attempt.hasActed = true
        for other in action.excludes where other != action.recognizer {
            guard var rival = attempts[other], rival.isAtWork, !rival.hasActed else { continue }
            rival.excludedBy = action.recognizer
            attempts[other] = rival
        }
        if action.cancelsTouches {
            for touch in action.touches where taken[touch] == nil { taken[touch] = action.recognizer }
        }
    }

    // MARK: The end

    private mutating func read(_ leftovers: JournalEntry.Leftovers) {
        for (touch, known) in viewTouches.sorted(by: { $0.key < $1.key }) where !known.isOver {
            broken(.pairing, "v\(known.view) never received the end of touch \(touch)")
        }
        if !leftovers.isEnvironmentIdle { broken(.quiet, "a recognizer is active, or a touch is held") }
        if !leftovers.liveTouches.isEmpty {
            broken(.quiet, "touches \(leftovers.liveTouches) are live")
        }
        if leftovers.timers > 0 { broken(.quiet, "\(leftovers.timers) timers are armed") }
        if !leftovers.busyRecognizers.isEmpty { broken(.quiet, "\(list(leftovers.busyRecognizers)) not at rest") }
        if !leftovers.busyViews.isEmpty {
            broken(.quiet, "\(leftovers.busyViews.map { "v\($0)" }.joined(separator: ", ")) not at rest")
        }
    }

    private func list(_ recognizers: [Int]) -> String { recognizers.map { "g\($0)" }.joined(separator: ", ") }
}
