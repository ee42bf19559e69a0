// GroupMeter.swift: a group of its own, measured from outside while it plays: latencies, and the CPU time of each process.
//
// Input     GroupGrowth: what to play
// Output    one value for each metric
// Knows     ledgers, and the CPU times of /proc. GroupSession starts and ends the group.

import Basics
import CSystem
import Foundation
import Wire

/// A group that plays and is measured.
final class GroupMeter {
    /// The processes on the way of a scan. `app` is the one that receives the touches.
    static let processes = ["input-kit", "system-server", "app"]

    private let session: GroupSession
    private let pids: [(name: String, pid: Int32)]
    private let screen: Rect<ScreenSpace>?
    /// The CPU time of each process in a second without touches, in nanoseconds: links have heartbeats.
    private var idle: [Double] = []

    /// Starts a group, waits until it is quiet, and measures it without touches.
    ///
    /// - Parameter seconds: The duration of the measurement without touches.
    /// - Throws: `Failure`, as `OwnGroup`.
    init(apps: Int = 1, scene: String? = nil, settings: [String], idleFor seconds: Double) throws {
        session = try GroupSession(scene: scene, apps: apps, settings: settings)
        try session.waitUntilQuiet(limit: .seconds(60))
        let report = try session.report()
        screen = report.screen
        pids = [("supervisor", report.pid)] + report.processes.map { ($0.name, Int32(truncatingIfNeeded: $0.pid)) }
        let (before, start) = (times(), system_clock())
        usleep(UInt32(seconds * 1e6))
        let used = Self.differences(times(), before)
        let length = Double(max(1, system_clock() - start)) / 1e9
        idle = used.map { $0 / length }
    }

    /// What one play measured.
    struct Sample {
        /// The scans per second that arrived: all except dropped and merged ones, from the first to the last.
        let arrivedPerSecond: Double
        /// A value for each metric.
        let values: [Value]
    }

    typealias Value = (metric: String, unit: String, value: Double)

    /// Plays a slice.
    ///
    /// - Parameter allowsLosses: Whether scans may be dropped, as by a server that is too slow for the rate.
    /// - Throws: `Failure` with exit code 1 when a scan or a touch is lost, 3 when the play ends early.
    func measure(_ slice: BenchSlice, allowsLosses: Bool = false) throws -> Sample {
        let limit = Duration.seconds(60 + 20 * Double(slice.bursts + slice.warmUp) * Double(slice.period ?? 0) / 1e9)
        let (before, start) = (times(), system_clock())
        let (report, ledgers) = try session.play(slice.order(on: screen), waitLimit: limit)
        let (after, end) = (times(), system_clock())
        guard report.failure.isEmpty else { throw Failure.group(report.failure) }
        if !allowsLosses, let losses = report.losses { throw Failure.negativeResult(losses) }
        let used = Self.differences(after, before)
        return sample(ledgers, used, seconds: Double(max(1, end - start)) / 1e9, scans: Double(max(1, report.sent)))
    }

    func stop() throws { _ = try session.stop() }

    private func times() -> [UInt64] { pids.map { cpuTime(of: $0.pid) ?? 0 } }

    private static func differences(_ after: [UInt64], _ before: [UInt64]) -> [Double] {
        zip(after, before).map { $0 > $1 ? Double($0 - $1) : 0 }
    }

    /// - Parameter used: The CPU time of each process in nanoseconds.
    private func sample(_ ledgers: [Ledger], _ used: [Double], seconds: Double, scans: Double) -> Sample {
        var latencies = Latencies()
        var (first, last, count) = (Int64.max, Int64.min, 0.0)
        for ledger in ledgers {
            guard ledger.isComplete, let due = ledger[.device], let handled = ledger[.appHandled] else { continue }
            latencies.record(due.duration(to: handled).nanoseconds)
            (first, last, count) = (min(first, due.nanoseconds), max(last, handled.nanoseconds), count + 1)
        }
        // What the scans used beyond an idle group. Noise can make it negative.
        let own = zip(used, idle).map { $0 - $1 * seconds }
        func times(_ isWanted: (String) -> Bool) -> [Double] { zip(pids, own).filter { isWanted($0.0.name) }.map(\.1) }
        let receiver = times { Peer($0)?.role == .app }.max() ?? 0
        let parts = [times { $0 == "input-kit" }.reduce(0, +), times { $0 == "system-server" }.reduce(0, +), receiver]
        let way = parts.reduce(0, +)
        var values: [Value] = [
            ("p50", "us", latencies.microseconds(50)), ("p99", "us", latencies.microseconds(99)),
            ("cpu", "us", way / scans / 1000),
        ]
        values += zip(Self.processes, parts).map { ("cpu-\($0)", "us", $1 / scans / 1000) }
        values += [
            ("cpu-others", "us", (own.reduce(0, +) - way) / scans / 1000),
            ("cpu-second", "us", used.reduce(0, +) / seconds / 1000),
            ("idle-second", "us", idle.reduce(0, +) / 1000),
        ]
        let arrived = count > 1 ? (count - 1) / (Double(max(1, last - first)) / 1e9) : 0
        values.append(("arrived", "events/s", arrived))
        return Sample(arrivedPerSecond: arrived, values: values)
    }
}
