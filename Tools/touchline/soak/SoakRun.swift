// SoakRun.swift: the run of a soak: endless plays, faults when they are due, a sample of every process each second.
//
//    settle ─▶ baseline ─▶ faults and samples … ─▶ heal ─▶ last samples ─▶ journals
//
// Two connections: one waits for plays, the other asks and applies faults.

import Audit
import Basics
import Faults
import Foundation
import Glibc
import Hosting
import Wire
import ZeroMQHost

/// One sample of one process.
struct SoakSample {
    /// Seconds since the soak began.
    var time: Double
    var peer: Peer
    var generation: Int64
    var processSample: ProcessSample
}

/// The result of a soak.
struct SoakOutcome {
    var samples: [SoakSample] = []
    /// The applied faults, with their times in seconds.
    var faults: [(time: Double, fault: Fault)] = []
    var demands: [ChaosVerdict.Demand] = []
    var violations: [String] = []
    var remarks: [String] = []
    var seconds = 0.0

    /// The laws that the audit judged in the journals.
    var laws: [Law] = []

    var isPassed: Bool { violations.isEmpty && !laws.isEmpty && demands.allSatisfy(\.isMet) }

    static let head = ["what", "demanded", "measured", "verdict"]

    var table: [[String]] {
        demands.map(\.row) + [ChaosVerdict.Demand(laws: laws, violations: violations).row]
    }

    func json(svg: String) -> [String: Any] {
        [
            "passed": isPassed, "seconds": seconds, "faults": faults.count, "samples": samples.count, "svg": svg,
            "violations": violations, "remarks": remarks, "laws": laws.map(\.rawValue),
            "demands": demands.map(\.json),
        ]
    }
}

/// The run of a soak.
struct SoakRun {
    private let group: OwnGroup
    private let target: ChaosTarget
    private var player: GroupPlayer
    private let plan: FaultPlan
    private let length: Duration
    private let rate: Double
    private let judgesTimes: Bool
    private var bar = ProgressBar(linesEvery: .seconds(10))
    private var outcome = SoakOutcome()
    private var begun = Instant.boot
    private var resumes: [(at: Instant, pid: Int32)] = []
    private var disturbances: [AuditOptions.Disturbance] = []

    // Plays.
    private var totalReport = PlayReport(id: 0)
    private var failures = 0
    /// Faults with a dead target when they were due.
    private var skippedFaults = 0

    /// Seconds before the first fault and after the last one.
    private static let calmSeconds = 8
    private static let growthLimitKiB = 16 * 1024
    private static let descriptorSlack = 2
    /// The share of --rate that a calm second must deliver; between plays there is a short pause.
    private static let deliveredShare = 0.7

    init(
        plan: FaultPlan, length: Duration, apps: Int, rate: Double, keep: Bool, judgesTimes: Bool
    ) throws {
        var settings = [
            // Deaths are intended here and form no crash loop.
            "supervisor.restartLimit=1000", "supervisor.backoffLimit=0.05",
            // The whole run is replayed, whatever its length.
            "journal.processLimit=1048576",
        ]
        // A process with malformed packets is not quarantined.
        if plan.faults.contains(where: { $0.kind == .malformed }) { settings.append("server.strikeLimit=1000000") }
        // The open files of a confined process are visible to root only.
        let openness = geteuid() == 0 ? [] : ["host.seccomp=false"]
        group = try OwnGroup(allowsChaos: true, settings: settings + openness, apps: apps, keeps: keep)
        target = try ChaosTarget(runDirectory: group.runDirectory, seed: 1)
        player = GroupPlayer(client: try .connect(to: group.runDirectory))
        (self.plan, self.length, self.rate) = (plan, length, rate)
        self.judgesTimes = judgesTimes
        if keep { outcome.remarks.append("the group's folder: \(group.runDirectory)") }
    }

    /// Returns the reason why a rule of a profile cannot apply to a group that must live on; nil when it can.
    static func refusal(of rule: FaultRule, apps: UInt32) -> String? {
        for case .peer(let peer) in rule.targets {
            if peer.role == .app, !(1...apps).contains(peer.instance) {
                return "\(peer) is not one of the \(apps) apps of --apps"
            }
            switch (rule.kind, peer.role) {
            case (.kill, .supervisor), (.stop, .supervisor), (.crashLoop, .supervisor):
                return "expected a process of the group, found supervisor, whose end is the end of the group"
            case (.malformed, .supervisor), (.malformed, .systemServer):
                return "expected input-kit or an app, which have a link to the server, found \(peer)"
            case (.link, .supervisor):
                return "expected input-kit, system-server or apps, which have links, found supervisor"
            default: continue
            }
        }
        switch rule.kind {
        // They need means that a group of one's own does not have.
        case .suspend, .deviceTime, .wallTime:
            return "cannot be applied to a running group: use `touchline simulate --faults` or `touchline chaos F9`"
        case .kill, .stop, .link, .host: return nil
        }
    }

