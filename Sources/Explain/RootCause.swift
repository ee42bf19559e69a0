// RootCause.swift: why an interaction did what it did, or why nothing: one of these, and no second.
//
// Fed by    Interaction.cause
// Sources   invented, after law I8

import Basics

public enum RootCause: Hashable, Sendable {
    // Something was called.
    case recognized(String, in: String, actions: [String])
    case action(trigger: String, target: String)

    // Nobody was told.
    /// Input-kit sent it, or nobody did, and the server has said nothing of it.
    case unrouted
    /// The screen is locked: nobody takes what lands.
    case landedOnNothing
    /// The server's word for why: dead until it lifts, nobody saw it land, no room.
    case dropped(String)
    /// The home screen, or what lies above every app.
    case taken(by: String)
    case appGone(app: String)
    /// Its app has said nothing of it.
    case unheard(app: String)
    /// Nor of anything else: its main loop is at work on something, or it is stopped.
    case unresponsive(app: String)
    /// Its app took nothing: an inbox full, frames that waited too long, or are missing.
    case appRefused(app: String, String)

    // The app knew, and no view.
    case noView(asked: Int64)
    case ignored(String)
    /// What lies there takes no touches; who got it instead had no use for it.
    case passedOver(String, hit: String?)

    // A view had it.
    case disabled(String)
    case cancelled(by: Cancellation)
    /// The innermost recogniser that gave it up, with measure and limit.
    case failed(String, String)
    case undecided(String, Interaction.Verdict)
    /// The view has heard it all, and nothing there acts on it.
    case unclaimed(view: String?)
}

extension RootCause {
    /// Whether something of the app's was called.
    public var isAction: Bool {
        switch self {
        case .recognized, .action: true
        case .unrouted, .landedOnNothing, .dropped, .taken, .appGone, .unheard, .unresponsive, .appRefused, .noView,
            .ignored, .passedOver, .disabled, .cancelled, .failed, .undecided, .unclaimed:
            false
        }
    }

    /// One word, for scripts.
    public var word: String {
        switch self {
        case .recognized: "recognized"
        case .action: "action"
        case .unrouted: "unrouted"
        case .landedOnNothing: "landedOnNothing"
        case .dropped: "dropped"
        case .taken: "taken"
        case .appGone: "appGone"
        case .unheard: "unheard"
        case .unresponsive: "unresponsive"
        case .appRefused: "appRefused"
        case .noView: "noView"
        case .ignored: "ignored"
        case .passedOver: "passedOver"
        case .disabled: "disabled"
        case .cancelled(let cancellation): cancellation.word
        case .failed: "failed"
        case .undecided: "undecided"
        case .unclaimed: "unclaimed"
        }
    }
}

extension RootCause: CustomStringConvertible {
    /// For a person, in one line.
    public var description: String {
        switch self {
        case .recognized(let name, let state, let actions):
            "\(name) was recognised, \(state == "cancelled" ? "then cancelled" : state)"
                + (actions.isEmpty ? "" : ": \(actions.joined(separator: ", "))")
        case .action(let trigger, let target): "\(trigger) called \(target)"
        case .unrouted: "system-server has said nothing of it"
        case .landedOnNothing: "the screen is locked"
        case .dropped(let why): "system-server dropped it: \(why)"
        case .taken(let recipient): recipient == "home" ? "the home screen took it" : "\(recipient) lies above all apps"
        case .appGone(let app): "\(app) is gone: it died, or its link was lost"
        case .unheard(let app): "\(app) has said nothing of it"
        case .unresponsive(let app): "\(app) does not respond"
        case .appRefused(let app, let why): "\(app) did not take it: \(why)"
        case .noView(let asked): "no view claims the point, of \(asked) asked"
        case .ignored(let why): why
        case .passedOver(let view, let hit):
            "isUserInteractionEnabled of \(view) is false"
                + (hit.map { "; \($0) behind it has no use for it" } ?? "")
        case .disabled(let control): "\(control) is disabled"
        case .cancelled(let why): "cancelled: \(why)"
        case .failed(let name, let why): "\(name) failed: \(why)"
        case .undecided(let name, let verdict): "\(name) \(verdict)"
        case .unclaimed(let view): "\(view ?? "whoever") heard it, and no recogniser or control acts on it"
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
        case .recognised: "was recognised"
        case .cancelled: "was cancelled"
        case .held(let time, let isDiscarded, let why):
            "held the touch \(time.milliseconds), then \(isDiscarded ? "discarded" : "released") it: \(why)"
        }
    }
}
