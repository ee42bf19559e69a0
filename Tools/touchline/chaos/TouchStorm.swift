// TouchStorm.swift: gestures at an even pace over all apps of a group, while the screen changes and apps are killed.
//
//     seed ─▶ gestures ─▶ plays, one after the other ─▶ group ◀─ acts: which apps the screen shows, and what covers it
//                                                            ◀─ SIGKILL: a number of apps a second
//
// Used by   chaos F16, `touchline monkey kills`
//
// Two connections: one waits for plays, the other asks, acts and kills. The moments come from the clock. So the same
// seed gives the same gestures, acts and victims, but not the same run.
//
// Sources   invented, after Docs/Spec/Pipeline.md section 4, F16

import Basics
import Foundation
import Glibc
import Recordings
import Synthesis
import Wire
import ZeroMQHost

/// A storm of touches, acts and kills.
struct TouchStorm {
    /// The length and the rates of a storm.
    struct Plan {
        var length: Duration
        /// Scans a second.
        var rate: Double
        /// Killed apps a second.
        var kills: Double
        var seed: UInt64
        var profile: MonkeyProfile
        /// The share of kills that hit an app on the screen, if there is one.
        var shareShown: Double
    }

    /// The counts of a storm.
    struct Tally {
        var report = PlayReport(id: 0)
        var gestures = 0
        var acts = 0
        /// Plays that were refused or stopped early.
        var interruptedPlays = 0
        var kills: [(at: Instant, app: Peer)] = []
        var elapsed = Duration.zero

        /// Scans a second.
        var rate: Double { elapsed > .zero ? Double(report.sent) / elapsed.seconds : 0 }
    }

    private let plan: Plan
    private let target: ChaosTarget
    private var player: GroupPlayer
    private var script: MonkeyScript
    private var chance: SeededGenerator
    private(set) var tally = Tally()
    /// Apps that an act has shown on the screen.
    private var shownApps: [AppID] = [1]
    /// Acts that end a call or a lock, with their moments.
    private var pendingActs: [(at: Instant, act: SystemAct)] = []

    // Apps to kill: children that the supervisor named and that have not been killed since.
    private var killableApps: [(app: Peer, pid: Int32)] = []
    private var supervisor: Int32 = 0

    /// Scans of one play. A play counts when it ends, and the next begins after a short pause.
    private static let eventsOfPlay = 600
    /// Bytes of one play's script: a frame to the group holds 64 KiB.
    private static let scriptLimit = 30_000
    private static let playLimit = Duration.seconds(30)

    init(_ plan: Plan, on ground: ChaosTarget) throws {
        (self.plan, self.target) = (plan, ground)
        player = GroupPlayer(client: try .connect(to: ground.runDirectory))
        script = MonkeyScript(seed: plan.seed, profile: plan.profile, screen: ground.screen)
        chance = SeededGenerator(seed: plan.seed &+ 1)
    }

    /// Runs the storm. At its end nothing covers the screen and no play is in progress.
    ///
    /// - Parameter show: Called with the elapsed time and the counts, at least every 50 ms.
    mutating func run(_ show: (Duration, Tally) throws -> Void = { _, _ in }) throws {
        let begun = monotonicNow()
        let end = begun.advanced(by: plan.length)
        let betweenKills = plan.kills > 0 ? Duration(seconds: 1 / plan.kills) : .seconds(86_400)
        var nextKill = begun.advanced(by: betweenKills)
        var nextAct = begun
        while case let now = monotonicNow(), now < end {
            if !player.isPlaying { try orderPlay() }
            for due in pendingActs where due.at <= now { try act(due.act) }
            pendingActs.removeAll { $0.at <= now }
            if nextAct <= now {
                try changeScreen(at: now)
                nextAct = now.advanced(by: .milliseconds(Int64.random(in: 20...200, using: &chance)))
            }
            if nextKill <= now {
                try killApp()
                // Kills that a slow answer delayed come one after the other and not all at once.
                nextKill = nextKill.advanced(by: betweenKills)
                if nextKill < now { nextKill = now.advanced(by: .milliseconds(1)) }
            }
            let next = min(min(nextKill, nextAct), min(end, pendingActs.map(\.at).min() ?? .never))
            let left = max(.milliseconds(1), min(monotonicNow().duration(to: next), .milliseconds(50)))
            try handle(try player.next(within: left))
            try show(begun.duration(to: now), tally)
        }
        tally.elapsed = begun.duration(to: monotonicNow())
        for act: SystemAct in [.resume, .unlock, .display(isOn: true), .keyboard(height: .zero)] { try self.act(act) }
        pendingActs = []
        let deadline = monotonicNow().advanced(by: Self.playLimit)
        while player.isPlaying {
            guard monotonicNow() < deadline else {
                throw Failure.negativeResult("a play has not ended after \(Self.playLimit.seconds) s")
            }
            try handle(try player.next(within: .milliseconds(100)))
        }
    }

