// ZeroMQHost.swift: runs a core for real: one thread, one epoll, one input at a time.
//
//            ┌──────────────────────────── look ◀───────────────┐
//            ▼                                                  │
//    link, children, sockets, files, signals ─▶ inputs          │ nothing left: write the trace, sleep
//                                                 │             │
//                          timers of the moment ─▶│─▶ core.handle(one) ─▶ outbox ─▶ carry out
//                                                                            │
//                                          sends, gathered by peer ◀─────────┘ handed over when inputs are empty
//
// What arrived by a moment comes before the timers of that moment: a timer fires only after a look that was taken
// when it was due. Frames for one peer that one look led to travel as one packet, and their ledgers get one moment.
// Nothing here waits but the sleep itself, and no file is written between a receive and its sends: the journal, which
// has every input before the core, is memory.
//
// Sources   documented  zmq_getsockopt(3), ZMQ_FD: an edge, so sockets are drained and asked again after a send
//           invented    the rest, after PIPELINE.md 1 and TOOLCHAIN.md "Latency"

import Basics
import CSystem
import Faults
import Glibc
public import Hosting
import Links
import Settings
import Trace
public import Wire

/// One process's operating system: made for a role, then given its core once.
public final class ZeroMQHost {
    /// What this process was told to be.
    public let order: LaunchOrder
    public var peer: Peer { order.peer }

    let spins: Bool
    private let stopDeadline: Duration
    private let poller: Poller
    private let alarm: Descriptor
    private var alarmAt = Instant.never
    private let signals: Signals?
    private var trace: TraceWriter?
    private var observed = ObservedFacts()
    /// Of the trace's facts, how many have been kept for whoever observes.
    private var seenFacts = 0
    private let settings: Settings
    /// From the first input on, with host.journal.
    private var journal: HostJournal?
    /// A supervisor's, with host.journal.
    private var groupJournals: GroupJournals?
    /// A supervisor's: the latest life of each process that it started, and its own.
    private var latestLives: [Peer: UInt32] = [:]
    private var parts: Parts
    /// What was ready, or had more than its last drain took.
    private var due = Due()

    private var children: [Child] = []
    private var outputs = ChildOutputs()
    private var ended = EndedProcesses()
    private var programs = StartedPrograms()
    private var files = Files()
    private var devices = Devices()
    private var timers = Timers()
    private var outbox = Outbox()
    private var effects: [Effect] = []
    private var inputs: [Input] = []
    private var arrivals: [Arrival] = []
    private var outgoing = Outgoing()
    private var chaos: Chaos
    /// With host.verify, and in debug builds of the programs.
    private var verifier: HostVerifier?
    private var faultsOfOursEnd = false
    private var faultsOfPeers = Flood()
    private var exitStatus: Int32?
    /// When to end though the core has not asked to.
    private var lastMoment = Instant.never
    /// When the first stop signal was read.
    private var firstSignalAt: Instant?

    // Without a supervisor: what is said to the core in its place, and who hears what the core says to it.
    private var told: [Message] = []
    private var overhearing: ((Message) -> Int32?)?

    /// Packets taken from one socket before the others have their turn.
    private static let budget = 64

    /// What a role has: its links to others, and for a supervisor what it gives its children.
    struct Parts {
        var supervisor: PacketChannel?
        // A client has one of these two.
        var server: ServerLink?
        var fetch: FetchThread?
        /// A server's two, a supervisor's one.
        var listeners: [PeerListener] = []
        var folder: RunDirectory?
        /// The server's listening sockets, kept from one server to the next.
        var inheritance: [ListeningSocket] = []
        /// Where input-kit and apps connect, whatever becomes of the paths.
        var inputPlace: Place?
        var appPlace: Place?
        /// Where the children's programs are.
        var programs = ""
        /// How many apps a supervisor's core is made with.
        var apps: UInt32 = 0
        /// How long the address is that it connects to, in bytes of `sockaddr_un`; 0 where there is none, -1 for any.
        var addressLength: Int32 = 0
        /// The checksum of what an app shows; nil where that has not been read yet.
        var content: UInt32?
        /// Where its journal is to be.
        var journals = Journals.byPath
        /// Tells of SIGTERM and SIGINT; not for a host that shares its process with others.
        var signals: Signals?
    }

    enum Journals {
        /// In the run directory, by its path: of a process without a supervisor.
        case byPath
        case open(JournalFolder)
        /// Its folder could not be opened: it goes on without a journal.
        case none
    }

