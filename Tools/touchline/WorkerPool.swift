// WorkerPool.swift: worker processes that play seeds, several at once.
//
//     seeds ─▶ workers ─▶ answers, in the order they arrive
//
// A worker that traps or hangs is the answer to its seed; another worker continues with the next seed.
//
// Input     SimulationWorkers, MonkeyWorkers: how a worker starts, and its questions
// Output    one answer for each seed
// Knows     processes and lines. The caller and the worker define their meaning.

import Basics
import Glibc

/// Worker processes that play seeds.
struct WorkerPool {
    enum Answer {
        case line(String)
        /// The worker ended, or was killed because it did not answer.
        case ended(law: String, text: String)
    }

    let jobs: Int
    let start: () throws -> WorkerProcess

    /// Plays each seed once.
    ///
    /// - Parameters:
    ///   - question: The line to ask about a seed.
    ///   - answered: Called for each answer. Returns false to start no further seed.
    ///   - passed: Called at least every 200 ms.
    func play(
        _ seeds: Seeds, question: (UInt64) -> String, answered: (UInt64, Answer) throws -> Bool,
        passed: () -> Void = {}
    ) throws {
        var workers: [WorkerProcess] = []
        var (next, left) = (seeds.first, seeds.count)
        var isStopping = false
        func feed(_ worker: WorkerProcess) {
            guard left > 0, !isStopping else { return worker.finish() }
            worker.play(next, question(next))
            next &+= 1
            left -= 1
        }
        func startWorker() throws {
            let worker = try start()
            workers.append(worker)
            feed(worker)
        }
        for _ in 0..<min(UInt64(jobs), left) { try startWorker() }
        while !workers.isEmpty {
            var ready = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
            let now = monotonicNow()
            let rest = workers.map { now.duration(to: $0.deadline).nanoseconds / 1_000_000 + 1 }.min() ?? 0
            guard poll(&ready, nfds_t(ready.count), Int32(clamping: max(0, min(200, rest)))) >= 0 else { continue }
            for index in ready.indices.reversed() where ready[index].revents != 0 || workers[index].isLate {
                let worker = workers[index]
                guard ready[index].revents != 0, let lines = worker.read() else {
                    workers.remove(at: index)
                    guard let seed = worker.seed else { continue }
                    let ending = worker.ending()
                    if try !answered(seed, .ended(law: ending.law, text: ending.text)) { isStopping = true }
                    if !isStopping, left > 0 { try startWorker() }
                    continue
                }
                guard let line = lines.first, let seed = worker.seed else { continue }
                worker.seed = nil
                if try !answered(seed, .line(line)) { isStopping = true }
                feed(worker)
            }
            passed()
        }
    }
}
