// SimulatedRun.swift: one seed: a whole group, its supervisor included, a person's fingers, and everything that goes wrong.
//
//    seed ─┬▶ script ──▶ a controller's orders ─▶ supervisor ─▶ input-kit ─▶ server ─▶ apps
//          ├▶ faults ──▶ World                                                       │ occurrences
//          └▶ delays ──▶ World                                                       ▼
//    … until `length`, then all faults end, everything settles, and a tap must work: Audit, digest ─▶ result
//
// Liveness is demanded only after faults have ended: while a link loses frames nobody is promised anything but safety.
//
// Sources   invented, after PIPELINE.md 3, 4 and 6

import AppCore
public import Audit
public import Basics
public import Faults
public import Hosting
import HID
import InputKitCore
import Journals
public import Recordings
public import Settings
import SupervisorCore
public import Synthesis
import SystemServerCore
public import Trace
public import UIKit
public import Wire

/// What a simulated run is given beside its seed.
public struct SimulationOptions {
    public enum Faults: Sendable {
        /// Drawn from the run's seed.
        case profile(FaultProfile)
        /// These, whatever the seed.
        case plan(FaultPlan)
    }

    /// Of fingers and faults; what comes before and after them is on top.
    public var length = Duration.seconds(60)
    public var apps: UInt32 = 2
    public var faults = Faults.plan(FaultPlan())
    /// Nil: drawn from the seed.
    public var script: [FingerScript.Line]?
    /// What is drawn.
    public var monkey = MonkeyProfile.standard
    public var settings = Settings()
    /// Whether each seed draws what else there is to draw: settings that are not set, and how its person is.
    public var draws = false
    /// With `draws`: how many apps, too.
    public var drawsApps = false
    /// Whether somebody asks, now and then, how everybody is.
    public var asksAround = false
    /// Whether a touch screen is plugged in, with a hand on it that knows nothing of the script.
    public var hasPanel = false
    /// Whether the person swipes from the screen's edges now and then, besides what is drawn otherwise.
    public var swipes = false
    /// Whether somebody turns an app now and then.
    public var turns = false
    /// Whether the person presses power and volume up now and then, in time and out of it.
    public var chords = false
    /// How many commands spy on it.
    public var spies = 0
    /// Edges at which apps with odd numbers defer the system's gestures.
    public var deferring: UIRectEdge = []
    /// Whether URLs are opened now and then, by the person and by apps.
    public var opens = false
    /// Makes what an app shows.
    public var content: (UInt32) -> (UIApplication) -> Void = { _ in SimulatedContent.show }
    public var links = LinkModel.measured
    /// Whether facts become text.
    public var isTraced = false
    /// Whether every input is kept, as a host's journal keeps it.
    public var keepsJournals = false
    /// Puts another core in a production core's place; nil leaves it.
    public var replacement: ((LaunchOrder) -> (any ProcessCore)?)?

    public init() {}
}

public struct SimulationResult {
    public var seed: UInt64
    public var audit: AuditReport
    /// What the audit found, and what did not work in the end.
    public var violations: [Violation]
    /// Of all effects of all processes, in order.
    public var digest: UInt64
    /// Inputs that cores were given.
    public var coreEvents: UInt64
    /// From the group's start to its rest.
    public var simulated: Duration
    public var script: [FingerScript.Line]
    public var faults: FaultPlan
    /// Where the times of script and faults count from.
    public var zero: Instant
    /// Whether there was a group left to ask for a tap in the end: with its server, its input-kit and an app.
    public var wasProbed: Bool
    public var trace: [TraceLine]
    /// A life's inputs, as `options.keepsJournals` asked: lives in the order they began.
    public var journals: [SimulatedJournal]
    /// Inputs that their process's journal does not have, and says so: its disk was full, and its ring with it.
    public var missingInputs: UInt64
}

/// What one life was given.
public struct SimulatedJournal {
    public var life: Life
    public var inputs: [(at: Instant, input: Input)] = []
    public var ended: ExitStatus?
}

