// GroupReport.swift: what a group says of itself: the supervisor's report, and one of each process.

import Basics
import Wire
import ZeroMQHost

struct GroupReport {
    struct Process {
        var name: String
        var state: String
        var pid: Int64
        var generation: Int64
        var epoch: Int64
        /// In this state.
        var age: Duration
        var restarts: Int64
        var lastExit: String
        /// How often it died in which way: `signal 9 ×3, exit 1 ×1`; empty while it has not.
        var deaths: String
        /// Why it is not started again; empty while it is, or lives.
        var reason: String
        /// Whether it answered in time; a process that does not exist does not.
        var isResponding: Bool
        /// Its own rows, in its own order.
        var rows: [Report.Row]

        /// Down because somebody asked for it.
        var isTerminated: Bool { state == "terminated" }
    }

    /// An app of another machine. It is no child of this supervisor, which does not restart it.
    struct JoinedApp {
        var name: String
        var generation: Int64
        /// Whether it answers what it is sent.
        var isResponding: Bool
        /// Touches that are down in it.
        var touches: Int64
        /// By how much its clock is before the server's, and how sure that is; empty until it is known.
        var clockOffset: String
        var clockError: String
    }

    var pid: Int32
    var epoch: Int64
    var age: Duration
    /// Frames the supervisor has turned away: from strangers, malformed, not theirs to send.
    var refused: Int64
    /// Whose, and why, the last time; empty before there is one.
    var lastRefusal: String
    /// It was started with --allow-chaos.
    var allowsChaos: Bool
    /// Every process is ready and answers.
    var isReady: Bool
    var processes: [Process]
    /// Apps of other machines, as the server has them.
    var joined: [JoinedApp]

    /// Asks, and waits for all of the answer.
    ///
    /// The supervisor gives its children 300 ms, so 2 s without a word mean that it is stuck itself.
    init(from client: ControlClient) throws {
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
            // News of something that was asked for before, and not waited for.
            case .played, .measured, .chaos: continue
            // Ours is the only question on this conversation.
            case let other?: throw Failure(code: 3, line: "the supervisor answered with \(other.kind)")
            }
        }
        let own = reports[0]
        let now = monotonicNow()
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
    /// A row of its own report; nil where it has none.
    subscript(key: String) -> Report.Value? { rows.first { $0.key == key }?.value }

    /// A row of its own report; 0 where it has none.
    func number(_ key: String) -> Int {
        if case .number(let number)? = self[key] { Int(number) } else { 0 }
    }

    /// A row of its own report; empty where it has none.
    func text(_ key: String) -> String {
        if case .text(let text)? = self[key] { text } else { "" }
    }
}

extension GroupReport.Process {
    /// Of the server's rows: `app9.joined`, and what else it says of that app.
    fileprivate var joined: [GroupReport.JoinedApp] {
        let report = Report(peer: .systemServer, rows: rows)
        return rows.compactMap { row in
            guard row.key.hasSuffix(".joined"), case .number(let generation) = row.value else { return nil }
            let name = String(row.key.dropLast(".joined".count))
            return GroupReport.JoinedApp(
                name: name, generation: generation, isResponding: report["\(name).responding"] != .flag(false),
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
    /// `group   ready, epoch 1, up 12.3 s, pid 4710, /tmp/touchline-1000` and a line a process.
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
        let elsewhere = joined.map { app in
            [
                app.name, app.isResponding ? "joined" : "joined, not responding", "\(app.generation)",
                "\(app.touches)", app.clockOffset.isEmpty ? "-" : "\(app.clockOffset) \(app.clockError)",
            ]
        }
        let devices = processes.flatMap(\.devices)
        return [head] + aligned(rows)
            + (elsewhere.isEmpty ? [] : [""] + aligned([Self.joinedHead] + elsewhere))
            + (devices.isEmpty ? [] : [""] + aligned([Self.deviceHead] + devices))
    }

    private static let joinedHead = ["app elsewhere", "state", "generation", "touches", "its clock before ours"]

    private static let deviceHead = [
        "device", "name", "state", "generation", "fingers", "frames", "coalesced", "stuck",
    ]

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
                if withRows {
                    var report: [String: Any] = [:]
                    for row in process.rows { report[row.key] = row.value.json }
                    fields["report"] = report
                }
                return fields
            },
            "joined": joined.map { app in
                [
                    "name": app.name, "generation": Int(app.generation), "responding": app.isResponding,
                    "touches": Int(app.touches), "clockOffset": app.clockOffset, "clockError": app.clockError,
                ] as [String: Any]
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
    /// A line for each live device it reads, or would: the rows `device.event3.path`, `.name`, `.state` and so on.
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
