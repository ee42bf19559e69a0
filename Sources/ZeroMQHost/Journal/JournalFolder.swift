// JournalFolder.swift: the journals of the group before, out of the way of those of this one.
//
// Sources   invented

import Glibc
import Journals
import Wire

/// Moves an earlier group's journals to `journal.previous`, in place of those that are there.
///
/// Where that cannot be done it is said, and the group goes on: its own journals may then have no room.
func setAsideJournals(in paths: RunPaths) {
    let (folder, previous) = (paths.journals, paths.previousJournals)
    guard access(folder, F_OK) == 0 else { return }
    for path in journalFiles(in: previous) { unlink(path) }
    // Those of processes; a file that is none stays, and its folder with it.
    for name in names(in: previous) { rmdir("\(previous)/\(name)") }
    if rmdir(previous) != 0, errno != ENOENT { return complainOfJournals(previous, errno) }
    if rename(folder, previous) != 0 { complainOfJournals(folder, errno) }
}

/// A process's own folder: no other process of the group can write there.
func makeJournalFolder(of peer: Peer, in paths: RunPaths) throws(HostError) {
    try makeFolder(paths.journals)
    try makeFolder(paths.journals(of: peer))
}

/// The files of journals in a folder and in those of processes, one level down.
func journalFiles(in folder: String) -> [String] {
    names(in: folder).flatMap { name in
        let path = "\(folder)/\(name)"
        if Journal.parse(fileName: name) != nil { return [path] }
        return names(in: path).filter { Journal.parse(fileName: $0) != nil }.map { "\(path)/\($0)" }
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

/// The files of this peer's earlier lives in this group, oldest first, and how many bytes they are.
func earlierJournals(of peer: Peer, before generation: UInt32, in folder: String) -> [(path: String, size: Int)] {
    let known = names(in: folder).compactMap { name in Journal.parse(fileName: name).map { (name: name, of: $0) } }
    return known.filter { $0.of.peer == peer && $0.of.generation < generation }
        .sorted { ($0.of.generation, $0.of.segment) < ($1.of.generation, $1.of.segment) }
        .map { file in
            let path = "\(folder)/\(file.name)"
            var status = stat()
            return (path, lstat(path, &status) == 0 ? Int(status.st_size) : 0)
        }
}

private func complainOfJournals(_ path: String, _ errno: Int32) {
    complain("\(path): \(systemText(errno)): the journals of an earlier group stay there")
}
