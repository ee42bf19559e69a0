// Front.swift: whose a finger is that lands, as the server's frames of acts, hellos, windows and ends have it.
//
//     from the top    dark or locked: nobody · call · alert · what a swipe has opened · keyboard · the app that floats · apps side by side · home
//     elsewhere       dark or locked: nobody · the one app that is shown on that display · nobody
//
// Whoever could be touched and cannot any more loses its touches, or is somewhere else: but what the system itself has
// shown and puts away keeps the fingers it has.
//
// Sources   invented, after Docs/Spec/Semantics.md D3–D7, S80, S86–S88

import Basics
import Settings
import Wire

/// Whose a finger is from its landing until it lifts.
enum Owner: Equatable, Sendable {
    /// By its place among the links.
    case app(Int)
    case home
    case overlay, alert, keyboard
    case shade(Front.Gesture)
    /// Landed on nothing, or taken away: dead until it lifts.
    case nobody
}

struct Front: Sendable {
    /// What a swipe from an edge opens.
    enum Gesture: Equatable, Sendable { case home, switcher, notifications, controls }

    /// What can be touched, and where.
    struct Shown: Equatable, Sendable {
        enum Who: Equatable, Sendable { case app(AppID), home, overlay, alert, keyboard, shade(Gesture) }

        let who: Who
        let frame: Rect<DisplaySpace>
    }

    /// A part of the screen that was given to an app.
    private struct Part: Sendable {
        var app: AppID?
        /// Whose it was when its link was lost.
        var missing: AppID?
        var frame: Rect<DisplaySpace>

        mutating func comes(_ one: AppID) { (app, missing) = (one, nil) }
        mutating func goes() { (app, missing) = (nil, app) }
    }

    /// A display beside the main one.
    private struct Elsewhere: Sendable {
        let number: DisplayID
        let frame: Rect<DisplaySpace>
        var app: AppID?
        /// Who was shown when its link was lost.
        var missing: AppID?
        /// An app of it was sent away.
        var isLeft = false
    }

    /// Why nothing of the home screen and the apps can be touched.
    private struct Cover: Sendable {
        var isInterrupted = false
        var isAlerted = false
        var isLocked = false
        var isDark = false
    }

    let screen: Rect<DisplaySpace>
    private let displays: Displays
    private var elsewhere: [Elsewhere] = []
    private var parts: [Part] = []
    private var floating: Part?
    private var keyboard = Fixed.zero
    private var cover = Cover()
    private var shade: Gesture?
    private var wantsHome = false
    /// To be done, in this order, as soon as all they name are there.
    private var awaited: [SystemAct] = []
    /// Told to end: this life of theirs is brought to front no more.
    private var ending: [AppID] = []
    /// Apps that have declared windows: beside those lies home.
    var seenThrough: [AppID] = []
    /// Apps that somebody has turned, and how: nobody loses a touch by it.
    private var turned: [(app: AppID, way: InterfaceOrientation)] = []
    private let orientations: Orientations

    init(_ displays: Displays, orientations: Orientations = Orientations()) {
        (self.displays, self.orientations) = (displays, orientations)
        screen = displays.geometry(of: 1).frame
        for number in displays.numbers where number > 1 {
            elsewhere.append(Elsewhere(number: number, frame: displays.geometry(of: number).frame))
        }
    }

    /// Which way up it is.
    func orientation(of app: AppID) -> InterfaceOrientation {
        turned.first { $0.app == app }?.way ?? orientations.initial(of: app)
    }

    /// All of the display it lives on.
    func home(of app: AppID) -> Rect<DisplaySpace> { displays.geometry(of: displays.display(of: app)).frame }

    /// What can be touched on this display, topmost first.
    func shown(on display: DisplayID) -> [Shown] {
        guard display > 1 else { return shown }
        guard !cover.isLocked, !cover.isDark else { return [] }
        return elsewhere.filter { $0.number == display }.compactMap { one in
            one.app.map { Shown(who: .app($0), frame: one.frame) }
        }
    }

    var shownEverywhere: [Shown] { shown + elsewhere.flatMap { shown(on: $0.number) } }

    /// What can be touched on the main display, topmost first. What covers everything is alone.
    var shown: [Shown] {
        if cover.isLocked || cover.isDark { return [] }
        if cover.isInterrupted { return [Shown(who: .overlay, frame: screen)] }
        if cover.isAlerted { return [Shown(who: .alert, frame: screen)] }
        if let shade { return [Shown(who: .shade(shade), frame: screen)] }
        var shown: [Shown] = []
        if hasKeyboard {
            let top = Fixed(rawValue: screen.height.rawValue - keyboard.rawValue)
            let frame = Rect<DisplaySpace>(x: .zero, y: top, width: screen.width, height: keyboard)
            shown.append(Shown(who: .keyboard, frame: frame))
        }
        if let part = floating, let app = part.app { shown.append(Shown(who: .app(app), frame: part.frame)) }
        for part in parts {
            if let app = part.app { shown.append(Shown(who: .app(app), frame: part.frame)) }
        }
        let isBare = parts.isEmpty || parts.contains { $0.app.map(seenThrough.contains) ?? true }
        if isBare { shown.append(Shown(who: .home, frame: screen)) }
        return shown
    }

