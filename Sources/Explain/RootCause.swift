// RootCause.swift: the single cause of an interaction's outcome.
//
// Input     Interaction.cause
// Sources   invented, after law I8

import Basics

/// The cause of an outcome.
public enum RootCause: Hashable, Sendable {
    // The app's code was called.
    case recognized(String, in: String, actions: [String])
    case action(trigger: String, target: String)
    case selected(String, in: String)

    // No app received it.
    /// The server has noted nothing about it.
    case unrouted
    /// The screen is locked: no app receives touches.
    case landedOnNothing
    /// The server's reason: the contact is ignored until it lifts, its touch-down is missing, there is no room.
    case dropped(String)
    /// The home screen, or content above every app.
    case taken(by: String)
    case appGone(app: String)
    /// Its app has noted nothing about it.
    case notReceived(app: String)
    /// Its app has received it, and ran on another machine, which has the facts.
    case elsewhere(app: String)
    /// Its app has noted nothing at all: its main loop is busy, or it is stopped.
    case unresponsive(app: String)
    /// Its app refused it: a full inbox, frames that waited too long, or missing frames.
    case appRefused(app: String, String)

    // The app received it, and no view.
    case noView(asked: Int64)
    case ignored(String)
    /// The view at the position accepts no touches, and the view that received them instead did not use them.
    case passedOver(String, hit: String?)
    /// The hit view did not use it, or none was hit, and a view at the position was passed over for a reason.
    case behind(String?, front: String, String)

    // A view received it.
    case disabled(String)
    case cancelled(by: Cancellation)
    /// The innermost recognizer that failed, with measure and limit.
    case failed(String, String)
    case undecided(String, Interaction.Verdict)
    /// The view received everything, and nothing acts on it.
    case unclaimed(view: String?)
}

extension RootCause {
    /// Whether the app's code was called.
    public var isAction: Bool {
        switch self {
        case .recognized, .action, .selected: true
        case .unrouted, .landedOnNothing, .dropped, .taken, .appGone, .notReceived, .elsewhere, .unresponsive,
            .appRefused, .noView,
            .ignored, .passedOver, .behind, .disabled, .cancelled, .failed, .undecided, .unclaimed:
            false
        }
    }

    /// One word, for scripts.
    public var code: String {
        switch self {
        case .recognized: "recognized"
        case .action, .selected: "action"
        case .unrouted: "unrouted"
        case .landedOnNothing: "landedOnNothing"
        case .dropped: "dropped"
        case .taken: "taken"
        case .appGone: "appGone"
        case .notReceived: "notReceived"
        case .elsewhere: "elsewhere"
        case .unresponsive: "unresponsive"
        case .appRefused: "appRefused"
        case .noView: "noView"
        case .ignored: "ignored"
        case .passedOver, .behind: "passedOver"
        case .disabled: "disabled"
        case .cancelled(let cancellation): cancellation.code
        case .failed: "failed"
        case .undecided: "undecided"
        case .unclaimed: "unclaimed"
        }
    }
}

extension RootCause {
    /// One sentence for a person.
    public var phrase: Phrase {
        switch self {
        case .recognized(let name, let state, let actions):
            recognition(name, state, actions.isEmpty ? "" : ": \(actions.joined(separator: ", "))")
        case .selected(let row, let table): Phrase(.selects, .name(table), .reason(row))
        case .action(let trigger, let target): Phrase(.actionCalled, .name(trigger), .name(target))
        case .unrouted: Phrase(.unrouted)
        case .landedOnNothing: Phrase(.ignored, .reason("the screen is locked"))
        case .dropped(let why): Phrase(.dropped, .reason(why))
        case .taken(let recipient): recipient == "home" ? Phrase(.homeTook) : Phrase(.aboveApps, .name(recipient))
        case .appGone(let app): Phrase(.appGone, .name(app))
        case .notReceived(let app): Phrase(.notReceived, .name(app))
        case .elsewhere(let app): Phrase(.elsewhere, .name(app))
        case .unresponsive(let app): Phrase(.ignored, .reason("\(app) does not respond"))
        case .appRefused(let app, let why): Phrase(.refusedByApp, .name(app), .reason(why))
        case .noView(let asked): Phrase(.noView, .count(asked))
        case .ignored(let why): Phrase(.ignored, .reason(why))
        case .passedOver(let view, nil): Phrase(.passedOver, .name(view))
        case .passedOver(let view, let hit?): Phrase(.passedOverBehind, .name(view), .name(hit))
        case .behind(nil, let front, let why): Phrase(.onlyPassed, .name(front), .reason(why))
        case .behind(let view?, let front, let why):
            Phrase(.behind, .name(view), .name(front), .reason(why))
        case .disabled(let control): Phrase(.controlDisabled, .name(control))
        case .cancelled(let why): Phrase(.cancelled, .reason("\(why)"))
        case .failed(let name, let why): Phrase(.recognizerFailed, .name(name), .reason(why))
        case .undecided(let name, let verdict): verdict.phrase(of: name)
        case .unclaimed(let view): Phrase(.unclaimed, .name(view ?? "a view"))
        }
    }

    private func recognition(_ name: String, _ state: String, _ actions: String) -> Phrase {
        state == "cancelled"
            ? Phrase(.recognizedThenCancelled, .name(name), .name(actions))
            : Phrase(.recognized, .name(name), .name(state + actions))
    }
}

extension RootCause: CustomStringConvertible {
    /// One line for a person.
    public var description: String { phrase.text(in: .english) }
}

extension Interaction.Verdict {
    /// The verdict of the recognizer with this name, as a sentence.
    func phrase(of name: String) -> Phrase {
        switch self {
        case .undecided(nil): Phrase(.recognizerUndecided, .name(name))
        case .undecided(let until?): Phrase(.recognizerUndecidedUntil, .name(name), .moment(until))
        case .waiting(let other): Phrase(.recognizerWaits, .name(name), .name(other))
        case .failed(let why): Phrase(.recognizerFailed, .name(name), .reason(why))
        case .recognized: Phrase(.recognized, .name(name), .name("ended"))
        case .cancelled: Phrase(.recognizedThenCancelled, .name(name), .name(""))
        case .held(let time, _, let why): Phrase(.recognizerHeld, .name(name), .duration(time), .reason(why))
        }
    }
}

extension Interaction.Verdict: CustomStringConvertible {
    public var description: String {
        switch self {
        case .undecided(nil): "is undecided"
        case .undecided(let until?): "is undecided until \(until)"
        case .waiting(let other): "waits: \(other) has not failed"
        case .failed(let why): "failed: \(why)"
        case .recognized: "was recognized"
        case .cancelled: "was cancelled"
        case .held(let time, let isDiscarded, let why):
            "held the touch \(time.milliseconds), then \(isDiscarded ? "discarded" : "released") it: \(why)"
        }
    }
}
