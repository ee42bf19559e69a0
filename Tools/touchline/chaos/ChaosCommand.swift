// ChaosCommand.swift: `touchline chaos`: one fault of Docs/Spec/Pipeline.md section 4, applied to the running group, and its criterion.

import ArgumentParser
import Basics
import Foundation
import Wire
import ZeroMQHost

/// The command `touchline chaos`.
struct ChaosCommand: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "chaos",
        abstract: "Apply a fault to the running group, again and again, and check its demands.",
        discussion: """
            Plays touches into a group that was started with `touchline up --allow-chaos`, and applies the fault at \
            random moments. When the group has recovered, its journals are replayed and audited. Times are those in the \
            journals. FAULT is an id or a name; the third column is the default of --repeat:

            \(faultList.map { "  " + $0 }.joined(separator: "\n"))

            malformed-frames and crash-loop leave an app quarantined, and supervisor-killed ends the group. `touchline \
            chaos all` applies every fault to groups of its own. `touchline chaos list` prints the faults.

            Exits 0 when every demand is met, 1 when a demand is missed, 2 when the fault or an option cannot be used, 3 \
            when no group is running or the group does not allow faults.

            EXAMPLES
              touchline up --allow-chaos --apps 2 &
              touchline chaos F1 --repeat 20
              touchline chaos stopped --json
              touchline chaos all --only F1,F12 --output chaos.txt
              touchline chaos all --set host.transport=ring
            """)

    private static let faultList = aligned(
        ChaosRow.allCases.map { [$0.id, $0.rawValue, "\($0.standardTimes)", $0.summary] })

    @Argument(help: ArgumentHelp("A fault, or `list`, or `all`.", valueName: "fault"))
    var fault: String

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Number of repetitions (default: the usual count of the fault, see `touchline chaos list`).",
            valueName: "count"))
    var repeats: Int?

    @Option(help: ArgumentHelp("Seed of the random moments and positions.", valueName: Seeds.singleValueName))
    var seed = Seeds(first: 1, last: 1)

    @Option(help: ArgumentHelp("With `all`: only these faults, separated by commas.", valueName: "name"))
    var only: String?

    @OptionGroup var keep: KeepOption

    @OptionGroup var settings: GroupSettingsOption

    @OptionGroup var timing: TimingOption

    @OptionGroup var runDirectory: RunDirectory

    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--repeat", repeats, in: 1...10_000_000)
        _ = try seed.single
        try settings.expectNoneOfTheCommand()
        if fault != "all", keep.keep || only != nil || !settings.assignments.isEmpty {
            throw ValidationError("--keep, --only and --set: expected with `all`, found with \(quoted(fault))")
        }
    }

    func run() throws {
        if fault == "list" { return try list() }
        let meter = ChaosMeter(isQuiet: result.json)
        let seed = try seed.single
        let judgesTimes = !timing.noTiming
        let verdicts: [ChaosVerdict]
        if fault == "all" {
            verdicts = try ChaosAll(
                rows: rows(), settings: settings.assignments, repeats: repeats, seed: seed, keep: keep.keep,
                meter: meter, judgesTimes: judgesTimes
            ).run()
        } else {
            let row = try Self.row(fault)
            let ground = try ChaosTarget(runDirectory: try runDirectory.path, seed: seed)
            var run = ChaosRun(
                row, on: ground, times: repeats ?? row.standardTimes, meter: meter, judgesTimes: judgesTimes)
            verdicts = [try run.run()]
        }
        try printVerdicts(verdicts, seed: seed)
        if !verdicts.allSatisfy(\.isPassed) { throw ExitCode(1) }
    }

    private func list() throws {
        guard result.json else { return printText(Self.faultList.joined(separator: "\n")) }
        try printJSON([
            "faults": ChaosRow.allCases.map { row in
                [
                    "fault": row.id, "name": row.rawValue, "times": row.standardTimes, "unit": row.unit,
                    "summary": row.summary,
                ] as [String: Any]
            }
        ])
    }

    private func rows() throws -> [ChaosRow] {
        guard let only else { return ChaosRow.allCases }
        return try only.split(separator: ",").map { try Self.row(String($0)) }
    }

    private static func row(_ text: String) throws -> ChaosRow {
        if let row = ChaosRow(named: text) { return row }
        let names = ChaosRow.allCases.flatMap { [$0.id, $0.rawValue] }
        let near = nearestName(to: text, among: names).map { ", did you mean \($0)?" } ?? ""
        throw Failure.badInput("chaos: expected a fault of `touchline chaos list`, found \(quoted(text))\(near)")
    }

    private func printVerdicts(_ verdicts: [ChaosVerdict], seed: UInt64) throws {
        if result.json {
            return try printJSON([
                "passed": verdicts.allSatisfy(\.isPassed), "seed": Int(clamping: seed), "rows": verdicts.map(\.json),
            ])
        }
        for line in aligned([ChaosVerdict.head] + verdicts.flatMap(\.table)) { printLine(line) }
        for verdict in verdicts {
            let (id, name) = (verdict.row.id, verdict.row.rawValue)
            for remark in verdict.remarks { printLine("\(id) \(name): \(remark)") }
            for violation in verdict.violations { printText("\(id) \(name): \(violation)") }
        }
    }
}
