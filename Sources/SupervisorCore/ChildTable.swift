// ChildTable.swift: the children of the group: their starts, readiness, stops, deaths and restarts.
//
// Station   process
// Input     SupervisorCore: starts and exits, readiness, strike reports, launch requests, acts, timers, the end of the
//           group
// Output    effects: spawn, signal, rosters, standing acts, the timers of children
// Knows     the children that run. No controller, no question, no touch.
//
//     SupervisorCore ──▶ ChildTable ──▶ Child.machine: the transitions of one child
//                            │   └────▶ Child.deaths: the judgement of a death
//                            └────────▶ the roster, once for each input that changed it
//
// A child is (peer, generation). The epoch of the group changes with each new system server, because every link ran to
// it. Each frame from the supervisor carries the epoch in force.
//
// Sources   invented, after faults F1–F3, F13, F14

import Basics
import Hosting
import Settings
import Trace
import Wire

/// All children of a group.
struct ChildTable {
    /// The phase of the whole group.
    enum Phase: Hashable {
        case starting
        /// Every child has been ready, or was terminated, at one moment.
        case ready
        /// - Parameter failure: The reason why the group ends without a request: the defect of system-server.
        case stopping(failure: String?)
    }

    /// The time that a child with a closed link has to exit before it is killed.
    private static let exitGrace = Duration.milliseconds(200)
    /// The time for which changes of the roster are collected for the apps.
    private static let rosterPause = Duration.milliseconds(10)

    let displays: Displays
    private let settings: Settings
    private var orders: LaunchOrders
    private let uid: UInt32
    /// The supervisor's own generation.
    private let generation: UInt32

    private(set) var epoch: UInt32
    private(set) var phase = Phase.starting
    private(set) var startedAt = Instant.boot
    var children: [Child]
    /// The acts that are still in force: a new server receives them before it admits a peer.
    var actsInForce: [SystemAct] = []
    private var rosterChanged = false
    /// Whether a change of the roster will be sent to the apps.
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

// MARK: Lookup

extension ChildTable {
    var indices: Range<Int> { children.indices }

    /// The peers, in the order in which they are started.
    var peers: [Peer] { children.map(\.peer) }

    var statuses: [ChildStatus] { children.map(\.status) }

    var isReady: Bool { children.indices.allSatisfy { children[$0].state.isReady || children[$0].state.isDormant } }

    var isStopping: Bool {
        if case .stopping = phase { true } else { false }
    }

    var failure: String? {
        if case .stopping(let failure) = phase { failure } else { nil }
    }

    // By index: a closure over the elements would copy each child. Every frame is looked up here.
    func index(of peer: Peer) -> Int? { children.indices.first { children[$0].peer == peer } }

    func peer(at index: Int) -> Peer { children[index].peer }

    /// The process generation of the child.
    func generation(at index: Int) -> UInt32 { children[index].process.generation }

    func isListening(at index: Int) -> Bool { children[index].state.isListening }

    /// The child's index, if it may receive frames.
    func listeningIndex(of peer: Peer) -> Int? { index(of: peer).flatMap { isListening(at: $0) ? $0 : nil } }

    /// The child's index, if it is ready.
    func readyIndex(of peer: Peer) -> Int? { index(of: peer).flatMap { children[$0].state.isReady ? $0 : nil } }

    func add(to report: inout Report) {
        for child in children { child.add(to: &report) }
    }

    // MARK: Frames

    /// Sends a message to a child as the next frame of its link.
    ///
    /// - Precondition: The child's role may receive the message.
    mutating func send(_ message: some DirectedMessage, to index: Int, into outbox: inout Outbox) {
        let (message, peer) = (message.message, children[index].peer)
        precondition(message.isAllowed(from: .supervisor, to: peer.role), "\(message.kind) to \(peer)")
        // `numbered` would read the whole table while a part of it is changed, and so copy all children.
        let frame = children[index].process.link.frame(message, epoch: epoch, generation: generation)
        outbox.append(.send(frame, to: peer))
    }

    /// Makes the message the next frame of a supervisor's link to a controller.
    func numbered(_ message: Message, on link: inout ControlLink) -> Frame {
        link.frame(message, epoch: epoch, generation: generation)
    }