public struct SimulatedRun {
    public let seed: UInt64
    public let options: SimulationOptions

    private var world: World
    private let recorder: Recorder
    private var violations: [Violation] = []
    private var zero = Instant.boot
    private var orders: UInt32 = 0
    /// The person's plays that nobody has answered, oldest first, and until when the last one is waited for.
    private var plays: [(id: UInt32, length: Duration)] = []
    private var playPatience = Instant.boot
    private var sequence: UInt64 = 0
    private var reports: [PlayReport] = []
    private var selfReports: [Report] = []
    private var trace: [TraceLine] = []
    private var supervisorDied: Instant?
    private var wasProbed = false
    /// When somebody asks next how everybody is, out of the seed; nobody does before the script and after it.
    private var nextLook = Instant.never
    private var looks: SeededGenerator
    private var spies: SimulatedSpies
    /// When the person opens a URL next, out of the seed.
    private var nextOpen = Instant.never
    private var links: SeededGenerator
    private var wandering: SeededGenerator
    private var opened: UInt32 = 0

    private static let controller = Peer(.controller, 1)
    private static let slice = Duration.milliseconds(20)
    /// Of the group's first readiness, and of its readiness after the last fault has ended.
    private static let patience = Duration.seconds(30)
    /// What a person needs to type `touchline up` again.
    private static let revival = Duration.milliseconds(500)
    /// Longer than any patience or deadline of a core.
    private static let rest = Duration.seconds(3)
    /// PIPELINE.md F12.
    private static let tapLimit = Duration.seconds(1)
    /// More inputs in one slice than this never end.
    private static let sliceSteps = 200_000

    /// The runs that a run is made of.
    private final class Recorder {
        // One run has it, on one thread, and neither calls back.
        @exclusivity(unchecked) var audit: Audit
        @exclusivity(unchecked) var digest = EffectDigest()
        /// Of those whose disk will be full.
        @exclusivity(unchecked) var disks: [SimulatedDisk] = []
        @exclusivity(unchecked) var journals: [SimulatedJournal] = []
        let keepsJournals: Bool

        init(_ audit: Audit, keepsJournals: Bool) { (self.audit, self.keepsJournals) = (audit, keepsJournals) }

        /// A group has ended, and another begins: it is judged by itself.
        func renew(at moment: Instant) -> AuditReport {
            let report = audit.finish(at: moment)
            audit = Audit(audit.options)
            return report
        }

        func take(_ occurrence: Occurrence) {
            for index in disks.indices { disks[index].take(occurrence) }
            switch occurrence {
            case .step(let step):
                audit.take(step)
                digest.combine(step.effects)
                guard keepsJournals, let index = journals.lastIndex(where: { $0.life == step.life }) else { return }
                journals[index].inputs.append((step.at, step.input))
            case .began(let life, at: _):
                audit.take(occurrence)
                if keepsJournals { journals.append(SimulatedJournal(life: life)) }
            case .ended(let life, at: _, let status):
                audit.take(occurrence)
                guard let index = journals.lastIndex(where: { $0.life == life }) else { return }
                journals[index].ended = status
            case .lost: audit.take(occurrence)
            }
        }
    }

