// World.swift: several cores on one thread with one virtual clock.
//
//     schedule ─▶ heap ─▶ core.handle(input, at: now) ─▶ outbox ─┬─ send ─▶ link ─▶ heap
//                          │                                    ├─ arm  ─────────▶ heap
//                          └─▶ observer                         └─ facts ─▶ trace
//
// Runs the production cores by the contract of ZeroMQHost: one input, the whole outbox, then the next input. The world
// does a host's work for each core: it stamps ledgers, announces links, checks the roster, answers reads and starts
// children. World+Links.swift has the behavior of libzmq and the kernel between two hosts, World+Faults.swift the
// faults.

public import Basics
import Faults
public import Hosting
public import Trace
public import Wire

/// Several cores on one thread with one virtual clock.
public struct World {
    public private(set) var now = Instant.boot
    /// Frames to peers that are not in this world, mostly to controllers.
    public var outside: [Mail] { notes.outside }
    /// The device orders of all cores. The only live device in a world is a plugged panel. A script plays others: it
    /// schedules their news.
    public var deviceOrders: [TimedDeviceOrder] { notes.deviceOrders }
    /// The number of inputs that cores received.
    public var steps: UInt64 { notes.steps }
    /// Whether processes installed from here on note facts.
    public var isTraced: Bool {
        get { notes.isTraced }
        set { notes.isTraced = newValue }
    }
    /// The contents that `open` finds, by path.
    public var files: [String: [UInt8]] = [:]
    /// The durations between processes.
    public var links = LinkModel()
    /// Makes the core of a child that a supervisor in this world spawns.
    public var makeChild: ((LaunchOrder) -> (any ProcessCore)?)?
    /// Receives every occurrence, in causal order. Without an observer no occurrence is made.
    public var observer: ((Occurrence) -> Void)?

    /// Receives every step in the place of `observer`, which receives the other occurrences. A step is large, and in an
    /// occurrence it is copied twice more.
    var stepObserver: ((Step) -> Void)?

    /// Receives each effect of a step after the step. The effect is not in an array any more, so reading it copies no
    /// frame.
    var effectObserver: ((Effect) -> Void)?

    /// Receives each core after its step, with the facts that it noted and the number of its life. Processes installed
    /// from here on note facts for it.
    var stepReader: ((SimulatedCore, Peer, UInt32, [Fact]) -> Void)?

    /// A frame to a peer outside the world.
    public struct Mail: Sendable {
        public let at: Instant
        public let from: Peer
        public let to: Peer
        public let frame: Frame
    }

    /// A device order of a core.
    public struct TimedDeviceOrder: Sendable {
        public let at: Instant
        public let by: Peer
        public let order: DeviceOrder
    }

    /// Inputs without an end, by a fault of the simulator or of a core.
    public struct Livelock: Error, Hashable, Sendable, CustomStringConvertible {
        public let at: Instant
        public let steps: Int
        /// The process of the last input.
        public let peer: Peer
        public var description: String { "still busy after \(steps) inputs, at \(at), the last of them \(peer)'s" }
    }

    var population = Population()
    var connections: [Connection] = []
    var schedule = Schedule()
    var chance: SeededGenerator
    var faults = PlannedFaults()
    var panel: SimulatedPanel?
    /// What the processes have noted. (World+Facts.swift)
    var facts = FactLog()
    private var notes = Notes()
    private let payloads = PayloadStore()
    private var reusedEffects: [Effect] = []

    /// The notes of a world for the reader of a run.
    private struct Notes {
        var outside: [Mail] = []
        var deviceOrders: [TimedDeviceOrder] = []
        var steps: UInt64 = 0
        var isTraced = true
    }

    /// - Parameter seed: Of all random numbers of the link model and the faults.
    public init(seed: UInt64 = 0) { chance = SeededGenerator(seed: seed) }

    public var peers: [Peer] { population.processes.compactMap { $0?.peer } }

    /// The life of a peer; nil while it is not running.
    public func instance(of peer: Peer) -> ProcessInstance? { process(peer)?.instance }

    /// The core of a peer in its present state; nil while it is not running.
    public func core(of peer: Peer) -> (any ProcessCore)? { process(peer)?.core.core }

    /// The highest epoch of all lives so far.
    public var highestEpoch: UInt32 { population.instances.reduce(0) { max($0, $1.epoch) } }

