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
    for name in names(in: previous) where Journal.parse(fileName: name) != nil { unlink("\(previous)/\(name)") }
    if rmdir(previous) != 0, errno != ENOENT { return complainOfJournals(previous, errno) }
    if rename(folder, previous) != 0 { complainOfJournals(folder, errno) }
}

/// The number of a life there is no journal of, and after all there are.
func firstFreeGeneration(of peer: Peer, in paths: RunPaths) -> UInt32 {
    let known = names(in: paths.journals).compactMap { Journal.parse(fileName: $0) }
    let latest = known.filter { $0.peer == peer }.map(\.generation).max() ?? 0
    return latest == .max ? latest : latest + 1
}

private func complainOfJournals(_ path: String, _ errno: Int32) {
    complain("\(path): \(systemText(errno)): the journals of an earlier group stay there")
}
