// MeasuredStart.swift: one group that was started, measured and stopped: the phases of its start, its memory.
//
// Input     BenchStart
// Output    one value for each metric
// Knows     the traces of a group, and /proc. OwnGroup starts and ends the group.

import Basics
import Foundation
import Glibc
import Trace
import Wire
import ZeroMQHost

/// The measures of one start of a group.
struct MeasuredStart {
    /// The processes, as metrics name them. An `app` stands for all apps.
    static let names = ["supervisor", "input-kit", "system-server", "app"]

    /// The metrics of the start in microseconds, and of the memory in bytes.
    static let startMetrics =
        ["command", "ready"]
        + names.dropFirst().flatMap { name in ["spawn", "load", "handshake", "ready"].map { "\($0)-\(name)" } }
    static let memoryMetrics = ProcessMemory.kinds.map(\.name).flatMap { kind in
        [kind] + names.map { "\(kind)-\($0)" }
    }

    /// A metric, its unit (`us` or `bytes`) and its value.
    typealias Value = (metric: String, unit: String, value: Double)

    private(set) var values: [Value] = []

    /// Starts a group, waits until it is quiet, reads its memory and stops it.
    ///
    /// - Throws: `Failure`, as `OwnGroup`.
    init(apps: Int, scene: String?, settings: [String]) throws {
        // The memory of a confined process is visible to root only.
        let openness = geteuid() == 0 ? [] : ["host.seccomp=false"]
        let begun = monotonicNow()
        let group = try OwnGroup(
            settings: openness + settings, apps: apps, arguments: ["--trace"] + (scene.map { ["--scene", $0] } ?? []))
        values.append(("command", "us", Double(begun.duration(to: monotonicNow()).nanoseconds) / 1000))
        let pids = try Self.pids(of: group)
        addMemory(pids)
        group.stop()
        // The folder lives as long as the group.
        try withExtendedLifetime(group) { try addPhases(Self.traces(in: group.runDirectory)) }
    }

    // MARK: Memory

    /// Waits until every process is quiet.
    ///
    /// - Returns: The pid of each process, by its name in metrics.
    private static func pids(of group: OwnGroup) throws -> [(name: String, pid: Int32)] {
        let client = try ControlClient.connect(to: group.runDirectory)
        let deadline = monotonicNow().advanced(by: .seconds(30))
        while true {
            let report = try GroupReport(from: client)
            if report.isReady, report.processes.allSatisfy({ $0["quiet"] != .flag(false) }) {
                return [("supervisor", report.pid)]
                    + report.processes.map { (Self.metricName(of: $0.name), Int32(truncatingIfNeeded: $0.pid)) }
            }
            guard monotonicNow() < deadline else { throw Failure.group("not quiet after 30 s") }
            usleep(5000)
        }
    }

    private static func metricName(of process: String) -> String {
        Peer(process)?.role == .app ? "app" : process
    }

    private mutating func addMemory(_ pids: [(name: String, pid: Int32)]) {
        var memories: [(name: String, memory: ProcessMemory)] = []
        for (name, pid) in pids { if let memory = ProcessMemory(pid: pid) { memories.append((name, memory)) } }
        for (kind, bytes) in ProcessMemory.kinds {
            for name in Self.names {
                let largest = memories.filter { $0.name == name }.compactMap { bytes($0.memory) }.max()
                if let largest { values.append(("\(kind)-\(name)", "bytes", Double(largest))) }
            }
            let all = memories.compactMap { bytes($0.memory) }
            if all.count == pids.count { values.append((kind, "bytes", Double(all.reduce(0, +)))) }
        }
    }

    // MARK: Phases

    /// The traces of the processes, by process.
    private static func traces(in runDirectory: String) -> [String: [TraceLine]] {
        let folder = URL(filePath: runDirectory).appending(path: "trace")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let lines = names.flatMap { name in
            TraceLine.lines(ofFile: (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? "")
        }
        return Dictionary(grouping: lines, by: \.process)
    }

    private mutating func addPhases(_ traces: [String: [TraceLine]]) throws {
        let supervisor = traces["supervisor"] ?? []
        guard let groupReady = Self.readiness(of: "group", in: supervisor) else {
            throw Failure.group("the trace of the supervisor does not contain the start of the group")
        }
        let begun = groupReady.at.advanced(by: .zero - groupReady.duration)
        values.append(("ready", "us", Self.microseconds(groupReady.duration)))
        var phases: [String: [Double]] = [:]
        for (process, lines) in traces where process != "supervisor" {
            guard let ready = Self.readiness(of: process, in: supervisor), let first = lines.first else { continue }
            let spawned = ready.at.advanced(by: .zero - ready.duration)
            let name = Self.metricName(of: process)
            phases["spawn-\(name)", default: []].append(Self.microseconds(begun.duration(to: spawned)))
            phases["load-\(name)", default: []].append(Self.microseconds(spawned.duration(to: first.at)))
            phases["handshake-\(name)", default: []].append(Self.microseconds(first.at.duration(to: ready.at)))
            phases["ready-\(name)", default: []].append(Self.microseconds(begun.duration(to: ready.at)))
        }
        for (metric, all) in phases.sorted(by: { $0.key < $1.key }) {
            values.append((metric, "us", median(all)))
        }
    }

    /// Finds the line `NAME ready, …, after 31.120 ms` of a supervisor: its time, and how long the start took.
    private static func readiness(of name: String, in lines: [TraceLine]) -> (at: Instant, duration: Duration)? {
        for line in lines where line.text.hasPrefix("\(name) ready, ") {
            let words = line.text.split(separator: " ")
            guard let after = words.lastIndex(of: "after"), after + 1 < words.count,
                let milliseconds = Double(words[after + 1])
            else { return nil }
            return (line.at, .nanoseconds(Int64((milliseconds * 1e6).rounded())))
        }
        return nil
    }

    /// The trace rounds durations to microseconds, so the first phase could be negative.
    private static func microseconds(_ duration: Duration) -> Double { max(0, Double(duration.nanoseconds) / 1000) }
}

/// The memory of one process, in bytes.
struct ProcessMemory {
    /// Each page that it maps.
    var resident: Int
    /// The same, with a shared page divided among its processes. Nil where this user may not know.
    var proportional: Int?
    /// The pages that it alone maps. Nil where this user may not know.
    var own: Int?

    static let kinds: [(name: String, bytes: @Sendable (ProcessMemory) -> Int?)] = [
        ("rss", { $0.resident }), ("pss", { $0.proportional }), ("private", { $0.own }),
    ]

    /// Nil when the process is gone.
    init?(pid: Int32) {
        guard let status = Self.kibibytes(in: "/proc/\(pid)/status"), let resident = status["VmRSS"] else { return nil }
        self.resident = resident << 10
        let rollup = Self.kibibytes(in: "/proc/\(pid)/smaps_rollup") ?? [:]
        proportional = rollup["Pss"].map { $0 << 10 }
        if let clean = rollup["Private_Clean"], let dirty = rollup["Private_Dirty"] { own = (clean + dirty) << 10 }
    }

    /// The lines `KEY: NUMBER kB` of a file of /proc.
    private static func kibibytes(in file: String) -> [Substring: Int]? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        var numbers: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count == 3, words[2] == "kB", let number = Int(words[1]) else { continue }
            numbers[words[0].dropLast()] = number
        }
        return numbers
    }
}
