// ChaosKills.swift: F1, F2, F3: a process is killed repeatedly while fingers are down.
//
//     play strokes ─▶ at a random moment of them: SIGKILL ─▶ wait for recovery ─▶ again … ─▶ journals
//
//     kill ──▶ exit ──first back-off──▶ ╎ ──doubled back-off (F13)──▶ ╎ ──spawn──▶ ready
//       └────────── counted ───────────┘                             └── counted ──┘
//
// Ready again   the time from the kill until the next generation is ready, without the part of the scheduled back-off
//               that exceeds `supervisor.backoffFirst`. Successive kills double the back-off: with the default settings
//               the fifth child that dies within ten seconds waits 0.8 s. The back-off is a figure of its own.

import Audit
import Basics
import Glibc
import HID
import Hosting
import Settings
import Wire

/// One kill of a process, with the generation that it ended.
private struct Kill {
    var at: Instant
    var generation: UInt32
}

/// The times from each kill of a process to later events.
private struct KillTimes {
    let kills: [Kill]
    let victim: Peer
    let evidence: ChaosEvidence
    /// By kill: the scheduled wait of the next generation.
    let backOffs: [Duration]
    private let firstBackOff: Duration

    init(kills: [Kill], victim: Peer, evidence: ChaosEvidence, firstBackOff: Duration) {
        (self.kills, self.victim, self.evidence, self.firstBackOff) = (kills, victim, evidence, firstBackOff)
        backOffs = kills.map { evidence.backOff(of: victim, after: $0.generation) ?? .zero }
    }

    /// Returns the time to the first such mark before the next kill.
    func first(_ index: Int, _ isSo: (ChaosEvidence.Event) -> Bool) -> Duration? {
        let limit = index + 1 < kills.count ? kills[index + 1].at : Instant.never
        return evidence.first(after: kills[index].at, before: limit, where: isSo)
    }

    /// Returns the time until the next generation is ready, without the doubling of its back-off.
    func readyAgain(_ index: Int) -> Duration? {
        first(index) { mark in
            if case .ready(victim, let generation) = mark.kind {
                generation > kills[index].generation
            } else {
                false
            }
        }.map { withoutDoubling($0, index) }
    }

    func lossReceived(_ index: Int, by listener: Peer, lossOf peer: Peer) -> Duration? {
        first(index) { mark in
            if case .lost(peer) = mark.kind { mark.process.peer == listener } else { false }
        }
    }

    /// Subtracts the doubling of the back-off from a time that includes it.
    func withoutDoubling(_ time: Duration, _ index: Int) -> Duration {
        time - max(.zero, backOffs[index] - firstBackOff)
    }
}

extension ChaosRun {
    /// Kills one process of this kind after another. A kill without a finger on the glass shows nothing and is
    /// repeated.
    mutating func kills(of victim: Peer) throws {
        let before = try target.awaitReady()
        if victim.role == .app { try isolation { pid in _ = Glibc.kill(pid, SIGKILL) } }
        var kills: [Kill] = []
        var missed = 0
        var evidence: ChaosEvidence
        // The journals decide which touches were held. The server's report a millisecond before is nearly always right.
        repeat {
            for _ in 0..<(times - (kills.count - missed)) {
                let kill = try killUnderFinger(victim)
                kills.append(kill)
                progress(kills.count - missed)
                try pause(sinceLast: kill.at)
            }
            try expectTap()
            evidence = try self.evidence()
            missed = kills.count { evidence.liveTouches(at: $0.at) == 0 }
        } while kills.count - missed < times && kills.count < 2 * times
        judge(evidence)
        verdict.times = kills.count - missed
        verdict.demand("kills during a live touch", kills.count - missed, is: times...Int.max)
        try judge(kills, of: victim, before, evidence)
    }

    /// Plays strokes, and kills the process while they are down.
    private func killUnderFinger(_ victim: Peer) throws -> Kill {
        for _ in 0..<20 {
            let length = Duration.milliseconds(Int64.random(in: 100...250, using: &target.chance))
            // All fingers land in the first fifth, and none lifts before seven tenths.
            let phase = Duration(seconds: length.seconds * Double.random(in: 0.25...0.65, using: &target.chance))
            let strokes = target.strokes(length: length)
            var kill: Kill?
            // Scans that the server held when it died get no answer, and a play would wait for them.
            let waitLimit = victim == .systemServer ? length + .milliseconds(50) : .seconds(5)
            let report = try target.play(.script(strokes), within: waitLimit) { begun in
                target.sleep(until: begun.advanced(by: phase))
                let group = try target.group()
                guard let process = group.process(victim), let server = group.process(.systemServer),
                    server.number("\(target.apps[0]).touches") > 0
                else { return }
                let moment = monotonicNow()
                guard process.pid > 1, Glibc.kill(Int32(truncatingIfNeeded: process.pid), SIGKILL) == 0 else { return }
                kill = Kill(at: moment, generation: UInt32(truncatingIfNeeded: process.generation))
            }
            if report == nil { try target.reconnect() }
            guard let kill else { continue }
            try target.awaitReady("ready again") { group in
                group.processes.contains { $0.name == "\(victim)" && $0.generation > Int64(kill.generation) }
                    && group.appsAreLinked
            }
            return kill
        }
        throw Failure.negativeResult(
            "no stroke of 20 in \(target.apps[0]) had a live touch at the moment of killing \(victim)")
    }

