// SupervisorPrinter.swift: a wrapper of the supervisor core that prints events for a person at the terminal.
//
// Station   process
// Input     the host, which uses it as the core
// Output    stdout (one line: ready), stderr (deaths, and their consequences), ReadinessReport

import Basics
import Glibc
import Hosting
import SupervisorCore
import Wire

/// The supervisor core with output for a person.
struct SupervisorPrinter: ProcessCore {
    private var core: SupervisorCore
    private let begun: Instant
    private let runDirectory: String
    private let executables: AppExecutables
    private let readiness: ReadinessReport
    private var known: [ChildStatus]
    private var wasReady = false
    private var wasStopping = false
    /// Quarantined children that were reported, each with its last exit.
    private var reportedQuarantines: [(peer: Peer, lastExit: String)] = []
    /// The failure that ends the group. It is set when a child could not be started, or was quarantined, before the
    /// group was first ready: readiness cannot come any more. It is also set whenever system-server is quarantined.
    private(set) var startFailure: Failure?

    init(
        _ core: SupervisorCore, begun: Instant, runDirectory: String, executables: AppExecutables,
        readiness: ReadinessReport
    ) {
        (self.core, self.begun, self.runDirectory, self.executables) = (core, begun, runDirectory, executables)
        self.readiness = readiness
        known = core.children
    }

    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        core.handle(input, at: now, into: &outbox)
        switch input {
        case .started: printError("starting \(core.children.count) processes on \(runDirectory)")
        case .stopRequested: break
        // Only these inputs change the state of a child.
        case .frame(let frame, _) where [.ready, .shutdown].contains(frame.message.kind): break
        case .childStarted, .childExited, .childFailed, .timerFired: break
        case .connected, .frame, .peerLost, .refused, .fileBytes, .fileFailed, .device, .programReplaced: return
        }
        if core.isStopping && !wasStopping {
            wasStopping = true
            printError("stopping")
        }
        // A missing program is still missing after 50 ms, and the person needs the answer now.
        if case .childFailed(let peer, let reason) = input, !wasReady, startFailure == nil {
            startFailure = Failure(code: 3, line: executables.startFailure(of: peer, because: reason))
            known = core.children
            return stopSelf()
        }
        let children = core.children
        for (before, after) in zip(known, children) where before != after { printChange(from: before, to: after) }
        known = children
        if !wasReady, startFailure == nil, !core.isStopping, let dead = children.first(where: isHopeless) {
            startFailure = Failure(
                code: dead.lastExit == "exit 2" ? 2 : 1,
                line: executables.startFailure(of: dead.peer, because: dead.lastExit))
            stopSelf()
        }
        if startFailure == nil, let failure = core.failure {
            let lastExit = children.first { $0.peer == .systemServer }?.lastExit ?? ""
            startFailure = Failure(
                code: lastExit == "exit 2" ? 2 : 1, line: "system-server is quarantined (\(lastExit)): \(failure)")
        }
        if core.isReady && !wasReady {
            wasReady = true
            let names = children.map { "\($0.peer) \($0.pid ?? 0)" }.joined(separator: ", ")
            printLine("ready: \(names) in \(begun.duration(to: now).milliseconds)")
            readiness.send()
        }
    }

    /// Whether the child cannot become ready: it is quarantined, or it is a user's program that has died. Such a program
    /// is new here, so the person needs its error and no retries.
    private func isHopeless(_ child: ChildStatus) -> Bool {
        child.isQuarantined || (child.restartsIn != nil && executables.path(of: child.peer) != nil)
    }

    /// Requests the stop as an outside signal: the core's inputs come from its host, otherwise the journal would lack
    /// this one.
    private func stopSelf() { kill(getpid(), SIGTERM) }

    private mutating func printChange(from before: ChildStatus, to after: ChildStatus) {
        guard before.state != after.state else { return }
        if after.isQuarantined {
            // A program that cannot be started is retried repeatedly, and reported once.
            guard reportedQuarantines.first(where: { $0.peer == after.peer })?.lastExit != after.lastExit else {
                return
            }
            reportedQuarantines.removeAll { $0.peer == after.peer }
            reportedQuarantines.append((after.peer, after.lastExit))
            printError("\(after.peer) is quarantined after \(after.restarts) restarts: \(after.lastExit)")
        } else if let wait = after.restartsIn {
            printError("\(after.peer) died (\(after.lastExit)); starts again in \(wait.milliseconds)")
        } else if after.isReady && (after.restarts > 0 || reportedQuarantines.contains { $0.peer == after.peer }) {
            reportedQuarantines.removeAll { $0.peer == after.peer }
            printError("\(after.peer) is ready again, pid \(after.pid ?? 0)")
        }
    }
}
