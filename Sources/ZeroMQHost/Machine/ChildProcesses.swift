// ChildProcesses.swift: the processes that this one started: their beginning, what they print, their end.
//
//     start ─▶ runs ──its descriptor is readable──▶ bury: the rest of its link, its last lines, its status
//
// Fed by    ZeroMQHost, for a supervisor's core
// Feeds     ZeroMQHost: links of children, what they have sent
// Knows     pids, links, programs. No orders but what one says.
//
// Sources   invented, Docs/Supervision.md

import Basics
import Hosting
import Wire

final class ChildProcesses {
    private(set) var running: [Child] = []
    private var outputs = ChildOutputs()
    private var ended = EndedProcesses()
    private var programs = StartedPrograms()
    /// Where the programs are.
    private let folder: String
    /// Whether a child sets its own slice: host.slice.
    private let setsSlice: Bool
    /// The socket of controllers, which no child may use.
    private var door: PeerListener?

    init(in folder: String, setsSlice: Bool, door: PeerListener?) {
        (self.folder, self.setsSlice, self.door) = (folder, setsSlice, door)
    }

    /// When there is something to do though nothing arrives.
    var deadline: Instant { min(outputs.deadline ?? .never, ended.deadline ?? .never) }

    func child(_ peer: Peer) -> Child? { running.first { $0.peer == peer } }
    func child(_ pid: Int32) -> Child? { running.first { $0.pid == pid } }

    /// Starts the program of an order, and has its link, its output and its end watched.
    ///
    /// - Returns: Its pid.
    func start(
        _ order: LaunchOrder, inheriting descriptors: [Int32], with poller: borrowing Poller,
        didStart: (Int32) -> Void
    ) throws(HostError) {
        var outcome: Result<(child: Child, output: ChildOutput), HostError>?
        let program = Child.program(for: order.peer, in: folder)
        programs.note(order.peer, at: program)
        refuse {
            do throws(HostError) {
                let started = try Child.start(
                    order, program: program, inheriting: descriptors, setsSlice: setsSlice)
                running.append(started.child)
                outcome = .success(started)
            } catch { outcome = .failure(error) }
        }
        guard let (child, output) = try outcome?.get() else { return }
        outputs.add(output)
        didStart(child.pid)
        try poller.watch(child.channel.descriptor, as: Watch.childLink(child.pid).token)
        try poller.watch(child.descriptor, as: Watch.death(child.pid).token)
        try poller.watch(output.descriptor, as: Watch.childOutput(child.pid).token)
    }

    /// Lets no process of the group in where controllers are. No process at all is let in while one is started, so that
    /// there is no moment at which a child is not known as one.
    private func refuse(after start: () -> Void = {}) {
        guard let door else { return start() }
        door.refuse {
            start()
            return ended.pids + running.map(\.pid)
        }
    }

    func outputBecameReady(_ pid: Int32) { outputs.becameReady(pid) }

    func printOutput(at now: Instant, with poller: borrowing Poller) {
        outputs.gather(at: now, with: poller) { Watch.childOutput($0).token }
    }

    /// Takes everything a child that has ended said, then the end of its link.
    ///
    /// - Returns: How it ended; nil if it lives.
    func bury(_ pid: Int32, at now: Instant, budget: Int, into arrivals: inout [Arrival]) -> (Peer, ExitStatus)? {
        guard let index = running.firstIndex(where: { $0.pid == pid }), let status = running[index].reap() else {
            return nil
        }
        let child = running.remove(at: index)
        ended.add(pid, at: now)
        refuse()
        while child.channel.drain(budget: budget, into: &arrivals) {}
        child.channel.abandon(into: &arrivals)
        return (child.peer, status)
    }

    /// Prints the last lines of a child that is gone.
    func finishOutput(of pid: Int32, with poller: borrowing Poller) { outputs.finish(pid, with: poller) }

    func expire(at now: Instant) { if ended.expire(at: now) { refuse() } }

    /// Peers that do not run, and have a program that is another file now.
    func takeReplaced() -> [Peer] { programs.takeReplaced().filter { child($0) == nil } }

    /// Adds what the server knows each pass by.
    func sealed(_ roster: [RosterEntry]) -> [RosterEntry] {
        roster.map { entry in
            var entry = entry
            entry.seal = running.first { $0.peer == entry.peer && $0.pid == entry.pid }?.seal ?? .none
            return entry
        }
    }

    /// Kills all, and waits for their ends.
    func end(with poller: borrowing Poller) {
        for child in running {
            child.end()
            outputs.finish(child.pid, with: poller)
        }
        running.removeAll()
        door = nil
    }
}
