// Soak.swift: `touchline soak`: a group under a finger at 1 kHz with faults of all kinds, for any time.

import ArgumentParser
import Basics
import Configuration
import Faults
import Foundation

/// The command `touchline soak`.
struct Soak: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play 1 kHz into a group for minutes, with faults, and see whether it stays as it was.",
        discussion: """
            Starts a group of its own, plays a finger at --rate into it without end, and does what the profile of \
            faults draws from the seed: processes are killed, stopped, slowed, their links made bad, their disks full. \
            Every second the memory, open files and threads of each process are read. At the end everything heals; then \
            what was played must arrive as it did before, the group must have grown by no more than 16 MiB, and no \
            process that lived a minute or more by more than its share of that; each has the files (± 2) and threads \
            it had, and the audit of the journals finds every law kept.

            Writes a plot of each over time, and a summary, also where it ends early. Journals take about 2 MB a second \
            in the folder for temporary files ($TMPDIR). Says on stderr how far it is, every ten seconds where that is no \
            terminal.

            Exits 0 when all that holds, 1 when it does not, 2 for a profile that cannot be read, or has faults that \
            are not done to a running group, 3 when no group can be started.
            """)

    @Argument(help: ArgumentHelp("How long.", valueName: "minutes"))
    var minutes: Double

    @Option(help: ArgumentHelp("What goes wrong (default: \(Self.defaultFaults), if it is there).", valueName: "file"))
    var faults: String?

    @Option(help: ArgumentHelp("What the faults are drawn from.", valueName: "seed"))
    var seed: UInt64 = 1

    @Option(parsing: .unconditional, help: ArgumentHelp("How many apps.", valueName: "count"))
    var apps = 3

    @Option(help: ArgumentHelp("Scans a second.", valueName: "Hz"))
    var rate = 1000.0

    @Option(help: ArgumentHelp("Where the plot goes.", valueName: "file"))
    var svg = "soak.svg"

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    @Flag(help: "Keep the group's folder, and say where it is.")
    var keep = false

    @Flag(
        help: """
            Leave out what a busy machine breaks by itself: promptness (I2), isolation (I5), how much arrives a second.
            """)
    var noTiming = false

    private static let defaultFaults = "Config/Faults/soak.yaml"

    func validate() throws {
        guard minutes > 0, minutes <= 10_080 else {
            throw ValidationError("minutes: expected more than 0, at most 10080 (a week), found \(minutes)")
        }
        guard (1...128).contains(apps) else { throw ValidationError("--apps: expected 1 to 128, found \(apps)") }
        guard (1...8000).contains(rate) else { throw ValidationError("--rate: expected 1 to 8000, found \(rate)") }
    }

    func run() throws {
        let file = faults ?? (FileManager.default.fileExists(atPath: Self.defaultFaults) ? Self.defaultFaults : nil)
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
        let plan = profile.plan(seed: seed, length: length, apps: UInt32(apps))
        var run = try SoakRun(
            plan: plan, length: length, apps: apps, rate: rate, keep: keep, judgesTimes: !noTiming)
        let outcome = run.run()
        do { try Data(SoakPlot(outcome).svg.utf8).write(to: URL(filePath: svg)) } catch {
            throw Failure.badInput("\(svg): cannot be written: \(error.localizedDescription)")
        }
        try printOutcome(outcome)
        if !outcome.isPassed { throw ExitCode(1) }
    }

    private func printOutcome(_ outcome: SoakOutcome) throws {
        if json { return try printJSON(outcome.json(svg: svg)) }
        for line in aligned([SoakOutcome.head] + outcome.table) { printLine(line) }
        for remark in outcome.remarks { printLine(remark) }
        for violation in outcome.violations { printText(violation) }
        printLine("\(outcome.isPassed ? "passed" : "MISSED"); the plot is in \(svg)")
    }
}
