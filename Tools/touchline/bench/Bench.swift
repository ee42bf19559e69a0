// Bench.swift: measurements, each with what it is measured against in the same run.

import ArgumentParser

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the group against a raw relay, and dispatch inside one app.",
        subcommands: [BenchLatency.self, BenchDispatch.self, BenchRelay.self, BenchDispatchRun.self])
}
