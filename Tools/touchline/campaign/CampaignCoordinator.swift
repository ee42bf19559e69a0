// CampaignCoordinator.swift: runs a campaign to its end: all shards of seeds, then the reductions of failing seeds.
//
//     plan ─▶ ShardMachine each ─┬─ submit ─▶ backend ─▶ workers ─▶ results/
//                ▲               └─ merge ◀──────────────────────────┘
//                └─ vanished: neither the backend nor the folder has the shard
//
// The coordinator keeps no state of its own. After a crash it learns from the store, the folder and the backend what is
// done and what runs.

import Basics
import Campaigns
import Foundation
import Glibc

/// Runs a campaign.
struct CampaignCoordinator {
    private(set) var merge: CampaignMerge
    private let folder: CampaignFolder
    private let backend: any CampaignBackend
    private var bar = ProgressBar(linesEvery: .seconds(15))
    private let started = monotonicNow()
    /// The shards that were given up and have no result.
    private(set) var abandoned: [Shard] = []

    init(_ folder: CampaignFolder, _ backend: any CampaignBackend) throws {
        (self.folder, self.backend) = (folder, backend)
        merge = try CampaignMerge(folder)
    }

    /// Runs until each shard has a result or is given up.
    mutating func run() throws {
        try run(.seeds, folder.plan.shards)
        // The reductions are known when all seeds are.
        guard abandoned.isEmpty else { return }
        let wanted = merge.sum.wantedReductions
        if wanted != folder.reductions() { try folder.write(reductions: wanted) }
        if !wanted.isEmpty { try run(.reductions, wanted) }
    }

    private mutating func run(_ list: SlurmJob.List, _ shards: [Shard]) throws {
        var phase = Phase(shards, limit: folder.plan.attempts)
        // Results of earlier coordinators, then files that none has read.
        for id in (merge.sum.results + merge.sum.reductions).map(\.shard.id) { phase.handle(.merged, id) }
        for id in try merge.readNewFiles() { phase.finish(id) }
        var running = backend.numbers(of: list)
        while running == nil {
            usleep(useconds_t(backend.interval) * 1000)
            running = backend.numbers(of: list)
        }
        for number in (running ?? []).sorted() { phase.handle(.submitted, number: number) }
        phase.resume()
        var looked = monotonicNow()
        while !phase.isOver {
            let due = phase.due(atMost: backend.room)
            if !due.isEmpty {
                for number in try backend.submit(due, of: list) { phase.handle(.submitted, number: number) }
            }
            show(list, phase)
            // A folder of very many results takes a while to list: at most a fifth of the time goes into looking.
            let worked = looked.duration(to: monotonicNow()).nanoseconds / 1000
            usleep(useconds_t(clamping: max(Int64(backend.interval) * 1000, 4 * worked)))
            looked = monotonicNow()
            // The backend first: a worker that it has no more has written its file, if it ever will.
            let running = backend.numbers(of: list)
            for id in try merge.readNewFiles() { phase.finish(id) }
            if let running { phase.compare(with: running) }
        }
        bar.clear()
        abandoned += phase.abandoned
    }

    private mutating func show(_ list: SlurmJob.List, _ phase: Phase) {
        let sum = merge.sum
        let (seeds, failed) = sum.results.reduce((UInt64(0), 0)) {
            ($0.0 + $1.sums.seeds, $0.1 + $1.failures.count)
        }
        let seconds = max(1e-9, started.duration(to: monotonicNow()).seconds)
        let what = list == .seeds ? "shards" : "reductions"
        bar.show(
            Double(phase.finished) / Double(phase.count),
            "\(phase.finished) of \(phase.count) \(what), \(phase.running) running, \(seeds) seeds in "
                + "\(fixedText(seconds, digits: 0)) s" + (failed > 0 ? ", \(failed) failed" : ""))
    }
}

/// The machines of the shards of one list.
private struct Phase {
    private let shards: [Shard]
    private var machines: [ShardMachine]
    private var numbers: [String: Int] = [:]
    /// The shards to submit, in order.
    private var queue: [Int] = []
    /// By number: how often in succession neither the backend nor the folder had the shard. Network folders show a new
    /// file late.
    private var missing: [Int]
    private static let missingLimit = 2
    private(set) var finished = 0
    private(set) var running = 0

    init(_ shards: [Shard], limit: Int) {
        self.shards = shards
        machines = shards.map { _ in ShardMachine(limit: limit) }
        missing = shards.map { _ in 0 }
        for (number, shard) in shards.enumerated() { numbers[shard.id] = number }
    }

    var count: Int { shards.count }
    var isOver: Bool { finished == shards.count }
    /// The shards that were given up. A late result takes a shard out of them.
    var abandoned: [Shard] { shards.indices.filter { machines[$0].state == .abandoned }.map { shards[$0] } }

    mutating func handle(_ input: ShardMachine.Input, _ id: String) {
        if let number = numbers[id] { handle(input, number: number) }
    }

    /// The result of a shard was found, and is in the store.
    mutating func finish(_ id: String) {
        handle(.resultFound, id)
        handle(.merged, id)
    }

    mutating func handle(_ input: ShardMachine.Input, number: Int) {
        guard machines.indices.contains(number) else { return }
        let before = machines[number].state
        let effect = machines[number].handle(input)
        switch effect {
        // The merge has read the file before it names the shard.
        case .nothing, .merge: break
        case .submit: queue.append(number)
        case .reportAbandoned: printError("campaign: \(shards[number].id): no result after all attempts")
        }
        count(before, by: -1)
        count(machines[number].state, by: 1)
        missing[number] = 0
    }

    private mutating func count(_ state: ShardMachine.State, by one: Int) {
        switch state {
        case .waiting, .written: break
        case .running: running += one
        case .merged, .abandoned: finished += one
        }
    }

    mutating func resume() {
        for number in machines.indices { handle(.resumed, number: number) }
    }

    /// Removes shards from the queue.
    mutating func due(atMost room: Int) -> [Int] {
        // A result may have come since.
        queue.removeAll { if case .waiting = machines[$0].state { false } else { true } }
        // A shard leaves the queue when the backend accepts it.
        return Array(queue.prefix(max(0, room))).sorted()
    }

    /// Compares the running shards with those of the backend.
    mutating func compare(with known: Set<Int>) {
        for number in machines.indices {
            guard case .running = machines[number].state else { continue }
            guard !known.contains(number) else {
                missing[number] = 0
                continue
            }
            missing[number] += 1
            if missing[number] >= Self.missingLimit { handle(.vanished, number: number) }
        }
    }
}
