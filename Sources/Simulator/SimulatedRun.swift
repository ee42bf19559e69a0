// SimulatedRun.swift: the run of one seed: a whole group with its supervisor, a person's fingers, and faults.
//
//    seed ─┬▶ script ──▶ a controller's orders ─▶ supervisor ─▶ input-kit ─▶ server ─▶ apps
//          ├▶ faults ──▶ World                                                       │ occurrences
//          └▶ delays ──▶ World                                                       ▼
//    … until `length`, then all faults end, the group settles, and a tap must work: Audit, digest ─▶ result
//
// Liveness is demanded only after the faults have ended: while a link loses frames only safety is promised.
//
// Sources   invented, after Docs/Spec/Pipeline.md sections 3, 4 and 6

import Audit
import Basics
import Faults
import Hosting
import HID
import Journals
import Recordings
import Settings
import SupervisorCore
import Trace
import Wire

/// The run of one seed.
public struct SimulatedRun {
    public let seed: UInt64
    public let options: SimulationOptions

    private let displays: Displays
    private var world: World
    private let recorder: RunRecorder
    private var violations: [Violation] = []
    private var zero = Instant.boot
    private var plays = Plays()
    private var person: Person
    private var monitors: SimulatedTouchMonitors
    private var sequence = SequenceNumber.zero
    private var selfReports: [Report] = []
    /// Storage of the frames to controllers, which is kept from one collection to the next.
    private var mail: [World.Mail] = []
    private var trace: [TraceLine] = []
    private var supervisorDied: Instant?
    private var wasProbed = false

    /// The plays that the person has ordered.
    private struct Plays {
        var orders: UInt32 = 0
        /// Plays without an answer, oldest first.
        var unanswered: [(id: UInt32, length: Duration)] = []
        /// The moment until which the last play is awaited.
        var awaitedUntil = Instant.boot
        var reports: [PlayReport] = []

        /// Whether a play is in progress. The person plays one gesture after the other, as `touchline input` does. A
        /// play is awaited for its length and `rest`.
        func isPlaying(at now: Instant) -> Bool { unanswered.last?.id == orders && now < awaitedUntil }

        mutating func record(_ report: PlayReport) {
            reports.append(report)
            unanswered.removeAll { $0.id == report.id }
        }
    }

    /// The acts of the person besides the script, each drawn from a generator of its own.
    private struct Person {
        /// The moment of the next report request; never before and after the script.
        var nextReportRequest = Instant.never
        var reportChance: SeededGenerator
        /// The moment at which the person opens the next URL.
        var nextOpen = Instant.never
        var linkChance: SeededGenerator
        var opened: UInt32 = 0
        /// Draws the display of the next play.
        var displayChance: SeededGenerator
        /// Draws the pace of the next play.
        var paceChance: SeededGenerator

        init(seed: UInt64) {
            reportChance = SeededGenerator(seed: seed ^ 0x100C_100C_100C_100C)
            linkChance = SeededGenerator(seed: seed ^ 0x09E2_09E2_09E2_09E2)
            displayChance = SeededGenerator(seed: seed ^ 0x2D15_2D15_2D15_2D15)
            paceChance = SeededGenerator(seed: seed ^ 0x4A7E_4A7E_4A7E_4A7E)
        }
    }

    private static let controller = Peer(.controller, 1)
    private static let slice = Duration.milliseconds(20)
    /// The limit for the group's first readiness, and for its readiness after the last fault.
    private static let readinessLimit = Duration.seconds(30)
    /// The time that a person needs to type `touchline up` again.
    private static let restartDelay = Duration.milliseconds(500)
    /// Longer than any time limit or deadline of a core.
    private static let settleTime = Duration.seconds(3)
    /// Fault F12.
    private static let tapLimit = Duration.seconds(1)
    /// More inputs in one slice are a livelock.
    private static let sliceSteps = 200_000