    /// Apps that a picture of the main display shows, under whatever the system shows over them.
    var pictured: [AppID] {
        if cover.isLocked || cover.isDark { return [] }
        return parts.compactMap(\.app) + (floating?.app.map { [$0] } ?? [])
    }

    private var hasKeyboard: Bool {
        keyboard > .zero && (floating?.app != nil || parts.contains { $0.app != nil })
    }

    /// Whether it is on the screen, beneath nothing that a swipe has opened.
    func hasOnTop(_ app: AppID) -> Bool {
        elsewhere.contains { $0.app == app }
            || shade == nil && (floating?.app == app || parts.contains { $0.app == app })
    }

    // MARK: What changes it

    /// - Parameter there: Apps that have said hello.
    /// - Returns: Who loses its touches.
    mutating func take(_ act: SystemAct, there: [AppID]) -> [Shown.Who] {
        let before = shownEverywhere
        switch act {
        case .interrupt: cover.isInterrupted = true
        case .alert: cover.isAlerted = true
        case .resume: (cover.isInterrupted, cover.isAlerted, shade) = (false, false, nil)
        case .lock: (cover.isLocked, shade) = (true, nil)
        case .unlock: cover.isLocked = false
        case .display(let isOn): (cover.isDark, shade) = (!isOn, isOn ? shade : nil)
        case .keyboard(let height): keyboard = min(height, screen.height)
        case .home:
            wantsHome = true
            give([])
        case .foreground(let app):
            guard waits(for: [app], there, act) else { break }
            if let place = place(elsewhere: app) {
                awaited = awaited.filter { display(of: $0) != elsewhere[place].number }
                (elsewhere[place].app, elsewhere[place].missing, elsewhere[place].isLeft) = (app, nil, false)
            } else {
                give([app])
            }
        case .split(let left, let right):
            guard areAtHome(act), waits(for: [left, right], there, act) else { break }
            give(left == right ? [left] : [left, right])
        case .overlay(let app, let frame):
            let frame = frame.clipped(to: screen)
            guard areAtHome(act), !frame.isEmpty, waits(for: [app], there, act) else { break }
            awaited.removeAll(where: \.isOverlay)
            takeAway(app)
            floating = Part(app: app, frame: frame)
        case .suspend(let app), .terminate(let app):
            awaited.removeAll { Self.names(of: $0).contains(app) }
            let wasShown = floating?.app == app || parts.contains { $0.app == app }
            takeAway(app)
            if let place = place(elsewhere: app), elsewhere[place].app == nil { elsewhere[place].isLeft = true }
            if wasShown, !parts.contains(where: { $0.app != nil }) { wantsHome = true }
            if case .terminate = act, there.contains(app) { ending.append(app) }
        case .orientation(let app, let way):
            guard orientations.allows(way, of: app) else { break }
            turned.removeAll { $0.app == app }
            turned.append((app, way))
        }
        return losers(since: before)
    }

    /// A finger has come in over an edge. What was pulled down goes up again; else home is home.
    ///
    /// - Returns: Who loses its touches.
    mutating func take(_ gesture: Gesture) -> [Shown.Who] {
        if gesture == .home, shade == nil || shade == .switcher { return take(.home, there: []) }
        let before = shownEverywhere
        shade = gesture == .home ? nil : gesture
        return losers(since: before)
    }

    /// It has said hello.
    ///
    /// - Parameter isSameLife: Its process has been here before: only its link was lost.
    /// - Returns: Who loses its touches.
    mutating func arrived(_ app: AppID, isSameLife: Bool, there: [AppID]) -> [Shown.Who] {
        if !isSameLife {
            forget(app)
            ending.removeAll { $0 == app }
        }
        let before = shownEverywhere
        var isDone = false
        // Display by display, each in the order in which it was asked for.
        for number in [1] + elsewhere.map(\.number) {
            while let next = awaited.first(where: { display(of: $0) == number }),
                areThere(Self.names(of: next), there)
            {
                var rest = awaited
                rest.remove(at: rest.firstIndex(of: next)!)
                _ = take(next, there: there)
                (awaited, isDone) = (rest, true)
            }
        }
        if isDone { return losers(since: before) }
        if isSameLife {
            for place in parts.indices where parts[place].missing == app { parts[place].comes(app) }
            if floating?.missing == app { floating?.comes(app) }
            for place in elsewhere.indices where elsewhere[place].missing == app {
                (elsewhere[place].app, elsewhere[place].missing) = (app, nil)
            }
            return losers(since: before)
        }
        if let place = place(elsewhere: app) {
            let isWanted = elsewhere[place].app == nil && !elsewhere[place].isLeft
            if isWanted, displays.firstApp(on: elsewhere[place].number) == app {
                (elsewhere[place].app, elsewhere[place].missing) = (app, nil)
            }
            return []
        }
        // What lies on the home screen then lifts there.
        if app == 1, !wantsHome, !parts.contains(where: { $0.app != nil }) { parts = [Part(app: 1, frame: screen)] }
        return []
    }