    private struct Due {
        var link = false
        var fetch = false
        var server = false
        var listeners: [Bool] = []
        var childLinks: [Int32] = []
        var deaths: [Int32] = []
        var signals = false
        /// Whether the last look found anything.
        var anything = false
    }

    init(order: LaunchOrder, settings: Settings, parts: Parts) throws(HostError) {
        (self.order, self.parts, self.settings) = (order, parts, settings)
        // Nothing of a touch's way is in the supervisor: spinning it would only take a CPU from those it is in.
        spins = settings[.hostSpin] && order.peer.role != .supervisor
        stopDeadline = settings[.supervisorStopDeadline]
        signals = parts.signals
        due.listeners = parts.listeners.map { _ in true }
        let poller = try Poller()
        let alarm = try Descriptor(system_timerfd_create(), from: "timerfd_create", "")
        try poller.watch(alarm.number, as: Watch.alarm.token)
        if let folder = parts.folder { try poller.watch(folder.descriptor, as: Watch.runDirectory.token) }
        if let signals { try poller.watch(signals.descriptor, as: Watch.signals.token) }
        if let link = parts.supervisor { try poller.watch(link.descriptor, as: Watch.link.token) }
        if let fetch = parts.fetch { try poller.watch(fetch.descriptor, as: Watch.fetch.token) }
        if let server = parts.server {
            try poller.watch(server.descriptors.packets, as: Watch.server.token)
            try poller.watch(server.descriptors.connections, as: Watch.connection.token)
        }
        for (index, listener) in parts.listeners.enumerated() {
            try poller.watch(listener.descriptors.packets, as: Watch.listener(UInt32(index)).token)
            try poller.watch(listener.descriptors.connections, as: Watch.connections(UInt32(index)).token)
            try poller.watch(listener.guardDescriptor, as: Watch.connections(UInt32(index)).token)
            if let gate = listener.gateDescriptor {
                try poller.watch(gate, as: Watch.connections(UInt32(index)).token)
            }
        }
        if settings[.hostTrace] == .file { trace = try Self.openTrace(order, isChild: parts.supervisor != nil) }
        chaos = Chaos(
            order.peer, isAllowed: settings[.chaosAllowed], startedAt: Instant(nanoseconds: system_clock()))
        self.alarm = alarm
        self.poller = poller
        if settings[.hostVerify] { verifier = HostVerifier(order.peer.role) }
    }

    /// A child goes on without a trace: the run directory may have been removed.
    private static func openTrace(_ order: LaunchOrder, isChild: Bool) throws(HostError) -> TraceWriter? {
        do throws(HostError) { return try TraceWriter(order.peer, in: RunPaths(order.runDirectory)) } catch {
            guard isChild else { throw error }
            complain("\(order.peer): \(error): it goes on without a trace")
            return nil
        }
    }

    /// An order without a folder has no place for a journal.
    private func beginJournal() {
        guard settings[.hostJournal] == .file, !order.runDirectory.isEmpty else { return }
        var folder: JournalFolder?
        switch parts.journals {
        case .byPath: break
        case .open(let open): folder = open
        case .none: return
        }
        journal = HostJournal(
            order, settings: settings, apps: parts.apps, content: parts.content, in: folder, at: now())
        guard peer == .supervisor, let directory = parts.folder else { return }
        latestLives[peer] = order.generation
        groupJournals = GroupJournals(in: directory.held, settings, at: now())
    }

    /// Runs the core until it asks to exit.
    ///
    /// - Returns: The status to exit with. By then everything the host made is gone: children, sockets, files.
    public func run(_ core: inout some ProcessCore) -> Int32 {
        outbox.trace.isEnabled = trace != nil
        beginJournal()
        confine()
        // Whatever came before we looked.
        (due.link, due.server, due.fetch) = (parts.supervisor != nil, parts.server != nil, parts.fetch != nil)
        inputs.append(.started)
        // Nothing wakes us for a monitor's news before it has been found empty once.
        parts.server?.connectionsChanged(into: &arrivals)
        for listener in parts.listeners { listener.connectionsChanged() }
        takeArrivals()
        while true {
            deliver(to: &core)
            handOver()
            if let exitStatus { return end(with: exitStatus) }
            if !chaos.isQuiet { suffer() }
            look(milliseconds: inputs.isEmpty ? pause() : 0)
            let moment = now()
            guard let next = timers.next, next <= moment else { continue }
            // Once more, now that it is due: what came before it goes before it.
            look(milliseconds: 0)
            deliver(to: &core)
            var count = timers.count
            while count > 0, exitStatus == nil, let timer = timers.removeFirst(dueBy: moment) {
                count -= 1
                inputs.append(.timerFired(timer))
                deliver(to: &core)
            }
        }
    }