    public init(seed: UInt64, options: SimulationOptions = SimulationOptions()) {
        var options = options.drawn(for: seed)
        if options.extras.hasPanel { options.plugPanel() }
        (self.seed, self.options, displays) = (seed, options, Displays(options.settings))
        person = Person(seed: seed)
        monitors = SimulatedTouchMonitors(
            options.extras.touchMonitors, seed: seed,
            screen: Rect(
                x: 0, y: 0, width: options.settings[.screenWidth],
                height: options.settings[.screenHeight]))
        var world = World(seed: seed ^ 0x0D15_EA5E_0D15_EA5E)
        world.links = options.links
        // As ZeroMQHost sets libzmq: it asks at the interval, and waits for the rest.
        let heartbeat = options.settings[.hostHeartbeatTimeout]
        if heartbeat != Settings()[.hostHeartbeatTimeout] {
            world.links.heartbeat = heartbeat > .zero ? heartbeat + .milliseconds(4) : .seconds(1_000_000)
        }
        if options.extras.hasPanel { world.plug(SimulatedPanel(path: SimulationOptions.panelPath)) }
        world.isTraced = options.isTraced
        var auditOptions = AuditOptions.simulated(linkDelay: options.links.longestData)
        auditOptions.apply(options.settings)
        recorder = RunRecorder(Audit(auditOptions), keepsJournals: options.keepsJournals)
        let recorder = recorder
        world.observer = { recorder.record($0) }
        world.stepObserver = { recorder.record($0) }
        world.effectObserver = { recorder.record($0) }
        if options.collectsCoverage {
            recorder.coverage = RunCoverage()
            world.stepReader = { recorder.coverage?.record($0, $1, life: $2, facts: $3) }
        }
        world.makeChild = { options.core($0) }
        self.world = world
    }

    /// Runs the seed to its end. A run can run once.
    public mutating func run() -> SimulationResult {
        let (script, plan) = (options.playedScript(of: seed), options.faultPlan(of: seed))
        startGroup(epoch: 1)
        if waitUntilSettled(before: world.now.advanced(by: Self.readinessLimit)) {
            zero = world.now
            for var fault in plan.faults where fault.at < options.length {
                fault.length = min(fault.length, options.length - fault.at)
                world.schedule(fault, since: zero)
                if let disturbance = disturbance(fault) { recorder.audit.disturb(disturbance) }
            }
            recorder.disks = SimulatedDisk.disks(of: plan, since: zero, length: options.length, options.settings)
            if options.extras.hasPanel {
                var hand = SeededGenerator(seed: seed ^ 0x4A2D_4A2D_4A2D_4A2D)
                world.scheduleContacts(SimulatedPanel.drawContacts(&hand, from: zero, length: options.length))
            }
            if options.extras.requestsReports { requestReports() }
            monitors.begin(at: world.now)
            if options.extras.opensURLs { openLink() }
            play(SimulationScript(script))
            (person.nextReportRequest, person.nextOpen) = (.never, .never)
            monitors.leave { world.schedule($0, for: .supervisor, at: world.now) }
            settleAndProbe()
        }
        for disk in recorder.disks { violations += disk.finish(at: world.now) }
        let report = recorder.audit.finish(at: world.now)
        collect()
        return SimulationResult(
            seed: seed, audit: report, violations: report.violations + violations, digest: recorder.digest.value,
            coreEvents: world.steps, simulated: Instant.boot.duration(to: world.now), script: script, faults: plan,
            zero: zero, wasProbed: wasProbed, trace: trace,
            features: recorder.coverage?.features(plan.faults.filter { $0.at < options.length }) ?? [],
            journals: recorder.journals,
            missingInputs: recorder.disks.reduce(0) { $0 + $1.missing })
    }

    /// How long after a fault its delays may last: a heartbeat's time and a connection's.
    private var faultDelayLimit: Duration { .milliseconds(400) + max(.milliseconds(300), world.links.heartbeat) }

    /// Returns what the audit must know of a fault: the process that it makes late, and until when. Nil for a fault
    /// that makes none late.
    private func disturbance(_ fault: Fault) -> AuditOptions.Disturbance? {
        guard let lasts = fault.delay else { return nil }
        let from = zero.advanced(by: fault.at)
        let end = min(from.advanced(by: lasts), zero.advanced(by: options.length))
        let until = end.advanced(by: faultDelayLimit)
        return AuditOptions.Disturbance(
            from: from, until: until, peer: fault.target,
            explainsLoss: fault.mayLoseFrames)
    }

    // MARK: The group

    private mutating func startGroup(epoch: UInt32) {
        let order = LaunchOrder(
            peer: .supervisor, epoch: epoch, generation: 1, runDirectory: "/run/touchline",
            settings: options.settings.changed)
        let core = SupervisorCore(settings: options.settings, order: order, apps: options.apps, pid: 1, uid: 1000)
        world.install(core, as: .supervisor, order: order)
        world.schedule(.connected(Self.controller), for: .supervisor, at: world.now)
        sequence = .zero
    }

    private var children: [ChildStatus] { (world.core(of: .supervisor) as? SupervisorCore)?.children ?? [] }

