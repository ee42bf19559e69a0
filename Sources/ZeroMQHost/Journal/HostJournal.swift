// HostJournal.swift: a process's journal on disk: every input is noted before the core handles it, even if the disk is
// full.
//
//     note ─▶ JournalWriter ─▶ record ─┬─▶ JournalSegment            a copy in memory, no system call
//                                      └─▶ JournalKeeper's ring      while the disk refuses records
//
// Files     <run-dir>/journal/<peer>/<peer>.<generation>.<segment>.journal, 0600, in a folder 0700
//
// Sources   invented, after Docs/Spec/Pipeline.md section 6.3, F11

import Basics
import Glibc
import Hosting
import Journals
import Settings
import Wire

/// The journal of one process generation.
final class HostJournal {
    private let peer: Peer
    private let files: JournalFiles
    // One thread uses these values, and no call that changes one of them reaches it again: see ZeroMQHost.
    @exclusivity(unchecked) private var writer: JournalWriter
    @exclusivity(unchecked) private var keeper: JournalKeeper
    /// The record that is being written.
    @exclusivity(unchecked) private var record = ByteWriter()

    @exclusivity(unchecked) private var tryAgainAt = Instant.never
    @exclusivity(unchecked) private var lastTry = Instant.boot
    private var hasWarned = false
    /// The earliest time to reserve room in advance again.
    @exclusivity(unchecked) private var prepareAt = Instant.boot
    /// The end of a simulated full disk, for chaos runs.
    @exclusivity(unchecked) private var fullUntil = Instant.boot

    private static let retryInterval = Duration.seconds(1)
    /// The interval between attempts while the ring is full.
    private static let fullRingRetryInterval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - content: The checksum of the file that an app shows, if it is known already.
    ///   - folder: The open journal folder; nil to create it by its path in the run directory, while that is allowed.
    init(
        _ order: LaunchOrder, settings: Settings, apps: UInt32, content: UInt32? = nil, in folder: JournalFolder? = nil,
        at now: Instant
    ) {
        peer = order.peer
        files = JournalFiles(order, settings, in: folder, at: now)
        keeper = JournalKeeper(capacity: settings[.journalRingCapacity])
        let scene = order.peer.role == .app ? settings[.appScene] : ""
        writer = JournalWriter(
            JournalHeader(
                order: order, content: content ?? checksum(ofFile: scene), at: now, apps: apps, pid: getpid(),
                uid: geteuid()))
    }

    deinit { record.free() }

    // MARK: Events

    /// Notes an input that the core is about to handle.
    func note(_ input: Input, at now: Instant) {
        record.removeAll()
        writer.step(input, at: now, into: &record)
        storeRecord(isStep: true, at: now)
    }

    /// Notes the effects of the last input, and removes them.
    func noteAnswer(_ effects: inout [Effect], at now: Instant) {
        record.removeAll()
        writer.moveEffects(from: &effects, into: &record)
        if !record.written.isEmpty { storeRecord(isStep: false, at: now) }
    }

    /// Notes a frame of this process that a fault kept from its receiver.
    func noteLoss(of frame: Frame, to peer: Peer, at now: Instant) {
        record.removeAll()
        JournalRecord.lost(sequence: frame.sequence, kind: frame.message.kind, to: peer, now).encode(into: &record)
        storeRecord(isStep: false, at: now)
    }

    /// Notes an orderly end and tries once more to write all waiting records.
    func end(status: Int32, at now: Instant) {
        record.removeAll()
        writer.end(status: status, at: now, into: &record)
        storeRecord(isStep: false, at: now)
        if keeper.handle(.ended) == .tryAgain { writeWaiting(at: now) }
        let missing = keeper.lost + UInt64(keeper.waiting)
        if missing > 0 { printError("\(peer): the journal ends without \(missing) inputs: the disk did not take them") }
        files.close()
    }

    /// Simulates a full disk until a time.
    func simulateFullDisk(until moment: Instant) { fullUntil = moment }

    // MARK: Idle time

    /// The time of the next attempt to write; never while the disk takes records.
    var deadline: Instant { tryAgainAt }

    /// Uses the time before a sleep: writes waiting records, or reserves room in advance.
    func workBeforeSleep(at now: Instant) {
        if tryAgainAt <= now { tryAgain(at: now) }
        files.prefetch()
        // A full disk is not queried before every sleep.
        guard keeper.state == .writing, prepareAt <= now else { return }
        if !files.prepare() { prepareAt = now.advanced(by: Self.retryInterval) }
    }

    func addRows(to report: inout Report) {
        report.add("journal.state", text: keeper.state.rawValue)
        report.add("journal.steps", writer.steps)
        report.add("journal.segments", files.count)
        report.add("journal.waiting", keeper.waiting)
        report.add("journal.lost", keeper.lostInAll)
    }

    // MARK: Records

    private func storeRecord(isStep: Bool, at now: Instant) {
        switch keeper.handle(.record) {
        case .write:
            do throws(DiskRefusal) {
                try store(record.written, at: now)
                files.written += isStep ? 1 : 0
            } catch {
                if keeper.handle(.refused) == .warn { warn(error) }
                (lastTry, tryAgainAt) = (now, now.advanced(by: Self.retryInterval))
                keeper.enqueue(JournalKeeper.Waiting(bytes: Array(record.written), isStep: isStep))
            }
        case .enqueue:
            if keeper.isFull, lastTry.duration(to: now) >= Self.fullRingRetryInterval { tryAgain(at: now) }
            // The attempt may have succeeded.
            guard keeper.state != .writing else {
                return storeRecord(isStep: isStep, at: now)
            }
            keeper.enqueue(JournalKeeper.Waiting(bytes: Array(record.written), isStep: isStep))
        case .nothing, .warn, .removeOldest, .tryAgain, .resume:
            preconditionFailure("a record is written or kept")
        }
    }

    private func tryAgain(at now: Instant) {
        guard keeper.handle(.due) == .tryAgain else { return }
        guard writeWaiting(at: now) else {
            _ = keeper.handle(.refused)
            return tryAgainAt = now.advanced(by: Self.retryInterval)
        }
        _ = keeper.handle(.accepted)
        tryAgainAt = .never
        let lost = keeper.lostThisTime
        if lost > 0 { printError("\(peer): the journal goes on without \(lost) inputs") }
    }

    /// - Returns: Whether no record waits any more.
    @discardableResult
    private func writeWaiting(at now: Instant) -> Bool {
        lastTry = now
        while let next = keeper.next {
            let isStored = next.bytes.withUnsafeBytes { bytes in
                do throws(DiskRefusal) { try store(bytes, at: now) } catch { return false }
                return true
            }
            guard isStored else { return false }
            files.written += keeper.removeNext()
        }
        return true
    }

    /// - Throws: The disk's error; then none of the bytes is stored.
    private func store(_ bytes: UnsafeRawBufferPointer, at now: Instant) throws(DiskRefusal) {
        guard fullUntil <= now else { throw DiskRefusal(path: files.folderPath, errno: ENOSPC) }
        try files.append(bytes, of: &writer, at: now)
    }

    private func warn(_ refusal: DiskRefusal) {
        guard !hasWarned else { return }
        hasWarned = true
        printError(
            "\(peer): \(refusal.path): \(systemText(refusal.errno)): nothing is written to the journal until it can be; "
                + "inputs wait in memory (journal.ringCapacity)")
    }
}
