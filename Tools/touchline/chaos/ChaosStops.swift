// ChaosStops.swift: F12, F13, F14: processes that are stopped, that crash in a loop, and the supervisor's end.

import Audit
import Basics
import Foundation
import Glibc
import Hosting
import Wire

extension ChaosRun {
    static let stopLengths: [Duration] = [.milliseconds(100), .seconds(1), .seconds(10)]

    /// Every process, for each of three lengths, while a finger moves.
    mutating func stops() throws {
        let victims = [Peer.inputKit, .systemServer] + [ground.apps[0], .supervisor]
        var stops: [(at: Instant, resumed: Instant, works: Instant?, victim: Peer, length: Duration)] = []
        let rounds = victims.count * Self.stopLengths.count
        for _ in 0..<times {
            for length in Self.stopLengths {
                for victim in victims {
                    try ground.awaitQuiet()
                    let seconds = min(2, length.seconds + 0.3)
                    var stopped: (at: Instant, resumed: Instant)?
                    try ground.play(
                        .script(ground.strokes(most: 1, length: Duration(seconds: seconds))), within: .milliseconds(1)
                    ) { begun in
                        ground.sleep(until: begun.advanced(by: .milliseconds(100)))
                        stopped = try stop(victim, for: length)
                    }
                    guard let stopped else { continue }
                    let works = try ground.tap()
                    stops.append((stopped.at, stopped.resumed, works, victim, length))
                    progress(stops.count, of: rounds * times)
                    try ground.awaitReady()
                }
            }
        }
        verdict.times = stops.count
        disturbances += stops.map {
            AuditOptions.Disturbance(from: $0.at, until: $0.resumed.advanced(by: .seconds(1)), peer: $0.victim)
        }
        try expectTap()
        let evidence = try evidence()

        verdict.demand(
            "a tap works after it", stops.compactMap { stop in stop.works.map { stop.resumed.duration(to: $0) } },
            percentile: 1, within: .seconds(1), of: stops.count)
        // Of a finger that moved on while somebody slept, an app hears where it is, not everywhere it has been.
        var bursts = 0
        for stop in stops {
            let stale = evidence.marks.count { mark in
                guard case .movesHandled(let age) = mark.what else { return false }
                return mark.at >= stop.resumed && mark.at < stop.resumed.advanced(by: .seconds(2))
                    && age > .milliseconds(250)
            }
            bursts = max(bursts, stale)
        }
        verdict.demand("moves older than 250 ms told after one stop", bursts, is: 0...0)
        let serverStops = stops.filter { $0.victim == .systemServer && $0.length >= .seconds(1) }
        let renewed = serverStops.count { stop in
            evidence.first(after: stop.resumed, before: stop.resumed.advanced(by: .seconds(5))) { mark in
                if case .exited(.systemServer, _) = mark.what { true } else { false }
            } != nil
        }
        verdict.demand("new epochs after the server's sleep", renewed, is: serverStops.count...serverStops.count)
        let heard = serverStops.flatMap { stop in
            ground.apps.compactMap { app in
                evidence.first(after: stop.at, before: stop.resumed) { mark in
                    if case .lost(.systemServer) = mark.what { mark.life.peer == app } else { false }
                }
            }
        }
        verdict.demand(
            "apps cancel by heartbeat", heard, percentile: 1, within: .milliseconds(500),
            of: serverStops.count * ground.apps.count)
    }

    /// The supervisor answers for pids, so it is asked for its own before it is stopped.
    private func stop(_ victim: Peer, for length: Duration) throws -> (at: Instant, resumed: Instant)? {
        let group = try ground.group()
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
        ground.sleep(until: at.advanced(by: length))
        return (at, monotonicNow())
    }

    // MARK: F13