    /// Whether every child is ready, dormant or quarantined. A quarantined server settles the group: no other child can
    /// become ready without it.
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
                addViolation(
                    .promptness,
                    "expected all processes ready \(Self.readinessLimit.seconds) s after the last fault, found "
                        + (found.isEmpty ? "no supervisor" : found))
                return false
            }
            guard advance(by: Self.slice) else { return false }
        }
        return true
    }

    // MARK: Time

    /// - Returns: Whether the run goes on: false after a livelock.
    private mutating func advance(to moment: Instant) -> Bool {
        while world.now < moment {
            let next = min(
                moment, world.now.advanced(by: .seconds(1)), person.nextReportRequest, person.nextOpen, monitors.next)
            if let livelock = world.advance(until: next, steps: Self.sliceSteps) {
                addViolation(.bounds, "expected an end of inputs, found \(livelock)")
                return false
            }
            collect()
            restartGroup()
            if person.nextReportRequest <= world.now { requestReports() }
            if monitors.next <= world.now {
                monitors.act(at: world.now) { world.schedule($0, for: .supervisor, at: world.now) }
            }
            if person.nextOpen <= world.now { openLink() }
        }
        return true
    }

    /// Requests the report of every process. The audit compares each report with the inputs of its process.
    private mutating func requestReports() {
        if zero < world.now { sendAsController(.reportRequest) }
        selfReports.removeAll()
        let pause = person.reportChance.number(person.reportChance.happens(0.3) ? 1...150 : 150...3000)
        person.nextReportRequest = world.now.advanced(by: .milliseconds(Int64(pause)))
    }

    /// The person opens a URL: at times one of no app, or two in succession.
    private mutating func openLink() {
        if zero < world.now {
            let app = person.linkChance.number(1...Int(options.apps) + 1)
            for _ in 0..<(person.linkChance.happens(0.2) ? 2 : 1) {
                person.opened += 1
                guard let url = try? URLText("link\(app)://\(person.opened)") else { continue }
                sendAsController(.open(OpenRequest(id: person.opened, url: url)))
            }
        }
        let pause = person.linkChance.number(person.linkChance.happens(0.2) ? 1...50 : 200...6000)
        person.nextOpen = world.now.advanced(by: .milliseconds(Int64(pause)))
    }

    private mutating func advance(by duration: Duration) -> Bool { advance(to: world.now.advanced(by: duration)) }

    /// A killed supervisor takes its group with it. After `restartDelay` the person starts the group again.
    private mutating func restartGroup() {
        guard world.instance(of: .supervisor) == nil else { return supervisorDied = nil }
        let died = supervisorDied ?? world.now
        supervisorDied = died
        guard world.now >= died.advanced(by: Self.restartDelay) else { return }
        violations += recorder.renew(at: world.now).violations
        // A live group would be a new one in a new run directory. Here the epochs distinguish the two.
        monitors.groupEnded()
        startGroup(epoch: world.highestEpoch + 1)
    }

    private mutating func collect() {
        guard world.hasNotes else { return }
        let facts = world.removeNotes(outside: &mail)
        if !facts.isEmpty { trace += facts.map { $0.line() } }
        for index in mail.indices {
            if mail[index].to != Self.controller {
                monitors.hears(mail[index])
                continue
            }
            switch mail[index].frame.message {
            case .played(let report): plays.record(report)
            case .report(let report): selfReports.append(report)
            default: break
            }
        }
        mail.removeAll(keepingCapacity: true)
    }

    private mutating func addViolation(_ law: Law, _ text: String) {
        violations.append(Violation(law, text, at: world.now))
    }

    // MARK: Playing

    private mutating func sendAsController(_ message: Message) {
        sequence = sequence.next
        let frame = Frame(epoch: 1, generation: 1, sequence: sequence, credit: 256, message: message)
        world.schedule(.frame(frame, from: Self.controller), for: .supervisor, at: world.now)
    }

    private mutating func orderPlay(
        _ script: String, on display: DisplayID, pace: PlayOrder.Pace = .times(1000)
    ) -> UInt32 {
        plays.orders += 1
        var order = PlayOrder(id: plays.orders, source: .script(script), pace: pace)
        order.display = display
        sendAsController(.play(order))
        return plays.orders
    }

    /// Draws the display of the next play. Positions are in the main display's range, and none is outside another
    /// display.
    private mutating func nextDisplay() -> DisplayID {
        let count = displays.all.count
        return count > 1 && person.displayChance.happens(0.5)
            ? DisplayID(UInt8(person.displayChance.number(1...count))) : .main
    }

    /// Draws the pace of the next play.
    private mutating func nextPace() -> PlayOrder.Pace {
        options.extras.playsAtMaximumPace && person.paceChance.happens(0.5) ? .max : .times(1000)
    }

    private mutating func play(_ script: SimulationScript) {
        let end = zero.advanced(by: options.length)
        for entry in script.entries where entry.at < options.length {
            guard advance(to: zero.advanced(by: entry.at)) else { return }
            switch entry.act {
            case .system(let act): sendAsController(.act(act))
            case .play(let text, let length):
                while plays.isPlaying(at: world.now), world.now < end { guard advance(by: Self.slice) else { return } }
                guard world.now < end else { continue }
                plays.reports.removeAll()
                plays.awaitedUntil = world.now.advanced(by: length).advanced(by: Self.settleTime)
                plays.unanswered.append((orderPlay(text, on: nextDisplay(), pace: nextPace()), length))
            }
        }
        _ = advance(to: end)
    }

    // MARK: The end

    /// Ends all faults. Then every process must be ready again, a tap must arrive, and nothing may be left over.
    private mutating func settleAndProbe() {
        world.endFaults()
        guard waitUntilSettled(before: world.now.advanced(by: Self.readinessLimit)) else { return }
        // A play that began before the end may last for seconds, and the same again where its input-kit stood still. Of
        // several waiting plays input-kit plays the first and refuses the others.
        let longest = plays.unanswered.map(\.length).max() ?? .zero
        plays.awaitedUntil = world.now.advanced(by: longest).advanced(by: Self.settleTime)
        while !plays.unanswered.isEmpty, world.now < plays.awaitedUntil {
            guard advance(by: Self.slice) else { return }
        }
        guard advance(by: Self.settleTime) else { return }
        // For a process that was still dying at the first check.
        guard waitUntilSettled(before: world.now.advanced(by: Self.readinessLimit)) else { return }
        let ready = children.filter(\.isReady).map(\.peer)
        guard ready.contains(.systemServer), ready.contains(.inputKit),
            let peer = ready.first(where: { $0.role == .app }), let app = peer.app
        else { return }
        for act in [SystemAct.display(isOn: true), .unlock, .resume, .foreground(app: app)] {
            sendAsController(.act(act))
        }
        guard advance(by: .milliseconds(200)) else { return }
        wasProbed = true
        probe(peer, on: displays.display(of: app))
        guard advance(by: Self.settleTime) else { return }
        checkRest(of: ready)
    }

    private mutating func probe(_ app: Peer, on display: DisplayID) {
        let bounds = displays.geometry(of: display).bounds
        let id = orderPlay("down f9 (\(bounds.width / 2),\(bounds.height / 2)) @0\nup f9 @0.08\n", on: display)
        let deadline = world.now.advanced(by: Self.tapLimit)
        while !plays.reports.contains(where: { $0.id == id }), world.now < deadline {
            guard advance(by: Self.slice) else { return }
        }
        guard let report = plays.reports.first(where: { $0.id == id }) else {
            return addViolation(.promptness, "expected a tap on \(app) to work within 1 s of rest, found no answer")
        }
        let works =
            report.failure.isEmpty && report.delivered == 2 && report.sent == 2 && report.arrivedTouches.began == 1
            && report.arrivedTouches.ended == 1
        guard !works else { return }
        addViolation(
            .promptness,
            "expected a tap on \(app) to work after all faults, found \(report.sent) sent, \(report.delivered) delivered, "
                + "\(report.takenFrames) taken, \(report.dropped) dropped, \(report.home) home, \(report.arrivedTouches.began) began, "
                + "\(report.arrivedTouches.ended) ended"
                + (report.failure.isEmpty ? "" : ": \(report.failure)"))
    }

    /// Checks the report of each process at rest.
    private mutating func checkRest(of peers: [Peer]) {
        selfReports = []
        sendAsController(.reportRequest)
        guard advance(by: .milliseconds(500)) else { return }
        for peer in peers {
            guard let report = selfReports.last(where: { $0.peer == peer }) else {
                addViolation(.promptness, "expected \(peer) to answer at rest, found nothing")
                continue
            }
            if case .flag(false)? = report["responding"] {
                addViolation(.promptness, "expected \(peer) to answer at rest, found no response")
            }
            for key in ["touches.live", "contacts.down", "contacts.live", "inputs.held", "inFlight", "play.unanswered"]
            {
                guard case .number(let number)? = report[key], number != 0 else { continue }
                addViolation(.conservation, "expected \(peer)'s \(key) to be 0 at rest, found \(number)")
            }
            if case .flag(false)? = report["quiet"] {
                addViolation(.conservation, "expected \(peer) to be quiet at rest, found that it is not")
            }
        }
    }
}
