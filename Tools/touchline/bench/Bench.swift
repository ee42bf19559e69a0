// Bench.swift: `touchline bench`: measurements, each with its baseline from the same run.

import ArgumentParser

/// The command `touchline bench`.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Measure the group against a raw relay, its cores, dispatch in one app, windows, the reading of recordings.",
        subcommands: [
            BenchLatency.self, BenchCores.self, BenchDispatch.self, BenchDecode.self,
            BenchWindows.self, BenchRelay.self, BenchDispatchRun.self,
        ])
}
