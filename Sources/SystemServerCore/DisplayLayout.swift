// DisplayLayout.swift: what is on one display, in front of what.
//
//     lock         the locked screen, or a dark one: takes nothing, and nothing beneath it receives a touch
//     overlay      a call, an assistant: the whole display
//     alert        the system's own alert: the whole display, because what is beneath it is dimmed
//     shade        the app switcher or a center, opened by a gesture: the whole display
//     keyboard     the lower part of the display, while an app is shown
//     floating     one app over the others, in a frame of its own
//     foreground   one app, or two side by side
//     home         what is left
//
// Station   router
// Input     ScreenLayout: what acts and gestures change
// Output    scenes, topmost first
// Knows     app numbers and rectangles. No touch, no other display.
//
// The main display has all levels. Another display shows one app or nothing, beneath a lock (Docs/Decisions/Displays.md).
//
// Sources   documented  the order of levels (D3–D7)

import Basics
import Wire

struct DisplayLayout: Sendable {
    enum Level: UInt8, Sendable { case home, foreground, floating, keyboard, shade, alert, overlay, lock }

    struct Scene: Equatable, Sendable {
        var level: Level
        /// Nil takes touches and delivers them to no recipient.
        var owner: Recipient?
        var frame: Rect<DisplaySpace>
        /// Every point of the display is in it.
        var isWholeDisplay: Bool
    }

    /// What a part of the display is for.
    enum Slot: Equatable, Sendable {
        case app(AppID)
        /// The app was there when its link was lost, and no other app has been shown there since.
        case missing(AppID)
        case free

        var app: AppID? { if case .app(let app) = self { app } else { nil } }
        fileprivate var isMissing: Bool { if case .missing = self { true } else { false } }
    }

    let isMain: Bool
    /// The whole display.
    let frame: Rect<DisplaySpace>
    /// None, or one, or two side by side.
    private var slots: [Slot] = []
    private var floating = Slot.free
    private var floatingFrame: Rect<DisplaySpace>
    private var keyboardHeight = Fixed.zero
    var isInterrupted = false
    var isAlerted = false
    var shade: SystemShade?
    /// An act sent the apps away: a launch brings none to the front by itself any more.
    var isDismissed = false
    /// Topmost first.
    private(set) var scenes: [Scene] = []

    init(_ frame: Rect<DisplaySpace>, isMain: Bool) {
        (self.frame, floatingFrame, self.isMain) = (frame, frame, isMain)
        arrange(isDark: false)
    }

    // MARK: Questions

    /// The app in front; of two side by side the first that is there.
    var front: AppID? { slots.lazy.compactMap(\.app).first }

    /// Side by side first, then what floats.
    var apps: [AppID] { (slots + [floating]).compactMap(\.app) }

    func shows(_ app: AppID) -> Bool { floating == .app(app) || slots.contains(.app(app)) }

    /// Whether nothing of the system's covers the apps.
    var isUncovered: Bool { !isInterrupted && !isAlerted && shade == nil }

    private var isKeyboardUp: Bool { keyboardHeight > .zero && (floating.app != nil || front != nil) }

    /// The scenes of the system that are there, the lowest first, and whether each takes the touches that land on it.
    ///
    /// - Parameter hasWindows: Whether an app has declared its windows: the home screen is seen beside them.
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

    /// Shows these apps side by side. What was there goes, with what floated over it and the keyboard that it had.
    mutating func show(_ apps: [AppID]) {
        (slots, floating, keyboardHeight, shade) = (apps.map(Slot.app), .free, .zero, nil)
        if !isMain { isDismissed = false }
    }

    /// Shows an app that was launched and that no act asked for, beneath all that covers apps.
    mutating func showLaunched(_ app: AppID) { slots = [.app(app)] }

    mutating func float(_ app: AppID, in frame: Rect<DisplaySpace>) {
        leave(app)
        (floating, floatingFrame) = (.app(app), frame)
    }

    mutating func raiseKeyboard(to height: Fixed) { keyboardHeight = max(.zero, min(height, frame.height)) }

    /// Frees the slot of an app.
    mutating func leave(_ app: AppID) { replace(.app(app), by: .free) }

    /// The link of an app was lost: its slot is kept.
    mutating func miss(_ app: AppID) { replace(.app(app), by: .missing(app)) }

    /// The link of an app that is missed is there again.
    mutating func showAgain(_ app: AppID) { replace(.missing(app), by: .app(app)) }

    /// Keeps no slot for this app any more.
    mutating func stopMissing(_ app: AppID) { replace(.missing(app), by: .free) }

    /// Keeps no slot for any app any more.
    mutating func stopMissing() {
        for place in slots.indices where slots[place].isMissing { slots[place] = .free }
        if floating.isMissing { floating = .free }
        removeFree()
    }

    private mutating func replace(_ old: Slot, by new: Slot) {
        for place in slots.indices where slots[place] == old { slots[place] = new }
        if floating == old { floating = new }
        removeFree()
    }

    private mutating func removeFree() { if slots.allSatisfy({ $0 == .free }) { slots = [] } }

    // MARK: The order

    /// Brings `scenes` up to date.
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
        for place in slots.indices.reversed() {
            if let app = slots[place].app { add(.foreground, .app(app), frame(ofSlot: place)) }
        }
        if isMain { add(.home, .home, frame) }
    }

    private mutating func add(_ level: Level, _ owner: Recipient?, _ part: Rect<DisplaySpace>) {
        scenes.append(Scene(level: level, owner: owner, frame: part, isWholeDisplay: part == frame))
    }

    private func frame(ofSlot place: Int) -> Rect<DisplaySpace> {
        guard slots.count > 1 else { return frame }
        let half = Fixed(rawValue: frame.width.rawValue / 2)
        return place == 0
            ? Rect(x: .zero, y: .zero, width: half, height: frame.height)
            : Rect(x: half, y: .zero, width: frame.width.minus(half), height: frame.height)
    }
}

extension DisplayLayout.Scene {
    var word: String { owner.map { "\($0)".replacing(":", with: "") } ?? "\(level)" }
}

extension Fixed {
    /// Wraps: positions are on a screen, and frames are clipped to it.
    func minus(_ other: Fixed) -> Fixed { Fixed(rawValue: rawValue &- other.rawValue) }
}
