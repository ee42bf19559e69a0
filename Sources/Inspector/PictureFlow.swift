// PictureFlow.swift: which pictures one browser receives: at most one that it has not drawn yet.
//
//     trees of the apps ─▶ compared with what this browser received ─▶ picture n ─▶ drawn n
//                            while a picture is on its way, the newest trees wait; drawn n ─▶ picture n + 1
//
// The browser draws once a frame. A second picture on its way would often be drawn in the same frame as the first, and the
// next frame would have none.
//
// Input     the thread of the group: trees; the browser: drawn pictures
// Output    ScreenChange
// Knows     numbers and trees. No socket. ScreenRecorder compares.
//
// Sources   invented

public import Basics
public import Runs
public import ViewTrees
public import Wire

/// The pictures of one browser.
public struct PictureFlow: Sendable {
    /// What a browser receives at once.
    public struct Picture: Sendable {
        public var number: UInt64
        /// Whether it has all views of all apps.
        public var isWhole: Bool
        public var changes: [ScreenChange]
        /// When the apps showed this.
        public var moment: Instant
    }

    private var recorder = ScreenRecorder()
    private var sent: UInt64 = 0
    private var drawn: UInt64 = 0
    /// Whether the next picture is whole: the browser shows nothing.
    private var isWhole = true
    /// The apps that this browser has seen.
    private var shown: [AppID] = []
    /// What the apps showed last, while a picture is on its way.
    private var waiting: (trees: [(app: AppID, tree: ViewTree)], moment: Instant)?

    public init() {}

    /// Whether the browser has drawn all pictures.
    public var isOpen: Bool { drawn == sent }

    /// Returns the next picture.
    ///
    /// - Parameters:
    ///   - trees: What each app shows now; an app that is missing has ended.
    ///   - moment: The time of the trees.
    /// - Returns: Nil if nothing has changed, or if a picture is on its way: the trees then wait for `noteDrawn`.
    public mutating func picture(of trees: [(app: AppID, tree: ViewTree)], at moment: Instant) -> Picture? {
        waiting = isOpen ? nil : (trees, moment)
        guard isOpen else { return nil }
        for app in shown where !trees.contains(where: { $0.app == app }) { recorder.record(nil, of: app, at: moment) }
        for (app, tree) in trees { recorder.record(tree, of: app, at: moment) }
        shown = trees.map(\.app)
        let changes = recorder.takeChanges()
        guard !changes.isEmpty else { return nil }
        sent += 1
        defer { isWhole = false }
        return Picture(number: sent, isWhole: isWhole, changes: changes, moment: moment)
    }

    /// Notes that the browser has drawn a picture, and so all earlier ones. A number that was never sent is ignored.
    ///
    /// - Returns: The next picture, if trees wait that differ.
    public mutating func noteDrawn(_ number: UInt64) -> Picture? {
        if number > drawn, number <= sent { drawn = number }
        guard isOpen, let (trees, moment) = waiting else { return nil }
        return picture(of: trees, at: moment)
    }

    /// Forgets what the browser shows: the next picture is whole.
    public mutating func reset() {
        recorder = ScreenRecorder()
        (drawn, shown, isWhole, waiting) = (sent, [], true, nil)
    }
}
