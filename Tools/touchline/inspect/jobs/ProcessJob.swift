// ProcessJob.swift: one process of an own group is killed, stopped, continued, slow or normal again.
//
//     POST /api/process {name, act} ─▶ pid that the supervisor has just named ─▶ a handle of that process
//                                      ─▶ its parent is the supervisor ─▶ signal through the handle
//
// A pid that was given to another process meanwhile receives no signal: the handle is opened before the check, and a
// handle never moves to another process.
//
// Input     InspectServer
// Output    JSON
// Knows     signals, and the fault `slow` of Faults
//
// Sources   documented  pidfd_open(2), proc(5)

import Basics
import CSystem
import Faults
import Foundation
import Glibc
import Page
import Recordings
import Synchronization
import Wire
import ZeroMQHost

/// `POST /api/process`.
struct ProcessJob: InspectJob {
    let path = "/api/process"
    let method = "POST"

    enum Act: String, CaseIterable {
        /// SIGKILL.
        case kill
        /// SIGSTOP and SIGCONT.
        case stop, `continue`
        /// Each input takes longer, until `normal`.
        case slow, normal
    }

    func handle(_ body: JSONNode, _ context: InspectContext) throws -> JSONText {
        try context.expectOwnGroup()
        let name = try body.expectText("name", "a process such as app1")
        let word = try body.expectText("act", "kill, stop, continue, slow or normal")
        guard let act = Act(rawValue: word) else {
            throw InspectError(
                400, "act: expected \(Act.allCases.map(\.rawValue).joined(separator: ", ")), found \(quoted(word))")
        }
        let report = try context.report()
        guard let process = report.processes.first(where: { $0.name == name }), let peer = Peer(name) else {
            let names = report.processes.map(\.name).joined(separator: ", ")
            throw InspectError(404, "name: expected one of \(names), found \(quoted(name))")
        }
        switch act {
        case .kill: try Self.signal(SIGKILL, to: process, in: report)
        case .stop: try Self.signal(SIGSTOP, to: process, in: report)
        case .continue: try Self.signal(SIGCONT, to: process, in: report)
        case .slow: try context.desk.slowProcesses.begin(peer, context)
        case .normal: context.desk.slowProcesses.end(peer)
        }
        return .object([("name", .string(name)), ("act", .string(word)), ("pid", .number(process.pid))])
    }

    /// - Throws: `InspectError` with status 409 for a process that does not run.
    private static func signal(_ number: Int32, to process: GroupReport.Process, in report: GroupReport) throws {
        let isSent = signalChild(number, pid: Int32(truncatingIfNeeded: process.pid), of: report.pid)
        guard isSent else { throw InspectError(409, "\(process.name) does not run: \(process.state)") }
    }
}

/// Sends a signal to a process if it is a child of another one.
///
/// - Returns: Whether the signal was sent. False if there is no such process, or if it is no child of `parent`.
func signalChild(_ number: Int32, pid: Int32, of parent: Int32) -> Bool {
    guard pid > 1 else { return false }
    let handle = system_pidfd_open(pid)
    guard handle >= 0 else { return false }
    defer { close(handle) }
    guard let fields = statFields(of: pid), fields.count > 1, Int32(fields[1]) == parent else { return false }
    return system_pidfd_signal(handle, number) == 0
}

/// The processes of an own group that are slow. A fault has an end, so each one is renewed until it is no longer wanted.
final class SlowProcesses: Sendable {
    private struct State {
        var peers: [Peer] = []
        var isRenewing = false
    }

    private let state = Mutex(State())

    /// What each input takes longer, in milliseconds.
    private static let cost = 60
    private static let length = Duration.milliseconds(1500)
    private static let pause: UInt32 = 750_000

    /// Makes a process slow.
    ///
    /// - Throws: `InspectError` when the group refuses the fault.
    func begin(_ peer: Peer, _ context: InspectContext) throws {
        try Self.renew(peer, try context.connect())
        let isFirst = state.withLock { state in
            if !state.peers.contains(peer) { state.peers.append(peer) }
            defer { state.isRenewing = true }
            return !state.isRenewing
        }
        guard isFirst else { return }
        let thread = Thread { [self] in renewAll(context) }
        thread.start()
    }

    /// The fault ends within 1.5 s.
    func end(_ peer: Peer) { state.withLock { state in state.peers.removeAll { $0 == peer } } }

    func forgetAll() { state.withLock { $0.peers = [] } }

    private func renewAll(_ context: InspectContext) {
        while true {
            usleep(Self.pause)
            let peers = state.withLock { state in
                if state.peers.isEmpty { state.isRenewing = false }
                return state.peers
            }
            guard !peers.isEmpty else { return }
            // A process that is being started is slow again at the next renewal.
            guard let client = try? context.connect() else { continue }
            for peer in peers { try? Self.renew(peer, client) }
        }
    }

    private static func renew(_ peer: Peer, _ client: ControlClient) throws {
        let fault = Fault(at: .zero, .slow, peer, amount: Double(cost), for: length)
        try client.ask(.chaos("\(fault)"))
        let deadline = monotonicNow().advanced(by: .seconds(2))
        while true {
            switch try client.next(timeout: max(.milliseconds(1), monotonicNow().duration(to: deadline))) {
            case .chaos: return
            case .refused(let reason): throw InspectError(409, "refused: \(reason)")
            case .some: continue
            case nil: throw InspectError(503, "the supervisor has not answered for 2 s")
            }
        }
    }
}
