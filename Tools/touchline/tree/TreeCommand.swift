// TreeCommand.swift: `touchline tree`: the windows and views of an app as text or JSON.

import ArgumentParser
import Basics
import Scenarios
import ViewTrees
import Wire

/// The command `touchline tree`.
struct TreeCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Show the windows, views and recognizers of an app: of the running group, of a scene or of a run.",
        discussion: """
            Each line is a view with its class, its accessibilityIdentifier, its text and its frame in points of the \
            interface; lines with a dot are its recognizers with their states. Views are listed back to front. A view \
            that is turned has the smallest upright rectangle around it.

            Without a run the apps of the running group answer; an app of its own program answers as well. A secure \
            window has a frame only, and a secure text field has no text.

            Exits 0 when the tree is shown, 2 when a file, an app or an option cannot be used, 3 when no group is running \
            or an app does not answer.

            EXAMPLES
              touchline tree
              touchline tree --app 1 --json
              touchline tree --scene Config/Scenes/Demo.yaml
              touchline tree S01 --at 0.05
            """)

    @OptionGroup var source: ScreenSource
    @OptionGroup var result: ResultOptions

    private struct JSON: Encodable {
        struct App: Encodable {
            var app: String
            var tree: ViewTree
        }
        var width, height: Double
        var apps: [App]
    }

    func run() throws {
        let screen = try source.screen()
        guard !result.json else {
            let apps = screen.apps.map { JSON.App(app: "\(Peer.app($0.app))", tree: $0.tree) }
            return try printJSON(JSON(width: screen.width, height: screen.height, apps: apps))
        }
        if screen.apps.isEmpty { printLine("no app runs") }
        for app in screen.apps {
            let lines = app.tree.textLines
            printLine("\(Peer.app(app.app)): \(lines[0])")
            if lines.count > 1 { printText(lines.dropFirst().map { oneLine($0) }.joined(separator: "\n")) }
        }
    }
}
