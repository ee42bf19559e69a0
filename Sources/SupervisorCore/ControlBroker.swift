// ControlBroker.swift: the requests of controllers (the `touchline` command) to the group, and the answers.
//
// Station   process
// Input     SupervisorCore: controllers that join and leave, their messages, answers of children
// Output    effects: requests to children within their limit (RequestQueue), answers, the deadline of a round
// Knows     controllers and their outstanding requests. Of a child: whether it may receive frames, and its generation.
//
//     controller ──question──▶ ControlBroker ──RequestQueue──▶ child
//     controller ◀──answer──── ControlBroker ◀──────answer──── child
//                       Gathering: reports of all children       Plays: the plays of input-kit
//
// A request carries the number of its controller, and so does its answer. Requests end with their controller.
//
// Sources   invented, after Docs/Spec/Pipeline.md F3, T6, T9

import Basics
import Faults
import Hosting
import Settings
import Trace
import Wire

/// The controllers of a group and their requests.
struct ControlBroker {
    private struct Controller {
        let peer: Peer
        var link = ControlLink()
    }

    /// The most URLs of all controllers that wait to be opened.
    private static let openLimit = 64

    /// Whether controllers may inject faults into processes (`chaos.allowed`).
    let isChaosAllowed: Bool
    private var controllers: [Controller] = []
    /// One for each child, at the child's index.
    private var queues: [RequestQueue]
    private var gathering = Gathering()
    private var plays = Plays()
    /// Controllers that observe the decisions of processes.
    private var observers: [Peer] = []
    /// Touch monitors, and the touches that each observes: a new server receives them again.
    var monitors: [(controller: Peer, interest: TouchMonitorInterest)] = []
    /// Controllers that wait for a URL to be opened, once for each URL.
    private var openRequesters: [Peer] = []
    /// Crash-loop faults, which a child receives again at each start.
    private var crashLoops: [(peer: Peer, line: String, until: Instant)] = []
    /// Questions that were replaced by a later one before they were sent.
    private(set) var replacedQuestions: UInt64 = 0

    init(_ children: ChildTable, isChaosAllowed: Bool) {
        self.isChaosAllowed = isChaosAllowed
        queues = children.indices.map { RequestQueue(generation: children.generation(at: $0)) }
    }
}

// MARK: Controllers

extension ControlBroker {
    mutating func connect(_ controller: Peer) { controllers.append(Controller(peer: controller)) }

    /// Acknowledges a frame of a controller.
    ///
    /// - Returns: False for a frame of a peer that is no controller.
    mutating func acknowledge(_ frame: Frame, from sender: Peer) -> Bool {
        guard let index = controllers.firstIndex(where: { $0.peer == sender }) else { return false }
        controllers[index].link.acknowledge(upTo: frame.sequence)
        return true
    }

    /// Forgets a controller that has left: its answers have no receiver, and its plays, observations and monitors end.
    mutating func forget(_ controller: Peer, in children: inout ChildTable, into outbox: inout Outbox) {
        controllers.removeAll { $0.peer == controller }
        for index in queues.indices { queues[index].forget(controller.instance) }
        gathering.forget(controller)
        openRequesters.removeAll { $0 == controller }
        if observers.contains(controller) {
            observe(Observation(id: controller.instance, kind: .end), for: controller, in: &children, into: &outbox)
        }
        if monitors.contains(where: { $0.controller == controller }) {
            forwardMonitorRequest(
                TouchMonitorRequest(id: controller.instance, .end), for: controller, in: &children, into: &outbox)
        }
        // The report of a play that is stopped finds no play here and is dropped.
        let forgotten = plays.forget(controller)
        guard let inputKit = children.listeningIndex(of: .inputKit) else { return }
        for id in forgotten {
            send(SupervisorToInputKit.stopPlay(id), to: inputKit, for: controller, in: &children, into: &outbox)
        }
    }

