// SceneTable.swift: what is on the screen, in front of what, whose it is; and which apps are there at all.
//
// Station   router
// Fed by    SystemServerCore: hellos, deaths, system acts, windows as apps declare them
// Feeds     Router (whose is a finger that lands at a point), SystemServerCore (touches taken, scenes placed, life cycle)
// Knows     app numbers and rectangles. No fingers, no links.
//
//     lock         the locked screen, or a dark one: takes nothing, and nobody beneath gets anything
//     overlay      a call, an assistant: the whole screen
//     alert        the system's own alert: the whole screen, as what is beneath it is dimmed
//     shade        the app switcher or a centre, opened by a gesture: the whole screen
//     keyboard     the screen's lower part, while an app is shown
//     floating     one app over the others, in a frame of its own
//     foreground   one app, or two side by side
//     home         what is left
//
// That is the main display. On each of the others one app is shown, of those that live there, or nothing is: beneath a
// lock, and beneath nothing else (Docs/Decisions/Displays.md).
//
// An app is active while it is shown and nothing interrupts: not overlay, alert, shade or lock. Whoever ceases to be active
// loses its touches, once, and then hears why (D6); so does one whose frame changes, as its places would jump. The
// keyboard and what floats interrupt nobody: fingers that are down beneath them stay whose they are (S88). Nor does the
// turning of an app: its fingers go on in the space in which they landed (Docs/Decisions/Displays.md).
//
// Sources   documented  the order of levels, ownership, life cycle: active ↔ inactive ↔ background (D3–D7)
//           invented    app 1 comes to front by itself when it is launched and nobody asked for the home screen, and
//                       on another display the first app that lives there, if nobody has sent it away; a place of a
//                       split whose app is gone stays free, and shows the home screen

import Basics
import HID
import Settings
import Wire

/// Whose a finger is that lands at a point, and the space in which its owner is told of it.
struct Target: Equatable, Sendable {
    var recipient: Recipient
    var space = SceneSpace.display
    /// The system may take the finger from it.
    var isGated = false
    /// Whether it has said beforehand that it defers system gestures at the edge there; nil when it has said nothing.
    var defers: Bool?
}

/// Answers whose a landing is.
protocol Ground {
    /// In points of that display. Nil: nobody's.
    func target(at x: Fixed, _ y: Fixed, on display: UInt8) -> Target?

    /// Whose is what happens at no point: a key. Nil: nobody's.
    var focus: Target? { get }
}

struct SceneTable: Ground, Sendable {
    enum Act: Equatable, Sendable {
        case launched(UInt32)
        /// Its link was lost, and its process was not.
        case linked(UInt32)
        case died(UInt32)
        case system(SystemAct)
        case gesture(SystemGesture)
    }

    /// What an act asks for, in order: touches are taken before the app hears why (D6).
    enum Step: Equatable, Sendable {
        case revoke(Recipient)
        /// The app's scene is there now.
        case place(UInt32, SceneFrame)
        case tell(UInt32, LifeCycle)
    }

    enum Level: UInt8, Sendable { case home, foreground, floating, keyboard, shade, alert, overlay, lock }

    struct Scene: Equatable, Sendable {
        var level: Level
        /// Nil takes fingers and gives them to nobody.
        var owner: Recipient?
        var frame: SceneFrame
        /// Of its owner's interface, if that is an app.
        var orientation: InterfaceOrientation
        /// Every point is in it.
        var isWholeScreen: Bool
    }

    private enum Slot: Equatable, Sendable {
        case app(UInt32)
        /// Was there when it was lost, and nobody has been shown there since.
        case missing(UInt32)
        case free

        var app: UInt32? { if case .app(let app) = self { app } else { nil } }
    }

    /// A display beside the main one.
    private struct Other: Sendable {
        let frame: SceneFrame
        var slot = Slot.free
        /// Topmost first; none while nothing is shown.
        var scenes: [Scene] = []
        /// Somebody sent its app away: a launch does not bring one to front by itself any more.
        var isLeft = false
    }

    private let displays: Displays
    /// The main display.
    let screen: SceneFrame
    /// Displays 2, 3, ….
    private var others: [Other]
    /// Apps that have said hello, ascending.
    private(set) var running: [UInt32] = []
    /// Of those, and of lives before them, who has been told to end: whoever wants one waits for its next life.
    private var ending: [UInt32] = []
    /// The main display's, topmost first; the last is the home screen.
    private(set) var scenes: [Scene] = []

