// RunSource.swift: the run that an argument names, for commands that explain, draw or export it.
//
//     run directory, folder of journals ─▶ its journals, replayed; with --also those of apps of other machines
//     scenario file or id ──────────────▶ the scenario, played in the simulator
//     recording, finger script ─────────▶ its fingers on a scene (--scene), in the simulator
//
// Input     explain, report, export, screenshot
// Output    ObservedRun
// Knows     the kinds of arguments. The module Scenarios makes the runs.

import ArgumentParser
import Basics
import Configuration
import Foundation
import Recordings
import Runs
import Scenarios
import Settings

/// The options of a command that reads one run.
struct RunSource: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A run directory, a scenario's file or id, a recording, or a finger script (default: the group that runs).",
            valueName: "run"))
    var argument: String?

    @Option(
        help: ArgumentHelp(
            "The scene under the fingers of a recording or a finger script (default: \(RunSource.defaultScene)).",
            valueName: "file"))
    var scene: String?

    @Option(
        name: .customLong("also"), parsing: .singleValue,
        help: ArgumentHelp(
            "The run directory of an app that joined the group from another machine, copied to this one; may be repeated.",
            valueName: "folder"))
    var joined: [String] = []

    @OptionGroup var directory: RunDirectory
    @OptionGroup var replayed: ReplayProgramsOption

    static let defaultScene = "Config/Scenes/Demo.yaml"

    /// A run with what was found at the argument.
    enum Found {
        case journals(folder: String)
        case scenario(Scenario)
    }

    /// The argument, or the folder of the group that runs.
    var name: String { argument ?? (try? directory.path) ?? "" }

    /// Finds what the argument names.
    ///
    /// - Throws: `Failure` with exit code 2.
    func found() throws -> Found {
        let found = try foundArgument()
        if case .scenario = found, let folder = joined.first {
            throw Failure.badInput("--also: expected with the run of a group, found \(name) and the folder \(folder)")
        }
        return found
    }

    private func foundArgument() throws -> Found {
        guard let run = argument else { return .journals(folder: try directory.path) }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: run, isDirectory: &isFolder), isFolder.boolValue {
            if scene != nil { throw Failure.badInput("--scene: expected with a recording, found the folder \(run)") }
            return .journals(folder: run)
        }
        let path = (try? ScenarioFiles.path(run)) ?? run
        if path.hasSuffix(".yaml"), (try? Scene.isScenario(path)) ?? true {
            if scene != nil { throw Failure.badInput("--scene: expected with a recording, found the scenario \(run)") }
            do throws(ScenarioError) { return .scenario(try Scenario(contentsOf: path, isDraft: true)) } catch {
                throw Failure.badInput("\(error)")
            }
        }
        // The error of a word that is neither a file nor an id.
        guard FileManager.default.fileExists(atPath: run) else { try missing(run) }
        return .scenario(try playedRecording(run))
    }

    private func missing(_ run: String) throws -> Never {
        _ = try ScenarioFiles.path(run)
        throw Failure.badInput("\(run): no such file")
    }

    /// Returns the run, played or replayed to its end.
    ///
    /// - Throws: `Failure` with exit code 2.
    func observed() throws -> ObservedRun { try observed(try found()) }

    /// Returns the run that was found, played or replayed to its end.
    func observed(_ found: Found) throws -> ObservedRun {
        switch found {
        case .journals(let folder):
            var meter = ReplayMeter()
            defer { meter.clear() }
            do throws(ReplayError) {
                return try ObservedRun(journals: folder, joined: joined, programs: replayed.programs) {
                    meter.show($0, at: $1)
                }
            } catch { throw Failure.badInput("\(error)") }
        case .scenario(let scenario):
            do { return try ObservedRun(of: scenario) } catch { throw Failure.badInput("\(name): \(error)") }
        }
    }

    /// The advice for apps whose interactions end at the server, a line for each.
    func absences(in run: ObservedRun) -> [String] {
        run.absentApps.map { app in
            "\(app) ran on another machine, and its journal is in its --run-dir there: copy that folder here, and add "
                + "--also FOLDER"
        }
    }

    /// Returns the scene with the fingers of the recording.
    private func playedRecording(_ run: String) throws -> Scenario {
        let playable = try Playable(contentsOf: run)
        var scenario: Scenario
        do throws(ScenarioError) {
            scenario = try Scenario(showing: scene ?? SharedFiles.path(Self.defaultScene))
        } catch { throw Failure.badInput("\(error)") }
        do {
            let bytes = try bytes(ofFile: run, limit: Self.recordingLimit)
            scenario.recording = PlayedRecording(name: run, bytes: bytes, duration: playable.duration)
        } catch { throw Failure.badInput("\(run): \(error)") }
        return scenario
    }

    /// The greatest size of a recording in bytes.
    private static let recordingLimit = 256 << 20
}
