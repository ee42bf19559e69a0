// SimulationWorkers.swift: the workers of `simulate`, and the reduction of a failing seed.

import Basics
import Faults
import Foundation
import Recordings
import Synthesis

/// The workers of `simulate`.
struct SimulationWorkers {
    let words: [String]
    let jobs: Int
    /// The limit of one answer. A process that takes longer hangs.
    let answerLimit: Duration
    /// The script and the faults of every seed; nil when each seed draws its own.
    let given: [String]?
    /// Whether each answer has what its seed reached.
    var collectsCoverage = false

    func worker() throws -> WorkerProcess {
        try WorkerProcess(
            arguments: ["simulate", "--worker", "--seed", "0"] + (collectsCoverage ? ["--coverage"] : []) + words,
            answerLimit: answerLimit)
    }

    func question(_ seed: UInt64) -> String {
        given.map { "given\t\(seed)\t\($0.joined(separator: "\t"))" } ?? "seed\t\(seed)"
    }

    /// Plays each seed once.
    ///
    /// - Parameters:
    ///   - answered: Called for each answer. Returns false to start no further seed.
    ///   - passed: Called at least every 200 ms, so that a caller can show the time.
    func run(
        _ seeds: Seeds, answered: (UInt64, SimulationAnswer) throws -> Bool, passed: () -> Void
    ) throws {
        try WorkerPool(jobs: jobs, start: worker).play(
            seeds, question: question,
            answered: { seed, answer in
                switch answer {
                case .line(let line): try answered(seed, self.answer(line))
                case .ended(let law, let text): try answered(seed, SimulationAnswer(ending: (law, text)))
                }
            }, passed: passed)
    }

    func answer(_ line: String) throws -> SimulationAnswer {
        guard let answer = try? JSONDecoder().decode(SimulationAnswer.self, from: Data(line.utf8)) else {
            throw Failure.group("expected the result of a simulation as JSON, found \"\(line)\"")
        }
        return answer
    }
}

/// The reduction of one failure: its faults, then its script, then the remaining faults.
struct SimulationShrinking {
    let workers: SimulationWorkers
    let seed: UInt64
    let law: String
    let limit: Int
    private(set) var tries = 0
    private var worker: WorkerProcess?

    init(workers: SimulationWorkers, seed: UInt64, law: String, limit: Int) {
        (self.workers, self.seed, self.law, self.limit) = (workers, seed, law, limit)
    }

    /// - Returns: The smallest input that fails in the same way; nil when the seed does not fail again.
    mutating func smallest(_ progress: (String) -> Void) throws -> SimulationText? {
        guard var kept = try whole(), try fails(kept) else { return nil }
        var shrinking = ScriptShrinking(limit: limit)
        var last = Int.max
        while kept.lines.count < last {
            last = kept.lines.count
            let faults = try shrinking.fewest(of: kept.faults.faults, mayBeNone: true) { faults in
                progress("\(law): reducing the failure, try \(tries + 1), \(kept.script.count) + \(faults.count) lines")
                return try fails(SimulationText(script: kept.script, faults: FaultPlan(faults)))
            }
            kept.faults = FaultPlan(faults)
            if try fails(SimulationText(script: [], faults: kept.faults)) {
                kept.script = []
                continue
            }
            kept.script = try shrinking.shortest(of: kept.script) { lines in
                progress("\(law): reducing the failure, try \(tries + 1), \(lines.count) + \(faults.count) lines")
                return try fails(SimulationText(script: lines, faults: kept.faults))
            }
        }
        worker?.finish()
        return kept
    }

    /// Returns the whole input of the seed.
    private mutating func whole() throws -> SimulationText? {
        if let given = workers.given {
            return try SimulationText(parsing: given.joined(separator: "\n"), file: "--from")
        }
        guard let answer = try ask("drawn\t\(seed)") else { return nil }
        return try SimulationText(parsing: answer.split(separator: "\t").joined(separator: "\n"), file: "seed \(seed)")
    }

    private mutating func fails(_ text: SimulationText) throws -> Bool {
        tries += 1
        guard let line = try ask("given\t\(seed)\t\(text.lines.joined(separator: "\t"))") else {
            let ending = worker?.ending().law
            worker = nil
            return ending == law
        }
        return try workers.answer(line).law == law
    }

    /// - Returns: Nil when the process ended during the run, or hangs.
    private mutating func ask(_ question: String) throws -> String? {
        let asked = try worker ?? workers.worker()
        worker = asked
        return asked.ask(question)
    }
}
