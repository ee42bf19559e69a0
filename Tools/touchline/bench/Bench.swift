// Bench.swift: measurements, each with what it is measured against in the same run.

import ArgumentParser

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the group against a raw relay, dispatch inside one app, and the reading of recordings.",
        subcommands: [BenchLatency.self, BenchDispatch.self, BenchDecode.self, BenchRelay.self, BenchDispatchRun.self])
}