    /// Runs the soak. An early end is one of the violations, and the outcome so far is returned.
    mutating func run() -> SoakOutcome {
        begun = monotonicNow()
        var isAtRest = false
        do {
            try runFaults()
            isAtRest = true
        } catch { outcome.violations.append("the group: \(error)") }
        StoppedProcesses.resumeAll()
        bar.clear()
        do { try audit(isAtRest: isAtRest) } catch { outcome.violations.append("the journals: \(error)") }
        outcome.remarks.append(
            "\(totalReport.sent) frames of complete plays: \(totalReport.delivered) delivered, "
                + "\(totalReport.dropped) dropped; \(failures) plays stopped by faults; \(outcome.faults.count) faults "
                + "applied, \(skippedFaults) skipped because their process was not running"
        )
        outcome.seconds = begun.duration(to: monotonicNow()).seconds
        return outcome
    }

    private mutating func runFaults() throws {
        // The calm phase warms up: memory of the first touch is no growth.
        let before = try runCalmPhase("before")
        let stormBegins = monotonicNow()
        var waiting = plan.faults[...]
        var nextSample = stormBegins.advanced(by: .seconds(1))
        let end = stormBegins.advanced(by: length)
        while monotonicNow() < end {
            let nextFault = waiting.first.map { stormBegins.advanced(by: $0.at) } ?? .never
            let nextResume = resumes.map(\.at).min() ?? .never
            try keepMoving(until: min(end, nextSample, nextFault, nextResume))
            let now = monotonicNow()
            resume(at: now)
            if nextFault <= now, let fault = waiting.popFirst() { try apply(fault) }
            if nextSample <= now {
                _ = try sample()
                nextSample = now.advanced(by: .seconds(1))
                show(stormBegins.duration(to: now))
            }
        }
        try endFaults()
        try finishPlay()
        let after = try runCalmPhase("after")
        try finishPlay()
        judge(before, after)
        judgeGrowth()
        if !plan.faults.isEmpty {
            let done = outcome.faults.count
            outcome.demands.append(
                ChaosVerdict.Demand(
                    what: "faults applied, of \(plan.faults.count)", demanded: "≥ 1", measured: "\(done)",
                    isMet: done > 0)
            )
        }
    }

    /// A phase without faults.
    private struct CalmPhase {
        var samples: [[SoakSample]] = []
        /// The scans expected at --rate, and the delivered ones.
        var expected = 0.0
        var delivered: UInt64 = 0
    }

    /// - Parameter when: `before` or `after` the faults.
    private mutating func runCalmPhase(_ when: String) throws -> CalmPhase {
        var calm = CalmPhase()
        let (began, deliveredBefore) = (monotonicNow(), totalReport.delivered)
        for _ in 0..<Self.calmSeconds {
            bar.show("soak: \(calm.samples.count) of \(Self.calmSeconds) s \(when) the faults")
            try keepMoving(until: monotonicNow().advanced(by: .seconds(1)))
            calm.samples.append(try sample())
        }
        calm.expected = began.duration(to: monotonicNow()).seconds * rate
        calm.delivered = totalReport.delivered - deliveredBefore
        return calm
    }

    // MARK: Touches

    /// The frames of a quarter of a second: a play is counted when it ends.
    private var framesOfPlay: UInt32 { UInt32(max(25, rate / 4)) }

    /// Keeps a finger moving until `moment`.
    private mutating func keepMoving(until moment: Instant) throws {
        while case let left = monotonicNow().duration(to: moment), left > .zero {
            if !player.isPlaying {
                try player.order(
                    PlayOrder(id: 0, source: .synthetic(frames: framesOfPlay), pace: .every(UInt64(1e9 / rate))))
            }
            try handle(try player.next(within: min(left, .milliseconds(100))))
        }
    }

