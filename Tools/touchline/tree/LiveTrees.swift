// LiveTrees.swift: the view trees of the apps of a running group.
//
//    observe: tree, from 0 ─▶ supervisor ─▶ app (of another machine: through the server)
//    ◀── page of lines ◀──── observe: tree, from n … until a page has no more
//
// Input     the commands tree, screenshot, lint and `input tap --id`
// Output    ShownScreen; the position of a view with an identifier
// Knows     pages. ViewTree reads the lines.
//
// Sources   invented

import Basics
import Foundation
import Scenarios
import ViewTrees
import Wire
import ZeroMQHost

/// The apps of one group, over one connection.
struct LiveTrees {
    private let client: ControlClient
    private let group: GroupReport

    /// The time in which an app must send a page: a main loop that is busy for longer counts as hanging.
    private static let answerTime = Duration.seconds(2)
    /// The times that a tree is read from the beginning, because its app was started again between two pages.
    private static let attempts = 3
    /// The most lines of a tree.
    private static let lineLimit = 1_000_000

    init(_ client: ControlClient) throws {
        self.client = client
        group = try GroupReport(from: client)
    }

    /// The apps of the group that run, by number.
    private var apps: [AppID] {
        let names = group.processes.filter { $0.pid > 0 }.map(\.name) + group.joined.map(\.name)
        return names.compactMap { Peer($0)?.app }.sorted()
    }

    /// Returns the trees of all apps, or of one.
    ///
    /// - Throws: `Failure` with exit code 2 for an app that does not run, with 3 for one that does not answer.
    func screen(app: AppID? = nil, touchTargets: Bool = false) throws -> ShownScreen {
        let known = apps
        if let app, !known.contains(app) {
            let expected = known.isEmpty ? "none runs" : known.map { "\($0)" }.joined(separator: ", ")
            throw Failure.badInput("--app: expected an app that runs (\(expected)), found \(app)")
        }
        var shown: [ShownScreen.App] = []
        for one in app.map({ [$0] }) ?? known {
            shown.append(ShownScreen.App(app: one, tree: try tree(of: one, touchTargets: touchTargets)))
        }
        let size = group.screen
        return ShownScreen(width: size?.width ?? 375, height: size?.height ?? 667, apps: shown)
    }

    private func tree(of app: AppID, touchTargets: Bool) throws -> ViewTree {
        for _ in 0..<Self.attempts {
            guard let lines = try lines(of: app, touchTargets ? .touchTargets : .tree) else { continue }
            do throws(ViewTreeError) { return try ViewTree(lines: lines) } catch {
                throw Failure.group("\(Peer.app(app)): \(error)")
            }
        }
        throw Failure.group("\(Peer.app(app)): its view tree could not be read, because the app starts again and again")
    }

    /// - Returns: Nil if the app no longer has the tree whose first pages it sent.
    private func lines(of app: AppID, _ kind: Observation.Kind) throws -> [String]? {
        var lines: [String] = []
        while true {
            let from = UInt64(lines.count)
            try client.ask(.observe(Observation(id: 0, kind: kind, of: .app(app), from: from)))
            let page = try page(of: app, from: from)
            guard page.first == from, !page.words.isEmpty, page.facts.isEmpty else { return nil }
            lines += page.words
            if !page.hasMore { return lines }
            guard lines.count < Self.lineLimit else {
                throw Failure.group("\(Peer.app(app)): its view tree has more than \(Self.lineLimit) lines")
            }
        }
    }

    private func page(of app: AppID, from: UInt64) throws -> FactPage {
        let deadline = monotonicNow().advanced(by: Self.answerTime)
        while true {
            let left = monotonicNow().duration(to: deadline)
            guard left > .zero, let message = try client.next(timeout: left) else {
                throw Failure.group(
                    "\(Peer.app(app)) has not sent its view tree within \(Self.answerTime.seconds) s: its main thread may "
                        + "hang; `touchline status` shows its state")
            }
            switch message {
            case .facts(let page) where page.peer == .app(app): return page
            case .refused(let reason): throw Failure.group("refused: \(reason)")
            default: continue
            }
        }
    }

