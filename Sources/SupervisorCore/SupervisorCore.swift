// SupervisorCore.swift: starts the group, keeps it up, answers for it, ends it.
//
// Station   process
// Fed by    the host: children's starts and exits, frames on their links, the `touchline` command's frames
// Feeds     effects: spawn, signal, roster, launch orders, answers to controllers
// Knows     who is alive. Nothing of touches: what input-kit played passes through unread.
//
// Everyone's identity is decided here. A child is (peer, generation); the group's epoch is renewed whenever the
// system server is started again, because every link ran to it. Frames from here carry the epoch in force.
//
// Sources   invented, after PIPELINE F1–F3, F13, F14

public import Basics
import Faults
public import Hosting
public import Settings
import Trace
public import Wire

public struct SupervisorCore: ProcessCore {
    /// No packet could carry a roster or a report of more.
    public static let appLimit: UInt32 = 128
    /// Questions of one controller that wait for the next round: each of them is as many answers as there are processes.
    private static let questionLimit = 64
    /// Reports sent to all who are answered by one round.
    private static let answerLimit = 8192
    /// Plays of all controllers that input-kit may have at once.
    private static let playLimit = 64
    /// Of a report: characters for how a child ended.
    private static let lastExitLimit = 80

    private let settings: Settings
    /// What each app is told besides, or instead.
    private let topology: Topology
    /// Of the settings, what every child is told that has none of its own.
    private let toldSettings: [Setting]
    /// Which app opens what, as every child is told.
    private let schemes: String
    private let order: LaunchOrder
    private let pid: Int32
    private let uid: UInt32

    private var epoch: UInt32
    private var table: [Child]
    private var controllers: [Controller] = []
    private var plays: [Play] = []
    private var lastPlay: UInt32 = 0
    private var gathering: Gathering?
    /// Who asked while a round was under way: a new round answers them, so that nobody is told of a time before
    /// they asked.
    private var nextAskers: [Peer] = []
    /// Who looks on while the children decide.
    private var observers: [Peer] = []
    /// Questions of controllers that a later one has replaced before they were sent on.
    private var replaced: UInt64 = 0
    /// Who spies, and on what: a server that is started anew is told the same.
    private var spies: [(controller: Peer, interest: SpyInterest)] = []
    private var refusals = Flood()
    private var lastRefusal = ""
    /// What its children would not do.
    private var objections = Flood()
    /// What the phone was told to be and still is: a new server is told the same before it lets anybody in.
    private var standingActs: [SystemAct] = []
    private let displays: Displays
    /// Controllers that wait for a URL to be opened, each as often as it waits.
    private var askers: [Peer] = []
    /// Faults that are a child's again each time it starts.
    private var crashLoops: [(peer: Peer, line: String, until: Instant)] = []

    private var startedAt = Instant.boot
    /// Somebody asked the group to end.
    public private(set) var isStopping = false
    /// Why the group ends though nobody has asked for it: what is wrong with system-server.
    public private(set) var failure: String?
    private var hasBeenReady = false
    private var rosterChanged = false
    /// The apps have not heard of the last change, and soon will.
    private var appsAwaitRoster = false

    /// - Parameters:
    ///   - settings: In force for the whole group; every child is given those that differ from their default.
    ///   - order: The supervisor's own: where the group lives, and its first epoch.
    ///   - apps: How many, 0...`appLimit`.
    ///   - pid: This process's.
    ///   - uid: The user all of the group runs as.
    public init(settings: Settings, order: LaunchOrder, apps: UInt32, pid: Int32, uid: UInt32) {
        precondition(apps <= Self.appLimit, "\(apps) apps, limit \(Self.appLimit)")
        (self.settings, self.order, self.pid, self.uid) = (settings, order, pid, uid)
        // Whoever starts a group has read it; a journal can say anything, and then all apps are alike.
        displays = Displays(settings)
        topology = (try? Topology(text: settings[.groupTopology])) ?? Topology()
        // Two apps of one scheme are none: whoever starts a group has been told.
        var told = topology.settings(of: 0, in: settings)
        schemes = ((try? Schemes(settings, topology, apps: apps)) ?? Schemes()).text
        try? told.set(.groupSchemes, to: schemes)
        toldSettings = told.changed
        epoch = order.epoch
        table = []
        for peer in [Peer.inputKit, .systemServer] + (0..<apps).map({ Peer.app($0 + 1) }) {
            table.append(Child(peer: peer, policy: RestartPolicy(settings)))
        }
    }

    public mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        switch input {
        case .started:
            startedAt = now
            startNext(at: now, into: &outbox)
        case .childStarted(let peer, let pid):
            guard let index = position(of: peer) else { return }
            if table[index].isUnstartable {
                // Its deaths are of another program.
                (table[index].isUnstartable, table[index].policy) = (false, RestartPolicy(settings))
                outbox.trace.note(
                    now, .process, "{a:n} can be started again: its quarantine ends", outbox.trace.name("\(peer)"))
            }
            give(.spawned(pid: pid), to: index, at: now, into: &outbox)
            startNextSoon(at: now, into: &outbox)
        case .childExited(let peer, _, let status):
            guard let index = position(of: peer) else { return }
            bury(index, because: "\(status)", by: status, at: now, into: &outbox)
        case .childFailed(let peer, let reason):
            guard let index = position(of: peer) else { return }
            bury(index, because: reason, at: now, into: &outbox)
            awaitMending(of: index, at: now, into: &outbox)
            startNextSoon(at: now, into: &outbox)
        case .connected(let peer):
            if peer.role == .controller { controllers.append(Controller(peer: peer)) }
        case .peerLost(let peer):
            if let index = position(of: peer) {
                give(.silent, to: index, at: now, into: &outbox)
            } else {
                forget(peer, into: &outbox)
            }
        case .frame(let frame, let sender):
            if let index = position(of: sender) {
                take(frame, fromChild: index, at: now, into: &outbox)
            } else if let index = controllers.firstIndex(where: { $0.peer == sender }) {
                controllers[index].received = frame.sequence
                take(frame.message, from: sender, at: now, into: &outbox)
            }
        case .refused(let refusal):
            if refusals.rises() {
                outbox.trace.note(
                    now, .process, "refused, {b} so far: {a:n}", outbox.trace.name("\(refusal)"),
                    Int64(clamping: refusals.count))
            }
            lastRefusal = String("\(refusal)".prefix(Self.lastExitLimit))
        case .timerFired(let timer): fire(timer, at: now, into: &outbox)
        case .stopRequested: stop(at: now, into: &outbox)
        // It opens no files.
        case .fileBytes, .fileFailed, .device: return
        }
        settle(at: now, into: &outbox)
    }
}