    /// Starts a core now. Its links come up as the link model has it.
    ///
    /// - Parameters:
    ///   - core: The core, before its first input.
    ///   - peer: The process that the core is.
    ///   - order: Gives the epoch and generation. Without an order they are 1 and the number of starts of this peer.
    public mutating func install(_ core: any ProcessCore, as peer: Peer, order: LaunchOrder? = nil) {
        start(core, as: peer, order: order, after: 0)
    }

    /// Kills a process as SIGKILL does: it sends nothing more, and its peers are notified.
    public mutating func crash(_ peer: Peer) {
        if let process = process(peer) { end(process, status: .signalled(9)) }
    }

    /// Schedules an input for `peer`. An input for a process that is gone by then is lost.
    public mutating func schedule(_ input: consuming Input, for peer: Peer, at moment: Instant) {
        precondition(moment >= now, "an input is scheduled at \(moment), but it is already \(now)")
        guard let process = process(peer) else { return }
        post(input, for: process, at: moment.nanoseconds)
    }

    /// Runs until nothing is due by `limit`, which becomes the time.
    ///
    /// - Parameters:
    ///   - limit: The time at which the run ends.
    ///   - steps: More inputs are a livelock, which is a programming error.
    public mutating func run(until limit: Instant, steps: Int = 10_000_000) {
        if let livelock = advance(until: limit, steps: steps) { preconditionFailure("\(livelock)") }
    }

    /// The same, with a livelock as the result instead of a trap.
    public mutating func advance(until limit: Instant, steps: Int = 10_000_000) -> Livelock? {
        let livelock = handleEntries(until: limit, steps: steps)
        if livelock == nil { now = max(now, limit) }
        return livelock
    }

    /// The moment of the next entry; nil without one.
    public var nextMoment: Instant? { schedule.earliest.map { Instant(nanoseconds: $0) } }

    /// Runs until nothing is due any more, or nothing by `limit`.
    ///
    /// - Returns: Whether nothing is left: false for a world with, for instance, a repeating timer.
    public mutating func runUntilQuiet(limit: Instant, steps: Int = 10_000_000) -> Bool {
        if let livelock = handleEntries(until: limit, steps: steps) { preconditionFailure("\(livelock)") }
        return schedule.isEmpty
    }

    /// Returns and removes the facts so far and the frames to peers outside, for a caller that keeps a world for long.
    public mutating func removeNotes() -> (facts: [ResolvedFact], outside: [Mail]) {
        var outside: [Mail] = []
        let resolved = removeNotes(outside: &outside)
        return (resolved, outside)
    }

    /// The same, with storage for the frames that the caller keeps.
    ///
    /// - Parameter outside: An empty array; then the frames to peers outside.
    mutating func removeNotes(outside: inout [Mail]) -> [ResolvedFact] {
        // Without facts no table of their authors is made.
        let resolved = facts.isEmpty ? [] : resolvedFacts
        if !facts.isEmpty { facts.removeAll() }
        swap(&outside, &notes.outside)
        return resolved
    }

    /// Whether `removeNotes` would return anything.
    public var hasNotes: Bool { !facts.isEmpty || !notes.outside.isEmpty }

    // MARK: One step

    /// The inputs of one moment must end. A play at full speed is the longest sequence of them.
    private static let stepsAtOnce = 1_000_000

    private mutating func handleEntries(until limit: Instant, steps: Int) -> Livelock? {
        var (handled, atOnce) = (0, 0)
        var last = Int32(0)
        while true {
            if handled >= steps || atOnce >= Self.stepsAtOnce {
                guard let next = schedule.earliest, next <= limit.nanoseconds else { return nil }
                return Livelock(at: now, steps: handled, peer: population.slots[Int(last)].peer)
            }
            guard let due = schedule.removeFirst(until: limit.nanoseconds) else { return nil }
            handled += 1
            atOnce = due.at == now.nanoseconds ? atOnce + 1 : 0
            last = due.slot
            now = Instant(nanoseconds: due.at)
            handle(due)
        }
    }

