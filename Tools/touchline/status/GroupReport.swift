// GroupReport.swift: the report of a group: the supervisor's, and one of each process.

import Basics
import Wire
import ZeroMQHost

/// The report of a group.
struct GroupReport {
    /// The state of one child, with its own report.
    struct Process {
        var name: String
        var state: String
        var pid: Int64
        var generation: Int64
        var epoch: Int64
        /// The time in this state.
        var age: Duration
        var restarts: Int64
        var lastExit: String
        /// The number of its deaths by kind: `signal 9 ×3, exit 1 ×1`. Empty without any.
        var deaths: String
        /// The reason why it is not started again; empty while it runs or will be started.
        var reason: String
        /// Whether it answered in time. False for a process that does not exist.
        var isResponding: Bool
        /// The rows of its own report, in its own order.
        var rows: [Report.Row]

        /// Whether it is down on request.
        var isTerminated: Bool { state == "terminated" }
    }

    /// An app of another machine. It is no child of this supervisor, which does not restart it.
    struct JoinedApp {
        var name: String
        /// The address and port that its connection comes from; empty while unknown.
        var address: String
        var generation: Int64
        /// Whether it answers its frames.
        var isResponding: Bool
        /// The touches that are down in it.
        var touches: Int64
        /// How far its clock is ahead of the server's in milliseconds, and the error; empty while unknown.
        var clockOffset: String
        var clockError: String
        /// The rows of its own report, in its own order; empty if it has not answered.
        var rows: [Report.Row] = []

        /// Whether the app is in front of its user, and what it shows; empty if it has not answered.
        var applicationState: String { text("applicationState") }
        var shows: String { text("shows") }

        /// `joined, active`; `joined, not responding`.
        var state: String {
            if !isResponding { return "joined, not responding" }
            return applicationState.isEmpty ? "joined" : "joined, \(applicationState)"
        }

        private func text(_ key: String) -> String {
            Report(peer: .systemServer, rows: rows).text(key)
        }
    }

    var pid: Int32
    var epoch: Int64
    var age: Duration
    /// Frames that the supervisor refused: from strangers, malformed, or forbidden to their sender.
    var refused: Int64
    /// The sender and the reason of the last refusal; empty without any.
    var lastRefusal: String
    /// Whether it was started with --allow-chaos.
    var allowsChaos: Bool
    /// Whether every process is ready and answers.
    var isReady: Bool
    var processes: [Process]
    /// Apps of other machines in the server's report.
    var joined: [JoinedApp]

    /// Requests the reports and waits for all of them.
    ///
    /// The supervisor gives its children 300 ms. So 2 s without an answer mean that the supervisor hangs.
    ///
    /// - Parameter withJoined: Whether to request the reports of apps of other machines too. An answer that is late
    ///   arrives among the answers to the next request.
    init(from client: ControlClient, withJoined: Bool = false) throws {
        try client.ask(.reportRequest)
        var reports: [Report] = []
        var expected = 1
        while reports.count < expected {
            switch try client.next(timeout: .seconds(2)) {
            case .report(let report):
                reports.append(report)
                if reports.count == 1 { expected = 1 + Int(report.number("reports")) }
            case .refused(let reason): throw Failure(code: 3, line: "refused: \(reason)")
            case nil: throw Failure(code: 3, line: "the supervisor has not answered for 2 s")
            // Answers to earlier requests that were not awaited.
            case .played, .measured, .chaos: continue
            // There is no other question on this connection.
            case let other?: throw Failure(code: 3, line: "the supervisor answered with \(other.kind)")
            }
        }
        self.init(reports, at: monotonicNow())
        if withJoined { try readJoinedReports(from: client) }
    }

    /// The time in which an app of another machine must answer: as long as the supervisor gives its children.
    private static let joinedAnswerTime = Duration.milliseconds(300)