// MARK: What a person asks about

/// One child as a person sees it.
public struct ChildStatus: Hashable, Sendable {
    public var peer: Peer
    /// Nil while there is no process.
    public var pid: Int32?
    public var generation: UInt32
    /// `ready`, `starting`, `backing off`, …
    public var state: String
    public var isReady: Bool
    public var isQuarantined: Bool
    /// Terminated, and not launched since.
    public var isDormant: Bool
    /// When it came into this state.
    public var since: Instant
    public var restarts: Int
    /// `exit 1`, `signal 9`, why it could not be started; empty while it never died.
    public var lastExit: String
    /// Until it is started again; nil when that is not going to happen.
    public var restartsIn: Duration?
}

extension SupervisorCore {
    /// In the order they are started.
    public var children: [ChildStatus] {
        table.map { child in
            let state = child.machine.state
            var status = ChildStatus(
                peer: child.peer, pid: state.pid, generation: child.generation, state: state.word,
                isReady: state.isReady, isQuarantined: false, isDormant: state.isDormant, since: child.since,
                restarts: child.restarts,
                lastExit: child.lastExit, restartsIn: nil)
            switch state {
            case .quarantined: status.isQuarantined = true
            case .backingOff: status.restartsIn = child.backoff
            case .waiting, .spawning, .starting, .ready, .condemned, .expelled, .dismissed, .dormant, .stopping, .gone:
                break
            }
            return status
        }
    }

    /// Everybody who is to be there is.
    public var isReady: Bool { table.allSatisfy { $0.machine.state.isReady || $0.machine.state.isDormant } }

    private func report(followedBy count: Int) -> Report {
        var report = Report(peer: .supervisor)
        report.add("reports", count)
        report.add("pid", pid)
        report.add("epoch", epoch)
        report.add("since", startedAt.nanoseconds)
        report.add("ready", flag: isReady)
        report.add("refused", refusals.count)
        if !lastRefusal.isEmpty { report.add("refused.last", text: lastRefusal) }
        if replaced > 0 { report.add("questions.replaced", replaced) }
        report.add("chaos", flag: settings[.chaosAllowed])
        for child in table {
            let (state, key) = (child.machine.state, "\(child.peer).")
            report.add(key + "pid", state.pid ?? 0)
            report.add(key + "state", text: state.word)
            report.add(key + "generation", child.generation)
            report.add(key + "epoch", child.epoch)
            report.add(key + "since", child.since.nanoseconds)
            report.add(key + "restarts", child.restarts)
            if !child.lastExit.isEmpty {
                report.add(key + "lastExit", text: String(child.lastExit.prefix(Self.lastExitLimit)))
            }
            if child.deaths.total > 0 {
                report.add(key + "deaths", text: String(child.deaths.text.prefix(Self.lastExitLimit)))
            }
            if case .quarantined(let reason) = state { report.add(key + "reason", text: reason) }
        }
        return report
    }
}

// MARK: Children

private struct Child {
    let peer: Peer
    var machine = ChildMachine()
    var policy: RestartPolicy
    /// Counted from 1 at its first start.
    var generation: UInt32 = 0
    /// The group's when it was started.
    var epoch: UInt32 = 0
    var since = Instant.boot
    var spawnedAt = Instant.boot
    var backoff = Duration.zero
    var lastExit = ""
    var deaths = DeathTally()
    /// It is quarantined because its program could not be started: that may end.
    var isUnstartable = false
    /// Whether this generation has announced readiness.
    var wasReady = false
    /// Why it was killed from here, while it is.
    var killedBecause: String?
    /// Frames sent to and heard from this generation.
    var sent: UInt64 = 0
    var received: UInt64 = 0
    /// A URL that it is to open.
    var launching: Launching?
    /// What this generation has been asked and has not come to yet.
    var asks = Asks()
    /// The controllers that this generation has been told observe.
    var observers: [Peer] = []

    /// Starts after a death; not those that somebody asked for.
    var restarts = 0

    init(peer: Peer, policy: RestartPolicy) { (self.peer, self.policy) = (peer, policy) }
}

extension SupervisorCore {
    /// A child that says it cannot use its scene or settings will say so again.
    private static let unusable = ExitStatus.exited(2)
    private static let abort: Int32 = 6
    /// How long a child whose link is down may take to exit before it is helped.
    private static let exitGrace = Duration.milliseconds(200)

    /// One at a time, without waiting for its readiness: a group of a hundred asked for at once would keep the host
    /// from telling the server who its first apps are for longer than strangers are listened to.
    private mutating func startNext(at now: Instant, into outbox: inout Outbox) {
        guard let index = table.firstIndex(where: { $0.machine.state == .waiting }) else { return }
        give(.start, to: index, at: now, into: &outbox)
    }

    /// In a turn of its own, after what this one sends has left.
    private mutating func startNextSoon(at now: Instant, into outbox: inout Outbox) {
        guard table.contains(where: { $0.machine.state == .waiting }) else { return }
        outbox.append(.arm(Self.startTimer, at: now))
    }

    private func position(of peer: Peer) -> Int? { table.firstIndex { $0.peer == peer } }

