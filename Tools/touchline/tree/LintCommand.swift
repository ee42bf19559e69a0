// LintCommand.swift: `touchline lint`: faults of scenes and running apps that keep touches from doing what a person expects.

import ArgumentParser
import Basics
import Inspection
import Scenarios
import ViewTrees
import Wire

/// The command `touchline lint`.
struct LintCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find touch targets that no touch reaches and gestures that exclude or delay each other.",
        discussion: """
            Reads the view tree of a scene, or of a scenario before its first input; with --live the trees of the running \
            group. Each finding has a code, the view or the recognizer, the found and the expected value, the reason with \
            its rule in Docs/Spec/Semantics.md, and what helps. Docs/Reference/Lint.md lists the codes. Where an app's own \
            code may decide otherwise (its hit test, a delegate, a subclass), nothing is reported.

            Exits 0 when nothing was found, 1 when something was, 2 when a file, an app or an option cannot be used, 3 when \
            no group is running or an app does not answer.

            EXAMPLES
              touchline lint Config/Scenes/Demo.yaml
              touchline lint --json S44a
              touchline lint --live --app 1
            """)

    @Argument(help: ArgumentHelp("Scene files, scenario files, or ids of scenarios.", valueName: "file"))
    var files: [String] = []

    @Flag(help: "Read the running apps instead of a file.")
    var live = false

    @Option(help: ArgumentHelp("Only this app: 1, 2 and so on.", valueName: "number"))
    var app: UInt32?

    @OptionGroup var runDirectory: RunDirectory
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--app", app, in: 1...UInt32.max)
        if live, !files.isEmpty { throw ValidationError("--live: expected no file, found \(files[0])") }
        if !live, app != nil { throw ValidationError("--app: expected --live too, found none") }
        if !live, files.isEmpty { throw ValidationError("lint: expected a scene, or --live, found nothing") }
    }

    private struct Source {
        /// The file, or the app of a group.
        var name: String
        var findings: [LintFinding]
    }

    private struct JSON: Encodable {
        struct Source: Encodable {
            var source: String
            var findings: [LintFinding]
        }
        var count: Int
        var sources: [Source]
    }

    func run() throws {
        let sources = live ? try liveSources() : try files.flatMap(sources)
        let count = sources.reduce(0) { $0 + $1.findings.count }
        if result.json {
            try printJSON(
                JSON(count: count, sources: sources.map { JSON.Source(source: $0.name, findings: $0.findings) }))
        } else {
            for source in sources where !source.findings.isEmpty {
                printLine("\(source.name):")
                for finding in source.findings { printText(finding.lines.map { oneLine($0) }.joined(separator: "\n")) }
            }
        }
        guard count > 0 else {
            if !result.json { printLine("no finding in \(sources.map(\.name).joined(separator: ", "))") }
            return
        }
        throw Failure.negativeResult("lint: \(count) finding\(count == 1 ? "" : "s")")
    }

    private func liveSources() throws -> [Source] {
        let screen = try LiveTrees(runDirectory.connect()).screen(app: app.map { AppID($0) })
        return screen.apps.map { Source(name: "\(Peer.app($0.app))", findings: $0.tree.lintFindings) }
    }

    /// Returns the findings of a file; all its apps show the same scene.
    private func sources(of file: String) throws -> [Source] {
        try shownScene(file).apps.prefix(1).map { Source(name: file, findings: $0.tree.lintFindings) }
    }
}
