// World.swift: several cores on one thread, one virtual clock.
//
//    schedule ─▶ heap ─▶ core.handle(input, at: now) ─▶ outbox ─┬─ send ─▶ link ─▶ heap
//                                                              ├─ arm  ─────────▶ heap
//                                                              └─ facts ─▶ trace
//
// Hosts the production cores by the contract ZeroMQHost keeps: one input, the outbox to the end, the next input.
// What a host does for a core the world does too: it stamps ledgers, announces links, answers reads, starts children.

public import Basics
public import Hosting
public import Trace
public import Wire

public struct World {
    public private(set) var now = Instant.boot
    /// Every fact of every process, in the order it was noted.
    public private(set) var trace: [TraceLine] = []
    /// Frames sent to somebody who is not in this world: the supervisor's and controllers' mail, mostly.
    public private(set) var outside: [Mail] = []
    /// What was asked about live devices. There are none in here: a script plays them, by `schedule` of their news.
    public private(set) var deviceOrders: [Asked] = []
    /// What `open` finds, by path.
    public var files: [String: [UInt8]] = [:]
    /// Whether processes installed from here on note facts: their text is most of what a simulation costs.
    public var isTraced = true
    /// How long a frame travels on every link.
    public var linkDelay = Duration.zero
    /// Makes the core of a child that a supervisor in this world spawns.
    public var makeChild: ((LaunchOrder) -> (any ProcessCore)?)?

    public struct Mail: Sendable {
        public let at: Instant
        public let from: Peer
        public let to: Peer
        public let frame: Frame
    }

    public struct Asked: Sendable {
        public let at: Instant
        public let by: Peer
        public let order: DeviceOrder
    }

    private struct Process {
        let peer: Peer
        /// Which life of this peer: what was on its way to an earlier one is lost.
        let life: Int
        let pid: Int32
        var core: any ProcessCore
        var outbox = Outbox()
        var timers: [TimerID: UInt64] = [:]
        var files: [FileID: ArraySlice<UInt8>] = [:]
        /// Clients the server has heard of: `connected` precedes their first frame.
        var known: [Peer] = []

        mutating func handle(_ input: Input, at now: Instant, into trace: inout [TraceLine]) -> [Effect] {
            core.handle(input, at: now, into: &outbox)
            for fact in outbox.trace.facts { trace.append(fact.line(process: "\(peer)", names: outbox.trace.names)) }
            outbox.trace.removeFacts()
            return outbox.drain()
        }
    }

    private enum Due {
        case input(Input)
        case timer(TimerID, armed: UInt64)
    }

    private var processes: [Process] = []
    private var schedule = Schedule<(peer: Peer, life: Int, due: Due)>()
    private var lives = 0
    private var armings: UInt64 = 0

    public init() {}

    public var peers: [Peer] { processes.map(\.peer) }

    /// Starts a core now. Links to peers that are here already come up at once.
    public mutating func install(_ core: any ProcessCore, as peer: Peer) {
        precondition(index(of: peer) == nil, "\(peer) is already in this world")
        lives += 1
        var process = Process(peer: peer, life: lives, pid: Int32(1000 + lives), core: core)
        process.outbox.trace.isEnabled = isTraced
        processes.append(process)
        schedule(.started, for: peer, at: now)
        for other in processes where other.peer != peer {
            if peer.isClient(of: other.peer) { schedule(.connected(other.peer), for: peer, at: now) }
            if other.peer.isClient(of: peer) { schedule(.connected(peer), for: other.peer, at: now) }
        }
    }

    /// Kills a process as SIGKILL would: it says nothing more, and everybody linked to it is told.
    public mutating func crash(_ peer: Peer) { end(peer, status: .signalled(9)) }

    /// Gives `peer` an input at a moment to come. An input for a process that is gone by then is lost.
    public mutating func schedule(_ input: Input, for peer: Peer, at moment: Instant) {
        precondition(moment >= now, "\(input) scheduled at \(moment), but it is already \(now)")
        guard let i = index(of: peer) else { return }
        schedule.insert((peer, processes[i].life, .input(input)), at: moment)
    }

    /// Runs until nothing is due by `limit`, which then is the time.
    ///
    /// - Parameter steps: More inputs than this is a livelock, and ours.
    public mutating func run(until limit: Instant, steps: Int = 10_000_000) {
        var handled = 0
        while let next = schedule.earliest, next <= limit {
            precondition(handled < steps, "still busy after \(steps) inputs, at \(now)")
            handled += 1
            step()
        }
        now = max(now, limit)
    }