    private mutating func give(
        _ input: ChildMachine.Input, to index: Int, at now: Instant, into outbox: inout Outbox
    ) {
        let before = table[index].machine.state
        let decision = table[index].machine.handle(input)
        let child = table[index]
        if child.machine.state != before {
            table[index].since = now
            rosterChanged =
                rosterChanged || before.pid != child.machine.state.pid
                || before.isReady != child.machine.state.isReady
        }
        let name = outbox.trace.name("\(child.peer)")
        let pid = Int64(child.machine.state.pid ?? before.pid ?? 0)
        let age = child.spawnedAt.duration(to: now).nanoseconds
        switch decision {
        case .nothing: return
        case .spawn:
            if before == .backingOff { table[index].restarts += 1 }
            spawn(index, at: now, into: &outbox)
        case .awaitReadiness:
            outbox.trace.note(
                now, .process, "{b:n} started, pid {a}, generation {c}", pid, name, Int64(child.generation))
            if child.peer == .systemServer {
                for act in standingActs { send(.act(act), toChild: index, into: &outbox) }
                for spy in spies {
                    let request = SpyRequest(id: spy.controller.instance, .begin(spy.interest))
                    send(.spy(request), toChild: index, into: &outbox)
                }
            }
            // Whoever looks on sees what comes back, too.
            tellObservers(toChild: index, into: &outbox)
            crashLoops.removeAll { $0.until <= now }
            for loop in crashLoops where loop.peer == child.peer {
                send(.chaos(loop.line), toChild: index, into: &outbox)
            }
            outbox.append(.arm(timer(of: index), at: now.advanced(by: settings[.supervisorStartDeadline])))
        case .welcome:
            table[index].wasReady = true
            table[index].launching?.endDue()
            outbox.trace.note(now, .process, "{c:n} ready, pid {a}, after {b:t}", pid, age, name)
            outbox.append(.disarm(timer(of: index)))
        case .awaitExit:
            outbox.append(.arm(timer(of: index), at: now.advanced(by: Self.exitGrace)))
        case .kill:
            if case .starting = before {
                table[index].killedBecause =
                    "not ready within \(settings.text(of: .supervisorStartDeadline)) s"
                outbox.trace.note(
                    now, .process, "{c:n} killed, pid {a}: not ready {b:t} after its start", pid, age, name)
            } else {
                let reason =
                    if case .dismissed = before { "it was terminated and lived on" } else {
                        "it closed its link and lived on"
                    }
                table[index].killedBecause = table[index].killedBecause ?? reason
                outbox.trace.note(now, .process, "{b:n} killed, pid {a}: {c:n}", pid, name, outbox.trace.name(reason))
            }
            outbox.append(.signal(child.peer, .kill))
            outbox.append(.arm(timer(of: index), at: now.advanced(by: Self.exitGrace)))
        case .expel:
            if case .expelled(_, let reason) = child.machine.state { table[index].killedBecause = reason }
            outbox.trace.note(
                now, .process, "{b:n} expelled, pid {a}: {c:n}", pid, name,
                outbox.trace.name(table[index].killedBecause ?? ""))
            outbox.append(.signal(child.peer, .kill))
            outbox.append(.arm(timer(of: index), at: now.advanced(by: Self.exitGrace)))
        case .awaitEnd:
            outbox.append(.arm(timer(of: index), at: now.advanced(by: settings[.supervisorQuitDeadline])))
        case .rest:
            outbox.trace.note(now, .process, "{b:n} is down, pid {a}, until it is launched", pid, name)
            outbox.append(.disarm(timer(of: index)))
        case .backOff:
            outbox.trace.note(
                now, .process, "{d:n} died, pid {a}: {c:n}; starts again in {b:t}", pid, child.backoff.nanoseconds,
                outbox.trace.name(child.lastExit), name)
            outbox.append(.arm(timer(of: index), at: now.advanced(by: child.backoff)))
        case .quarantine:
            // Once, however often its program cannot be started.
            if !child.isUnstartable {
                outbox.trace.note(
                    now, .process, "{c:n} quarantined, pid {a}: {b:n}", pid, outbox.trace.name(child.lastExit), name)
            }
            outbox.append(.disarm(timer(of: index)))
        case .askToStop:
            send(.shutdown, toChild: index, into: &outbox)
            outbox.append(.disarm(timer(of: index)))
        case .farewell:
            outbox.trace.note(now, .process, "{a:n} gone", name)
            outbox.append(.disarm(timer(of: index)))
        }
    }

    private mutating func spawn(_ index: Int, at now: Instant, into outbox: inout Outbox) {
        table[index].generation += 1
        // A new server knows none of the old one's links: whoever still speaks of them is fenced by the epoch.
        if table[index].peer == .systemServer && table[index].generation > 1 {
            epoch += 1
            rosterChanged = true
            outbox.trace.note(now, .process, "epoch {a}", Int64(epoch))
        }
        table[index].epoch = epoch
        table[index].spawnedAt = now
        table[index].wasReady = false
        (table[index].sent, table[index].received) = (0, 0)
        (table[index].asks, table[index].observers) = (Asks(), [])
        let peer = table[index].peer
        for controller in controllers.indices { controllers[controller].requests.forget(peer) }
        let isOwn = peer.role == .app && Int(peer.instance) <= topology.apps.count
        var told = isOwn ? ownSettings(of: peer.instance) : toldSettings
        let placing = topology.placing.text
        if peer == .systemServer, !placing.isEmpty { told.append(Setting(key: "group.topology", value: placing)) }
        let opens = table[index].launching?.spawned()
        outbox.append(
            .spawn(
                table[index].peer,
                LaunchOrder(
                    peer: table[index].peer, epoch: epoch, generation: table[index].generation,
                    runDirectory: order.runDirectory, settings: told, opens: opens)))
    }

    private func ownSettings(of app: UInt32) -> [Setting] {
        var own = topology.settings(of: app, in: settings)
        try? own.set(.groupSchemes, to: schemes)
        return own.changed
    }