    /// Everything there is to start has been started: from here on this process is held to its work. Not a supervisor,
    /// who starts others, and not a host that shares its process with others.
    private func confine() {
        guard signals != nil, peer.role != .supervisor, Self.isConfined(settings) else { return }
        var may: Int32 = 0
        if peer == .inputKit, !settings[.deviceOpen].isEmpty { may |= Int32(system_may_ask_devices) }
        // An app of another machine makes its connection anew, whenever it is lost.
        if parts.server?.far != nil { may |= Int32(system_may_call_tcp) }
        guard system_confine_calls(may, parts.addressLength) == 0 else {
            return complain("\(peer): seccomp: \(systemText(errno)): it runs unconfined")
        }
    }

    /// Says these to the core as a supervisor would, once it has heard from the server; for a host that stands alone.
    ///
    /// - Parameter answer: Hears what the core says to its supervisor; a status ends the process.
    public func stand(inFor messages: [Message], answer: @escaping (Message) -> Int32?) {
        precondition(parts.supervisor == nil, "\(peer) has a supervisor")
        (told, overhearing) = (messages, answer)
    }

    // MARK: Facts

    private func observe(_ observation: Observation) {
        if !observed.isObserved { seenFacts = outbox.trace.facts.count }
        observed.take(observation)
        outbox.trace.isEnabled = trace != nil || observed.isObserved
    }

    /// Before anything is answered in the same step: what it says of itself is whole.
    private func keepFacts() {
        observed.take(outbox.trace.facts[seenFacts...])
        seenFacts = outbox.trace.facts.count
        guard trace == nil else { return }
        outbox.trace.removeFacts()
        seenFacts = 0
    }

    private func writeTrace() {
        if observed.isObserved { keepFacts() }
        trace?.write(&outbox.trace)
        seenFacts = outbox.trace.facts.count
    }

    private func now() -> Instant { Instant(nanoseconds: system_clock()) }

    // MARK: One input at a time

    private func deliver(to core: inout some ProcessCore) {
        var index = 0
        var decided = Instant.never
        while index < inputs.count, exitStatus == nil {
            let input = inputs[index]
            index += 1
            let moment = now()
            // A core that takes long for each is waited for by those whom it has answered already.
            if moment > decided { handOver() }
            decided = outgoing.isEmpty ? .never : min(decided, moment.advanced(by: Self.batchPatience))
            journal?.note(input, at: moment)
            if verifier != nil, let found = verifier?.takes(input) { blame(found.peer, found.fault, at: moment) }
            core.handle(input, at: moment, into: &outbox)
            outbox.drain(into: &effects)
            journal?.noteAnswer(effects, at: moment)
            if verifier != nil { verify(at: moment) }
            if observed.isObserved { keepFacts() }
            for effect in effects where exitStatus == nil { carryOut(effect) }
            heed(input)
            if !chaos.isQuiet { slow() }
            if trace != nil, outbox.trace.facts.count > TraceWriter.patience { writeTrace() }
        }
        inputs.removeAll(keepingCapacity: true)
    }

    /// How long what was decided may wait for more of one batch.
    private static let batchPatience = Duration.milliseconds(5)

    // MARK: Streams

    /// Checks every stream of frames as it passes.
    ///
    /// - Parameter isFatal: Whether a frame of our own that should not have been said is the end of the process.
    func verifyStreams(isFatal: Bool) {
        if verifier == nil { verifier = HostVerifier(peer.role) }
        faultsOfOursEnd = isFatal
    }

    private func verify(at moment: Instant) {
        for effect in effects {
            guard let (receiver, fault) = verifier?.sends(effect) else { continue }
            outbox.trace.note(
                moment, .process, "ours, to {a:n}: {b:n}", outbox.trace.name("\(receiver)"),
                outbox.trace.name("\(fault)"))
            complain("\(peer): a frame to \(receiver) that should not have been: \(fault)")
            precondition(!faultsOfOursEnd, "a frame to \(receiver) that should not have been: \(fault)")
        }
        verifier?.endStep()
    }

