// ChaosCrowds.swift: F16, F17: a hundred apps under one server; two apps under two fingers, one of which is killed.
//
// Sources   Docs/Spec/Pipeline.md section 4

import Audit
import Basics
import Foundation
import Glibc
import Hosting
import Synthesis
import Wire

extension ChaosRun {
    // MARK: F16

    private static let crowdSize = 100
    /// Scans for each app, at 1 kHz.
    private static let scansEach: UInt32 = 100
    private static let killsPerSecond = 10.0

    /// Starts a group of its own, touches it app by app, and then kills apps for `times` seconds.
    mutating func hundredApps() throws {
        let begun = monotonicNow()
        // Each process instance has a journal, and most are short.
        let group = try startGroup(
            settings: [
                "supervisor.restartLimit=1000", "supervisor.backoffLimit=0.05", "journal.segmentSize=0.25",
                "journal.processLimit=1048576",
            ], apps: Self.crowdSize)
        let ready = begun.duration(to: monotonicNow())
        verdict.demand("\(Self.crowdSize) apps ready", [ready], percentile: 1, within: .seconds(5), of: 1)
        let other = try ChaosTarget(runDirectory: group.runDirectory, seed: 1)
        try other.awaitReady()
        try touchEach(of: other)
        let kills = try storm(other, seconds: times)
        verdict.times = kills
        try other.bringToFront(other.apps[0])
        var run = sibling(on: other)
        try run.expectTap()
        let evidence = try run.evidence()
        verdict.demands.append(.nothingHeld(try other.group()))
        run.judge(evidence)
        addFindings(of: run, "a hundred apps")
        verdict.remarks += run.verdict.remarks
        group.stop()
    }

    /// Plays at 1 kHz. Each app is in the foreground for its share of the time.
    private mutating func touchEach(of ground: ChaosTarget) throws {
        var sum = PlayReport(id: 0)
        var touched = 0
        for app in ground.apps {
            try ground.bringToFront(app)
            let report = try ground.play(.synthetic(frames: Self.scansEach), pace: .every(1_000_000))
            guard let report, report.failure.isEmpty else { continue }
            if report.isWhole { touched += 1 }
            sum = sum + report
        }
        verdict.demand("apps that received every touch", touched, is: Self.crowdSize...Self.crowdSize)
        verdict.demand("scans dropped, of \(sum.sent)", Int(sum.dropped), is: 0...0)
    }

    /// - Returns: The number of kills.
    private mutating func storm(_ ground: ChaosTarget, seconds: Int) throws -> Int {
        var storm = try TouchStorm(
            TouchStorm.Plan(
                length: .seconds(Int64(seconds)), rate: 1000, kills: Self.killsPerSecond, seed: 1,
                profile: .standard, shareShown: 0), on: ground)
        try storm.run { past, _ in progress(Int(past.seconds)) }
        let killCount = Int(Double(seconds) * Self.killsPerSecond)
        let tally = storm.tally
        verdict.demand(
            "apps killed under 1 kHz", tally.kills.count, is: (verdict.judgesTimes ? killCount * 9 / 10 : 1)...Int.max)
        verdict.remarks.append(
            "\(tally.report.sent) scans, \(fixedText(tally.rate, digits: 0)) each second, \(tally.gestures) gestures, "
                + "\(tally.acts) acts")
        return tally.kills.count
    }

    // MARK: F17

