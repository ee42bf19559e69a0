// SoakRun.swift: the minutes of a soak: plays without end, faults as they are due, a look at every process each second.
//
//    settle ─▶ baseline ─▶ faults and samples … ─▶ heal ─▶ last samples ─▶ journals
//
// Two conversations: one waits for plays, the other asks and hurts.

import Audit
import Basics
import Faults
import Foundation
import Glibc
import Hosting
import Wire
import ZeroMQHost

/// What one look at one process saw.
struct SoakSample {
    /// Since the soak began, seconds.
    var time: Double
    var peer: Peer
    var generation: Int64
    var of: ProcessSample
}

struct SoakOutcome {
    var samples: [SoakSample] = []
    /// Done, with their moments in seconds.
    var faults: [(time: Double, fault: Fault)] = []
    var demands: [ChaosVerdict.Demand] = []
    var violations: [String] = []
    var remarks: [String] = []
    var seconds = 0.0

    var isPassed: Bool { violations.isEmpty && demands.allSatisfy(\.isMet) }

    static let head = ["what", "demanded", "measured", "verdict"]

    var table: [[String]] {
        demands.map { [$0.what, $0.demanded, $0.measured, $0.isMet ? "passed" : "MISSED"] }
            + [
                [
                    "laws I1–I8", "none broken", violations.isEmpty ? "none broken" : "\(violations.count) broken",
                    violations.isEmpty ? "passed" : "MISSED",
                ]
            ]
    }

    func json(svg: String) -> [String: Any] {
        [
            "passed": isPassed, "seconds": seconds, "faults": faults.count, "samples": samples.count, "svg": svg,
            "violations": violations, "remarks": remarks,
            "demands": demands.map { demand in
                [
                    "what": demand.what, "demanded": demand.demanded, "measured": demand.measured,
                    "passed": demand.isMet,
                ] as [String: Any]
            },
        ]
    }
}

struct SoakRun {
    private let group: ChaosGroup
    private let ground: ChaosGround
    private let player: ControlClient
    private let plan: FaultPlan
    private let length: Duration
    private let period: UInt64
    private let isShown: Bool
    private var outcome = SoakOutcome()
    private var begun = Instant.boot
    private var resumes: [(at: Instant, pid: Int32)] = []
    private var disturbances: [AuditOptions.Disturbance] = []

    // Plays.
    private var plays: UInt32 = 0
    private var isPlaying = false
    private var playBegan = Instant.boot
    private var sum = PlayReport(id: 0)
    private var failures = 0

    /// Before faults begin and after they end.
    private static let calm = 8
    private static let growthLimitKiB = 16 * 1024
    private static let descriptorSlack = 2

    init(
        plan: FaultPlan, length: Duration, apps: Int, rate: Double, keep: Bool, isQuiet: Bool
    ) throws {
        group = try ChaosGroup(
            settings: [
                // Deaths are the point here, and no crash loop.
                "supervisor.restartLimit=1000", "supervisor.backoffLimit=0.05",
                // All of it is replayed, however long it was.
                "journal.limit=1048576",
            ], apps: apps, keeps: keep)
        ground = try ChaosGround(runDirectory: group.runDirectory, seed: 1)
        do throws(HostError) {
            player = try ControlClient(runDirectory: group.runDirectory)
        } catch { throw Failure.group(error) }
        (self.plan, self.length, period) = (plan, length, UInt64(1e9 / rate))
        isShown = !isQuiet && isatty(STDERR_FILENO) == 1
        if keep { outcome.remarks.append("its folder: \(group.runDirectory)") }
    }

    mutating func run() throws -> SoakOutcome {
        begun = monotonicNow()
        defer { StoppedProcesses.resumeAll() }
        // Warm: what is made at the first touch is not growth.
        var calmBefore: [[SoakSample]] = []
        for _ in 0..<Self.calm {
            try live(until: monotonicNow().advanced(by: .seconds(1)))
            calmBefore.append(try sample())
        }
        let stormBegins = monotonicNow()
        var waiting = plan.faults[...]
        var nextSample = stormBegins.advanced(by: .seconds(1))
        let end = stormBegins.advanced(by: length)
        while monotonicNow() < end {
            let nextFault = waiting.first.map { stormBegins.advanced(by: $0.at) } ?? .never
            let nextResume = resumes.map(\.at).min() ?? .never
            try live(until: min(end, nextSample, nextFault, nextResume))
            let now = monotonicNow()
            resume(at: now)
            if nextFault <= now, let fault = waiting.popFirst() { try suffer(fault) }
            if nextSample <= now {
                _ = try sample()
                nextSample = now.advanced(by: .seconds(1))
                show(stormBegins.duration(to: now))
            }
        }
        try heal()
        var calmAfter: [[SoakSample]] = []
        for _ in 0..<Self.calm {
            try live(until: monotonicNow().advanced(by: .seconds(1)))
            calmAfter.append(try sample())
        }
        show(length, isLast: true)
        try finishPlay()
        judge(calmBefore.suffix(Self.calm / 2), calmAfter.suffix(Self.calm / 2))
        try audit()
        outcome.seconds = begun.duration(to: monotonicNow()).seconds
        return outcome
    }

    // MARK: Touching

    /// Keeps a finger moving until then.
    private mutating func live(until moment: Instant) throws {
        while case let left = monotonicNow().duration(to: moment), left > .zero {
            if !isPlaying {
                plays += 1
                playBegan = monotonicNow()
                try player.ask(
                    .play(PlayOrder(id: plays, source: .synthetic(frames: 1000), pace: .every(period))))
                isPlaying = true
            }
            try take(try player.next(timeout: min(left, .milliseconds(100))))
        }
    }

