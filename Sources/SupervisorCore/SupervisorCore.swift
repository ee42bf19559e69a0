// SupervisorCore.swift: starts the group, supervises it, answers for it, and ends it.
//
// Station   process
// Input     the host: children's starts and exits, frames on their links, the `touchline` command's frames
// Output    effects: spawn, signal, roster, launch orders, answers to controllers
// Knows     the part that handles each input. Nothing of touches: input-kit's measurements pass through unread.
//
//     host ──▶ SupervisorCore ──▶ ChildTable       children: starts, readiness, deaths, restarts
//                         │ └───▶ ControlBroker    controllers: questions, plays, observers, touch monitors
//                         └─────▶ Notices          events that are only noted
//
// Children are handled before controllers, so that the broker sees the children's state after the input.
//
// Sources   invented, after faults F1–F3, F13, F14

public import Basics
public import Hosting
public import Settings
import Trace
public import Wire

/// The supervisor of a group, without an operating system.
public struct SupervisorCore: ProcessCore {
    /// The most apps: a roster or a report of more would not fit in a packet.
    public static let appLimit: UInt32 = 128

    private let pid: Int32
    private(set) var table: ChildTable
    private var broker: ControlBroker
    private var notices = Notices()

    /// - Parameters:
    ///   - settings: The settings of the whole group; each child receives every one that differs from its default.
    ///   - order: The supervisor's own launch order, with the run directory and the first epoch.
    ///   - apps: The number of apps, 0...`appLimit`.
    ///   - pid: The pid of this process.
    ///   - uid: The user of all processes of the group.
    public init(settings: Settings, order: LaunchOrder, apps: UInt32, pid: Int32, uid: UInt32) {
        precondition(apps <= Self.appLimit, "\(apps) apps, limit \(Self.appLimit)")
        self.pid = pid
        table = ChildTable(settings: settings, order: order, apps: apps, uid: uid)
        broker = ControlBroker(table, isChaosAllowed: settings[.chaosAllowed])
    }

    /// The status of each child, in the order in which they are started.
    public var children: [ChildStatus] { table.statuses }

    /// Whether every child that is not terminated is ready.
    public var isReady: Bool { table.isReady }

    /// Whether the group ends, on request or because of `failure`.
    public var isStopping: Bool { table.isStopping }

    /// The reason why the group ends without a request: the defect of system-server. Nil otherwise.
    public var failure: String? { table.failure }

    /// Handles one input and adds the effects to the outbox.
    public mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        switch input {
        case .started: table.start(at: now, into: &outbox)
        case .childStarted(let peer, let pid):
            guard let index = table.index(of: peer) else { return }
            table.handleStart(of: index, pid: pid, at: now, into: &outbox)
            if table.isListening(at: index) { broker.resendRequests(to: index, at: now, in: &table, into: &outbox) }
            table.expectReadiness(of: index, at: now, into: &outbox)
        case .childExited(let peer, _, let status):
            guard let index = table.index(of: peer) else { return }
            handleDeath(of: index, because: "\(status)", by: status, at: now, into: &outbox)
        case .childFailed(let peer, let reason):
            guard let index = table.index(of: peer) else { return }
            handleDeath(of: index, because: reason, by: nil, at: now, into: &outbox)
            table.handleFailedStart(of: index, at: now, into: &outbox)
        case .programReplaced(let peer):
            guard let index = table.index(of: peer) else { return }
            table.noteReplacedProgram(of: index)
        case .connected(let peer):
            if peer.role == .controller { broker.connect(peer) }
        case .peerLost(let peer):
            if let index = table.index(of: peer) {
                table.handleLinkLoss(of: index, at: now, into: &outbox)
            } else {
                broker.forget(peer, in: &table, into: &outbox)
            }
        case .frame(let frame, let sender):
            if let index = table.index(of: sender) {
                if table.acknowledge(frame, from: index, at: now, into: &outbox) {
                    handle(frame.message, fromChild: index, at: now, into: &outbox)
                }
            } else if broker.acknowledge(frame, from: sender) {
                handle(frame.message, from: sender, at: now, into: &outbox)
            }
        case .refused(let refusal): notices.note(refusal, at: now, into: &outbox)
        case .timerFired(.gathering): closeRound(at: now, into: &outbox)
        case .timerFired(let timer): table.fire(timer, at: now, into: &outbox)
        case .stopRequested: stop(at: now, into: &outbox)
        // The supervisor opens no files.
        case .fileBytes, .fileFailed, .device: return
        }
        settle(at: now, into: &outbox)
    }

    /// Carries out the consequences of one input once: the roster, the complete round, the end.
    private mutating func settle(at now: Instant, into outbox: inout Outbox) {
        broker.forgetEarlierProcesses(of: table)
        table.settle(at: now, into: &outbox)
        if broker.isRoundComplete { closeRound(at: now, into: &outbox) }
        table.exitIfGone(at: now, into: &outbox)
    }
}

// MARK: Messages

