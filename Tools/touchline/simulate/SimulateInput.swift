// SimulateInput.swift: the options of a simulated run besides its seed, as words of a command line.
//
// Input     the command line of the command and of the workers that it starts
// Output    Simulator
// Knows     files; SimulatedRun defines their use

import ArgumentParser
import Basics
import Configuration
import Faults
import Foundation
import Recordings
import Scenarios
import Settings
import Simulator
import UIKit
import Wire

/// The options of a simulated run.
struct SimulateInput: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Scene or scenario (a file, or the id of a scenario) that every app shows; a scenario's script replaces the \
            drawn gestures (default: an empty window).
            """, valueName: "file"))
    var scenario: String?

    @Option(help: ArgumentHelp("Sample app that every app runs.", valueName: "name"))
    var app: String?

    @Option(
        help: ArgumentHelp(
            "Faults and how often they occur; `none` for no faults (default: Config/Faults/standard.yaml, built in).",
            valueName: "file"))
    var faults: String?

    @Option(
        help: ArgumentHelp(
            "Delays of the links between processes, such as Config/Links/measured.yaml.", valueName: "file"))
    var links: String?

    @Option(help: ArgumentHelp("Simulated time with gestures and faults.", valueName: "minutes"))
    var minutes = 1.0

    @Option(
        help: ArgumentHelp(
            "Number of apps in the group (default: one to three, drawn; with --scenario two).", valueName: "count"))
    var apps: UInt32?

    @Flag(help: "Draw only gestures and faults; keep the setup of the group and its settings.")
    var fixed = false

    @Option(
        help: ArgumentHelp(
            """
            Fail on purpose in each run with a finger and a kill (without faults: with a finger): by a broken law, or by \
            a trap or a hang of the process.
            """, valueName: "name"))
    var rehearse: MonkeyRehearsal?

    func validate() throws {
        try expect("--minutes", minutes, in: 0.001...1440)
        try expect("--apps", apps, in: 1...128)
    }

    /// The options as words of a command line.
    var words: [String] {
        var words = scenario.map { ["--scenario", $0] } ?? []
        words += app.map { ["--app", $0] } ?? []
        words += faults.map { ["--faults", $0] } ?? []
        words += links.map { ["--links", $0] } ?? []
        if minutes != 1 { words += ["--minutes", "\(minutes)"] }
        words += apps.map { ["--apps", "\($0)"] } ?? []
        if fixed { words += ["--fixed"] }
        words += rehearse.map { ["--rehearse", $0.rawValue] } ?? []
        return words
    }

    /// - Throws: `Failure` with exit code 2 for an unreadable or malformed file.
    func options() throws -> SimulationOptions {
        var options = SimulationOptions()
        options.length = Duration(seconds: minutes * 60)
        options.apps = apps ?? 2
        (options.drawsSettings, options.drawsApps) = (!fixed, apps == nil && scenario == nil)
        options.faults = .profile(try profile())
        if let links {
            do throws(InvalidConfiguration) { options.links = try LinkModel(contentsOf: links) } catch {
                throw Failure.badInput(error)
            }
        }
        do { try show(in: &options) } catch let failure as Failure { throw failure } catch {
            throw Failure.badInput("\(error)")
        }
        return options
    }

    private func profile() throws -> FaultProfile {
        switch faults {
        case nil: return .standard
        case "none"?: return FaultProfile()
        case let file?:
            do throws(InvalidConfiguration) {
                return try FaultProfile(contentsOf: file)
            } catch { throw Failure.badInput(error) }
        }
    }

    private func show(in options: inout SimulationOptions) throws {
        var list: [Setting] = []
        if let scenario = try scenario.map(ScenarioFiles.path) {
            let screen: (width: Double, height: Double)
            if try Self.isScenario(scenario) {
                let read = try Scenario(contentsOf: scenario, isDraft: true)
                (screen, list) = (read.scene.screen, read.config)
                options.script = read.script.lines.lines
            } else {
                screen = try Scene(contentsOf: scenario).screen
            }
            list += [
                Setting(key: "app.scene", value: scenario),
                Setting(key: "screen.width", value: "\(screen.width)"),
                Setting(key: "screen.height", value: "\(screen.height)"),
            ]
        }
        if let app { list.append(Setting(key: "app.sample", value: app)) }
        options.settings = try Settings(list)
        let content = try chosenContent(options.settings)
        options.content = { _ in content }
    }

    /// Whether the file is a scenario: it is no scene. A scene has no script.
    private static func isScenario(_ path: String) throws -> Bool {
        do { _ = try Scene(contentsOf: path) } catch { return true }
        return false
    }
}

/// A script and its faults in one text. Lines that begin with a time in milliseconds are faults.
struct SimulationText {
    var script: [FingerScript.Line]
    var faults: FaultPlan

    init(script: [FingerScript.Line], faults: FaultPlan) { (self.script, self.faults) = (script, faults) }

    /// - Parameter file: The name of the text in errors.
    /// - Throws: `Failure` with exit code 2.
    init(parsing text: String, file: String) throws {
        var script = ""
        var faults = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            // The other text gets a blank line, so that both keep their line numbers.
            let isFault = Self.isFault(line)
            script += (isFault ? "" : line) + "\n"
            faults += (isFault ? line : "") + "\n"
        }
        do throws(FaultPlan.LineError) { self.faults = try FaultPlan(parsing: faults) } catch {
            throw Failure.badInput("\(file):\(error)")
        }
        do throws(RecordingError) { self.script = try FingerScript(parsing: script, file: file).lines } catch {
            throw Failure.badInput("\(error)")
        }
    }

    private static func isFault(_ line: Substring) -> Bool {
        guard let word = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first else { return false }
        return word.first?.isNumber == true && word.hasSuffix("ms")
    }

    var lines: [String] { faults.lines + script.map { "\($0)" } }
}

/// Returns the words quoted for a shell.
func shellCommand(_ words: [String]) -> String {
    words.map { word in
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard !isPlain || word.isEmpty else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }.joined(separator: " ")
}
