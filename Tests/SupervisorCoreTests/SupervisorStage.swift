import Basics
import Hosting
import Settings
import SupervisorCore
import Trace
import Wire

/// A supervisor core with virtual time and children that a test controls: the smallest host there is.
final class SupervisorStage {
    private(set) var now = Instant.boot
    private(set) var core: SupervisorCore
    private var outbox = Outbox()
    private var timers: [(id: TimerID, at: Instant)] = []
    private var lastPid: Int32 = 100

    /// Every effect so far.
    private(set) var effects: [Effect] = []
    private(set) var lines: [TraceLine] = []
    private(set) var exitStatus: Int32?

    /// The running children, in the order of their starts.
    private(set) var alive: [(peer: Peer, pid: Int32, generation: UInt32)] = []

    /// The behavior of a child after its start; by default it announces readiness after 10 ms.
    var startBehavior: (Peer) -> StartBehavior = { _ in .ready(after: .milliseconds(10)) }
    /// Whether a child answers report requests.
    var answers: (Peer) -> Bool = { _ in true }
    /// Whether a child exits on a shutdown message, and on SIGTERM.
    var stopBehavior: (Peer) -> StopBehavior = { _ in .polite }

    enum StartBehavior {
        case ready(after: Duration)
        case dies(after: Duration, ExitStatus)
        case fails(String)
        case neverReady
    }
    enum StopBehavior { case polite, deaf, stubborn }

    private enum Due {
        case started(Peer, pid: Int32)
        case failed(Peer, reason: String)
        case announce(Peer, generation: UInt32)
        case exit(Peer, pid: Int32, ExitStatus)
        case report(Peer, generation: UInt32)
    }
    private var due: [(at: Instant, what: Due)] = []

    init(apps: UInt32 = 1, settings: [Setting] = []) throws {
        core = SupervisorCore(
            settings: try Settings(settings),
            order: LaunchOrder(peer: .supervisor, epoch: 7, generation: 1, runDirectory: "/run/group", settings: []),
            apps: apps, pid: 42, uid: 1000)
    }

    // MARK: Inputs

    func start() { handle(.started) }

    func handle(_ input: Input) {
        core.handle(input, at: now, into: &outbox)
        lines += outbox.trace.facts.map { $0.line(process: "supervisor", names: outbox.trace.names) }
        outbox.trace.removeFacts()
        for effect in outbox.drain() { carryOut(effect) }
    }

    /// Advances the time and handles what becomes due, in order.
    func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while true {
            let event = due.indices.min { due[$0].at < due[$1].at }
            let timer = timers.indices.min { timers[$0].at < timers[$1].at }
            let (eventAt, timerAt) = (event.map { due[$0].at } ?? .never, timer.map { timers[$0].at } ?? .never)
            // Inputs that arrived by a moment precede the timers of that moment.
            if let event, eventAt <= timerAt, eventAt <= end {
                now = eventAt
                perform(due.remove(at: event).what)
            } else if let timer, timerAt <= end {
                now = timerAt
                handle(.timerFired(timers.remove(at: timer).id))
            } else {
                break
            }
        }
        now = end
    }

    func kill(_ peer: Peer, _ status: ExitStatus = .signalled(9)) {
        guard let child = alive.first(where: { $0.peer == peer }) else { return }
        exit(peer, pid: child.pid, status)
    }

    /// A frame from a controller.
    func ask(_ message: Message, as controller: UInt32 = 1) {
        handle(
            .frame(Frame(epoch: 0, generation: 0, sequence: 1, message: message), from: Peer(.controller, controller)))
    }

    /// A frame from a child, of its running generation by default.
    func receive(_ message: Message, from peer: Peer, generation: UInt32? = nil) {
        let own = alive.first { $0.peer == peer }?.generation ?? 0
        handle(.frame(Frame(epoch: 7, generation: generation ?? own, sequence: 1, message: message), from: peer))
    }

    // MARK: Results

    /// The messages sent to this peer, in order.
    func messages(to peer: Peer) -> [Message] { frames(to: peer).map(\.message) }

    func frames(to peer: Peer) -> [Frame] {
        effects.compactMap { effect in
            guard case .send(let frame, to: peer) = effect else { return nil }
            return frame
        }
    }

    func launches(of peer: Peer) -> [LaunchOrder] {
        effects.compactMap { effect in
            guard case .spawn(peer, let order) = effect else { return nil }
            return order
        }
    }

    func status(_ peer: Peer) -> ChildStatus { core.children.first { $0.peer == peer }! }

    func forgetEffects() { effects = [] }

    private func carryOut(_ effect: Effect) {
        effects.append(effect)
        switch effect {
        case .arm(let id, let at):
            timers.removeAll { $0.id == id }
            timers.append((id, at))
        case .disarm(let id): timers.removeAll { $0.id == id }
        case .spawn(let peer, let order): spawn(peer, generation: order.generation)
        case .signal(let peer, let signal):
            guard let child = alive.first(where: { $0.peer == peer }) else { return }
            switch (signal, stopBehavior(peer)) {
            case (.kill, _): due.append((now, .exit(peer, pid: child.pid, .signalled(9))))
            case (.terminate, .polite), (.terminate, .deaf):
                due.append((now, .exit(peer, pid: child.pid, .signalled(15))))
            case (.terminate, .stubborn): return
            }
        case .send(let frame, let peer):
            guard let child = alive.first(where: { $0.peer == peer }) else { return }
            switch frame.message {
            case .shutdown where stopBehavior(peer) == .polite:
                due.append((now.advanced(by: .milliseconds(5)), .exit(peer, pid: child.pid, .exited(0))))
            case .reportRequest where answers(peer):
                due.append((now.advanced(by: .milliseconds(2)), .report(peer, generation: child.generation)))
            default: return
            }
        case .exit(let status): exitStatus = status
        case .open, .read, .close, .device, .hangUp: return
        }
    }

    private func spawn(_ peer: Peer, generation: UInt32) {
        let birth = startBehavior(peer)
        if case .fails(let reason) = birth {
            due.append((now, .failed(peer, reason: reason)))
            return
        }
        lastPid += 1
        let pid = lastPid
        alive.append((peer, pid, generation))
        due.append((now, .started(peer, pid: pid)))
        switch birth {
        case .ready(let after): due.append((now.advanced(by: after), .announce(peer, generation: generation)))
        case .dies(let after, let status): due.append((now.advanced(by: after), .exit(peer, pid: pid, status)))
        case .neverReady, .fails: break
        }
    }

    private func perform(_ what: Due) {
        switch what {
        case .started(let peer, let pid): handle(.childStarted(peer, pid: pid))
        case .failed(let peer, let reason): handle(.childFailed(peer, reason: reason))
        case .announce(let peer, let generation):
            guard alive.contains(where: { $0 == peer && $2 == generation }) else { return }
            receive(.ready, from: peer)
        case .report(let peer, let generation):
            guard alive.contains(where: { $0 == peer && $2 == generation }) else { return }
            var report = Report(peer: peer)
            report.add("turns", generation)
            receive(.report(report), from: peer)
        case .exit(let peer, let pid, let status): exit(peer, pid: pid, status)
        }
    }

    private func exit(_ peer: Peer, pid: Int32, _ status: ExitStatus) {
        guard alive.contains(where: { $0.pid == pid }) else { return }
        alive.removeAll { $0.pid == pid }
        handle(.peerLost(peer))
        handle(.childExited(peer, pid: pid, status: status))
    }
}
