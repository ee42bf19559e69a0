// ChildTable.swift: the children of the group: who is started, ready, stopped, dead, started again or left dead.
//
// Station   process
// Input     SupervisorCore: starts and exits, readiness, misconduct, launch requests, acts, timers, the end of the group
// Output    effects: spawn, signal, rosters, standing acts, the timers of children
// Knows     who is alive. No controller, no question, no touch.
//
//     SupervisorCore ──▶ ChildTable ──▶ Child.machine: what one input means for one child
//                            │   └────▶ Child.deaths: what a death means
//                            └────────▶ the roster, once for each input that changed it
//
// A child is (peer, generation). The group's epoch is renewed whenever the system server is started again, because every
// link ran to it. Each frame from the supervisor carries the epoch in force.
//
// Sources   invented, after faults F1–F3, F13, F14

import Basics
import Hosting
import Settings
import Trace
import Wire

struct ChildTable {
    /// What the group as a whole is doing.
    enum Phase: Hashable {
        case starting
        /// Every child has been ready, or was terminated, at one moment.
        case ready
        /// - Parameter failure: Why the group ends though it was not asked to: what is wrong with system-server.
        case stopping(failure: String?)
    }

    /// How long a child whose link is down may take to exit before it is killed.
    private static let exitGrace = Duration.milliseconds(200)
    /// How long changes of the roster are gathered for the apps.
    private static let rosterPause = Duration.milliseconds(10)

    let displays: Displays
    private let settings: Settings
    private let orders: LaunchOrders
    private let uid: UInt32
    /// The supervisor's own.
    private let generation: UInt32

    private(set) var epoch: UInt32
    private(set) var phase = Phase.starting
    private(set) var startedAt = Instant.boot
    private var children: [Child]
    /// What the screen was told to show and still shows: a new server is told the same before it admits a peer.
    private var standingActs: [SystemAct] = []
    private var rosterChanged = false
    /// A change of the roster is on its way to the apps.
    private var appsAwaitRoster = false

    init(settings: Settings, order: LaunchOrder, apps: UInt32, uid: UInt32) {
        (self.settings, self.uid, epoch, generation) = (settings, uid, order.epoch, order.generation)
        displays = Displays(settings)
        orders = LaunchOrders(settings: settings, runDirectory: order.runDirectory, apps: apps)
        children = ([Peer.inputKit, .systemServer] + (0..<Int(apps)).map { Peer.app(AppID(index: $0)) }).map { peer in
            Child(peer: peer, deaths: DeathRecord(policy: RestartPolicy(settings)))
        }
    }
}

// MARK: Who is there

extension ChildTable {
    var indices: Range<Int> { children.indices }

    /// In the order they are started.
    var peers: [Peer] { children.map(\.peer) }

    var statuses: [ChildStatus] { children.map(\.status) }

    var isReady: Bool { children.allSatisfy { $0.state.isReady || $0.state.isDormant } }

    var isStopping: Bool {
        if case .stopping = phase { true } else { false }
    }

    var failure: String? {
        if case .stopping(let failure) = phase { failure } else { nil }
    }

    func index(of peer: Peer) -> Int? { children.firstIndex { $0.peer == peer } }

    func peer(at index: Int) -> Peer { children[index].peer }

    /// Which start of the child this is.
    func generation(at index: Int) -> UInt32 { children[index].process.generation }

    func isListening(at index: Int) -> Bool { children[index].state.isListening }

    /// The child's index, if it may be sent frames.
    func listening(_ peer: Peer) -> Int? { index(of: peer).flatMap { isListening(at: $0) ? $0 : nil } }

    /// The child's index, if it is ready.
    func ready(_ peer: Peer) -> Int? { index(of: peer).flatMap { children[$0].state.isReady ? $0 : nil } }

    func add(to report: inout Report) {
        for child in children { child.add(to: &report) }
    }

    // MARK: Frames

    /// - Precondition: The message goes in the direction of this child's role.
    mutating func send(_ message: some DirectedMessage, to index: Int, into outbox: inout Outbox) {
        let (message, peer) = (message.message, children[index].peer)
        precondition(message.mayGo(from: .supervisor, to: peer.role), "\(message.kind) to \(peer)")
        outbox.append(.send(numbered(message, on: &children[index].process.link), to: peer))
    }

