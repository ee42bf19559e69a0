// ZeroMQHost.swift: runs a core on Linux: one thread, one epoll, one input at a time.
//
//            ┌──────────────────────────── poll ◀───────────────┐
//            ▼                                                  │
//    link, children, sockets, files, signals ─▶ inputs          │ nothing left: write the trace, sleep
//                                                 │             │
//                          timers of the moment ─▶│─▶ core.handle(one) ─▶ outbox ─▶ carry out
//                                                                            │
//                                          sends, gathered by peer ◀─────────┘ handed over when inputs are empty
//
// Input that arrived before a timer's time is handled before the timer: a timer fires only after a poll at or after its
// time. The frames that one poll causes for one peer travel as one packet, with one timestamp in their ledgers. Only
// the sleep waits, and no file is written between a receive and its sends. The journal, which receives every input
// before the core, is memory.
//
// Sources   documented  zmq_getsockopt(3), ZMQ_FD: an edge, so sockets are drained and asked again after a send
//           invented    the rest, after Docs/Spec/Pipeline.md sections 1 and 1.1

import Basics
import CSystem
import Glibc
public import Hosting
import Links
import Settings
import Trace
public import Wire

/// Runs one process: made for a role, then given its core once.
public final class ZeroMQHost {
    /// The launch order of this process.
    public let order: LaunchOrder
    public var peer: Peer { order.peer }
    var spins: Bool { wakeTimer.spins }

    let settings: Settings
    let startedAt: Instant
    // One thread uses these values, and no closure that one of them runs reaches the same one. Checks of exclusive access
    // were 12 % of the instructions of the server for a scan (callgrind, 600 scans: 108.9 million with them, 96.1 without).
    @exclusivity(unchecked) var parts: Parts
    let poller: Poller
    /// The sources that were ready, or had more than their last drain took.
    @exclusivity(unchecked) var due = Due()
    @exclusivity(unchecked) var wakeTimer: WakeTimer
    @exclusivity(unchecked) var openDescriptors = OpenDescriptors()
    let children: ChildProcesses
    @exclusivity(unchecked) var mail = Mail()
    @exclusivity(unchecked) var outbox = Outbox()
    @exclusivity(unchecked) var facts: HostFacts
    @exclusivity(unchecked) var journals = HostJournals()
    @exclusivity(unchecked) var chaos: Chaos
    /// With host.verify, and in debug builds of the programs.
    @exclusivity(unchecked) private var verifier: HostVerifier?
    @exclusivity(unchecked) var ending: ProcessEnd

    /// The loop of libzmq's I/O thread, if this thread runs it.
    @exclusivity(unchecked) var loop: BorrowedLoop?

    /// What other threads wake the host with.
    private var work: (event: WorkEvent, timer: TimerID)?

    /// Packets taken from one socket before the other sources are read.
    static let budget = 64

    /// The frames, inputs and effects between the links and the core.
    struct Mail {
        /// The inputs that the links have reported and that are not in `inputs` yet, in order.
        var arrivals: [Input] = []
        var inputs: [Input] = []
        /// The effects of the last input, and whether the journal has them.
        var effects: [Effect] = []
        var isAnswerNoted = true
        var outgoing = Outgoing()
        let packets = PacketWriter()

        mutating func queueArrivals() {
            if inputs.isEmpty { return swap(&inputs, &arrivals) }
            inputs += arrivals
            arrivals.removeAll(keepingCapacity: true)
        }
    }

    /// The files and devices that the core has opened.
    struct OpenDescriptors: ~Copyable {
        var files = Files()
        var devices = Devices()
    }

    /// The sources to read next.
    struct Due {
        var link = false
        var loop = false
        var fetch = false
        var server = false
        var listeners: [Bool] = []
        var childLinks: [Int32] = []
        var endedChildren: [Int32] = []
        var signals = false
        /// Whether the last poll found anything.
        var foundAnything = false
        /// The time of the alarm that the last poll found, if the poll found all that was ready.
        var alarmTime: Instant?