    mutating func reply(
        _ message: SupervisorToController, to controller: Peer, in children: ChildTable, into outbox: inout Outbox
    ) {
        guard let index = controllers.firstIndex(where: { $0.peer == controller }) else { return }
        outbox.append(.send(children.numbered(message.message, on: &controllers[index].link), to: controller))
    }

    mutating func refuse(_ controller: Peer, _ reason: String, in children: ChildTable, into outbox: inout Outbox) {
        reply(.refused(reason), to: controller, in: children, into: &outbox)
    }
}

// MARK: Children

extension ControlBroker {
    /// Replaces the queue of a process that was spawned in this step: it has received no request.
    mutating func forgetEarlierProcesses(of children: ChildTable) {
        for index in queues.indices where queues[index].generation != children.generation(at: index) {
            queues[index] = RequestQueue(generation: children.generation(at: index))
        }
    }

    /// Sends the controllers' earlier requests that are in force to a new process.
    mutating func resendRequests(
        to index: Int, at now: Instant, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        let peer = children.peer(at: index)
        if peer == .systemServer {
            for monitor in monitors {
                let request = TouchMonitorRequest(id: monitor.controller.instance, .begin(monitor.interest))
                children.send(SupervisorToServer.monitor(request), to: index, into: &outbox)
            }
        }
        sendObserverChanges(to: index, in: &children, into: &outbox)
        crashLoops.removeAll { $0.until <= now }
        for loop in crashLoops where loop.peer == peer {
            children.send(SupervisorToChild.chaos(loop.line), to: index, into: &outbox)
        }
    }

    mutating func endRequests(to index: Int, because reason: String, in children: ChildTable, into outbox: inout Outbox)
    {
        let peer = children.peer(at: index)
        if peer == .systemServer {
            for opener in openRequesters { refuse(opener, "system-server died", in: children, into: &outbox) }
            openRequesters = []
        }
        if peer == .inputKit { failPlays(because: "input-kit died: \(reason)", in: children, into: &outbox) }
        gathering.stopAwaiting(peer)
    }

    /// Ends all questions and plays, because the group ends and nothing will be answered.
    mutating func endAllRequests(in children: ChildTable, into outbox: inout Outbox) {
        let reason = "the group is stopping"
        for asker in gathering.end() { refuse(asker, reason, in: children, into: &outbox) }
        outbox.append(.disarm(.gathering))
        failPlays(because: reason, in: children, into: &outbox)
    }
}

// MARK: Requests to children

extension ControlBroker {
    /// Sends a request if the child's queue has room; otherwise the controller is refused.
    @discardableResult
    mutating func request(
        _ message: some DirectedMessage, of index: Int, for controller: Peer, in children: inout ChildTable,
        into outbox: inout Outbox
    ) -> Bool {
        guard queues[index].hasRoom(for: controller.instance) else {
            let reason =
                "\(children.peer(at: index)) has not come to \(RequestQueue.controllerLimit) requests of this controller, "
                + "or \(RequestQueue.limit) of all"
            refuse(controller, reason, in: children, into: &outbox)
            return false
        }
        send(message, to: index, for: controller, in: &children, into: &outbox)
        return true
    }

    /// Sends a request that must not be lost, even without room. The number of such requests is bounded by the begun
    /// observations, monitors and plays.
    mutating func send(
        _ message: some DirectedMessage, to index: Int, for controller: Peer, in children: inout ChildTable,
        into outbox: inout Outbox
    ) {
        queues[index].append(for: controller.instance)
        children.send(message, to: index, into: &outbox)
        if queues[index].wantsReport(isUrgent: false) { requestReport(of: index, in: &children, into: &outbox) }
    }

    private mutating func requestReport(of index: Int, in children: inout ChildTable, into outbox: inout Outbox) {
        guard queues[index].appendReportRequest() else { return }
        children.send(SupervisorToChild.reportRequest, to: index, into: &outbox)
    }