    /// A child is no more, or never was.
    private mutating func bury(
        _ index: Int, because reason: String, by status: ExitStatus? = nil, at now: Instant, into outbox: inout Outbox
    ) {
        let reason = table[index].killedBecause.map { "\(reason): \($0)" } ?? reason
        (table[index].lastExit, table[index].killedBecause) = (reason, nil)
        // What it is asked to do is no death.
        var isWanted = isStopping
        if case .dismissed = table[index].machine.state { isWanted = true }
        if !isWanted { table[index].deaths.add(status) }
        let verdict: ChildMachine.Verdict
        // While the group ends deaths are what is wanted, and nobody judges them.
        if isWanted {
            verdict = .again
        } else if table[index].peer == .systemServer, status == .exited(ExitStatus.leaseExpired),
            table[index].spawnedAt.duration(to: now) > settings[.serverLease]
        {
            // It was stopped from outside and is as good as new: nothing is held against it. One that has not lived for
            // a lease cannot have been stopped for one.
            table[index].backoff = .zero
            verdict = .again
        } else if table[index].peer == .systemServer, status == .signalled(Self.abort) {
            // libzmq aborts for what others have done to its connections; this project's own code traps. So an abort is
            // not held against the server, however often, and each one doubles the wait.
            table[index].backoff = table[index].policy.delay(afterAbortWith: table[index].backoff)
            verdict = .again
        } else if status == Self.unusable {
            verdict = .enough(reason: "cannot use what it was given")
        } else if let delay = table[index].policy.delay(afterDeathAt: now, wasReady: table[index].wasReady) {
            table[index].backoff = delay
            verdict = .again
        } else {
            let policy = table[index].policy
            verdict = .enough(
                reason: table[index].wasReady
                    ? "died after \(policy.restartLimit) restarts in \(fixedText(policy.window.seconds, digits: 0)) s"
                    : "not ready after \(policy.restartLimit) restarts"
            )
        }
        give(.died(verdict), to: index, at: now, into: &outbox)
        buried(index, into: &outbox)
        if table[index].peer == .systemServer, case .quarantined(let why) = table[index].machine.state {
            // Nothing works without it, and whoever has started the group may know what to do.
            outbox.trace.note(now, .process, "no group without system-server: {a:n}", outbox.trace.name(why))
            failure = "\(why), and there is no group without it"
            stop(at: now, into: &outbox)
        }

        let peer = table[index].peer
        if peer == .inputKit { failPlays(because: "input-kit died: \(reason)", into: &outbox) }
        gathering?.giveUp(on: peer)
    }

    private mutating func take(_ frame: Frame, fromChild index: Int, at now: Instant, into outbox: inout Outbox) {
        let child = table[index]
        guard frame.generation == child.generation else {
            outbox.trace.note(
                now, .process, "{a:n} generation {b} spoke after generation {c} was started",
                outbox.trace.name("\(child.peer)"), Int64(frame.generation), Int64(child.generation))
            return
        }
        table[index].received = frame.sequence
        switch frame.message {
        case .ready: give(.announced, to: index, at: now, into: &outbox)
        case .report(let report):
            // The answer to a round that has closed without it says nothing about this one.
            if table[index].asks.report() { gathering?.take(report, from: child.peer) }
            let asks = table[index].asks
            for controller in controllers.indices {
                controllers[controller].requests.forgetDone(by: child.peer, isDone: asks.isDone)
            }
            sendWaiting(toChild: index, into: &outbox)
        case .played(let report): finish(report, into: &outbox)
        case .measured(let ledgers):
            guard let play = plays.first(where: \.wantsLedgers) else { return }
            send(.measured(ledgers), to: play.controller, into: &outbox)
        case .refused(let reason):
            guard objections.rises() else { return }
            outbox.trace.note(
                now, .process, "{a:n} refused: {b:n}", outbox.trace.name("\(child.peer)"),
                outbox.trace.name(String(reason.prefix(200))))
        case .facts(var page):
            // The sender is who the host says it is, whatever it wrote. The server speaks for apps that joined it, too.
            let isOfJoined = child.peer == .systemServer && page.peer.role == .app && position(of: page.peer) == nil
            if !isOfJoined { page.peer = child.peer }
            send(.facts(page), to: Peer(.controller, page.id), into: &outbox)
            answered(.facts(of: page.peer), of: page.id, by: index, into: &outbox)
        case .detail(let page):
            send(.detail(page), to: Peer(.controller, page.id), into: &outbox)
            answered(.detail, of: page.id, by: index, into: &outbox)
        case .spied(let page): pass(page, from: child.peer, into: &outbox)
        case .misconduct(let misconduct):
            guard child.peer == .systemServer, misconduct.peer != .systemServer,
                let offender = position(of: misconduct.peer), table[offender].generation == misconduct.generation
            else { return }
            let reason = "\(misconduct.strikes) strikes: \(misconduct.reason)"
            give(.misbehaved(reason: reason), to: offender, at: now, into: &outbox)
        case .stalled(let stall): note(stall, at: now, into: &outbox)
        case .overran(let overrun): end(overrun, from: child.peer, at: now, into: &outbox)
        case .wanted(let wish): launch(wish, at: now, into: &outbox)
        case .opened(let answer):
            if let place = askers.firstIndex(where: { $0.instance == answer.asker }) { askers.remove(at: place) }
            send(.opened(answer), to: Peer(.controller, answer.asker), into: &outbox)
        // `MessageKind.mayGo` lets no child say these to a supervisor.
        case .hello, .link, .digitizer, .device, .touches, .input, .lifeCycle, .scene, .windows, .handled, .launch,
            .roster, .act, .shutdown, .play, .stopPlay, .reportRequest, .chaos, .observe, .detailRequest, .spy, .open,
            .screenshot:
            return
        }
    }

    /// The server judges which app answers; here it is only told.
    private func note(_ stall: Stall, at now: Instant, into outbox: inout Outbox) {
        let app = Int64(stall.app)
        guard let lasted = stall.lasted else {
            return outbox.trace.note(
                now, .process, "app {a} does not answer: {b} frames, {c} touches cancelled", app,
                Int64(stall.unanswered), Int64(stall.touches))
        }
        outbox.trace.note(now, .process, "app {a} answers again after {b:t}", app, lasted.nanoseconds)
    }

    /// The server's watchdog: an app that hangs in a change of its life is ended, and started again as one that crashed.
    private mutating func end(
        _ overrun: Overrun, from sender: Peer, at now: Instant, into outbox: inout Outbox
    ) {
        guard sender == .systemServer, let index = position(of: .app(overrun.app)),
            table[index].generation == overrun.generation, case .ready(let pid) = table[index].machine.state
        else { return }
        let limit = fixedText(overrun.limit.seconds, digits: 0)
        table[index].killedBecause = "watchdog: \(overrun.moment) not done within \(limit) s"
        outbox.trace.note(
            now, .process, "app {a} killed, pid {b}: {c:n}", Int64(overrun.app), Int64(pid),
            outbox.trace.name(table[index].killedBecause ?? ""))
        outbox.append(.signal(table[index].peer, .kill))
    }

