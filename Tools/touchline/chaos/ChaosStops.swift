// ChaosStops.swift: F12, F13, F14: stopped processes, a crash loop, and the end of the supervisor.

import Audit
import Basics
import Foundation
import Glibc
import Hosting
import Settings
import Wire

extension ChaosRun {
    static let stopLengths: [Duration] = [.milliseconds(100), .seconds(1), .seconds(10)]

    private struct Stop {
        var at: Instant
        var resumed: Instant
        var works: Instant?
        var victim: Peer
        var length: Duration
    }

    /// Stops every process, for each of three lengths, while a finger moves.
    mutating func stops() throws {
        try isolation { pid in
            guard StoppedProcesses.stop(pid) else { return }
            usleep(200_000)
            StoppedProcesses.resume(pid)
        }
        let victims = [Peer.inputKit, .systemServer] + [target.apps[0], .supervisor]
        var stops: [Stop] = []
        let wanted = times * victims.count * Self.stopLengths.count
        for _ in 0..<times {
            for length in Self.stopLengths {
                for victim in victims {
                    try target.awaitQuiet()
                    let seconds = min(2, length.seconds + 0.3)
                    var stopped: (at: Instant, resumed: Instant)?
                    // The finger lands at once, so that the process is stopped under it.
                    let strokes = target.strokes(most: 1, length: Duration(seconds: seconds), latest: 0)
                    try target.play(.script(strokes), within: .milliseconds(1)) { begun in
                        target.sleep(until: begun.advanced(by: .milliseconds(100)))
                        stopped = try stop(victim, for: length)
                    }
                    guard let stopped else { continue }
                    disturbances.append(
                        AuditOptions.Disturbance(
                            from: stopped.at, until: stopped.resumed.advanced(by: .seconds(1)), peer: victim))
                    let works = try target.tap()
                    stops.append(
                        Stop(at: stopped.at, resumed: stopped.resumed, works: works, victim: victim, length: length))
                    progress(stops.count, of: wanted)
                    try target.awaitReady()
                }
            }
        }
        verdict.times = stops.count
        verdict.demand("processes stopped", stops.count, is: wanted...wanted)
        try expectTap()
        let evidence = try evidence()
        judge(evidence)
        judge(stops, evidence)
    }

    private mutating func judge(_ stops: [Stop], _ evidence: ChaosEvidence) {
        verdict.demand(
            "a tap works after a stop", stops.compactMap { stop in stop.works.map { stop.resumed.duration(to: $0) } },
            percentile: 1, within: .seconds(1), of: stops.count)
        // For a finger that moved while a process was stopped, an app receives the newest position and not the whole
        // path.
        var bursts = 0
        for stop in stops {
            let stale = evidence.events.count { mark in
                guard case .movesHandled(let age) = mark.kind else { return false }
                return mark.at >= stop.resumed && mark.at < stop.resumed.advanced(by: .seconds(2))
                    && age > .milliseconds(250)
            }
            bursts = max(bursts, stale)
        }
        verdict.demand("moves older than 250 ms sent after a stop", bursts, is: 0...0)
        verdict.demand(
            "frames of an older epoch that had an effect (I7)", Int(evidence.report[broken: .fencing]), is: 0...0)
        let long = stops.filter { $0.length >= .seconds(1) }
        /// The times until `listener` notices the stops, for the stops that it notices while they last.
        func lossesReceived(_ stops: [Stop], by listener: Peer, lossOf peer: Peer) -> [Duration] {
            stops.compactMap { stop in
                evidence.first(after: stop.at, before: stop.resumed) { mark in
                    if case .lost(peer) = mark.kind { mark.process.peer == listener } else { false }
                }
            }
        }
        let serverStops = long.filter { $0.victim == .systemServer }
        let renewed = serverStops.count { stop in
            evidence.first(after: stop.resumed, before: stop.resumed.advanced(by: .seconds(5))) { mark in
                if case .exited(.systemServer, _) = mark.kind { true } else { false }
            } != nil
        }
        verdict.demand("new epochs after the server's sleep", renewed, is: serverStops.count...serverStops.count)
        verdict.demand(
            "apps cancel by heartbeat",
            target.apps.flatMap { lossesReceived(serverStops, by: $0, lossOf: .systemServer) }, percentile: 1,
            within: .milliseconds(500), of: serverStops.count * target.apps.count)
        // F4: 500 ± 50 ms after its last frame.
        for peer in [target.apps[0], .inputKit] {
            let own = long.filter { $0.victim == peer }
            verdict.demand(
                "the server gives up \(peer) while it is stopped", lossesReceived(own, by: .systemServer, lossOf: peer),
                percentile: 1, within: .milliseconds(550), of: own.count)
        }
    }

    /// The supervisor names the pids, so its own pid is asked for before it is stopped.
    private func stop(_ victim: Peer, for length: Duration) throws -> (at: Instant, resumed: Instant)? {
        let group = try target.group()
        let pid: Int32
        if victim == .supervisor {
            pid = group.pid
        } else {
            guard let process = group.processes.first(where: { $0.name == "\(victim)" }), process.pid > 1 else {
                return nil
            }
            pid = Int32(truncatingIfNeeded: process.pid)
        }
        let at = monotonicNow()
        guard StoppedProcesses.stop(pid) else { return nil }
        defer { StoppedProcesses.resume(pid) }
        target.sleep(until: at.advanced(by: length))
        return (at, monotonicNow())
    }

    // MARK: F13