    private mutating func handle(_ news: GroupPlayer.Update) throws {
        switch news {
        case .ended(let report):
            if report.failure.isEmpty { totalReport = totalReport + report } else { failures += 1 }
            // Busy, or not ready yet.
            if report.sent == 0 { usleep(5000) }
        case .refused:
            // The player is being started again.
            usleep(5000)
        case .measured, .other: return
        case .none:
            // A play of a quarter of a second that lasts a minute gets no answer any more.
            if player.isPlaying, player.begun.duration(to: monotonicNow()) > .seconds(60) {
                outcome.violations.append("a play of \(framesOfPlay) frames has not ended after 60 s")
                player.stopWaiting()
            }
        }
    }

    private mutating func finishPlay() throws {
        let deadline = monotonicNow().advanced(by: .seconds(30))
        while player.isPlaying, monotonicNow() < deadline { try handle(try player.next(within: .milliseconds(100))) }
    }

    // MARK: Faults

    private mutating func apply(_ fault: Fault) throws {
        let now = monotonicNow()
        var peer: Peer? = fault.target
        switch fault.kind {
        case .kill:
            guard try target.signal(SIGKILL, to: fault.target) != nil else { return skippedFaults += 1 }
        case .stop:
            let pid = Int32(truncatingIfNeeded: try target.process(of: fault.target).pid)
            guard StoppedProcesses.stop(pid) else { return skippedFaults += 1 }
            resumes.append((now.advanced(by: fault.length), pid))
        case .suspend, .deviceTime, .wallTime: preconditionFailure("a profile with \(fault.kind) was refused")
        case .link, .host:
            // The fault is due now. A dead process takes none.
            var faultToSend = fault
            faultToSend.at = .zero
            do { try target.requestFault("\(faultToSend)") } catch let failure as Failure
                where failure.line.contains("is not running")
            {
                return skippedFaults += 1
            }
            if fault.kind.isOfLinks { peer = nil }
        }
        disturbances.append(
            AuditOptions.Disturbance(
                from: now, until: now.advanced(by: fault.length).advanced(by: .seconds(1)), peer: peer))
        outcome.faults.append((begun.duration(to: now).seconds, fault))
    }

    private mutating func resume(at now: Instant) {
        for resume in resumes where resume.at <= now { StoppedProcesses.resume(resume.pid) }
        resumes.removeAll { $0.at <= now }
    }

    private mutating func endFaults() throws {
        StoppedProcesses.resumeAll()
        resumes.removeAll()
        // Remaining faults end soon, because the plan ends with the storm.
        try keepMoving(until: monotonicNow().advanced(by: .seconds(1)))
        try target.awaitReady("healed")
    }

    // MARK: Samples

    private mutating func sample() throws -> [SoakSample] {
        let group = try target.group()
        let time = begun.duration(to: monotonicNow()).seconds
        var samples: [SoakSample] = []
        let all = [("\(Peer.supervisor)", Int64(group.pid), Int64(1))]
        for (name, pid, generation) in all + group.processes.map({ ($0.name, $0.pid, $0.generation) }) {
            guard let peer = Peer(name), let found = ProcessSample(pid: Int32(truncatingIfNeeded: pid)) else {
                continue
            }
            samples.append(SoakSample(time: time, peer: peer, generation: generation, processSample: found))
        }
        outcome.samples += samples
        return samples
    }

    private mutating func show(_ past: Duration) {
        bar.show(
            past.seconds / length.seconds,
            "soak: \(fixedText(past.seconds, digits: 0)) of \(fixedText(length.seconds, digits: 0)) s, "
                + "\(totalReport.delivered) frames, \(outcome.faults.count) faults")
    }

    // MARK: Judgement

