// ChaosIsolation.swift: I5: the latency of frames to an undisturbed app, before and during a fault of another app.
//
// Sources   Docs/Spec/Pipeline.md section 3, I5: p99 ≤ max(1.5 × baseline, baseline + 2 ms), same run

import Audit
import Basics
import Glibc
import Wire

/// The latencies of frames from the device to the end of the app's work.
struct MeasuredFrames {
    var times: [Duration] = []
    /// All frames sent, the lost ones included.
    var count = 0

    static func += (a: inout MeasuredFrames, b: MeasuredFrames) {
        a.times += b.times
        a.count += b.count
    }
}

extension ChaosRun {
    /// The default interval of frames in nanoseconds.
    static let evenPace: UInt64 = 4_000_000
    /// Enough frames for a 99th percentile, and enough of one kind for the audit.
    static let isolationFrames: UInt32 = 1200

    /// Plays frames at an even pace into the foreground app, and runs `meanwhile`.
    ///
    /// - Parameter meanwhile: Must not ask the group: answers would be mistaken for each other.
    func measure(
        frames: UInt32, every pace: UInt64 = ChaosRun.evenPace, meanwhile: (Instant) -> Void = { _ in }
    ) throws -> MeasuredFrames {
        var found = MeasuredFrames()
        let report = try target.play(
            .synthetic(frames: frames), pace: .every(pace),
            within: .nanoseconds(Int64(frames) * Int64(pace)) + .seconds(8), meanwhile: meanwhile
        ) { ledger in
            if let time = ledger.whole { found.times.append(time) }
        }
        // A scan that was merged into a later one has no time of its own.
        let parts = report.map { max(0, Int($0.delivered) - found.times.count) } ?? 0
        found.count = max(found.times.count, (report.map { Int($0.sent) } ?? Int(frames)) - parts)
        return found
    }

    /// Applies a fault three times to the last app, in the background, while the first one is touched.
    ///
    /// - Parameter hurt: Applies the fault to a pid.
    mutating func isolation(_ hurt: (Int32) -> Void) throws {
        guard target.apps.count > 1, let victim = target.apps.last else {
            verdict.remarks.append("the group has one app, so isolation (I5) is not measured")
            return
        }
        let baseline = try measure(frames: Self.isolationFrames)
        var during = MeasuredFrames()
        for _ in 0..<3 {
            let before = try target.process(of: victim)
            var hurtAt = monotonicNow()
            during += try measure(frames: Self.isolationFrames / 3 + 40) { begun in
                target.sleep(until: begun.advanced(by: .milliseconds(50)))
                hurtAt = monotonicNow()
                if before.pid > 1 { hurt(Int32(truncatingIfNeeded: before.pid)) }
            }
            disturbances.append(
                AuditOptions.Disturbance(from: hurtAt, until: monotonicNow(), peer: victim, excusesLateness: false))
            try target.awaitReady("ready again")
            try pause(sinceLast: hurtAt)
        }
        judgeIsolation(baseline, during)
    }

    mutating func judgeIsolation(_ baseline: MeasuredFrames, _ during: MeasuredFrames) {
        let before = Times(baseline.times, of: baseline.count).percentile(0.99)
        let limit = before.map { max(Duration(seconds: $0.seconds * 1.5), $0 + .milliseconds(2)) } ?? .zero
        verdict.demand(
            "p99 of the other app (I5); \(before?.milliseconds ?? "never") before", during.times, percentile: 0.99,
            within: limit, of: during.count)
    }
}

extension Ledger {
    /// The time from the device to the end of the app's work; nil without an end.
    var whole: Duration? {
        guard let device = self[.device], let handled = self[.appHandled] else { return nil }
        return device.duration(to: handled)
    }
}