    /// Sends a question that has an answer, one of each subject at a time.
    private mutating func sendQuestion(
        _ message: SupervisorToServer, about subject: RequestQueue.Subject, of index: Int, for controller: Peer,
        in children: inout ChildTable, into outbox: inout Outbox
    ) {
        let limit = RequestQueue.questionLimit
        let questionCount = queues.reduce(0) { $0 + $1.questionCount(of: controller.instance) }
        switch queues[index].add(message, about: subject, for: controller.instance, takesNew: questionCount < limit) {
        case nil: return refuse(controller, "more than \(limit) questions at once", in: children, into: &outbox)
        case .replacedAnother: replacedQuestions += 1
        case .added: break
        }
        sendWaiting(to: index, in: &children, into: &outbox)
    }

    private mutating func handleAnswer(
        to subject: RequestQueue.Subject, for id: UInt32, by index: Int, in children: inout ChildTable,
        into outbox: inout Outbox
    ) {
        guard queues[index].noteAnswer(about: subject, for: id) else { return }
        sendWaiting(to: index, in: &children, into: &outbox)
    }

    /// Sends the waiting requests for this child, as far as there is room.
    private mutating func sendWaiting(to index: Int, in children: inout ChildTable, into outbox: inout Outbox) {
        guard children.isListening(at: index) else { return }
        sendObserverChanges(to: index, in: &children, into: &outbox)
        for controller in controllers {
            while let message = queues[index].removeNext(for: controller.peer.instance) {
                children.send(message, to: index, into: &outbox)
            }
        }
        let isUrgent = queues[index].hasWaitingQuestion || Set(queues[index].observers) != Set(observers)
        if queues[index].wantsReport(isUrgent: isUrgent) { requestReport(of: index, in: &children, into: &outbox) }
    }
}

// MARK: Reports of the whole group

extension ControlBroker {
    mutating func askForReports(
        for controller: Peer, at now: Instant, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        guard !children.isStopping else {
            return refuse(controller, "the group is stopping", in: children, into: &outbox)
        }
        guard gathering.add(controller) else {
            let reason = "more than \(Gathering.questionLimit) questions at once"
            return refuse(controller, reason, in: children, into: &outbox)
        }
        openRound(at: now, in: &children, into: &outbox)
    }

    mutating func openRound(at now: Instant, in children: inout ChildTable, into outbox: inout Outbox) {
        let listening = children.indices.filter(children.isListening)
        guard gathering.open(among: children.indices.count, listening: listening.map(children.peer)) else { return }
        for index in listening { requestReport(of: index, in: &children, into: &outbox) }
        outbox.append(.arm(.gathering, at: now.advanced(by: Gathering.deadline)))
    }

    var isRoundComplete: Bool { gathering.isComplete }

    /// Answers the open round, if there is one, and opens the next.
    ///
    /// - Parameter group: The supervisor's own report, which precedes its children's reports.
    mutating func closeRound(
        with group: Report, at now: Instant, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        guard let round = gathering.close() else { return }
        outbox.append(.disarm(.gathering))
        let reports = [group] + round.answers(from: children.peers)
        for asker in round.askers {
            for report in reports { reply(.report(report), to: asker, in: children, into: &outbox) }
        }
        openRound(at: now, in: &children, into: &outbox)
    }

    mutating func handleReport(
        _ report: Report, from index: Int, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        // A report for an earlier round that closed without it does not answer this round.
        if queues[index].noteReport() { gathering.add(report, from: children.peer(at: index)) }
        sendWaiting(to: index, in: &children, into: &outbox)
    }
}

// MARK: Plays and acts

extension ControlBroker {
    mutating func play(
        _ order: PlayOrder, for controller: Peer, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        guard let inputKit = children.readyIndex(of: .inputKit) else {
            return refuse(controller, "input-kit is not ready", in: children, into: &outbox)
        }
        if let reason = plays.refusal(of: order) { return refuse(controller, reason, in: children, into: &outbox) }
        let message = SupervisorToInputKit.play(plays.numbered(order))
        guard request(message, of: inputKit, for: controller, in: &children, into: &outbox) else { return }
        plays.begin(order, for: controller)
    }

