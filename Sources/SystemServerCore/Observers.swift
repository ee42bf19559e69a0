// Observers.swift: asking the apps of other machines for their facts.
//
//    supervisor ─observe─▶ server ─observe─▶ app of another machine
//               ◀──facts──        ◀──facts──
//
// The supervisor asks its children itself. An app that joined is no child of it: the app's only link is the server's.
//
// Station   router
// Fed by    the supervisor's observations; hellos and pages of apps that joined
// Feeds     the apps that joined; the supervisor, with their pages
// Sources   invented (Docs/Decisions/RemoteApps.md)

import Basics
import Hosting
import Links
import Wire

/// The link to the supervisor.
struct SupervisorLink: Sendable {
    private var numbers: LinkNumbers
    /// The observing controllers, by the numbers that the supervisor has given them.
    var observers: [UInt32] = []

    init(_ order: LaunchOrder) { numbers = LinkNumbers(epoch: order.epoch, generation: order.generation) }

    mutating func frame(_ message: ServerToSupervisor) -> Frame { numbers.frame(message.message) }
}

extension SystemServerCore {
    /// Passes on what concerns apps that joined. What the server itself answers is another matter.
    mutating func passOn(_ observation: Observation, at now: Instant, into outbox: inout Outbox) {
        switch observation.word {
        case .begin: if !supervisor.observers.contains(observation.id) { supervisor.observers.append(observation.id) }
        case .end: supervisor.observers.removeAll { $0 == observation.id }
        case .page:
            guard let app = observation.peer.app, hasJoined(app) else { return }
            return send(.observe(observation), to: app, at: now, into: &outbox)
        }
        for app in apps.running where hasJoined(app) { send(.observe(observation), to: app, at: now, into: &outbox) }
    }

    /// Has an app that joins meanwhile note what it decides.
    mutating func beginObserving(_ app: AppID, at now: Instant, into outbox: inout Outbox) {
        guard hasJoined(app) else { return }
        for id in supervisor.observers {
            send(.observe(Observation(id: id, word: .begin)), to: app, at: now, into: &outbox)
        }
    }

    /// Drops a page for an observer that has gone meanwhile, and one from an app that is not asked here.
    mutating func passOn(_ page: FactPage, from app: AppID, into outbox: inout Outbox) {
        guard hasJoined(app), supervisor.observers.contains(page.id) else { return }
        var page = page
        // The sender is who the host says it is, whatever it wrote.
        page.peer = .app(app)
        outbox.append(.send(supervisor.frame(.child(.facts(page))), to: .supervisor))
    }
}