    /// Acknowledges a frame of the current process.
    ///
    /// - Returns: False for a frame of an earlier process of this child.
    mutating func acknowledge(_ frame: Frame, from index: Int, at now: Instant, into outbox: inout Outbox) -> Bool {
        let generation = generation(at: index)
        guard frame.generation == generation else {
            outbox.trace.note(
                now, .process, "{a:n}: frame of generation {b} dropped, generation {c} runs",
                outbox.trace.intern("\(peer(at: index))"), Int64(frame.generation), Int64(generation))
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

    /// Starts the next waiting child, without waiting for the readiness of the last one.
    ///
    /// If a hundred children started at once, the host would report the first apps to the server too late for the
    /// server to admit them.
    private mutating func startNext(at now: Instant, into outbox: inout Outbox) {
        guard let index = children.firstIndex(where: { $0.state == .waiting }) else { return }
        apply(.start, to: index, at: now, into: &outbox)
    }

    /// Starts the next child in a separate step, after the effects of this one.
    private func startNextSoon(at now: Instant, into outbox: inout Outbox) {
        guard children.contains(where: { $0.state == .waiting }) else { return }
        outbox.append(.arm(.nextStart, at: now))
    }

    /// Notes the process of a child. The requests of controllers follow, and then `expectReadiness`.
    mutating func handleStart(of index: Int, pid: Int32, at now: Instant, into outbox: inout Outbox) {
        if children[index].deaths.isUnstartable {
            children[index].deaths.programBecameStartable(RestartPolicy(settings))
            outbox.trace.note(
                now, .process, "{a:n}: quarantine ended, it can be started again",
                outbox.trace.intern("\(children[index].peer)"))
        }
        apply(.spawned(pid: pid), to: index, at: now, into: &outbox)
    }

    mutating func expectReadiness(of index: Int, at now: Instant, into outbox: inout Outbox) {
        if isListening(at: index) { arm(index, after: settings[.supervisorStartDeadline], now, &outbox) }
        startNextSoon(at: now, into: &outbox)
    }

    mutating func handleReadiness(of index: Int, at now: Instant, into outbox: inout Outbox) {
        apply(.announced, to: index, at: now, into: &outbox)
    }

    /// Notes that the child's link is down.
    mutating func handleLinkLoss(of index: Int, at now: Instant, into outbox: inout Outbox) {
        apply(.linkLost, to: index, at: now, into: &outbox)
    }

    /// Notes that the child has exited, or could not be started at all.
    ///
    /// - Returns: The end of the child, as a text for people.
    mutating func handleDeath(
        of index: Int, because reason: String, by status: ExitStatus?, at now: Instant, into outbox: inout Outbox
    ) -> String {
        let child = children[index]
        var isWanted = isStopping
        if case .dismissed = child.state { isWanted = true }
        let lease = child.peer == .systemServer ? settings[.serverSuspensionLimit] : nil
        let verdict = children[index].deaths.add(
            reason, status: status, of: child.process, isWanted: isWanted, lease: lease, at: now)
        apply(.died(verdict), to: index, at: now, into: &outbox)
        endLaunch(with: index, into: &outbox)
        return children[index].deaths.lastExit
    }

    /// The reason why the group cannot continue: a quarantined system-server, which only a person can repair.
    func fatalReason(of index: Int, at now: Instant, into outbox: inout Outbox) -> String? {
        guard children[index].peer == .systemServer, case .quarantined(let reason) = children[index].state else {
            return nil
        }
        outbox.trace.note(now, .process, "the group stops without system-server: {a:n}", outbox.trace.intern(reason))
        return "\(reason), and there is no group without it"
    }

    mutating func noteReplacedProgram(of index: Int) { children[index].programWasReplaced() }

    /// Plans another attempt for a child with a program that could not be started.
    ///
    /// The program may be repaired later, so it is tried at intervals, and at every launch. Without system-server the
    /// group ends instead.
    mutating func handleFailedStart(of index: Int, at now: Instant, into outbox: inout Outbox) {
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
            // The timer belongs to a state that the child has left.
            if case .quarantined = children[index].state, !children[index].deaths.isUnstartable { return }
            apply(.timerFired, to: index, at: now, into: &outbox)
        }
    }
}

// MARK: Reports of the server

extension ChildTable {
    /// Expels a child because the server has counted too many strikes against it.
    mutating func expel(for report: StrikeReport, from sender: Int, at now: Instant, into outbox: inout Outbox) {
        guard children[sender].peer == .systemServer, report.peer != .systemServer,
            let offender = index(of: report.peer), generation(at: offender) == report.generation
        else { return }
        let reason = "\(report.strikes) strikes: \(report.reason)"
        apply(.misbehaved(reason: reason), to: offender, at: now, into: &outbox)
    }

