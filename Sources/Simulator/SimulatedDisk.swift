// SimulatedDisk.swift: the journal of a process in a world where its disk is full for a while.
//
//     step ─▶ JournalWriter ─▶ record ─┬─▶ bytes                     while the disk accepts writes
//                                      └─▶ JournalKeeper's ring      while it is full; tried again every second
//
// The journal is written as a host writes it. The process continues either way; no core observes the disk. At the end
// the bytes are read. They must contain every input, or the count of the missing ones.
//
// Sources   invented, after fault F11 and ZeroMQHost/Journal

import Audit
import Basics
import Faults
import Hosting
import Journals
import Settings
import Wire

/// The journals of one peer on a disk that is full at given times.
struct SimulatedDisk {
    private let peer: Peer
    /// The times at which the disk is full.
    private let full: [Range<Instant>]
    private let ring: Int
    /// One for each life of the peer since the watch began, in order.
    private var journals: [Journal] = []

    fileprivate struct Journal {
        let process: ProcessInstance
        var writer: JournalWriter
        var keeper: JournalKeeper
        var bytes = JournalWriter.preamble
        /// Steps that the core has taken since the watch began.
        var steps: UInt64 = 0
        var nextTry = Instant.never
        var lastTry = Instant.boot
        var isOver = false

        init(_ life: ProcessInstance, ring: Int, firstStep: UInt64, at now: Instant) {
            self.process = life
            let order = LaunchOrder(
                peer: life.peer, epoch: life.epoch, generation: life.generation, runDirectory: "/run/touchline",
                settings: [])
            writer = JournalWriter(JournalHeader(order: order, at: now))
            keeper = JournalKeeper(capacity: ring)
            writer.begin(segment: 0, firstStep: firstStep, at: now, into: &bytes)
        }
    }

    /// Makes one disk for each peer with a `diskFull` fault in the plan.
    static func disks(of plan: FaultPlan, since zero: Instant, length: Duration, _ settings: Settings)
        -> [SimulatedDisk]
    {
        let faults = plan.faults.filter { $0.kind == .diskFull && $0.at < length }
        var peers: [Peer] = []
        for fault in faults where !peers.contains(fault.target) { peers.append(fault.target) }
        return peers.map { peer in
            let times = faults.filter { $0.target == peer }.map { fault in
                zero.advanced(by: fault.at)..<zero.advanced(by: min(fault.at + fault.length, length))
            }
            return SimulatedDisk(peer: peer, full: times, ring: settings[.journalRingCapacity])
        }
    }

    private init(peer: Peer, full: [Range<Instant>], ring: Int) {
        (self.peer, self.full, self.ring) = (peer, full, ring)
    }

    mutating func record(_ occurrence: Occurrence) {
        switch occurrence {
        case .began(let process, let at):
            if process.peer == peer { journals.append(Journal(process, ring: ring, firstStep: 0, at: at)) }
        case .step(let step):
            guard step.process.peer == peer else { return }
            // The life began before the watch.
            if journals.last?.process != step.process {
                journals.append(Journal(step.process, ring: ring, firstStep: step.index, at: step.at))
            }
            journals[journals.count - 1].note(step, isFull: isFull(at: step.at))
        case .ended(let process, let at, let status):
            guard process == journals.last?.process else { return }
            journals[journals.count - 1].end(at: at, status, isFull: isFull(at: at))
        case .lost: return
        }
    }

    private func isFull(at now: Instant) -> Bool { full.contains { $0.contains(now) } }

    // MARK: The result

    /// Inputs that fell out of a ring.
    var missing: UInt64 { journals.reduce(0) { $0 + $1.keeper.lostInAll } }

    /// Reads every journal. Recorded, declared missing and still waiting inputs must add up to all inputs.
    func finish(at end: Instant) -> [Violation] {
        var disk = self
        // The host's timer fires even if nothing else is due.
        for place in disk.journals.indices where !disk.journals[place].isOver && disk.journals[place].nextTry <= end {
            disk.journals[place].retry(at: end, isFull: isFull(at: end))
        }
        return disk.journals.compactMap { journal in
            guard let problem = journal.problem else { return nil }
            return Violation(
                .determinism,
                "expected \(journal.steps) inputs of \(journal.process) in its journal, or counted there as missing, found "
                    + problem, at: end)
        }
    }
}

/// The same behavior as HostJournal of ZeroMQHost.
extension SimulatedDisk.Journal {
    private static let retryInterval = Duration.seconds(1)
    /// A full ring tries again more often.
    private static let fullRingRetryInterval = Duration.milliseconds(100)

    fileprivate mutating func note(_ step: Step, isFull: Bool) {
        steps += 1
        var record: [UInt8] = []
        writer.step(step.input, at: step.at, into: &record)
        write(JournalKeeper.Waiting(bytes: record, isStep: true), at: step.at, isFull)
        record.removeAll(keepingCapacity: true)
        writer.addEffects(step.effects, into: &record)
        if !record.isEmpty { write(JournalKeeper.Waiting(bytes: record, isStep: false), at: step.at, isFull) }
        if nextTry <= step.at { retry(at: step.at, isFull: isFull) }
    }

    private mutating func write(_ record: JournalKeeper.Waiting, at now: Instant, _ isFull: Bool) {
        switch keeper.handle(.record) {
        case .write:
            guard isFull else { return bytes += record.bytes }
            _ = keeper.handle(.refused)
            (lastTry, nextTry) = (now, now.advanced(by: Self.retryInterval))
        case .nothing, .enqueue, .warn, .removeOldest, .tryAgain, .resume:
            guard keeper.isFull, lastTry.duration(to: now) >= Self.fullRingRetryInterval else { break }
            retry(at: now, isFull: isFull)
            if keeper.state == .writing { return write(record, at: now, isFull) }
        }
        keeper.enqueue(record)
    }

    fileprivate mutating func retry(at now: Instant, isFull: Bool) {
        guard keeper.handle(.due) == .tryAgain else { return }
        lastTry = now
        guard !isFull else {
            _ = keeper.handle(.refused)
            return nextTry = now.advanced(by: Self.retryInterval)
        }
        writeWaiting()
        _ = keeper.handle(.accepted)
        nextTry = .never
    }

    private mutating func writeWaiting() {
        while let next = keeper.next {
            bytes += next.bytes
            _ = keeper.removeNext()
        }
    }

    /// A process that exits tries once more to write the waiting records. A killed process does not.
    fileprivate mutating func end(at now: Instant, _ status: ExitStatus?, isFull: Bool) {
        isOver = true
        guard case .exited(let code)? = status else { return }
        var record: [UInt8] = []
        writer.end(status: code, at: now, into: &record)
        write(JournalKeeper.Waiting(bytes: record, isStep: false), at: now, isFull)
        if keeper.handle(.ended) == .tryAgain, !isFull { writeWaiting() }
    }

    fileprivate var problem: String? {
        var found: UInt64 = 0
        do throws(JournalError) {
            var reader = try JournalReader(bytes)
            while let record = try reader.next() {
                switch record {
                case .step: found += 1
                case .skipped(let count): found += count
                case .header, .digest, .lost, .ended: continue
                }
            }
            if reader.trailingByteCount > 0 { return "\(reader.trailingByteCount) bytes that are no record" }
        } catch { return "\(error)" }
        let waiting = UInt64(keeper.waiting) + keeper.lost
        return found + waiting == steps ? nil : "\(found), and \(waiting) that wait"
    }
}