    /// Requests the reports of the apps of other machines, which the server relays.
    private mutating func readJoinedReports(from client: ControlClient) throws {
        var awaited = joined.filter(\.isResponding).compactMap { Peer($0.name) }
        var lines = awaited.map { (peer: $0, lines: [String]()) }
        for peer in awaited { try client.ask(.observe(Observation(id: 0, kind: .report, of: peer))) }
        let deadline = monotonicNow().advanced(by: Self.joinedAnswerTime)
        while !awaited.isEmpty {
            let left = monotonicNow().duration(to: deadline)
            guard left > .zero, let message = try client.next(timeout: left) else { break }
            guard case .facts(let page) = message, awaited.contains(page.peer), page.facts.isEmpty,
                let index = lines.firstIndex(where: { $0.peer == page.peer })
            else { continue }
            lines[index].lines += page.words
            guard page.hasMore, !page.words.isEmpty else {
                awaited.removeAll { $0 == page.peer }
                continue
            }
            let next = Observation(id: 0, kind: .report, of: page.peer, from: UInt64(lines[index].lines.count))
            try client.ask(.observe(next))
        }
        for (peer, lines) in lines where !awaited.contains(peer) {
            guard let index = joined.firstIndex(where: { $0.name == "\(peer)" }) else { continue }
            joined[index].rows = Report(peer: peer, lines: lines).rows
        }
    }

    /// - Parameters:
    ///   - reports: The supervisor's report, then one of each child. At least one.
    ///   - now: The moment of the answer.
    init(_ reports: [Report], at now: Instant) {
        let own = reports[0]
        func age(_ key: String) -> Duration { .nanoseconds(max(0, now.nanoseconds - own.number(key))) }
        pid = Int32(truncatingIfNeeded: own.number("pid"))
        epoch = own.number("epoch")
        self.age = age("since")
        refused = own.number("refused")
        lastRefusal = own.text("refused.last")
        allowsChaos = own["chaos"] == .flag(true)
        processes = reports.dropFirst().map { report in
            let name = "\(report.peer)"
            return Process(
                name: name, state: own.text("\(name).state"), pid: own.number("\(name).pid"),
                generation: own.number("\(name).generation"), epoch: own.number("\(name).epoch"),
                age: age("\(name).since"), restarts: own.number("\(name).restarts"),
                lastExit: own.text("\(name).lastExit"), deaths: own.text("\(name).deaths"),
                reason: own.text("\(name).reason"),
                isResponding: report["responding"] != .flag(false),
                rows: report.rows.filter { $0.key != "responding" })
        }
        joined = processes.first { $0.name == "\(Peer.systemServer)" }?.joined ?? []
        isReady = own["ready"] == .flag(true) && processes.allSatisfy { $0.isResponding || $0.isTerminated }
    }
}

extension GroupReport {
    func process(_ peer: Peer) -> Process? { processes.first { $0.name == "\(peer)" } }
}

extension GroupReport.Process {
    /// A row of its own report; nil without one.
    subscript(key: String) -> Report.Value? { rows.first { $0.key == key }?.value }

    /// A row of its own report; 0 without one.
    func number(_ key: String) -> Int {
        if case .number(let number)? = self[key] { Int(number) } else { 0 }
    }

    /// A row of its own report; empty without one.
    func text(_ key: String) -> String {
        if case .text(let text)? = self[key] { text } else { "" }
    }
}

extension GroupReport.Process {
    /// The joined apps in the server's rows: `app9.joined` and the other rows of that app.
    fileprivate var joined: [GroupReport.JoinedApp] {
        let report = Report(peer: .systemServer, rows: rows)
        return rows.compactMap { row in
            guard row.key.hasSuffix(".joined"), case .number(let generation) = row.value else { return nil }
            let name = String(row.key.dropLast(".joined".count))
            return GroupReport.JoinedApp(
                name: name, address: report.text("\(name).address"), generation: generation,
                isResponding: report["\(name).responding"] != .flag(false),
                touches: report.number("\(name).touches"), clockOffset: report.text("\(name).clock.offset"),
                clockError: report.text("\(name).clock.error"))
        }
    }
}

extension Report {
    func number(_ key: String) -> Int64 {
        if case .number(let number) = self[key] { number } else { 0 }
    }
    func text(_ key: String) -> String {
        if case .text(let text) = self[key] { text } else { "" }
    }
}