    mutating func crashLoop() throws {
        guard target.apps.count > 1 else {
            throw Failure.badInput("crash-loop: expected a group of at least two apps, found one")
        }
        let victim = target.apps[target.apps.count - 1]
        let before = try target.process(of: victim)
        let baseline = try measure(frames: Self.isolationFrames, every: Self.loopPace)
        // Fault F13 counts the restarts of a minute. Where times are not judged, a time above the restart window is
        // enough.
        let length = Duration.seconds(verdict.judgesTimes ? 60 : 12)
        let begun = try target.requestFault("0ms crash-loop \(victim) 10 for \(length.nanoseconds / 1_000_000)ms")
        var during = MeasuredFrames()
        var last = before
        // The other apps are touched meanwhile.
        while last.state != "quarantined", begun.duration(to: monotonicNow()) < length {
            during += try measure(frames: 300, every: Self.loopPace)
            last = try target.process(of: victim)
            progress(Int(last.restarts - before.restarts), of: settings[.supervisorRestartLimit])
        }
        disturbances.append(
            AuditOptions.Disturbance(from: begun, until: monotonicNow(), peer: victim, excusesLateness: false))
        // A quarantined process stays dead: the supervisor does not start it later.
        target.sleep(until: begun.advanced(by: length))
        let later = try target.process(of: victim)
        try expectTap(without: victim)
        let evidence = try evidence(without: victim)
        judge(evidence)
        let starts = evidence.moments(after: begun) { mark in
            if case .started(victim) = mark.kind { true } else { false }
        }
        let exits = evidence.moments(after: begun) { mark in
            if case .exited(victim, _) = mark.kind { true } else { false }
        }
        let waits = zip(exits, starts).map { $0.duration(to: $1) }
        verdict.demand("restarts in \(Int(length.seconds)) s", starts.count, is: 1...6)
        verdict.demand("quarantined, with reason and last exit in the report", later.isExplained ? 1 : 0, is: 1...1)
        verdict.demand("restarts after that", Int(later.restarts - last.restarts), is: 0...0)
        verdict.demand(
            "waits before a restart that are shorter than the wait before",
            zip(waits, waits.dropFirst()).count { $1 < $0 } + (waits.first.map { $0 < .milliseconds(50) ? 1 : 0 } ?? 1),
            is: 0...0)
        verdict.demand("lost frames of other apps", during.count - during.times.count, is: 0...0)
        judgeIsolation(baseline, during)
        verdict.remarks.append(
            "\(victim): \(later.reason), last exit \(later.lastExit); \(before.restarts) earlier restarts; waits "
                + waits.map { Times.short($0) }.joined(separator: ", ") + " ms")
    }

    /// In nanoseconds. A crash loop is over in two seconds, which must contain enough frames.
    private static let loopPace: UInt64 = 1_000_000

    // MARK: F14

    /// Kills the supervisor, waits for the end of its children, and starts the next group in the same run directory.
    mutating func supervisorKills() throws {
        var survivors = 0
        var ends: [Duration] = []
        var starts: [Duration] = []
        // Later groups start like the first one.
        let settings = settings.changed.map { "\($0.key)=\($0.value)" }
        var next: OwnGroup?
        var run = self
        defer { next?.stop() }
        verdict.times = 0
        for round in 1...times {
            let group = try run.target.awaitReady()
            let pids = group.processes.map { Int32(truncatingIfNeeded: $0.pid) }.filter { $0 > 1 }
            let length = Duration.milliseconds(Int64.random(in: 100...250, using: &run.target.chance))
            var killed = monotonicNow()
            do {
                let strokes = run.target.strokes(length: length, latest: 0)
                try run.target.play(.script(strokes), within: .seconds(1)) { begun in
                    run.target.sleep(until: begun.advanced(by: length / 4))
                    while try !run.target.isTouched(), monotonicNow() < begun.advanced(by: length) {}
                    killed = monotonicNow()
                    kill(group.pid, SIGKILL)
                }
            } catch let failure as Failure where failure.code == 3 {
                // The end of the group was requested.
            }
            next?.noteKilled()
            var left = pids
            while !left.isEmpty, killed.duration(to: monotonicNow()) < .seconds(1) {
                left.removeAll { isGone($0) }
                if !left.isEmpty { usleep(500) }
            }
            survivors += left.count
            if left.isEmpty { ends.append(killed.duration(to: monotonicNow())) }
            // The next group moves the journals away, so they are read before.
            let evidence = try run.evidence(isAtRest: false)
            run.judge(evidence)
            if evidence.liveTouches(at: killed) > 0 { verdict.times += 1 }
            addFindings(of: run, "round \(round)")
            let begun = monotonicNow()
            let group2 = try startGroup(
                settings: settings, apps: target.apps.count, on: target.runDirectory, keeps: true)
            starts.append(begun.duration(to: monotonicNow()))
            next = group2
            run = sibling(on: try ChaosTarget(runDirectory: target.runDirectory, seed: run.target.chance.next()))
            try run.expectTap()
            progress(round)
        }
        run.judge(try run.evidence())
        addFindings(of: run, "the last group")
        verdict.demand("kills during a live touch", verdict.times, is: times...times)
        verdict.demand("processes left after 1 s", survivors, is: 0...0)
        verdict.demand("all processes ended", ends, percentile: 1, within: .seconds(1), of: times)
        // As for any killed process (F1).
        verdict.demand("ready again", starts, percentile: 0.99, within: .milliseconds(500), of: times)
    }

    /// Whether there is no such process, or only a zombie.
    private func isGone(_ pid: Int32) -> Bool {
        guard let state = statFields(of: pid)?.first else { return true }
        return state == "Z"
    }
}

extension GroupReport.Process {
    /// Whether it is quarantined with a reason and its last exit.
    fileprivate var isExplained: Bool { state == "quarantined" && !reason.isEmpty && !lastExit.isEmpty }
}