    /// Two apps side by side, with a finger in each; one of the two is killed.
    mutating func twoFingers() throws {
        guard target.apps.count > 1 else { throw Failure.negativeResult("expected two apps, found one") }
        let pair = [target.apps[0], target.apps[1]]
        var rounds: [(at: Instant, until: Instant, victim: Peer, survivor: Peer)] = []
        var missed = 0
        var evidence: ChaosEvidence
        repeat {
            for _ in 0..<(times - (rounds.count - missed)) {
                rounds.append(try killOne(of: pair))
                progress(rounds.count - missed)
                try pause(sinceLast: rounds.last!.at)
            }
            try target.bringToFront(pair[0])
            try expectTap()
            evidence = try self.evidence()
            missed = rounds.count { round in
                [round.victim, round.survivor].contains { evidence.liveTouches(at: round.at, by: $0) == 0 }
            }
        } while rounds.count - missed < times && rounds.count < 2 * times
        judge(evidence)
        verdict.times = rounds.count - missed
        verdict.demand("kills with a live touch in both apps", rounds.count - missed, is: times...Int.max)
        let untouched = rounds.count { evidence.endsByItself(from: $0.at, until: $0.until, in: $0.survivor) }
        verdict.demand("touches of the other app that ended by themselves", untouched, is: rounds.count...rounds.count)
        let detected = rounds.compactMap { round in
            evidence.first(after: round.at, before: round.until) { mark in
                if case .lost(round.victim) = mark.kind { mark.process.peer == .systemServer } else { false }
            }
        }
        verdict.demand(
            "detected by the server", detected, percentile: 0.99, within: .milliseconds(20), of: rounds.count)
    }

    private mutating func killOne(
        of pair: [Peer]
    ) throws -> (at: Instant, until: Instant, victim: Peer, survivor: Peer) {
        for _ in 0..<20 {
            try target.awaitReady()
            try target.show(.split(app: AppID(pair[0].instance), with: AppID(pair[1].instance)), pair)
            let length = Duration.milliseconds(Int64.random(in: 150...300, using: &target.chance))
            let phase = Duration(seconds: length.seconds * Double.random(in: 0.25...0.6, using: &target.chance))
            let victim = Int.random(in: 0...1, using: &target.chance)
            let (width, height) = (target.screen.width, target.screen.height)
            let script = """
                stroke f1 (\(width * 0.1),\(height * 0.2)) (\(width * 0.4),\(height * 0.7)) @0 \(length.seconds) step 1/120
                stroke f2 (\(width * 0.6),\(height * 0.2)) (\(width * 0.9),\(height * 0.7)) @0.01 \(length.seconds) step 1/120
                """
            var at: Instant?
            try target.play(.script(script), within: .seconds(5)) { begun in
                target.sleep(until: begun.advanced(by: phase))
                let group = try target.group()
                guard let process = group.process(pair[victim]), let server = group.process(.systemServer),
                    pair.allSatisfy({ server.number("\($0).touches") > 0 }), process.pid > 1
                else { return }
                let moment = monotonicNow()
                guard Glibc.kill(Int32(truncatingIfNeeded: process.pid), SIGKILL) == 0 else { return }
                at = moment
            }
            if let at { return (at, monotonicNow(), pair[victim], pair[1 - victim]) }
        }
        throw Failure.negativeResult("no pair of 20 had a stroke in both apps at the moment of the kill")
    }
}

extension ChaosTarget {
    /// Sends an act and waits until the screen shows its result.
    ///
    /// - Parameter apps: The apps on the screen after the act.
    func show(_ act: SystemAct, _ apps: [Peer]) throws {
        try client.ask(.act(act))
        try awaitReady("on the screen") { group in
            let shown = group.process(.systemServer)?.text("scenes").split(separator: " ").map(String.init) ?? []
            return apps.allSatisfy { shown.contains("\($0)") }
        }
    }
}

extension ChaosEvidence {
    /// The number of live touches of one app at this moment.
    func liveTouches(at moment: Instant, by peer: Peer) -> Int {
        var held = 0
        for mark in events where mark.at <= moment && mark.process.peer == peer { held = mark.live }
        return held
    }

    /// Whether the touches that an app has at `from` end by `until` without a cancel.
    func endsByItself(from: Instant, until: Instant, in peer: Peer) -> Bool {
        var isOver = false
        for mark in events where mark.process.peer == peer && mark.at > from && mark.at <= until {
            switch mark.kind {
            case .touches(_, _, let cancelled):
                if cancelled > 0 { return false }
                isOver = isOver || mark.live == 0
            case .lost, .ended: return false
            default: continue
            }
        }
        return isOver
    }
}
