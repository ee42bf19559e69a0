// TopTable.swift: the figures of `touchline top`, computed from two samples of a group.
//
//     sample, sample before ─▶ rates of an interval ─▶ row for each process ─▶ TopLayout, JSON
//     table before ─────────▶ latencies of earlier intervals ─┘
//
// Input     TopCommand: samples, in the order of their times
// Output    TopLayout: text; TopCommand: JSON
// Knows     counters begin at 0 with each start of their process. No terminal, no clock.

import Basics
import Wire

/// The figures of a group over one interval.
struct TopTable {
    /// The times from the server's frame to the app's receipt, of the events that an app handled in an interval.
    struct Latency: Equatable {
        /// The events that it is computed from: at most the last 100 of the app.
        var count: Int
        var p50: Duration
        var p99: Duration

        /// Nil without an event.
        init?(_ durations: [Duration]) {
            guard !durations.isEmpty else { return nil }
            let sorted = durations.sorted()
            func rank(_ share: Double) -> Duration {
                sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
            }
            (count, p50, p99) = (sorted.count, rank(0.5), rank(0.99))
        }
    }

    /// How a state is shown.
    enum Condition { case good, passing, bad }

    /// The figures of one process. A figure that the process does not have is nil.
    struct Row {
        var name: String
        /// `active`, `background`, `not responding`, `quarantined`, …
        var state: String
        var condition: Condition
        /// Scans (input-kit, system-server) or events (apps) per second.
        var rate: Double?
        /// Scans of devices that wait to be sent, or messages for an app that wait in the server.
        var waiting: Int64?
        /// Frames that the main loop has not read.
        var inbox: Int64?
        /// Events that UIKit has not processed.
        var queue: Int64?
        /// Scans or frames that are sent and not answered.
        var inFlight: Int64?
        var credit: Int64?
        var latency: Latency?
        /// The p99 of each interval, oldest first; nil for an interval without an event. This interval is the last.
        var latencies: [Duration?] = []
        /// Scans or moves that were merged with a later one, since the start of the process that counts them.
        var merged: Int64?
        /// Scans or events that were dropped, since then.
        var dropped: Int64?
        /// Whether one of the two grew in this interval.
        var isLosing = false
        var restarts: Int64?
        /// `signal 9 ×3`; empty without a death.
        var deaths = ""
        /// The share of one CPU, 0…1 for each thread that runs.
        var cpu: Double?
        var residentKiB: Int?
    }

    /// The number of intervals in `Row.latencies`.
    static let historyLength = 60

    var isReady: Bool
    var age: Duration
    var epoch: Int64
    var pid: Int32
    /// The length of the interval; nil for the first sample.
    var interval: Duration?
    /// In the order of the group.
    var rows: [Row]

    /// - Parameters:
    ///   - previous: The sample at the begin of the interval; nil for the first sample, which has no rates.
    ///   - table: The table of `previous`; its latencies are continued.
    init(_ sample: TopSample, since previous: TopSample?, continuing table: TopTable?) {
        let group = sample.group
        (isReady, age, epoch, pid) = (group.isReady, group.age, group.epoch, group.pid)
        interval = previous.map { $0.time.duration(to: sample.time) }.flatMap { $0 > .zero ? $0 : nil }
        let change = TopChange(from: previous, to: sample, seconds: interval?.seconds)
        rows = group.processes.map { process in
            var row = change.row(of: process.name, role: Peer(process.name)?.role)
            (row.state, row.condition) = Self.state(of: process, in: group)
            (row.restarts, row.deaths) = (process.restarts, process.deaths)
            return row
        }
        rows += group.joined.map { app in
            var row = change.row(of: app.name, role: .app)
            (row.state, row.condition) = app.isResponding ? ("joined", .good) : ("not responding", .bad)
            return row
        }
        for index in rows.indices where Peer(rows[index].name)?.role == .app {
            let before = table?.rows.first { $0.name == rows[index].name }?.latencies ?? []
            rows[index].latencies = (before + [rows[index].latency?.p99]).suffix(Self.historyLength)
        }
    }

    private static func state(of process: GroupReport.Process, in group: GroupReport) -> (String, Condition) {
        switch process.state {
        case "ready": break
        case "quarantined": return (process.state, .bad)
        default: return (process.state, .passing)
        }
        let isAnswering = group.process(.systemServer)?["\(process.name).responding"] != .flag(false)
        guard process.isResponding, isAnswering else { return ("not responding", .bad) }
        let state = process.text("applicationState")
        return (state.isEmpty ? process.state : state, .good)
    }
}

/// The change of a group's counters between two samples.
private struct TopChange {
    private let (sample, previous): (TopSample, TopSample?)
    private let (metrics, previousMetrics): (GroupMetrics, GroupMetrics?)
    private let seconds: Double?

    init(from previous: TopSample?, to sample: TopSample, seconds: Double?) {
        (self.sample, self.previous, self.seconds) = (sample, previous, seconds)
        (metrics, previousMetrics) = (GroupMetrics(sample.group), previous.map { GroupMetrics($0.group) })
    }