    private mutating func send(_ message: Message, toChild index: Int, into outbox: inout Outbox) {
        table[index].sent += 1
        let frame = Frame(
            epoch: epoch, generation: order.generation, sequence: table[index].sent, ack: table[index].received,
            credit: 256, message: message)
        outbox.append(.send(frame, to: table[index].peer))
    }

    private func timer(of index: Int) -> TimerID { TimerID(Self.firstChildTimer + UInt32(index)) }
}

// MARK: Time, the roster, the end

extension SupervisorCore {
    private static let gatheringTimer = TimerID(1)
    private static let terminateTimer = TimerID(2)
    private static let killTimer = TimerID(3)
    private static let rosterTimer = TimerID(4)
    private static let startTimer = TimerID(5)
    /// How long changes of the roster are gathered for the apps.
    private static let rosterPause = Duration.milliseconds(10)
    private static let firstChildTimer: UInt32 = 16

    private mutating func fire(_ timer: TimerID, at now: Instant, into outbox: inout Outbox) {
        switch timer {
        case Self.gatheringTimer: closeGathering(at: now, into: &outbox)
        case Self.terminateTimer: signalRemaining(.terminate, at: now, into: &outbox)
        case Self.killTimer: signalRemaining(.kill, at: now, into: &outbox)
        case Self.startTimer: startNext(at: now, into: &outbox)
        case Self.rosterTimer: sendRosterToApps(into: &outbox)
        default:
            let index = Int(timer.rawValue) - Int(Self.firstChildTimer)
            guard table.indices.contains(index) else { return }
            // The timer of a state that it has left by now.
            if case .quarantined = table[index].machine.state, !table[index].isUnstartable { return }
            give(.due, to: index, at: now, into: &outbox)
        }
    }

    /// A program that could not be started may be there again later: it is tried now and then, and whenever it is launched. A
    /// system-server's is not: the group ends.
    private mutating func awaitMending(of index: Int, at now: Instant, into outbox: inout Outbox) {
        guard case .quarantined = table[index].machine.state, !isStopping else { return }
        table[index].isUnstartable = true
        outbox.append(.arm(timer(of: index), at: now.advanced(by: settings[.supervisorBackoffLimit])))
    }

    private func roster() -> [RosterEntry] {
        table.compactMap { child in
            child.machine.state.pid.map {
                RosterEntry(
                    peer: child.peer, pid: $0, uid: uid, generation: child.generation,
                    isReady: child.machine.state.isReady)
            }
        }
    }

    private mutating func sendRoster(to index: Int, into outbox: inout Outbox) {
        guard table[index].machine.state.isListening else { return }
        send(.roster(roster()), toChild: index, into: &outbox)
    }

    /// A group of a hundred apps changes two hundred times while it starts, and apps let nobody in: telling each of
    /// them each time would be two million entries.
    private mutating func sendRosterToApps(into outbox: inout Outbox) {
        appsAwaitRoster = false
        guard !isStopping else { return }
        for index in table.indices where table[index].peer.role == .app { sendRoster(to: index, into: &outbox) }
    }

    /// What follows from one input, once: the roster, the round that is complete, the end.
    private mutating func settle(at now: Instant, into outbox: inout Outbox) {
        if rosterChanged && !isStopping {
            // Who lets peers in must know of them before they speak.
            for index in table.indices where table[index].peer.role != .app { sendRoster(to: index, into: &outbox) }
            if !appsAwaitRoster {
                appsAwaitRoster = true
                outbox.append(.arm(Self.rosterTimer, at: now.advanced(by: Self.rosterPause)))
            }
        }
        rosterChanged = false
        if !hasBeenReady && isReady {
            hasBeenReady = true
            outbox.trace.note(
                now, .process, "group ready, {a} processes, after {b:t}", Int64(table.count),
                startedAt.duration(to: now).nanoseconds)
        }
        if gathering?.isComplete == true { closeGathering(at: now, into: &outbox) }
        if isStopping && table.allSatisfy({ $0.machine.state == .gone }) {
            outbox.trace.note(now, .process, "group gone")
            outbox.append(.exit(status: failure == nil ? 0 : 1))
        }
    }

    /// Apps first, so that none loses the server beneath it while it says goodbye.
    private mutating func stop(at now: Instant, into outbox: inout Outbox) {
        guard !isStopping else { return }
        isStopping = true
        outbox.trace.note(now, .process, "group stopping")
        for asker in (gathering?.askers ?? []) + nextAskers {
            send(.refused("the group is stopping"), to: asker, into: &outbox)
        }
        (gathering, nextAskers) = (nil, [])
        outbox.append(.disarm(Self.gatheringTimer))
        failPlays(because: "the group is stopping", into: &outbox)
        for index in table.indices.reversed() { give(.stop, to: index, at: now, into: &outbox) }
        let deadline = settings[.supervisorStopDeadline]
        outbox.append(.arm(Self.terminateTimer, at: now.advanced(by: deadline / 2)))
        outbox.append(.arm(Self.killTimer, at: now.advanced(by: deadline)))
    }

    private mutating func signalRemaining(_ signal: ChildSignal, at now: Instant, into outbox: inout Outbox) {
        for child in table.reversed() {
            guard case .stopping(let pid?) = child.machine.state else { continue }
            outbox.trace.note(
                now, .process, "{b:n} still there, pid {a}: {c:n}", Int64(pid), outbox.trace.name("\(child.peer)"),
                outbox.trace.name("\(signal)"))
            outbox.append(.signal(child.peer, signal))
        }
    }
}

// MARK: The `touchline` command

private struct Controller {
    let peer: Peer
    var sent: UInt64 = 0
    var received: UInt64 = 0
    /// What it has asked and waits for.
    var requests = Requests()

    init(peer: Peer) { self.peer = peer }
}

