// Conform.swift: plays scenario files and says which of them hold.

public import ArgumentParser
import Basics
import Foundation
public import Scenarios

struct Conform: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play scenario files and compare what is observed with what they expect.",
        discussion: """
            Prints one line for each scenario and mode, a difference below each that failed (- expected, + observed, \
            ! at another time), and a count. Without --mode a scenario is played in every mode it lists. A folder \
            stands for the .yaml files in it; without files it is Tests/Conformance.

            Exits 0 when none failed, 1 when one did, 2 when a file cannot be read.
            """)

    @Option(help: "Where to play: direct (the app core alone), simulated (all cores), processes (a real group).")
    var mode: Scenario.Mode?

    @Option(help: "Where SEMANTICS leaves an order open: deterministic, or ios (shuffled by the seed).")
    var order: DeliveryOrder = .deterministic

    @Option(help: ArgumentHelp("The seed of --order ios.", valueName: "number"))
    var seed: UInt64 = 0

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Argument(help: ArgumentHelp("Scenario files, or folders of them.", valueName: "file"))
    var files: [String] = []

    func run() throws {
        var results: [ConformResult] = []
        var unreadable = 0
        for path in try scenarioFiles() {
            let scenario: Scenario
            do throws(ScenarioError) {
                scenario = try Scenario(contentsOf: path)
            } catch {
                complain("\(error)")
                unreadable += 1
                continue
            }
            for mode in self.mode.map({ [$0] }) ?? scenario.modes {
                let result = ConformResult(
                    scenario: scenario, mode: mode, saysMode: self.mode == nil,
                    outcome: ScenarioStage().outcome(of: scenario, in: mode))
                if !json { for line in result.text { say(line) } }
                results.append(result)
            }
        }
        let summary = ConformSummary(results)
        if json {
            try printJSON(summary.json(results, order: order, seed: seed))
        } else {
            say(summary.text)
        }
        if unreadable > 0 { throw ExitCode(2) }
        if summary.failed > 0 { throw ExitCode(1) }
    }

    /// In the order they were given; a folder's by name.
    private func scenarioFiles() throws -> [String] {
        var found: [String] = []
        for path in files.isEmpty ? ["Tests/Conformance"] : files {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
                throw Failure.badInput("\(path): no such file")
            }
            guard isFolder.boolValue else {
                found.append(path)
                continue
            }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            let scenarios = names.filter { $0.hasSuffix(".yaml") }.sorted()
            if scenarios.isEmpty { throw Failure.badInput("\(path): expected scenario files, found none") }
            found += scenarios.map { "\(path)/\($0)" }
        }
        return found
    }
}

extension Scenario.Mode: ExpressibleByArgument {}

/// Who decides where SEMANTICS leaves an order open: among recognisers, none of which is delivered to yet, so that
/// both are one for now.
enum DeliveryOrder: String, CaseIterable, ExpressibleByArgument { case deterministic, ios }

/// One scenario in one mode.
struct ConformResult {
    let scenario: Scenario
    let mode: Scenario.Mode
    /// Whether the line says which mode it speaks of: when there are several.
    let saysMode: Bool
    let outcome: ScenarioOutcome

    /// `pass S29 tap-on-yellow`
    var text: [String] {
        let name = "\(scenario.id) \(scenario.slug)\(saysMode ? " (\(mode.rawValue))" : "")"
        return switch outcome {
        case .passed: ["pass \(name)"]
        case .failed(let difference): ["fail \(name)"] + difference.map { "    \($0)" }
        case .skipped(let reason): ["skip \(name): \(reason)"]
        }
    }

    var json: [String: Any] {
        var object: [String: Any] = [
            "id": scenario.id, "title": scenario.title, "file": scenario.file, "mode": mode.rawValue,
        ]
        switch outcome {
        case .passed: object["outcome"] = "pass"
        case .failed(let difference):
            object["outcome"] = "fail"
            object["difference"] = difference
        case .skipped(let reason):
            object["outcome"] = "skip"
            object["reason"] = reason
        }
        return object
    }
}

struct ConformSummary {
    var passed = 0
    var failed = 0
    var skipped = 0

    init(_ results: [ConformResult]) {
        for result in results {
            switch result.outcome {
            case .passed: passed += 1
            case .failed: failed += 1
            case .skipped: skipped += 1
            }
        }
    }

    var text: String { "\(passed) passed, \(failed) failed, \(skipped) skipped" }

    func json(_ results: [ConformResult], order: DeliveryOrder, seed: UInt64) -> [String: Any] {
        [
            "passed": passed, "failed": failed, "skipped": skipped, "order": order.rawValue, "seed": seed,
            "scenarios": results.map(\.json),
        ]
    }
}