    public init(seed: UInt64, options: SimulationOptions = SimulationOptions()) {
        var options = options.drawn(for: seed)
        if options.hasPanel { options.plugPanel() }
        (self.seed, self.options) = (seed, options)
        looks = SeededGenerator(seed: seed ^ 0x100C_100C_100C_100C)
        spies = SimulatedSpies(
            options.spies, seed: seed,
            screen: SceneFrame(
                x: 0, y: 0, width: options.settings[.screenWidth],
                height: options.settings[.screenHeight]))
        links = SeededGenerator(seed: seed ^ 0x09E2_09E2_09E2_09E2)
        wandering = SeededGenerator(seed: seed ^ 0x2D15_2D15_2D15_2D15)
        var world = World(seed: seed ^ 0x0D15_EA5E_0D15_EA5E)
        world.links = options.links
        // As ZeroMQHost sets libzmq's: a tenth of a second to ask, the rest to wait.
        let heartbeat = options.settings[.hostHeartbeat]
        if heartbeat != Settings()[.hostHeartbeat] {
            world.links.heartbeat = heartbeat > .zero ? heartbeat + .milliseconds(4) : .seconds(1_000_000)
        }
        if options.hasPanel { world.plug(SimulatedPanel(path: SimulationOptions.panelPath)) }
        world.isTraced = options.isTraced
        var auditOptions = AuditOptions.simulated(linkDelay: options.links.longestData)
        auditOptions.take(options.settings)
        recorder = Recorder(Audit(auditOptions), keepsJournals: options.keepsJournals)
        let recorder = recorder
        world.observer = { recorder.take($0) }
        world.makeChild = { options.core($0) }
        self.world = world
    }

    /// Runs it to its end, once.
    public mutating func run() -> SimulationResult {
        let settings = options.settings
        let displays = Displays(settings)
        let (script, plan) = (options.playedScript(of: seed), options.faultPlan(of: seed))
        startGroup(epoch: 1)
        if waitUntilSettled(before: world.now.advanced(by: Self.patience)) {
            zero = world.now
            for var fault in plan.faults where fault.at < options.length {
                fault.length = min(fault.length, options.length - fault.at)
                world.schedule(fault, since: zero)
                if let disturbance = disturbance(fault) { recorder.audit.disturb(disturbance) }
            }
            recorder.disks = SimulatedDisk.disks(of: plan, since: zero, length: options.length, options.settings)
            if options.hasPanel {
                var hand = SeededGenerator(seed: seed ^ 0x4A2D_4A2D_4A2D_4A2D)
                world.lay(SimulatedPanel.hand(&hand, from: zero, length: options.length))
            }
            if options.asksAround { look() }
            spies.begin(at: world.now)
            if options.opens { openLink() }
            play(SimulationScript(script))
            (nextLook, nextOpen) = (.never, .never)
            say(spies.leave())
            settleAndProbe(displays)
        }
        for disk in recorder.disks { violations += disk.finish(at: world.now) }
        let report = recorder.audit.finish(at: world.now)
        collect()
        return SimulationResult(
            seed: seed, audit: report, violations: report.violations + violations, digest: recorder.digest.value,
            coreEvents: world.steps, simulated: Instant.boot.duration(to: world.now), script: script, faults: plan,
            zero: zero, wasProbed: wasProbed, trace: trace, journals: recorder.journals,
            missingInputs: recorder.disks.reduce(0) { $0 + $1.missing })
    }

    /// How long after a fault what it has held up may still be late: a heartbeat's time and a call's.
    private var aftermath: Duration { .milliseconds(400) + max(.milliseconds(300), world.links.heartbeat) }

    /// What the audit must know of a fault: whom it makes late, and until when.
    private func disturbance(_ fault: Fault) -> AuditOptions.Disturbance? {
        let lasts: Duration
        switch fault.word {
        case .stop, .slow, .delay, .clog, .loss, .duplicate, .reorder, .crashLoop: lasts = fault.length
        case .suspend: lasts = .milliseconds(Int64(fault.amount))
        case .malformed: lasts = .zero
        // The dead are late for nobody: how soon their ends are heard of has its own bound.
        case .kill, .deviceTime, .wallTime, .diskFull: return nil
        }
        let from = zero.advanced(by: fault.at)
        let end = min(from.advanced(by: lasts), zero.advanced(by: options.length))
        let until = end.advanced(by: aftermath)
        return AuditOptions.Disturbance(
            from: from, until: until, peer: fault.target,
            explainsLoss: ![.malformed, .slow, .crashLoop].contains(fault.word))
    }

    // MARK: The group