    mutating func endPlay(_ report: PlayReport, in children: ChildTable, into outbox: inout Outbox) {
        guard let ended = plays.finish(report) else { return }
        reply(.played(ended.report), to: ended.controller, in: children, into: &outbox)
    }

    mutating func forwardLedgers(_ ledgers: [Ledger], in children: ChildTable, into outbox: inout Outbox) {
        guard let controller = plays.measuring else { return }
        reply(.measured(ledgers), to: controller, in: children, into: &outbox)
    }

    private mutating func failPlays(because reason: String, in children: ChildTable, into outbox: inout Outbox) {
        for failed in plays.fail(because: reason) {
            reply(.played(failed.report), to: failed.controller, in: children, into: &outbox)
        }
    }

    /// Sends an act to the server.
    ///
    /// - Returns: Whether the act was sent.
    mutating func forwardAct(
        _ act: SystemAct, for controller: Peer, in children: inout ChildTable, into outbox: inout Outbox
    ) -> Bool {
        guard let server = children.readyIndex(of: .systemServer) else {
            refuse(controller, "system-server is not ready", in: children, into: &outbox)
            return false
        }
        if let app = act.unshowableApp(on: children.displays) {
            let display = children.displays.display(of: app)
            let reason = "app \(app) lives on display \(display): apps share the main display alone"
            refuse(controller, reason, in: children, into: &outbox)
            return false
        }
        return request(SupervisorToServer.act(act), of: server, for: controller, in: &children, into: &outbox)
    }
}

// MARK: URLs and faults

extension ControlBroker {
    /// Sends a URL to the server, which chooses the app and reports the outcome.
    mutating func open(
        _ request: OpenRequest, for controller: Peer, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        guard let server = children.readyIndex(of: .systemServer) else {
            return refuse(controller, "system-server is not ready", in: children, into: &outbox)
        }
        guard openRequesters.count < Self.openLimit else {
            return refuse(controller, "more than \(Self.openLimit) questions at once", in: children, into: &outbox)
        }
        let openRequest = OpenRequest(asker: controller.instance, id: request.id, url: request.url)
        guard
            self.request(
                SupervisorToServer.open(openRequest), of: server, for: controller, in: &children, into: &outbox)
        else { return }
        openRequesters.append(controller)
    }

    mutating func forwardOpenAnswer(_ answer: OpenAnswer, in children: ChildTable, into outbox: inout Outbox) {
        if let index = openRequesters.firstIndex(where: { $0.instance == answer.asker }) {
            openRequesters.remove(at: index)
        }
        reply(.opened(answer), to: Peer(.controller, answer.asker), in: children, into: &outbox)
    }

    /// Passes a fault on to its process, which injects it itself. The controller receives the same line, and so learns
    /// the time.
    mutating func injectFault(
        _ line: String, for controller: Peer, at now: Instant, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        guard isChaosAllowed else {
            return refuse(controller, "this group was not started with --allow-chaos", in: children, into: &outbox)
        }
        let fault: Fault
        do throws(FaultError) { fault = try Fault(parsing: line) } catch {
            return refuse(controller, "chaos: \(error)", in: children, into: &outbox)
        }
        if let reason = fault.liveRefusal { return refuse(controller, "chaos: \(reason)", in: children, into: &outbox) }
        // The supervisor's host has read this frame too, and carries out the supervisor's own faults.
        if fault.target != .supervisor {
            guard let index = children.listeningIndex(of: fault.target) else {
                return refuse(controller, "chaos: \(fault.target) is not running", in: children, into: &outbox)
            }
            guard request(SupervisorToChild.chaos(line), of: index, for: controller, in: &children, into: &outbox)
            else { return }
            if fault.kind == .crashLoop {
                crashLoops.removeAll { $0.peer == fault.target }
                crashLoops.append((fault.target, line, now.advanced(by: fault.length)))
            }
        }
        outbox.trace.note(now, .process, "chaos: {a:n}", outbox.trace.intern("\(fault)"))
        reply(.chaos(line), to: controller, in: children, into: &outbox)
    }
}