    mutating func crashLoop() throws {
        guard ground.apps.count > 1 else {
            throw Failure.badInput("crash-loop: expected a group of at least two apps, found one")
        }
        let victim = ground.apps[ground.apps.count - 1]
        let before = try ground.awaitReady().processes.first { $0.name == "\(victim)" }
        let length = Duration.seconds(60)
        let begun = try ground.ask("0ms crash-loop \(victim) 10 for \(length.nanoseconds / 1_000_000)ms")
        var taps = 0
        var lost = 0
        var last = try ground.life(of: victim)
        // The others are touched all the while.
        while last.state != "quarantined", begun.duration(to: monotonicNow()) < length {
            taps += 1
            let report = try ground.play(
                .script(ground.strokes(most: 1, length: .milliseconds(100))), within: .seconds(5))
            if report?.losses != nil || report == nil { lost += 1 }
            last = try ground.life(of: victim)
            progress(Int(last.restarts), of: Int(settings.number("supervisor.restartLimit")))
        }
        // What is left dead stays dead: nobody starts it again later.
        ground.sleep(until: monotonicNow().advanced(by: .seconds(6)))
        let later = try ground.life(of: victim)
        let evidence = try evidence(isAtRest: false)
        let starts = evidence.marks.count { mark in
            if case .started(victim) = mark.what { mark.at >= begun } else { false }
        }
        verdict.demand("restarts", starts, is: 0...6)
        verdict.demand("quarantined", later.state == "quarantined" ? 1 : 0, is: 1...1)
        verdict.demand("restarts after that", Int(later.restarts - last.restarts), is: 0...0)
        verdict.demand("of \(taps) strokes in the others, lost", lost, is: 0...0)
        verdict.remarks.append(
            "\(victim): \(later.reason), last \(later.lastExit); \(before?.restarts ?? 0) restarts before")
    }

    // MARK: F14

    /// Kills the supervisor, waits for everybody's end, and starts the next group where the last one fell.
    mutating func supervisorKills() throws {
        var survivors = 0
        var ends: [Duration] = []
        var starts: [Duration] = []
        var next: ChaosGroup?
        var ground = ground
        for round in 1...times {
            let group = try ground.awaitReady()
            let pids = group.processes.map { Int32(truncatingIfNeeded: $0.pid) }.filter { $0 > 1 }
            let length = Duration.milliseconds(Int64.random(in: 50...150, using: &ground.chance))
            var killed = monotonicNow()
            do {
                try ground.play(.script(ground.strokes(length: length)), within: .seconds(1)) { begun in
                    ground.sleep(until: begun.advanced(by: length / 2))
                    killed = monotonicNow()
                    kill(group.pid, SIGKILL)
                }
            } catch let failure as Failure where failure.code == 3 {
                // Its end is what was asked for.
            }
            next?.isKilled()
            var left = pids
            while !left.isEmpty, killed.duration(to: monotonicNow()) < .seconds(1) {
                left.removeAll { isGone($0) }
                if !left.isEmpty { usleep(500) }
            }
            survivors += left.count
            ends.append(killed.duration(to: monotonicNow()))
            let begun = monotonicNow()
            let group2 = try ChaosGroup(settings: [], apps: pids.count - 2, on: ground.runDirectory)
            starts.append(begun.duration(to: monotonicNow()))
            next = group2
            ground = try ChaosGround(runDirectory: ground.runDirectory, seed: ground.chance.next())
            if try ground.tap() == nil {
                verdict.violations.append("round \(round): a tap after the start does not arrive")
            }
            progress(round)
        }
        verdict.demand("processes after 1 s", survivors, is: 0...0)
        verdict.demand("all gone", ends, percentile: 1, within: .seconds(1), of: times)
        verdict.demand("started again at once", starts, percentile: 1, within: .seconds(10), of: times)
        var last = self
        last = ChaosRun(verdict.row, on: ground, times: times, meter: ChaosMeter(isQuiet: true))
        _ = try last.evidence()
        verdict.violations += last.verdict.violations
        verdict.remarks += last.verdict.remarks
        next?.stop()
    }

    /// No process, or one that only waits to be asked how it ended.
    private func isGone(_ pid: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let close = text.lastIndex(of: ")")
        else { return true }
        return text[close...].dropFirst(2).first == "Z"
    }
}
