// GroupSession.swift: a connection to a group that a command started for itself, with the traces of that group.
//
// Input     demo, bench, conform --mode processes: plays, acts
// Output    reports, ledgers, and the trace of all processes
// Knows     orders over the control socket. OwnGroup starts and ends the group.

import Basics
import Foundation
import Recordings
import Simulator
import Trace
import Wire
import ZeroMQHost

/// A connection to a group of its own.
final class GroupSession {
    private let group: OwnGroup
    private var player: GroupPlayer?
    private var requests: UInt32 = 0
    /// URLs that the group has not answered.
    private var openings: [UInt32] = []

    /// Starts a group and waits until every process is ready.
    ///
    /// - Parameters:
    ///   - scene: A scene or scenario file; nil for the default of `up`.
    ///   - settings: `key=value`, as for `--set`.
    ///   - traces: Whether every process writes its facts.
    init(scene: String? = nil, apps: Int = 1, settings: [String] = [], traces: Bool = false) throws {
        group = try OwnGroup(
            settings: settings, apps: apps,
            arguments: (scene.map { ["--scene", $0] } ?? []) + (traces ? ["--trace"] : []))
        player = GroupPlayer(client: try .connect(to: group.runDirectory))
    }

    /// Plays one order to its end.
    ///
    /// - Parameter patience: The limit until the next message. A longer play must not be ordered.
    /// - Returns: The report, and the ledgers of its frames if the order asked for them.
    func play(_ order: PlayOrder, waitLimit: Duration) throws -> (report: PlayReport, ledgers: [Ledger]) {
        guard player != nil else { throw Failure.group("the group has been stopped") }
        try player!.order(order)
        var ledgers: [Ledger] = []
        guard let report = try player!.report(within: waitLimit, measured: { ledgers += $0 }) else {
            throw Failure.group("no report of the play within \(waitLimit.seconds) s")
        }
        return (report, ledgers)
    }

    private var client: ControlClient? { player?.client }

    /// The reports of its processes.
    func report() throws -> GroupReport {
        guard let client else { throw Failure.group("the group has been stopped") }
        return try GroupReport(from: client)
    }

    /// An act beside a play, from a script line.
    enum Act {
        case system(SystemAct)
        /// Kills an app with SIGKILL.
        case crash(UInt32)
        case open(URLText)
    }

    /// An act with its time.
    struct TimedAct {
        /// The time since the play's begin.
        var at: Duration
        var act: Act
    }

    /// Plays, if there is an order, and does the acts at their times. Returns after the report, the last act and the
    /// last answer to a URL.
    ///
    /// - Parameter acts: By time.
    func perform(_ order: PlayOrder?, acts: [TimedAct], waitLimit: Duration) throws -> PlayReport? {
        guard player != nil else { throw Failure.group("the group has been stopped") }
        let clock = ContinuousClock()
        let begin = clock.now
        // An act at zero comes before the first finger.
        var waiting = acts[...]
        while let first = waiting.first, first.at == .zero { try carryOut(waiting.removeFirst().act, first.at) }
        // The play begins when input-kit has the order, and acts count from then: slightly late, never early.
        let lead = order == nil ? Duration.zero : .milliseconds(10)
        if let order { try player!.order(order) }
        var report: PlayReport?
        while player!.isPlaying || !waiting.isEmpty || !openings.isEmpty {
            if let first = waiting.first, clock.now - begin >= first.at + lead {
                try carryOut(waiting.removeFirst().act, first.at)
                continue
            }
            let limit = waiting.first.map { $0.at + lead - (clock.now - begin) } ?? (waitLimit - (clock.now - begin))
            switch try player!.next(within: limit) {
            case .ended(let some): report = some
            case .other(.opened(let answer)): openings.removeAll { $0 == answer.id }
            case .refused(let reason): throw Failure.group("refused: \(reason)")
            case .none where clock.now - begin > waitLimit:
                throw Failure.group("no report of the play within \(waitLimit.seconds) s")
            case .none, .measured, .other: continue
            }
        }
        return report
    }

    private func carryOut(_ act: Act, _ time: Duration) throws {
        switch act {
        case .system(let act): try client?.ask(.act(act))
        case .crash(let app):
            guard let pid = try client.flatMap({ try GroupReport(from: $0).process(.app(AppID(app)))?.pid }), pid > 1
            else {
                throw Failure.group("app\(app) is not there to be killed")
            }
            kill(pid_t(pid), SIGKILL)
        case .open(let url):
            requests += 1
            openings.append(requests)
            try client?.ask(.open(OpenRequest(id: requests, url: url)))
        }
    }

    /// Waits until every process reports that it is quiet: nothing queued, nothing in flight, no timer to come. Also
    /// waits until each app has received the server's last frame, which may be in transit.
    ///
    /// - Parameter fingersMayStay: Whether a finger that is still down counts as quiet.
    func waitUntilQuiet(limit: Duration, fingersMayStay: Bool = false) throws {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        func isQuiet(_ process: GroupReport.Process) -> Bool {
            if process["quiet"] != .flag(false) { return true }
            return fingersMayStay && process.name == "\(Peer.systemServer)" && process["inFlight"] == .number(0)
        }
        func isSettled(_ group: GroupReport) -> Bool {
            let server = group.process(.systemServer)
            return group.processes.allSatisfy { process in
                guard isQuiet(process) else { return false }
                guard Peer(process.name)?.role == .app, let sent = server?["\(process.name).sent"] else { return true }
                return process["frames.received"] == sent
            }
        }
        while let client, try !isSettled(GroupReport(from: client)) {
            guard clock.now < deadline else { throw Failure.group("not quiet after \(limit.seconds) s") }
            usleep(5000)
        }
    }

    /// Stops the group and reads its traces.
    ///
    /// - Returns: The facts of all processes as one trace, by time.
    func stop() throws -> [TraceLine] {
        player = nil
        group.stop()
        let folder = URL(filePath: group.runDirectory).appending(path: "trace")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        // Facts of one moment are in the order in which an event passes the processes.
        let traces = names.compactMap { name in Peer(name.replacing(".trace", with: "")).map { ($0, name) } }
            .sorted { $0.0 < $1.0 }
            .map { _, name in
                let text = (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
                return TraceLine.lines(ofFile: text)
            }
        return merged(traces)
    }
}

extension GroupSession.Act {
    /// Nil for a finger's line, and for an act that only a program does to itself.
    init?(_ act: FingerScript.Act) {
        switch act {
        case .interrupt: self = .system(.interrupt)
        case .resume: self = .system(.resume)
        case .home: self = .system(.home)
        case .foreground(let app): self = .system(.foreground(app: AppID(app)))
        case .lock: self = .system(.lock)
        case .unlock: self = .system(.unlock)
        case .crash(let app): self = .crash(app)
        case .screen(let act): self = .system(SystemAct(act))
        case .open(let text):
            guard let url = try? URLText(text) else { return nil }
            self = .open(url)
        // Every app of a script runs from the start.
        case .launch, .down, .move, .up, .cancel, .scan, .set, .remove, .disable, .device: return nil
        }
    }
}
