// SceneTable.swift: the apps that run, their scenes on the screen, and the consequences of an act.
//
//     act ─┬ its apps run ─▶ ScreenLayout changes ─▶ LifecycleDiff ─▶ steps
//          └ one does not ─▶ PendingActs ──the app is launched──▶ as above
//
// Station   router
// Input     SystemServerCore: hellos, exits, acts, gestures, the windows that apps declare
// Output    the recipient of a touch that lands at a position; steps: touches to revoke, scenes to place, life cycles
// Knows     app numbers and rectangles. No touches, no links.
//
// Sources   invented    app 1 comes to the front by itself when it is launched and no act asked for the home screen, and
//                       on another display the first app that lives there, unless an act sent it away; a slot of a
//                       split whose app is gone stays free, and shows the home screen

import Basics
import HID
import Settings
import Wire

/// The recipient of a touch that lands at a position, and the scene in whose space it receives positions.
struct Target: Equatable, Sendable {
    var recipient: Recipient
    var scene = SceneGeometry.display
    /// Whether a system gesture may take the touch.
    var isGated = false
    /// Whether the app has declared that it defers system gestures at the edge there; nil if it has declared nothing.
    var defers: Bool?
}

/// Finds the recipient of a touch that lands or an input that begins.
protocol TargetResolver {
    /// - Returns: Nil if there is no recipient at the position.
    func target(at position: Point<DisplaySpace>, on display: DisplayID) -> Target?

    /// The recipient of input without a position: a key. Nil if there is none.
    var focus: Target? { get }
}

/// The scenes of all apps, and the screen layout.
struct SceneTable: TargetResolver, Sendable {
    /// A change of the running apps or of the screen layout.
    enum Act: Equatable, Sendable {
        case launched(AppID)
        /// The link of the app was lost and is open again. The process is the same.
        case linked(AppID)
        case died(AppID)
        case system(SystemAct)
        case gesture(SystemGesture)
    }

    /// One consequence of an act. Steps are in order: touches are revoked before the app receives the change (D6).
    enum Step: Equatable, Sendable {
        case revoke(Recipient)
        /// The app's scene has this frame now.
        case placeScene(AppID, Rect<DisplaySpace>)
        case sendLifeCycle(AppID, LifeCycleChange)
    }

    /// The state of one app that concerns its scene.
    fileprivate struct Record: Sendable {
        /// Whether the app has sent hello and its link is open.
        var isRunning = false
        /// Whether the app, or its last process, was told to end. An act that names it waits for the next process.
        var isEnding = false
        /// The scene that was last sent to the app's process; nil if none was sent.
        var sentScene: SceneGeometry?
        /// The declared windows. Nil until the app declares windows: then it takes touches in the whole scene.
        var windows: WindowMap?
        /// Whether the app has had a secure window since it was launched.
        var hasHadSecureWindow = false

        var isEmpty: Bool { !isRunning && !isEnding && sentScene == nil && windows == nil && !hasHadSecureWindow }
    }

    private(set) var layout: ScreenLayout
    fileprivate var records = PerApp<Record>()
    private var pending = PendingActs()
    /// The zones in which system gestures begin; nil if there are none.
    var zones: EdgeZones?

    init(_ displays: Displays, orientations: Orientations = Orientations()) {
        layout = ScreenLayout(displays, orientations: orientations)
    }

    // MARK: Recipients

    func target(at position: Point<DisplaySpace>, on display: DisplayID) -> Target? {
        for shown in layout[display: display].scenes where shown.isWholeDisplay || shown.frame.contains(position) {
            switch shown.owner {
            case .app(let app):
                let scene = SceneGeometry(frame: shown.frame, orientation: layout.orientation(of: app))
                let zone = display == 1 ? zones?.zone(at: position) : nil
                guard let recordIndex = records.index(of: app), records.values[recordIndex].windows != nil else {
                    return Target(recipient: .app(app), scene: scene, isGated: zone != nil)
                }
                guard let window = records.values[recordIndex].windows?.window(at: scene.scenePosition(position)) else {
                    continue
                }
                let defers = zone.map { window.deferredEdges & scene.orientation.edges(at: $0.edge) != 0 }
                return Target(recipient: .app(app), scene: scene, isGated: defers == false, defers: defers)
            case let owner: return owner.map { Target(recipient: $0) }
            }
        }
        return nil
    }

