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
            check.complaints == ["dispatch/a-moved/allocations: expected at most 0 count (b.yaml:2), found 1 count"])
        #expect(check.text.last == "0 budgets kept, 1 exceeded, 0 not measured")
        #expect(try Self.check("counts:\n  dispatch/a-moved/allocations: 1\n").complaints.isEmpty)
    }

    @Test("the budget of a rate is its least value")
    func rate() throws {
        #expect(try Self.check("times:\n  simulation/standard/core-events: 300000\n").complaints.isEmpty)
        let check = try Self.check("times:\n  simulation/standard/core-events: 500000events/s\n")
        #expect(
            check.complaints == [
                "simulation/standard/core-events: expected at least 500000 events/s (b.yaml:2), found 400000 events/s"
            ])
    }

    @Test("a figure that was not measured keeps its budget, and its row says so")
    func notMeasured() throws {
        let check = try Self.check("counts:\n  dispatch/a-moved/instructions: 1\n")
        #expect(check.complaints.isEmpty)
        #expect(check.text.contains { $0.contains("dispatch/a-moved/instructions") && $0.contains("not measured") })
    }

    @Test("budgets of times are left out where only counts are judged")
    func countsOnly() throws {
        let yaml = "counts:\n  dispatch/a-moved/allocations: 1\ntimes:\n  simulation/standard/core-events: 500000\n"
        #expect(try Self.check(yaml, countsOnly: true).rows.map(\.key) == ["dispatch/a-moved/allocations"])
        #expect(try Self.check(yaml).complaints.count == 1)
    }

    @Test("a budget of no benchmark, and one in another kind of unit, are errors of the file")
    func wrong() throws {
        for (yaml, line) in [
            (
                "counts:\n  dispatch/z-moved/allocations: 1\n",
                "b.yaml:2: expected a figure of a benchmark, found dispatch/z-moved/allocations"
            ),
            (
                "counts:\n  dispatch/a-moved/allocations: 1ms\n",
                "b.yaml:2 dispatch/a-moved/allocations: expected a limit in count, found 1ms"
            ),
        ] {
            let failure = #expect(throws: Failure.self) { try Self.check(yaml) }
            #expect(failure?.code == 2 && failure?.line == line, "\(failure?.line ?? "")")
        }
    }

    @Test("each key of Config/budgets.yaml is a figure of a benchmark")
    func file() throws {
        let path = Repository.root.appending(path: "Config/budgets.yaml").path
        let budgets = try Budgets(contentsOf: path)
        let counts = budgets.entries.filter(\.isCount)
        #expect(counts.count > 10)
        // Wrong keys throw. Without figures every budget is unmeasured.
        let check = try BudgetCheck(budgets, file: path, figures: [], countsOnly: false)
        #expect(check.rows.count == budgets.entries.count && check.complaints.isEmpty)
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
    }
}
