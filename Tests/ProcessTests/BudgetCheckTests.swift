import ArgumentParser
import Configuration
import Foundation
import Testbed
import Testing

@testable import touchline

@Suite("Budgets of figures")
struct BudgetCheckTests {
    private static let figures = [
        BenchFigure(group: "dispatch", name: "a-moved", metric: "allocations", unit: "count", values: [1, 1, 1]),
        BenchFigure(group: "simulation", name: "standard", metric: "core-events", unit: "events/s", values: [400_000]),
    ]

    private static func check(_ yaml: String, countsOnly: Bool = false) throws -> BudgetCheck {
        try BudgetCheck(
            Budgets(yaml: yaml, file: "b.yaml"), file: "b.yaml", figures: figures, countsOnly: countsOnly)
    }

    @Test("an exceeded budget names the figure, the limit, its line and the measured value")
    func exceeded() throws {
        let check = try Self.check("counts:\n  dispatch/a-moved/allocations: 0\n")
        #expect(
            check.judgement.complaints == [
                "dispatch/a-moved/allocations: expected at most 0 count (b.yaml:2), found 1 count"
            ])
        #expect(check.judgement.unusable.isEmpty)
        #expect(check.text.last == "0 budgets kept, 1 exceeded, 0 not measured")
        #expect(try Self.check("counts:\n  dispatch/a-moved/allocations: 1\n").judgement == FigureJudgement())
    }

    @Test("the budget of a rate is its least value")
    func rate() throws {
        #expect(try Self.check("times:\n  simulation/standard/core-events: 300000\n").judgement.lines.isEmpty)
        let check = try Self.check("times:\n  simulation/standard/core-events: 500000events/s\n")
        #expect(
            check.judgement.complaints == [
                "simulation/standard/core-events: expected at least 500000 events/s (b.yaml:2), found 400000 events/s"
            ])
    }

    @Test("a figure that was not measured keeps its budget, and its row says so")
    func notMeasured() throws {
        let check = try Self.check(
            "counts:\n  dispatch/a-moved/instructions: 1\n  dispatch/a-moved/allocations: 1\n")
        #expect(check.judgement.lines.isEmpty)
        #expect(check.text.last == "1 budgets kept, 0 exceeded, 1 not measured")
        #expect(check.text.contains { $0.contains("dispatch/a-moved/instructions") && $0.contains("not measured") })
    }

    @Test("budgets without any figure of the run are unusable")
    func nothingJudged() throws {
        let line = "b.yaml: expected a budget of a figure of this run, found none"
        for yaml in ["counts:\n  dispatch/a-moved/instructions: 1\n", "counts: {}\n"] {
            #expect(try Self.check(yaml).judgement == FigureJudgement(unusable: [line]), "\(yaml)")
        }
    }

    @Test("a budget in another kind of unit is unusable, and the others are judged")
    func wrongUnit() throws {
        let check = try Self.check(
            "counts:\n  dispatch/a-moved/allocations: 1ms\n  simulation/standard/core-events: 500000\n")
        #expect(
            check.judgement.unusable == ["b.yaml:2 dispatch/a-moved/allocations: expected a limit in count, found 1ms"])
        #expect(check.judgement.complaints.count == 1)
        #expect(check.text.contains { $0.contains("1ms") && $0.contains("unusable") })
    }

    @Test("tuned figures are not judged where a condition of --tuned was missing")
    func tuning() throws {
        let figures = #"""
            [{"group":"latency","case":"240Hz-tuned","metric":"p50","unit":"us","values":[1]},
             {"group":"latency","case":"240Hz","metric":"p50","unit":"us","values":[1]}]
            """#
        func judged(_ rest: String) throws -> [String] {
            let text = "{\"figures\": \(figures)\(rest)}"
            return try JSONDecoder().decode(BenchChild.Output.self, from: Data(text.utf8)).judged.map(\.name)
        }
        #expect(try judged("") == ["240Hz-tuned", "240Hz"])
        #expect(try judged(#", "tuned": {"missing": []}"#) == ["240Hz-tuned", "240Hz"])
        #expect(try judged(#", "tuned": {"missing": ["SCHED_FIFO"]}"#) == ["240Hz"])
    }

    @Test("budgets of times are left out where only counts are judged")
    func countsOnly() throws {
        let yaml = "counts:\n  dispatch/a-moved/allocations: 1\ntimes:\n  simulation/standard/core-events: 500000\n"
        #expect(try Self.check(yaml, countsOnly: true).rows.map(\.key) == ["dispatch/a-moved/allocations"])
        #expect(try Self.check(yaml).judgement.complaints.count == 1)
    }

    @Test(
        "a budget of no benchmark is an error of the file",
        arguments: [
            "dispatch/z-moved/allocations", "latency/240Hz/p51", "hit-test/flat-100/tests", "start/apps-1/rss",
            "memory/apps-1/ready",
        ])
    func wrong(key: String) throws {
        let failure = #expect(throws: Failure.self) { try Self.check("counts:\n  \(key): 1\n") }
        #expect(failure?.code == 2)
        #expect(failure?.line == "b.yaml:2: expected a figure of a benchmark, found \(key)")
    }

    @Test("each key of Config/budgets.yaml is a figure of a benchmark")
    func file() throws {
        let path = Repository.root.appending(path: "Config/budgets.yaml").path
        let budgets = try Budgets(contentsOf: path)
        let counts = budgets.entries.filter(\.isCount)
        #expect(counts.count > 10)
        // Wrong keys throw. Without figures every budget is unmeasured.
        let check = try BudgetCheck(budgets, file: path, figures: [], countsOnly: false)
        #expect(check.rows.count == budgets.entries.count && check.judgement.complaints.isEmpty)
        // A time among the counts would gate a busy machine.
        for entry in counts {
            let isCounted = ["allocations", "instructions", "syscalls", "wake-ups", "preemptions", "context-switches"]
                .contains { entry.key.contains("/\($0)") }
            #expect(isCounted, "\(entry.key)")
        }
    }

    @Test("every benchmark is a subcommand, and its sections have distinct groups")
    func list() {
        let commands = Bench.configuration.subcommands.map { $0._commandName }
        for benchmark in BenchList.all { #expect(commands.contains(benchmark.name), "\(benchmark.name)") }
        let groups = BenchList.sections.map(\.group)
        #expect(Set(groups).count == groups.count)
        for benchmark in BenchList.all {
            let own = benchmark.sections.map(\.group)
            for pattern in benchmark.figures {
                #expect(own.contains { pattern.hasPrefix("\($0)/") }, "\(benchmark.name): \(pattern) is in no section")
            }
        }
        #expect(BenchList.has("latency/240Hz/p50") && !BenchList.has("latency/240Hz") && !BenchList.has("a/b/c"))
        for metric in ["p99.9-ring", "ratio-p50", "ratio-p99-seqpacket", "p50-wire-to-app", "syscalls-zmq"] {
            #expect(BenchList.has("latency/240Hz-tuned/\(metric)"), "\(metric)")
        }
    }
}