/// A play under way: input-kit knows it by `id`, whoever ordered it by `orderedAs`.
private struct Play {
    var id: UInt32
    var controller: Peer
    var orderedAs: UInt32
    var wantsLedgers: Bool
}

extension SupervisorCore {
    private mutating func take(_ message: Message, from controller: Peer, at now: Instant, into outbox: inout Outbox) {
        switch message {
        case .reportRequest:
            guard !isStopping else { return send(.refused("the group is stopping"), to: controller, into: &outbox) }
            guard nextAskers.count(where: { $0 == controller }) < Self.questionLimit else {
                let reason = "more than \(Self.questionLimit) questions at once"
                return send(.refused(reason), to: controller, into: &outbox)
            }
            nextAskers.append(controller)
            if gathering == nil { openGathering(at: now, into: &outbox) }
        case .play(let order): play(order, for: controller, into: &outbox)
        case .act(let act):
            guard let server = position(of: .systemServer), table[server].machine.state.isReady else {
                return send(.refused("system-server is not ready"), to: controller, into: &outbox)
            }
            if let app = act.stranger(to: displays) {
                let reason =
                    "app \(app) lives on display \(displays.display(of: app)): apps share the main display alone"
                return send(.refused(reason), to: controller, into: &outbox)
            }
            guard ask(message, ofChild: server, for: controller, into: &outbox) else { return }
            standingActs.remember(act, on: displays)
            // Whoever is to be shown is there, or comes: the server waits for it.
            if case .terminate(let app) = act {
                if let index = position(of: .app(app)) { give(.dismiss, to: index, at: now, into: &outbox) }
            } else {
                for app in act.shownApps {
                    guard let index = position(of: .app(app)) else { continue }
                    give(table[index].isUnstartable ? .due : .launch, to: index, at: now, into: &outbox)
                }
            }
        case .shutdown: stop(at: now, into: &outbox)
        case .open(let request): open(request, for: controller, into: &outbox)
        case .chaos(let line): chaos(line, for: controller, at: now, into: &outbox)
        case .observe(let observation): observe(observation, for: controller, into: &outbox)
        case .detailRequest(var request):
            guard let server = position(of: .systemServer), table[server].machine.state.isListening else {
                return send(.refused("system-server is not running"), to: controller, into: &outbox)
            }
            request.id = controller.instance
            ask(.detailRequest(request), about: .detail, ofChild: server, for: controller, into: &outbox)
        case .spy(let request): spy(request, for: controller, into: &outbox)
        case .hello, .link, .digitizer, .device, .touches, .input, .lifeCycle, .scene, .windows, .handled, .launch,
            .roster, .ready, .stopPlay, .played, .measured, .report, .refused, .misconduct, .stalled, .overran, .facts,
            .detail, .spied, .opened, .wanted, .screenshot:
            send(.refused("a supervisor takes no \(message.kind)"), to: controller, into: &outbox)
        }
    }

    /// A fault that a process does to itself: passed on to it, and said again to whoever asked, who so knows when.
    private mutating func chaos(
        _ line: String, for controller: Peer, at now: Instant, into outbox: inout Outbox
    ) {
        func refuse(_ reason: String) { send(.refused(reason), to: controller, into: &outbox) }
        guard settings[.chaosAllowed] else {
            return refuse("this group was not started with --allow-chaos")
        }
        let fault: Fault
        do throws(FaultError) { fault = try Fault(parsing: line) } catch { return refuse("chaos: \(error)") }
        if let reason = fault.liveRefusal { return refuse("chaos: \(reason)") }
        // Its own faults are its host's, which has heard this too.
        if fault.target != .supervisor {
            guard let index = position(of: fault.target), table[index].machine.state.isListening else {
                return refuse("chaos: \(fault.target) is not running")
            }
            guard ask(.chaos(line), ofChild: index, for: controller, into: &outbox) else { return }
            if fault.word == .crashLoop {
                crashLoops.removeAll { $0.peer == fault.target }
                crashLoops.append((fault.target, line, now.advanced(by: fault.length)))
            }
        }
        outbox.trace.note(now, .process, "chaos: {a:n}", outbox.trace.name("\(fault)"))
        send(.chaos(line), to: controller, into: &outbox)
    }

    /// Passed on to whom it is about, with the number of who asked; each answers for itself, and nobody waits here.
    private mutating func observe(
        _ observation: Observation, for controller: Peer, into outbox: inout Outbox
    ) {
        var observation = observation
        observation.id = controller.instance
        switch observation.word {
        case .begin:
            if !observers.contains(controller) { observers.append(controller) }
            tellObservers(into: &outbox)
            send(.facts(FactPage(answering: observation, from: .supervisor)), to: controller, into: &outbox)
        case .page:
            if observation.peer == .supervisor {
                send(.facts(FactPage(answering: observation, from: .supervisor)), to: controller, into: &outbox)
            } else if let index = position(of: observation.peer), table[index].machine.state.isListening {
                ask(
                    .observe(observation), about: .facts(of: observation.peer), ofChild: index, for: controller,
                    into: &outbox)
            } else if observation.peer.role == .app, position(of: observation.peer) == nil,
                let server = position(of: .systemServer), table[server].machine.state.isListening
            {
                // An app that joined the server from another machine.
                ask(
                    .observe(observation), about: .facts(of: observation.peer), ofChild: server, for: controller,
                    into: &outbox)
            }
        case .end:
            guard observers.contains(controller) else { return }
            observers.removeAll { $0 == controller }
            tellObservers(into: &outbox)
        }
    }

    /// Passed on to the server, with the number of who asked; which of them there may be is the server's to say.
    private mutating func spy(_ request: SpyRequest, for controller: Peer, into outbox: inout Outbox) {
        var request = request
        request.id = controller.instance
        let isThere = spies.contains { $0.controller == controller }
        if case .begin(let interest) = request.word {
            guard let server = position(of: .systemServer), table[server].machine.state.isListening else {
                return send(.refused("system-server is not running"), to: controller, into: &outbox)
            }
            guard ask(.spy(request), ofChild: server, for: controller, into: &outbox) else { return }
            spies.removeAll { $0.controller == controller }
            return spies.append((controller, interest))
        }
        guard isThere else { return }
        if request.word == .end { spies.removeAll { $0.controller == controller } }
        guard let server = position(of: .systemServer), table[server].machine.state.isListening else { return }
        // An end is as many as there were beginnings, and must not go astray.
        guard request.word != .end else {
            return noteAsk(.spy(request), ofChild: server, for: controller, into: &outbox)
        }
        ask(.spy(request), ofChild: server, for: controller, into: &outbox)
    }