// MARK: Facts and details

extension ControlBroker {
    /// Passes an observation on to its process.
    mutating func observe(
        _ observation: Observation, for controller: Peer, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        var observation = observation
        observation.id = controller.instance
        let ownAnswer = SupervisorToController.facts(FactPage(answering: observation, from: .supervisor))
        switch observation.kind {
        case .begin:
            if !observers.contains(controller) { observers.append(controller) }
            sendObserverChanges(in: &children, into: &outbox)
            reply(ownAnswer, to: controller, in: children, into: &outbox)
        case .page where observation.peer == .supervisor:
            reply(ownAnswer, to: controller, in: children, into: &outbox)
        case .page, .tree, .touchTargets, .report:
            // The server answers for an app that joined it from another machine.
            let isJoined = observation.peer.role == .app && children.index(of: observation.peer) == nil
            guard let index = children.listeningIndex(of: isJoined ? .systemServer : observation.peer) else {
                // A receipt does without the facts of a process that has ended. A tree has no other source.
                guard observation.kind != .page else { return }
                return refuse(controller, "\(observation.peer) is not running", in: children, into: &outbox)
            }
            sendQuestion(
                .child(.observe(observation)), about: .facts(of: observation.peer), of: index, for: controller,
                in: &children, into: &outbox)
        case .end:
            guard observers.contains(controller) else { return }
            observers.removeAll { $0 == controller }
            sendObserverChanges(in: &children, into: &outbox)
        }
    }

    private mutating func sendObserverChanges(in children: inout ChildTable, into outbox: inout Outbox) {
        for index in queues.indices { sendObserverChanges(to: index, in: &children, into: &outbox) }
    }

    /// Tells the child the changes of the observers since the last time. A change without room follows later.
    private mutating func sendObserverChanges(to index: Int, in children: inout ChildTable, into outbox: inout Outbox) {
        guard children.isListening(at: index) else { return }
        for observer in queues[index].observers where !observers.contains(observer) {
            guard queues[index].hasRoom(for: observer.instance) else { continue }
            queues[index].observers.removeAll { $0 == observer }
            let end = Observation(id: observer.instance, kind: .end)
            send(SupervisorToChild.observe(end), to: index, for: observer, in: &children, into: &outbox)
        }
        for observer in observers where !queues[index].observers.contains(observer) {
            guard queues[index].hasRoom(for: observer.instance) else { continue }
            queues[index].observers.append(observer)
            let begin = Observation(id: observer.instance, kind: .begin)
            send(SupervisorToChild.observe(begin), to: index, for: observer, in: &children, into: &outbox)
        }
    }

    mutating func forwardFacts(
        _ page: FactPage, from index: Int, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        var page = page
        let sender = children.peer(at: index)
        // The host's sender counts, not the page's. Only the server also answers for apps that joined it.
        let isOfJoined = sender == .systemServer && page.peer.role == .app && children.index(of: page.peer) == nil
        if !isOfJoined { page.peer = sender }
        reply(.facts(page), to: Peer(.controller, page.id), in: children, into: &outbox)
        handleAnswer(to: .facts(of: page.peer), for: page.id, by: index, in: &children, into: &outbox)
    }

    mutating func askForDetail(
        _ request: DetailRequest, for controller: Peer, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        guard let server = children.listeningIndex(of: .systemServer) else {
            return refuse(controller, "system-server is not running", in: children, into: &outbox)
        }
        var request = request
        request.id = controller.instance
        sendQuestion(.detailRequest(request), about: .detail, of: server, for: controller, in: &children, into: &outbox)
    }

    mutating func forwardDetail(
        _ page: DetailPage, from index: Int, in children: inout ChildTable, into outbox: inout Outbox
    ) {
        reply(.detail(page), to: Peer(.controller, page.id), in: children, into: &outbox)
        handleAnswer(to: .detail, for: page.id, by: index, in: &children, into: &outbox)
    }
}
