// ShardRunner.swift: runs one shard of a campaign in this process's children, and returns its result.
//
//     Shard ─┬─ simulate ─▶ SimulationWorkers, SimulationShrinking
//            ├─ monkey, conform, exhaust ─▶ the command with --json
//            └─ fuzz, mutants ─▶ the program of the plan
//
// A seed that traps or hangs is a failure of the seed. A command that cannot be used is a failure of the worker: the shard
// has no result.

import ArgumentParser
import Basics
import Campaigns
import Foundation
import Glibc

/// Runs one shard.
struct ShardRunner {
    let folder: CampaignFolder
    let shard: Shard
    private let search: CampaignSearch

    /// - Throws: `Failure` with exit code 2 for a shard of another plan.
    init(_ folder: CampaignFolder, _ shard: Shard) throws {
        guard let search = folder.plan[shard.search] else {
            throw Failure.badInput("\(shard.id): expected a shard of the plan \(folder.plan.name)")
        }
        (self.folder, self.shard, self.search) = (folder, shard, search)
    }

    func run() throws -> ShardResult {
        var result = ShardResult(plan: folder.plan.identity, shard: shard)
        result.cost.host = Self.host
        result.cost.program = Version.text
        let began = monotonicNow()
        result.cost.began = Date().timeIntervalSince1970
        switch shard.work {
        case .seeds(let seeds):
            switch search.kind {
            case .simulate: try simulate(seeds, &result)
            case .monkey: try playWorlds(seeds, &result)
            case .conform: try conform(seeds, &result)
            case .exhaust: try exhaust(&result)
            case .fuzz: for seed in seeds { try fuzz(seed, &result) }
            case .mutants: for number in seeds { try mutate(number, &result) }
            }
            result.failures.sort { ($0.seed, $0.law, $0.text) < ($1.seed, $1.law, $1.text) }
        case .reduction(let seed, let law):
            result.reduction =
                switch search.kind {
                case .simulate: try reduceSimulation(seed, law)
                case .monkey: try reduceWorld(seed, law)
                case .conform, .exhaust, .fuzz, .mutants:
                    throw Failure.badInput("\(shard.id): expected a search whose failures can be reduced")
                }
        }
        result.cost.seconds = began.duration(to: monotonicNow()).seconds
        return result
    }