    /// None, or one, or two side by side.
    private var slots: [Slot] = []
    private var floating = Slot.free
    private var floatingFrame: SceneFrame
    private var keyboardHeight = Fixed.zero
    private(set) var isInterrupted = false
    private(set) var isAlerted = false
    private(set) var shade: SystemShade?
    /// Where system gestures begin; nil where there are none.
    var zones: EdgeZones?
    private(set) var isLocked = false
    private(set) var isDisplayOn = true
    /// Somebody pressed home: a launch does not come to front by itself any more.
    private var homeWasAsked = false
    /// Acts that name apps which were not running: a layout, and what floats over it. Done in this order.
    private var awaited: [SystemAct] = []
    /// Where each app was last told that its scene is; none for one that has not been told and takes the whole screen.
    private(set) var told = PerApp<SceneSpace>()
    /// Of apps that somebody has turned; the others are as they start.
    private var turned = PerApp<InterfaceOrientation>()
    private let orientations: Orientations
    /// Of apps that have declared theirs.
    var windows = PerApp<WindowMap>()
    /// Apps that have had a secure window in the life they are in.
    private var secretive: [UInt32] = []

    init(_ displays: Displays, orientations: Orientations = Orientations()) {
        (self.displays, self.orientations) = (displays, orientations)
        let frames = displays.all.map { display in
            SceneFrame(x: 0, y: 0, width: display.geometry.bounds.width, height: display.geometry.bounds.height)
        }
        screen = frames[0]
        others = frames.dropFirst().map { Other(frame: $0) }
        floatingFrame = screen
        arrange()
    }

    // MARK: Who is where

    func target(at x: Fixed, _ y: Fixed, on display: UInt8) -> Target? {
        for scene in scenes(on: display) where scene.isWholeScreen || scene.frame.contains(x, y) {
            switch scene.owner {
            case .app(let app):
                let space = SceneSpace(frame: scene.frame, orientation: scene.orientation)
                let zone = display == 1 ? zones?.zone(at: x, y) : nil
                guard let place = windows.place(of: app) else {
                    return Target(recipient: .app(app), space: space, isGated: zone != nil)
                }
                let (right, down) = space.place(x, y)
                guard let window = windows.values[place].window(at: right, down) else { continue }
                let defers = zone.map { window.deferredEdges & space.orientation.edges(at: $0.edge) != 0 }
                return Target(recipient: .app(app), space: space, isGated: defers == false, defers: defers)
            case let owner: return owner.map { Target(recipient: $0) }
            }
        }
        return nil
    }

    var focus: Target? {
        if isDark { return nil }
        if isInterrupted { return Target(recipient: .overlay) }
        if isAlerted { return Target(recipient: .alert) }
        if let shade { return Target(recipient: .shade(shade)) }
        for scene in scenes.reversed() {
            guard case .app = scene.owner else { continue }
            let space = SceneSpace(frame: scene.frame, orientation: scene.orientation)
            return Target(recipient: scene.owner!, space: space)
        }
        return Target(recipient: .home)
    }

    /// The app in front; of two side by side the first that is there.
    var front: UInt32? { slots.lazy.compactMap(\.app).first }

    /// Apps that a picture of the main display shows, whatever of the server's own lies over them; none while it is dark.
    var onScreen: [UInt32] { isDark ? [] : (slots + [floating]).compactMap(\.app) }

    /// What an app has been told of its life, in as few words as say it to one that may not have heard.
    func standing(of app: UInt32) -> [LifeCycle] {
        guard isShown(app), !isDark else { return [.willResignActive, .didEnterBackground] }
        return isUndisturbed || other(of: app) != nil ? [.didBecomeActive] : [.willResignActive]
    }

    /// Where the app believes that its scene is, and which way up.
    func space(toldTo app: UInt32) -> SceneSpace {
        told[app] ?? SceneSpace(frame: display(of: app), orientation: orientations.initial(of: app))
    }

    /// Which way up its interface is, or will be when it is shown.
    func orientation(of app: UInt32) -> InterfaceOrientation { turned[app] ?? orientations.initial(of: app) }

