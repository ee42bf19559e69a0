// ChaosCommand.swift: `touchline chaos`: one fault of Docs/Spec/Pipeline.md section 4, applied to the running group, and its criterion.

import ArgumentParser
import Basics
import Foundation
import Wire
import ZeroMQHost

/// The command `touchline chaos`.
struct ChaosCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chaos",
        abstract: "Do a fault to the running group, again and again, and check what must hold then.",
        discussion: """
            Plays touches of its own into a group that was started with `touchline up --allow-chaos`, does the fault at \
            random moments of them, waits until all is as it was, and then reads the group's journals: everything is \
            replayed and audited, and the times are those the processes noted. FAULT is an id or a name:

            \(faultList.map { "  " + $0 }.joined(separator: "\n"))

            malformed-frames and crash-loop cost the group an app, which is left dead, and supervisor-killed all of it. \
            `touchline chaos all` starts groups of its own and does every row (`Tools/chaos-all`).

            Exits 0 when every demand is met, 1 when one is missed, 2 for a fault that is none, 3 when no group is \
            running, or it was not started with --allow-chaos.

            EXAMPLES
              touchline up --allow-chaos --apps 2 &
              touchline chaos F1 --times 20
              touchline chaos stopped --json
            """)

    private static let faultList = aligned(
        ChaosRow.allCases.map { [$0.id, $0.rawValue, "\($0.standardTimes)", $0.summary] })

    @Argument(help: ArgumentHelp("Which fault, `list` for what there is, or `all`.", valueName: "fault"))
    var fault: String

    @Option(
        help: ArgumentHelp(
            "How often (default: the third column above).", valueName: "count"))
    var times: Int?

    @Option(help: ArgumentHelp("Where the random moments and places come from.", valueName: "seed"))
    var seed: UInt64 = 1

    @Flag(help: "Print one JSON object instead of a table.")
    var json = false

    @Flag(help: ArgumentHelp("With `all`: keep the folders of its groups, and say where they are."))
    var keep = false

    @Option(
        help: ArgumentHelp("With `all`: only these rows, with commas between.", valueName: "faults"))
    var only: String?

    @Flag(
        help: """
            Leave out what a busy machine breaks by itself: times are told and not judged, nor are the laws of \
            promptness (I2) and isolation (I5).
            """)
    var noTiming = false

    @OptionGroup var runDirectory: RunDirectory

    func validate() throws {
        if let times, !(1...10_000_000).contains(times) {
            throw ValidationError("--times: expected 1 to 10000000, found \(times)")
        }
        if fault != "all", keep || only != nil {
            throw ValidationError("--keep and --only: expected with `all` alone, found with \(fault)")
        }
    }

    func run() throws {
        if fault == "list" { return try list() }
        let meter = ChaosMeter(isQuiet: json)
        let verdicts: [ChaosVerdict]
        if fault == "all" {
            verdicts = try ChaosAll(
                rows: rows(), times: times, seed: seed, keep: keep, meter: meter, judgesTimes: !noTiming
            ).run()
        } else {
            let row = try Self.row(fault)
            let ground = try ChaosTarget(runDirectory: try runDirectory.path, seed: seed)
            var run = ChaosRun(
                row, on: ground, times: times ?? row.standardTimes, meter: meter, judgesTimes: !noTiming)
            verdicts = [try run.run()]
        }
        try printVerdicts(verdicts)
        if !verdicts.allSatisfy(\.isPassed) { throw ExitCode(1) }
    }

    private func list() throws {
        guard json else { return printText(Self.faultList.joined(separator: "\n")) }
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
        throw Failure.badInput("chaos: expected a fault, see `touchline chaos list`; found \(quoted(text))\(near)")
    }

    private func printVerdicts(_ verdicts: [ChaosVerdict]) throws {
        if json {
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