    /// The machine's name: Slurm's for a node, because several nodes may be one machine.
    private static var host: String {
        if let node = ProcessInfo.processInfo.environment["SLURMD_NODENAME"], !node.isEmpty { return node }
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "unknown" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    // MARK: Simulation

    private func simulationWorkers(coverage: Bool) throws -> SimulationWorkers {
        let input = try SimulateInput.parse(search.words)
        // A bad option is a failure of the worker and of no seed.
        _ = try input.options()
        return SimulationWorkers(
            words: input.words, jobs: 1, answerLimit: Duration(seconds: search.timeout ?? 60 + 60 * input.minutes),
            given: nil, collectsCoverage: coverage)
    }

    private func simulate(_ seeds: ClosedRange<UInt64>, _ result: inout ShardResult) throws {
        let workers = try simulationWorkers(coverage: folder.plan.collectsCoverage)
        var coverage = FeatureSum()
        try workers.run(Seeds(first: seeds.lowerBound, last: seeds.upperBound)) { seed, answer in
            result.sums.seeds += 1
            result.sums.events += answer.coreEvents
            result.sums.simulatedNanoseconds += answer.simulated
            result.sums.digest &+= answer.digest
            coverage.add(answer.features ?? [])
            if let law = answer.law {
                let again = ["touchline", "simulate", "--seed", "\(seed)"] + workers.words + ["--trace"]
                result.failures.append(
                    SeedFailure(seed: seed, law: law, text: oneLine(answer.text), again: shellCommand(again)))
            }
            return true
        } passed: {
        }
        result.coverage = coverage.counts
    }

    private func reduceSimulation(_ seed: UInt64, _ law: String) throws -> Reduction {
        let workers = try simulationWorkers(coverage: false)
        var shrinking = SimulationShrinking(
            workers: workers, seed: seed, law: law, limit: folder.plan.shrinking.tries)
        let plain = ["touchline", "simulate", "--seed", "\(seed)"]
        guard let text = try shrinking.smallest({ _ in }) else {
            return Reduction(
                law: law, text: "", lines: [], tries: shrinking.tries,
                again: shellCommand(plain + workers.words + ["--trace"]), isFound: false)
        }
        let lines = text.lines
        let worker = try workers.worker()
        let answer = worker.ask("given\t\(seed)\t\(lines.joined(separator: "\t"))")
        let found = try answer.map { try workers.answer($0).text } ?? worker.ending().text
        worker.finish()
        let words = plain + SimulateInput.words(without: "--faults", of: workers.words) + ["--from", "-", "--trace"]
        return Reduction(
            law: law, text: oneLine(found), lines: lines, tries: shrinking.tries,
            again: "\(shellCommand(words)) <<'END'\n\(lines.map { "\($0)\n" }.joined())END", isFound: true)
    }

    // MARK: Commands with --json

    private struct MonkeyReport: Decodable {
        struct Failure: Decodable {
            var seed: UInt64
            var law, what, script, again: String
        }
        var seeds: UInt64
        var events: UInt64
        var failures: [Failure]
    }

    private func monkeyWords(_ seeds: String) -> [String] {
        let timeout = search.timeout.map { ["--timeout", "\($0)"] } ?? []
        return ["monkey", "worlds", "--seed", seeds, "--jobs", "1", "--json"] + search.words + timeout
    }

    private func playWorlds(_ seeds: ClosedRange<UInt64>, _ result: inout ShardResult) throws {
        let report: MonkeyReport = try answer(
            monkeyWords("\(seeds.lowerBound)..\(seeds.upperBound)") + ["--keep-going"])
        result.sums.seeds = report.seeds
        result.sums.events = report.seeds * report.events
        result.failures = report.failures.map {
            SeedFailure(seed: $0.seed, law: $0.law, text: oneLine($0.what), again: $0.again)
        }
    }

    private func reduceWorld(_ seed: UInt64, _ law: String) throws -> Reduction {
        let report: MonkeyReport = try answer(
            monkeyWords("\(seed)") + ["--shrink", "\(folder.plan.shrinking.tries)"])
        guard let found = report.failures.first, found.law == law else {
            return Reduction(
                law: law, text: "", lines: [], tries: 0, again: "touchline monkey worlds --seed \(seed)",
                isFound: false)
        }
        return Reduction(
            law: law, text: oneLine(found.what), lines: found.script.split(separator: "\n").map(String.init), tries: 0,
            again: found.again, isFound: true)
    }

    private struct ConformReport: Decodable {
        struct Scenario: Decodable {
            var id, mode, outcome: String
            var seeds: UInt64
            var failedSeeds: [UInt64]?
            var difference: [String]?
        }
        var scenarios: [Scenario]
    }

    private func conform(_ seeds: ClosedRange<UInt64>, _ result: inout ShardResult) throws {
        let range = "\(seeds.lowerBound)..\(seeds.upperBound)"
        let report: ConformReport = try answer(
            ["conform", "--order", "ios", "--seed", range, "--json"] + search.words)
        result.sums.seeds = shard.seedCount
        for scenario in report.scenarios {
            result.sums.events += scenario.seeds
            for seed in scenario.failedSeeds ?? [] {
                let again = [
                    "touchline", "conform", "--order", "ios", "--seed", "\(seed)", "--mode", scenario.mode,
                    scenario.id,
                ]
                let difference = scenario.difference?.first.map { ": \($0)" } ?? ""
                result.failures.append(
                    SeedFailure(
                        seed: seed, law: "scenario \(scenario.id)",
                        text: oneLine("\(scenario.mode)\(difference)"), again: shellCommand(again)))
            }
        }
    }

    private struct ExhaustReport: Decodable {
        struct Violation: Decodable {
            var law, text: String
            var path: [String]
        }
        var states: UInt64
        var violations: [Violation]
    }

    private func exhaust(_ result: inout ShardResult) throws {
        let report: ExhaustReport = try answer(["exhaust", "--json"] + search.words)
        result.sums.seeds = 1
        result.sums.events = report.states
        result.failures = report.violations.map {
            SeedFailure(
                seed: 1, law: $0.law, text: oneLine($0.text),
                again: shellCommand(["touchline", "exhaust"] + search.words))
        }
    }

    /// Runs a command of this program and reads its JSON.
    private func answer<Answer: Decodable>(_ words: [String]) throws -> Answer {
        let ended = try run(thisProgram, words)
        // 1 is a negative result: a seed failed.
        guard ended.status <= 1, let answer = try? JSONDecoder().decode(Answer.self, from: Data(ended.output.utf8))
        else {
            throw Failure.group(
                "\(shellCommand(["touchline"] + words)): expected a result as JSON, found status \(ended.status)")
        }
        return answer
    }

    // MARK: Programs of the plan

    private var program: URL { URL(filePath: absolute(search.program ?? "")) }

    private func fuzz(_ seed: UInt64, _ result: inout ShardResult) throws {
        let target = search.words.first ?? ""
        // libFuzzer writes new inputs into its first folder.
        let files = FileManager.default
        let found = files.temporaryDirectory.appending(path: "touchline-fuzz-\(getpid())-\(seed)")
        try? files.createDirectory(at: found, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: found) }
        let corpus = "Tests/Fuzz/Corpora/\(target)"
        let artifact = "\(folder.path)/log/\(search.name)-\(seed)-"
        let limits = ["-seed=\(seed)", "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", "-print_funcs=0"]
        var words = Array(search.words.dropFirst()) + limits
        words += ["-artifact_prefix=\(artifact)", found.path]
        if files.fileExists(atPath: corpus) { words.append(corpus) }
        let environment = ["TOUCHLINE_FUZZ": target, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"]
        let ended = try run(program, words, environment, readsErrors: true)
        let lines = ended.output.split(separator: "\n").map(String.init)
        let marker = "stat::number_of_executed_units:"
        let executed = lines.first { $0.hasPrefix(marker) }.flatMap { line in
            UInt64(line.dropFirst(marker.count).filter { $0 != " " })
        }
        guard ended.status == 0 || executed != nil || lines.contains(where: { $0.contains("ERROR") }) else {
            throw Failure.group("\(program.path): expected a fuzzer, found status \(ended.status)")
        }
        result.sums.seeds += 1
        result.sums.events += executed ?? 0
        guard ended.status != 0 else { return }
        let text = lines.first { line in ["BROKEN", "Fatal error", "ERROR"].contains { line.contains($0) } }
        // The shell completes the name of the input, which has libFuzzer's digest.
        let again = shellCommand(["Tools/fuzz", target, artifact]) + "*"
        result.failures.append(
            SeedFailure(
                seed: seed, law: "crash \(target)", text: oneLine(text ?? "status \(ended.status)"), again: again))
    }

    private struct MutantReport: Decodable {
        struct Failure: Decodable { var seed: UInt64 }
        var seeds: UInt64
        var failures: [Failure]
    }

    private func mutate(_ number: UInt64, _ result: inout ShardResult) throws {
        let words = ["simulate"] + search.words + ["--jobs", "1", "--first", "--json"]
        let ended = try run(program, words, ["TOUCHLINE_MUTANT": "\(number)"])
        guard ended.status <= 1,
            let report = try? JSONDecoder().decode(MutantReport.self, from: Data(ended.output.utf8))
        else { throw Failure.group("\(program.path): expected a result as JSON, found status \(ended.status)") }
        result.sums.seeds += 1
        result.sums.events += report.seeds
        guard report.failures.isEmpty else { return }
        result.failures.append(
            SeedFailure(
                seed: number, law: "hidden", text: "expected a seed that fails with the mutant, found none",
                again: "TOUCHLINE_MUTANT=\(number) " + shellCommand([search.program ?? ""] + words)))
    }

    // MARK: Processes

    private func run(
        _ program: URL, _ words: [String], _ environment: [String: String] = [:], readsErrors: Bool = false
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = program
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        if readsErrors { process.standardError = pipe }
        do { try process.run() } catch {
            throw Failure.group("\(program.path): cannot be started: \(error.localizedDescription)")
        }
        try? pipe.fileHandleForWriting.close()
        let output = (try? pipe.fileHandleForReading.readToEnd()) ?? nil
        process.waitUntilExit()
        let status =
            process.terminationReason == .uncaughtSignal ? 128 + process.terminationStatus : process.terminationStatus
        return (status, String(decoding: output ?? Data(), as: UTF8.self))
    }
}

/// The features of several seeds.
private struct FeatureSum {
    private var places: [String: Int] = [:]
    private var found: [FeatureCount] = []

    mutating func add(_ names: [String]) {
        for name in names {
            if let place = places[name] {
                found[place].seeds += 1
            } else {
                places[name] = found.count
                found.append(FeatureCount(name: name, seeds: 1))
            }
        }
    }

    /// In the order of features.
    var counts: [FeatureCount] { found.sorted { $0.name < $1.name } }
}