    /// Runs until nothing is due any more, or nothing by `limit`.
    ///
    /// - Returns: Whether nothing is left: false for a world with, say, a repeating timer.
    public mutating func runUntilQuiet(limit: Instant, steps: Int = 10_000_000) -> Bool {
        var handled = 0
        while let next = schedule.earliest, next <= limit {
            precondition(handled < steps, "still busy after \(steps) inputs, at \(now)")
            handled += 1
            step()
        }
        return schedule.isEmpty
    }

    /// The trace so far, and what was sent outside, once: for whoever keeps a world for long.
    public mutating func takeNotes() -> (trace: [TraceLine], outside: [Mail]) {
        defer { (trace, outside) = ([], []) }
        return (trace, outside)
    }

    // MARK: One step

    private mutating func step() {
        guard let (moment, item) = schedule.removeFirst() else { return }
        now = moment
        guard let i = index(of: item.peer), processes[i].life == item.life else { return }
        switch item.due {
        case .input(let input):
            if case .frame(_, let sender) = input, !sender.isKnownAtOnce, !processes[i].known.contains(sender) {
                processes[i].known.append(sender)
                handle(.connected(sender), by: item.peer)
            }
            handle(input, by: item.peer)
        case .timer(let id, let armed):
            guard processes[i].timers[id] == armed else { return }
            processes[i].timers[id] = nil
            handle(.timerFired(id), by: item.peer)
        }
    }

    private mutating func handle(_ input: Input, by peer: Peer) {
        guard let i = index(of: peer) else { return }
        for effect in processes[i].handle(input, at: now, into: &trace) { carryOut(effect, of: peer) }
    }

    private mutating func carryOut(_ effect: Effect, of peer: Peer) {
        guard let i = index(of: peer) else { return }
        switch effect {
        case .send(var frame, let receiver):
            if frame.ledger.count > 0 { frame.ledger.append(now) }
            if index(of: receiver) == nil {
                outside.append(Mail(at: now, from: peer, to: receiver, frame: frame))
            } else {
                schedule(.frame(frame, from: peer), for: receiver, at: now.advanced(by: linkDelay))
            }
        case .arm(let id, let moment):
            armings += 1
            processes[i].timers[id] = armings
            guard moment != .never else { return }
            schedule.insert((peer, processes[i].life, .timer(id, armed: armings)), at: max(now, moment), isTimer: true)
        case .disarm(let id): processes[i].timers[id] = nil
        case .open(let id, let path):
            if let bytes = files[path] {
                processes[i].files[id] = bytes[...]
            } else {
                schedule(.fileFailed(id, reason: "\(path): No such file or directory"), for: peer, at: now)
            }
        case .read(let id, let limit):
            guard let rest = processes[i].files[id] else { return }
            processes[i].files[id] = rest.dropFirst(limit)
            schedule(.fileBytes(id, Array(rest.prefix(limit))), for: peer, at: now)
        case .close(let id): processes[i].files[id] = nil
        case .device(let order): deviceOrders.append(Asked(at: now, by: peer, order: order))
        case .spawn(let child, let order):
            guard let core = makeChild?(order) else {
                return schedule(.childFailed(child, reason: "no such executable"), for: peer, at: now)
            }
            install(core, as: child)
            schedule(.childStarted(child, pid: processes[processes.count - 1].pid), for: peer, at: now)
        case .signal(let child, .terminate): schedule(.stopRequested, for: child, at: now)
        case .signal(let child, .kill): crash(child)
        case .exit(let status): end(peer, status: .exited(status))
        }
    }

    private mutating func end(_ peer: Peer, status: ExitStatus) {
        guard let i = index(of: peer) else { return }
        let gone = processes.remove(at: i)
        for k in processes.indices {
            let other = processes[k].peer
            processes[k].known.removeAll { $0 == peer }
            if peer.isClient(of: other) || other.isClient(of: peer) {
                schedule(.peerLost(peer), for: other, at: now)
            }
        }
        if peer.role != .supervisor {
            schedule(.childExited(peer, pid: gone.pid, status: status), for: .supervisor, at: now)
        }
    }

    private func index(of peer: Peer) -> Int? { processes.firstIndex { $0.peer == peer } }
}

extension Peer {
    /// Who connects to whom for data: input-kit and apps to the server.
    func isClient(of other: Peer) -> Bool {
        other.role == .systemServer && (role == .inputKit || role == .app)
    }

    /// The inherited link, and a link one opened oneself, are announced before anything comes over them.
    var isKnownAtOnce: Bool { role == .supervisor || role == .systemServer || role == .controller }
}