    /// Whether it can be so.
    func allows(_ orientation: InterfaceOrientation, of app: UInt32) -> Bool {
        orientations.allows(orientation, of: app)
    }

    /// Pixels in a point, where its scene is.
    func scale(of app: UInt32) -> Double { displays[displays.display(of: app)].scale }

    /// Topmost first: `lock app2 app1 home`. Of a display beside the main one possibly nothing.
    func words(of display: UInt8) -> String { scenes(on: display).map(\.word).joined(separator: " ") }

    private func scenes(on display: UInt8) -> [Scene] { display == 1 ? scenes : others[Int(display) - 2].scenes }

    /// Where among the others its display is; nil of one that lives on the main display.
    private func other(of app: UInt32) -> Int? {
        let display = displays.display(of: app)
        return display == 1 ? nil : Int(display) - 2
    }

    func isElsewhere(_ app: UInt32) -> Bool { other(of: app) != nil }

    /// Of what waits to be shown.
    private func other(of act: SystemAct) -> Int? { act.apps.first.flatMap { other(of: $0) } }

    /// The whole of the display it lives on.
    private func display(of app: UInt32) -> SceneFrame { other(of: app).map { others[$0].frame } ?? screen }

    private var isUndisturbed: Bool { !isDark && !isInterrupted && !isAlerted && shade == nil }
    /// Beside apps, or beside the windows of one.
    private var isHomeBare: Bool {
        slots.isEmpty || slots.contains { slot in slot.app.map { windows.place(of: $0) != nil } ?? true }
    }
    private var isKeyboardUp: Bool {
        keyboardHeight > .zero && (floating.app != nil || slots.contains { $0.app != nil })
    }
    func isShown(_ app: UInt32) -> Bool {
        floating == .app(app) || slots.contains(.app(app)) || others.contains { $0.slot == .app(app) }
    }

    // MARK: Acts

    mutating func handle(_ act: Act) -> [Step] {
        let before = Picture(self)
        switch act {
        case .launched(let app):
            join(app)
            ending.removeAll { $0 == app }
            told.remove(app)
            secretive.removeAll { $0 == app }
            freeMissing(app)
            if let steps = performAwaited() { return steps }
            guard comesByItself(app) else { return [] }
            show(app, on: other(of: app))
            arrange()
            let isActive = standing(of: app) == [.didBecomeActive]
            return place(app, at: display(of: app)) + (isActive ? [.tell(app, .didBecomeActive)] : [])
        case .linked(let app):
            join(app)
            if let steps = performAwaited() { return steps }
            // What it shows is shown again: it has not been anything else meanwhile.
            replace(.missing(app), by: .app(app))
            arrange()
            // But turned, though nobody had told it anything before; and who was told anything is told it again.
            if isShown(app) {
                var space = self.space(toldTo: app)
                space.orientation = orientation(of: app)
                if told[app] != nil || space != self.space(toldTo: app) { told.set(space, for: app) }
            }
            return before.takesHome && !Picture(self).takesHome ? [.revoke(.home)] : []
        case .died(let app):
            running.removeAll { $0 == app }
            windows.remove(app)
            replace(.app(app), by: .missing(app))
            arrange()
            return []
        case .system(let act):
            let farewell = change(act)
            arrange()
            return steps(from: before) + farewell
        case .gesture(let gesture):
            open(gesture)
            arrange()
            return steps(from: before)
        }
    }

    private mutating func open(_ gesture: SystemGesture) {
        switch gesture {
        // From a centre it leads back to what is beneath it.
        case .home:
            switch shade {
            case .notifications, .controls: shade = nil
            case .switcher, nil: _ = change(.home)
            }
        case .switcher: shade = .switcher
        case .notifications: shade = .notifications
        case .controls: shade = .controls
        }
    }