    mutating func left(_ app: AppID) {
        for place in parts.indices where parts[place].app == app { parts[place].goes() }
        if floating?.app == app { floating?.goes() }
        for place in elsewhere.indices where elsewhere[place].app == app {
            (elsewhere[place].app, elsewhere[place].missing) = (nil, app)
        }
    }

    // MARK: Parts of it

    /// Nil of one that lives on the main display.
    private func place(elsewhere app: AppID) -> Int? {
        elsewhere.firstIndex { $0.number == displays.display(of: app) }
    }

    private func display(of act: SystemAct) -> DisplayID { Self.names(of: act).first.map(displays.display) ?? 1 }

    /// Two side by side, and one over others, are the main display's.
    private func areAtHome(_ act: SystemAct) -> Bool {
        Self.names(of: act).allSatisfy { displays.display(of: $0) == 1 }
    }

    private mutating func give(_ apps: [AppID]) {
        let half = Fixed(rawValue: screen.width.rawValue / 2)
        let rest = Fixed(rawValue: screen.width.rawValue - half.rawValue)
        (floating, keyboard, shade) = (nil, .zero, nil)
        awaited = awaited.filter { display(of: $0) != 1 }
        switch apps.count {
        case 0: parts = []
        case 1: parts = [Part(app: apps[0], frame: screen)]
        default:
            parts = [
                Part(app: apps[0], frame: Rect(x: .zero, y: .zero, width: half, height: screen.height)),
                Part(app: apps[1], frame: Rect(x: half, y: .zero, width: rest, height: screen.height)),
            ]
        }
    }

    /// Its part is free, and shows home.
    private mutating func takeAway(_ app: AppID) {
        forget(app)
        for place in parts.indices where parts[place].app == app { parts[place].app = nil }
        if floating?.app == app { floating = nil }
        for place in elsewhere.indices where elsewhere[place].app == app { elsewhere[place].app = nil }
        closeUp()
    }

    private mutating func forget(_ app: AppID) {
        for place in parts.indices where parts[place].missing == app { parts[place].missing = nil }
        if floating?.missing == app { floating = nil }
        for place in elsewhere.indices where elsewhere[place].missing == app { elsewhere[place].missing = nil }
        closeUp()
    }

    private mutating func closeUp() {
        if parts.allSatisfy({ $0.app == nil && $0.missing == nil }) { parts = [] }
    }

    /// Whether it can be done; else it waits for those who are not there, and for nobody else any more.
    private mutating func waits(for apps: [AppID], _ there: [AppID], _ act: SystemAct) -> Bool {
        if areThere(apps, there) { return true }
        let number = display(of: act)
        if let place = elsewhere.firstIndex(where: { $0.number == number }) {
            awaited = awaited.filter { display(of: $0) != number } + [act]
            elsewhere[place].missing = nil
            return false
        }
        awaited = awaited.filter { display(of: $0) != 1 || act.isOverlay && !$0.isOverlay }
        awaited.append(act)
        for place in parts.indices { parts[place].missing = nil }
        floating?.missing = nil
        closeUp()
        return false
    }

    private func areThere(_ apps: [AppID], _ there: [AppID]) -> Bool {
        apps.allSatisfy { there.contains($0) && !ending.contains($0) }
    }

    private static func names(of act: SystemAct) -> [AppID] {
        switch act {
        case .foreground(let app), .overlay(let app, _): [app]
        case .split(let app, let other): [app, other]
        default: []
        }
    }

    private func losers(since before: [Shown]) -> [Shown.Who] {
        let after = shownEverywhere
        return before.filter { old in
            guard !after.contains(old) else { return false }
            switch old.who {
            case .app, .home: return true
            case .overlay: return cover.isInterrupted
            case .alert: return cover.isAlerted
            case .shade(let one): return shade == one
            case .keyboard: return hasKeyboard && !after.contains { $0.who == .keyboard }
            }
        }.map(\.who)
    }
}

extension SystemAct {
    fileprivate var isOverlay: Bool { if case .overlay = self { true } else { false } }
}

/// An app's windows as it has declared them.
struct DeclaredWindows: Sendable {
    private(set) var number: UInt32 = 0
    private var windows: [SceneWindow] = []

    var all: [SceneWindow] { windows }

    static let limit = 10_000

    /// - Returns: Whether an honest app says it. One that does not has declared nothing.
    mutating func take(_ diff: WindowsDiff) -> Bool {
        if diff.isWhole {
            windows.removeAll()
        } else if diff.number != number &+ 1 {
            return true
        }
        for change in diff.changes {
            switch change {
            case .put(let window):
                if let known = windows.firstIndex(where: { $0.id == window.id }) {
                    windows[known] = window
                } else {
                    guard windows.count < Self.limit else { return false }
                    windows.append(window)
                }
            case .remove(let id):
                guard let known = windows.firstIndex(where: { $0.id == id }) else { return false }
                windows.remove(at: known)
            }
        }
        number = diff.number
        return true
    }

    func takes(_ position: Point<SceneSpace>) -> Bool {
        windows.contains { !$0.isHidden && $0.takesTouches && $0.frame.contains(position) }
    }
}