    /// Nothing comes of it but a fact: what a peer says its core judges.
    private func blame(_ sender: Peer, _ fault: StreamFault, at moment: Instant) {
        guard faultsOfPeers.rises() else { return }
        outbox.trace.note(
            moment, .process, "{a:n} said what it should not have: {b:n}", outbox.trace.name("\(sender)"),
            outbox.trace.name("\(fault)"))
    }

    /// What an input means to the host itself.
    private func heed(_ input: Input) {
        if parts.supervisor == nil { heedServer(input) }
        switch input {
        case .frame(let frame, from: .supervisor):
            switch frame.message {
            case .roster(let entries):
                let roster = Roster(entries)
                for listener in parts.listeners { listener.update(roster, into: &arrivals) }
                takeArrivals()
            case .shutdown: inputs.append(.stopRequested)
            case .chaos(let line): suffer(line)
            case .observe(let observation): observe(observation)
            default: break
            }
        // A supervisor's own faults are asked for by nobody but a person.
        case .frame(let frame, from: let peer) where peer.role == .controller:
            if case .chaos(let line) = frame.message { suffer(line) }
            if case .observe(var observation) = frame.message {
                observation.id = peer.instance
                observe(observation)
            }
        case .peerLost(let peer) where peer.role == .controller:
            observe(Observation(id: peer.instance, word: .end))
        case .frame(_, from: .systemServer) where !told.isEmpty:
            for (index, message) in told.enumerated() {
                let sequence = UInt64(index + 1)
                inputs.append(
                    .frame(Frame(epoch: 1, generation: 1, sequence: sequence, message: message), from: .supervisor))
            }
            told.removeAll()
        case .peerLost(.supervisor):
            inputs.append(.stopRequested)
            lastMoment = min(lastMoment, now().advanced(by: stopDeadline))
        case .peerLost(let peer) where !chaos.isQuiet:
            let moment = now()
            chaos.ended(peer) { frame in lose(frame, to: peer, at: moment) }
        default: break
        }
    }

    /// An app that joined has no supervisor, and is observed by its server.
    private func heedServer(_ input: Input) {
        switch input {
        case .frame(let frame, from: .systemServer):
            if case .observe(let observation) = frame.message { observe(observation) }
        case .peerLost(.systemServer):
            observed.forgetAll()
            outbox.trace.isEnabled = trace != nil
        default: return
        }
    }

