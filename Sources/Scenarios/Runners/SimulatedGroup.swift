// SimulatedGroup.swift: a whole group on one virtual clock that plays scripts as they come, and says what became of them.
//
// Fed by    `touchline monkey --simulated`, tests of synthesised gestures
// Feeds     InputKitCore (play orders), and with it all cores
// Knows     what a supervisor would pass on: orders, reports. SimulatedPlay plays one scenario; this plays on and on.
//
// Sources   invented

import AppCore
import Basics
import Hosting
import InputKitCore
import Links
package import Settings
import Simulator
import SystemServerCore
public import Trace
public import Wire

public struct SimulatedGroup {
    private var world = World()
    private var links: [(peer: Peer, link: LinkNumbers)] = []
    private var plays: UInt32 = 0
    private var mail: [World.Mail] = []
    private var notes: [TraceLine] = []

    /// What a play may take beyond its own length, and a group to come to rest.
    private static let patience = Duration.seconds(10)
    private static let app = Peer.app(1)

    /// One app, in front, that shows what the settings say: `app.scene`, `app.sample`.
    ///
    /// - Throws: One line for a person when there is no such thing to show.
    public init(settings list: [Setting]) throws {
        let settings = try Settings(list)
        self.init(settings: settings, content: try chosenContent(settings))
    }

    /// - Parameter isTraced: Whether its processes note facts, which costs more than all the rest.
    package init(settings: Settings, isTraced: Bool = true, content: @escaping AppContent) {
        world.isTraced = isTraced
        func order(_ peer: Peer) -> LaunchOrder { Scenario.order(peer, settings) }
        world.install(SystemServerCore(settings: settings, order: order(.systemServer)), as: .systemServer)
        world.install(InputKitCore(settings: settings, order: order(.inputKit)), as: .inputKit)
        world.install(AppCore(order: order(Self.app), settings: settings, content: content), as: Self.app)
        world.run(until: VirtualTime.zero)
        collect()
    }

    /// Plays a script to its end, and no further: what it has set going goes on in the next.
    ///
    /// - Parameter length: Of the script, in real time; plays at `max` take none.
    /// - Returns: Nil when no report came.
    public mutating func play(_ script: String, length: Duration, pace: PlayOrder.Pace = .times(1000)) -> PlayReport? {
        plays += 1
        let order = PlayOrder(id: plays, source: .script(script), pace: pace)
        tell(.inputKit, .play(order))
        let deadline = world.now.advanced(by: length).advanced(by: Self.patience)
        var slice = pace == .max ? world.now : world.now.advanced(by: length)
        while true {
            world.run(until: slice)
            collect()
            let report = mail.compactMap { mail -> PlayReport? in
                if case .played(let report) = mail.frame.message, report.id == plays { report } else { nil }
            }
            if let report = report.first {
                mail.removeAll { if case .played = $0.frame.message { true } else { false } }
                return report
            }
            guard slice < deadline else { return nil }
            slice = slice.advanced(by: .milliseconds(10))
        }
    }

    /// Nobody touches anything for so long.
    public mutating func rest(_ duration: Duration) {
        world.run(until: world.now.advanced(by: duration))
        collect()
    }

    /// - Returns: Whether nothing is due any more; false for an app whose timer repeats.
    public mutating func settle() -> Bool {
        defer { collect() }
        return world.runUntilQuiet(limit: world.now.advanced(by: Self.patience))
    }

    /// What each process says of itself, input-kit first.
    public mutating func reports() -> [Report] {
        let peers: [Peer] = [.inputKit, .systemServer, Self.app]
        for peer in peers { tell(peer, .reportRequest) }
        world.run(until: world.now)
        collect()
        let found = mail.compactMap { mail -> Report? in
            if case .report(let report) = mail.frame.message { report } else { nil }
        }
        mail.removeAll { if case .report = $0.frame.message { true } else { false } }
        return peers.compactMap { peer in found.last { $0.peer == peer } }
    }

    /// Every fact of every process since it was last asked for.
    public mutating func takeTrace() -> [TraceLine] {
        defer { notes = [] }
        return notes
    }

    private mutating func collect() {
        let (trace, outside) = world.takeNotes()
        notes += trace
        mail += outside
    }

    private mutating func tell(_ peer: Peer, _ message: Message) {
        if !links.contains(where: { $0.peer == peer }) { links.append((peer, LinkNumbers(epoch: 1, generation: 1))) }
        let index = links.firstIndex { $0.peer == peer }!
        world.schedule(.frame(links[index].link.frame(message), from: .supervisor), for: peer, at: world.now)
    }
}
