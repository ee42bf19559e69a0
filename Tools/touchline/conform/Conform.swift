// Conform.swift: `touchline conform`: plays scenario files and prints which of them hold.

public import ArgumentParser
import Basics
import Explain
import Foundation
import Page
import Runs
public import Scenarios
import ZeroMQHost

/// The command `touchline conform`.
struct Conform: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Play scenarios and compare the observed lines with the expected lines.",
        discussion: """
            Prints one line for each scenario and mode, the difference below each failed scenario (- expected, \
            + observed, ! at another time), and the counts. With several seeds the line has the number of failed seeds, \
            and the difference is that of the first failed seed.

            A folder stands for the .yaml files in it and below, in the order of their ids. An id such as S14a stands \
            for the file of Tests/Conformance with that id. A file that cannot be read does not stop the other files.

            With --junit the results are also written as JUnit XML; a failure has its difference and the explanation of \
            each interaction. With --pages a page of each failed scenario (as `touchline report` makes it) is written.

            --set changes the groups of the mode processes; a scenario's own settings are kept.

            Exits 0 when no scenario failed, 1 when a scenario failed, 2 when an option or a file cannot be used.

            EXAMPLES
              touchline conform
              touchline conform --mode direct S14a
              touchline conform --order ios --seed 1..100 Tests/Conformance/failure-requirements
              touchline conform --mode processes --set host.transport=ring
              touchline conform --junit results.xml --pages pages Tests/Conformance/controls
            """)

    @Option(
        help: ArgumentHelp(
            """
            Play only in this mode: direct (the app core alone), simulated (all cores) or processes (a real group). \
            Without it every mode is played that the scenario lists.
            """, valueName: "name"))
    var mode: Scenario.Mode?

    @Option(
        help: ArgumentHelp(
            "Order where iOS guarantees none: deterministic, or ios (shuffled by the seed).", valueName: "name"))
    var order: OrderChoice = .deterministic

    @Option(help: ArgumentHelp("Seeds of --order ios; each plays every scenario.", valueName: Seeds.valueName))
    var seed = Seeds(first: 1, last: 1)

    @Option(help: ArgumentHelp("Also write the results as JUnit XML to this file.", valueName: "file"))
    var junit: String?

    @Option(help: ArgumentHelp("Write a page of each failed scenario to this folder.", valueName: "folder"))
    var pages: String?

    @OptionGroup var settings: GroupSettingsOption

    @OptionGroup var result: ResultOptions

    @Argument(
        help: ArgumentHelp(
            "Scenario files, folders of scenario files, or ids of scenarios (default: Tests/Conformance).",
            valueName: "file"))
    var files: [String] = []

    func run() throws {
        // A file that cannot be written fails before the work.
        let file = try junit.map { try OutputFile($0, replaces: true) }
        var report = JUnitReport()
        var results: [ConformResult] = []
        let paths = try scenarioFiles { error in
            printError("\(error)")
            report.unreadable.append(JUnitReport.Unreadable(file: error.location.file, reason: "\(error)"))
        }
        for path in paths {
            let scenario: Scenario
            do throws(ScenarioError) {
                scenario = try Scenario(contentsOf: path)
            } catch {
                printError("\(error)")
                report.unreadable.append(JUnitReport.Unreadable(file: path, reason: "\(error)"))
                continue
            }
            for mode in self.mode.map({ [$0] }) ?? scenario.modes {
                let begun = monotonicNow()
                let played = outcome(of: scenario, in: mode)
                if !result.json { for line in played.text { printLine(line) } }
                results.append(played)
                report.cases.append(try testCase(played, took: begun.duration(to: monotonicNow())))
            }
        }
        if let file {
            var bytes = Array(report.text.utf8)
            try file.write(&bytes)
            try file.finish()
        }
        let summary = ConformSummary(results)
        if result.json {
            try printJSON(summary.json(results, order: order, seeds: seed, settings: settings.assignments))
        } else {
            printText(summary.text(with: settings.assignments))
        }
        if !report.unreadable.isEmpty { throw ExitCode(2) }
        if summary.failed > 0 { throw ExitCode(1) }
    }

    func validate() throws {
        if order == .deterministic, seed.count > 1 {
            throw ValidationError("--seed: expected one seed without --order ios, found \(seed)")
        }
        try settings.expectNoneOfTheCommand()
        if let mode, mode != .processes, !settings.assignments.isEmpty {
            throw ValidationError("--set: expected with --mode processes, found with --mode \(mode.rawValue)")
        }
    }

    // MARK: JUnit

    /// Returns the result for JUnit. A failed scenario is played once more, to be explained and, with --pages, shown.
    private func testCase(_ played: ConformResult, took duration: Duration) throws -> JUnitReport.Case {
        let scenario = played.scenario
        let variant = [played.mode.rawValue] + (played.mode == .processes ? settings.assignments : [])
        var one = JUnitReport.Case(
            suite: "conform (\(variant.joined(separator: ", ")))", className: className(of: scenario.file),
            name: "\(scenario.id) \(scenario.slug)", file: scenario.file, duration: duration, outcome: .passed)
        switch played.outcome {
        case .passed, nil: break
        case .skipped(let reason): one.outcome = .skipped(reason)
        case .failed(let difference):
            var lines = difference
            if let run = try? RecordedRun(of: scenario) {
                lines += explanation(of: run)
                if let page = try page(of: run, called: "\(scenario.id)-\(played.mode.rawValue)") {
                    one.properties.append(("page", page))
                }
            }
            one.outcome = .failed(summary: difference.first ?? "the lines differ", lines: lines)
        }
        return one
    }

    /// The folder of a file with dots: `Tests.Conformance.taps`.
    private func className(of file: String) -> String {
        let folders = file.split(separator: "/").dropLast().filter { $0 != "." && $0 != ".." }
        return folders.isEmpty ? "scenarios" : folders.joined(separator: ".")
    }

    private func explanation(of run: RecordedRun) -> [String] {
        let interactions = run.observed.explained.interactions
        guard !interactions.isEmpty else { return [] }
        return ["", "What became of each interaction:"]
            + interactions.flatMap { $0.story(in: .english, since: run.observed.zero) }
    }

    /// Writes the page of a run to the folder of --pages.
    ///
    /// - Returns: The path of the page; nil without --pages.
    private func page(of run: RecordedRun, called name: String) throws -> String? {
        guard let pages else { return nil }
        do {
            try FileManager.default.createDirectory(atPath: pages, withIntermediateDirectories: true)
        } catch { throw Failure.badInput("\(pages): cannot be made: \(error.localizedDescription)") }
        let path = "\(pages)/\(name).html"
        var bytes = Array(RunPage(RunRecord(run), name: name).html.utf8)
        let file = try OutputFile(path, replaces: true)
        try file.write(&bytes)
        try file.finish()
        return path
    }

    /// Plays a scenario once, or once for each seed.
    private func outcome(of scenario: Scenario, in mode: Scenario.Mode) -> ConformResult {
        var result = ConformResult(scenario: scenario, mode: mode, namesMode: self.mode == nil)
        var progress = Progress()
        for seed in self.seed.first...self.seed.last {
            var scenario = scenario
            scenario.order = order == .ios ? .ios(seed: seed) : .deterministic
            result.add(ScenarioStage(groupSettings: settings.assignments).outcome(of: scenario, in: mode), seed: seed)
            progress.update("\(scenario.id) (\(mode.rawValue)): seed \(seed) of \(self.seed)")
            if case .skipped? = result.outcome { break }
        }
        return result
    }

    /// Checks that each scenario file, folder or id exists.
    ///
    /// - Throws: `Failure` with exit code 2.
    func checkFiles() throws { _ = try scenarioFiles { _ in } }

    /// Returns the files in the order given, and the files of a folder in the order of their ids.
    private func scenarioFiles(refuse: (ScenarioError) -> Void) throws -> [String] {
        try (files.isEmpty ? [ScenarioFiles.folder] : files).flatMap { argument in
            let path = try ScenarioFiles.path(argument)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            return isFolder.boolValue ? try ScenarioFiles.files(in: path, refuse: refuse) : [path]
        }
    }
}