    private mutating func startGroup(epoch: UInt32) {
        let order = LaunchOrder(
            peer: .supervisor, epoch: epoch, generation: 1, runDirectory: "/run/touchline",
            settings: options.settings.changed)
        let core = SupervisorCore(settings: options.settings, order: order, apps: options.apps, pid: 1, uid: 1000)
        world.install(core, as: .supervisor, order: order)
        world.schedule(.connected(Self.controller), for: .supervisor, at: world.now)
        sequence = 0
    }

    private var children: [ChildStatus] { (world.core(of: .supervisor) as? SupervisorCore)?.children ?? [] }

    /// Everybody is there, or never will be. Without a server nobody else can be.
    private var isSettled: Bool {
        let children = children
        if children.contains(where: { $0.peer == .systemServer && $0.isQuarantined }) { return true }
        return !children.isEmpty && children.allSatisfy { $0.isReady || $0.isQuarantined || $0.isDormant }
    }

    private mutating func waitUntilSettled(before deadline: Instant) -> Bool {
        while !isSettled {
            guard world.now < deadline else {
                let waiting = children.filter { !$0.isReady && !$0.isQuarantined && !$0.isDormant }
                let found = waiting.map { "\($0.peer) is \($0.state)" }.joined(separator: ", ")
                complain(
                    .promptness,
                    "expected everybody ready \(Self.patience.seconds) s after the last fault, found "
                        + (found.isEmpty ? "no supervisor" : found))
                return false
            }
            guard advance(by: Self.slice) else { return false }
        }
        return true
    }

    // MARK: Time

    /// - Returns: Whether it goes on: false after a livelock.
    private mutating func advance(to moment: Instant) -> Bool {
        while world.now < moment {
            let next = min(moment, world.now.advanced(by: .seconds(1)), nextLook, nextOpen, spies.next)
            if let livelock = world.advance(until: next, steps: Self.sliceSteps) {
                complain(.bounds, "expected an end of inputs, found \(livelock)")
                return false
            }
            collect()
            revive()
            if nextLook <= world.now { look() }
            if spies.next <= world.now { say(spies.act(at: world.now)) }
            if nextOpen <= world.now { openLink() }
        }
        return true
    }

    /// Somebody asks how everybody is: what they answer the audit compares with what they were told.
    private mutating func look() {
        if zero < world.now { tell(.reportRequest) }
        selfReports.removeAll()
        let pause = looks.number(looks.happens(0.3) ? 1...150 : 150...3000)
        nextLook = world.now.advanced(by: .milliseconds(Int64(pause)))
    }

    /// The person opens something: now and then what no app has, or the same twice, or another behind it.
    private mutating func openLink() {
        if zero < world.now {
            let app = links.number(1...Int(options.apps) + 1)
            for _ in 0..<(links.happens(0.2) ? 2 : 1) {
                opened += 1
                guard let url = try? URLText("link\(app)://\(opened)") else { continue }
                tell(.open(OpenRequest(id: opened, url: url)))
            }
        }
        let pause = links.number(links.happens(0.2) ? 1...50 : 200...6000)
        nextOpen = world.now.advanced(by: .milliseconds(Int64(pause)))
    }

    private mutating func advance(by duration: Duration) -> Bool { advance(to: world.now.advanced(by: duration)) }

    /// A supervisor that was killed took everybody with it; somebody starts the group again.
    private mutating func revive() {
        guard world.life(of: .supervisor) == nil else { return supervisorDied = nil }
        let died = supervisorDied ?? world.now
        supervisorDied = died
        guard world.now >= died.advanced(by: Self.revival) else { return }
        violations += recorder.renew(at: world.now).violations
        // Live it would be a new group in a new run directory; here it is told apart by its epochs.
        spies.groupEnded()
        startGroup(epoch: world.highestEpoch + 1)
    }

