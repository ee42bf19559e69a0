// ChaosFrames.swift: F6, F7, F11: frames that are lost, frames that are none, and journals without room.

import Audit
import Basics
import Foundation
import Glibc
import Hosting
import Wire

extension ChaosRun {
    // MARK: F6

    static let lossShare = 0.05

    /// Gestures over links of which each loses, doubles and overtakes one frame in twenty.
    mutating func lossyLinks() throws {
        let senders = [Peer.inputKit, .systemServer] + ground.apps
        let length = Duration.seconds(4)
        var badUntil = Instant.boot
        let begun = monotonicNow()
        for gesture in 1...times {
            let now = monotonicNow()
            // Asked for again before the last is over, so that every gesture is on bad links.
            if now.duration(to: badUntil) < .seconds(1) {
                for sender in senders {
                    for word in ["loss", "duplicate", "reorder"] {
                        try ground.ask(
                            "0ms \(word) \(sender) \(Self.lossShare) for \(length.nanoseconds / 1_000_000)ms")
                    }
                }
                badUntil = now.advanced(by: length)
            }
            let strokes = ground.strokes(length: .milliseconds(Int64.random(in: 80...160, using: &ground.chance)))
            // What a lost receipt was to answer is missing in the play's report: the journals know better.
            if try ground.play(.script(strokes), within: .milliseconds(400)) == nil { try ground.renew() }
            progress(gesture)
        }
        ground.sleep(until: badUntil.advanced(by: .milliseconds(100)))
        disturbances.append(
            AuditOptions.Disturbance(from: begun, until: badUntil.advanced(by: .seconds(1)), peer: nil))
        try expectTap()
        let evidence = try evidence()
        verdict.demand("frames lost on purpose", Int(evidence.report.lost), is: 1...Int.max)
        for law in [Law.oneTerminal, .legality, .conservation, .fencing] {
            let place = Law.allCases.firstIndex(of: law)!
            verdict.demand("\(law.rawValue) broken", Int(evidence.report.violationsByLaw[place]), is: 0...0)
        }
        verdict.demand("fingers still down at rest", Int(evidence.report.liveTouches), is: 0...0)
        verdict.remarks.append(
            "\(evidence.report.lost) frames lost, \(evidence.report.duplicates) heard twice, "
                + "\(evidence.report.fenced) fenced; \(evidence.report.touches) touches")
    }

    // MARK: F7

    /// An app sends noise, and the others are touched meanwhile.
    mutating func malformedFrames() throws {
        guard ground.apps.count > 1 else {
            throw Failure.badInput("malformed-frames: expected a group of at least two apps, found one")
        }
        let victim = ground.apps[ground.apps.count - 1]
        let before = try ground.awaitReady()
        let strikes = Int(settings.number("server.strikes"))
        let baseline = try latencies()
        let memory = Self.residentKiB(before)
        let refusedBefore = refused(before)
        let begun = try ground.ask("0ms malformed \(victim) \(times)")
        var during: [Duration] = []
        var lost = 0
        var peak = memory
        var count = 0
        let isToBeHungUp = strikes <= times
        // Until all of it has been taken, or its sender is dead.
        while begun.duration(to: monotonicNow()) < ChaosGround.patience {
            var group = try ground.group()
            for (index, now) in Self.residentKiB(group).enumerated() where peak.indices.contains(index) {
                peak[index] = max(peak[index], now)
            }
            count = refused(group) - refusedBefore
            progress(min(count, times))
            let state = group.processes.first { $0.name == "\(victim)" }?.state
            if isToBeHungUp ? state == "quarantined" : count >= times { break }
            let report = try ground.play(
                .synthetic(frames: 50), pace: .every(2_000_000), within: .seconds(5),
                ledgers: { during.append($0.whole) })
            if report?.losses != nil || report == nil { lost += 1 }
            group = try ground.group()
        }
        let after = try ground.group()
        count = refused(after) - refusedBefore
        let grown = zip(memory, peak).map { $1 - $0 }.max() ?? 0
        verdict.demand("rejected", count, is: min(strikes, times)...max(times, strikes))
        verdict.demand(
            "disconnected and quarantined",
            after.processes.first { $0.name == "\(victim)" }?.state == "quarantined" ? 1 : 0,
            is: isToBeHungUp ? 1...1 : 0...0)
        func restarts(_ group: GroupReport) -> Int {
            group.processes.filter { $0.name != "\(victim)" }.reduce(0) { $0 + Int($1.restarts) }
        }
        verdict.demand("crashes of others", restarts(after) - restarts(before), is: 0...0)
        verdict.demand("KiB grown, at most", grown, is: 0...(16 * 1024))
        verdict.demand("plays in others that lost something", lost, is: 0...0)
        isolation(baseline, during)
        if !isToBeHungUp { try expectTap() }
        _ = try evidence(isAtRest: !isToBeHungUp)
    }

    private func refused(_ group: GroupReport) -> Int {
        guard let server = group.processes.first(where: { $0.name == "\(Peer.systemServer)" }),
            case .number(let count)? = server.rows.first(where: { $0.key == "frames.refused" })?.value
        else { return 0 }
        return Int(count)
    }

    /// Of every process, in the group's order.
    static func residentKiB(_ group: GroupReport) -> [Int] {
        group.processes.map { ProcessSample(pid: Int32(truncatingIfNeeded: $0.pid))?.residentKiB ?? 0 }
    }

    // MARK: Latency

    /// Of frames at an even pace, from the device to the end of the app's work.
    func latencies() throws -> [Duration] {
        var found: [Duration] = []
        try ground.play(
            .synthetic(frames: 400), pace: .every(4_000_000), within: .seconds(10), ledgers: { found.append($0.whole) })
        return found
    }

    func percentile(_ values: [Duration], _ part: Double) -> Duration {
        let sorted = values.sorted()
        return sorted.isEmpty ? .zero : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }

    /// I5: p99 ≤ max(1.5 × baseline, baseline + 2 ms).
    mutating func isolation(_ baseline: [Duration], _ during: [Duration]) {
        guard !during.isEmpty else { return }
        let before = percentile(baseline, 0.99)
        let limit = max(Duration(seconds: before.seconds * 1.5), before + .milliseconds(2))
        verdict.demand(
            "p99 of others (I5); it was \(before.milliseconds) before", [percentile(during, 0.99)], percentile: 1,
            within: limit)
    }
}

extension Ledger {
    /// From the device to the end of the app's work; zero for one that never got there.
    var whole: Duration {
        guard let device = self[.device], let handled = self[.appHandled] else { return .zero }
        return device.duration(to: handled)
    }
}

/// What /proc says of a process.
struct ProcessSample {
    var residentKiB: Int
    var threads: Int
    var descriptors: Int

    /// Nil when it is gone.
    init?(pid: Int32) {
        guard pid > 1, let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else {
            return nil
        }
        func number(_ key: String) -> Int? {
            status.split(separator: "\n").first { $0.hasPrefix("\(key):") }
                .flatMap { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first }.flatMap { Int($0) }
        }
        guard let resident = number("VmRSS"), let threads = number("Threads"),
            let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")
        else { return nil }
        (residentKiB, self.threads, descriptors) = (resident, threads, files.count)
    }
}