    /// The message as the next frame of any link of the supervisor.
    func numbered(_ message: Message, on link: inout ControlLink) -> Frame {
        link.frame(message, epoch: epoch, generation: generation)
    }

    /// Acknowledges a frame of the process that lives.
    ///
    /// - Returns: False for a frame of an earlier process of this child.
    mutating func accepts(_ frame: Frame, from index: Int, at now: Instant, into outbox: inout Outbox) -> Bool {
        let child = children[index]
        guard frame.generation == child.process.generation else {
            outbox.trace.note(
                now, .process, "{a:n} generation {b} spoke after generation {c} was started",
                outbox.trace.name("\(child.peer)"), Int64(frame.generation), Int64(child.process.generation))
            return false
        }
        children[index].process.link.acknowledge(upTo: frame.sequence)
        return true
    }
}

// MARK: Starts and deaths

extension ChildTable {
    mutating func start(at now: Instant, into outbox: inout Outbox) {
        startedAt = now
        startNext(at: now, into: &outbox)
    }

    /// One child at a time, without waiting for its readiness: with a hundred children at once, the host would name the
    /// first apps to the server too late for the server to admit them.
    private mutating func startNext(at now: Instant, into outbox: inout Outbox) {
        guard let index = children.firstIndex(where: { $0.state == .waiting }) else { return }
        give(.start, to: index, at: now, into: &outbox)
    }

    /// In a step of its own, after what this one sends has left.
    private func startNextSoon(at now: Instant, into outbox: inout Outbox) {
        guard children.contains(where: { $0.state == .waiting }) else { return }
        outbox.append(.arm(.nextStart, at: now))
    }

    /// The child has a process. What controllers want it to hear follows, and then `expectReadiness`.
    mutating func started(_ index: Int, pid: Int32, at now: Instant, into outbox: inout Outbox) {
        if children[index].deaths.isUnstartable {
            children[index].deaths.programWasMended(RestartPolicy(settings))
            outbox.trace.note(
                now, .process, "{a:n} can be started again: its quarantine ends",
                outbox.trace.name("\(children[index].peer)"))
        }
        give(.spawned(pid: pid), to: index, at: now, into: &outbox)
    }

    mutating func expectReadiness(of index: Int, at now: Instant, into outbox: inout Outbox) {
        if isListening(at: index) { arm(index, after: settings[.supervisorStartDeadline], now, &outbox) }
        startNextSoon(at: now, into: &outbox)
    }

    mutating func announced(_ index: Int, at now: Instant, into outbox: inout Outbox) {
        give(.announced, to: index, at: now, into: &outbox)
    }

    /// The child's link is down.
    mutating func linkLost(_ index: Int, at now: Instant, into outbox: inout Outbox) {
        give(.silent, to: index, at: now, into: &outbox)
    }

    /// The child has exited, or could not be started at all.
    ///
    /// - Returns: How it ended, as a person is told.
    mutating func died(
        _ index: Int, because reason: String, by status: ExitStatus?, at now: Instant, into outbox: inout Outbox
    ) -> String {
        let child = children[index]
        var isWanted = isStopping
        if case .dismissed = child.state { isWanted = true }
        let lease = child.peer == .systemServer ? settings[.serverLease] : nil
        let verdict = children[index].deaths.add(
            reason, status: status, of: child.process, isWanted: isWanted, lease: lease, at: now)
        give(.died(verdict), to: index, at: now, into: &outbox)
        endLaunch(with: index, into: &outbox)
        return children[index].deaths.lastExit
    }

    /// Why there can be no group any more: a system-server that is left dead, which only a person can mend.
    func fatalReason(of index: Int, at now: Instant, into outbox: inout Outbox) -> String? {
        guard children[index].peer == .systemServer, case .quarantined(let reason) = children[index].state else {
            return nil
        }
        outbox.trace.note(now, .process, "no group without system-server: {a:n}", outbox.trace.name(reason))
        return "\(reason), and there is no group without it"
    }

    mutating func programReplaced(_ index: Int) { children[index].programWasReplaced() }

    /// A program that could not be started may be there again later: it is tried now and then, and whenever it is launched.
    /// A system-server's is not: the group ends.
    mutating func startFailed(_ index: Int, at now: Instant, into outbox: inout Outbox) {
        if case .quarantined = children[index].state, !isStopping {
            children[index].deaths.isUnstartable = true
            arm(index, after: settings[.supervisorBackoffLimit], now, &outbox)
        }
        startNextSoon(at: now, into: &outbox)
    }

