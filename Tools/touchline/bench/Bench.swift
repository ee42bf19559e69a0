// Bench.swift: `touchline bench`: measurements, each with its baseline from the same run.

import ArgumentParser

/// The command `touchline bench`.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Measure latency, cores, event dispatch and hit tests in an app, windows, and the reading of recordings.",
        discussion: """
            Each measurement prints its baseline from the same run. Measure with a release build.

            Exits 0 when the measurement is complete, 1 when frames are lost or read wrongly, 2 when an option or a file \
            cannot be used, 3 when the machine refuses a resource.
            """,
        subcommands: [
            BenchLatency.self, BenchCores.self, BenchDispatch.self, BenchHitTest.self, BenchDecode.self,
            BenchWindows.self, BenchRelay.self, BenchDispatchRun.self,
        ])
}