    /// Handles a due entry: at once, or when its process can handle it.
    private mutating func handle(_ due: ScheduledEntry) {
        switch due.kind {
        case .faultBegins: return begin(fault: Int(due.subject))
        case .faultEnds: return end(fault: Int(due.subject), number: due.detail)
        case .expiry: return expire(connection: Int(due.subject))
        case .contact: return apply(contact: Int(due.subject))
        case .silence: return noticeSilence(due)
        case .start, .input, .frame, .control, .release, .timer, .connect, .ended, .wake, .exit: break
        }
        guard let process = population.processes[Int(due.slot)], process.serial == due.serial || due.serial == 0 else {
            return discard(due)
        }
        switch due.kind {
        // These happen whatever the process does meanwhile.
        case .release: return release(due, by: process)
        case .exit: return end(process, status: .exited(1))
        case .wake: return handleBacklog(of: process)
        default: break
        }
        if due.kind == .start {
            process.pace.hasStarted = true
            process.waiting.backlog.insert(due, at: process.waiting.handled)
            return handleBacklog(of: process)
        }
        let isBusy = !process.pace.hasStarted || process.pace.halts > 0 || process.pace.busyUntil > now.nanoseconds
        if due.kind == .timer {
            guard process.timers[TimerID(due.subject)] == due.detail else { return }
            if isBusy || process.waiting.count > 0 { return process.waiting.lateTimers.append(due) }
        } else if isBusy || process.waiting.count > 0 {
            // A connection needs no action of the process.
            if due.kind == .connect && process.pace.stops == 0 { return connect(process) }
            return process.waiting.backlog.append(due)
        }
        dispatch(due, to: process)
    }

    private mutating func dispatch(_ due: ScheduledEntry, to process: SimulatedProcess) {
        switch due.kind {
        case .start:
            deliver(.started, to: process)
            if process.isServer { acceptWaitingClients(at: now.nanoseconds) }
        case .input, .control:
            let input = removeInput(due.subject)
            announce(input, to: process)
            // Looking into a frame copies it, and a host has nothing to do for nearly all of them.
            let duty = due.kind == .control && due.detail == 0 ? nil : hostDuty(in: input)
            deliver(consume input, to: process)
            if let duty { carryOut(duty, by: process) }
        case .frame: receive(due, by: process)
        case .timer:
            guard process.timers[TimerID(due.subject)] == due.detail else { return }
            process.timers[TimerID(due.subject)] = 0
            deliver(.timerFired(TimerID(due.subject)), to: process)
        case .connect: connect(process)
        case .ended: noticeEnd(of: Int(due.subject), by: process)
        case .release, .exit, .wake, .silence, .faultBegins, .faultEnds, .expiry, .contact:
            preconditionFailure("\(due.kind) has no process")
        }
    }

    /// Handles what has arrived while a process was stopped or busy. Arrivals come before the late timers, as in a host
    /// that reads once more before it fires them.
    mutating func handleBacklog(of process: SimulatedProcess) {
        while population.processes[process.slot] === process, process.pace.hasStarted, process.pace.halts == 0,
            process.pace.busyUntil <= now.nanoseconds
        {
            if process.waiting.batch == 0, !process.waiting.lateTimers.isEmpty {
                dispatch(process.waiting.lateTimers.removeFirst(), to: process)
                if process.waiting.lateTimers.isEmpty { process.waiting.batch = process.waiting.count }
            } else if process.waiting.count > 0 {
                process.waiting.batch = max(0, process.waiting.batch - 1)
                dispatch(process.waiting.next(), to: process)
            } else if process.waiting.lateTimers.isEmpty {
                return
            } else {
                process.waiting.batch = 0
            }
        }
    }