extension GroupReport {
    /// The table: `group   ready, epoch 1, up 12.3 s, pid 4710, /tmp/touchline-1000`, and a line for each process.
    func table(runDirectory: String) -> [String] {
        let head =
            "group: \(isReady ? "ready" : "not ready"), up \(seconds(age)), pid \(pid), epoch \(epoch), \(runDirectory)"
        var rows = [["process", "state", "pid", "generation", "epoch", "for", "restarts", "deaths", "last exit"]]
        for process in processes {
            let isMute = process.pid > 0 && !process.isResponding
            rows.append([
                process.name, isMute ? "\(process.state), not responding" : process.state,
                process.pid > 0 ? "\(process.pid)" : "-", "\(process.generation)", "\(process.epoch)",
                seconds(process.age), "\(process.restarts)", process.deaths.isEmpty ? "-" : process.deaths,
                process.reason.isEmpty ? process.lastExit : "\(process.lastExit); \(process.reason)",
            ])
        }
        let remoteApps = joined.map { app in
            [
                app.name, app.state, app.address.isEmpty ? "-" : app.address, "\(app.generation)", "\(app.touches)",
                app.clockOffset.isEmpty ? "-" : "\(app.clockOffset) \(app.clockError)",
                app.shows.isEmpty ? "-" : app.shows,
            ]
        }
        let devices = processes.flatMap(\.devices)
        return [head] + aligned(rows)
            + (remoteApps.isEmpty ? [] : [""] + aligned([Self.joinedHead] + remoteApps))
            + (devices.isEmpty ? [] : [""] + aligned([Self.deviceHead] + devices))
    }

    private static let joinedHead = ["remote app", "state", "address", "generation", "touches", "clock ahead", "shows"]

    private static let deviceHead = [
        "device", "name", "state", "generation", "fingers", "frames", "coalesced", "stuck",
    ]

    private static func object(_ rows: [Report.Row]) -> [String: Any] {
        var object: [String: Any] = [:]
        for row in rows { object[row.key] = row.value.json }
        return object
    }

    func json(runDirectory: String, withRows: Bool) -> [String: Any] {
        [
            "runDirectory": runDirectory, "ready": isReady, "pid": Int(pid), "epoch": Int(epoch),
            "upSeconds": rounded(age), "refused": Int(refused), "lastRefusal": lastRefusal,
            "processes": processes.map { process in
                var fields: [String: Any] = [
                    "name": process.name, "state": process.state, "pid": Int(process.pid),
                    "generation": Int(process.generation), "epoch": Int(process.epoch),
                    "stateSeconds": rounded(process.age), "restarts": Int(process.restarts),
                    "responding": process.isResponding, "lastExit": process.lastExit, "reason": process.reason,
                    "deaths": process.deaths,
                ]
                if withRows { fields["report"] = Self.object(process.rows) }
                return fields
            },
            "joined": joined.map { app in
                var fields: [String: Any] = [
                    "name": app.name, "address": app.address, "state": app.state, "generation": Int(app.generation),
                    "responding": app.isResponding, "touches": Int(app.touches), "clockOffset": app.clockOffset,
                    "clockError": app.clockError, "shows": app.shows,
                ]
                if withRows { fields["report"] = Self.object(app.rows) }
                return fields
            },
        ]
    }
}

extension Report.Value {
    var json: Any {
        switch self {
        case .number(let number): Int(number)
        case .text(let text): text
        case .flag(let flag): flag
        }
    }

    var shown: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text): text
        case .flag(let flag): flag ? "yes" : "no"
        }
    }
}

private func seconds(_ duration: Duration) -> String { "\(fixedText(duration.seconds, digits: 1)) s" }
private func rounded(_ duration: Duration) -> Double { (duration.seconds * 1000).rounded() / 1000 }

extension GroupReport.Process {
    /// One line for each live device of the process, read or not: the rows `device.event3.path`, `.name`, `.state` and
    /// so on.
    fileprivate var devices: [[String]] {
        let ends = rows.filter { $0.key.hasPrefix("device.") && $0.key.hasSuffix(".path") }
        return ends.map { end in
            let prefix = end.key.dropLast("path".count)
            func cell(_ key: String) -> String { rows.first { $0.key == prefix + key }?.value.shown ?? "-" }
            return [end.value.shown]
                + ["name", "state", "generation", "fingers", "frames", "coalesced", "stuck"].map(cell)
        }
    }
}