    // MARK: Touches

    private mutating func orderPlay() throws {
        var text = ""
        var zero = Duration.zero
        var events = 0
        while events < Self.eventsOfPlay, text.utf8.count < Self.scriptLimit, let step = script.next() {
            for line in step.lines {
                text += "\(FingerScript.Line(time: zero + line.time, act: line.act, number: 0))\n"
            }
            // A finger that lifted lands again in a scan of its own.
            zero += step.length + .milliseconds(1)
            events += step.events
            tally.gestures += 1
        }
        try player.order(PlayOrder(id: 0, source: .script(text), pace: .every(UInt64(1e9 / plan.rate))))
    }

    private mutating func handle(_ news: GroupPlayer.Update) throws {
        switch news {
        case .ended(let report):
            if !report.failure.isEmpty { tally.interruptedPlays += 1 }
            tally.report = tally.report + report
            // Busy, or not ready yet.
            if report.sent == 0 { usleep(5000) }
        case .refused:
            tally.interruptedPlays += 1
            usleep(5000)
        case .measured, .other: return
        case .none:
            guard player.isPlaying, player.begun.duration(to: monotonicNow()) > Self.playLimit else { return }
            throw Failure.negativeResult(
                "a play of \(Self.eventsOfPlay) scans has not ended after \(Self.playLimit.seconds) s")
        }
    }

    // MARK: The screen

    private mutating func act(_ act: SystemAct) throws {
        try target.client.ask(.act(act))
        tally.acts += 1
    }

    private mutating func changeScreen(at now: Instant) throws {
        func app() -> AppID {
            AppID(target.apps[Int.random(in: 0..<target.apps.count, using: &chance)].instance)
        }
        let (one, other) = (app(), app())
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<45:
            shownApps = [one]
            try act(.foreground(app: one))
        case 45..<65:
            shownApps = [one, other]
            try act(.split(app: one, with: other))
        case 65..<77:
            shownApps.append(one)
            let (width, height) = (target.screen.width / 2, target.screen.height / 2)
            try act(.overlay(app: one, frame: Rect(x: width / 4, y: width / 4, width: width, height: height)))
        case 77..<82:
            shownApps = []
            try act(.home)
        case 82..<88:
            shownApps.removeAll { $0 == one }
            try act(.suspend(app: one))
        case 88..<92: try act(.interrupt, until: .resume, at: now)
        case 92..<95: try act(.alert, until: .resume, at: now)
        case 95..<98: try act(.lock, until: .unlock, at: now)
        default: try act(.display(isOn: false), until: .display(isOn: true), at: now)
        }
    }

    private mutating func act(_ act: SystemAct, until end: SystemAct, at now: Instant) throws {
        try self.act(act)
        pendingActs.append((now.advanced(by: .milliseconds(Int64.random(in: 5...60, using: &chance))), end))
    }

    // MARK: Kills

    private mutating func killApp() throws {
        // A report of a hundred processes takes a while, in which the storm does nothing else.
        if 2 * killableApps.count < target.apps.count {
            let group = try target.group()
            supervisor = group.pid
            killableApps = group.processes.compactMap { process in
                guard let peer = Peer(process.name), peer.role == .app, process.state == "ready", process.pid > 1
                else { return nil }
                return (peer, Int32(truncatingIfNeeded: process.pid))
            }
        }
        guard !killableApps.isEmpty else { return }
        var index = Int.random(in: 0..<killableApps.count, using: &chance)
        let isShown = Double.random(in: 0..<1, using: &chance) < plan.shareShown
        if isShown, let shownIndex = killableApps.firstIndex(where: { shownApps.contains(AppID($0.app.instance)) }) {
            index = shownIndex
        }
        let victim = killableApps.remove(at: index)
        // The process may have ended since it was named, and its pid may belong to another.
        guard parent(of: victim.pid) == supervisor else { return }
        let moment = monotonicNow()
        guard Glibc.kill(victim.pid, SIGKILL) == 0 else { return }
        tally.kills.append((moment, victim.app))
    }
}

/// Returns the parent of a process; nil without such a process.
private func parent(of pid: Int32) -> Int32? {
    statFields(of: pid).flatMap { $0.count > 1 ? Int32($0[1]) : nil }
}

extension ChaosVerdict.Demand {
    /// The demand that no process still holds a touch, once all fingers are lifted.
    static func nothingHeld(_ group: GroupReport) -> Self {
        var held: [String] = []
        for process in group.processes {
            for key in MonkeyRows.held(by: process.name) where process.number(key) != 0 {
                held.append("\(process.name) \(key) \(process.number(key))")
            }
        }
        return Self(
            what: "held at rest: fingers, touches, keys, frames", demanded: "0",
            measured: held.isEmpty ? "0" : held.prefix(3).joined(separator: ", "), isMet: held.isEmpty)
    }
}