    private mutating func pass(_ page: SpyPage, from child: Peer, into outbox: inout Outbox) {
        let controller = Peer(.controller, page.id)
        guard child == .systemServer, spies.contains(where: { $0.controller == controller }) else { return }
        if case .turnedAway = page.news { spies.removeAll { $0.controller == controller } }
        send(.spied(page), to: controller, into: &outbox)
    }

    /// Tells every child which controllers observe.
    private mutating func tellObservers(into outbox: inout Outbox) {
        for index in table.indices { tellObservers(toChild: index, into: &outbox) }
    }

    /// The child is told of what has changed since it was last told; where it has no room for that, later.
    private mutating func tellObservers(toChild index: Int, into outbox: inout Outbox) {
        guard table[index].machine.state.isListening else { return }
        for observer in table[index].observers where !observers.contains(observer) {
            guard table[index].asks.hasRoom(for: observer.instance) else { continue }
            table[index].observers.removeAll { $0 == observer }
            let end = Observation(id: observer.instance, word: .end)
            noteAsk(.observe(end), ofChild: index, for: observer, into: &outbox)
        }
        for observer in observers where !table[index].observers.contains(observer) {
            guard table[index].asks.hasRoom(for: observer.instance) else { continue }
            table[index].observers.append(observer)
            let begin = Observation(id: observer.instance, word: .begin)
            noteAsk(.observe(begin), ofChild: index, for: observer, into: &outbox)
        }
    }

    // MARK: What controllers ask of children

    /// Sends what has no answer to wait for, or is bounded by what is.
    ///
    /// - Returns: False when the child has too much before it: then the controller is told.
    @discardableResult
    private mutating func ask(
        _ message: Message, ofChild index: Int, for controller: Peer, into outbox: inout Outbox
    ) -> Bool {
        guard table[index].asks.hasRoom(for: controller.instance) else {
            let reason =
                "\(table[index].peer) has not come to \(Asks.share) requests of this controller, or \(Asks.limit) of all"
            send(.refused(reason), to: controller, into: &outbox)
            return false
        }
        noteAsk(message, ofChild: index, for: controller, into: &outbox)
        return true
    }

    private mutating func noteAsk(
        _ message: Message, ofChild index: Int, for controller: Peer, into outbox: inout Outbox
    ) {
        _ = table[index].asks.ask(for: controller.instance)
        send(message, toChild: index, into: &outbox)
        if table[index].asks.wantsReport(isUrgent: false) { requestReport(ofChild: index, into: &outbox) }
    }

    /// Sends a question that is answered, one of its subject at a time.
    private mutating func ask(
        _ message: Message, about subject: Requests.Subject, ofChild index: Int, for controller: Peer,
        into outbox: inout Outbox
    ) {
        guard let place = controllers.firstIndex(where: { $0.peer == controller }) else { return }
        switch controllers[place].requests.add(message, about: subject, to: table[index].peer) {
        case nil:
            return send(.refused("more than \(Requests.limit) questions at once"), to: controller, into: &outbox)
        case true?: replaced += 1
        case false?: break
        }
        sendWaiting(toChild: index, into: &outbox)
    }

    private mutating func answered(
        _ subject: Requests.Subject, of id: UInt32, by index: Int, into outbox: inout Outbox
    ) {
        guard let place = controllers.firstIndex(where: { $0.peer.instance == id }) else { return }
        controllers[place].requests.wasAnswered(subject, by: table[index].peer)
        if controllers[place].requests.isWaiting(for: table[index].peer) { sendWaiting(toChild: index, into: &outbox) }
    }

    /// Sends what waits for this child, as far as the child has room.
    private mutating func sendWaiting(toChild index: Int, into outbox: inout Outbox) {
        guard table[index].machine.state.isListening else { return }
        tellObservers(toChild: index, into: &outbox)
        let peer = table[index].peer
        var isWaiting = false
        for place in controllers.indices {
            let asks = table[index].asks
            while let next = controllers[place].requests.next(for: peer, isDone: asks.isDone),
                table[index].asks.hasRoom(for: controllers[place].peer.instance)
            {
                let number = table[index].asks.ask(for: controllers[place].peer.instance)
                controllers[place].requests.wasSent(next.subject, to: peer, as: number)
                send(next.message, toChild: index, into: &outbox)
            }
            isWaiting = isWaiting || controllers[place].requests.isWaiting(for: peer)
        }
        isWaiting = isWaiting || Set(table[index].observers) != Set(observers)
        if table[index].asks.wantsReport(isUrgent: isWaiting) { requestReport(ofChild: index, into: &outbox) }
    }

    private mutating func requestReport(ofChild index: Int, into outbox: inout Outbox) {
        guard table[index].asks.takesReportRequest else { return }
        table[index].asks.askForReport()
        send(.reportRequest, toChild: index, into: &outbox)
    }

    /// The server knows whose URL it is, and says what came of it.
    private mutating func open(_ request: OpenRequest, for controller: Peer, into outbox: inout Outbox) {
        guard let server = position(of: .systemServer), table[server].machine.state.isReady, !isStopping else {
            return send(.refused("system-server is not ready"), to: controller, into: &outbox)
        }
        guard askers.count < Self.questionLimit else {
            return send(.refused("more than \(Self.questionLimit) questions at once"), to: controller, into: &outbox)
        }
        let asked = OpenRequest(asker: controller.instance, id: request.id, url: request.url)
        guard ask(.open(asked), ofChild: server, for: controller, into: &outbox) else { return }
        askers.append(controller)
    }

