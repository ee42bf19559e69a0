// Front.swift: the owner of a finger that lands, derived from acts, hellos, windows and ends.
//
//     main display    dark or locked: none · call · alert · opened by a swipe · keyboard · floating app · apps · home
//     others          dark or locked: none · the app shown on that display · none
//
// Input     Audit+Server, Audit+Gestures
// Output    the scenes from top to bottom; the owners that lose their touches
// Knows     acts and frames. No state of the server.
//
// A scene that is covered, moved or removed loses its touches. A scene of the system that the system itself hides keeps
// the fingers that it has.
//
// Sources   invented, after Docs/Spec/Semantics.md D3–D7, S80, S86–S88

import Basics
import Settings
import Wire

/// The owner of a finger from its landing to its lift.
enum Owner: Equatable, Sendable {
    /// An app, by the index of its link.
    case app(Int)
    case home
    case overlay, alert, keyboard
    case shade(Front.Gesture)
    /// No owner: the finger landed where nothing is, or was taken away; it is ignored until it lifts.
    case ignored
}

/// The scenes on all displays.
struct Front: Sendable {
    /// The result of a swipe from an edge.
    enum Gesture: Equatable, Sendable { case home, switcher, notifications, controls }

    /// A scene that can receive touches, with its frame.
    struct VisibleScene: Equatable, Sendable {
        enum Content: Equatable, Sendable { case app(AppID), home, overlay, alert, keyboard, shade(Gesture) }

        let content: Content
        let frame: Rect<DisplaySpace>
    }

    /// A part of the screen that an app has.
    private struct Part: Sendable {
        var app: AppID?
        /// The app that had the part when its link was lost.
        var missing: AppID?
        var frame: Rect<DisplaySpace>

        mutating func assign(_ one: AppID) { (app, missing) = (one, nil) }
        mutating func noteLinkLoss() { (app, missing) = (nil, app) }
    }

    /// A display other than the main one.
    private struct OtherDisplay: Sendable {
        let number: DisplayID
        let frame: Rect<DisplaySpace>
        var app: AppID?
        /// The app that was shown when its link was lost.
        var missing: AppID?
        /// Whether an app of this display was sent away.
        var isDismissed = false
    }

    /// The states that cover the home screen and all apps.
    private struct Cover: Sendable {
        var isInterrupted = false
        var isAlerted = false
        var isLocked = false
        var isDark = false
    }

    let screen: Rect<DisplaySpace>
    private let displays: Displays
    private var otherDisplays: [OtherDisplay] = []
    private var parts: [Part] = []
    private var floating: Part?
    private var keyboard = Fixed.zero
    private var cover = Cover()
    private var shade: Gesture?
    private var wantsHome = false
    /// Acts that are carried out in this order once all of their apps are linked.
    private var awaited: [SystemAct] = []
    /// Apps that were asked to terminate. Their present process is not brought to the front again.
    private var ending: [AppID] = []
    /// Apps that have declared windows. Touches beside their windows land on the home screen.
    var appsWithWindows: [AppID] = []
    /// Apps that were rotated, with their orientation. A rotation ends no touch.
    private var rotations: [(app: AppID, way: InterfaceOrientation)] = []
    private let orientations: Orientations

    init(_ displays: Displays, orientations: Orientations = Orientations()) {
        (self.displays, self.orientations) = (displays, orientations)
        screen = displays.geometry(of: 1).frame
        for number in displays.numbers where number > 1 {
            otherDisplays.append(OtherDisplay(number: number, frame: displays.geometry(of: number).frame))
        }
    }

    /// Returns the orientation of an app.
    func orientation(of app: AppID) -> InterfaceOrientation {
        rotations.first { $0.app == app }?.way ?? orientations.initial(of: app)
    }

    /// Returns the frame of the display that the app belongs to.
    func displayFrame(of app: AppID) -> Rect<DisplaySpace> { displays.geometry(of: displays.display(of: app)).frame }

    /// Returns the scenes of this display that can receive touches, topmost first.
    func shown(on display: DisplayID) -> [VisibleScene] {
        guard display > 1 else { return shown }
        guard !cover.isLocked, !cover.isDark else { return [] }
        return otherDisplays.filter { $0.number == display }.compactMap { one in
            one.app.map { VisibleScene(content: .app($0), frame: one.frame) }
        }
    }

    var shownEverywhere: [VisibleScene] { shown + otherDisplays.flatMap { shown(on: $0.number) } }

