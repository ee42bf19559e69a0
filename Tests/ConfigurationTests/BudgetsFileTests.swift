import Testing

@testable import Configuration

@Suite("Budget files")
struct BudgetsFileTests {
    @Test("a budget file has counts and times in its order")
    func read() throws {
        let budgets = try Budgets(
            yaml: """
                counts:
                  dispatch/a-moved/allocations: 0   # none
                times:
                  latency/240Hz/p50: 200us
                """, file: "b.yaml")
        #expect(
            budgets.entries == [
                Budgets.Entry(key: "dispatch/a-moved/allocations", limit: "0", line: 2, isCount: true),
                Budgets.Entry(key: "latency/240Hz/p50", limit: "200us", line: 4, isCount: false),
            ])
        #expect(try Budgets(yaml: "", file: "b.yaml").entries.isEmpty)
    }

    @Test("each mistake of a budget file is one line with its place")
    func mistakes() {
        let error = #expect(throws: InvalidConfiguration.self) {
            try Budgets(
                yaml: """
                    count:
                      a/b/c: 1
                    counts:
                      a/b: 1
                      a/b/c: many
                      a/b/d: 1
                    times:
                      a/b/d: 2
                      a/b/e: [1]
                    """, file: "b.yaml")
        }
        #expect(
            error?.errors.map(\.description) == [
                "b.yaml:1: budgets: expected one of counts times, found \"count\", did you mean counts?",
                "b.yaml:4: counts: expected group/case/metric, found \"a/b\"",
                "b.yaml:5: a/b/c: expected a number with an optional unit, found \"many\"",
                "b.yaml:8: a/b/d: has a limit in line 6 already",
                "b.yaml:9: a/b/e: expected a number with an optional unit, found a list",
            ])
    }
}
