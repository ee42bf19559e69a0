// JournalFiles.swift: the files of one journal: the place of the next record, and the removal of old files.
//
//     append ─▶ room in the segment? ─▶ it is written ─no─▶ the next segment; the oldest files are removed
//
// Input     HostJournal, one record at a time
// Output    JournalSegment
// Knows     sizes and names. Not the content of a record, and not the response to a full disk.
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

/// The files of one process generation's journal.
///
/// A class: Swift 6.3 compiled a noncopyable struct with one release of its folder too many (optimized).
final class JournalFiles {
    private let peer: Peer
    private let generation: UInt32
    /// The start of the process generation.
    private let began: Instant
    private let paths: RunPaths
    // One thread uses these values, and no call that changes one of them reaches it again: see ZeroMQHost.
    /// The open folder; nil until it can be created.
    @exclusivity(unchecked) private var folder: JournalFolder?
    private let segmentSize: Int
    private let limit: Int
    @exclusivity(unchecked) private var segment: JournalSegment?
    /// The number of segments that were begun.
    private(set) var count: UInt32 = 0
    /// Full files, oldest first; files of earlier generations precede the files of this one.
    private var finished: [(name: String, size: Int)]
    /// Steps that are on disk, or counted there as missing.
    @exclusivity(unchecked) var written: UInt64 = 0

    init(_ order: LaunchOrder, _ settings: Settings, in folder: JournalFolder?, at now: Instant) {
        (peer, generation, began) = (order.peer, order.generation, now)
        paths = RunPaths(order.runDirectory)
        segmentSize = Int(settings[.journalSegmentSize] * 1_048_576)
        limit = Int(settings[.journalProcessLimit] * 1_048_576)
        self.folder = folder ?? (try? JournalFolder(of: order.peer, in: paths))
        finished = self.folder?.journals(of: order.peer, before: order.generation) ?? []
    }

    /// Reserves room in advance.
    ///
    /// - Returns: False if the disk has none.
    func prepare() -> Bool { segment?.prepare() ?? true }

    /// Prepares the caches for the next records.
    func prefetch() { segment?.prefetch() }

    func close() { if let segment = segment.take() { segment.close() } }

    /// Writes records, into the next segment if the current one has no room.
    ///
    /// - Throws: The disk's error; then none of the bytes is stored.
    func append(_ bytes: UnsafeRawBufferPointer, of writer: inout JournalWriter, at now: Instant) throws(DiskRefusal) {
        if let room = segment?.hasRoom(for: bytes.count), !room, let full = segment.take() {
            finished.append((full.name, full.used))
            full.close()
        }
        if segment == nil { try begin(for: bytes.count, of: &writer, at: now) }
        var failure = segment?.append(bytes) ?? ENOSPC
        if failure == ESTALE, let cut = segment.take() {
            // The content of the cut file is lost, and the user is told. Later records go to the next segment.
            printError(
                "\(peer): \(cut.path) was cut by another process: its records cannot be replayed; the journal goes on")
            finished.append((cut.name, cut.used))
            _ = consume cut
            try begin(for: bytes.count, of: &writer, at: now)
            failure = segment?.append(bytes) ?? ENOSPC
        }
        guard failure == 0 else { throw DiskRefusal(path: folderPath, errno: failure) }
    }

    var folderPath: String { folder?.path ?? paths.journals(of: peer) }

    private func begin(
        for count: Int, of writer: inout JournalWriter, at now: Instant
    ) throws(DiskRefusal) {
        let folder = try openFolder()
        var header: [UInt8] = []
        // Process generations are replayed in the order of their start, even if the disk took their records late.
        writer.begin(segment: self.count, firstStep: written, at: written == 0 ? began : now, into: &header)
        let preamble = JournalWriter.preamble
        var next = try JournalSegment(
            Journal.fileName(peer, generation: generation, segment: self.count), in: folder,
            capacity: max(segmentSize, preamble.count + header.count + count), preamble: preamble)
        let failure = header.withUnsafeBytes { next.append($0) }
        guard failure == 0 else {
            let path = next.path
            next.remove()
            throw DiskRefusal(path: path, errno: failure)
        }
        segment = consume next
        self.count += 1
        var total = finished.reduce(segmentSize) { $0 + $1.size }
        while total > limit, !finished.isEmpty {
            let oldest = finished.removeFirst()
            folder.remove(oldest.name)
            total -= oldest.size
        }
    }

    private func openFolder() throws(DiskRefusal) -> JournalFolder {
        if let folder { return folder }
        do throws(HostError) {
            let made = try JournalFolder(of: peer, in: paths)
            folder = made
            return made
        } catch {
            throw DiskRefusal(path: folderPath, errno: errno)
        }
    }
}
