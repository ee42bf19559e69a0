// ActsInForce.swift: the acts that are in force, reduced to the fewest that restore the screen.
//
// Station   process
// Input     ChildTable: every act that a controller requested
// Output    ChildTable: the first messages to each new server. The death of a server must not unlock the screen.
//
// Sources   invented, after Docs/Spec/Pipeline.md F2 and T9

import Basics
import Settings
import Wire

extension [SystemAct] {
    /// Adds an act and removes the acts that it replaces. The app of each display comes first, then the covers of the
    /// main display.
    mutating func add(_ act: SystemAct, on displays: Displays) {
        switch act {
        case .home, .foreground, .split:
            let display = act.display(displays)
            removeAll { $0.showsSomething && $0.display(displays) == display }
            insert(act, at: 0)
        case .overlay:
            removeAll { if case .overlay = $0 { true } else { false } }
            insert(act, at: prefix { $0.showsSomething }.count)
        case .suspend(let app), .terminate(let app):
            let display = displays.display(of: app)
            guard display == 1 else {
                removeAll { $0 == .foreground(app: app) }
                let isFree = !contains { $0.showsSomething && $0.display(displays) == display }
                if isFree { insert(.suspend(app: app), at: 0) }
                return
            }
            for place in indices { self[place] = self[place].without(app) }
            removeAll { if case .overlay(app, _) = $0 { true } else { false } }
        case .alert:
            if !contains(.alert) { append(act) }
        case .display(let isOn):
            removeAll { if case .display = $0 { true } else { false } }
            if !isOn { append(act) }
        // The keyboard is not restored: the app requests it again.
        case .keyboard: return
        case .interrupt:
            if !contains(.interrupt) { append(act) }
        case .lock:
            if !contains(.lock) { append(act) }
        // The last orientation of each app is kept, whether it is shown or not.
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
        // Kept only for a display other than the main one: nothing is shown there.
        case .suspend: true
        case .interrupt, .alert, .resume, .lock, .unlock, .terminate, .keyboard, .display, .orientation: false
        }
    }

    /// The display on which it shows something.
    fileprivate func display(_ displays: Displays) -> DisplayID {
        if case .suspend(let app) = self { return displays.display(of: app) }
        return shownApps.first.map(displays.display) ?? 1
    }

    /// The app that the act cannot show: split views and overlays exist on the main display only. Nil if it can show
    /// all.
    func unshowableApp(on displays: Displays) -> AppID? {
        switch self {
        case .split, .overlay: shownApps.first { displays.display(of: $0) != 1 }
        case .home, .foreground, .interrupt, .alert, .resume, .lock, .unlock, .suspend, .terminate, .keyboard,
            .display, .orientation:
            nil
        }
    }

    /// The apps that the act shows.
    var shownApps: [AppID] {
        switch self {
        case .foreground(let app), .overlay(let app, _): [app]
        case .split(let app, let other): app == other ? [app] : [app, other]
        case .home, .interrupt, .alert, .resume, .lock, .unlock, .suspend, .terminate, .keyboard, .display,
            .orientation:
            []
        }
    }

    /// The act that remains when one app has left the screen.
    fileprivate func without(_ app: AppID) -> SystemAct {
        switch self {
        case .foreground(app): .home
        case .split(app, let other): other == app ? .home : .foreground(app: other)
        case .split(let other, app): .foreground(app: other)
        default: self
        }
    }
}