        /// Whether the last poll found all input that arrived before a moment, and all of it was gathered.
        func wasComplete(at moment: Instant) -> Bool {
            guard let alarmTime, moment <= alarmTime else { return false }
            return !(link || fetch || server || listeners.contains(true))
        }
    }

    init(order: LaunchOrder, settings: Settings, parts: Parts) throws(HostError) {
        (self.order, self.parts, self.settings) = (order, parts, settings)
        startedAt = Instant(nanoseconds: system_clock())
        ending = ProcessEnd(parts.signals, stopLimit: settings[.supervisorStopDeadline])
        children = ChildProcesses(
            in: parts.programs, setsSlice: settings[.hostTimeSlice] > .zero,
            issuesRings: settings[.hostTransport] == .ring,
            controllerListener: order.peer == .supervisor ? parts.listeners.first : nil)
        due.listeners = parts.listeners.map { _ in true }
        let poller = try Poller()
        // No touch passes through the supervisor: if it spun, it would only take a CPU from the other processes.
        var wakeTimer = try WakeTimer(spins: settings[.hostSpin] && order.peer.role != .supervisor)
        if parts.holdsCPU { wakeTimer.touchHold = TouchHold() }
        try poller.watch(wakeTimer.descriptor, as: PollSource.alarm.token, isEdge: true)
        if let folder = parts.folder { try poller.watch(folder.descriptor, as: PollSource.runDirectory.token) }
        if let signals = parts.signals { try poller.watch(signals.descriptor, as: PollSource.signals.token) }
        if let link = parts.supervisor { try poller.watch(link.descriptor, as: PollSource.link.token) }
        if let fetch = parts.fetch { try poller.watch(fetch.descriptor, as: PollSource.fetch.token) }
        if let server = parts.server {
            try poller.watch(server.descriptors.packets, as: PollSource.server.token)
            try poller.watch(server.descriptors.connections, as: PollSource.connection.token)
        }
        for (index, listener) in parts.listeners.enumerated() {
            try poller.watch(listener.descriptors.packets, as: PollSource.listener(UInt32(index)).token)
            try poller.watch(listener.descriptors.connections, as: PollSource.connections(UInt32(index)).token)
            try poller.watch(listener.guardDescriptor, as: PollSource.connections(UInt32(index)).token)
            if let gate = listener.gateDescriptor {
                try poller.watch(gate, as: PollSource.connections(UInt32(index)).token)
            }
        }
        let trace: TraceWriter?
        if settings[.hostTrace] == .file {
            // A supervisor's start is the group's.
            let groupStart = order.peer == .supervisor ? startedAt : settings[.groupStartedAt]
            trace = try Self.openTrace(
                order, since: TraceOrigin(groupStart ?? startedAt, isGroupStart: groupStart != nil),
                isChild: parts.supervisor != nil)
        } else {
            trace = nil
        }
        facts = HostFacts(trace)
        chaos = Chaos(order.peer, isAllowed: settings[.chaosAllowed], startedAt: startedAt)
        self.wakeTimer = wakeTimer
        self.poller = poller
        if settings[.hostVerify] { verifier = HostVerifier(order.peer.role) }
    }

    /// Makes a function by which other threads let the core run: each call leads to a `timerFired` of this timer. Several
    /// calls may lead to one.
    ///
    /// At most one call, before `run`.
    public func makeWake(firing timer: TimerID) throws(HostError) -> @Sendable () -> Void {
        precondition(work == nil, "the host has one source of work")
        let event = try WorkEvent()
        try poller.watch(event.descriptor, as: PollSource.work.token)
        work = (event, timer)
        return { event.signal() }
    }

    func takeWork() {
        guard let work else { return }
        work.event.clear()
        mail.inputs.append(.timerFired(work.timer))
    }

