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
    /// Its app has noted nothing at all: its main loop is busy, or it is stopped.
    case unresponsive(app: String)
    /// Its app refused it: a full inbox, frames that waited too long, or missing frames.
    case appRefused(app: String, String)

    // The app received it, and no view.
    case noView(asked: Int64)
    case ignored(String)
    /// The view at the position accepts no touches, and the view that received them instead did not use them.
    case passedOver(String, hit: String?)

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
        case .recognized, .action: true
        case .unrouted, .landedOnNothing, .dropped, .taken, .appGone, .notReceived, .unresponsive, .appRefused, .noView,
            .ignored, .passedOver, .disabled, .cancelled, .failed, .undecided, .unclaimed:
            false
        }
    }

    /// One word, for scripts.
    public var code: String {
        switch self {
        case .recognized: "recognized"
        case .action: "action"
        case .unrouted: "unrouted"
        case .landedOnNothing: "landedOnNothing"
        case .dropped: "dropped"
        case .taken: "taken"
        case .appGone: "appGone"
        case .notReceived: "notReceived"
        case .unresponsive: "unresponsive"
        case .appRefused: "appRefused"
        case .noView: "noView"
        case .ignored: "ignored"
        case .passedOver: "passedOver"
        case .disabled: "disabled"
        case .cancelled(let cancellation): cancellation.code
        case .failed: "failed"
        case .undecided: "undecided"
        case .unclaimed: "unclaimed"
        }
    }
}

extension RootCause: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .recognized(let name, let state, let actions):
            "\(name) was recognized, \(state == "cancelled" ? "then cancelled" : state)"
                + (actions.isEmpty ? "" : ": \(actions.joined(separator: ", "))")
        case .action(let trigger, let target): "\(trigger) called \(target)"
        case .unrouted: "system-server noted nothing about it"
        case .landedOnNothing: "the screen is locked"
        case .dropped(let why): "system-server dropped it: \(why)"
        case .taken(let recipient): recipient == "home" ? "the home screen took it" : "\(recipient) lies above all apps"
        case .appGone(let app): "\(app) exited, or its link was lost"
        case .notReceived(let app): "\(app) noted nothing about it"
        case .unresponsive(let app): "\(app) does not respond"
        case .appRefused(let app, let why): "\(app) refused it: \(why)"
        case .noView(let asked): "none of \(asked) views contains the point"
        case .ignored(let why): why
        case .passedOver(let view, let hit):
            "isUserInteractionEnabled of \(view) is false"
                + (hit.map { "; \($0) behind it does not use it" } ?? "")
        case .disabled(let control): "\(control) is disabled"
        case .cancelled(let why): "cancelled: \(why)"
        case .failed(let name, let why): "\(name) failed: \(why)"
        case .undecided(let name, let verdict): "\(name) \(verdict)"
        case .unclaimed(let view): "\(view ?? "a view") received it, and no recognizer or control acts on it"
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