    /// Opens a file for a child of ours, which may open none itself.
    private func grant(_ path: String, to peer: Peer) {
        guard let child = children.first(where: { $0.peer == peer }), let file = GrantedFile(opening: path) else {
            return
        }
        child.channel.grant(file, into: &arrivals)
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .send(let frame, .supervisor) where parts.supervisor == nil:
            exitStatus = overhearing?(frame.message)
        case .send(var frame, let peer):
            if case .report(var report) = frame.message, report.peer == self.peer {
                journal?.addRows(to: &report)
                groupJournals?.addRows(to: &report)
                for listener in parts.listeners { listener.addRows(to: &report) }
                frame.message = .report(report)
            } else if case .facts(var page) = frame.message, page.peer == self.peer {
                observed.fill(&page, names: outbox.trace.names)
                frame.message = .facts(page)
            }
            // Who may speak is the core's word; by what they are known is nobody's but the doorkeeper's.
            if peer == .systemServer, case .roster(let entries) = frame.message, !children.isEmpty {
                frame.message = .roster(entries.map(sealed))
            }
            if peer == .inputKit, case .play(let order) = frame.message, case .file(let path) = order.source {
                grant(path, to: peer)
            }
            if outgoing.append(frame, to: peer) { handOver() }
        case .arm(let timer, let moment): timers.arm(timer, at: moment)
        case .disarm(let timer): timers.disarm(timer)
        case .open(let file, let path):
            let granted = parts.supervisor?.takeGranted(path)
            if let failure = files.open(file, path: path, granted: granted, with: poller) { inputs.append(failure) }
        case .read(let file, let limit): files.read(file, limit: limit, with: poller)
        case .close(let file): files.close(file, with: poller)
        case .device(let order): devices.carryOut(order, at: now(), with: poller, into: &inputs)
        case .spawn(let peer, let order): spawn(peer, order)
        case .signal(let peer, let signal): children.first { $0.peer == peer }?.signal(signal)
        case .hangUp(let peer):
            // What was decided before goes out before.
            handOver()
            // At every door: it may have knocked at another's.
            for listener in parts.listeners { listener.hangUp(on: peer) }
        case .exit(let status): exitStatus = status
        }
    }

    private func sealed(_ entry: RosterEntry) -> RosterEntry {
        var entry = entry
        entry.seal = children.first { $0.peer == entry.peer && $0.pid == entry.pid }?.seal ?? .none
        return entry
    }

    /// A person may have replaced a program that ran badly, and wants it to be started.
    private func notePrograms(before arrival: Arrival) {
        guard case .frame(let frame, let sender) = arrival, sender.role == .controller, case .act = frame.message else {
            return
        }
        for peer in programs.takeReplaced() where !children.contains(where: { $0.peer == peer }) {
            inputs.append(.programReplaced(peer))
        }
    }

    private func takeArrivals() {
        guard !arrivals.isEmpty else { return }
        for arrival in arrivals {
            if peer == .supervisor { notePrograms(before: arrival) }
            inputs.append(arrival.input)
        }
        arrivals.removeAll(keepingCapacity: true)
    }

    // MARK: Sending

    private func handOver() {
        guard !outgoing.isEmpty else { return }
        let moment = now()
        for (peer, frames) in outgoing.drain() {
            if let listener = parts.listeners.first(where: { $0.serves(peer) }) {
                listener.earned(frames.count { $0.isAnswering || $0.isToBeAnswered }, by: peer)
            }
            if !chaos.isQuiet {
                let leaving = chaos.pass(frames, to: peer, at: moment) { frame in lose(frame, to: peer, at: moment) }
                packets(of: leaving, sentAt: moment, translate: translation(to: peer)) { packet in
                    send(packet, to: peer)
                }
                continue
            }
            packets(of: frames, sentAt: moment, translate: translation(to: peer)) { packet in send(packet, to: peer) }
        }
        takeArrivals()
    }

    /// Nil where both ends read one clock.
    private func translation(to peer: Peer) -> ((inout Frame) -> Void)? {
        guard peer == .systemServer, let server = parts.server, server.far != nil else { return nil }
        return server.leaving
    }

    private func send(_ packet: [UInt8], to peer: Peer) {
        switch peer.role {
        case .supervisor:
            guard let link = parts.supervisor else { return }
            link.send(packet, into: &arrivals)
            watchRoom(link, as: .link)
        case .systemServer where parts.server != nil: parts.server?.send(packet, into: &arrivals)
        case .systemServer where parts.fetch != nil: parts.fetch?.send(packet)
        case .inputKit, .systemServer, .app, .controller:
            if let child = children.first(where: { $0.peer == peer }) {
                child.channel.send(packet, into: &arrivals)
                watchRoom(child.channel, as: .childLink(child.pid))
            } else {
                parts.listeners.first { $0.serves(peer) }?.send(packet, to: peer, into: &arrivals)
            }
        }
    }

    private func watchRoom(_ channel: PacketChannel, as watch: Watch) {
        guard channel.hasPending else { return }
        poller.setWriting(true, channel.descriptor, as: watch.token)
    }

    // MARK: Chaos

    private func suffer(_ line: String) {
        let moment = now()
        guard let fault = chaos.take(line, at: moment) else { return }
        if fault.word == .diskFull { journal?.pretendFull(until: moment.advanced(by: fault.length)) }
    }

    private func suffer() {
        let moment = now()
        for (peer, frames) in chaos.due(at: moment) {
            packets(of: frames, sentAt: moment, translate: translation(to: peer)) { packet in send(packet, to: peer) }
        }
        chaos.expire(at: moment)
        guard chaos.hasShots(at: moment), !isHeldUp else { return }
        for shot in chaos.nextShots(Self.budget, at: moment) {
            parts.server?.send(shot, into: &arrivals)
            parts.fetch?.send(shot)
        }
        takeArrivals()
    }

    /// Whether a barrage has to wait: what it sends must not pile up here.
    private var isHeldUp: Bool { parts.server?.hasPending == true || parts.fetch?.isFull == true }

    /// A frame that a fault keeps from its receiver: nobody could account for it otherwise.
    private func lose(_ frame: Frame, to peer: Peer, at moment: Instant) {
        journal?.noteLoss(of: frame, to: peer, at: moment)
        outbox.trace.note(
            moment, .process, "#{a} to {b:n} lost on purpose", Int64(clamping: frame.sequence),
            outbox.trace.name("\(peer)"))
    }

    private func slow() {
        let cost = chaos.slowness(at: now()) + chaos.takeNap()
        if cost > .zero { usleep(UInt32(clamping: cost.nanoseconds / 1000)) }
    }

    // MARK: Looking

    /// How long the next look may wait, in milliseconds: 0 when there is something to do, else for ever.
    ///
    /// Called when nothing is left to do, so it is here that facts become text.
    private func pause() -> Int32 {
        let next = nextMoment
        var isBusy =
            files.hasAnswers || devices.hasNews || due.server || due.link || due.fetch || due.listeners.contains(true)
        // A send may have taken in the news of something that arrived, and nobody would be woken for it again.
        if let server = parts.server, server.hasMore { (due.server, isBusy) = (true, true) }
        for (index, listener) in parts.listeners.enumerated() where listener.hasMore {
            (due.listeners[index], isBusy) = (true, true)
        }
        if !chaos.isQuiet, chaos.hasShots(at: now()), !isHeldUp { isBusy = true }
        if isBusy { return 0 }
        if spins && due.anything { return 0 }
        if trace != nil { writeTrace() }
        journal?.rest(at: now())
        if let next, next <= now() { return 0 }
        if spins {
            sched_yield()
            return 0
        }
        // An alarm that rings early costs one turn of the loop; moving it costs a system call every time.
        if let next, next < alarmAt {
            system_timerfd_set(alarm.number, next.nanoseconds)
            alarmAt = next
        }
        return -1
    }

    /// When the host wants to be woken though nothing arrives.
    private var nextMoment: Instant? {
        var next = timers.next
        func consider(_ moment: Instant?) {
            if let moment, moment != .never { next = min(next ?? .never, moment) }
        }
        consider(lastMoment)
        consider(devices.deadline)
        consider(journal?.deadline)
        consider(groupJournals?.deadline)
        consider(outputs.deadline)
        consider(ended.deadline)
        if !chaos.isQuiet { consider(chaos.deadline) }
        for listener in parts.listeners { consider(listener.deadline) }
        consider(parts.server?.deadline)
        let isKept = parts.server?.hasPending == true || parts.listeners.contains { $0.hasPending }
        // libzmq does not say when a full queue has room again.
        if isKept || (chaos.barrage != nil && isHeldUp) {
            consider(now().advanced(by: .milliseconds(2)))
        } else {
            consider(chaos.barrage?.nextAt)
        }
        return next
    }

    /// Gathers what has arrived into `inputs`.
    private func look(milliseconds: Int32) {
        due.anything = false
        poller.wait(milliseconds: milliseconds) { ready in
            due.anything = true
            switch Watch(token: ready.token) {
            case .alarm:
                system_timerfd_clear(alarm.number)
                alarmAt = .never
            case .signals: due.signals = true
            case .link:
                due.link = true
                if ready.isWritable { makeRoom(in: parts.supervisor, as: .link) }
            case .fetch: due.fetch = true
            case .server: due.server = true
            case .connection: parts.server?.connectionsChanged(into: &arrivals)
            case .listener(let index): due.listeners[Int(index)] = true
            case .connections(let index):
                parts.listeners[Int(index)].connectionsChanged()
                due.listeners[Int(index)] = true
            case .childLink(let pid):
                due.childLinks.append(pid)
                if ready.isWritable { makeRoom(in: children.first { $0.pid == pid }?.channel, as: .childLink(pid)) }
            case .death(let pid): due.deaths.append(pid)
            case .childOutput(let pid): outputs.becameReady(pid)
            case .file(let file): files.becameReady(file)
            case .device(let device): devices.becameReady(device)
            case .deviceFolders: devices.foldersBecameReady()
            case .runDirectory: sayRemovals()
            }
        }
        gather()
    }

    private func makeRoom(in channel: PacketChannel?, as watch: Watch) {
        guard let channel else { return }
        channel.retry(into: &arrivals)
        if !channel.hasPending { poller.setWriting(false, channel.descriptor, as: watch.token) }
    }

    /// The supervisor's word first, because it says who the others are; the end of children after what they said.
    private func gather() {
        if due.link, let link = parts.supervisor {
            due.link = link.drain(budget: Self.budget, into: &arrivals)
            if !link.isOpen { poller.forget(link.descriptor) }
        }
        for pid in due.childLinks {
            guard let child = children.first(where: { $0.pid == pid }) else { continue }
            _ = child.channel.drain(budget: Self.budget, into: &arrivals)
            if !child.channel.isOpen { poller.forget(child.channel.descriptor) }
        }
        due.childLinks.removeAll(keepingCapacity: true)
        takeArrivals()
        outputs.gather(at: now(), with: poller) { Watch.childOutput($0).token }
        for pid in due.deaths { bury(pid) }
        due.deaths.removeAll(keepingCapacity: true)
        if ended.expire(at: now()) { refuseChildren() }

        for index in parts.listeners.indices {
            let listener = parts.listeners[index]
            if due.listeners[index] {
                due.listeners[index] = listener.drain(budget: Self.budget, at: now(), into: &arrivals)
            }
            if listener.deadline != nil { listener.expire(at: now(), into: &arrivals) }
            if listener.hasPending { listener.retry(into: &arrivals) }
        }
        if let server = parts.server {
            if due.server { due.server = server.drain(budget: Self.budget, into: &arrivals) }
            if server.hasPending { server.retry() }
            if let far = server.far {
                server.knock()
                // libzmq does not try again with a key that was refused.
                let denial = server.wasDenied ? ServerLink.denial : nil
                if let why = far.end ?? denial, exitStatus == nil {
                    complain("\(peer): the server: \(why)")
                    exitStatus = 1
                }
            }
        }
        if due.fetch {
            parts.fetch?.take(into: &arrivals)
            due.fetch = false
        }
        takeArrivals()
        if files.hasAnswers { inputs += files.answers(with: poller) }
        if devices.hasNews || devices.deadline != nil { devices.gather(at: now(), with: poller, into: &inputs) }
        if due.signals, let signals {
            due.signals = false
            while signals.next() { takeStopSignal() }
        }
        if let moment = groupJournals?.deadline, moment <= now(),
            let line = groupJournals?.check(latest: latestLives, at: now())
        {
            complain(line)
        }
        if lastMoment <= now() { exitStatus = 1 }
    }

    /// Requests a stop. One stop can send several signals: `timeout` signals its child and then the process group, a
    /// terminal that closes sends SIGHUP and its shell SIGTERM. Signals within `supervisor.stopDeadline` of the first
    /// are the same request. A later one comes from a person who waits for a process that hangs: the process ends at once.
    private func takeStopSignal() {
        let moment = now()
        guard let first = firstSignalAt else {
            firstSignalAt = moment
            return inputs.append(.stopRequested)
        }
        if first.duration(to: moment) > stopDeadline { lastMoment = moment }
    }

    // MARK: Children

    /// What a child has from descriptor 4 on, but for its folder of journals.
    private func inheritance(of peer: Peer) -> [Int32] {
        switch peer.role {
        case .systemServer: parts.inheritance.map(\.descriptor)
        case .inputKit: parts.inputPlace.map { [$0.descriptor] } ?? []
        case .app: parts.appPlace.map { [$0.descriptor] } ?? []
        case .supervisor, .controller: []
        }
    }

    /// Says what of the run directory somebody has taken away. Those who are connected stay so, and a child that is
    /// started finds its server all the same; commands find the group by the path.
    private func sayRemovals() {
        for path in parts.folder?.removals() ?? [] {
            complain("\(path) was removed or replaced while the group runs: pid \(getpid()) goes on without it")
        }
    }

    /// Nil, with a line on stderr, if it cannot be opened: the run directory may have been removed.
    private func journals(of peer: Peer) -> JournalFolder? {
        guard settings[.hostJournal] == .file, let folder = parts.folder else { return nil }
        do throws(HostError) { return try folder.journals(of: peer) } catch {
            complain("\(error): \(peer) goes on without a journal")
            return nil
        }
    }

    private func spawn(_ peer: Peer, _ order: LaunchOrder) {
        latestLives[peer] = order.generation
        let journals = journals(of: peer)
        do throws(HostError) {
            var outcome: Result<(child: Child, output: ChildOutput), HostError>?
            let program = Child.program(for: peer, in: parts.programs)
            programs.note(peer, at: program)
            refuseChildren {
                do throws(HostError) {
                    let started = try Child.start(
                        order, program: program,
                        inheriting: inheritance(of: peer) + (journals.map { [$0.descriptor] } ?? []),
                        setsSlice: settings[.hostSlice] > .zero)
                    children.append(started.child)
                    outcome = .success(started)
                } catch { outcome = .failure(error) }
            }
            guard let (child, output) = try outcome?.get() else { return }
            outputs.add(output)
            inputs.append(.childStarted(peer, pid: child.pid))
            try poller.watch(child.channel.descriptor, as: Watch.childLink(child.pid).token)
            try poller.watch(child.descriptor, as: Watch.death(child.pid).token)
            try poller.watch(output.descriptor, as: Watch.childOutput(child.pid).token)
        } catch {
            inputs.append(.childFailed(peer, reason: "\(error)"))
        }
    }

    /// Everything it said, the end of its link, then its own end.
    private func bury(_ pid: Int32) {
        guard let index = children.firstIndex(where: { $0.pid == pid }), let status = children[index].reap() else {
            return
        }
        let child = children.remove(at: index)
        ended.add(pid, at: now())
        refuseChildren()
        while child.channel.drain(budget: Self.budget, into: &arrivals) {}
        child.channel.abandon(into: &arrivals)
        takeArrivals()
        outputs.finish(pid, with: poller)
        inputs.append(.childExited(child.peer, pid: pid, status: status))
    }

    /// Lets no process of the group in where controllers are. Nobody at all is let in while one is started, so that there
    /// is no moment at which a child is not known as one.
    private func refuseChildren(after start: () -> Void = {}) {
        guard peer == .supervisor, let door = parts.listeners.first else { return start() }
        door.refuse {
            start()
            return ended.pids + children.map(\.pid)
        }
    }

    // MARK: The end

    private func end(with status: Int32) -> Int32 {
        for child in children {
            child.end()
            outputs.finish(child.pid, with: poller)
        }
        children.removeAll()
        trace?.write(&outbox.trace)
        journal?.end(status: status, at: now())
        journal = nil
        parts.fetch?.stop()
        if peer == .supervisor { for listener in parts.listeners { listener.lingerAtEnd() } }
        parts = Parts()
        // The stop signals stay blocked: one that arrives from here on must not replace the status of the process.
        return status
    }
}