extension SupervisorCore {
    private mutating func handle(
        _ message: Message, fromChild index: Int, at now: Instant, into outbox: inout Outbox
    ) {
        switch table.peer(at: index).role {
        case .inputKit:
            switch InputKitToSupervisor(message) {
            case .child(let message): handle(message, fromAnyChild: index, at: now, into: &outbox)
            case .played(let report): broker.endPlay(report, in: table, into: &outbox)
            case .measured(let ledgers): broker.forwardLedgers(ledgers, in: table, into: &outbox)
            case nil: return
            }
        case .systemServer:
            guard let message = ServerToSupervisor(message) else { return }
            handle(message, fromServer: index, at: now, into: &outbox)
        case .app:
            guard let message = ChildToSupervisor(message) else { return }
            handle(message, fromAnyChild: index, at: now, into: &outbox)
        case .supervisor, .controller: return
        }
    }

    private mutating func handle(
        _ message: ServerToSupervisor, fromServer index: Int, at now: Instant, into outbox: inout Outbox
    ) {
        switch message {
        case .child(let message): handle(message, fromAnyChild: index, at: now, into: &outbox)
        case .tooManyStrikes(let strikes): table.expel(for: strikes, from: index, at: now, into: &outbox)
        case .overran(let overrun): table.kill(for: overrun, from: index, at: now, into: &outbox)
        case .launchRequest(let request): table.launch(request, at: now, into: &outbox)
        case .stalled(let stall): notices.note(stall, at: now, into: &outbox)
        case .detail(let page): broker.forwardDetail(page, from: index, in: &table, into: &outbox)
        case .monitorPage(let page): broker.forwardMonitorPage(page, from: index, in: table, into: &outbox)
        case .opened(let answer): broker.forwardOpenAnswer(answer, in: table, into: &outbox)
        }
    }

    private mutating func handle(
        _ message: ChildToSupervisor, fromAnyChild index: Int, at now: Instant, into outbox: inout Outbox
    ) {
        switch message {
        case .ready: table.handleReadiness(of: index, at: now, into: &outbox)
        case .report(let report): broker.handleReport(report, from: index, in: &table, into: &outbox)
        case .facts(let page): broker.forwardFacts(page, from: index, in: &table, into: &outbox)
        case .refused(let reason):
            notices.noteObjection(reason, of: table.peer(at: index), at: now, into: &outbox)
        }
    }

    private mutating func handle(
        _ message: Message, from controller: Peer, at now: Instant, into outbox: inout Outbox
    ) {
        switch ControllerToSupervisor(message) {
        case .reportRequest: broker.askForReports(for: controller, at: now, in: &table, into: &outbox)
        case .play(let order): broker.play(order, for: controller, in: &table, into: &outbox)
        case .act(let act):
            guard broker.forwardAct(act, for: controller, in: &table, into: &outbox) else { return }
            table.perform(act, at: now, into: &outbox)
        case .shutdown: stop(at: now, into: &outbox)
        case .open(let request): broker.open(request, for: controller, in: &table, into: &outbox)
        case .chaos(let line): broker.injectFault(line, for: controller, at: now, in: &table, into: &outbox)
        case .observe(let observation): broker.observe(observation, for: controller, in: &table, into: &outbox)
        case .detailRequest(let request): broker.askForDetail(request, for: controller, in: &table, into: &outbox)
        case .monitor(let request): broker.forwardMonitorRequest(request, for: controller, in: &table, into: &outbox)
        case .refused, nil:
            broker.refuse(controller, "a supervisor takes no \(message.kind)", in: table, into: &outbox)
        }
    }
}

// MARK: Inputs that concern both parts

extension SupervisorCore {
    /// Handles a child that has exited, or could not be started at all.
    private mutating func handleDeath(
        of index: Int, because reason: String, by status: ExitStatus?, at now: Instant, into outbox: inout Outbox
    ) {
        let cause = table.handleDeath(of: index, because: reason, by: status, at: now, into: &outbox)
        broker.endRequests(to: index, because: cause, in: table, into: &outbox)
        if let failure = table.fatalReason(of: index, at: now, into: &outbox) {
            stop(because: failure, at: now, into: &outbox)
        }
    }

    private mutating func stop(because failure: String? = nil, at now: Instant, into outbox: inout Outbox) {
        guard table.beginStop(because: failure, at: now, into: &outbox) else { return }
        broker.endAllRequests(in: table, into: &outbox)
        table.stopAll(at: now, into: &outbox)
    }

    private mutating func closeRound(at now: Instant, into outbox: inout Outbox) {
        broker.closeRound(with: report(), at: now, in: &table, into: &outbox)
    }

    /// The supervisor's own report. The reports of the children follow it.
    private func report() -> Report {
        var report = Report(peer: .supervisor, capacity: 32)
        report.add("reports", table.indices.count)
        report.add("pid", pid)
        report.add("epoch", table.epoch)
        report.add("since", table.startedAt.nanoseconds)
        report.add("ready", flag: isReady)
        report.add("refused", notices.refusalCount)
        if !notices.lastRefusal.isEmpty { report.add("refused.last", text: notices.lastRefusal) }
        if broker.replacedQuestions > 0 { report.add("requests.replaced", broker.replacedQuestions) }
        report.add("chaos", flag: broker.isChaosAllowed)
        table.add(to: &report)
        return report
    }
}
