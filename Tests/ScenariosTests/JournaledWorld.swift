// JournaledWorld.swift: a simulated group whose processes write journals as live processes do.

import AppCore
import Basics
import Hosting
import InputKitCore
import Journals
import Links
import Scenarios
import Settings
import Simulator
import SupervisorCore
import SystemServerCore
import Wire

/// The journal that one process has written so far.
final class WrittenJournal {
    let header: JournalHeader
    var bytes: [UInt8] = []
    private var writer: JournalWriter?

    init(_ header: JournalHeader) { self.header = header }

    func note(_ input: Input, at now: Instant) {
        if writer == nil {
            writer = JournalWriter(header)
            bytes = JournalWriter.preamble
            writer?.begin(segment: 0, firstStep: 0, at: now, into: &bytes)
        }
        writer?.step(input, at: now, into: &bytes)
    }

    func noteAnswer(_ effects: [Effect], at now: Instant) {
        writer?.addEffects(effects, into: &bytes)
        for case .exit(let status) in effects { writer?.end(status: status, at: now, into: &bytes) }
    }

    var digest: UInt64 { writer?.digest.value ?? 0 }
    var name: String { Journal.fileName(header.order.peer, generation: header.order.generation, segment: 0) }
}

struct JournalingCore: ProcessCore {
    var core: any ProcessCore
    let journal: WrittenJournal

    mutating func handle(_ input: Input, at now: Instant, into outbox: inout Outbox) {
        journal.note(input, at: now)
        core.handle(input, at: now, into: &outbox)
        journal.noteAnswer(outbox.effects, at: now)
    }
}

/// A supervisor with its children, two apps, and a controller that plays scripts.
final class JournaledWorld {
    private(set) var world = World()
    private(set) var journals: [WrittenJournal] = []
    private var controller = LinkNumbers(epoch: 1, generation: 1)
    private var plays: UInt32 = 0

    init(settings list: [Setting] = []) throws {
        let settings = try Settings(list)
        world.isTraced = false
        (world.links.data, world.links.control) = (.constant(.microseconds(50)), .constant(.microseconds(50)))
        let order = LaunchOrder(
            peer: .supervisor, epoch: 1, generation: 1, runDirectory: "/run/touchline", settings: settings.changed)
        world.makeChild = { [unowned self] in journaled($0, settings: settings) }
        if let core = journaled(order, settings: settings) { world.install(core, as: .supervisor) }
        run(until: 1)
    }

    private func journaled(_ order: LaunchOrder, settings: Settings) -> (any ProcessCore)? {
        // The world numbers its processes in the same way.
        let pid = Int32(1001 + journals.count)
        let core: any ProcessCore
        switch order.peer.role {
        case .supervisor: core = SupervisorCore(settings: settings, order: order, apps: 2, pid: pid, uid: 0)
        case .inputKit: core = InputKitCore(settings: settings, order: order)
        case .systemServer: core = SystemServerCore(settings: settings, order: order)
        case .app:
            guard let content = try? chosenContent(settings) else { return nil }
            core = AppCore(order: order, settings: settings, content: content)
        case .controller: return nil
        }
        let apps: UInt32 = order.peer == .supervisor ? 2 : 0
        let journal = WrittenJournal(JournalHeader(order: order, at: .boot, apps: apps, pid: pid, uid: 0))
        journals.append(journal)
        return JournalingCore(core: core, journal: journal)
    }

    /// Runs the world until `seconds` since boot.
    func run(until seconds: Double) { world.run(until: Instant(seconds: seconds)) }

    func play(_ script: String) {
        plays += 1
        let order = PlayOrder(id: plays, source: .script(script), pace: .times(1000))
        let peer = Peer(.controller, 1)
        if plays == 1 { world.schedule(.connected(peer), for: .supervisor, at: world.now) }
        world.schedule(.frame(controller.frame(.play(order)), from: peer), for: .supervisor, at: world.now)
    }

    /// Asks the supervisor to stop, and lets the group end.
    func stop() {
        world.schedule(.stopRequested, for: .supervisor, at: world.now)
        run(until: (world.now.advanced(by: .seconds(5))).seconds)
    }

    func crash(_ peer: Peer) { world.crash(peer) }

    var files: [ReplayedGroup.File] {
        journals.map { journal in
            let bytes = journal.bytes
            return ReplayedGroup.File(name: "journal/\(journal.name)") { bytes }
        }
    }

    /// A run with touches in both apps, during which both apps, the server and input-kit are killed.
    static func eventful() throws -> JournaledWorld {
        let group = try JournaledWorld()
        let strokes = "stroke f1 (20,20) (300,600) @0 1 step 1/60\ntap f2 (100,200) @0.3\n"
        for (index, victim) in [Peer.app(1), .systemServer, .inputKit, .app(2)].enumerated() {
            group.play(strokes)
            group.run(until: Double(3 * index) + 1.5)
            group.crash(victim)
            group.run(until: Double(3 * index) + 4)
        }
        return group
    }
}
