// GroupJournals.swift: the limit on the size of all journals of a group, including the previous group's.
//
//     every 5 s: journal.previous, then journal ─▶ over the limit? ─▶ the oldest segments are removed and reported
//
// Each process bounds its own journals (journal.processLimit), but a group may have any number of processes. The segment that
// a process writes to stays. The supervisor started each process, so it knows the latest generation; a file name proves
// nothing. A foreign file in a process's folder is removed before all others.
//
// Input     the supervisor's host, whenever it is time
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

/// Removes the oldest journals of a group that exceeds journal.groupLimit.
struct GroupJournals {
    private struct Segment {
        /// In the order of removal.
        enum Kind: Int { case foreign, previous, own }

        let path: String
        let kind: Kind
        /// Nil for a foreign file.
        let of: (peer: Peer, generation: UInt32, segment: UInt32)?
        /// The bytes that the file occupies on disk. Its length may be larger, without cost.
        let size: Int
        /// The modification time, in nanoseconds since 1970.
        let changed: Int64
    }

    static let period = Duration.seconds(5)

    private let paths: RunPaths
    private let limit: Int
    private(set) var deadline: Instant
    /// The total size at the last check.
    private(set) var bytes = 0
    private(set) var removed: UInt64 = 0
    private var removals = RepetitionLimit()

    init(in paths: RunPaths, _ settings: Settings, at now: Instant) {
        (self.paths, deadline) = (paths, now)
        limit = Int(settings[.journalGroupLimit] * 1_048_576)
    }

    /// Removes files beyond the limit.
    ///
    /// - Parameter latest: The latest generation of each process that was started.
    /// - Returns: A line for the user, at a limited rate; nil if nothing was removed.
    mutating func check(latest: [Peer: UInt32], at now: Instant) -> String? {
        deadline = now.advanced(by: Self.period)
        var segments = Self.segments(in: paths.previousJournals, isPrevious: true)
        segments += Self.segments(in: paths.journals, isPrevious: false)
        bytes = segments.reduce(0) { $0 + $1.size }
        guard bytes > limit else { return nil }
        // Files of the previous group come first, then the least recently written.
        segments.sort {
            ($0.kind.rawValue, $0.changed, $0.of?.generation ?? 0, $0.of?.segment ?? 0)
                < ($1.kind.rawValue, $1.changed, $1.of?.generation ?? 0, $1.of?.segment ?? 0)
        }
        var (gone, freed) = (0, 0)
        for segment in segments where bytes > limit && !Self.isWritten(segment, of: segments, latest) {
            guard unlink(segment.path) == 0 else { continue }
            bytes -= segment.size
            (gone, freed) = (gone + 1, freed + segment.size)
        }
        removed &+= UInt64(gone)
        guard gone > 0, removals.countOccurrence() else { return nil }
        return "journals: \(gone) of the oldest files, \(freed >> 20) MiB, removed: all of them together are more than "
            + "\(limit >> 20) MiB (journal.groupLimit); what they told of cannot be replayed"
    }

    func addRows(to report: inout Report) {
        report.add("journal.group.bytes", bytes)
        if removed > 0 { report.add("journal.group.removed", removed) }
    }

    /// Whether the file is the last segment of the latest generation of its process.
    private static func isWritten(_ segment: Segment, of all: [Segment], _ latest: [Peer: UInt32]) -> Bool {
        guard segment.kind == .own, let of = segment.of, latest[of.peer] == of.generation else { return false }
        return !all.contains {
            guard $0.kind == .own, let other = $0.of else { return false }
            return (other.peer, other.generation) == (of.peer, of.generation) && other.segment > of.segment
        }
    }

    /// All files in the folders of processes, and, beside these folders, files with the name of a journal.
    private static func segments(in folder: String, isPrevious: Bool) -> [Segment] {
        names(in: folder).flatMap { name -> [Segment] in
            let path = "\(folder)/\(name)"
            if let of = Journal.parse(fileName: name) {
                return segment(path, isPrevious ? .previous : .own, of).map { [$0] } ?? []
            }
            guard Peer(name) != nil else { return [] }
            return names(in: path).compactMap { file in
                let of = Journal.parse(fileName: file, inFolderOf: name)
                let kind: Segment.Kind = isPrevious ? .previous : of == nil ? .foreign : .own
                return segment("\(path)/\(file)", kind, of)
            }
        }
    }

    private static func segment(
        _ path: String, _ kind: Segment.Kind, _ of: (peer: Peer, generation: UInt32, segment: UInt32)?
    ) -> Segment? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Segment(
            path: path, kind: kind, of: of, size: Int(status.st_blocks) * 512, changed: system_modified(path))
    }
}