    private mutating func take(_ message: Message?) throws {
        switch message {
        case .played(let report) where report.id == plays:
            isPlaying = false
            if report.failure.isEmpty { sum = sum + report } else { failures += 1 }
            // Busy, or not there yet.
            if report.sent == 0 { usleep(5000) }
        case .refused:
            // Its player is being started again.
            isPlaying = false
            usleep(5000)
        case .some: return
        case nil:
            // A second of scans that takes a minute is answered by nobody any more.
            if isPlaying, playBegan.duration(to: monotonicNow()) > .seconds(60) {
                outcome.violations.append("a play of 1000 frames has no end after 60 s")
                isPlaying = false
            }
        }
    }

    private mutating func finishPlay() throws {
        let deadline = monotonicNow().advanced(by: .seconds(30))
        while isPlaying, monotonicNow() < deadline { try take(try player.next(timeout: .milliseconds(100))) }
    }

    // MARK: Hurting

    private mutating func suffer(_ fault: Fault) throws {
        let now = monotonicNow()
        var peer: Peer? = fault.target
        switch fault.word {
        case .kill: _ = try ground.signal(SIGKILL, to: fault.target)
        case .stop:
            let pid = Int32(truncatingIfNeeded: try ground.life(of: fault.target).pid)
            if StoppedProcesses.stop(pid) { resumes.append((now.advanced(by: fault.length), pid)) }
        // Done from outside, by means that a group of one's own does not have.
        case .suspend, .deviceTime, .wallTime: return
        case .slow, .crashLoop, .loss, .duplicate, .reorder, .delay, .clog, .malformed, .diskFull:
            // Whoever is dead at the moment suffers nothing.
            do { try ground.ask("\(fault)") } catch let failure as Failure where failure.line.contains("is not running")
            {
                return
            }
            if fault.word.isOfLinks { peer = nil }
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

    private mutating func heal() throws {
        StoppedProcesses.resumeAll()
        resumes.removeAll()
        // Faults that were still under way are over in a moment: the plan ends with the storm.
        try live(until: monotonicNow().advanced(by: .seconds(1)))
        try ground.awaitReady("healed")
    }

    // MARK: Looking

    private mutating func sample() throws -> [SoakSample] {
        let group = try ground.group()
        let time = begun.duration(to: monotonicNow()).seconds
        var samples: [SoakSample] = []
        let all = [("\(Peer.supervisor)", Int64(group.pid), Int64(1))]
        for (name, pid, generation) in all + group.processes.map({ ($0.name, $0.pid, $0.generation) }) {
            guard let peer = Peer(name), let found = ProcessSample(pid: Int32(truncatingIfNeeded: pid)) else {
                continue
            }
            samples.append(SoakSample(time: time, peer: peer, generation: generation, of: found))
        }
        outcome.samples += samples
        return samples
    }

    private func show(_ past: Duration, isLast: Bool = false) {
        guard isShown else { return }
        let text =
            isLast
            ? "\r\u{1B}[K"
            : "\r\u{1B}[Ksoak: \(fixedText(past.seconds, digits: 0)) of \(fixedText(length.seconds, digits: 0)) s, "
                + "\(sum.delivered) frames, \(outcome.faults.count) faults"
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }

    // MARK: Judging

    private mutating func judge(_ before: ArraySlice<[SoakSample]>, _ after: ArraySlice<[SoakSample]>) {
        func median(_ rounds: ArraySlice<[SoakSample]>, _ value: ([SoakSample]) -> Int) -> Int {
            let values = rounds.map(value).sorted()
            return values.isEmpty ? 0 : values[values.count / 2]
        }
        func memory(_ samples: [SoakSample]) -> Int { samples.reduce(0) { $0 + $1.of.residentKiB } }
        let (begin, end) = (median(before, memory), median(after, memory))
        demand("group's memory grown, KiB (it was \(begin))", end - begin, atMost: Self.growthLimitKiB)
        for peer in before.last?.map(\.peer) ?? [] {
            func descriptors(_ samples: [SoakSample]) -> Int { samples.first { $0.peer == peer }?.of.descriptors ?? 0 }
            func threads(_ samples: [SoakSample]) -> Int { samples.first { $0.peer == peer }?.of.threads ?? 0 }
            let files = (median(before, descriptors), median(after, descriptors))
            demand("\(peer): files off from \(files.0)", abs(files.1 - files.0), atMost: Self.descriptorSlack)
            let running = (median(before, threads), median(after, threads))
            demand("\(peer): threads off from \(running.0)", abs(running.1 - running.0), atMost: 0)
        }
        outcome.remarks.append(
            "\(sum.sent) frames played to their end, \(sum.delivered) delivered, \(sum.dropped) dropped; \(failures) "
                + "plays broken off by faults; \(outcome.faults.count) faults")
    }

    private mutating func demand(_ what: String, _ found: Int, atMost limit: Int) {
        outcome.demands.append(
            ChaosVerdict.Demand(what: what, demanded: "≤ \(limit)", measured: "\(found)", isMet: found <= limit))
    }

    private mutating func audit() throws {
        try ground.awaitQuiet()
        var options = AuditOptions.live
        options.disturbances = disturbances
        let evidence = try ChaosEvidence(runDirectory: group.runDirectory, options: options)
        outcome.violations += evidence.violations
        let isExact = evidence.report.scans.isExact && evidence.report.frames.isExact
        outcome.demands.append(
            ChaosVerdict.Demand(
                what: "audit", demanded: "exact", measured: isExact ? "exact" : "off", isMet: isExact))
        outcome.remarks.append("\(evidence.lives.count) lives, \(evidence.steps) steps replayed; \(evidence.balance)")
        outcome.remarks += evidence.complaints
    }
}