    private mutating func judge(_ first: CalmPhase, _ last: CalmPhase) {
        for (calm, when) in [(first, "before"), (last, "after")] {
            let wanted = judgesTimes ? Int(calm.expected * Self.deliveredShare) : 1
            outcome.demands.append(
                ChaosVerdict.Demand(
                    what: "frames delivered in \(Self.calmSeconds) calm seconds \(when)", demanded: "≥ \(wanted)",
                    measured: "\(calm.delivered)", isMet: calm.delivered >= wanted))
        }
        let (before, after) = (first.samples.suffix(Self.calmSeconds / 2), last.samples.suffix(Self.calmSeconds / 2))
        func median(_ rounds: ArraySlice<[SoakSample]>, _ value: ([SoakSample]) -> Int) -> Int {
            let values = rounds.map(value).sorted()
            return values.isEmpty ? 0 : values[values.count / 2]
        }
        func memory(_ samples: [SoakSample]) -> Int { samples.reduce(0) { $0 + $1.processSample.residentKiB } }
        let (begin, end) = (median(before, memory), median(after, memory))
        demand("growth of the group's memory in KiB, from \(begin)", end - begin, atMost: Self.growthLimitKiB)
        for peer in before.last?.map(\.peer) ?? [] {
            func descriptors(_ samples: [SoakSample]) -> Int {
                samples.first { $0.peer == peer }?.processSample.descriptors ?? 0
            }
            func threads(_ samples: [SoakSample]) -> Int {
                samples.first { $0.peer == peer }?.processSample.threads ?? 0
            }
            let files = (median(before, descriptors), median(after, descriptors))
            demand(
                "\(peer): difference from \(files.0) open files", abs(files.1 - files.0), atMost: Self.descriptorSlack)
            let running = (median(before, threads), median(after, threads))
            demand("\(peer): difference from \(running.0) threads", abs(running.1 - running.0), atMost: 0)
        }
    }

    // A killed process has other instances before and after, so a leak shows within one instance.

    /// Seconds after the start of an instance from which its size should be constant.
    private static let warmUpTime = 20.0
    private static let minimumAge = 60.0
    /// The KiB that an allocator keeps and gives back.
    private static let allocatorGrain = 1024

    /// Judges for each process the instance with the most growth, relative to its share of the ten minutes' limit.
    private mutating func judgeGrowth() {
        let peers = Set(outcome.samples.map(\.peer)).sorted()
        var isAny = false
        for peer in peers {
            var worst: (grown: Int, limit: Int, generation: Int64, seconds: Double)?
            let own = outcome.samples.filter { $0.peer == peer }
            for generation in Set(own.map(\.generation)).sorted() {
                let processSamples = own.filter { $0.generation == generation }
                guard let growth = Self.growth(of: processSamples) else { continue }
                let limit = Int(Double(Self.growthLimitKiB) * growth.seconds / 600) + Self.allocatorGrain
                if worst.map({ growth.grown - limit > $0.grown - $0.limit }) ?? true {
                    worst = (growth.grown, limit, generation, growth.seconds)
                }
            }
            guard let worst else { continue }
            isAny = true
            demand(
                "\(peer).\(worst.generation): growth in \(fixedText(worst.seconds, digits: 0)) s, in KiB", worst.grown,
                atMost: worst.limit)
        }
        if !isAny { outcome.remarks.append("no process ran a minute, so only the growth of the group was judged") }
    }

    /// Returns the growth in the samples of one instance since it was warm, with the time. Nil for an instance that
    /// is too short.
    ///
    /// Only anonymous memory counts: a journal is mapped, and its pages come and go.
    private static func growth(of instance: [SoakSample]) -> (grown: Int, seconds: Double)? {
        guard let first = instance.first?.time, let last = instance.last?.time, last - first >= minimumAge else {
            return nil
        }
        func median(_ part: [SoakSample]) -> Int {
            let values = part.map(\.processSample.anonymousKiB).sorted()
            return values.isEmpty ? 0 : values[values.count / 2]
        }
        let early = instance.filter { ($0.time - first) >= warmUpTime && ($0.time - first) < warmUpTime + 5 }
        let late = instance.filter { $0.time > last - 5 }
        guard !early.isEmpty, !late.isEmpty else { return nil }
        return (median(late) - median(early), last - first - warmUpTime)
    }

    private mutating func demand(_ what: String, _ found: Int, atMost limit: Int) {
        outcome.demands.append(
            ChaosVerdict.Demand(what: what, demanded: "≤ \(limit)", measured: "\(found)", isMet: found <= limit))
    }

    /// - Parameter isAtRest: Whether the soak reached its end, with a group that must come to rest.
    private mutating func audit(isAtRest: Bool) throws {
        if isAtRest { try target.awaitQuiet() }
        var options = AuditOptions.live
        options.disturbances = disturbances
        options.isAtRest = isAtRest
        if !judgesTimes { options.ignoreTiming() }
        let evidence = try ChaosEvidence(
            runDirectory: group.runDirectory, options: options, meter: ReplayMeter(linesEvery: .seconds(10)))
        outcome.violations += evidence.violations
        outcome.laws = evidence.report.lawsJudged
        outcome.remarks.append(
            "\(evidence.processes.count) process instances, \(evidence.steps) steps replayed; \(evidence.balance)")
    }
}
