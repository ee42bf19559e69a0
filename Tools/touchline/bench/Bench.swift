// Bench.swift: measurements, each against something that does nothing else, in one run.

import ArgumentParser

struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the group against a raw relay.", subcommands: [BenchLatency.self, BenchRelay.self])
}
