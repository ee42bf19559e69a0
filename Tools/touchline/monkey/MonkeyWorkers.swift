// MonkeyWorkers.swift: the workers of `touchline monkey worlds`.

import Basics
import Monkey

/// The workers of `touchline monkey worlds`.
final class MonkeyWorkers: Sendable {
    private let events: Int
    private let jobs: Int
    private let without: String

    private let rehearses: MonkeyRehearsal?
    /// The limit of one answer. A process that takes longer hangs.
    private let answerLimit: Duration

    init(events: Int, jobs: Int, without: String, rehearses: MonkeyRehearsal?, answerLimit: Duration) {
        (self.events, self.jobs, self.without, self.rehearses) = (events, jobs, without, rehearses)
        self.answerLimit = answerLimit
    }

    /// Plays each seed once.
    ///
    /// - Parameters:
    ///   - failed: Called for each failure, with the number of seeds that are done.
    ///   - progress: Called after every hundredth seed with that number.
    /// - Returns: The number of seeds played.
    func play(
        _ seeds: Seeds, stopsAtFailure: Bool, failed: (MonkeyFailure, UInt64) -> Void,
        progress: (UInt64) -> Void
    ) throws -> UInt64 {
        var done: UInt64 = 0
        let pool = WorkerPool(jobs: jobs) { [self] in
            try WorkerProcess(arguments: arguments(without), answerLimit: answerLimit)
        }
        try pool.play(
            seeds, question: { "\($0)" },
            answered: { seed, answer in
                done += 1
                if done % 100 == 0 { progress(done) }
                switch answer {
                case .line("ok"): return true
                case .line(let line):
                    let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
                    let law = MonkeyLaw(rawValue: parts.first ?? "")
                    failed(MonkeyFailure(seed: seed, law: law, text: parts.last ?? line), done)
                case .ended(let law, let text):
                    failed(MonkeyFailure(seed: seed, law: nil, ending: law, text: text), done)
                }
                return !stopsAtFailure
            })
        return done
    }

    /// Plays one seed without the omissions, in a process of its own, and returns its failure.
    func failure(of seed: UInt64, without omissions: Set<MonkeyOmission>) -> MonkeyFailure? {
        let workers = MonkeyWorkers(
            events: events, jobs: 1, without: omissions.map(\.description).sorted().joined(separator: ","),
            rehearses: rehearses, answerLimit: answerLimit)
        var found: MonkeyFailure?
        _ = try? workers.play(Seeds(first: seed, last: seed), stopsAtFailure: true) { failure, _ in
            found = failure
        } progress: { _ in
        }
        return found
    }

    private func arguments(_ without: String) -> [String] {
        ["monkey", "worlds", "--worker", "--seed", "0", "--events", "\(events)"]
            + (without.isEmpty ? [] : ["--without", without])
            + (rehearses.map { ["--rehearse", $0.rawValue] } ?? [])
    }
}