    mutating func fire(_ timer: TimerID, at now: Instant, into outbox: inout Outbox) {
        switch timer {
        case .terminate: signalRemaining(.terminate, at: now, into: &outbox)
        case .kill: signalRemaining(.kill, at: now, into: &outbox)
        case .nextStart: startNext(at: now, into: &outbox)
        case .roster: sendRosterToApps(into: &outbox)
        default:
            guard let index = timer.child, children.indices.contains(index) else { return }
            // The timer of a state that the child has left.
            if case .quarantined = children[index].state, !children[index].deaths.isUnstartable { return }
            give(.due, to: index, at: now, into: &outbox)
        }
    }
}

// MARK: What the server reports

extension ChildTable {
    /// The server has counted too many strikes against a child.
    mutating func expel(for misconduct: Misconduct, from sender: Int, at now: Instant, into outbox: inout Outbox) {
        guard children[sender].peer == .systemServer, misconduct.peer != .systemServer,
            let offender = index(of: misconduct.peer), generation(at: offender) == misconduct.generation
        else { return }
        let reason = "\(misconduct.strikes) strikes: \(misconduct.reason)"
        give(.misbehaved(reason: reason), to: offender, at: now, into: &outbox)
    }

    /// The server's watchdog: an app that hangs in a change of its life cycle is killed, and started again as one that
    /// crashed.
    mutating func kill(for overrun: Overrun, from sender: Int, at now: Instant, into outbox: inout Outbox) {
        guard children[sender].peer == .systemServer, let index = index(of: .app(overrun.app)),
            generation(at: index) == overrun.generation, case .ready(let pid) = children[index].state
        else { return }
        let reason = "watchdog: \(overrun.moment) not done within \(fixedText(overrun.limit.seconds, digits: 0)) s"
        children[index].deaths.killReason = reason
        outbox.trace.note(
            now, .process, "app {a} killed, pid {b}: {c:n}", Int64(overrun.app), Int64(pid),
            outbox.trace.name(reason))
        outbox.append(.signal(children[index].peer, .kill))
    }
}

// MARK: What is on the screen

extension ChildTable {
    /// Remembers an act that was sent to the server. The apps that it shows are launched if they are down: the server waits
    /// for them.
    mutating func perform(_ act: SystemAct, at now: Instant, into outbox: inout Outbox) {
        standingActs.remember(act, on: displays)
        if case .terminate(let app) = act {
            if let index = index(of: .app(app)) { give(.dismiss, to: index, at: now, into: &outbox) }
            return
        }
        for app in act.shownApps {
            guard let index = index(of: .app(app)) else { continue }
            give(children[index].deaths.isUnstartable ? .due : .launch, to: index, at: now, into: &outbox)
        }
    }

    /// The server requests an app for a URL.
    mutating func launch(_ wish: Wish, at now: Instant, into outbox: inout Outbox) {
        guard !isStopping else { return }
        if wish.comesToFront { standingActs.remember(.foreground(app: wish.app), on: displays) }
        guard let index = index(of: .app(wish.app)), children[index].requestLaunch(wish) else {
            return fail(wish.opens, of: wish.app, into: &outbox)
        }
        give(.launch, to: index, at: now, into: &outbox)
    }

    /// A child has died: an app may have been launched with its URL once too often.
    private mutating func endLaunch(with index: Int, into outbox: inout Outbox) {
        if children[index].peer == .systemServer {
            // What the server had under way ended with it.
            for index in children.indices { children[index].launching = nil }
        } else if let app = children[index].peer.app, let request = children[index].giveUpLaunch() {
            fail(request, of: app, into: &outbox)
        }
    }

    private mutating func fail(_ request: OpenRequest, of app: AppID, into outbox: inout Outbox) {
        guard let server = listening(.systemServer) else { return }
        send(SupervisorToServer.opened(OpenAnswer(id: request.id, app: app, outcome: .died)), to: server, into: &outbox)
    }
}

// MARK: The roster, readiness, the end