extension Frame {
    /// Whether its receiver has asked for it, by a scan that there was room for.
    fileprivate var isAnswering: Bool {
        if case .handled(let receipt) = message { receipt.reason != .overLimit } else { false }
    }

    /// Whether its receiver will say something because of it.
    fileprivate var isToBeAnswered: Bool {
        switch message.kind {
        case .touches, .input, .spied: true
        default: false
        }
    }
}

/// Who is behind a ready descriptor, as the number epoll keeps.
private enum Watch {
    case alarm, signals, link, fetch, server, connection
    case listener(UInt32)
    case connections(UInt32)
    case childLink(Int32)
    case death(Int32)
    case childOutput(Int32)
    case file(FileID)
    case device(DeviceID)
    case deviceFolders
    case runDirectory

    var token: UInt64 {
        switch self {
        case .alarm: 0
        case .signals: 1
        case .link: 2
        case .fetch: 3
        case .server: 4
        case .connection: 5
        case .listener(let index): 1 << 32 | UInt64(index)
        case .connections(let index): 5 << 32 | UInt64(index)
        case .childLink(let pid): 2 << 32 | UInt64(UInt32(bitPattern: pid))
        case .death(let pid): 3 << 32 | UInt64(UInt32(bitPattern: pid))
        case .childOutput(let pid): 7 << 32 | UInt64(UInt32(bitPattern: pid))
        case .file(let file): Files.token(of: file)
        case .device(let device): Devices.token(of: device)
        case .deviceFolders: Devices.foldersToken
        case .runDirectory: 7
        }
    }

    init(token: UInt64) {
        let low = UInt32(truncatingIfNeeded: token)
        switch (token >> 32, low) {
        case (0, 0): self = .alarm
        case (0, 1): self = .signals
        case (0, 2): self = .link
        case (0, 3): self = .fetch
        case (0, 4): self = .server
        case (0, 5): self = .connection
        case (1, _): self = .listener(low)
        case (5, _): self = .connections(low)
        case (2, _): self = .childLink(Int32(bitPattern: low))
        case (3, _): self = .death(Int32(bitPattern: low))
        case (7, _): self = .childOutput(Int32(bitPattern: low))
        case (4, _): self = .file(FileID(low))
        case (6, _): self = .device(DeviceID(low))
        case (0, 6): self = .deviceFolders
        case (0, 7): self = .runDirectory
        default: preconditionFailure("nothing is watched as \(token)")
        }
    }
}
