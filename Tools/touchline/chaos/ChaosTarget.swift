// ChaosTarget.swift: the running group under test: its processes, touches, signals and reports.
//
// Signals go only to pids that the supervisor has just named.

import Basics
import Foundation
import Glibc
import Hosting
import Recordings
import Wire
import ZeroMQHost

/// The running group under test.
final class ChaosTarget {
    let runDirectory: String
    private var player: GroupPlayer
    var client: ControlClient { player.client }
    var chance: SeededGenerator
    /// The screen when the faults begin.
    let screen: Rect<ScreenSpace>
    let apps: [Peer]

    /// How long a group may take to recover.
    static let recoveryLimit = Duration.seconds(30)

    /// - Throws: `Failure` with exit code 3 for a group that does not allow chaos.
    init(runDirectory: String, seed: UInt64) throws {
        self.runDirectory = runDirectory
        player = GroupPlayer(client: try .connect(to: runDirectory))
        chance = SeededGenerator(seed: seed)
        let group = try GroupReport(from: player.client)
        guard group.allowsChaos else {
            throw Failure.group(
                "the group on \(runDirectory) does not allow faults: start it with `touchline up --allow-chaos`")
        }
        screen = group.screen ?? Rect(x: 0, y: 0, width: 375, height: 667)
        apps = group.processes.compactMap { Peer($0.name) }.filter { $0.role == .app }
        guard !apps.isEmpty else { throw Failure.group("the group on \(runDirectory) has no app") }
    }

    // MARK: Processes

    func group() throws -> GroupReport { try GroupReport(from: client) }

    func process(of peer: Peer) throws -> GroupReport.Process {
        let group = try group()
        if let process = group.process(peer) { return process }
        throw Failure.group("\(peer) is not in the group on \(runDirectory)")
    }

    /// Waits until every process is ready and the group satisfies `isSo`.
    ///
    /// - Parameter dead: A process that stays dead and is not awaited.
    @discardableResult
    func awaitReady(
        _ what: String = "ready", without dead: Peer? = nil, within limit: Duration = ChaosTarget.recoveryLimit,
        until isSo: (GroupReport) -> Bool = { _ in true }
    ) throws -> GroupReport {
        let deadline = monotonicNow().advanced(by: limit)
        while true {
            let group = try group()
            let others = group.processes.filter { $0.name != dead.map { "\($0)" } }
            let isReady = dead == nil ? group.isReady : others.allSatisfy { $0.state == "ready" && $0.isResponding }
            if isReady, isSo(group) { return group }
            if let quarantined = others.first(where: { $0.state == "quarantined" }) {
                throw Failure.negativeResult(
                    "\(quarantined.name) is quarantined: \(quarantined.lastExit); \(quarantined.reason)")
            }
            guard monotonicNow() < deadline else {
                let states = group.processes.map { "\($0.name) \($0.state)" }.joined(separator: ", ")
                throw Failure.negativeResult("not \(what) after \(fixedText(limit.seconds, digits: 0)) s: \(states)")
            }
            usleep(2000)
        }
    }

    /// Waits until nothing is in flight, no finger is down and nothing is queued.
    func awaitQuiet(without dead: Peer? = nil) throws {
        try awaitReady("quiet", without: dead) { group in
            group.processes.allSatisfy { process in process["quiet"] != .flag(false) }
        }
    }

    /// Whether the server has a touch in the foreground app.
    func isTouched() throws -> Bool {
        try (group().process(.systemServer)?.number("\(apps[0]).touches") ?? 0) > 0
    }

    /// Brings the app that is touched to the foreground.
    func bringToFront(_ app: Peer) throws {
        try client.send(.act(.foreground(app: AppID(app.instance))))
        try awaitReady("in front") { group in
            group.process(.systemServer)?["front"] == .text("\(app)")
        }
    }

    /// Closes the connection and opens another one. A play in progress is stopped.
    func reconnect() throws { player = GroupPlayer(client: try .connect(to: runDirectory)) }

    // MARK: Faults

    /// - Returns: The moment before the signal, and the process instance that got it. Nil when the process has just died by itself.
    func signal(_ number: Int32, to peer: Peer) throws -> (at: Instant, pid: Int32, generation: UInt32)? {
        let process = try process(of: peer)
        guard process.pid > 1 else { return nil }
        let pid = Int32(truncatingIfNeeded: process.pid)
        let moment = monotonicNow()
        guard kill(pid, number) == 0 else { return nil }
        return (moment, pid, UInt32(truncatingIfNeeded: process.generation))
    }

