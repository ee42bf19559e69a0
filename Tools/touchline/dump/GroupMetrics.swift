// GroupMetrics.swift: the report of a group as OpenMetrics.
//
// Input     GroupReport
// Output    `touchline dump --format openmetrics`, `touchline metrics`; single values for `touchline top`
// Knows     which key of which report is which metric. Docs/Reference/ReportKeys.md has the meanings of the keys.
//
// A report has no times of hops: the histogram of latencies is in the export of a run (`touchline export`).

import Basics
import Exports
import Wire

/// The metrics of a group.
struct GroupMetrics {
    private let group: GroupReport

    init(_ group: GroupReport) { self.group = group }

    /// A metric that each process of a kind reports under one key.
    private struct Row {
        var name: String
        var kind: OpenMetrics.Kind
        var help: String
        /// The keys by kind of process; a key of no process is left out.
        var keys: [(role: Role, key: String)]
        /// A label that the key stands for.
        var label: (name: String, value: String)?

        enum Role { case inputKit, server, app }
    }

    private static let rows: [Row] =
        [
            Row(
                name: "touchline_scans", kind: .counter, help: "The scans that input-kit sent.",
                keys: [(.inputKit, "frames.sent")]),
            Row(
                name: "touchline_receipts", kind: .counter, help: "The receipts of scans that arrived at input-kit.",
                keys: [(.inputKit, "receipts")]),
            Row(
                name: "touchline_scans_received", kind: .counter, help: "The scans that arrived at system-server.",
                keys: [(.server, "scans")]),
            Row(
                name: "touchline_scans_answered", kind: .counter, help: "The scans that system-server answered.",
                keys: [(.server, "answered")]),
            Row(
                name: "touchline_scans_in_flight", kind: .gauge,
                help: "The scans that system-server has received and not answered.", keys: [(.server, "inFlight")]),
            Row(
                name: "touchline_credit", kind: .gauge,
                help: "The scans that input-kit may send, or the frames that an app may receive, before an answer.",
                keys: [(.inputKit, "credit"), (.app, "credit")]),
            Row(
                name: "touchline_scans_dropped", kind: .counter,
                help: "The scans that system-server dropped because too many were in flight.",
                keys: [(.server, "dropped.overLimit")]),
            Row(
                name: "touchline_contacts_down", kind: .gauge, help: "The contacts that are down.",
                keys: [(.inputKit, "contacts.live"), (.server, "contacts.down"), (.app, "contacts.down")]),
            Row(
                name: "touchline_contacts_dropped", kind: .counter, help: "The contacts that no app received.",
                keys: [(.server, "dropped.contacts")]),
        ]
        + ["began", "moved", "ended", "cancelled"].map { phase in
            Row(
                name: "touchline_touches", kind: .counter, help: "Changes of touches in apps, by phase.",
                keys: [(.app, phase)], label: ("phase", phase))
        } + [
            Row(
                name: "touchline_touches_down", kind: .gauge, help: "The touches that a process tracks.",
                keys: [(.server, "touches.live"), (.app, "touches.live")]),
            Row(
                name: "touchline_events", kind: .counter, help: "The events that an app's UIKit processed.",
                keys: [(.app, "events")]),
            Row(
                name: "touchline_inbox_depth", kind: .gauge, help: "The frames that the main loop has not read yet.",
                keys: [(.app, "inbox.depth")]),
            Row(
                name: "touchline_queue_depth", kind: .gauge, help: "The events that UIKit has not processed yet.",
                keys: [(.app, "queue.depth")]),
            Row(
                name: "touchline_frames_dropped", kind: .counter, help: "The frames or contacts that an app discarded.",
                keys: [(.app, "dropped")]),
            Row(
                name: "touchline_frames_missing", kind: .counter,
                help: "The frames that the numbers of later frames show to be lost.",
                keys: [(.inputKit, "frames.missing"), (.server, "frames.missing"), (.app, "frames.missing")]),
            Row(
                name: "touchline_frames_fenced", kind: .counter,
                help: "The frames of an older epoch or generation, which were refused.",
                keys: [(.inputKit, "frames.fenced"), (.server, "frames.fenced"), (.app, "frames.fenced")]),
            Row(
                name: "touchline_messages_refused", kind: .counter, help: "The messages that a process refused.",
                keys: [(.inputKit, "refused"), (.server, "frames.refused"), (.app, "refused")]),
            Row(
                name: "touchline_inputs_recorded", kind: .counter, help: "The inputs in the journal of a process.",
                keys: [(.inputKit, "journal.steps"), (.server, "journal.steps"), (.app, "journal.steps")]),
        ]