    /// - Returns: What an app hears after everything else.
    private mutating func change(_ act: SystemAct) -> [Step] {
        switch act {
        case .foreground(let app):
            guard isThere([app], for: act) else { return [] }
            if let other = other(of: app) {
                leaveWaiting(for: other)
                show(app, on: other)
            } else {
                show([.app(app)])
            }
        case .split(let app, let other):
            guard canShare(act), isThere([app, other], for: act) else { return [] }
            show(app == other ? [.app(app)] : [.app(app), .app(other)])
        case .overlay(let app, let frame):
            let visible = frame.clipped(to: screen)
            guard canShare(act), !visible.isEmpty, isThere([app], for: act) else { return [] }
            awaited.removeAll(where: \.isOverlay)
            leave(app)
            (floating, floatingFrame) = (.app(app), visible)
        case .home:
            homeWasAsked = true
            show([])
        case .suspend(let app): dismiss(app)
        case .terminate(let app):
            dismiss(app)
            guard running.contains(app) else { return [] }
            if !ending.contains(app) { ending.append(app) }
            return [.tell(app, .willTerminate)]
        case .interrupt: isInterrupted = true
        case .alert: isAlerted = true
        case .resume: (isInterrupted, isAlerted, shade) = (false, false, nil)
        case .lock: (isLocked, shade) = (true, nil)
        case .unlock: isLocked = false
        case .display(let isOn):
            isDisplayOn = isOn
            if !isOn { shade = nil }
        case .keyboard(let height): keyboardHeight = max(.zero, min(height, screen.height))
        case .orientation(let app, let orientation):
            if allows(orientation, of: app) { turned.set(orientation, for: app) }
        }
        return []
    }

    /// What was there goes, with what floated over it and the keyboard it had.
    private mutating func show(_ new: [Slot]) {
        (slots, floating, keyboardHeight, shade) = (new, .free, .zero, nil)
        leaveWaiting(for: nil)
    }

    /// - Parameter other: Nil for the main display, as it is shown at first.
    private mutating func show(_ app: UInt32, on other: Int?) {
        guard let other else { return slots = [.app(app)] }
        (others[other].slot, others[other].isLeft) = (.app(app), false)
    }

    private func comesByItself(_ app: UInt32) -> Bool {
        guard let other = other(of: app) else { return front == nil && app == 1 && !homeWasAsked }
        let isFree = others[other].slot.app == nil && !others[other].isLeft
        return isFree && displays.firstApp(on: displays.display(of: app)) == app
    }

    /// Whether all it names live on the main display: nobody floats or lies side by side on another.
    func canShare(_ act: SystemAct) -> Bool {
        switch act {
        case .split, .overlay: act.apps.allSatisfy { other(of: $0) == nil }
        default: true
        }
    }

    /// What waits to be shown there does not any more.
    ///
    /// - Parameter other: Nil for the main display.
    private mutating func leaveWaiting(for other: Int?) {
        awaited = awaited.filter { self.other(of: $0) != other }
    }

    /// The screen is left to whoever else is on it.
    private mutating func dismiss(_ app: UInt32) {
        awaited.removeAll { $0.apps.contains(app) }
        freeMissing(app)
        if let other = other(of: app) {
            replace(.app(app), by: .free)
            if others[other].slot.app == nil { others[other].isLeft = true }
            return
        }
        guard isShown(app) else { return }
        leave(app)
        if front == nil { homeWasAsked = true }
    }

    private mutating func leave(_ app: UInt32) {
        replace(.app(app), by: .free)
        if slots.allSatisfy({ $0 == .free }) { slots = [] }
    }

    private mutating func replace(_ old: Slot, by new: Slot) {
        for place in slots.indices where slots[place] == old { slots[place] = new }
        for place in others.indices where others[place].slot == old { others[place].slot = new }
        if floating == old { floating = new }
    }

    private mutating func freeMissing(_ app: UInt32) {
        replace(.missing(app), by: .free)
        if slots.allSatisfy({ $0 == .free }) { slots = [] }
    }

    private func isThere(_ app: UInt32) -> Bool { running.contains(app) && !ending.contains(app) }

    /// Whether all of them are; else the act waits for those that are not, and for nobody who is missing.
    private mutating func isThere(_ apps: [UInt32], for act: SystemAct) -> Bool {
        guard !apps.allSatisfy(isThere) else { return true }
        if let other = other(of: apps[0]) {
            leaveWaiting(for: other)
            awaited.append(act)
            if case .missing = others[other].slot { others[other].slot = .free }
            return false
        }
        awaited = awaited.filter { other(of: $0) != nil || act.isOverlay && !$0.isOverlay }
        awaited.append(act)
        for place in slots.indices { if case .missing = slots[place] { slots[place] = .free } }
        if case .missing = floating { floating = .free }
        if slots.allSatisfy({ $0 == .free }) { slots = [] }
        return false
    }

