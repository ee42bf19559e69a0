// DisplayLayout.swift: the scenes of one display, front to back.
//
//     lock         the locked screen, or a dark one: receives nothing, and hides everything beneath it from touches
//     overlay      a call, an assistant: the whole display
//     alert        the system's alert: the whole display, because the scenes beneath are dimmed
//     shade        the app switcher or a center, opened by a gesture: the whole display
//     keyboard     the lower part of the display, while an app is shown
//     floating     one app over the others, in a frame of its own
//     foreground   one app, or two side by side
//     home         the rest
//
// Station   router
// Input     ScreenLayout: changes by acts and gestures
// Output    scenes, topmost first
// Knows     app numbers and rectangles. No touch, no other display.
//
// The main display has all levels. Another display shows one app or nothing, beneath a lock (Docs/Decisions/Displays.md).
//
// Sources   documented  the order of levels (D3–D7)

import Basics
import Wire

struct DisplayLayout: Sendable {
    enum Level: String, Sendable { case home, foreground, floating, keyboard, shade, alert, overlay, lock }

    struct Scene: Equatable, Sendable {
        var level: Level
        /// The recipient of touches. A scene without an owner takes touches and delivers them to no recipient.
        var owner: Recipient?
        var frame: Rect<DisplaySpace>
        /// Whether the scene contains every point of the display.
        var isWholeDisplay: Bool
    }

    /// One part of a display and its app.
    enum Slot: Equatable, Sendable {
        case app(AppID)
        /// The app was here when its link was lost, and no other app has been shown here since.
        case kept(AppID)
        case free

        var app: AppID? { if case .app(let app) = self { app } else { nil } }
        fileprivate var isKept: Bool { if case .kept = self { true } else { false } }
    }

    let isMain: Bool
    /// The whole display.
    let frame: Rect<DisplaySpace>
    /// The slots of the foreground: none, one, or two side by side.
    private var slots: [Slot] = []
    private var floating = Slot.free
    private var floatingFrame: Rect<DisplaySpace>
    private var keyboardHeight = Fixed.zero
    var isInterrupted = false
    var isAlerted = false
    var shade: SystemShade?
    /// Whether an act sent the apps away. A launched app then does not come to the front by itself.
    var isDismissed = false
    /// The scenes, topmost first.
    private(set) var scenes: [Scene] = []

    init(_ frame: Rect<DisplaySpace>, isMain: Bool) {
        (self.frame, floatingFrame, self.isMain) = (frame, frame, isMain)
        arrange(isDark: false)
    }

    // MARK: Lookup

    /// The app in front. Of two apps side by side, the first one that runs.
    var front: AppID? { slots.lazy.compactMap(\.app).first }

    /// The apps on the display: side by side first, then the floating one.
    var apps: [AppID] { (slots + [floating]).compactMap(\.app) }

    func shows(_ app: AppID) -> Bool { floating == .app(app) || slots.contains(.app(app)) }

    /// Whether no scene of the system covers the apps.
    var isUncovered: Bool { !isInterrupted && !isAlerted && shade == nil }

    private var isKeyboardUp: Bool { keyboardHeight > .zero && (floating.app != nil || front != nil) }

    /// The scenes of the system that exist, lowest first, and whether each takes the touches that land on it.
    ///
    /// - Parameter hasWindows: Whether an app has declared its windows. The home screen is visible beside them.
    func systemScenes(isDark: Bool, hasWindows: (AppID) -> Bool) -> [(owner: Recipient, isOpen: Bool)] {
        guard isMain else { return [] }
        let isUncovered = isUncovered && !isDark
        let isHomeBare = slots.isEmpty || slots.contains { $0.app.map(hasWindows) ?? true }
        var scenes: [(Recipient, Bool)] = [(.home, isUncovered && isHomeBare)]
        if isKeyboardUp { scenes.append((.keyboard, isUncovered)) }
        if let shade { scenes.append((.shade(shade), !isAlerted && !isInterrupted && !isDark)) }
        if isAlerted { scenes.append((.alert, !isInterrupted && !isDark)) }
        if isInterrupted { scenes.append((.overlay, !isDark)) }
        return scenes
    }