    /// Opens the trace file. A child continues without one: the run directory may have been removed.
    private static func openTrace(
        _ order: LaunchOrder, since origin: TraceOrigin, isChild: Bool
    ) throws(HostError) -> TraceWriter? {
        do throws(HostError) {
            return try TraceWriter(order.peer, in: RunPaths(order.runDirectory), since: origin)
        } catch {
            guard isChild else { throw error }
            printError("\(order.peer): \(error): it goes on without a trace")
            return nil
        }
    }

    /// Runs the core until it asks to exit.
    ///
    /// - Returns: The status to exit with. By then everything the host made is gone: children, sockets, files.
    public func run(_ core: inout some ProcessCore) -> Int32 {
        facts.begin(&outbox.trace)
        journals.begin(order, settings, parts, at: now())
        borrowLoop()
        confine()
        // Frames may have arrived before the first poll.
        (due.link, due.server, due.fetch) = (parts.supervisor != nil, parts.server != nil, parts.fetch != nil)
        mail.inputs.append(.started)
        // A monitor's descriptor is edge-triggered, so its events must be read once before the first wait.
        parts.server?.readConnectionEvents(into: &mail.arrivals)
        for listener in parts.listeners { listener.readConnectionEvents() }
        queueArrivals()
        while true {
            deliver(to: &core)
            sendOutgoing()
            noteAnswer(at: now())
            if let status = ending.status { return end(with: status) }
            if !chaos.isQuiet { applyFaults() }
            poll(milliseconds: mail.inputs.isEmpty ? pollTimeout() : 0)
            let moment = now()
            guard let next = wakeTimer.timers.next, next <= moment else { continue }
            // The timer is due: input that arrived before its time is handled first.
            if !due.wasComplete(at: next) || openDescriptors.devices.hasReadySources { poll(milliseconds: 0) }
            deliver(to: &core)
            var count = wakeTimer.timers.count
            while count > 0, ending.status == nil, let timer = wakeTimer.timers.removeFirst(dueBy: moment) {
                count -= 1
                mail.inputs.append(.timerFired(timer))
                deliver(to: &core)
            }
        }
    }

    /// Confines this process, which has started all its threads and opened its files.
    ///
    /// A supervisor is not confined, because it starts others, nor a host that shares its process with others.
    private func confine() {
        guard ending.signals != nil, peer.role != .supervisor, Self.isConfined(settings) else { return }
        var may: Int32 = 0
        if Self.readsDevices(peer.role, settings) { may |= Int32(system_may_ask_devices) }
        // An app of another machine reconnects whenever its connection is lost.
        if parts.server?.remote != nil { may |= Int32(system_may_call_tcp) }
        guard system_confine_calls(may, parts.addressLength) == 0 else {
            return printError("\(peer): seccomp: \(systemText(errno)): it runs unconfined")
        }
    }

    /// Runs the loop of libzmq's I/O thread on this thread from now on, so that a frame wakes one thread of each process.
    ///
    /// The supervisor is not on the way of a touch. Encrypted connections with other machines keep their own thread.
    private func borrowLoop() {
        guard ending.signals != nil, peer.role != .supervisor, settings[.hostIOThread] == .lent,
            parts.server != nil || !parts.listeners.isEmpty, parts.server?.remote == nil,
            parts.listeners.allSatisfy({ $0.gateDescriptor == nil })
        else { return }
        loop = BorrowedLoop(
            server: parts.server?.descriptors.packets, listeners: parts.listeners.map(\.descriptors.packets))
        guard let descriptor = loop?.descriptor else { return }
        do throws(HostError) { try poller.watch(descriptor, as: PollSource.loop.token) } catch { loop = nil }
    }

    /// Sends messages to the core as a supervisor would, after its first frame from the server; for a process that runs
    /// alone.
    ///
    /// - Parameters:
    ///   - messages: In the order in which they are sent.
    ///   - answer: Receives the core's messages to its supervisor; a status ends the process.
    public func replaceSupervisor(with messages: [Message], answer: @escaping (Message) -> Int32?) {
        precondition(parts.supervisor == nil, "\(peer) has a supervisor")
        parts.supervisorStandIn = SupervisorStandIn(messages, answer: answer)
    }

