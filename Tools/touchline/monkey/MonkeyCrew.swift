// MonkeyCrew.swift: processes that play seeds, and what is known of one that ends.

import Basics
import Foundation
import Glibc
import Monkey

final class MonkeyCrew: Sendable {
    private let events: Int
    private let jobs: Int
    private let without: String

    private let rehearses: MonkeyRehearsal?
    /// Of one answer: a process that takes longer hangs.
    private let patience: Duration

    init(events: Int, jobs: Int, without: String, rehearses: MonkeyRehearsal?, patience: Duration) {
        (self.events, self.jobs, self.without, self.rehearses) = (events, jobs, without, rehearses)
        self.patience = patience
    }

    /// Each seed once, by as many processes as there are jobs.
    ///
    /// - Parameters:
    ///   - failed: Called for each failure, with how many seeds are done.
    ///   - progress: Called now and then with that.
    /// - Returns: How many seeds were played.
    func play(
        _ seeds: ClosedRange<UInt64>, stopsAtFailure: Bool, failed: (MonkeyFailure, UInt64) -> Void,
        progress: (UInt64) -> Void
    ) throws -> UInt64 {
        var workers: [WorkerProcess] = []
        var next = seeds.lowerBound
        var unplayed = UInt64(seeds.count)
        var done: UInt64 = 0
        var isStopping = false
        func feed(_ worker: WorkerProcess) {
            guard unplayed > 0, !isStopping else { return worker.finish() }
            worker.play(next)
            next &+= 1
            unplayed -= 1
        }
        for _ in 0..<min(UInt64(jobs), unplayed) {
            let worker = try WorkerProcess(arguments: arguments(without), patience: patience)
            workers.append(worker)
            feed(worker)
        }
        while !workers.isEmpty {
            var ready = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
            let now = monotonicNow()
            let milliseconds = workers.map { now.duration(to: $0.deadline).nanoseconds / 1_000_000 + 1 }.min() ?? 0
            guard poll(&ready, nfds_t(ready.count), Int32(clamping: max(0, milliseconds))) >= 0 else { continue }
            for index in ready.indices.reversed() where ready[index].revents != 0 || workers[index].isLate {
                let worker = workers[index]
                guard ready[index].revents != 0, let answer = worker.read() else {
                    workers.remove(at: index)
                    guard let seed = worker.seed else { continue }
                    done += 1
                    let ending = worker.ending()
                    failed(MonkeyFailure(seed: seed, law: nil, ending: ending.law, text: ending.text), done)
                    isStopping = isStopping || stopsAtFailure
                    guard !isStopping, unplayed > 0 else { continue }
                    let replacement = try WorkerProcess(arguments: arguments(without), patience: patience)
                    workers.append(replacement)
                    feed(replacement)
                    continue
                }
                guard let line = answer.first, let seed = worker.seed else { continue }
                done += 1
                if line != "ok" {
                    let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
                    failed(
                        MonkeyFailure(
                            seed: seed, law: MonkeyLaw(rawValue: parts.first ?? ""), text: parts.last ?? line), done)
                    isStopping = isStopping || stopsAtFailure
                }
                if done % 100 == 0 { progress(done) }
                worker.seed = nil
                feed(worker)
            }
        }
        return done
    }

    /// Of one seed with so much left out, in a process of its own.
    func failure(of seed: UInt64, without omissions: Set<MonkeyOmission>) -> MonkeyFailure? {
        let crew = MonkeyCrew(
            events: events, jobs: 1, without: omissions.map(\.description).sorted().joined(separator: ","),
            rehearses: rehearses, patience: patience)
        var found: MonkeyFailure?
        _ = try? crew.play(seed...seed, stopsAtFailure: true) { failure, _ in
            found = failure
        } progress: { _ in
        }
        return found
    }

    private func arguments(_ without: String) -> [String] {
        ["monkey", "--direct", "--worker", "--seed", "0", "--events", "\(events)"]
            + (without.isEmpty ? [] : ["--without", without])
            + (rehearses.map { ["--rehearse", $0.rawValue] } ?? [])
    }
}