    /// The scenes above the recipient of a touch and the running apps that are not shown, each with the reason why it is
    /// not the recipient. For facts.
    func passedScenes(at position: Point<DisplaySpace>, on display: DisplayID) -> [(owner: Recipient, why: String)] {
        var passed: [(Recipient, String)] = []
        let layout = layout[display: display]
        for shown in layout.scenes {
            guard let owner = shown.owner else { break }
            guard shown.isWholeDisplay || shown.frame.contains(position) else {
                passed.append((owner, "its scene does not contain the point"))
                continue
            }
            guard case .app(let app) = owner, let windows = records[app]?.windows else { break }
            let scene = SceneGeometry(frame: shown.frame, orientation: self.layout.orientation(of: app))
            guard windows.window(at: scene.scenePosition(position)) == nil else { break }
            passed.append((owner, "none of its windows takes touches there"))
        }
        for app in running where !layout.shows(app) && self.layout.homes.display(of: app) == display {
            passed.append((.app(app), "it is in the background"))
        }
        return passed
    }

    var focus: Target? {
        if isDark { return nil }
        if isInterrupted { return Target(recipient: .overlay) }
        if layout.main.isAlerted { return Target(recipient: .alert) }
        if let shade = layout.main.shade { return Target(recipient: .shade(shade)) }
        for shown in layout.main.scenes.reversed() {
            guard case .app(let app) = shown.owner else { continue }
            let scene = SceneGeometry(frame: shown.frame, orientation: layout.orientation(of: app))
            return Target(recipient: .app(app), scene: scene)
        }
        return Target(recipient: .home)
    }

    // MARK: Lookup

    /// The bounds of the main display.
    var screen: Rect<DisplaySpace> { layout.main.frame }
    var isDark: Bool { layout.isDark }
    var isLocked: Bool { layout.isLocked }
    var isInterrupted: Bool { layout.main.isInterrupted }

    /// The running apps, in ascending order.
    var running: [AppID] {
        var running: [AppID] = []
        for index in records.values.indices where records.values[index].isRunning {
            running.append(records.app(at: index))
        }
        return running
    }

    /// The app in front on the main display. Of two apps side by side, the first one that runs.
    var front: AppID? { layout.main.front }

    /// The apps in a picture of the main display, whatever scenes of the system cover them; empty while it is dark.
    var onScreen: [AppID] { isDark ? [] : layout.main.apps }

    /// Whether the app is on its display and no shade covers it. An overlay, an alert or a lock may cover it.
    func shows(_ app: AppID) -> Bool {
        let display = layout.displays[layout.index(of: app)]
        return display.shade == nil && display.shows(app)
    }

    /// The shortest events that restate the app's life cycle, for an app that may not have received them all.
    func lifeCycleRestatement(of app: AppID) -> [LifeCycleChange] {
        switch layout.lifeCycleState(of: app) {
        case .background: [.willResignActive, .didEnterBackground]
        case .inactive: [.willResignActive]
        case .active: [.didBecomeActive]
        }
    }

    /// Whether the app was sent its scene.
    func wasSentScene(_ app: AppID) -> Bool { records[app]?.sentScene != nil }

    /// The scene that the app assumes: the last one sent, or its initial one.
    func assumedScene(of app: AppID) -> SceneGeometry { records[app]?.sentScene ?? layout.initialScene(of: app) }

    /// The windows that the app has declared; nil if it has declared none.
    func windows(of app: AppID) -> WindowMap? { records[app]?.windows }

    /// Whether positions in the app are redacted: from its first secure window to its exit.
    func redactsPositions(of app: AppID) -> Bool { records[app]?.hasHadSecureWindow == true }

    /// The names of a display's scenes, topmost first: `lock app2 app1 home`. A secondary display may have none.
    func sceneNames(of display: DisplayID) -> String {
        layout[display: display].scenes.map(\.name).joined(separator: " ")
    }

    /// Whether all apps of an act live on the main display. Other displays allow no floating app and no split.
    func canShare(_ act: SystemAct) -> Bool {
        switch act {
        case .split, .overlay: act.apps.allSatisfy { layout.index(of: $0) == 0 }
        default: true
        }
    }