    /// - Returns: Nil when nothing that waits can be done now.
    private mutating func performAwaited() -> [Step]? {
        let before = Picture(self)
        var isDone = false
        for display in [nil] + others.indices.map(Optional.some) {
            while let place = awaited.firstIndex(where: { other(of: $0) == display }),
                awaited[place].apps.allSatisfy(isThere)
            {
                // Doing it takes away what waits there; what came behind it waits on.
                let rest = awaited[..<place] + awaited[(place + 1)...]
                _ = change(awaited[place])
                (awaited, isDone) = (Array(rest), true)
            }
        }
        guard isDone else { return nil }
        arrange()
        return steps(from: before)
    }

    /// An app says what has changed of its windows.
    mutating func declare(_ diff: WindowsDiff, by app: UInt32) -> WindowMap.Verdict {
        if !secretive.contains(app), diff.declaresSecret { secretive.append(app) }
        guard let place = windows.place(of: app) else {
            var map = WindowMap()
            let verdict = map.take(diff)
            if verdict == .taken { windows.set(map, for: app) }
            return verdict
        }
        let verdict = windows.values[place].take(diff)
        // Nothing it says of them is believed until it says all of it anew.
        if case .refused = verdict { windows.remove(app) }
        return verdict
    }

    /// Whether nobody outside may know where on it a finger is: from its first secure window to its end.
    func hidesPlaces(of app: UInt32) -> Bool { secretive.contains(app) }

    private mutating func join(_ app: UInt32) {
        guard !running.contains(app) else { return }
        running.insert(app, at: running.firstIndex { $0 > app } ?? running.endIndex)
    }

    // MARK: The order on the screen

    private mutating func arrange() {
        scenes.removeAll(keepingCapacity: true)
        func add(_ level: Level, _ owner: Recipient?, _ frame: SceneFrame) {
            scenes.append(scene(level, owner, frame, isWhole: frame == screen))
        }
        if isDark { add(.lock, nil, screen) }
        if isInterrupted { add(.overlay, .overlay, screen) }
        if isAlerted { add(.alert, .alert, screen) }
        if let shade { add(.shade, .shade(shade), screen) }
        if isKeyboardUp {
            let top = screen.height.minus(keyboardHeight)
            add(.keyboard, .keyboard, SceneFrame(x: .zero, y: top, width: screen.width, height: keyboardHeight))
        }
        if let app = floating.app { add(.floating, .app(app), floatingFrame) }
        for place in slots.indices.reversed() {
            if let app = slots[place].app { add(.foreground, .app(app), frame(ofSlot: place)) }
        }
        add(.home, .home, screen)
        for place in others.indices {
            let (frame, app) = (others[place].frame, others[place].slot.app)
            let locked = isDark ? [scene(.lock, nil, frame, isWhole: true)] : []
            others[place].scenes =
                locked + (app.map { [scene(.foreground, .app($0), frame, isWhole: true)] } ?? [])
        }
    }

    private func scene(_ level: Level, _ owner: Recipient?, _ frame: SceneFrame, isWhole: Bool) -> Scene {
        var orientation = InterfaceOrientation.portrait
        if case .app(let app) = owner { orientation = self.orientation(of: app) }
        return Scene(level: level, owner: owner, frame: frame, orientation: orientation, isWholeScreen: isWhole)
    }

    private func frame(ofSlot place: Int) -> SceneFrame {
        guard slots.count > 1 else { return screen }
        let half = Fixed(rawValue: screen.width.rawValue / 2)
        return place == 0
            ? SceneFrame(x: .zero, y: .zero, width: half, height: screen.height)
            : SceneFrame(x: half, y: .zero, width: screen.width.minus(half), height: screen.height)
    }

    // MARK: What follows

    private enum Life: Sendable { case background, inactive, active }

    /// What is shown at one moment, to be compared with the next.
    private struct Picture {
        struct Shown {
            let app: UInt32
            let frame: SceneFrame
            let life: Life
        }

        /// In order of the layout, what floats last, then those of other displays: no call or alert is there.
        private(set) var apps: [Shown] = []
        let takesHome, takesKeyboard, takesAlert, takesOverlay: Bool
        let shade: SystemShade?