    // MARK: Views by identifier

    /// A position that a finger touches.
    struct TouchPosition {
        var display: DisplayID
        var position: Point<ScreenSpace>
    }

    /// The time in which a view must appear and be reachable, and the pause between two looks.
    private static let patience = Duration.seconds(1)
    private static let pause = Duration.milliseconds(50)

    /// Returns the position at which a finger touches the view with this identifier, after waiting until one does.
    ///
    /// - Throws: `Failure` with exit code 2 if no view or several have the identifier, with 1 if no touch reaches the view.
    func touchPosition(ofView identifier: String, app: AppID?) throws -> TouchPosition {
        let deadline = monotonicNow().advanced(by: Self.patience)
        while true {
            let screen = try screen(app: app, touchTargets: true)
            let failure: Failure
            switch Self.touchPosition(ofView: identifier, on: screen) {
            case .success(let position): return position
            case .failure(let reason): failure = reason
            }
            guard monotonicNow() < deadline else { throw failure }
            usleep(UInt32(Self.pause.nanoseconds / 1000))
        }
    }

    static func touchPosition(ofView identifier: String, on screen: ShownScreen) -> Result<TouchPosition, Failure> {
        var found: [(app: ShownScreen.App, view: ViewTree.View)] = []
        // An app that is not in front counts only if no other app has the view.
        let inFront = screen.apps.filter { $0.tree.state != .background }
        for apps in [inFront, screen.apps] where found.isEmpty {
            for app in apps {
                switch app.tree.view(withIdentifier: identifier) {
                case .none: continue
                case .one(let view): found.append((app, view))
                case .several(let views): found += views.map { (app, $0) }
                }
            }
        }
        guard let (app, view) = found.first else { return .failure(notFound(identifier, on: screen)) }
        guard found.count == 1 else {
            let names = found.map { "\($0.view.label) of \(Peer.app($0.app.app))" }.joined(separator: ", ")
            return .failure(.badInput("--id: expected one view \(quoted(identifier)), found \(found.count): \(names)"))
        }
        switch view.touchTarget {
        case .position(let position):
            let display = DisplayID(UInt8(clamping: app.tree.display))
            return .success(TouchPosition(display: display, position: app.tree.displayPosition(position)))
        case .obstacle(let reason):
            return .failure(.negativeResult("--id: \(quoted(identifier)) takes no touch: \(reason)"))
        case nil: return .failure(.group("\(Peer.app(app.app)) does not report where a touch reaches its views"))
        }
    }

    private static func notFound(_ identifier: String, on screen: ShownScreen) -> Failure {
        let known = screen.apps.flatMap { $0.tree.views.compactMap(\.identifier) }
        let hint: String
        if let near = nearestName(to: identifier, among: known) {
            hint = "did you mean \(quoted(near))?"
        } else if known.isEmpty {
            hint = "no view has one"
        } else {
            let shown = known.prefix(8).map { quoted($0) }.joined(separator: ", ")
            hint = "there are \(shown)" + (known.count > 8 ? " and \(known.count - 8) more" : "")
        }
        return .badInput("--id: no view has the accessibilityIdentifier \(quoted(identifier)); \(hint)")
    }
}

extension ViewTree {
    /// Converts a position of the interface to the display.
    fileprivate func displayPosition(_ position: Position) -> Point<ScreenSpace> {
        let frame = Rect<DisplaySpace>(
            x: sceneFrame.x, y: sceneFrame.y, width: sceneFrame.width, height: sceneFrame.height)
        let scene = SceneGeometry(frame: frame, orientation: orientation)
        let onDisplay = scene.displayPosition(Point<SceneSpace>(position.x, position.y))
        return Point(onDisplay.x.double, onDisplay.y.double)
    }
}