    /// Kills an app for the server's watchdog: the app hangs in a change of its life cycle. It is started again as
    /// after a crash.
    mutating func kill(for overrun: Overrun, from sender: Int, at now: Instant, into outbox: inout Outbox) {
        guard children[sender].peer == .systemServer, let index = index(of: .app(overrun.app)),
            generation(at: index) == overrun.generation, case .ready(let pid) = children[index].state
        else { return }
        let reason = "watchdog: \(overrun.change) not done within \(fixedText(overrun.limit.seconds, digits: 0)) s"
        children[index].deaths.killReason = reason
        outbox.trace.note(
            now, .process, "app {a} killed, pid {b}: {c:n}", Int64(overrun.app), Int64(pid),
            outbox.trace.intern(reason))
        outbox.append(.signal(children[index].peer, .kill))
    }
}

// MARK: The roster, readiness, the end

extension ChildTable {
    /// Sends the consequences of one input once: the roster, and the readiness of the group.
    mutating func settle(at now: Instant, into outbox: inout Outbox) {
        if rosterChanged && !isStopping {
            // A peer that admits other processes must know them before they send.
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

    /// Sends the roster to the apps, which admit no peer.
    ///
    /// A group of a hundred apps changes two hundred times while it starts. If each app received each change, that
    /// would be two million entries.
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

    /// Begins the end of the group.
    ///
    /// - Returns: False if the end has begun before.
    mutating func beginStop(because failure: String?, at now: Instant, into outbox: inout Outbox) -> Bool {
        guard !isStopping else { return false }
        phase = .stopping(failure: failure)
        outbox.trace.note(now, .process, "group stopping")
        return true
    }

    /// Stops all children, apps first, so that none loses the server while it ends.
    mutating func stopAll(at now: Instant, into outbox: inout Outbox) {
        for index in children.indices.reversed() { apply(.stop, to: index, at: now, into: &outbox) }
        let deadline = settings[.supervisorStopDeadline]
        outbox.append(.arm(.terminate, at: now.advanced(by: deadline / 2)))
        outbox.append(.arm(.kill, at: now.advanced(by: deadline)))
    }

    private func signalRemaining(_ signal: ChildSignal, at now: Instant, into outbox: inout Outbox) {
        for child in children.reversed() {
            guard case .stopping(let pid?) = child.state else { continue }
            outbox.trace.note(
                now, .process, "{b:n} has not ended, pid {a}: {c:n}", Int64(pid), outbox.trace.intern("\(child.peer)"),
                outbox.trace.intern("\(signal)"))
            outbox.append(.signal(child.peer, signal))
        }
    }

    /// Ends the supervisor once every child has ended.
    func exitIfGone(at now: Instant, into outbox: inout Outbox) {
        guard case .stopping(let failure) = phase, children.allSatisfy({ $0.state == .gone }) else { return }
        outbox.trace.note(now, .process, "group ended")
        outbox.append(.exit(status: failure == nil ? 0 : 1))
    }
}

// MARK: Decisions of a child's machine

extension ChildTable {
    /// Passes an input to a child's machine: the only place where a child changes its state.
    mutating func apply(
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
        let name = outbox.trace.intern("\(child.peer)")
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
            for act in actsInForce { send(SupervisorToServer.act(act), to: index, into: &outbox) }
        case .confirmReadiness:
            children[index].process.wasReady = true
            children[index].urlLaunch?.endLaunch()
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
                outbox.trace.intern(children[index].deaths.killReason ?? ""))
            kill(index, now, &outbox)
        case .awaitEnd: arm(index, after: settings[.supervisorQuitDeadline], now, &outbox)
        case .becomeDormant:
            outbox.trace.note(now, .process, "{b:n} ended, pid {a}: it starts with the next launch request", pid, name)
            outbox.append(.disarm(TimerID(child: index)))
        case .backOff:
            outbox.trace.note(
                now, .process, "{d:n} died, pid {a}: {c:n}; starts again in {b:t}", pid,
                child.deaths.backoff.nanoseconds, outbox.trace.intern(child.deaths.lastExit), name)
            arm(index, after: child.deaths.backoff, now, &outbox)
        case .quarantine:
            // Noted once, however often the program cannot be started.
            if !child.deaths.isUnstartable {
                outbox.trace.note(
                    now, .process, "{c:n} quarantined, pid {a}: {b:n}", pid, outbox.trace.intern(child.deaths.lastExit),
                    name)
            }
            outbox.append(.disarm(TimerID(child: index)))
        case .askToStop:
            send(SupervisorToChild.shutdown, to: index, into: &outbox)
            outbox.append(.disarm(TimerID(child: index)))
        case .reportEnd:
            outbox.trace.note(now, .process, "{a:n} ended", name)
            outbox.append(.disarm(TimerID(child: index)))
        }
    }

    private mutating func spawn(_ index: Int, at now: Instant, into outbox: inout Outbox) {
        let peer = children[index].peer
        let generation = children[index].process.generation + 1
        // A new server knows none of the old one's links: the epoch fences their frames.
        if peer == .systemServer && generation > 1 {
            epoch += 1
            rosterChanged = true
            outbox.trace.note(now, .process, "epoch {a}", Int64(epoch))
        }
        children[index].process = ChildProcess(generation: generation, epoch: epoch, spawnedAt: now)
        let openRequest = children[index].urlLaunch?.requestForSpawn()
        outbox.append(
            .spawn(peer, orders.order(for: peer, epoch: epoch, generation: generation, openRequest: openRequest)))
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
        var reason = "it closed its link and did not exit"
        if case .dismissed = before { reason = "it was terminated and did not exit" }
        children[index].deaths.killReason = children[index].deaths.killReason ?? reason
        outbox.trace.note(now, .process, "{b:n} killed, pid {a}: {c:n}", pid, name, outbox.trace.intern(reason))
    }

    private func kill(_ index: Int, _ now: Instant, _ outbox: inout Outbox) {
        outbox.append(.signal(children[index].peer, .kill))
        arm(index, after: Self.exitGrace, now, &outbox)
    }

    private func arm(_ index: Int, after delay: Duration, _ now: Instant, _ outbox: inout Outbox) {
        outbox.append(.arm(TimerID(child: index), at: now.advanced(by: delay)))
    }
}