    private var picture: LayoutPicture { layout.picture { records[$0]?.windows != nil } }

    // MARK: Acts

    /// Handles a change, and returns its consequences in order.
    mutating func handle(_ act: Act) -> [Step] {
        let before = picture
        switch act {
        case .launched(let app): return launched(app, before)
        case .linked(let app): return linked(app, before)
        case .died(let app):
            change(app) { record in (record.isRunning, record.windows) = (false, nil) }
            layout.change(displayOf: app) { $0.keepSlot(of: app) }
            layout.arrange()
            return []
        case .system(let act):
            let last = perform(act)
            layout.arrange()
            return steps(from: before) + last
        case .gesture(let gesture):
            open(gesture)
            layout.arrange()
            return steps(from: before)
        }
    }

    private mutating func launched(_ app: AppID, _ before: LayoutPicture) -> [Step] {
        change(app) { record in
            record.isRunning = true
            (record.isEnding, record.sentScene, record.hasHadSecureWindow) = (false, nil, false)
        }
        layout.change(displayOf: app) { $0.freeKeptSlot(of: app) }
        if performPending() { return steps(from: before) }
        guard layout.firstApp(ofDisplayAt: layout.index(of: app)) == app else { return [] }
        layout.change(displayOf: app) { $0.showLaunched(app) }
        layout.arrange()
        let step = Step.placeScene(app, layout.displays[layout.index(of: app)].frame)
        let isActive = layout.lifeCycleState(of: app) == .active
        return (isNew(step) ? [step] : []) + (isActive ? [.sendLifeCycle(app, .didBecomeActive)] : [])
    }

    private mutating func linked(_ app: AppID, _ before: LayoutPicture) -> [Step] {
        change(app) { $0.isRunning = true }
        if performPending() { return steps(from: before) }
        // The app's slot was kept, because no other app has been shown there meanwhile.
        layout.change(displayOf: app) { $0.showAgain(app) }
        layout.arrange()
        // An act may have turned the app meanwhile. An app that was sent its scene is sent the new one.
        if layout.shows(app) {
            var scene = self.assumedScene(of: app)
            scene.orientation = layout.orientation(of: app)
            if wasSentScene(app) || scene != self.assumedScene(of: app) { change(app) { $0.sentScene = scene } }
        }
        return LifecycleDiff.newlyCovered(from: before, to: picture)
    }

    private mutating func open(_ gesture: SystemGesture) {
        switch gesture {
        // A home swipe over a center closes only the center.
        case .home:
            switch layout.main.shade {
            case .notifications, .controls: layout.main.shade = nil
            case .switcher, nil: _ = perform(.home)
            }
        case .switcher: layout.main.shade = .switcher
        case .notifications: layout.main.shade = .notifications
        case .controls: layout.main.shade = .controls
        }
    }

    /// Changes the layout, or lets the act wait for its apps.
    ///
    /// - Returns: The steps that follow all others.
    private mutating func perform(_ act: SystemAct) -> [Step] {
        switch act {
        case .foreground(let app): if areRunning(for: act) { show([app]) }
        case .split(let app, let other):
            if canShare(act), areRunning(for: act) { show(app == other ? [app] : [app, other]) }
        case .overlay(let app, let frame):
            let visible = frame.clipped(to: screen)
            guard canShare(act), !visible.isEmpty, areRunning(for: act) else { return [] }
            pending.removeOverlays()
            layout.main.float(app, in: visible)
        case .home:
            layout.main.isDismissed = true
            layout.main.show([])
            pending.removeAll(onDisplayAt: 0)
        case .suspend(let app): dismiss(app)
        case .terminate(let app):
            dismiss(app)
            guard isRunning(app) else { return [] }
            change(app) { $0.isEnding = true }
            return [.sendLifeCycle(app, .willTerminate)]
        case .interrupt: layout.main.isInterrupted = true
        case .alert: layout.main.isAlerted = true
        case .resume:
            layout.main.isInterrupted = false
            layout.main.isAlerted = false
            layout.main.shade = nil
        case .lock: layout.lock(true)
        case .unlock: layout.lock(false)
        case .display(let isOn): layout.turnDisplay(on: isOn)
        case .keyboard(let height): layout.main.raiseKeyboard(to: height)
        case .orientation(let app, let orientation): layout.turn(app, to: orientation)
        }
        return []
    }

