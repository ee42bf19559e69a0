// JournalFolder.swift: where a process's journals are, and where those of the group before go.
//
//     supervisor ── opens journal/<peer>, makes it if need be ── descriptor ──▶ child
//
// A child has its folder open before it runs, so the path may be gone, or be another's. Nothing in a folder is believed to be
// the journal of a process that the folder is not named after: see `Journal.parse`.
//
// Sources   documented  openat(2)
//           invented    the rest

import CSystem
import Glibc
import Journals
import Wire

/// A process's own folder, open. No other process of the group can write there.
final class JournalFolder {
    /// What it was called when it was opened.
    let path: String
    private let folder: Descriptor

    init(_ path: String, _ folder: consuming Descriptor) {
        self.path = path
        self.folder = folder
    }

    /// Opens a folder in one that is open, and makes it if needed. A symbolic link is refused.
    ///
    /// - Parameter path: What it is called, for people.
    convenience init(making name: String, in parent: Int32, path: String) throws(HostError) {
        guard mkdirat(parent, name, 0o700) == 0 || errno == EEXIST else {
            throw .system(call: "mkdir", subject: path, errno: errno)
        }
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
        self.init(path, try Descriptor(openat(parent, name, flags), from: "open", path))
    }

    /// The folder of a process in a run directory.
    ///
    /// - Parameter held: The run directory, open; nil to find it by its path.
    convenience init(of peer: Peer, in paths: RunPaths, held: Int32? = nil) throws(HostError) {
        // An absolute path needs no folder to be in.
        let name = held == nil ? paths.journals : "journal"
        let journals = try JournalFolder(making: name, in: held ?? AT_FDCWD, path: paths.journals)
        try self.init(making: "\(peer)", in: journals.descriptor, path: paths.journals(of: peer))
    }

    /// The one that a child has inherited.
    ///
    /// - Returns: Nil where the descriptor is no folder.
    convenience init?(inherited number: Int32, path: String) {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        system_close_on_exec(number)
        self.init(path, Descriptor(number))
    }

    var descriptor: Int32 { folder.number }
    /// As long as this process has it open, whatever it is called.
    var heldPath: String { "/proc/self/fd/\(folder.number)" }

    func remove(_ name: String) { unlinkat(folder.number, name, 0) }

    /// The files of this peer's earlier lives in this group, oldest first, and how many bytes they are.
    func journals(of peer: Peer, before generation: UInt32) -> [(name: String, size: Int)] {
        let known = names(in: heldPath).compactMap { name in
            Journal.parse(fileName: name).map { (name: name, of: $0) }
        }
        return known.filter { $0.of.peer == peer && $0.of.generation < generation }
            .sorted { ($0.of.generation, $0.of.segment) < ($1.of.generation, $1.of.segment) }
            .map { file in
                var status = stat()
                let isThere = fstatat(folder.number, file.name, &status, AT_SYMLINK_NOFOLLOW) == 0
                return (file.name, isThere ? Int(status.st_size) : 0)
            }
    }
}

/// Moves an earlier group's journals to `journal.previous`, in place of what is there.
///
/// - Throws: Where that cannot be done: this group's journals would be mixed with others.
func setAsideJournals(in paths: RunPaths) throws(HostError) {
    var status = stat()
    guard lstat(paths.journals, &status) == 0 else { return }
    let previous = paths.previousJournals
    guard system_remove_tree(previous) == 0 || errno == ENOENT else {
        throw .system(call: "remove", subject: previous, errno: errno)
    }
    guard rename(paths.journals, previous) == 0 else {
        throw .system(call: "rename", subject: paths.journals, errno: errno)
    }
}

/// The number of a life there is no journal of, and after all there are.
func firstFreeGeneration(of peer: Peer, in paths: RunPaths) -> UInt32 {
    let known = names(in: paths.journals(of: peer)).compactMap { Journal.parse(fileName: $0, inFolderOf: "\(peer)") }
    let latest = known.map(\.generation).max() ?? 0
    return latest == .max ? latest : latest + 1
}

/// The latest life of any app there is a journal of; 0 for none.
func latestGeneration(in paths: RunPaths) -> UInt32 {
    guard !paths.folder.isEmpty else { return 0 }
    let known = names(in: paths.journals).flatMap { folder in
        names(in: "\(paths.journals)/\(folder)").compactMap { Journal.parse(fileName: $0, inFolderOf: folder) }
    }
    return known.filter { $0.peer.role == .app }.map(\.generation).max() ?? 0
}