    /// The scenes of the main display that can receive touches, topmost first. A scene that covers everything is the
    /// only one.
    var shown: [VisibleScene] {
        if cover.isLocked || cover.isDark { return [] }
        if cover.isInterrupted { return [VisibleScene(content: .overlay, frame: screen)] }
        if cover.isAlerted { return [VisibleScene(content: .alert, frame: screen)] }
        if let shade { return [VisibleScene(content: .shade(shade), frame: screen)] }
        var shown: [VisibleScene] = []
        if hasKeyboard {
            let top = Fixed(rawValue: screen.height.rawValue - keyboard.rawValue)
            let frame = Rect<DisplaySpace>(x: .zero, y: top, width: screen.width, height: keyboard)
            shown.append(VisibleScene(content: .keyboard, frame: frame))
        }
        if let part = floating, let app = part.app { shown.append(VisibleScene(content: .app(app), frame: part.frame)) }
        for part in parts {
            if let app = part.app { shown.append(VisibleScene(content: .app(app), frame: part.frame)) }
        }
        let isBare = parts.isEmpty || parts.contains { $0.app.map(appsWithWindows.contains) ?? true }
        if isBare { shown.append(VisibleScene(content: .home, frame: screen)) }
        return shown
    }

    /// The apps in a screenshot of the main display, including those beneath scenes of the system.
    var pictured: [AppID] {
        if cover.isLocked || cover.isDark { return [] }
        return parts.compactMap(\.app) + (floating?.app.map { [$0] } ?? [])
    }

    private var hasKeyboard: Bool {
        keyboard > .zero && (floating?.app != nil || parts.contains { $0.app != nil })
    }

    /// Whether the app is shown and not covered by a scene that a swipe opened.
    func hasOnTop(_ app: AppID) -> Bool {
        otherDisplays.contains { $0.app == app }
            || shade == nil && (floating?.app == app || parts.contains { $0.app == app })
    }

    // MARK: Changes