    /// Gives a core one input, and carries out all its effects.
    mutating func deliver(_ input: consuming Input, to process: SimulatedProcess) {
        notes.steps += 1
        process.core.handle(input, at: now, into: &process.outbox)
        stepReader?(process.core, process.peer, process.serial, process.outbox.trace.facts)
        if !process.outbox.trace.facts.isEmpty { collectFacts(of: process) }
        var step = Step(process: process.instance, index: process.steps, at: now, input: input, effects: reusedEffects)
        reusedEffects = []
        process.outbox.drain(into: &step.effects)
        process.steps += 1
        // Each is called where it is: a copy of it would be counted.
        if stepObserver != nil { stepObserver?(step) } else { observer?(.step(step)) }
        var effects: [Effect] = []
        swap(&effects, &step.effects)
        if process.pace.cost > 0 {
            process.pace.busyUntil = now.nanoseconds + process.pace.cost
            schedule.insert(
                ScheduledEntry(
                    at: process.pace.busyUntil, kind: .wake, slot: Int32(process.slot), serial: process.serial))
        }
        // Effects are moved out and not copied: the frame of an effect goes on to its receiver. Nearly all steps have
        // one effect or none.
        if effects.count == 1, let effect = effects.popLast() {
            effectObserver?(effect)
            carryOut(effect, of: process)
        }
        var isRunning = true
        for index in effects.indices {
            var effect = Effect.exit(status: 0)
            swap(&effect, &effects[index])
            effectObserver?(effect)
            // The later effects of a process that has ended are not carried out.
            guard isRunning else { continue }
            carryOut(effect, of: process)
            isRunning = population.processes[process.slot] === process
        }
        if !effects.isEmpty { effects.removeAll(keepingCapacity: true) }
        reusedEffects = effects
    }

    private mutating func collectFacts(of process: SimulatedProcess) {
        if notes.isTraced { facts.append(process.outbox.trace.facts, of: process.serial) }
        process.outbox.trace.removeFacts()
    }

    /// What a message of the supervisor means to the host of its receiver.
    private enum HostDuty {
        case adopt([RosterEntry])
        case stop
    }

    /// Whether a message of this kind means something to the host of its receiver, if it comes from the supervisor.
    static func concernsHost(_ kind: MessageKind) -> Bool { kind == .roster || kind == .shutdown }

    /// Returns what an input means to the host itself. Only frames over an inherited link can mean anything.
    private func hostDuty(in input: Input) -> HostDuty? {
        // The sender first: a pattern that binds the frame copies it.
        guard case .frame(_, from: let sender) = input, sender == .supervisor, case .frame(let frame, from: _) = input
        else { return nil }
        guard Self.concernsHost(frame.message.kind) else { return nil }
        switch frame.message {
        case .roster(let entries): return .adopt(entries)
        case .shutdown: return .stop
        default: return nil
        }
    }

    /// Carries out a duty after the core has handled its input.
    private mutating func carryOut(_ duty: HostDuty, by process: SimulatedProcess) {
        guard population.processes[process.slot] === process else { return }
        switch duty {
        case .adopt(let entries): if process.isServer { update(roster: entries, of: process) }
        case .stop: post(.stopRequested, for: process, at: now.nanoseconds)
        }
    }

    /// Carries out an effect. Inlined into the caller, the function would copy the frame of an effect.
    ///
    /// - Parameters:
    ///   - effect: The effect. No effect hands an input to a core at once.
    ///   - process: The process that decided the effect.
    @inline(never)
    private mutating func carryOut(_ effect: consuming Effect, of process: SimulatedProcess) {
        let at = now.nanoseconds
        switch consume effect {
        case .send(let frame, let receiver): send(frame, from: process, to: receiver, leaving: at + process.pace.cost)
        case .arm(let id, let moment):
            let arming = schedule.newArming()
            process.timers[id] = arming
            guard moment != .never else { return }
            schedule.insert(
                ScheduledEntry(
                    at: max(at, moment.nanoseconds), kind: .timer, slot: Int32(process.slot), serial: process.serial,
                    subject: id.rawValue, detail: arming))
        case .disarm(let id): process.timers[id] = 0
        case .open(let id, let path):
            if let bytes = files[path] {
                process.files.removeAll { $0.id == id }
                process.files.append((id, bytes[...]))
            } else {
                post(.fileFailed(id, reason: "\(path): No such file or directory"), for: process, at: at)
            }
        case .read(let id, let limit):
            guard let index = process.files.firstIndex(where: { $0.id == id }) else { return }
            let bytes = Array(process.files[index].rest.prefix(limit))
            process.files[index].rest.removeFirst(bytes.count)
            post(.fileBytes(id, bytes), for: process, at: at)
        case .close(let id): process.files.removeAll { $0.id == id }
        case .device(let order):
            notes.deviceOrders.append(TimedDeviceOrder(at: now, by: process.peer, order: order))
            answer(order, of: process)
        case .spawn(let child, let order):
            guard let core = makeChild?(order) else {
                return post(.childFailed(child, reason: "no such executable"), for: process, at: at)
            }
            let started = start(core, as: child, order: order, after: links.start.draw(&chance))
            post(.childStarted(child, pid: started.pid), for: process, at: at)
        case .signal(let child, .terminate):
            if let child = self.process(child) { post(.stopRequested, for: child, at: at) }
        case .signal(let child, .kill): crash(child)
        case .hangUp(let other): hangUp(on: other, by: process)
        case .exit(let status): end(process, status: .exited(status))
        }
    }