    private mutating func collect() {
        guard !world.trace.isEmpty || !world.outside.isEmpty else { return }
        let (lines, mail) = world.takeNotes()
        trace += lines
        if options.spies > 0 { for letter in mail { spies.hears(letter) } }
        for letter in mail where letter.to == Self.controller {
            switch letter.frame.message {
            case .played(let report):
                reports.append(report)
                plays.removeAll { $0.id == report.id }
            case .report(let report): selfReports.append(report)
            default: break
            }
        }
    }

    private mutating func complain(_ law: Law, _ text: String) {
        violations.append(Violation(law, text, at: world.now))
    }

    // MARK: Playing

    private mutating func tell(_ message: Message) {
        sequence += 1
        let frame = Frame(epoch: 1, generation: 1, sequence: sequence, credit: 256, message: message)
        world.schedule(.frame(frame, from: Self.controller), for: .supervisor, at: world.now)
    }

    private mutating func say(_ inputs: [Input]) {
        for input in inputs { world.schedule(input, for: .supervisor, at: world.now) }
    }

    private mutating func order(_ script: String, on display: DisplayID) -> UInt32 {
        orders += 1
        var order = PlayOrder(id: orders, source: .script(script), pace: .times(1000))
        order.display = display
        tell(.play(order))
        return orders
    }

    /// Over which display the next play's fingers are: places are the main one's, and none is beyond another's glass.
    private mutating func nextDisplay() -> DisplayID {
        let count = Displays(options.settings).all.count
        return count > 1 && wandering.happens(0.5) ? DisplayID(UInt8(wandering.number(1...count))) : .main
    }

    /// The person does one thing after the other, as `touchline input` does; and waits for none longer than a play of its own
    /// gives up.
    private var isPlaying: Bool { plays.last?.id == orders && world.now < playPatience }

    private mutating func play(_ script: SimulationScript) {
        let end = zero.advanced(by: options.length)
        for entry in script.entries where entry.at < options.length {
            guard advance(to: zero.advanced(by: entry.at)) else { return }
            switch entry.act {
            case .system(let act): tell(.act(act))
            case .play(let lines, let length):
                while isPlaying, world.now < end { guard advance(by: Self.slice) else { return } }
                guard world.now < end else { continue }
                reports.removeAll()
                playPatience = world.now.advanced(by: length).advanced(by: Self.rest)
                plays.append((order(lines.text, on: nextDisplay()), length))
            }
        }
        _ = advance(to: end)
    }

    // MARK: The end

    /// All faults end; then everybody must come back, a tap must arrive, and nothing may be left over.
    private mutating func settleAndProbe(_ displays: Displays) {
        world.heal()
        guard waitUntilSettled(before: world.now.advanced(by: Self.patience)) else { return }
        // What was begun before the end may go on for seconds, and be as long again where its input-kit stood still. Of several
        // that waited there the first is played, and the others are told that it is.
        let longest = plays.map(\.length).max() ?? .zero
        playPatience = world.now.advanced(by: longest).advanced(by: Self.rest)
        while !plays.isEmpty, world.now < playPatience { guard advance(by: Self.slice) else { return } }
        guard advance(by: Self.rest) else { return }
        // Whoever was busy dying when the last one was looked at.
        guard waitUntilSettled(before: world.now.advanced(by: Self.patience)) else { return }
        let ready = children.filter(\.isReady).map(\.peer)
        guard ready.contains(.systemServer), ready.contains(.inputKit),
            let peer = ready.first(where: { $0.role == .app }), let app = peer.app
        else { return }
        for act in [SystemAct.display(isOn: true), .unlock, .resume, .foreground(app: app)] { tell(.act(act)) }
        guard advance(by: .milliseconds(200)) else { return }
        wasProbed = true
        probe(peer, on: displays.display(of: app), of: displays)
        guard advance(by: Self.rest) else { return }
        expectRest(of: ready)
    }