extension Scenario.Mode: ExpressibleByArgument {}

/// The choice of an order that iOS leaves open.
enum OrderChoice: String, CaseIterable, ExpressibleByArgument { case deterministic, ios }

/// Progress on a terminal, after five seconds without a line.
private struct Progress {
    private var last = ContinuousClock.now

    mutating func update(_ line: @autoclosure () -> String) {
        guard ContinuousClock.now - last > .seconds(5), Output.isWatched else { return }
        last = .now
        printError(line())
    }
}

/// One scenario in one mode, once or with several seeds.
struct ConformResult {
    let scenario: Scenario
    let mode: Scenario.Mode
    /// Whether the line names the mode: when there are several.
    let namesMode: Bool
    /// The outcome of the first failed seed, or else of the last seed.
    private(set) var outcome: ScenarioOutcome?
    private(set) var seeds = 0
    private(set) var failedSeeds: [UInt64] = []

    init(scenario: Scenario, mode: Scenario.Mode, namesMode: Bool) {
        (self.scenario, self.mode, self.namesMode) = (scenario, mode, namesMode)
    }

    mutating func add(_ outcome: ScenarioOutcome, seed: UInt64) {
        seeds += 1
        if failedSeeds.isEmpty { self.outcome = outcome }
        if case .failed = outcome { failedSeeds.append(seed) }
    }