    // MARK: Lives

    @discardableResult
    private mutating func start(
        _ core: any ProcessCore, as peer: Peer, order: LaunchOrder?, after delay: Int64
    ) -> SimulatedProcess {
        let slot = makeSlot(of: peer)
        precondition(population.processes[slot] == nil, "\(peer) is already in this world")
        population.slots[slot].starts += 1
        let instance = ProcessInstance(
            peer, epoch: order?.epoch ?? 1,
            generation: order?.generation ?? UInt32(clamping: population.slots[slot].starts))
        let process = SimulatedProcess(
            core, as: peer, instance: instance, serial: UInt32(population.instances.count), slot: slot)
        population.instances.append(instance)
        process.outbox.trace.isEnabled = notes.isTraced || stepReader != nil
        population.processes[slot] = process
        observer?(.began(instance, at: now))
        let at = now.nanoseconds + delay
        schedule.insert(ScheduledEntry(at: at, kind: .start, slot: Int32(slot), serial: process.serial))
        if let supervisor = population.processes[Self.supervisorSlot], supervisor !== process, process.isServer {
            // No client is admitted before the supervisor has sent the roster.
            process.links.roster = []
        }
        if process.isClient { scheduleConnect(process, at: at + links.connect.draw(&chance)) }
        applyLastingFaults(to: process, at: at)
        return process
    }

    mutating func end(_ process: SimulatedProcess, status: ExitStatus) {
        guard population.processes[process.slot] === process else { return }
        population.processes[process.slot] = nil
        facts.keepNames(of: process)
        observer?(.ended(process.instance, at: now, status))
        while process.waiting.count > 0 { discard(process.waiting.next()) }
        hangUp(process)
        if process.peer == .supervisor {
            // The children of a supervisor die with it.
            for other in population.processes {
                if let other, other.peer.role != .controller { end(other, status: .signalled(9)) }
            }
        } else if let supervisor = population.processes[Self.supervisorSlot] {
            let at = max(now.nanoseconds + links.notice.draw(&chance), process.links.lastControl.toSupervisor)
            process.links.lastControl.toSupervisor = at
            post(.peerLost(process.peer), for: supervisor, at: at)
            post(.childExited(process.peer, pid: process.pid, status: status), for: supervisor, at: at)
        }
    }

    // MARK: Slots and payloads

    static let supervisorSlot = Population.supervisorSlot
    static let inputKitSlot = Population.inputKitSlot
    static let serverSlot = Population.serverSlot

    func slot(of peer: Peer) -> Int? { population.slot(of: peer) }
    func process(_ peer: Peer) -> SimulatedProcess? { population.process(peer) }
    mutating func makeSlot(of peer: Peer) -> Int { population.makeSlot(of: peer) }

    mutating func post(_ input: consuming Input, for process: SimulatedProcess, at moment: Int64) {
        if population.slots[process.slot].deviceShift != 0 { input = shifted(consume input, for: process) }
        postUnshifted(input, for: process, at: moment)
    }

    /// Posts an input whose stamps are those of its device's clock.
    mutating func postUnshifted(_ input: consuming Input, for process: SimulatedProcess, at moment: Int64) {
        let payload = storePayload(input, PayloadRoute(sender: 0, receiver: process.peer))
        schedule.insert(
            ScheduledEntry(
                at: moment, kind: .input, slot: Int32(process.slot), serial: process.serial, subject: payload))
    }

    mutating func storePayload(_ input: consuming Input, _ route: PayloadRoute) -> UInt32 {
        payloads.store(input, route)
    }
    func payloadRoute(_ number: UInt32) -> PayloadRoute { payloads.route(number) }
    mutating func removeInput(_ number: UInt32) -> Input { payloads.remove(number) }

    mutating func noteOutsideFrame(to outside: Peer, from sender: Peer, _ frame: Frame) {
        notes.outside.append(Mail(at: now, from: sender, to: outside, frame: frame))
    }
}
