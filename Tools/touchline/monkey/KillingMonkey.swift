// KillingMonkey.swift: the monkey plays into a group of its own while apps are killed at random; the audit finds losses
// without a cause.
//
// Used by    `touchline monkey kills`
// Does       OwnGroup, TouchStorm, ChaosEvidence: the storm is that of chaos F16
//
// Sources   invented

import Audit
import Basics
import Hosting
import Synthesis
import Wire

/// A run of the monkey with kills.
struct KillingMonkey {
    let seed: UInt64
    let profile: MonkeyProfile
    let options: MonkeyKillOptions
    let isQuiet: Bool

    /// The result of a run with kills.
    struct Outcome {
        var tally = TouchStorm.Tally()
        var demands: [ChaosVerdict.Demand] = []
        var violations: [String] = []
        var laws: [Law] = []
        var remarks: [String] = []
        var seed: UInt64
        var apps: Int

        var isPassed: Bool { violations.isEmpty && !laws.isEmpty && demands.allSatisfy(\.isMet) }
    }

    /// Runs it. An early end is one of the violations.
    func run() throws -> Outcome {
        let (apps, kills, rate) = (options.apps, options.kills, options.rate)
        let length = Duration(seconds: options.minutes * 60)
        let group = try OwnGroup(
            allowsChaos: true,
            settings: [
                // Deaths are intended here and form no crash loop.
                "supervisor.restartLimit=1000", "supervisor.backoffLimit=0.05",
                // The whole run is replayed, whatever its length, and each process instance has a file.
                "journal.processLimit=1048576", "journal.segmentSize=0.5",
            ] + (options.hostile ? Attackers.settings : []), apps: apps, keeps: options.keep.keep)
        let ground = try ChaosTarget(runDirectory: group.runDirectory, seed: seed)
        var outcome = Outcome(seed: seed, apps: apps)
        if options.keep.keep { outcome.remarks.append("the group's folder: \(group.runDirectory)") }
        var bar = ProgressBar(linesEvery: .seconds(10))
        var isAtRest = false
        var disturbances: [AuditOptions.Disturbance] = []
        do {
            try ground.awaitReady()
            var hostility = options.hostile ? try Attackers(on: ground, seed: seed) : nil
            var storm = try TouchStorm(
                TouchStorm.Plan(
                    length: length, rate: rate, kills: kills, seed: seed, profile: profile, shareShown: 0.5),
                on: ground)
            defer { outcome.tally = storm.tally }
            try storm.run { past, tally in
                try hostility?.attack()
                guard !isQuiet else { return }
                bar.show(
                    past.seconds / length.seconds,
                    "monkey: \(fixedText(past.seconds, digits: 0)) of \(fixedText(length.seconds, digits: 0)) s, "
                        + "\(tally.report.sent) scans, \(tally.kills.count) apps killed")
            }
            if let hostility {
                try hostility.end(on: ground, into: &outcome)
                disturbances = [hostility.disturbance]
            }
            try ground.bringToFront(ground.apps[0])
            if try ground.tap() == nil { outcome.violations.append("a tap after the last kill did not arrive") }
            try ground.awaitQuiet()
            isAtRest = true
            outcome.demands.append(.nothingHeld(try ground.group()))
        } catch { outcome.violations.append("the group: \(error)") }
        bar.clear()
        judge(&outcome, length, rate, kills)
        do { try audit(&outcome, group, disturbances, isAtRest: isAtRest) } catch {
            outcome.violations.append("the journals: \(error)")
        }
        group.stop()
        return outcome
    }

    private func judge(_ outcome: inout Outcome, _ length: Duration, _ rate: Double, _ kills: Double) {
        func demand(_ what: String, _ found: Int, _ wanted: Int) {
            outcome.demands.append(
                ChaosVerdict.Demand(
                    what: what, demanded: "≥ \(wanted)", measured: "\(found)", isMet: found >= wanted))
        }
        let seconds = outcome.tally.elapsed.seconds
        demand("scans a second", Int(outcome.tally.rate), options.timing.noTiming ? 1 : Int(rate * 0.8))
        if kills > 0 {
            let wanted = options.timing.noTiming ? 1 : max(1, Int(kills * seconds * 0.8))
            demand("apps killed", outcome.tally.kills.count, wanted)
        }
    }

    private func audit(
        _ outcome: inout Outcome, _ group: OwnGroup, _ disturbances: [AuditOptions.Disturbance], isAtRest: Bool
    ) throws {
        var options = AuditOptions.live
        options.disturbances = disturbances
        options.isAtRest = isAtRest
        if self.options.timing.noTiming { options.ignoreTiming() }
        let evidence = try ChaosEvidence(
            runDirectory: group.runDirectory, options: options,
            meter: ReplayMeter(isQuiet: isQuiet, linesEvery: .seconds(10)))
        outcome.violations += evidence.violations
        outcome.laws = evidence.report.lawsJudged
        let scans = evidence.report.scans
        outcome.demands.append(
            ChaosVerdict.Demand(
                what: "scans with a known result, of \(scans.injected)", demanded: "\(scans.injected)",
                measured: "\(scans.injected &- scans.inFlight)", isMet: scans.isExact && scans.inFlight == 0))
        outcome.remarks.append(
            "\(evidence.processes.count) process instances, \(evidence.steps) steps replayed; \(evidence.balance)")
    }
}

extension KillingMonkey.Outcome {
    func printResult(asJSON: Bool) throws {
        guard !asJSON else { return try printJSON(json) }
        for line in aligned(
            [["what", "demanded", "measured", "verdict"]] + demands.map(\.row)
                + [ChaosVerdict.Demand(laws: laws, violations: violations).row])
        {
            printLine(line)
        }
        for remark in remarks { printLine(remark) }
        for violation in violations { printText(violation) }
        let pace = fixedText(tally.rate, digits: 0)
        printLine(
            "seed \(seed): \(tally.gestures) gestures, \(tally.report.sent) events in "
                + "\(fixedText(tally.elapsed.seconds, digits: 1)) s, \(pace) events/s, \(tally.acts) acts, "
                + "\(tally.kills.count) of \(apps) apps killed: \(isPassed ? "all laws hold" : "failed")")
    }

    private var json: [String: Any] {
        [
            "passed": isPassed, "seed": Int(clamping: seed), "gestures": tally.gestures,
            "events": Int(tally.report.sent), "seconds": tally.elapsed.seconds, "eventsPerSecond": tally.rate,
            "acts": tally.acts, "kills": tally.kills.count, "apps": apps, "violations": violations,
            "remarks": remarks, "laws": laws.map(\.rawValue), "demands": demands.map(\.json),
        ]
    }
}
