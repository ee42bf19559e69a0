// HostJournals.swift: the journal of a process and, for a supervisor, the limit on the journals of its group.
//
// Input     ZeroMQHost
// Output    HostJournal, GroupJournals
// Knows     the latest generation of each process.
//
// Sources   invented

import Basics
import Hosting
import Settings
import Wire

/// The journals that a host writes or limits.
struct HostJournals {
    /// From the first input on, with host.journal.
    private(set) var own: HostJournal?
    /// In a supervisor, with host.journal.
    private var group: GroupJournals?
    /// In a supervisor: the latest generation of each process that it started, and its own.
    private var latestGenerations: [Peer: UInt32] = [:]

    /// Begins the journal of this process. An order without a run directory has no place for one.
    mutating func begin(_ order: LaunchOrder, _ settings: Settings, _ parts: ZeroMQHost.Parts, at now: Instant) {
        guard settings[.hostJournal] == .file, !order.runDirectory.isEmpty else { return }
        var folder: JournalFolder?
        switch parts.journals {
        case .byPath: break
        case .open(let open): folder = open
        case .none: return
        }
        own = HostJournal(order, settings: settings, apps: parts.apps, content: parts.content, in: folder, at: now)
        guard order.peer == .supervisor, let directory = parts.folder else { return }
        noteStart(of: order)
        group = GroupJournals(in: directory.heldPaths, settings, at: now)
    }

    /// Notes the start of a process: its journal is the latest.
    mutating func noteStart(of order: LaunchOrder) { latestGenerations[order.peer] = order.generation }

    /// The time at which there is work although nothing arrives.
    var deadline: Instant { min(own?.deadline ?? .never, group?.deadline ?? .never) }

    /// Checks the limit of the group if it is time.
    ///
    /// - Returns: A line about removed journals; nil if nothing was removed.
    mutating func checkGroup(at now: Instant) -> String? {
        guard let moment = group?.deadline, moment <= now else { return nil }
        return group?.check(latest: latestGenerations, at: now)
    }

    func addRows(to report: inout Report) {
        own?.addRows(to: &report)
        group?.addRows(to: &report)
    }

    mutating func end(status: Int32, at now: Instant) {
        own?.end(status: status, at: now)
        own = nil
    }
}
