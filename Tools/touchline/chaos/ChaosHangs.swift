// ChaosHangs.swift: F4, F5: an app with a blocked main thread, and one that takes long for each frame.
//
// Sources   Docs/Spec/Pipeline.md section 4

import Audit
import Basics
import Glibc
import Settings
import Wire

extension ChaosRun {
    // MARK: F4

    static let hangLengths: [Duration] = [.seconds(1), .seconds(5), .seconds(30)]

    /// The foreground app hangs under a finger, for each of three lengths, and fingers land on it meanwhile.
    mutating func hangs() throws {
        // Fault F4 counts 30 s as well. Where times are not judged, the shorter two show the same.
        let lengths = verdict.judgesTimes ? Self.hangLengths : Array(Self.hangLengths.prefix(2))
        let wanted = times * lengths.count
        try hangIsolation()
        let victim = target.apps[0]
        var hangs: [(from: Instant, until: Instant)] = []
        var works: [Duration] = []
        for _ in 0..<times {
            for length in lengths {
                try target.awaitQuiet()
                // One finger is down at the start of the hang and moves. Others land when the server has reported the
                // app.
                let script =
                    target.strokes(most: 1, length: .milliseconds(750), latest: 0)
                    + "\nstroke f2 (50,100) (60,200) @0.800 0.900 step 1/120"
                    + "\nstroke f3 (80,100) (90,200) @0.950 1.050 step 1/120"
                var from = Instant.boot
                try target.play(.script(script), within: length + .seconds(5)) { begun in
                    target.sleep(until: begun.advanced(by: .milliseconds(60)))
                    from = try target.requestFault("0ms suspend \(victim) \(length.nanoseconds / 1_000_000)")
                    target.sleep(until: begun.advanced(by: .milliseconds(70)))
                }
                let until = from.advanced(by: length)
                target.sleep(until: until)
                disturbances.append(
                    AuditOptions.Disturbance(
                        from: from, until: until.advanced(by: .seconds(1)), peer: victim, explainsLoss: false))
                if let tapped = try target.tap() { works.append(until.duration(to: tapped)) }
                hangs.append((from, until))
                progress(hangs.count, of: wanted)
            }
        }
        verdict.times = hangs.count
        verdict.demand("hangs", hangs.count, is: wanted...wanted)
        try expectTap()
        let evidence = try evidence()
        judge(evidence)
        judge(hangs, evidence, works)
    }

    private mutating func judge(
        _ hangs: [(from: Instant, until: Instant)], _ evidence: ChaosEvidence, _ works: [Duration]
    ) {
        var flagged: [Duration] = []
        var records = 0
        var early = 0
        var old = 0
        for hang in hangs {
            for mark in evidence.events where mark.at >= hang.from && mark.at < hang.until.advanced(by: .seconds(1)) {
                switch mark.kind {
                case .stalled(let stall) where stall.lasted == nil && mark.at < hang.until:
                    records += 1
                    let after = stall.since.duration(to: mark.at)
                    flagged.append(after)
                    if after < .milliseconds(450) { early += 1 }
                case .newsHandled(let age) where mark.at >= hang.until && age > .milliseconds(250): old += 1
                default: continue
                }
            }
        }
        verdict.demand(
            "reported unresponsive", flagged, percentile: 1, within: .milliseconds(550), of: hangs.count)
        verdict.demand("reported before 450 ms", early, is: 0...0)
        verdict.demand("records", records, is: hangs.count...hangs.count)
        verdict.demand("landings and moves older than 250 ms sent after a hang", old, is: 0...0)
        verdict.demand(
            "touches cancelled by a hang", Int(evidence.report[.notResponding] + evidence.report[.late]),
            is: hangs.count...hangs.count)
        verdict.demand(
            "landings dropped by a hang", Int(evidence.report.scans[.notResponding]), is: (2 * hangs.count)...Int.max)
        verdict.demand("a tap works after a hang", works, percentile: 1, within: .seconds(1), of: hangs.count)
        verdict.demand("most frames unanswered by an app", Int(evidence.report.queues.mostOutstanding), is: 1...window)
    }

    private var window: Int { settings[.serverCreditWindow] }

    /// I5: the last app hangs in the background while the first one is touched.
    private mutating func hangIsolation() throws {
        guard target.apps.count > 1, let victim = target.apps.last else {
            verdict.remarks.append("the group has one app, so isolation (I5) is not measured")
            return
        }
        // A client of its own: over one client, answers of the two would be mistaken for each other.
        let other = try ChaosTarget(runDirectory: target.runDirectory, seed: 1)
        try isolation { _ in _ = try? other.requestFault("0ms suspend \(victim) 1000") }
    }

    // MARK: F5

    /// Strokes at 1 kHz into an app that takes 20 ms a frame.
    mutating func slowness() throws {
        let frames: UInt32 = 1000
        let (pace, cost) = (UInt64(1_000_000), 20)
        // A stroke, the time to handle the rest of it, and the pause before the next.
        let length = Duration.seconds(Int64(times) * 3)
        try target.awaitQuiet()
        let begun = try target.requestFault(
            "0ms slow \(target.apps[0]) \(cost) for \(length.nanoseconds / 1_000_000)ms")
        disturbances.append(
            AuditOptions.Disturbance(
                from: begun, until: begun.advanced(by: length + .seconds(1)), peer: target.apps[0],
                explainsLoss: false))
        var done = 0
        for stroke in 1...times {
            let report = try target.play(
                .synthetic(frames: frames), pace: .every(pace), within: .seconds(8))
            if let report, report.failure.isEmpty, report.answered == report.sent { done += 1 }
            progress(stroke)
        }
        target.sleep(until: begun.advanced(by: length))
        verdict.demand("strokes whose scans were all answered", done, is: times...times)
        try expectTap()
        let evidence = try evidence()
        judge(evidence)
        let report = evidence.report
        verdict.demand("most frames unanswered by an app", Int(report.queues.mostOutstanding), is: 1...window)
        verdict.demand("touches", Int(report.touches), is: (times + 1)...Int.max)
        verdict.demand("touches that did not end with the lift", Int(report.touches - report[.lifted]), is: 0...0)
        verdict.demand("scans dropped", Int(report.scans[.dropped]), is: 0...0)
        // At 1 kHz an app that handles fifty frames a second receives nineteen of twenty scans as history.
        verdict.demand(
            "scans delivered as history of other scans", Int(report.queues.historySamples),
            is: (times * Int(frames) / 4)...Int.max)
        verdict.demand("reported unresponsive", Int(report.queues.stalls), is: 0...0)
        verdict.remarks.append(
            "\(report.frames[.delivered]) frames for \(report.scans.injected) scans, "
                + "\(report.scans[.coalesced]) coalesced")
    }
}
