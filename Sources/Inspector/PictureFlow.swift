// PictureFlow.swift: which pictures one browser receives: at most two that it has not drawn yet.
//
//     trees of the apps ─▶ compared with what this browser received ─▶ picture n ─▶ drawn n
//                            while two pictures are on their way: nothing; the next one has all that changed meanwhile
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
    /// Pictures on their way at once: one that is drawn, and one that arrives meanwhile.
    static let limit = 2

    /// What a browser receives at once.
    public struct Picture: Sendable {
        public var number: UInt64
        /// Whether it has all views of all apps.
        public var isWhole: Bool
        public var changes: [ScreenChange]
    }

    private var recorder = ScreenRecorder()
    private var sent: UInt64 = 0
    private var drawn: UInt64 = 0
    /// Whether the next picture is whole: the browser shows nothing.
    private var isWhole = true
    /// The apps that this browser has seen.
    private var shown: [AppID] = []

    public init() {}

    /// The pictures that the browser has not drawn yet.
    public var outstanding: Int { Int(sent - drawn) }
    public var isOpen: Bool { outstanding < Self.limit }

    /// Returns the next picture.
    ///
    /// - Parameter trees: What each app shows now; an app that is missing has ended.
    /// - Returns: Nil if nothing has changed, or if the browser has too many pictures to draw.
    public mutating func picture(of trees: [(app: AppID, tree: ViewTree)], at moment: Instant) -> Picture? {
        guard isOpen else { return nil }
        for app in shown where !trees.contains(where: { $0.app == app }) { recorder.record(nil, of: app, at: moment) }
        for (app, tree) in trees { recorder.record(tree, of: app, at: moment) }
        shown = trees.map(\.app)
        let changes = recorder.takeChanges()
        guard !changes.isEmpty else { return nil }
        sent += 1
        defer { isWhole = false }
        return Picture(number: sent, isWhole: isWhole, changes: changes)
    }

    /// Notes that the browser has drawn a picture, and so all earlier ones. A number that was never sent is ignored.
    public mutating func noteDrawn(_ number: UInt64) {
        if number > drawn, number <= sent { drawn = number }
    }

    /// Forgets what the browser shows: the next picture is whole.
    public mutating func reset() {
        recorder = ScreenRecorder()
        (drawn, shown, isWhole) = (sent, [], true)
    }
}
