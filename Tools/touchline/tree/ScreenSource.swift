// ScreenSource.swift: the screen that the options of `tree` and `screenshot` name.
//
//     nothing ────────────▶ the running group
//     --scene FILE ───────▶ the scene before the first touch
//     RUN [--at SECONDS] ─▶ a scenario, a recording or the journals of a group, at a moment (RunSource)
//
// Input     the commands tree and screenshot
// Output    ShownScreen
// Knows     options. The module Scenarios plays, LiveTrees asks a group.

import ArgumentParser
import Basics
import Foundation
import Scenarios
import Wire

/// The options of a command that shows one screen.
struct ScreenSource: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A scenario's file or id, a recording, a finger script, or a run directory (default: the running group).",
            valueName: "run"))
    var run: String?

    @Option(
        help: ArgumentHelp(
            "The scene to show; with a recording, the scene under its fingers (default: \(RunSource.defaultScene)).",
            valueName: "file"))
    var scene: String?

    @Option(
        help: ArgumentHelp(
            "The moment of the run: seconds since its first input, or since the start of a group (default: the end).",
            valueName: "seconds"))
    var at: Double?

    @Option(help: ArgumentHelp("Only this app: 1, 2 and so on.", valueName: "number"))
    var app: UInt32?

    @OptionGroup var replayed: ReplayProgramsOption
    @OptionGroup var runDirectory: RunDirectory

    func validate() throws {
        try expect("--at", at, in: 0...86_400, unit: "seconds")
        try expect("--app", app, in: 1...UInt32.max)
    }

    /// Returns the screen with the apps that the options name.
    ///
    /// - Throws: `Failure`; with exit code 2 for a run or an app that does not exist, with 3 for a group that does not
    ///   answer.
    func screen() throws -> ShownScreen {
        guard run != nil || scene != nil else {
            if at != nil {
                throw Failure.badInput("--at: expected a run, found none: a running group shows the present")
            }
            return try LiveTrees(runDirectory.connect()).screen(app: app.map { AppID($0) })
        }
        var screen = try played()
        for gap in screen.gaps { printError(gap) }
        guard let app else { return screen }
        let known = screen.apps.map { "\(Peer.app($0.app))" }
        screen.apps.removeAll { $0.app != AppID(app) }
        if screen.apps.isEmpty {
            let expected = known.isEmpty ? "no app" : known.joined(separator: ", ")
            throw Failure.badInput("--app: expected an app of the run (\(expected)), found \(app)")
        }
        return screen
    }

    private func played() throws -> ShownScreen {
        guard let run else {
            if at != nil { throw Failure.badInput("--at: expected a run too, found the scene alone") }
            return try shownScene(scene ?? "")
        }
        var source = RunSource()
        (source.argument, source.scene, source.joined, source.replayed) = (run, scene, [], replayed)
        let moment = at.map { Duration(seconds: $0) }
        switch try source.found() {
        case .journals(let folder):
            guard let moment else {
                throw Failure.badInput(
                    "--at: expected a moment of the run \(folder), found none: at its end no app runs")
            }
            var meter = ReplayMeter()
            defer { meter.clear() }
            do throws(ReplayError) {
                return try ShownScreen(journals: folder, at: moment, programs: replayed.programs) {
                    meter.show($0, at: $1)
                }
            } catch { throw Failure.badInput("\(error)") }
        case .scenario(let scenario):
            do { return try ShownScreen(of: scenario, at: moment) } catch { throw Failure.badInput("\(run): \(error)") }
        }
    }
}

/// Returns the screen of a scene, or of a scenario before its first input.
///
/// - Parameter path: A file, or the id of a scenario.
/// - Throws: `Failure` with exit code 2.
func shownScene(_ argument: String) throws -> ShownScreen {
    let path = try ScenarioFiles.path(argument)
    let scenario: Scenario
    do throws(ScenarioError) {
        scenario = try Scene.isScenario(path) ? Scenario(contentsOf: path, isDraft: true) : Scenario(showing: path)
    } catch { throw Failure.badInput("\(error)") }
    do { return try ShownScreen(before: scenario) } catch { throw Failure.badInput("\(argument): \(error)") }
}