    /// Applies an act.
    ///
    /// - Parameter linkedApps: The apps that are linked to the server.
    /// - Returns: The owners that lose their touches.
    mutating func apply(_ act: SystemAct, linkedApps: [AppID]) -> [VisibleScene.Content] {
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
            showSideBySide([])
        case .foreground(let app):
            guard admitOrAwait(apps: [app], linkedApps, act) else { break }
            if let index = displayIndex(of: app) {
                awaited = awaited.filter { display(of: $0) != otherDisplays[index].number }
                (otherDisplays[index].app, otherDisplays[index].missing, otherDisplays[index].isDismissed) = (
                    app, nil, false
                )
            } else {
                showSideBySide([app])
            }
        case .split(let left, let right):
            guard areOnMainDisplay(act), admitOrAwait(apps: [left, right], linkedApps, act) else { break }
            showSideBySide(left == right ? [left] : [left, right])
        case .overlay(let app, let frame):
            let frame = frame.clipped(to: screen)
            guard areOnMainDisplay(act), !frame.isEmpty, admitOrAwait(apps: [app], linkedApps, act) else { break }
            awaited.removeAll(where: \.isOverlay)
            remove(app)
            floating = Part(app: app, frame: frame)
        case .suspend(let app), .terminate(let app):
            awaited.removeAll { Self.names(of: $0).contains(app) }
            let wasShown = floating?.app == app || parts.contains { $0.app == app }
            remove(app)
            if let index = displayIndex(of: app), otherDisplays[index].app == nil {
                otherDisplays[index].isDismissed = true
            }
            if wasShown, !parts.contains(where: { $0.app != nil }) { wantsHome = true }
            if case .terminate = act, linkedApps.contains(app) { ending.append(app) }
        case .orientation(let app, let way):
            guard orientations.allows(way, of: app) else { break }
            rotations.removeAll { $0.app == app }
            rotations.append((app, way))
        }
        return losers(since: before)
    }

    /// Applies a system gesture. A home swipe closes a scene that was pulled down; otherwise it goes to the home
    /// screen.
    ///
    /// - Returns: The owners that lose their touches.
    mutating func apply(_ gesture: Gesture) -> [VisibleScene.Content] {
        if gesture == .home, shade == nil || shade == .switcher { return apply(.home, linkedApps: []) }
        let before = shownEverywhere
        shade = gesture == .home ? nil : gesture
        return losers(since: before)
    }

    /// Handles the hello of an app.
    ///
    /// - Parameter isSameProcess: Whether the process is the same as before, and only its link was lost.
    /// - Returns: The owners that lose their touches.
    mutating func handleHello(of app: AppID, isSameProcess: Bool, linkedApps: [AppID]) -> [VisibleScene.Content] {
        if !isSameProcess {
            forget(app)
            ending.removeAll { $0 == app }
        }
        let before = shownEverywhere
        var isDone = false
        // Each display has its own order of acts.
        for number in [1] + otherDisplays.map(\.number) {
            while let next = awaited.first(where: { display(of: $0) == number }),
                areLinked(Self.names(of: next), linkedApps)
            {
                var rest = awaited
                rest.remove(at: rest.firstIndex(of: next)!)
                _ = apply(next, linkedApps: linkedApps)
                (awaited, isDone) = (rest, true)
            }
        }
        if isDone { return losers(since: before) }
        if isSameProcess {
            for index in parts.indices where parts[index].missing == app { parts[index].assign(app) }
            if floating?.missing == app { floating?.assign(app) }
            for index in otherDisplays.indices where otherDisplays[index].missing == app {
                (otherDisplays[index].app, otherDisplays[index].missing) = (app, nil)
            }
            return losers(since: before)
        }
        if let index = displayIndex(of: app) {
            let isWanted = otherDisplays[index].app == nil && !otherDisplays[index].isDismissed
            if isWanted, displays.firstApp(on: otherDisplays[index].number) == app {
                (otherDisplays[index].app, otherDisplays[index].missing) = (app, nil)
            }
            return []
        }
        // Fingers that landed on the home screen stay there until they lift.
        if app == 1, !wantsHome, !parts.contains(where: { $0.app != nil }) { parts = [Part(app: 1, frame: screen)] }
        return []
    }

    /// Handles the loss of an app's link.
    mutating func handleLinkLoss(of app: AppID) {
        for index in parts.indices where parts[index].app == app { parts[index].noteLinkLoss() }
        if floating?.app == app { floating?.noteLinkLoss() }
        for index in otherDisplays.indices where otherDisplays[index].app == app {
            (otherDisplays[index].app, otherDisplays[index].missing) = (nil, app)
        }
    }

    // MARK: Parts and displays

    /// Returns the index of the app's display; nil if the app belongs to the main display.
    private func displayIndex(of app: AppID) -> Int? {
        otherDisplays.firstIndex { $0.number == displays.display(of: app) }
    }

    private func display(of act: SystemAct) -> DisplayID { Self.names(of: act).first.map(displays.display) ?? 1 }

    /// Whether all apps of the act belong to the main display, as split view and overlay require.
    private func areOnMainDisplay(_ act: SystemAct) -> Bool {
        Self.names(of: act).allSatisfy { displays.display(of: $0) == 1 }
    }

    private mutating func showSideBySide(_ apps: [AppID]) {
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

    /// Removes an app from its part, which then shows the home screen.
    private mutating func remove(_ app: AppID) {
        forget(app)
        for index in parts.indices where parts[index].app == app { parts[index].app = nil }
        if floating?.app == app { floating = nil }
        for index in otherDisplays.indices where otherDisplays[index].app == app { otherDisplays[index].app = nil }
        removeEmptyParts()
    }

    private mutating func forget(_ app: AppID) {
        for index in parts.indices where parts[index].missing == app { parts[index].missing = nil }
        if floating?.missing == app { floating = nil }
        for index in otherDisplays.indices where otherDisplays[index].missing == app {
            otherDisplays[index].missing = nil
        }
        removeEmptyParts()
    }

    private mutating func removeEmptyParts() {
        if parts.allSatisfy({ $0.app == nil && $0.missing == nil }) { parts = [] }
    }

    /// Whether the act can be carried out. Otherwise it waits for its apps, and replaces the acts that waited before
    /// it.
    private mutating func admitOrAwait(apps: [AppID], _ there: [AppID], _ act: SystemAct) -> Bool {
        if areLinked(apps, there) { return true }
        let number = display(of: act)
        if let index = otherDisplays.firstIndex(where: { $0.number == number }) {
            awaited = awaited.filter { display(of: $0) != number } + [act]
            otherDisplays[index].missing = nil
            return false
        }
        awaited = awaited.filter { display(of: $0) != 1 || act.isOverlay && !$0.isOverlay }
        awaited.append(act)
        for index in parts.indices { parts[index].missing = nil }
        floating?.missing = nil
        removeEmptyParts()
        return false
    }

    private func areLinked(_ apps: [AppID], _ there: [AppID]) -> Bool {
        apps.allSatisfy { there.contains($0) && !ending.contains($0) }
    }

    private static func names(of act: SystemAct) -> [AppID] {
        switch act {
        case .foreground(let app), .overlay(let app, _): [app]
        case .split(let app, let other): [app, other]
        default: []
        }
    }

    private func losers(since before: [VisibleScene]) -> [VisibleScene.Content] {
        let after = shownEverywhere
        return before.filter { old in
            guard !after.contains(old) else { return false }
            switch old.content {
            case .app, .home: return true
            case .overlay: return cover.isInterrupted
            case .alert: return cover.isAlerted
            case .shade(let one): return shade == one
            case .keyboard: return hasKeyboard && !after.contains { $0.content == .keyboard }
            }
        }.map(\.content)
    }
}

extension SystemAct {
    fileprivate var isOverlay: Bool { if case .overlay = self { true } else { false } }
}

/// The windows that an app has declared.
struct DeclaredWindows: Sendable {
    private(set) var number: UInt32 = 0
    private var windows: [SceneWindow] = []

    var all: [SceneWindow] { windows }

    static let limit = 10_000

    /// - Returns: False if no conforming app sends the declaration. The app then counts as having declared no windows.
    mutating func apply(_ diff: WindowsDiff) -> Bool {
        if diff.isWhole {
            windows.removeAll()
        } else if diff.number != number &+ 1 {
            return true
        }
        for change in diff.changes {
            switch change {
            case .set(let window):
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

    func acceptsTouch(at position: Point<SceneSpace>) -> Bool {
        windows.contains { !$0.isHidden && $0.acceptsTouches && $0.frame.contains(position) }
    }
}