    /// The lines: `pass S29 tap-on-yellow`, `fail S29 tap-on-yellow: 3 of 100 seeds: 4, 17, 80`.
    var text: [String] {
        let name = "\(scenario.id) \(scenario.slug)\(namesMode ? " (\(mode.rawValue))" : "")"
        switch outcome {
        case .passed: return ["pass \(name)\(seeds > 1 ? ": \(seeds) seeds" : "")"]
        case .failed(let difference):
            let some = failedSeeds.prefix(10).map(String.init).joined(separator: ", ")
            let which = "\(failedSeeds.count) of \(seeds) seeds: \(some)\(failedSeeds.count > 10 ? ", …" : "")"
            return ["fail \(name)\(seeds > 1 ? ": \(which)" : "")"] + difference.map { "    \($0)" }
        case .skipped(let reason): return ["skip \(name): \(reason)"]
        case nil: return []
        }
    }

    var json: [String: Any] {
        var object: [String: Any] = [
            "id": scenario.id, "title": scenario.title, "file": scenario.file, "mode": mode.rawValue, "seeds": seeds,
        ]
        switch outcome {
        case .passed, nil: object["outcome"] = "pass"
        case .failed(let difference):
            object["outcome"] = "fail"
            object["difference"] = difference
            object["failedSeeds"] = failedSeeds
        case .skipped(let reason):
            object["outcome"] = "skip"
            object["reason"] = reason
        }
        return object
    }
}

/// The counts of a run of conform.
struct ConformSummary {
    var passed = 0
    var failed = 0
    var skipped = 0

    init(_ results: [ConformResult]) {
        for result in results {
            switch result.outcome {
            case .passed, nil: passed += 1
            case .failed: failed += 1
            case .skipped: skipped += 1
            }
        }
    }

    /// Returns the last line of the output. It names the settings of --set, without which two runs look alike.
    func text(with settings: [String]) -> String {
        let with = settings.isEmpty ? "" : "; processes with \(settings.joined(separator: ", "))"
        return "\(passed) passed, \(failed) failed, \(skipped) skipped\(with)"
    }

    func json(_ results: [ConformResult], order: OrderChoice, seeds: Seeds, settings: [String]) -> [String: Any] {
        [
            "passed": passed, "failed": failed, "skipped": skipped, "order": order.rawValue,
            "seeds": [seeds.first, seeds.last], "settings": settings, "scenarios": results.map(\.json),
        ]
    }
}
