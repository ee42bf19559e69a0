// Roster.swift: the supervisor's list of the processes of its group.
//
// Input     roster messages
// Output    the entry of a process, by its pid and user
// Knows     credentials. No sockets, no clock.
//
// Sources   invented, after Docs/Spec/Pipeline.md T2 and F8

import Wire

/// The processes of a group, with their peers and seals.
struct Roster {
    private var entries: [Credentials: RosterEntry] = [:]

    init() {}

    init(_ entries: [RosterEntry]) {
        for entry in entries { self.entries[Credentials(pid: entry.pid, uid: entry.uid)] = entry }
    }

    func entry(for sender: Credentials) -> RosterEntry? { entries[sender] }

    /// The apps that are children of this group's supervisor, in no order.
    var apps: [AppID] { entries.values.compactMap(\.peer.app) }

    /// The processes that are listed as this peer: one, unless a roster lists a peer twice.
    func senders(of peer: Peer) -> [Credentials] { entries.filter { $0.value.peer == peer }.map(\.key) }
}
