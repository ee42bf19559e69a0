// Simulate.swift: `touchline simulate`: whole groups from seeds, in virtual time, with all faults, checked by the laws.
//
//     seeds ─▶ SimulationWorkers: workers ─▶ answers ─▶ a line for each failure, digests, a sum
//                                           └─ --shrink ─▶ the shortest script with the fewest faults

import Faults
import ArgumentParser
import Audit
import Basics
import Foundation
import Glibc
import Simulator
import Trace

/// The command `touchline simulate`.
struct Simulate: CommandWithResult {
    static let configuration = CommandConfiguration(
        abstract: "Run whole groups from seeds in virtual time, with faults, and audit every event.",
        discussion: """
            Each seed draws gestures, faults (crashes, stops, lossy links) and the setup of the group (windows, limits, \
            number of apps, a touch device beside the script). Supervisor, input-kit, system-server and apps are the \
            production cores on one virtual clock. The laws I1 to I9 must hold. After the last fault every process must \
            become ready again, a tap must arrive, and no touch or frame may be left.

            Seeds run in worker processes, so that a trap or a hang fails one seed and not the command. Each failed seed \
            is one line with the command line that shows it again. --shrink reduces the first failure to the fewest \
            faults and script lines that still break the same law, and prints them as a text for --from.

            Exits 0 when all laws hold in all seeds, 1 when a seed fails or the run takes longer than --within, 2 when \
            an option or a file cannot be used, 3 when a worker process cannot be started.

            EXAMPLES
              touchline simulate --seed 1..10000
              touchline simulate --seed 1..2000 --jobs 2 --within 180
              touchline simulate --seed 4711 --faults Config/Faults/storm.yaml --shrink
              touchline simulate --seed 4711 --trace | less
            """)

    @Option(help: ArgumentHelp("Seeds to run, at most 1,000,000.", valueName: Seeds.valueName))
    var seed: Seeds

    @OptionGroup var input: SimulateInput

    @OptionGroup var jobs: JobsOption

    @Option(
        help: ArgumentHelp(
            "Play this script with these faults for each seed, in the form that --shrink prints; - is stdin.",
            valueName: "file"))
    var from: String?

    @Flag(help: "Print the facts of every process for one seed, and the steps that show each violation.")
    var trace = false

    @Flag(help: "Stop at the first failure and reduce it.")
    var shrink = false

    @Option(help: ArgumentHelp("Limit of runs for --shrink.", valueName: "count"))
    var tries = 2000

    @Flag(help: "Stop at the first failure.")
    var first = false

    @Flag(help: "Print one line for each seed, in their order: the seed, a digest of all effects, and the core events.")
    var digest = false

    @Option(help: ArgumentHelp("Fail when the whole run takes longer.", valueName: "seconds"))
    var within: Double?

    @Option(
        help: ArgumentHelp(
            "Limit of one seed; a process that takes longer hangs (default: 60, and 60 for each simulated minute).",
            valueName: "seconds"))
    var timeout: Double?

    @OptionGroup var result: ResultOptions

    /// Runs the seeds on stdin; a hidden option.
    @Flag(help: .hidden) var worker = false

    /// Collects what each seed reaches, for a campaign; a hidden option of a worker.
    @Flag(help: .hidden) var coverage = false

    func validate() throws {
        try expect("--tries", tries, in: 0...1_000_000)
        try expect("--timeout", timeout, in: 0.1...86_400, unit: "seconds")
        try expect("--within", within, in: 0.001...1_000_000, unit: "seconds")
        guard !trace || seed.count == 1 else { throw ValidationError("--trace: expected one seed, found \(seed)") }
        guard [trace, shrink, digest].count(where: { $0 }) < 2 else {
            throw ValidationError("expected one of --trace, --shrink and --digest")
        }
        guard !result.json || !(trace || digest) else {
            throw ValidationError("--json: expected without --trace and --digest")
        }
    }

    func run() throws {
        // An ended worker is known by its missing answer, not by SIGPIPE at the next question.
        signal(SIGPIPE, SIG_IGN)
        // A bad option is reported here, not by a worker.
        let options = try input.options()
        if worker { return try SimulateWorker(input, collectsCoverage: coverage).run() }
        let given = try givenText()
        if trace { return try show(given.map { options.playing($0) } ?? options) }

        let limit = timeout ?? 60 + 60 * input.minutes
        let workers = SimulationWorkers(
            words: input.words, jobs: jobs.count, answerLimit: Duration(seconds: limit), given: given?.lines)
        var sum = SimulationSum(jobs: Int(min(UInt64(jobs.count), seed.count)))
        var bar = ProgressBar()
        var digests = OrderedLines(from: seed.first)
        try workers.run(seed) { seed, answer in
            sum.add(seed, answer)
            if digest { for line in digests.add(seed, answer) { printLine(line) } }
            guard answer.law != nil else { return true }
            bar.clear()
            if !result.json { printLine(line(of: seed, answer)) }
            return !shrink && !first
        } passed: {
            bar.show(Double(sum.runs) / Double(seed.count), progress(sum))
        }
        let seconds = sum.seconds
        bar.clear()
        let smaller = shrink ? try self.smaller(sum, workers) : nil
        try printSummary(sum, seconds, smaller)
        let isLate = within.map { seconds > $0 } ?? false
        if isLate, let within {
            printError(
                "--within: expected at most \(fixedText(within, digits: 1)) s, found \(fixedText(seconds, digits: 1)) s"
            )
        }
        if isLate || !sum.failed.isEmpty { throw ExitCode(1) }
    }