    /// Shows apps on the display of the first of them, and discards the acts that wait there.
    private mutating func show(_ apps: [AppID]) {
        layout.change(displayOf: apps[0]) { $0.show(apps) }
        pending.removeAll(onDisplayAt: layout.index(of: apps[0]))
    }

    /// Takes an app from its display. Other apps there stay.
    private mutating func dismiss(_ app: AppID) {
        pending.removeAll(naming: app)
        layout.change(displayOf: app) { display in
            display.freeKeptSlot(of: app)
            // The main display can only send away an app that is shown. Another display may wait for its first app.
            guard !display.isMain || display.shows(app) else { return }
            display.remove(app)
            if display.front == nil { display.isDismissed = true }
        }
    }

    private func isRunning(_ app: AppID) -> Bool { records[app]?.isRunning == true }

    /// Whether all apps of an act run. Otherwise the act waits, and its display keeps no slot for an app that is gone.
    private mutating func areRunning(for act: SystemAct) -> Bool {
        guard !act.apps.allSatisfy(records.canBeShown) else { return true }
        let display = layout.index(of: act.apps[0])
        pending.add(act, onDisplayAt: display)
        layout.change(displayAt: display) { $0.freeKeptSlots() }
        return false
    }

    /// Performs the waiting acts whose apps run now.
    ///
    /// - Returns: False if there was none.
    private mutating func performPending() -> Bool {
        var isDone = false
        for display in layout.displays.indices {
            while let act = pending.removeFirst(onDisplayAt: display, ifRunning: records.canBeShown) {
                // Performing an act removes the waiting acts of its display. The acts behind this one must stay.
                let others = pending
                _ = perform(act)
                (pending, isDone) = (others, true)
            }
        }
        if isDone { layout.arrange() }
        return isDone
    }

    // MARK: Steps

    private mutating func steps(from before: LayoutPicture) -> [Step] {
        LifecycleDiff.steps(from: before, to: picture).filter { isNew($0) }
    }

    /// Whether a step changes what the app was sent. If it does, the change counts as sent. Only a scene may be unchanged.
    private mutating func isNew(_ step: Step) -> Bool {
        guard case .placeScene(let app, let frame) = step else { return true }
        let scene = SceneGeometry(frame: frame, orientation: layout.orientation(of: app))
        // An app of another machine does not know its settings. If its orientation or display is unusual, it is always
        // sent its scene.
        let isUsual = layout.initialScene(of: app).orientation == .portrait && layout.index(of: app) == 0
        let isSure = wasSentScene(app) || isUsual
        guard scene != self.assumedScene(of: app) || !isSure else { return false }
        change(app) { $0.sentScene = scene }
        return true
    }

    // MARK: Apps

    /// Applies an app's declaration of windows.
    mutating func declare(_ diff: WindowsDiff, by app: AppID) -> WindowMap.Verdict {
        if diff.declaresSecureWindow { change(app) { $0.hasHadSecureWindow = true } }
        guard let recordIndex = records.index(of: app), records.values[recordIndex].windows != nil else {
            var map = WindowMap()
            let verdict = map.apply(diff)
            if verdict == .applied { change(app) { $0.windows = map } }
            return verdict
        }
        let verdict = records.values[recordIndex].windows?.apply(diff) ?? .missed
        // After a refused change the windows are unknown until the app declares all of them again.
        if case .refused = verdict { change(app) { $0.windows = nil } }
        return verdict
    }

    private mutating func change(_ app: AppID, _ body: (inout Record) -> Void) {
        guard let recordIndex = records.index(of: app) else {
            var record = Record()
            body(&record)
            if !record.isEmpty { records.set(record, for: app) }
            return
        }
        body(&records.values[recordIndex])
        if records.values[recordIndex].isEmpty { records.remove(app) }
    }
}

extension PerApp<SceneTable.Record> {
    fileprivate func canBeShown(_ app: AppID) -> Bool { self[app].map { $0.isRunning && !$0.isEnding } ?? false }
}

extension WindowsDiff {
    fileprivate var declaresSecureWindow: Bool {
        changes.contains { change in
            if case .set(let window) = change { window.isSecure } else { false }
        }
    }
}