    func row(of name: String, role: Role?) -> TopTable.Row {
        var row = TopTable.Row(name: name, state: "", condition: .good)
        func now(_ metric: String) -> Int64? { metrics.value(of: metric, in: name) }
        switch role {
        case .inputKit:
            row.rate = rate(of: "touchline_scans", in: name)
            row.waiting = sum(ofDevices: "waiting", in: sample)
            let process = sample.group.process(.inputKit)
            if let process, !process.rows.isEmpty {
                row.inFlight = Int64(process.number("unanswered") + process.number("play.unanswered"))
                row.dropped = Int64(process.number("frames.lost"))
            }
            row.merged = sum(ofDevices: "coalesced", in: sample)
            let lostBefore = previous?.group.process(.inputKit)?.number("frames.lost") ?? 0
            row.isLosing =
                hasGrown(row.merged, from: previous.flatMap { sum(ofDevices: "coalesced", in: $0) })
                || hasGrown(row.dropped, from: Int64(lostBefore))
            row.credit = now("touchline_credit")
        case .systemServer:
            row.rate = rate(of: "touchline_scans_received", in: name)
            row.inFlight = now("touchline_scans_in_flight")
            row.dropped = sample.server.dropped(of: "scans")
            row.isLosing = hasGrown(row.dropped, from: previous?.server.dropped(of: "scans"))
        case .app:
            row.rate = rate(of: "touchline_events", in: name)
            (row.waiting, row.inbox) = (now("touchline_app_waiting"), now("touchline_inbox_depth"))
            (row.queue, row.inFlight) = (now("touchline_queue_depth"), now("touchline_app_unanswered"))
            row.credit = now("touchline_credit")
            row.merged = now("touchline_app_coalesced")
            row.dropped = sample.server.dropped(of: name)
            row.isLosing =
                hasGrown(row.merged, from: previousMetrics?.value(of: "touchline_app_coalesced", in: name))
                || hasGrown(row.dropped, from: previous?.server.dropped(of: name))
            row.latency = previous.flatMap { latency(of: name, since: $0.time) }
        case .supervisor, .controller, nil: break
        }
        row.residentKiB = sample.machineUse[name]?.residentKiB
        row.cpu = cpu(of: name)
        return row
    }

    /// The rate of a counter. After a restart of its process it counts from 0, so the rate is that of the new process.
    private func rate(of metric: String, in name: String) -> Double? {
        guard let seconds, let now = metrics.value(of: metric, in: name) else { return nil }
        let before = isSameProcess(name) ? previousMetrics?.value(of: metric, in: name) ?? 0 : 0
        return Double(now >= before ? now - before : now) / seconds
    }

    /// Whether both samples are of one start of the process.
    private func isSameProcess(_ name: String) -> Bool {
        func process(_ group: GroupReport?) -> GroupReport.Process? { group?.processes.first { $0.name == name } }
        let (now, before) = (process(sample.group), process(previous?.group))
        return now?.generation == before?.generation && now?.pid == before?.pid
    }

    private func hasGrown(_ value: Int64?, from before: Int64?) -> Bool {
        guard previous != nil, let value else { return false }
        return value > before ?? 0
    }

    private func latency(of name: String, since begin: Instant) -> TopTable.Latency? {
        let events = sample.server.handledEvents(of: name).filter { $0.at > begin && $0.at <= sample.time }
        return TopTable.Latency(events.map(\.after))
    }

    /// The share of one CPU in the interval; nil for a process that was started in it.
    private func cpu(of name: String) -> Double? {
        guard let seconds, isSameProcess(name), let now = sample.machineUse[name]?.cpu,
            let before = previous?.machineUse[name]?.cpu, now >= before
        else { return nil }
        return Double(now - before) / 1e9 / seconds
    }

    /// The sum of one row of all live devices; nil when input-kit has not answered.
    private func sum(ofDevices row: String, in sample: TopSample) -> Int64? {
        guard let process = sample.group.process(.inputKit), !process.rows.isEmpty else { return nil }
        return process.rows.reduce(0) { sum, report in
            guard report.key.hasPrefix("device."), report.key.hasSuffix(".\(row)"),
                case .number(let count) = report.value
            else { return sum }
            return sum + count
        }
    }
}

extension TopTable {
    /// One object for scripts. A figure that a process does not have is absent.
    var json: [String: Any] {
        var object: [String: Any] = [
            "ready": isReady, "upSeconds": (age.seconds * 1000).rounded() / 1000, "epoch": Int(epoch), "pid": Int(pid),
            "processes": rows.map(\.json),
        ]
        if let interval { object["intervalSeconds"] = (interval.seconds * 1000).rounded() / 1000 }
        return object
    }
}

extension TopTable.Row {
    fileprivate var json: [String: Any] {
        var object: [String: Any] = ["name": name, "state": state, "deaths": deaths, "losing": isLosing]
        func set(_ key: String, _ value: Int64?) { if let value { object[key] = Int(value) } }
        func set(_ key: String, _ value: Double?) {
            if let value { object[key] = (value * 1000).rounded() / 1000 }
        }
        set("perSecond", rate)
        set("waiting", waiting)
        set("inbox", inbox)
        set("queue", queue)
        set("inFlight", inFlight)
        set("credit", credit)
        set("merged", merged)
        set("dropped", dropped)
        set("restarts", restarts)
        set("cpu", cpu)
        set("residentKiB", residentKiB.map { Int64($0) })
        if let latency {
            object["latency"] = [
                "count": latency.count, "p50Milliseconds": latency.p50.seconds * 1000,
                "p99Milliseconds": latency.p99.seconds * 1000,
            ]
        }
        return object
    }
}