extension ChildTable {
    /// What follows from one input, once: the roster, and that the group is ready.
    mutating func settle(at now: Instant, into outbox: inout Outbox) {
        if rosterChanged && !isStopping {
            // A peer that admits others must know of them before they speak.
            for index in children.indices where children[index].peer.role != .app {
                sendRoster(to: index, into: &outbox)
            }
            if !appsAwaitRoster {
                appsAwaitRoster = true
                outbox.append(.arm(.roster, at: now.advanced(by: Self.rosterPause)))
            }
        }
        rosterChanged = false
        if phase == .starting && isReady {
            phase = .ready
            outbox.trace.note(
                now, .process, "group ready, {a} processes, after {b:t}", Int64(children.count),
                startedAt.duration(to: now).nanoseconds)
        }
    }

    /// A group of a hundred apps changes two hundred times while it starts, and apps admit no peer: telling each of
    /// them each time would be two million entries.
    private mutating func sendRosterToApps(into outbox: inout Outbox) {
        appsAwaitRoster = false
        guard !isStopping else { return }
        for index in children.indices where children[index].peer.role == .app { sendRoster(to: index, into: &outbox) }
    }

    private mutating func sendRoster(to index: Int, into outbox: inout Outbox) {
        guard isListening(at: index) else { return }
        let roster = children.compactMap { child in
            child.state.pid.map { pid in
                RosterEntry(
                    peer: child.peer, pid: pid, uid: uid, generation: child.process.generation,
                    isReady: child.state.isReady)
            }
        }
        send(SupervisorToChild.roster(roster), to: index, into: &outbox)
    }

    /// The group ends from now on.
    ///
    /// - Returns: False when it has begun to before.
    mutating func beginStop(because failure: String?, at now: Instant, into outbox: inout Outbox) -> Bool {
        guard !isStopping else { return false }
        phase = .stopping(failure: failure)
        outbox.trace.note(now, .process, "group stopping")
        return true
    }

    /// Apps first, so that none loses the server while it ends.
    mutating func stopAll(at now: Instant, into outbox: inout Outbox) {
        for index in children.indices.reversed() { give(.stop, to: index, at: now, into: &outbox) }
        let deadline = settings[.supervisorStopDeadline]
        outbox.append(.arm(.terminate, at: now.advanced(by: deadline / 2)))
        outbox.append(.arm(.kill, at: now.advanced(by: deadline)))
    }

    private func signalRemaining(_ signal: ChildSignal, at now: Instant, into outbox: inout Outbox) {
        for child in children.reversed() {
            guard case .stopping(let pid?) = child.state else { continue }
            outbox.trace.note(
                now, .process, "{b:n} still there, pid {a}: {c:n}", Int64(pid), outbox.trace.name("\(child.peer)"),
                outbox.trace.name("\(signal)"))
            outbox.append(.signal(child.peer, signal))
        }
    }

    /// Ends the supervisor once every child is gone.
    func exitIfGone(at now: Instant, into outbox: inout Outbox) {
        guard case .stopping(let failure) = phase, children.allSatisfy({ $0.state == .gone }) else { return }
        outbox.trace.note(now, .process, "group gone")
        outbox.append(.exit(status: failure == nil ? 0 : 1))
    }
}

// MARK: What the machine of a child decides

extension ChildTable {
    /// The only place where a child changes its state.
    private mutating func give(
        _ input: ChildMachine.Input, to index: Int, at now: Instant, into outbox: inout Outbox
    ) {
        let before = children[index].state
        let decision = children[index].machine.handle(input)
        let state = children[index].state
        if state != before {
            children[index].since = now
            rosterChanged = rosterChanged || before.pid != state.pid || before.isReady != state.isReady
        }
        carryOut(decision, of: index, leaving: before, at: now, into: &outbox)
    }

