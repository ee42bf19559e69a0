// PendingActs.swift: acts that name apps which do not run yet, in the order of their execution.
//
//     foreground, split, overlay of an app that does not run ──▶ pending ──all its apps run──▶ performed
//                                          a later act on the same display ──▶ forgotten
//
// Station   router
// Input     SceneTable: acts that cannot be performed, acts that replace them
// Output    the next act that can be performed
// Knows     acts, and the display of each app. Not what is shown.
//
// Sources   invented

import Wire

/// The acts that wait for their apps.
struct PendingActs: Sendable {
    private struct Entry: Sendable {
        let act: SystemAct
        /// The index of the act's display in `ScreenLayout.displays`.
        let display: Int
    }

    /// For each display at most one layout, and the floating app over it.
    private var entries: [Entry] = []

    /// Adds an act. It replaces the acts of its display; an overlay replaces only an overlay.
    mutating func add(_ act: SystemAct, onDisplayAt display: Int) {
        entries = entries.filter { $0.display != display || act.isOverlay && !$0.act.isOverlay }
        entries.append(Entry(act: act, display: display))
    }

    mutating func removeAll(onDisplayAt display: Int) { entries.removeAll { $0.display == display } }

    mutating func removeAll(naming app: AppID) { entries.removeAll { $0.act.apps.contains(app) } }

    mutating func removeOverlays() { entries.removeAll(where: \.act.isOverlay) }

    /// Removes and returns the first act of a display, if all its apps run.
    mutating func removeFirst(onDisplayAt display: Int, ifRunning isThere: (AppID) -> Bool) -> SystemAct? {
        guard let index = entries.firstIndex(where: { $0.display == display }),
            entries[index].act.apps.allSatisfy(isThere)
        else { return nil }
        return entries.remove(at: index).act
    }
}

extension SystemAct {
    fileprivate var isOverlay: Bool { if case .overlay = self { true } else { false } }

    /// The apps that must run before the act is performed.
    var apps: [AppID] {
        switch self {
        case .foreground(let app), .overlay(let app, _): [app]
        case .split(let app, let other): [app, other]
        case .suspend, .terminate, .interrupt, .alert, .resume, .home, .lock, .unlock, .keyboard, .display,
            .orientation:
            []
        }
    }
}