    /// Checks every stream of frames as it passes.
    ///
    /// - Parameter isFatal: Whether a frame of this process that breaks the protocol ends the process.
    func verifyStreams(isFatal: Bool) { verifier = HostVerifier(peer.role, isFatal: isFatal) }

    func now() -> Instant { Instant(nanoseconds: system_clock()) }

    // MARK: One input at a time

    private func deliver(to core: inout some ProcessCore) {
        var index = 0
        var batchDeadline = Instant.never
        let journal = journals.own
        while index < mail.inputs.count, ending.status == nil {
            // The place is not read again. An exchange copies nothing that is counted.
            var input = Input.started
            swap(&input, &mail.inputs[index])
            index += 1
            let moment = now()
            // Answers that are ready must not wait for a core that takes long for each input.
            if moment > batchDeadline || mail.outgoing.isBatch { sendOutgoing() }
            batchDeadline = mail.outgoing.isEmpty ? .never : min(batchDeadline, moment.advanced(by: Self.batchLimit))
            noteAnswer(at: moment)
            journal?.note(input, at: moment)
            verifier?.check(input, at: moment, in: &outbox.trace)
            core.handle(input, at: moment, into: &outbox)
            outbox.drain(into: &mail.effects)
            mail.isAnswerNoted = false
            verifier?.check(mail.effects, of: peer, at: moment, in: &outbox.trace)
            if facts.isObserved { facts.keepForObservers(&outbox.trace) }
            carryOutEffects()
            if wakeTimer.touchHold != nil { noteTouches(of: input, at: moment) }
            respond(to: input)
            if !chaos.isQuiet { applySlowness() }
            facts.writeIfMany(&outbox.trace)
        }
        mail.inputs.removeAll(keepingCapacity: true)
    }

    /// Notes the scans that this process receives, and those that input-kit sends.
    private func noteTouches(of input: Input, at moment: Instant) {
        if case .frame(let frame, _) = input { wakeTimer.touchHold?.note(frame, at: moment) }
        guard peer == .inputKit else { return }
        for case .send(let frame, _) in mail.effects { wakeTimer.touchHold?.note(frame, at: moment) }
    }

    /// Adds the effects of the last input to the journal's digest, once. `run` calls it after the frames among them are
    /// sent, because a digest takes as long as an encoding.
    private func noteAnswer(at moment: Instant) {
        guard !mail.isAnswerNoted else { return }
        mail.isAnswerNoted = true
        journals.own?.noteAnswer(&mail.effects, at: moment)
    }

    /// The longest time that ready frames wait for the rest of a batch.
    private static let batchLimit = Duration.milliseconds(5)

    /// The host's own response to an input.
    private func respond(to input: Input) {
        if parts.supervisor == nil { respondToServer(input) }
        switch input {
        case .frame(let frame, from: .supervisor):
            switch frame.message {
            case .roster(let entries): update(Roster(entries))
            case .shutdown: mail.inputs.append(.stopRequested)
            case .chaos(let line): startFault(line)
            case .observe(let observation): facts.observe(observation, in: &outbox.trace)
            default: break
            }
        // Only a person requests faults of the supervisor itself.
        case .frame(let frame, from: let peer) where peer.role == .controller:
            if case .chaos(let line) = frame.message { startFault(line) }
            if case .observe(var observation) = frame.message {
                observation.id = peer.instance
                facts.observe(observation, in: &outbox.trace)
            }
        case .peerLost(let peer) where peer.role == .controller:
            facts.observe(Observation(id: peer.instance, kind: .end), in: &outbox.trace)
        case .frame(_, from: .systemServer): mail.inputs += parts.supervisorStandIn?.removeInputs() ?? []
        case .peerLost(.supervisor):
            mail.inputs.append(.stopRequested)
            ending.noteSupervisorLoss(at: now())
        case .peerLost(let peer) where !chaos.isQuiet:
            let moment = now()
            chaos.linkEnded(peer) { frame in noteLoss(of: frame, to: peer, at: moment) }
        default: break
        }
    }

