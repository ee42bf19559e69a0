// StandingActs.swift: what the phone has been told to be, in as few words as tell it to a server that knows nothing.
//
// Station   process
// Fed by    SupervisorCore: every act a person asked for
// Feeds     SupervisorCore: what each new server hears first. A server that ends must not unlock the screen.
//
// Sources   invented, after PIPELINE.md F2 and T9

import Wire

extension [SystemAct] {
    /// Which app is shown, then what covers it.
    mutating func remember(_ act: SystemAct) {
        switch act {
        case .home, .foreground, .split:
            removeAll { $0.showsSomething }
            insert(act, at: 0)
        case .overlay:
            removeAll { if case .overlay = $0 { true } else { false } }
            insert(act, at: prefix { $0.showsSomething }.count)
        case .suspend(let app), .terminate(let app):
            for place in indices { self[place] = self[place].without(app) }
            removeAll { if case .overlay(app, _) = $0 { true } else { false } }
        case .alert:
            if !contains(.alert) { append(act) }
        case .display(let isOn):
            removeAll { if case .display = $0 { true } else { false } }
            if !isOn { append(act) }
        // Whoever wants it asks for it again.
        case .keyboard: return
        case .interrupt:
            if !contains(.interrupt) { append(act) }
        case .lock:
            if !contains(.lock) { append(act) }
        // Of each app its last, whether it is shown or not.
        case .orientation(let app, _):
            removeAll { if case .orientation(app, _) = $0 { true } else { false } }
            append(act)
        case .resume: removeAll { $0 == .interrupt || $0 == .alert }
        case .unlock: removeAll { $0 == .lock }
        }
    }
}

extension SystemAct {
    fileprivate var showsSomething: Bool {
        switch self {
        case .home, .foreground, .split, .overlay: true
        case .interrupt, .alert, .resume, .lock, .unlock, .suspend, .terminate, .keyboard, .display, .orientation: false
        }
    }

    /// Apps it puts on the screen.
    var shownApps: [UInt32] {
        switch self {
        case .foreground(let app), .overlay(let app, _): [app]
        case .split(let app, let other): app == other ? [app] : [app, other]
        case .home, .interrupt, .alert, .resume, .lock, .unlock, .suspend, .terminate, .keyboard, .display,
            .orientation:
            []
        }
    }

    /// What is shown when one app has left the screen.
    fileprivate func without(_ app: UInt32) -> SystemAct {
        switch self {
        case .foreground(app): .home
        case .split(app, let other): other == app ? .home : .foreground(app: other)
        case .split(let other, app): .foreground(app: other)
        default: self
        }
    }
}