    private func givenText() throws -> SimulationText? {
        guard let from else { return nil }
        let (name, text) = try readScript(from)
        return try SimulationText(parsing: text, file: name)
    }

    // MARK: Output

    private func progress(_ sum: SimulationSum) -> String {
        let rate = fixedText(Double(sum.runs) / sum.seconds, digits: 1)
        let events = fixedText(Double(sum.coreEvents) / sum.seconds / 1e6, digits: 2)
        let failed = sum.failed.isEmpty ? "" : ", \(sum.failed.count) failed"
        return "\(sum.runs) of \(seed.count), \(rate) seeds/s, \(events) M core events/s\(failed)"
    }

    private func line(of seed: UInt64, _ answer: SimulationAnswer) -> String {
        let more = answer.violations > 1 ? " (and \(answer.violations - 1) more)" : ""
        let timeText = answer.coreEvents > 0 ? " at \(millisecondsText(answer.at))" : ""
        return
            "seed \(seed): \(answer.law ?? "")\(timeText): \(answer.text)\(more); again: \(commandToRepeat(seed, ["--trace"]))"
    }

    private func commandToRepeat(_ seed: UInt64, _ more: [String]) -> String {
        let given = from.map { ["--from", $0] } ?? []
        return shellCommand(["touchline", "simulate", "--seed", "\(seed)"] + input.words + given + more)
    }

    private func printSummary(_ sum: SimulationSum, _ seconds: Double, _ smaller: Smaller?) throws {
        guard !result.json else {
            var object = sum.json(seconds)
            object["failures"] = sum.failed.sorted { $0.seed < $1.seed }.map { failed in
                var failure: [String: Any] = [
                    "seed": failed.seed, "law": failed.answer.law ?? "", "what": failed.answer.text,
                    "violations": failed.answer.violations, "again": commandToRepeat(failed.seed, ["--trace"]),
                ]
                if let smaller, smaller.seed == failed.seed {
                    (failure["smallest"], failure["tries"]) = (smaller.text?.lines ?? [], smaller.tries)
                }
                return failure
            }
            return try printJSON(object)
        }
        if let smaller {
            let tries = "\(smaller.tries) \(smaller.tries == 1 ? "try" : "tries")"
            if let text = smaller.text {
                let lines = text.lines
                let fewer = SimulateInput.words(without: "--faults", of: input.words)
                let (faults, script) = (text.faults.faults.count, text.script.count)
                printLine(
                    "\(faults) \(faults == 1 ? "fault" : "faults") and \(script) "
                        + "\(script == 1 ? "line" : "lines") still fail, found in \(tries):")
                for line in lines { printLine(line) }
                let words =
                    ["touchline", "simulate", "--seed", "\(smaller.seed)"] + fewer + ["--from", "-", "--trace"]
                printText("\nagain: \(shellCommand(words)) <<'END'\n\(lines.joined(separator: "\n"))\nEND\n")
            } else {
                printLine("the failure did not occur again in \(tries)")
            }
        }
        guard !digest else { return }
        for line in sum.text(seconds) { printLine(line) }
    }

    // MARK: Reduction of a failure

    private struct Smaller {
        var seed: UInt64
        var text: SimulationText?
        var tries: Int
    }

    private func smaller(_ sum: SimulationSum, _ workers: SimulationWorkers) throws -> Smaller? {
        guard let failed = sum.failed.min(by: { $0.seed < $1.seed }), let law = failed.answer.law else { return nil }
        var bar = ProgressBar()
        var shrinking = SimulationShrinking(workers: workers, seed: failed.seed, law: law, limit: tries)
        let text = try shrinking.smallest { bar.show($0) }
        bar.clear()
        return Smaller(seed: failed.seed, text: text, tries: shrinking.tries)
    }

    // MARK: One seed in full

    private func show(_ options: SimulationOptions) throws {
        var options = options
        options.isTraced = true
        var run = SimulatedRun(seed: seed.first, options: options)
        let result = run.run()
        for line in SimulationText(script: [], faults: result.faults).lines { printLine(line) }
        for line in result.trace {
            let process = line.process + String(repeating: " ", count: max(0, 14 - line.process.count))
            printLine("\(process)\(line.text(since: result.zero))")
        }
        for violation in result.violations {
            let at = violation.at.nanoseconds - result.zero.nanoseconds
            printLine("\(violation.law.rawValue) at \(millisecondsText(at)): \(violation.text)")
            for evidence in violation.evidence {
                let at = millisecondsText(evidence.at.nanoseconds - result.zero.nanoseconds)
                printLine("  \(at)  \(evidence.process) step \(evidence.step): \(evidence.text)")
            }
        }
        if !result.violations.isEmpty { throw ExitCode(1) }
    }
}

/// Lines of seeds that arrive in any order, printed in the order of the seeds.
private struct OrderedLines {
    private var next: UInt64
    private var waiting: [UInt64: String] = [:]

    init(from first: UInt64) { next = first }

    /// - Returns: The lines that can be printed now.
    mutating func add(_ seed: UInt64, _ answer: SimulationAnswer) -> [String] {
        let digest = String(answer.digest, radix: 16)
        waiting[seed] = "\(seed) \(String(repeating: "0", count: 16 - digest.count) + digest) \(answer.coreEvents)"
        var lines: [String] = []
        while let line = waiting.removeValue(forKey: next) {
            lines.append(line)
            next += 1
        }
        return lines
    }
}

extension SimulateInput {
    /// Returns the words without an option and its value.
    static func words(without option: String, of words: [String]) -> [String] {
        guard let index = words.firstIndex(of: option) else { return words }
        return Array(words[..<index] + words[min(words.count, index + 2)...])
    }
}
