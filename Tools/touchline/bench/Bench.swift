// Bench.swift: `touchline bench`: measurements, each with its baseline from the same run.

import ArgumentParser

/// The command `touchline bench`.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Measure latency, throughput, cores, event dispatch, simulation, start and memory, and compare two runs.",
        discussion: """
            Each measurement prints its baseline from the same run. Measure with a release build. `bench all` runs every \
            benchmark and writes one page.

            Exits 0 when the measurement is complete, 1 when frames are lost or read wrongly or a figure is beyond a limit, \
            2 when an option or a file cannot be used, 3 when the machine refuses a resource.
            """,
        subcommands: BenchList.all.map { $0.command } + others)

    private static let others: [any ParsableCommand.Type] = [
        BenchAll.self, BenchCompare.self, BenchRelay.self, BenchDispatchRun.self, BenchHitTestRun.self,
    ]
}
