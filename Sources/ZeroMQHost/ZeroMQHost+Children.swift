// ZeroMQHost+Children.swift: starts the processes of a group, and notes their ends.
//
// Input     ZeroMQHost: the core's orders to start a child, the ends of children
// Output    ChildProcesses; inputs about children
//
// Sources   invented, after Docs/Spec/Pipeline.md section 1

import Basics
import Hosting
import Journals
import Settings
import Wire

extension ZeroMQHost {
    /// Opens a file for a child, which may not open files itself.
    func grant(_ path: String, to peer: Peer) {
        guard let child = children.child(peer), let file = GrantedFile(opening: path) else {
            return
        }
        child.channel.grant(file, into: &mail.arrivals)
    }

    /// The descriptors that a child inherits from number 4 on, without its folder of journals.
    private func inheritedDescriptors(of peer: Peer) -> [Int32] {
        switch peer.role {
        case .systemServer: parts.serverSockets.map(\.descriptor)
        case .inputKit: parts.inputSocket.map { [$0.descriptor] } ?? []
        case .app: parts.appSocket.map { [$0.descriptor] } ?? []
        case .supervisor, .controller: []
        }
    }

    /// Opens the journal folder for a child; nil, with a line on stderr, on failure: the run directory may have been
    /// removed.
    private func journalFolder(of peer: Peer) -> JournalFolder? {
        guard settings[.hostJournal] == .file, let folder = parts.folder else { return nil }
        do throws(HostError) { return try folder.journals(of: peer) } catch {
            printError("\(error): \(peer) goes on without a journal")
            return nil
        }
    }

    /// Starts a child; the core learns its pid, or the reason of a failure.
    func spawn(_ order: LaunchOrder) {
        let peer = order.peer
        var order = order
        // Only the traces of hosts need the moment, and no core reads it.
        if settings[.hostTrace] == .file {
            let name = Settings.name(of: .groupStartedAt)
            order.settings.append(Setting(key: name, value: "\(startedAt.nanoseconds)"))
        }
        journals.noteStart(of: order)
        let folder = journalFolder(of: peer)
        do throws(HostError) {
            try children.start(
                order, inheriting: inheritedDescriptors(of: peer) + (folder.map { [$0.descriptor] } ?? []), with: poller
            ) { mail.inputs.append(.childStarted(peer, pid: $0)) }
        } catch {
            mail.inputs.append(.childFailed(peer, reason: "\(error)"))
        }
    }

    func removeEndedChild(_ pid: Int32) {
        guard let (peer, status) = children.removeEnded(pid, at: now(), budget: Self.budget, into: &mail.arrivals)
        else {
            return
        }
        queueArrivals()
        children.finishOutput(of: pid, with: poller)
        mail.inputs.append(.childExited(peer, pid: pid, status: status))
    }
}