    /// The server wants an app to be there.
    private mutating func launch(_ wish: Wish, at now: Instant, into outbox: inout Outbox) {
        guard !isStopping else { return }
        if wish.comesToFront { standingActs.remember(.foreground(app: wish.app), on: displays) }
        guard let index = position(of: .app(wish.app)) else { return fail(wish.opens, of: wish.app, into: &outbox) }
        table[index].launching = Launching(wish, before: table[index].launching)
        if table[index].launching?.isSpent == true { return fail(wish.opens, of: wish.app, into: &outbox) }
        switch table[index].machine.state {
        case .quarantined, .expelled, .gone, .stopping: return fail(wish.opens, of: wish.app, into: &outbox)
        case .spawning, .starting, .ready: table[index].launching?.await(isAlive: true)
        case .waiting, .condemned, .dismissed, .dormant, .backingOff: table[index].launching?.await(isAlive: false)
        }
        give(.launch, to: index, at: now, into: &outbox)
    }

    /// A child is no more: a URL that its app has been launched with may be too many by now.
    private mutating func buried(_ index: Int, into outbox: inout Outbox) {
        switch table[index].peer.role {
        case .systemServer:
            // What it had under way ended with it.
            for index in table.indices { table[index].launching = nil }
            for asker in askers { send(.refused("system-server died"), to: asker, into: &outbox) }
            askers = []
        case .app:
            guard let launching = table[index].launching, launching.isDue else { return }
            var isOver = launching.isSpent
            if case .quarantined = table[index].machine.state { isOver = true }
            guard isOver else { return }
            table[index].launching?.endDue()
            fail(launching.request, of: table[index].peer.instance, into: &outbox)
        case .inputKit, .supervisor, .controller: return
        }
    }

    private mutating func fail(_ request: OpenRequest, of app: UInt32, into outbox: inout Outbox) {
        guard let server = position(of: .systemServer), table[server].machine.state.isListening else { return }
        send(.opened(OpenAnswer(id: request.id, app: app, outcome: .died)), toChild: server, into: &outbox)
    }

    private mutating func play(_ order: PlayOrder, for controller: Peer, into outbox: inout Outbox) {
        guard let index = position(of: .inputKit), table[index].machine.state.isReady, !isStopping else {
            return send(.refused("input-kit is not ready"), to: controller, into: &outbox)
        }
        // Measurements come back unnamed, so two at once could not be told apart.
        if order.wantsLedgers && plays.contains(where: \.wantsLedgers) {
            return send(.refused("another measurement is under way"), to: controller, into: &outbox)
        }
        guard plays.count < Self.playLimit else {
            return send(.refused("more than \(Self.playLimit) plays at once"), to: controller, into: &outbox)
        }
        var forwarded = order
        forwarded.id = lastPlay + 1
        guard ask(.play(forwarded), ofChild: index, for: controller, into: &outbox) else { return }
        lastPlay += 1
        plays.append(
            Play(id: lastPlay, controller: controller, orderedAs: order.id, wantsLedgers: order.wantsLedgers))
    }

    private mutating func finish(_ report: PlayReport, into outbox: inout Outbox) {
        guard let index = plays.firstIndex(where: { $0.id == report.id }) else { return }
        let play = plays.remove(at: index)
        var forwarded = report
        forwarded.id = play.orderedAs
        send(.played(forwarded), to: play.controller, into: &outbox)
    }

    private mutating func failPlays(because reason: String, into outbox: inout Outbox) {
        for play in plays {
            var report = PlayReport(id: play.orderedAs)
            report.failure = reason
            send(.played(report), to: play.controller, into: &outbox)
        }
        plays = []
    }

    /// The command went away: what it asked for is nobody's any more.
    private mutating func forget(_ controller: Peer, into outbox: inout Outbox) {
        controllers.removeAll { $0.peer == controller }
        nextAskers.removeAll { $0 == controller }
        askers.removeAll { $0 == controller }
        if observers.contains(controller) {
            observe(Observation(id: controller.instance, word: .end), for: controller, into: &outbox)
        }
        if spies.contains(where: { $0.controller == controller }) {
            spy(SpyRequest(id: controller.instance, .end), for: controller, into: &outbox)
        }
        gathering?.askers.removeAll { $0 == controller }
        // The report of a play that is stopped will find no play here and be dropped.
        if let inputKit = position(of: .inputKit), table[inputKit].machine.state.isListening {
            for play in plays where play.controller == controller {
                noteAsk(.stopPlay(play.id), ofChild: inputKit, for: controller, into: &outbox)
            }
        }
        plays.removeAll { $0.controller == controller }
    }

    private mutating func openGathering(at now: Instant, into outbox: inout Outbox) {
        guard !nextAskers.isEmpty else { return }
        let listening = table.indices.filter { table[$0].machine.state.isListening }
        // Each controller once, the others' questions of it later: so no round has more to say than a host can send at once.
        var (askers, later): ([Peer], [Peer]) = ([], [])
        let limit = max(1, Self.answerLimit / (table.count + 1))
        for asker in nextAskers {
            if askers.count < limit, !askers.contains(asker) { askers.append(asker) } else { later.append(asker) }
        }
        gathering = Gathering(for: askers, from: listening.map { table[$0].peer })
        nextAskers = later
        for index in listening { requestReport(ofChild: index, into: &outbox) }
        outbox.append(.arm(Self.gatheringTimer, at: now.advanced(by: Gathering.deadline)))
    }

    private mutating func closeGathering(at now: Instant, into outbox: inout Outbox) {
        guard let round = gathering else { return }
        gathering = nil
        outbox.append(.disarm(Self.gatheringTimer))
        let answers = round.answers(from: table.map(\.peer))
        for asker in round.askers {
            send(.report(report(followedBy: answers.count)), to: asker, into: &outbox)
            for answer in answers { send(.report(answer), to: asker, into: &outbox) }
        }
        openGathering(at: now, into: &outbox)
    }

    private mutating func send(_ message: Message, to controller: Peer, into outbox: inout Outbox) {
        guard let index = controllers.firstIndex(where: { $0.peer == controller }) else { return }
        controllers[index].sent += 1
        let frame = Frame(
            epoch: epoch, generation: order.generation, sequence: controllers[index].sent,
            ack: controllers[index].received, credit: 256, message: message)
        outbox.append(.send(frame, to: controller))
    }
}