        init(_ table: SceneTable) {
            let life: Life = table.isDark ? .background : table.isUndisturbed ? .active : .inactive
            for scene in table.scenes.reversed() {
                guard case .app(let app) = scene.owner else { continue }
                apps.append(Shown(app: app, frame: scene.frame, life: life))
            }
            for other in table.others {
                guard let app = other.slot.app else { continue }
                apps.append(Shown(app: app, frame: other.frame, life: table.isDark ? .background : .active))
            }
            takesHome = table.isUndisturbed && table.isHomeBare
            takesKeyboard = table.isUndisturbed && table.isKeyboardUp
            takesAlert = table.isAlerted && !table.isInterrupted && !table.isDark
            takesOverlay = table.isInterrupted && !table.isDark
            shade = table.isAlerted || table.isInterrupted || table.isDark ? nil : table.shade
        }

        subscript(app: UInt32) -> Shown? { apps.first { $0.app == app } }
    }

    /// Its scene is there; nothing, when it knows that.
    private mutating func place(_ app: UInt32, at frame: SceneFrame) -> [Step] {
        let space = SceneSpace(frame: frame, orientation: orientation(of: app))
        // One of another machine has not read how it is to start: whoever is not upright, or elsewhere, is told.
        let isUsual = orientations.initial(of: app) == .portrait && other(of: app) == nil
        let isSureOf = told[app] != nil || isUsual
        guard space != self.space(toldTo: app) || !isSureOf else { return [] }
        told.set(space, for: app)
        return [.place(app, frame)]
    }

    private mutating func steps(from before: Picture) -> [Step] {
        let after = Picture(self)
        var (revoked, leaving, placed, arriving): ([Step], [Step], [Step], [Step]) = ([], [], [], [])
        for old in before.apps {
            let new = after[old.app]
            let life = new?.life ?? .background
            if old.life == .active, life != .active || new?.frame != old.frame {
                revoked.append(.revoke(.app(old.app)))
            }
            if old.life == .active, life != .active { leaving.append(.tell(old.app, .willResignActive)) }
            if old.life != .background, life == .background { leaving.append(.tell(old.app, .didEnterBackground)) }
        }
        for new in after.apps {
            let life = before[new.app]?.life ?? .background
            placed += place(new.app, at: new.frame)
            if life == .background, new.life != .background { arriving.append(.tell(new.app, .willEnterForeground)) }
            if life != .active, new.life == .active { arriving.append(.tell(new.app, .didBecomeActive)) }
        }
        // The server's own lose theirs to what covers them; what goes away keeps its fingers until they lift.
        if before.takesHome, !after.takesHome { revoked.append(.revoke(.home)) }
        if before.takesKeyboard, !after.takesKeyboard, isKeyboardUp { revoked.append(.revoke(.keyboard)) }
        if let old = before.shade, after.shade != old, shade == old { revoked.append(.revoke(.shade(old))) }
        if before.takesAlert, !after.takesAlert, isAlerted { revoked.append(.revoke(.alert)) }
        if before.takesOverlay, !after.takesOverlay, isInterrupted { revoked.append(.revoke(.overlay)) }
        return revoked + leaving + placed + arriving
    }
}

extension SceneTable.Scene {
    fileprivate var word: String { owner.map { "\($0)".replacing(":", with: "") } ?? "\(level)" }
}

extension SystemAct {
    fileprivate var isOverlay: Bool { if case .overlay = self { true } else { false } }

    /// Those it needs to be running.
    fileprivate var apps: [UInt32] {
        switch self {
        case .foreground(let app), .overlay(let app, _): [app]
        case .split(let app, let other): [app, other]
        case .suspend, .terminate, .interrupt, .alert, .resume, .home, .lock, .unlock, .keyboard, .display,
            .orientation:
            []
        }
    }
}

extension Fixed {
    /// Wraps: places are on a screen, and frames are clipped to it.
    func minus(_ other: Fixed) -> Fixed { Fixed(rawValue: rawValue &- other.rawValue) }
}

extension WindowsDiff {
    fileprivate var declaresSecret: Bool {
        changes.contains { change in
            if case .put(let window) = change { window.isSecure } else { false }
        }
    }
}
