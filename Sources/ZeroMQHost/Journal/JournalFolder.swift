// JournalFolder.swift: the folder of a process's journals, and the folder of the previous group's.
//
//     supervisor ── opens journal/<peer>, makes it if need be ── descriptor ──▶ child
//
// A child has its folder open before it runs, because the path may be gone or belong to another group. A file counts as
// a journal of the process that the folder is named after, and of no other: see `Journal.parse`.
//
// Sources   documented  openat(2)
//           invented    the rest

import CSystem
import Glibc
import Journals
import Wire

/// An open journal folder of one process. No other process of the group can write there.
final class JournalFolder {
    /// The path at which the folder was opened.
    let path: String
    private let folder: Descriptor

    init(_ path: String, _ folder: consuming Descriptor) {
        self.path = path
        self.folder = folder
    }

    /// Opens a folder inside an open one, and creates it if necessary. A symbolic link is refused.
    ///
    /// - Parameter path: The path for error texts.
    convenience init(making name: String, in parent: Int32, path: String) throws(HostError) {
        guard mkdirat(parent, name, 0o700) == 0 || errno == EEXIST else {
            throw .system(call: "mkdir", subject: path, errno: errno)
        }
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
        self.init(path, try Descriptor(openat(parent, name, flags), from: "open", path))
    }

    /// Opens the folder of a process in a run directory.
    ///
    /// - Parameter held: The open run directory; nil to find it by its path.
    convenience init(of peer: Peer, in paths: RunPaths, held: Int32? = nil) throws(HostError) {
        // An absolute path needs no parent folder.
        let name = held == nil ? paths.journals : "journal"
        let journals = try JournalFolder(making: name, in: held ?? AT_FDCWD, path: paths.journals)
        try self.init(making: "\(peer)", in: journals.descriptor, path: paths.journals(of: peer))
    }

    /// Takes over a folder that a child has inherited.
    ///
    /// - Returns: Nil if the descriptor is not a folder.
    convenience init?(inherited number: Int32, path: String) {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        system_close_on_exec(number)
        self.init(path, Descriptor(number))
    }

    var descriptor: Int32 { folder.number }
    /// A path of the folder that is valid while this process has it open, even if it is moved.
    var heldPath: String { "/proc/self/fd/\(folder.number)" }

    func remove(_ name: String) { unlinkat(folder.number, name, 0) }

    /// The files of this peer's earlier generations in this group, oldest first, with their sizes in bytes.
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

/// Moves an earlier group's journals to `journal.previous` and replaces its content.
///
/// - Throws: `HostError` on failure: this group's journals would be mixed with others.
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

/// The first generation after all that have a journal.
func firstFreeGeneration(of peer: Peer, in paths: RunPaths) -> UInt32 {
    let known = names(in: paths.journals(of: peer)).compactMap { Journal.parse(fileName: $0, inFolderOf: "\(peer)") }
    let latest = known.map(\.generation).max() ?? 0
    return latest == .max ? latest : latest + 1
}

/// The latest generation of any app that has a journal; 0 without one.
func latestGeneration(in paths: RunPaths) -> UInt32 {
    guard !paths.folder.isEmpty else { return 0 }
    let known = names(in: paths.journals).flatMap { folder in
        names(in: "\(paths.journals)/\(folder)").compactMap { Journal.parse(fileName: $0, inFolderOf: folder) }
    }
    return known.filter { $0.peer.role == .app }.map(\.generation).max() ?? 0
}
