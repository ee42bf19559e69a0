// SimulatedGroup.swift: a whole group on one virtual clock that plays any number of scripts.
//
// Input     `touchline monkey gestures --simulated`, tests of synthesized gestures
// Output    play reports, reports of processes, the trace
// Knows     the orders that a supervisor passes on. SimulatedPlay plays one scenario; this group continues after each.
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

/// A simulated group of input-kit, server and one app.
public struct SimulatedGroup {
    private var world = World()
    private var links: [(peer: Peer, link: LinkNumbers)] = []
    private var plays: UInt32 = 0
    private var mail: [World.Mail] = []
    private var notes: [TraceLine] = []

    /// The time that a play may take beyond its length, and that a group may take to come to rest.
    private static let settleLimit = Duration.seconds(10)
    private static let app = Peer.app(1)

    /// Makes a group with one app in front, which shows `app.scene` or `app.sample`.
    ///
    /// - Throws: One line for a person if the app has nothing to show.
    public init(settings list: [Setting]) throws {
        let settings = try Settings(list)
        self.init(settings: settings, content: try chosenContent(settings))
    }

    /// - Parameters:
    ///   - settings: The settings of the group.
    ///   - isTraced: Whether the processes note facts, which takes longer than everything else.
    ///   - content: Makes what the app shows.
    package init(settings: Settings, isTraced: Bool = true, content: @escaping AppContent) {
        world.isTraced = isTraced
        func order(_ peer: Peer) -> LaunchOrder { Scenario.order(peer, settings) }
        world.install(SystemServerCore(settings: settings, order: order(.systemServer)), as: .systemServer)
        world.install(InputKitCore(settings: settings, order: order(.inputKit)), as: .inputKit)
        world.install(AppCore(order: order(Self.app), settings: settings, content: content), as: Self.app)
        world.run(until: VirtualTime.zero)
        collect()
    }

    /// Plays a script to its end. Timers and animations that it started continue in the next play.
    ///
    /// - Parameters:
    ///   - script: The lines of a finger script.
    ///   - length: The length of the script in real time; plays at `max` take no time.
    ///   - pace: How fast the script is played.
    /// - Returns: Nil if no report arrived.
    public mutating func play(_ script: String, length: Duration, pace: PlayOrder.Pace = .times(1000)) -> PlayReport? {
        plays += 1
        let order = PlayOrder(id: plays, source: .script(script), pace: pace)
        send(.inputKit, to: .play(order))
        let deadline = world.now.advanced(by: length).advanced(by: Self.settleLimit)
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

    /// Lets time pass without input.
    public mutating func rest(_ duration: Duration) {
        world.run(until: world.now.advanced(by: duration))
        collect()
    }

    /// Runs until nothing is due.
    ///
    /// - Returns: False if something is still due at the limit, as with a repeating timer.
    public mutating func settle() -> Bool {
        defer { collect() }
        return world.runUntilQuiet(limit: world.now.advanced(by: Self.settleLimit))
    }

    /// Returns the report of each process, input-kit first.
    public mutating func reports() -> [Report] {
        let peers: [Peer] = [.inputKit, .systemServer, Self.app]
        for peer in peers { send(peer, to: .reportRequest) }
        world.run(until: world.now)
        collect()
        let found = mail.compactMap { mail -> Report? in
            if case .report(let report) = mail.frame.message { report } else { nil }
        }
        mail.removeAll { if case .report = $0.frame.message { true } else { false } }
        return peers.compactMap { peer in found.last { $0.peer == peer } }
    }

    /// Returns all facts noted since the last call.
    public mutating func takeTrace() -> [TraceLine] {
        defer { notes = [] }
        return notes
    }

    private mutating func collect() {
        let (facts, outside) = world.removeNotes()
        notes += facts.map { $0.line() }
        mail += outside
    }

    private mutating func send(_ peer: Peer, to message: Message) {
        if !links.contains(where: { $0.peer == peer }) { links.append((peer, LinkNumbers(epoch: 1, generation: 1))) }
        let index = links.firstIndex { $0.peer == peer }!
        world.schedule(.frame(links[index].link.frame(message), from: .supervisor), for: peer, at: world.now)
    }
}