    private mutating func carryOut(
        _ decision: ChildMachine.Decision, of index: Int, leaving before: ChildMachine.State, at now: Instant,
        into outbox: inout Outbox
    ) {
        let child = children[index]
        let name = outbox.trace.name("\(child.peer)")
        let pid = Int64(child.state.pid ?? before.pid ?? 0)
        switch decision {
        case .nothing: return
        case .spawn:
            if before == .backingOff { children[index].deaths.restarts += 1 }
            spawn(index, at: now, into: &outbox)
        case .awaitReadiness:
            outbox.trace.note(
                now, .process, "{b:n} started, pid {a}, generation {c}", pid, name, Int64(child.process.generation))
            guard child.peer == .systemServer else { return }
            for act in standingActs { send(SupervisorToServer.act(act), to: index, into: &outbox) }
        case .welcome:
            children[index].process.wasReady = true
            children[index].launching?.endDue()
            let age = child.process.spawnedAt.duration(to: now).nanoseconds
            outbox.trace.note(now, .process, "{c:n} ready, pid {a}, after {b:t}", pid, age, name)
            outbox.append(.disarm(TimerID(child: index)))
        case .awaitExit: arm(index, after: Self.exitGrace, now, &outbox)
        case .kill:
            noteKill(of: index, leaving: before, pid: pid, name: name, at: now, into: &outbox)
            kill(index, now, &outbox)
        case .expel:
            if case .expelled(_, let reason) = child.state { children[index].deaths.killReason = reason }
            outbox.trace.note(
                now, .process, "{b:n} expelled, pid {a}: {c:n}", pid, name,
                outbox.trace.name(children[index].deaths.killReason ?? ""))
            kill(index, now, &outbox)
        case .awaitEnd: arm(index, after: settings[.supervisorQuitDeadline], now, &outbox)
        case .rest:
            outbox.trace.note(now, .process, "{b:n} is down, pid {a}, until it is launched", pid, name)
            outbox.append(.disarm(TimerID(child: index)))
        case .backOff:
            outbox.trace.note(
                now, .process, "{d:n} died, pid {a}: {c:n}; starts again in {b:t}", pid,
                child.deaths.backoff.nanoseconds, outbox.trace.name(child.deaths.lastExit), name)
            arm(index, after: child.deaths.backoff, now, &outbox)
        case .quarantine:
            // Once, however often the program cannot be started.
            if !child.deaths.isUnstartable {
                outbox.trace.note(
                    now, .process, "{c:n} quarantined, pid {a}: {b:n}", pid, outbox.trace.name(child.deaths.lastExit),
                    name)
            }
            outbox.append(.disarm(TimerID(child: index)))
        case .askToStop:
            send(SupervisorToChild.shutdown, to: index, into: &outbox)
            outbox.append(.disarm(TimerID(child: index)))
        case .farewell:
            outbox.trace.note(now, .process, "{a:n} gone", name)
            outbox.append(.disarm(TimerID(child: index)))
        }
    }

    private mutating func spawn(_ index: Int, at now: Instant, into outbox: inout Outbox) {
        let peer = children[index].peer
        let generation = children[index].process.generation + 1
        // A new server knows none of the old one's links: frames of those are fenced by the epoch.
        if peer == .systemServer && generation > 1 {
            epoch += 1
            rosterChanged = true
            outbox.trace.note(now, .process, "epoch {a}", Int64(epoch))
        }
        children[index].process = ChildProcess(generation: generation, epoch: epoch, spawnedAt: now)
        let opens = children[index].launching?.spawned()
        outbox.append(
            .spawn(peer, orders.order(for: peer, epoch: epoch, generation: generation, opens: opens)))
    }

    private mutating func noteKill(
        of index: Int, leaving before: ChildMachine.State, pid: Int64, name: Int64, at now: Instant,
        into outbox: inout Outbox
    ) {
        if case .starting = before {
            let age = children[index].process.spawnedAt.duration(to: now).nanoseconds
            children[index].deaths.killReason = "not ready within \(settings.text(of: .supervisorStartDeadline)) s"
            outbox.trace.note(
                now, .process, "{c:n} killed, pid {a}: not ready {b:t} after its start", pid, age, name)
            return
        }
        var reason = "it closed its link and lived on"
        if case .dismissed = before { reason = "it was terminated and lived on" }
        children[index].deaths.killReason = children[index].deaths.killReason ?? reason
        outbox.trace.note(now, .process, "{b:n} killed, pid {a}: {c:n}", pid, name, outbox.trace.name(reason))
    }

    private func kill(_ index: Int, _ now: Instant, _ outbox: inout Outbox) {
        outbox.append(.signal(children[index].peer, .kill))
        arm(index, after: Self.exitGrace, now, &outbox)
    }

    private func arm(_ index: Int, after delay: Duration, _ now: Instant, _ outbox: inout Outbox) {
        outbox.append(.arm(TimerID(child: index), at: now.advanced(by: delay)))
    }
}