    private mutating func probe(_ app: Peer, on display: DisplayID, of displays: Displays) {
        let bounds = displays.geometry(of: display).bounds
        let id = order("down f9 (\(bounds.width / 2),\(bounds.height / 2)) @0\nup f9 @0.08\n", on: display)
        let deadline = world.now.advanced(by: Self.tapLimit)
        while !reports.contains(where: { $0.id == id }), world.now < deadline {
            guard advance(by: Self.slice) else { return }
        }
        guard let report = reports.first(where: { $0.id == id }) else {
            return complain(.promptness, "expected a tap on \(app) to work within 1 s of rest, found no answer")
        }
        let works =
            report.failure.isEmpty && report.delivered == 2 && report.sent == 2 && report.began == 1
            && report.ended == 1
        guard !works else { return }
        complain(
            .promptness,
            "expected a tap on \(app) to work after all faults, found \(report.sent) sent, \(report.delivered) delivered, "
                + "\(report.taken) taken, \(report.dropped) dropped, \(report.home) home, \(report.began) began, "
                + "\(report.ended) ended"
                + (report.failure.isEmpty ? "" : ": \(report.failure)"))
    }

    /// What each process says of itself when nobody touches anything.
    private mutating func expectRest(of peers: [Peer]) {
        selfReports = []
        tell(.reportRequest)
        guard advance(by: .milliseconds(500)) else { return }
        for peer in peers {
            guard let report = selfReports.last(where: { $0.peer == peer }) else {
                complain(.promptness, "expected \(peer) to answer at rest, found nothing")
                continue
            }
            if case .flag(false)? = report["responding"] {
                complain(.promptness, "expected \(peer) to answer at rest, found no response")
            }
            for key in ["touches.live", "fingers.down", "contacts.live", "inputs.held", "inFlight", "play.unanswered"] {
                guard case .number(let number)? = report[key], number != 0 else { continue }
                complain(.conservation, "expected \(peer)'s \(key) to be 0 at rest, found \(number)")
            }
            if case .flag(false)? = report["quiet"] {
                complain(.conservation, "expected \(peer) to be quiet at rest, found that it is not")
            }
        }
    }
}

extension SimulationOptions {
    /// What a run of this seed plays: what was given, or what the seed draws.
    public func playedScript(of seed: UInt64) -> [FingerScript.Line] {
        guard !draws else { return drawn(for: seed).playedScript(of: seed) }
        let screen = Rect<ScreenSpace>(
            x: 0, y: 0, width: settings[.screenWidth], height: settings[.screenHeight])
        return script
            ?? SimulationScript.drawn(
                seed: seed, length: length, apps: apps, profile: monkey, screen: screen, swipes: swipes, turns: turns,
                chords: chords)
    }

    /// What goes wrong in it.
    public func faultPlan(of seed: UInt64) -> FaultPlan {
        guard !draws else { return drawn(for: seed).faultPlan(of: seed) }
        return switch faults {
        case .plan(let plan): plan
        case .profile(let profile): profile.plan(seed: seed, length: length, apps: apps)
        }
    }

    /// A child's core, as its program would make it.
    fileprivate func core(_ order: LaunchOrder) -> (any ProcessCore)? {
        if let core = replacement?(order) { return core }
        // Apps are not all alike then, and each has been told what it is.
        let isAlike = settings[.groupTopology].isEmpty
        let settings = isAlike ? settings : (try? Settings(order.settings)) ?? settings
        switch order.peer.role {
        case .systemServer: return SystemServerCore(settings: settings, order: order)
        case .inputKit: return InputKitCore(settings: settings, order: order)
        case .app:
            let (shows, edges) = (content(order.peer.instance), deferring)
            let (defers, opens) = (!edges.isEmpty && order.peer.instance % 2 == 1, opens)
            guard defers || opens else { return AppCore(order: order, settings: settings, content: shows) }
            let next = order.peer.instance % apps + 1
            return AppCore(order: order, settings: settings) { application in
                shows(application)
                if defers { DeferringController.join(application, edges) }
                if opens { OpeningRecognizer.join(application, "link\(next)://from/\(order.peer.instance)") }
            }
        case .supervisor, .controller: return nil
        }
    }
}
