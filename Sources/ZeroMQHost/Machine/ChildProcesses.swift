// ChildProcesses.swift: the processes that this one started: their start, their output, their end.
//
//     start ─▶ runs ──its descriptor is readable──▶ removeEnded: the rest of its link, its last lines, its status
//
// Input     ZeroMQHost, for a supervisor's core
// Output    ZeroMQHost: links of children and the frames that they sent
// Knows     pids, links, programs. It starts a child only by an order.
//
// Sources   invented, Docs/Internals/Supervision.md

import Basics
import Hosting
import Wire

/// The children of a supervisor.
final class ChildProcesses {
    private(set) var running: [Child] = []
    private var outputs = ChildOutputs()
    private var ended = EndedProcesses()
    private var programs = StartedPrograms()
    /// Whether a start was tried. Most processes have no children, and look at none of this.
    private(set) var hasStartedAny = false
    /// The folder of the programs, except those of `app.executable`.
    private let folder: String
    /// Whether a child sets its own scheduler slice (host.timeSlice).
    private let setsSlice: Bool
    /// The listener for controllers, which no child may use.
    private var controllerListener: PeerListener?
    /// With host.transport=ring.
    private var rings: RingIssuer?

    init(in folder: String, setsSlice: Bool, issuesRings: Bool, controllerListener: PeerListener?) {
        (self.folder, self.setsSlice, self.controllerListener) = (folder, setsSlice, controllerListener)
        if issuesRings { rings = RingIssuer() }
    }

    /// The time at which there is work although nothing arrives.
    var deadline: Instant { min(outputs.deadline ?? .never, ended.deadline ?? .never) }

    func child(_ peer: Peer) -> Child? { running.first { $0.peer == peer } }
    func child(_ pid: Int32) -> Child? { running.first { $0.pid == pid } }

    /// Starts the program of an order, and watches the child's link, output and end.
    ///
    /// - Parameter didStart: Receives the pid.
    func start(
        _ order: LaunchOrder, inheriting descriptors: [Int32], with poller: borrowing Poller,
        didStart: (Int32) -> Void
    ) throws(HostError) {
        var outcome: Result<(child: Child, output: ChildOutput), HostError>?
        let program = Child.program(for: order, in: folder)
        programs.noteStart(of: order.peer, at: program)
        hasStartedAny = true
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
        try poller.watch(child.channel.descriptor, as: PollSource.childLink(child.pid).token)
        try poller.watch(child.descriptor, as: PollSource.childEnd(child.pid).token)
        try poller.watch(output.descriptor, as: PollSource.childOutput(child.pid).token)
    }

    /// Refuses all processes of the group at the listener for controllers.
    ///
    /// The listener accepts no process at all during a start, so that a child is refused from its first moment.
    private func refuse(after start: () -> Void = {}) {
        guard let controllerListener else { return start() }
        controllerListener.refuse {
            start()
            return ended.pids + running.map(\.pid)
        }
    }

    func markOutputReady(_ pid: Int32) { outputs.markReady(pid) }

    func printOutput(at now: Instant, with poller: borrowing Poller) {
        outputs.gather(at: now, with: poller) { PollSource.childOutput($0).token }
    }

    /// Receives all frames that an ended child has sent, then ends its link.
    ///
    /// - Returns: The child's exit status; nil if it runs.
    func removeEnded(_ pid: Int32, at now: Instant, budget: Int, into arrivals: inout [Input]) -> (Peer, ExitStatus)? {
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

    /// Prints the last lines of a child that has ended.
    func finishOutput(of pid: Int32, with poller: borrowing Poller) { outputs.finish(pid, with: poller) }

    /// Makes the rings that the server has asked for.
    ///
    /// - Returns: The end of each process, the client's before the server's.
    func makeRings(at now: Instant) -> [(child: Child, grant: RingGrant)] {
        guard let server = child(.systemServer) else { return [] }
        return server.channel.removeRingRequests().flatMap { request -> [(child: Child, grant: RingGrant)] in
            // A client that has ended since, or that another process has replaced, gets no ring.
            guard let client = child(request.peer), client.pid == request.pid, client !== server,
                let ends = rings?.issue(to: client.peer, pid: client.pid, server: server.pid, at: now)
            else { return [] }
            return [(client, ends.client), (server, ends.server)]
        }
    }

    func expire(at now: Instant) { if ended.expire(at: now) { refuse() } }

    /// Peers that do not run and for which the program file has been replaced.
    func removeReplaced() -> [Peer] { programs.removeReplaced().filter { child($0) == nil } }

    /// Adds the seals by which the server recognizes the passes.
    func sealed(_ roster: [RosterEntry]) -> [RosterEntry] {
        roster.map { entry in
            var entry = entry
            entry.seal = running.first { $0.peer == entry.peer && $0.pid == entry.pid }?.seal ?? .none
            return entry
        }
    }

    /// Kills all children and waits for their ends.
    func end(with poller: borrowing Poller) {
        for child in running {
            child.end()
            outputs.finish(child.pid, with: poller)
        }
        running.removeAll()
        controllerListener = nil
    }
}
