// Observers.swift: relays observations of facts between the supervisor and the apps of other machines.
//
//    supervisor ─observe─▶ server ─observe─▶ app of another machine
//               ◀──facts──        ◀──facts──
//
// The supervisor asks its children itself. An app of another machine is not its child, and has only a link to the server.
//
// Station   router
// Input     the supervisor's observations and requests for trees and reports; hellos and pages of apps of other machines
// Output    observations to these apps; their pages to the supervisor
// Knows     observers by number. No facts.
//
// Sources   invented (Docs/Decisions/RemoteApps.md)

import Basics
import Hosting
import Links
import Wire

/// The link to the supervisor.
struct SupervisorLink: Sendable {
    private var numbers: LinkNumbers
    /// The numbers of the observing controllers, which the supervisor assigns.
    var observers: [UInt32] = []

    /// The controllers that wait for a page of an app's view tree.
    private var treeRequests: [(id: UInt32, app: AppID)] = []
    /// The most requests that are noted: more than there are controllers.
    private static let treeLimit = 64

    init(_ order: LaunchOrder) { numbers = LinkNumbers(epoch: order.epoch, generation: order.generation) }

    mutating func expectTree(for id: UInt32, from app: AppID) {
        if treeRequests.count == Self.treeLimit { treeRequests.removeFirst() }
        treeRequests.append((id, app))
    }

    /// - Returns: Whether the controller waits for a page of this app.
    mutating func removeExpectedTree(for id: UInt32, from app: AppID) -> Bool {
        guard let index = treeRequests.firstIndex(where: { $0 == (id, app) }) else { return false }
        treeRequests.remove(at: index)
        return true
    }

    mutating func frame(_ message: ServerToSupervisor) -> Frame { numbers.frame(message.message) }
}

extension SystemServerCore {
    /// Relays an observation to the apps of other machines. The server answers for itself elsewhere.
    mutating func relay(_ observation: Observation, at now: Instant, into outbox: inout Outbox) {
        switch observation.kind {
        case .begin: if !supervisor.observers.contains(observation.id) { supervisor.observers.append(observation.id) }
        case .end: supervisor.observers.removeAll { $0 == observation.id }
        case .page, .tree, .touchTargets, .report:
            guard let app = observation.peer.app, hasJoined(app) else { return }
            if observation.kind != .page { supervisor.expectTree(for: observation.id, from: app) }
            return send(.observe(observation), to: app, at: now, into: &outbox)
        }
        for app in apps.running where hasJoined(app) { send(.observe(observation), to: app, at: now, into: &outbox) }
    }

    /// Starts the observations in progress on an app of another machine that has just connected.
    mutating func beginObserving(_ app: AppID, at now: Instant, into outbox: inout Outbox) {
        guard hasJoined(app) else { return }
        for id in supervisor.observers {
            send(.observe(Observation(id: id, kind: .begin)), to: app, at: now, into: &outbox)
        }
    }

    /// Relays a page of facts to the supervisor. A page is dropped if its observer is gone, or if its app is a local one.
    mutating func relay(_ page: FactPage, from app: AppID, into outbox: inout Outbox) {
        guard hasJoined(app),
            supervisor.removeExpectedTree(for: page.id, from: app) || supervisor.observers.contains(page.id)
        else { return }
        var page = page
        // The host knows the sender. The page's own statement is ignored.
        page.peer = .app(app)
        outbox.append(.send(supervisor.frame(.child(.facts(page))), to: .supervisor))
    }
}
