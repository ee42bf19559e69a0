// LifecycleDiff.swift: the steps for apps when the layout changes, from the layout before and after.
//
//     revoke ─▶ resign active, enter background ─▶ new frames ─▶ enter foreground, become active
//
// Station   router
// Input     SceneTable: two pictures of the layout
// Output    steps, in order: touches are revoked before the app receives the change (D6)
// Knows     what is shown. Not what was sent to an app earlier.
//
// An app that ceases to be active loses its touches, once. So does an app whose frame changes, because its positions
// would jump. A floating app and the keyboard take no touch that is down beneath them (S88). An app that turns keeps
// its touches, in the space in which they landed (Docs/Decisions/Displays.md). A scene of the system loses its touches
// to a scene that covers it. A scene that closes keeps its touches until they lift.
//
// Sources   documented  ownership, life cycle: active ↔ inactive ↔ background (D3–D7)

import Basics
import Wire

/// The life cycle state of an app.
enum LifeCycleState: Equatable, Sendable { case background, inactive, active }

/// The scenes that are shown at one moment.
struct LayoutPicture: Sendable {
    struct Shown: Equatable, Sendable {
        let app: AppID
        let frame: Rect<DisplaySpace>
        let state: LifeCycleState
    }

    /// The apps in layout order, the floating one last, then those of other displays.
    var apps: [Shown] = []
    /// The system's scenes that take the touches that land on them, lowest first.
    var open: [Recipient] = []
    /// The system's scenes that are covered and take no touches.
    var covered: [Recipient] = []

    subscript(app: AppID) -> Shown? { apps.first { $0.app == app } }
}

/// Compares two pictures of the layout.
enum LifecycleDiff {
    /// - Returns: The steps. They contain a `.placeScene` for every app that is shown afterwards, even if its scene is unchanged.
    static func steps(from before: LayoutPicture, to after: LayoutPicture) -> [SceneTable.Step] {
        var revoked: [SceneTable.Step] = []
        var leaving: [SceneTable.Step] = []
        var placed: [SceneTable.Step] = []
        var arriving: [SceneTable.Step] = []
        for old in before.apps {
            let new = after[old.app]
            let state = new?.state ?? .background
            if old.state == .active, state != .active || new?.frame != old.frame {
                revoked.append(.revoke(.app(old.app)))
            }
            if old.state == .active, state != .active { leaving.append(.sendLifeCycle(old.app, .willResignActive)) }
            if old.state != .background, state == .background {
                leaving.append(.sendLifeCycle(old.app, .didEnterBackground))
            }
        }
        for new in after.apps {
            let state = before[new.app]?.state ?? .background
            placed.append(.placeScene(new.app, new.frame))
            if state == .background, new.state != .background {
                arriving.append(.sendLifeCycle(new.app, .willEnterForeground))
            }
            if state != .active, new.state == .active { arriving.append(.sendLifeCycle(new.app, .didBecomeActive)) }
        }
        return revoked + newlyCovered(from: before, to: after) + leaving + placed + arriving
    }

    /// Revokes the touches of the system's scenes that are newly covered.
    static func newlyCovered(from before: LayoutPicture, to after: LayoutPicture) -> [SceneTable.Step] {
        before.open.filter(after.covered.contains).map(SceneTable.Step.revoke)
    }
}
