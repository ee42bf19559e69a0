// ScreenLayout.swift: the layout of every display, and the orientation of each app's interface.
//
//     Displays: sizes, and which app lives on which display ─┐
//     acts and gestures ─▶ SceneTable ───────────────────────┴▶ [DisplayLayout] ─▶ LayoutPicture ─▶ LifecycleDiff
//
// Station   router
// Input     SceneTable: changes by acts and gestures
// Output    the scenes of each display, the scene of each app, a picture to compare with a later one
// Knows     displays, app numbers, rectangles, orientations. Not which apps run, no touch.
//
// An app is active while it is shown and nothing covers it: no overlay, alert, shade or lock. The keyboard and a
// floating app cover no app.
//
// Sources   documented  active ↔ inactive ↔ background (D3–D7)

import Basics
import HID
import Hosting
import Settings
import Wire

/// The layouts of all displays.
struct ScreenLayout: Sendable {
    /// The layouts by display number, from 1: the main display first.
    private(set) var displays: [DisplayLayout]
    /// The display on which each app lives.
    let homes: Displays
    private(set) var isLocked = false
    private(set) var isDisplayOn = true
    private let orientations: Orientations
    /// The orientation of each app that an act turned. The others have their initial one.
    private var turned = PerApp<InterfaceOrientation>()

    init(_ displays: Displays, orientations: Orientations) {
        (homes, self.orientations) = (displays, orientations)
        self.displays = displays.all.enumerated().map { index, display in
            let bounds = display.geometry.bounds
            return DisplayLayout(
                Rect(x: 0, y: 0, width: bounds.width, height: bounds.height), isMain: index == 0)
        }
    }

    // MARK: Lookup

    var isDark: Bool { isLocked || !isDisplayOn }

    var main: DisplayLayout {
        get { displays[0] }
        set { displays[0] = newValue }
    }

    /// The index in `displays` of the display on which the app lives.
    func index(of app: AppID) -> Int { homes.index(of: homes.display(of: app)) }

    subscript(display display: DisplayID) -> DisplayLayout { displays[homes.index(of: display)] }

    func shows(_ app: AppID) -> Bool { displays[index(of: app)].shows(app) }

    /// The app that comes to the front of a display by itself when it is launched; nil if there is none.
    func firstApp(ofDisplayAt index: Int) -> AppID? {
        guard displays[index].front == nil, !displays[index].isDismissed else { return nil }
        return index == 0 ? 1 : homes.firstApp(on: DisplayID(index: index))
    }

    /// The orientation of the app's interface, now or when it is shown.
    func orientation(of app: AppID) -> InterfaceOrientation { turned[app] ?? orientations.initial(of: app) }

    func allows(_ orientation: InterfaceOrientation, of app: AppID) -> Bool {
        orientations.allows(orientation, of: app)
    }

    /// The scene of an app that fills its display and has its initial orientation.
    func initialScene(of app: AppID) -> SceneGeometry {
        SceneGeometry(frame: displays[index(of: app)].frame, orientation: orientations.initial(of: app))
    }

    /// Pixels per point on the app's display.
    func scale(of app: AppID) -> Double { homes[homes.display(of: app)].scale }

    func lifeCycleState(of app: AppID) -> LifeCycleState {
        shows(app) ? lifeCycleState(onDisplayAt: index(of: app)) : .background
    }

    private func lifeCycleState(onDisplayAt index: Int) -> LifeCycleState {
        isDark ? .background : displays[index].isUncovered ? .active : .inactive
    }

    /// What is shown now, for a comparison with a later moment.
    ///
    /// - Parameter hasWindows: Whether an app has declared its windows.
    func picture(hasWindows: (AppID) -> Bool) -> LayoutPicture {
        var picture = LayoutPicture()
        for (index, display) in displays.enumerated() {
            let state = lifeCycleState(onDisplayAt: index)
            for scene in display.scenes.reversed() {
                guard case .app(let app) = scene.owner else { continue }
                picture.apps.append(LayoutPicture.Shown(app: app, frame: scene.frame, state: state))
            }
            for scene in display.systemScenes(isDark: isDark, hasWindows: hasWindows) {
                if scene.isOpen { picture.open.append(scene.owner) } else { picture.covered.append(scene.owner) }
            }
        }
        return picture
    }

    // MARK: Changes

    /// Changes the layout of one display. Its scenes are out of date until `arrange()`.
    mutating func change(displayAt index: Int, _ body: (inout DisplayLayout) -> Void) { body(&displays[index]) }

    mutating func change(displayOf app: AppID, _ body: (inout DisplayLayout) -> Void) {
        change(displayAt: index(of: app), body)
    }

    mutating func lock(_ isLocked: Bool) {
        self.isLocked = isLocked
        if isLocked { main.shade = nil }
    }

    mutating func turnDisplay(on isOn: Bool) {
        isDisplayOn = isOn
        if !isOn { main.shade = nil }
    }

    mutating func turn(_ app: AppID, to orientation: InterfaceOrientation) {
        if allows(orientation, of: app) { turned.set(orientation, for: app) }
    }

    /// Computes the scenes of every display.
    mutating func arrange() { for index in displays.indices { displays[index].arrange(isDark: isDark) } }
}
