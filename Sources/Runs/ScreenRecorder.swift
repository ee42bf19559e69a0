// ScreenRecorder.swift: what the apps of a run showed over time, as changes of their view trees.
//
//     tree of app 1 ─▶ compared with its last tree ─▶ nothing, or a change: order of views, changed views
//
// Input     RunRecording: a tree after each touch event, and at most one for each display frame; the inspector's
//           PictureFlow: the trees of the present
// Output    ScreenChange
// Knows     trees. No run, no picture.
//
// Sources   invented

public import Basics
public import ViewTrees
public import Wire

/// A change of what one app shows.
public struct ScreenChange: Sendable {
    public var at: Instant
    public var app: AppID
    /// The state of the app, its scene and orientation, without views and touches; nil if the app has ended.
    public var scene: ViewTree?
    /// The identities of all views, back to front; nil if no view was added, removed or moved to another place.
    public var order: [UInt32]?
    /// The views that are new or have changed.
    public var views: [ViewTree.View]

    public init(at: Instant, app: AppID, scene: ViewTree?, order: [UInt32]?, views: [ViewTree.View]) {
        (self.at, self.app, self.scene, self.order, self.views) = (at, app, scene, order, views)
    }
}

/// Keeps the changes of the trees of all apps.
public struct ScreenRecorder: Sendable {
    public private(set) var changes: [ScreenChange] = []
    /// The number of changes that were not kept.
    public private(set) var omittedCount = 0

    private var shown: [AppID: ViewTree] = [:]
    private var viewCount = 0

    /// The most views in all changes together.
    static let viewLimit = 100_000

    public init() {}

    /// Returns the changes since the last call, and forgets them. What the apps show stays known.
    public mutating func takeChanges() -> [ScreenChange] {
        defer { (changes, viewCount) = ([], 0) }
        return changes
    }

    /// Adds the tree of an app.
    ///
    /// - Parameters:
    ///   - tree: Nil if the app has ended.
    ///   - app: The app that shows the tree.
    ///   - moment: The time of the tree.
    public mutating func record(_ tree: ViewTree?, of app: AppID, at moment: Instant) {
        guard var tree else {
            if shown.removeValue(forKey: app) != nil {
                changes.append(ScreenChange(at: moment, app: app, scene: nil, order: nil, views: []))
            }
            return
        }
        // Touches and recognizers have their own facts.
        tree.touches = []
        for index in tree.views.indices {
            tree.views[index].touchTarget = nil
            for place in tree.views[index].recognizers.indices { tree.views[index].recognizers[place].state = "" }
        }
        let before = shown[app]
        guard before != tree else { return }
        let order = tree.views.map(\.identity)
        let known = Dictionary((before?.views ?? []).map { ($0.identity, $0) }) { first, _ in first }
        let changed = tree.views.filter { known[$0.identity] != $0 }
        guard viewCount + changed.count <= Self.viewLimit else {
            omittedCount += 1
            return
        }
        viewCount += changed.count
        shown[app] = tree
        var scene = tree
        scene.views = []
        changes.append(
            ScreenChange(
                at: moment, app: app, scene: scene, order: before?.views.map(\.identity) == order ? nil : order,
                views: changed))
    }
}