    /// Requests a fault that a process applies to itself.
    ///
    /// - Returns: The moment of the request.
    @discardableResult
    func requestFault(_ fault: String) throws -> Instant {
        let moment = monotonicNow()
        try client.ask(.chaos(fault))
        let deadline = moment.advanced(by: .seconds(2))
        while true {
            switch try client.next(timeout: max(.milliseconds(1), monotonicNow().duration(to: deadline))) {
            case .chaos(fault): return moment
            case .refused(let reason): throw Failure.group("refused: \(reason)")
            case .some: continue
            case nil: throw Failure.group("the supervisor has not answered for 2 s")
            }
        }
    }

    // MARK: Touches

    /// Draws strokes of one to `most` fingers, each begun and ended within `length`.
    ///
    /// - Parameter latest: The part of `length` by which the last finger lands.
    func strokes(most: Int = 2, length: Duration, latest: Double = 0.2) -> String {
        let seconds = length.seconds
        var lines: [String] = []
        for finger in 1...Int.random(in: 1...most, using: &chance) {
            let begins = Double.random(in: 0...(seconds * latest), using: &chance)
            let ends = Double.random(in: (seconds * 0.7)...seconds, using: &chance)
            func position() -> String {
                let x = Double.random(in: 0.1...0.9, using: &chance) * screen.width
                let y = Double.random(in: 0.1...0.9, using: &chance) * screen.height
                return "(\(fixedText(x, digits: 1)),\(fixedText(y, digits: 1)))"
            }
            lines.append(
                "stroke f\(finger) \(position()) \(position()) @\(fixedText(begins, digits: 3)) "
                    + "\(fixedText(ends, digits: 3)) step 1/120")
        }
        return lines.joined(separator: "\n")
    }

    /// Plays, runs `meanwhile`, and waits for the play's end.
    ///
    /// - Parameter meanwhile: Receives the moment of the order.
    /// - Returns: Nil for a group that is not ready, or without a report in time: its player was killed.
    @discardableResult
    func play(
        _ source: PlayOrder.Source, pace: PlayOrder.Pace = .times(1000),
        within limit: Duration = ChaosTarget.recoveryLimit,
        meanwhile: (Instant) throws -> Void = { _ in }, ledgers: ((Ledger) -> Void)? = nil
    ) throws -> PlayReport? {
        let deadline = monotonicNow().advanced(by: limit)
        // The group may still wait for an earlier play without a client. Then the order is sent again.
        while true {
            try player.order(PlayOrder(id: 0, source: source, pace: pace, wantsLedgers: ledgers != nil))
            let begun = player.begun
            switch try awaitAnswer(by: begun.advanced(by: Self.busyAnswer), ledgers) {
            case .report(let report) where report.sent == 0 && report.failure.hasPrefix("busy"):
                guard monotonicNow() < max(deadline, begun.advanced(by: .seconds(3))) else { return report }
                usleep(5000)
                continue
            case .report(let report):
                try meanwhile(begun)
                return report
            case .notReady: return nil
            case .none: break
            }
            try meanwhile(begun)
            if case .report(let report) = try awaitAnswer(by: monotonicNow().advanced(by: limit), ledgers) {
                return report
            }
            return nil
        }
    }

    /// A busy group refuses a play within this time.
    private static let busyAnswer = Duration.milliseconds(3)

    private enum Answer {
        case report(PlayReport)
        /// No process is there to play it.
        case notReady
        /// No answer in time.
        case none
    }

    private func awaitAnswer(by deadline: Instant, _ ledgers: ((Ledger) -> Void)?) throws -> Answer {
        while true {
            switch try player.next(within: monotonicNow().duration(to: deadline)) {
            case .ended(let report): return .report(report)
            case .measured(let some): for ledger in some { ledgers?(ledger) }
            case .refused(let reason) where reason.hasPrefix("input-kit"): return .notReady
            case .refused(let reason): throw Failure.group("refused: \(reason)")
            case .other: continue
            case .none: return .none
            }
        }
    }

    /// Taps once; tries again until the tap arrives.
    ///
    /// - Returns: The moment when it had been handled; nil when it never was.
    func tap(within limit: Duration = .seconds(10)) throws -> Instant? {
        let deadline = monotonicNow().advanced(by: limit)
        let (x, y) = (screen.width / 2, screen.height / 2)
        while monotonicNow() < deadline {
            let report = try play(
                .script("down f1 (\(x),\(y)) @0\nup f1 @0.02"),
                within: max(.milliseconds(1), monotonicNow().duration(to: deadline)))
            if let report, report.failure.isEmpty, report.sent > 0, report.delivered == report.sent {
                return monotonicNow()
            }
            usleep(5000)
        }
        return nil
    }

    func sleep(until moment: Instant) {
        let left = monotonicNow().duration(to: moment).nanoseconds
        if left > 0 { usleep(UInt32(clamping: left / 1000)) }
    }
}