    // MARK: Changes

    /// Shows these apps side by side. The earlier apps, a floating app and the keyboard leave.
    mutating func show(_ apps: [AppID]) {
        (slots, floating, keyboardHeight, shade) = (apps.map(Slot.app), .free, .zero, nil)
        if !isMain { isDismissed = false }
    }

    /// Shows an app that was launched without an act, beneath every scene that covers apps.
    mutating func showLaunched(_ app: AppID) { slots = [.app(app)] }

    mutating func float(_ app: AppID, in frame: Rect<DisplaySpace>) {
        remove(app)
        (floating, floatingFrame) = (.app(app), frame)
    }

    mutating func raiseKeyboard(to height: Fixed) { keyboardHeight = max(.zero, min(height, frame.height)) }

    /// Frees the slot of an app.
    mutating func remove(_ app: AppID) { replace(.app(app), by: .free) }

    /// Keeps the slot of an app whose link was lost.
    mutating func keepSlot(of app: AppID) { replace(.app(app), by: .kept(app)) }

    /// Shows an app in its kept slot, because its link is open again.
    mutating func showAgain(_ app: AppID) { replace(.kept(app), by: .app(app)) }

    /// Frees the kept slot of this app.
    mutating func freeKeptSlot(of app: AppID) { replace(.kept(app), by: .free) }

    /// Frees all kept slots.
    mutating func freeKeptSlots() {
        for index in slots.indices where slots[index].isKept { slots[index] = .free }
        if floating.isKept { floating = .free }
        removeFree()
    }

    private mutating func replace(_ old: Slot, by new: Slot) {
        for index in slots.indices where slots[index] == old { slots[index] = new }
        if floating == old { floating = new }
        removeFree()
    }

    private mutating func removeFree() { if slots.allSatisfy({ $0 == .free }) { slots = [] } }

    // MARK: Order

    /// Computes `scenes` from the state.
    mutating func arrange(isDark: Bool) {
        scenes.removeAll(keepingCapacity: true)
        if isDark { add(.lock, nil, frame) }
        if isInterrupted { add(.overlay, .overlay, frame) }
        if isAlerted { add(.alert, .alert, frame) }
        if let shade { add(.shade, .shade(shade), frame) }
        if isKeyboardUp {
            let top = frame.height.minus(keyboardHeight)
            add(.keyboard, .keyboard, Rect(x: .zero, y: top, width: frame.width, height: keyboardHeight))
        }
        if let app = floating.app { add(.floating, .app(app), floatingFrame) }
        for index in slots.indices.reversed() {
            if let app = slots[index].app { add(.foreground, .app(app), frame(ofSlot: index)) }
        }
        if isMain { add(.home, .home, frame) }
    }

    private mutating func add(_ level: Level, _ owner: Recipient?, _ part: Rect<DisplaySpace>) {
        scenes.append(Scene(level: level, owner: owner, frame: part, isWholeDisplay: part == frame))
    }

    private func frame(ofSlot index: Int) -> Rect<DisplaySpace> {
        guard slots.count > 1 else { return frame }
        let half = Fixed(rawValue: frame.width.rawValue / 2)
        return index == 0
            ? Rect(x: .zero, y: .zero, width: half, height: frame.height)
            : Rect(x: half, y: .zero, width: frame.width.minus(half), height: frame.height)
    }
}

extension DisplayLayout.Scene {
    /// The name of the scene in the report: `app2`, `home`, `lock`.
    var name: String {
        guard let owner else { return level.rawValue }
        return String(decoding: owner.description.utf8.filter { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }
}

extension Fixed {
    /// Subtracts with wrapping. Overflow cannot matter, because positions are on a screen and frames are clipped to it.
    func minus(_ other: Fixed) -> Fixed { Fixed(rawValue: rawValue &- other.rawValue) }
}