    /// Prints what an app of another machine's server does, for the person at its own machine.
    func printJoinLines(about input: Input? = nil) {
        for line in parts.server?.takeLines(about: input, at: now()) ?? [] {
            switch line {
            case .out(let text): Output.printLine(text)
            case .error(let text): printError(text)
            }
        }
    }

    /// An app that joined another machine has no supervisor; its server observes it.
    private func respondToServer(_ input: Input) {
        printJoinLines(about: input)
        switch input {
        case .frame(let frame, from: .systemServer):
            if case .observe(let observation) = frame.message {
                facts.observe(observation, in: &outbox.trace)
            }
        case .peerLost(.systemServer):
            facts.forgetObservers(&outbox.trace)
        default: return
        }
    }

    /// Adds what only the host knows to a message of the core.
    ///
    /// - Returns: The message to send instead; nil for the core's own.
    private func completedMessage(of frame: Frame, for peer: Peer) -> Message? {
        switch frame.message {
        case .report(var report) where report.peer == self.peer:
            journals.addRows(to: &report)
            for listener in parts.listeners { listener.addRows(to: &report) }
            return .report(report)
        case .facts(var page) where page.peer == self.peer:
            facts.fill(&page, names: outbox.trace.names)
            return .facts(page)
        // The core lists the processes that may join; only the host knows their seals.
        case .roster(let entries) where peer == .systemServer && !children.running.isEmpty:
            return .roster(children.sealed(entries))
        default: return nil
        }
    }

    /// Carries out the effects of the last input, up to one that ends the process. The journal's digest needs them later.
    private func carryOutEffects() {
        for index in mail.effects.indices where ending.status == nil {
            // An element of an array is copied where it is read. An exchange copies nothing that is counted.
            var effect = Effect.exit(status: 0)
            swap(&effect, &mail.effects[index])
            carryOut(effect)
            swap(&effect, &mail.effects[index])
        }
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .send(let frame, let peer):
            if peer == .supervisor, parts.supervisor == nil {
                return ending.status = parts.supervisorStandIn?.answer(frame.message)
            }
            if peer == .inputKit, case .play(let order) = frame.message, case .file(let path) = order.source {
                grant(path, to: peer)
            }
            let message = completedMessage(of: frame, for: peer)
            if mail.outgoing.append(frame, to: peer, replacing: message) { sendOutgoing() }
        case .arm(let timer, let moment): wakeTimer.timers.arm(timer, at: moment)
        case .disarm(let timer): wakeTimer.timers.disarm(timer)
        case .open(let file, let path):
            let granted = parts.supervisor?.removeGranted(path)
            if let failure = openDescriptors.files.open(file, path: path, granted: granted, with: poller) {
                mail.inputs.append(failure)
            }
        case .read(let file, let limit): openDescriptors.files.read(file, limit: limit, with: poller)
        case .close(let file): openDescriptors.files.close(file, with: poller)
        case .device(let order): openDescriptors.devices.carryOut(order, at: now(), with: poller, into: &mail.inputs)
        case .spawn(_, let order): spawn(order)
        case .signal(let peer, let signal): children.child(peer)?.signal(signal)
        case .hangUp(let peer):
            // Frames of earlier effects leave before the connection ends.
            sendOutgoing()
            // The peer is refused at every listener, because it may have connected to another one.
            for listener in parts.listeners { listener.hangUp(on: peer) }
        case .exit(let status): ending.status = status
        }
    }

    // MARK: The end

    private func end(with status: Int32) -> Int32 {
        children.end(with: poller)
        facts.end(&outbox.trace)
        journals.end(status: status, at: now())
        parts.fetch?.stop()
        loop = nil
        if peer == .supervisor { for listener in parts.listeners { listener.lingerAtEnd() } }
        parts = Parts()
        // The stop signals stay blocked: one that arrives from here on must not replace the status of the process.
        return status
    }
}
