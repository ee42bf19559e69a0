// Soak.swift: `touchline soak`: a group under a finger at 1 kHz with faults of all kinds, for any time.

import ArgumentParser
import Basics
import Configuration
import Faults
import Foundation

/// The command `touchline soak`.
struct Soak: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Play touches at 1 kHz into a group with faults, and check that the group does not grow.",
        discussion: """
            Starts a group of its own, keeps a finger moving at --rate, and applies the faults that the profile draws \
            from the seed: kills, stops, slow processes, lossy links, full disks. Memory, open files and threads of each \
            process are read every second.

            After the last fault, touches must arrive at the same rate as before. The group may be at most 16 MiB \
            larger, and a process instance that ran a minute or longer may grow by its share of that. Each process must \
            have its number of open files (± 2) and threads. The journals are replayed and audited.

            The plot is written even when the run ends early. Journals take about 2 MB each second in $TMPDIR. stderr \
            has the progress, as one line every ten seconds if it is no terminal.

            Exits 0 when every demand is met and all laws hold, 1 when one is missed, 2 when an option or a file cannot \
            be used or a fault cannot be applied to a running group, 3 when no group can be started.

            EXAMPLES
              touchline soak --minutes 10 --svg soak.svg
              touchline soak --minutes 1 --faults Config/Faults/crashes.yaml --no-timing
            """)

    @Option(help: ArgumentHelp("Length of the run with faults.", valueName: "minutes"))
    var minutes: Double

    @Option(
        help: ArgumentHelp(
            "Faults and how often they occur (default: \(Self.defaultFaults) if it exists).", valueName: "file"))
    var faults: String?

    @Option(help: ArgumentHelp("Seed of the faults.", valueName: Seeds.singleValueName))
    var seed = Seeds(first: 1, last: 1)

    @Option(parsing: .unconditional, help: ArgumentHelp("Number of apps in the group.", valueName: "count"))
    var apps = 3

    @Option(help: ArgumentHelp("Scans each second.", valueName: "Hz"))
    var rate = 1000.0

    @Option(help: ArgumentHelp("File for the plot.", valueName: "file"))
    var svg = "soak.svg"

    @OptionGroup var keep: KeepOption

    @OptionGroup var timing: TimingOption

    @OptionGroup var result: ResultOptions

    private static let defaultFaults = "Config/Faults/soak.yaml"

    func validate() throws {
        try expect("--minutes", minutes, in: 0.01...10_080)
        try expect("--apps", apps, in: 1...128)
        try expect("--rate", rate, in: 1...8000)
        _ = try seed.single
    }

    func run() throws {
        let standard = SharedFiles.path(Self.defaultFaults)
        let file = faults ?? (FileManager.default.fileExists(atPath: standard) ? standard : nil)
        let profile: FaultProfile
        do throws(InvalidConfiguration) {
            profile =
                try file.map { path throws(InvalidConfiguration) in
                    try FaultProfile(contentsOf: path)
                } ?? FaultProfile()
        } catch { throw Failure.badInput(error) }
        // A bad rule fails before the run, not at its end.
        for rule in profile.rules {
            guard let reason = SoakRun.refusal(of: rule, apps: UInt32(apps)) else { continue }
            throw Failure.badInput("\(file ?? "--faults"): \(rule.kind.rawValue): \(reason)")
        }
        guard FileManager.default.createFile(atPath: svg, contents: nil) else {
            throw Failure.badInput("\(svg): cannot be written")
        }
        let length = Duration(seconds: minutes * 60)
        let plan = profile.plan(seed: try seed.single, length: length, apps: UInt32(apps))
        var run = try SoakRun(
            plan: plan, length: length, apps: apps, rate: rate, keep: keep.keep, judgesTimes: !timing.noTiming)
        let outcome = run.run()
        do { try Data(SoakPlot(outcome).svg.utf8).write(to: URL(filePath: svg)) } catch {
            throw Failure.badInput("\(svg): cannot be written: \(error.localizedDescription)")
        }
        try printOutcome(outcome)
        if !outcome.isPassed { throw ExitCode(1) }
    }

    private func printOutcome(_ outcome: SoakOutcome) throws {
        if result.json { return try printJSON(outcome.json(svg: svg)) }
        for line in aligned([SoakOutcome.head] + outcome.table) { printLine(line) }
        for remark in outcome.remarks { printLine(remark) }
        for violation in outcome.violations { printText(violation) }
        printLine("\(outcome.isPassed ? "passed" : "MISSED"); the plot is in \(svg)")
    }
}
