// ChaosFrames.swift: F6, F7: lost frames, and malformed packets.

import Audit
import Basics
import Foundation
import Glibc
import Settings
import Wire

extension ChaosRun {
    // MARK: F6

    static let lossShare = 0.05

    /// Gestures over links that each lose, duplicate and reorder one frame in twenty.
    mutating func lossyLinks() throws {
        let senders = [Peer.inputKit, .systemServer] + target.apps
        let length = Duration.seconds(4)
        var badUntil = Instant.boot
        // Without an end, in case the group does not survive.
        disturbances.append(AuditOptions.Disturbance(from: monotonicNow(), until: .never, peer: nil))
        for gesture in 1...times {
            let now = monotonicNow()
            // The fault is requested again before the last one ends, so that every gesture has bad links.
            if now.duration(to: badUntil) < .seconds(1) {
                for sender in senders {
                    for word in ["loss", "duplicate", "reorder"] {
                        try target.requestFault(
                            "0ms \(word) \(sender) \(Self.lossShare) for \(length.nanoseconds / 1_000_000)ms")
                    }
                }
                badUntil = now.advanced(by: length)
            }
            let strokes = target.strokes(length: .milliseconds(Int64.random(in: 80...160, using: &target.chance)))
            // The play's report lacks the scans of lost receipts. The journals have them.
            if try target.play(.script(strokes), within: .milliseconds(400)) == nil { try target.reconnect() }
            progress(gesture)
        }
        target.sleep(until: badUntil.advanced(by: .milliseconds(100)))
        disturbances[disturbances.count - 1].until = badUntil.advanced(by: .seconds(1))
        try expectTap()
        let evidence = try evidence()
        judge(evidence)
        verdict.demand("frames lost on purpose", Int(evidence.report.links.lost), is: 1...Int.max)
        for law in [Law.oneTerminal, .legality, .conservation, .fencing] {
            verdict.demand("\(law.rawValue) broken", Int(evidence.report[broken: law]), is: 0...0)
        }
        verdict.demand("fingers still down at rest", Int(evidence.report.liveTouches), is: 0...0)
        verdict.remarks.append(
            "\(evidence.report.links.lost) frames lost, \(evidence.report.links.duplicates) received twice, "
                + "\(evidence.report.links.fenced) fenced; \(evidence.report.touches) touches")
    }

    // MARK: F7

    /// An app sends malformed packets, and the other apps are touched meanwhile.
    mutating func malformedFrames() throws {
        guard target.apps.count > 1 else {
            throw Failure.badInput("malformed-frames: expected a group of at least two apps, found one")
        }
        let victim = target.apps[target.apps.count - 1]
        let before = try target.awaitReady()
        let strikes = settings[.serverStrikeLimit]
        let baseline = try measure(frames: Self.isolationFrames, every: Self.floodPace)
        let memory = Self.residentKiB(before)
        let refusedBefore = refused(before)
        let isToBeHungUp = strikes <= times
        let begun = try target.requestFault(barrage(of: victim, isToBeHungUp: isToBeHungUp))
        var during = MeasuredFrames()
        var lost = 0
        var peak = memory
        var count = 0
        var isOver = false
        // Until all packets are handled or their sender is dead, and until enough frames are played for a judgement.
        while !isOver, begun.duration(to: monotonicNow()) < ChaosTarget.recoveryLimit {
            let played = try measure(frames: 200, every: Self.floodPace)
            lost += played.count - played.times.count
            during += played
            let group = try target.group()
            for (index, now) in Self.residentKiB(group).enumerated() where peak.indices.contains(index) {
                peak[index] = max(peak[index], now)
            }
            count = refused(group) - refusedBefore
            progress(min(count, times))
            isOver = isToBeHungUp ? group.process(victim)?.state == "quarantined" : count >= times
        }
        let until = monotonicNow()
        disturbances.append(
            AuditOptions.Disturbance(from: begun, until: until, peer: victim, excusesLateness: false))
        let after = try target.group()
        count = refused(after) - refusedBefore
        let grown = zip(memory, peak).map { $1 - $0 }.max() ?? 0
        // Packets that arrived with the last strike were handled with it.
        verdict.demand("rejected", count, is: isToBeHungUp ? strikes...(strikes + Self.batch) : times...times)
        verdict.demand(
            "disconnected and quarantined", after.process(victim)?.state == "quarantined" ? 1 : 0,
            is: isToBeHungUp ? 1...1 : 0...0)
        func restarts(_ group: GroupReport) -> Int {
            group.processes.filter { $0.name != "\(victim)" }.reduce(0) { $0 + Int($1.restarts) }
        }
        verdict.demand("crashes of other processes", restarts(after) - restarts(before), is: 0...0)
        verdict.demand("KiB that any process grew", grown, is: 0...(16 * 1024))
        verdict.demand("lost frames of other apps", lost, is: 0...0)
        judgeIsolation(baseline, during)
        let dead = isToBeHungUp ? victim : nil
        try expectTap(without: dead)
        judge(try evidence(without: dead))
    }

    /// Nanoseconds between frames, before the packets and while they are sent.
    private static let floodPace: UInt64 = 2_000_000
    /// The server handles this many packets of a peer in two turns, before a strike has an effect.
    private static let batch = 2 * 64

    /// Without a pause where the third packet ends it. Otherwise at a rate that leaves CPU time to others
    /// (Docs/Internals/Chaos.md).
    private mutating func barrage(of victim: Peer, isToBeHungUp: Bool) -> String {
        guard !isToBeHungUp else { return "0ms malformed \(victim) \(times)" }
        let milliseconds = max(1, times * 1000 / Self.barragePace)
        verdict.remarks.append("\(times) packets, \(Self.barragePace) each second")
        return "0ms malformed \(victim) \(times) for \(milliseconds)ms"
    }

    private static let barragePace = 20_000

    private func refused(_ group: GroupReport) -> Int {
        group.process(.systemServer)?.number("frames.refused") ?? 0
    }

    /// Returns the resident KiB of every process, in the group's order.
    static func residentKiB(_ group: GroupReport) -> [Int] {
        group.processes.map { ProcessSample(pid: Int32(truncatingIfNeeded: $0.pid))?.residentKiB ?? 0 }
    }
}

/// The figures of a process in /proc.
struct ProcessSample {
    var residentKiB: Int
    /// The part of it that belongs to no file: heap and stacks.
    var anonymousKiB: Int
    var threads: Int
    /// 0 where this user may not count them.
    var descriptors: Int

    /// Nil when the process is gone.
    init?(pid: Int32) {
        guard pid > 1, let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else {
            return nil
        }
        func number(_ key: String) -> Int? {
            status.split(separator: "\n").first { $0.hasPrefix("\(key):") }
                .flatMap { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first }.flatMap { Int($0) }
        }
        guard let resident = number("VmRSS"), let anonymous = number("RssAnon"), let threads = number("Threads")
        else { return nil }
        (residentKiB, anonymousKiB) = (resident, anonymous)
        // The descriptors of a confined process (host.seccomp) are visible to root only.
        let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
        (self.threads, descriptors) = (threads, files?.count ?? 0)
    }
}