    /// Metrics of an app that the server reports.
    private static let serverRows: [(name: String, kind: OpenMetrics.Kind, help: String, key: String)] = [
        ("touchline_app_unanswered", .gauge, "The frames that an app has not answered.", "unanswered"),
        ("touchline_app_waiting", .gauge, "The messages that wait for an app's credit or display frame.", "queue"),
        ("touchline_app_stalls", .counter, "How often an app did not answer in time.", "stalls"),
        ("touchline_app_coalesced", .counter, "The moves for an app that were merged with later ones.", "coalesced"),
    ]

    /// The OpenMetrics text.
    var text: String {
        var metrics = OpenMetrics()
        metrics.add(
            "touchline_ready", .gauge, "Whether every process is ready and answers.", [.init(group.isReady ? 1 : 0)])
        metrics.add("touchline_epoch", .gauge, "The epoch of the group.", [.init(group.epoch)])
        metrics.add(
            "touchline_uptime_seconds", .gauge, unit: "seconds", "The time since the supervisor's start.",
            [.init(group.age.seconds)])
        metrics.add(
            "touchline_process_state", .gauge, "1, with the state of a process as labels.",
            group.processes.map { process in
                .init(
                    1,
                    [
                        ("process", process.name), ("state", process.state), ("generation", "\(process.generation)"),
                    ])
            })
        metrics.add(
            "touchline_process_responding", .gauge, "Whether a process answered in time.",
            group.processes.map { .init($0.isResponding ? 1 : 0, [("process", $0.name)]) })
        metrics.add(
            "touchline_process_restarts", .counter, "The starts of a process after a death.",
            group.processes.map { .init($0.restarts, [("process", $0.name)]) })
        var names: [String] = []
        for row in Self.rows where !names.contains(row.name) { names.append(row.name) }
        for name in names {
            let rows = Self.rows.filter { $0.name == name }
            metrics.add(name, rows[0].kind, rows[0].help, rows.flatMap(samples))
        }
        let server = group.process(.systemServer)
        for row in Self.serverRows {
            let apps = group.processes.filter { Peer($0.name)?.role == .app }
            metrics.add(
                row.name, row.kind, row.help,
                apps.compactMap { app in
                    guard case .number(let value)? = server?["\(app.name).\(row.key)"] else { return nil }
                    return .init(value, [("process", app.name)])
                })
        }
        return metrics.text
    }

    private func samples(of row: Row) -> [OpenMetrics.Sample] {
        group.processes.compactMap { process in
            Self.value(of: row, in: process).map {
                .init($0, [("process", process.name)] + (row.label.map { [$0] } ?? []))
            }
        }
    }

    private static func value(of row: Row, in process: GroupReport.Process) -> Int64? {
        let role: Row.Role
        switch Peer(process.name) {
        case .inputKit?: role = .inputKit
        case .systemServer?: role = .server
        default: role = .app
        }
        guard let key = row.keys.first(where: { $0.role == role })?.key, case .number(let value)? = process[key]
        else { return nil }
        return value
    }

    /// The value of one metric without a label other than the process; nil if no report has it.
    ///
    /// - Parameter name: The name of a metric with whole numbers, such as `touchline_events`.
    func value(of name: String, in process: String) -> Int64? {
        if let row = Self.serverRows.first(where: { $0.name == name }) {
            guard case .number(let value)? = group.process(.systemServer)?["\(process).\(row.key)"] else { return nil }
            return value
        }
        guard let row = Self.rows.first(where: { $0.name == name }),
            let process = group.processes.first(where: { $0.name == process })
        else { return nil }
        return Self.value(of: row, in: process)
    }
}
