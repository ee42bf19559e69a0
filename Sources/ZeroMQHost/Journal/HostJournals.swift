// HostJournals.swift: the journal of a process, and of a supervisor, how large all journals of its group are.
//
// Fed by    ZeroMQHost
// Feeds     HostJournal, GroupJournals
// Knows     which life of each process is the latest.
//
// Sources   invented

import Basics
import Hosting
import Settings
import Wire

struct HostJournals {
    /// From the first input on, with host.journal.
    private(set) var own: HostJournal?
    /// A supervisor's, with host.journal.
    private var group: GroupJournals?
    /// A supervisor's: the latest life of each process that it started, and its own.
    private var latestLives: [Peer: UInt32] = [:]

    /// Begins the journal of this life. An order without a folder has no place for one.
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
        didStart(order)
        group = GroupJournals(in: directory.held, settings, at: now)
    }

    /// A life of a process has begun: its journal is the latest.
    mutating func didStart(_ order: LaunchOrder) { latestLives[order.peer] = order.generation }

    /// When there is something to do though nothing arrives.
    var deadline: Instant { min(own?.deadline ?? .never, group?.deadline ?? .never) }

    /// - Returns: A line that says which journals of the group were removed.
    mutating func checkGroup(at now: Instant) -> String? {
        guard let moment = group?.deadline, moment <= now else { return nil }
        return group?.check(latest: latestLives, at: now)
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
