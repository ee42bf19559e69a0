// CommonOptions.swift: options of several commands that have one spelling, one meaning and one limit everywhere.

import ArgumentParser
import Configuration
import Foundation
import Scenarios
import Settings

/// --jobs, the number of worker processes.
struct JobsOption: ParsableArguments {
    @Option(help: ArgumentHelp("Worker processes (default: one for each CPU).", valueName: "count"))
    var jobs: Int?

    var count: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }

    func validate() throws {
        try expect("--jobs", jobs, in: 1...256)
    }
}

/// --set, for the groups that a command starts.
struct GroupSettingsOption: ParsableArguments {
    @Option(
        name: .customLong("set"), parsing: .singleValue,
        help: ArgumentHelp(
            "Change one key of the configuration of the groups that the command starts; may be repeated.",
            valueName: "key=value"))
    var assignments: [String] = []

    func validate() throws {
        var configuration = Configuration()
        for assignment in assignments { try configuration.set(assignment: assignment) }
    }

    /// The keys that benchmarks decide for their groups: their apps and what these show, their devices, and whether they
    /// accept faults. Traces may be measured.
    static let decidedByBenchmarks =
        Topology.contentKeys + [
            "group.apps", Settings.name(of: .groupTopology), Settings.name(of: .deviceOpen),
            Settings.name(of: .chaosAllowed),
        ]

    /// The same keys and the traces, which most commands read.
    static let decidedByCommands = decidedByBenchmarks + [Settings.name(of: .hostTrace)]

    /// Checks that no assignment takes away what a command decides for its groups.
    ///
    /// - Parameter decided: The keys that the command sets itself.
    func expectNoneOfTheCommand(_ decided: [String] = decidedByCommands) throws {
        for assignment in assignments {
            let name = String(assignment.prefix { $0 != "=" })
            if decided.contains(name) {
                throw ValidationError("--set: expected a key that this command does not set itself, found \(name)")
            }
        }
    }
}

/// --no-timing, for a run on a busy machine.
struct TimingOption: ParsableArguments {
    @Flag(
        help: """
            Do not judge what a busy machine alone can break: promptness (I2), isolation (I5), and how much arrives \
            each second.
            """)
    var noTiming = false
}

/// --app-executable, for a replay of apps with programs of their own.
struct ReplayProgramsOption: ParsableArguments {
    @Option(
        name: .customLong("app-executable"), parsing: .singleValue,
        help: ArgumentHelp(
            "The program of an app that was started with `touchline up --app-executable`; may be repeated.",
            valueName: "file"))
    var executables: [String] = []

    var programs: ReplayPrograms { ReplayPrograms(executables.map { absolute($0) }) }
}

/// --keep, for a command that starts a group of its own.
struct KeepOption: ParsableArguments {
    @Flag(help: "Keep the group's folder and print its path.")
    var keep = false
}

/// Checks an option's value; nil passes.
///
/// - Throws: `ValidationError` with the option, the expected range and the value.
func expect<Value: Comparable>(
    _ option: String, _ value: Value?, in range: ClosedRange<Value>, unit: String = ""
) throws {
    guard let value, !range.contains(value) else { return }
    let suffix = unit.isEmpty ? "" : " \(unit)"
    throw ValidationError(
        "\(option): expected \(text(range.lowerBound)) to \(text(range.upperBound))\(suffix), found \(text(value))")
}

/// A whole number without `.0`.
private func text(_ value: some Comparable) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
