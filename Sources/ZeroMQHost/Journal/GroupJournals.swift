// GroupJournals.swift: how large the journals of a group may be, all of them together, those of the group before included.
//
//     every 5 s: journal.previous, then journal ─▶ more than the limit? ─▶ the oldest segments go, and it is said
//
// Each process bounds its own journals (journal.limit); a group has as many processes as it likes. A process's latest segment
// stays: it is being written to, or is the end of what there is to know of that process.
//
// Fed by    the supervisor's host, whenever it is time
// Files     <run-dir>/journal, <run-dir>/journal.previous, and folders in them
//
// Sources   invented

import Basics
import CSystem
import Glibc
import Journals
import Settings
import Trace
import Wire

struct GroupJournals {
    private struct Segment {
        let path: String
        let peer: Peer
        let generation: UInt32
        let number: UInt32
        let size: Int
        /// When it was last written to, in nanoseconds since 1970.
        let changed: Int64
        let isPrevious: Bool
    }

    static let period = Duration.seconds(5)

    private let paths: RunPaths
    private let limit: Int
    private(set) var deadline: Instant
    /// As they were found last.
    private(set) var bytes = 0
    private(set) var removed: UInt64 = 0
    private var removals = Flood()

    init(in paths: RunPaths, _ settings: Settings, at now: Instant) {
        (self.paths, deadline) = (paths, now)
        limit = Int(settings[.journalGroupLimit] * 1_048_576)
    }

    /// Removes what is too much.
    ///
    /// - Returns: A line that says so, now and then; nil when nothing was removed.
    mutating func check(at now: Instant) -> String? {
        deadline = now.advanced(by: Self.period)
        var segments = Self.segments(in: paths.previousJournals, isPrevious: true)
        segments += Self.segments(in: paths.journals, isPrevious: false)
        bytes = segments.reduce(0) { $0 + $1.size }
        guard bytes > limit else { return nil }
        // Of the group before first, then by when they were written.
        segments.sort {
            ($0.isPrevious ? 0 : 1, $0.changed, $0.generation, $0.number)
                < ($1.isPrevious ? 0 : 1, $1.changed, $1.generation, $1.number)
        }
        var (gone, freed) = (0, 0)
        for segment in segments where bytes > limit && !Self.isLatest(segment, of: segments) {
            guard unlink(segment.path) == 0 else { continue }
            bytes -= segment.size
            (gone, freed) = (gone + 1, freed + segment.size)
        }
        removed &+= UInt64(gone)
        guard gone > 0, removals.rises() else { return nil }
        return "journals: \(gone) of the oldest files, \(freed >> 20) MiB, removed: all of them together are more than "
            + "\(limit >> 20) MiB (journal.groupLimit); what they told of cannot be replayed"
    }

    func addRows(to report: inout Report) {
        report.add("journal.group.bytes", bytes)
        if removed > 0 { report.add("journal.group.removed", removed) }
    }

    private static func isLatest(_ segment: Segment, of all: [Segment]) -> Bool {
        !segment.isPrevious
            && !all.contains {
                !$0.isPrevious && $0.peer == segment.peer
                    && ($0.generation, $0.number) > (segment.generation, segment.number)
            }
    }

    private static func segments(in folder: String, isPrevious: Bool) -> [Segment] {
        journalFiles(in: folder).compactMap { path in
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                let of = Journal.parse(fileName: String(path[path.index(after: path.lastIndex(of: "/")!)...]))
            else { return nil }
            return Segment(
                path: path, peer: of.peer, generation: of.generation, number: of.segment,
                size: Int(status.st_size), changed: system_modified(path), isPrevious: isPrevious)
        }
    }
}