    private mutating func judge(
        _ kills: [Kill], of victim: Peer, _ before: GroupReport, _ evidence: ChaosEvidence
    ) throws {
        let moments = KillTimes(
            kills: kills, victim: victim, evidence: evidence, firstBackOff: settings[.supervisorBackoffFirst])
        let all = kills.indices
        let ready = all.compactMap { index in moments.readyAgain(index) }
        switch victim.role {
        case .app:
            verdict.demand(
                "detected by the server",
                all.compactMap { moments.lossReceived($0, by: .systemServer, lossOf: victim) },
                percentile: 0.99, within: .milliseconds(20), of: kills.count)
            verdict.demand("ready again", ready, percentile: 0.99, within: .milliseconds(500), of: kills.count)
            demandBackOffs(moments.backOffs)
            verdict.demand(
                "old touches sent to a new process generation", touchesReceivedTwice(by: victim, evidence), is: 0...0)
        case .systemServer:
            verdict.demand(
                "cancelled in every app",
                all.flatMap { kill in
                    target.apps.compactMap { moments.lossReceived(kill, by: $0, lossOf: .systemServer) }
                },
                percentile: 1, within: .milliseconds(300), of: kills.count * target.apps.count)
            verdict.demand("server ready", ready, percentile: 0.99, within: .milliseconds(500), of: kills.count)
            demandBackOffs(moments.backOffs)
            verdict.demand(
                "apps linked again",
                all.flatMap { kill in
                    target.apps.compactMap { app in
                        moments.first(kill) { mark in
                            if case .hello(.systemServer) = mark.kind { mark.process.peer == app } else { false }
                        }.map { moments.withoutDoubling($0, kill) }
                    }
                }, percentile: 1, within: .seconds(1), of: kills.count * target.apps.count)
            let after = try target.group()
            verdict.demand("apps restarted", restarts(after, .app) - restarts(before, .app), is: 0...0)
        case .inputKit:
            verdict.demand(
                "detected by the server",
                all.compactMap { moments.lossReceived($0, by: .systemServer, lossOf: .inputKit) },
                percentile: 1, within: .milliseconds(300), of: kills.count)
            // Where an app held a touch, the server sends it a cancel.
            let cancelled = all.compactMap { kill in
                moments.first(kill) { mark in
                    if case .touches(_, _, let count) = mark.kind { count > 0 } else { false }
                }
            }
            verdict.demand(
                "cancelled in the app", cancelled, percentile: 1, within: .milliseconds(300), of: verdict.times)
            verdict.demand("ready again", ready, percentile: 0.99, within: .milliseconds(500), of: kills.count)
            demandBackOffs(moments.backOffs)
        case .supervisor, .controller: preconditionFailure("a \(victim) is not killed here")
        }
    }

    /// Judges the back-offs that the supervisor scheduled, with and without `--no-timing`: they do not depend on the
    /// machine.
    private mutating func demandBackOffs(_ backOffs: [Duration]) {
        let limit = max(settings[.supervisorBackoffFirst], settings[.supervisorBackoffLimit])
        verdict.demands.append(
            ChaosVerdict.Demand(
                what: "back-off before the restart (F13)", demanded: "all ≤ \(Times.short(limit)) ms",
                measured: Times(backOffs, of: backOffs.count).text, isMet: backOffs.allSatisfy { $0 <= limit }))
    }

    private func restarts(_ group: GroupReport, _ role: Role) -> Int {
        group.processes.filter { Peer($0.name)?.role == role }.reduce(0) { $0 + Int($1.restarts) }
    }

    /// Returns the number of touches that more than one instance of an app received.
    private func touchesReceivedTwice(by app: Peer, _ evidence: ChaosEvidence) -> Int {
        // A touch's number is used once in its epoch.
        struct ReceivedTouch: Hashable {
            var epoch: UInt32
            var touch: TouchID
        }
        var owners: [ReceivedTouch: UInt32] = [:]
        var twice = 0
        for mark in evidence.events where mark.process.peer == app {
            guard case .touches(let touches, _, _) = mark.kind else { continue }
            for touch in touches {
                let receivedTouch = ReceivedTouch(epoch: mark.process.epoch, touch: touch)
                if owners[receivedTouch, default: mark.process.generation] != mark.process.generation { twice += 1 }
                owners[receivedTouch] = mark.process.generation
            }
        }
        return twice
    }
}

extension GroupReport {
    /// Whether all apps have their links. An app without the server is ready all the same.
    fileprivate var appsAreLinked: Bool {
        processes.allSatisfy { process in
            Peer(process.name)?.role != .app || process["link"] == .text("open")
        }
    }
}
