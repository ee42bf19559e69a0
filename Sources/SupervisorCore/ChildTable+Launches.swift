// ChildTable+Launches.swift: acts of the phone that need an app to run, and launches with a URL.
//
// Station   process
// Input     SupervisorCore: acts of controllers, the server's launch requests, deaths
// Output    inputs of a child's machine; answers to requests that cannot succeed
//
// Sources   invented

import Basics
import Hosting
import Wire

extension ChildTable {
    /// Stores an act that was sent to the server. Its apps are launched if they are down, because the server waits for
    /// them.
    mutating func perform(_ act: SystemAct, at now: Instant, into outbox: inout Outbox) {
        actsInForce.add(act, on: displays)
        if case .terminate(let app) = act {
            if let index = index(of: .app(app)) { apply(.dismiss, to: index, at: now, into: &outbox) }
            return
        }
        for app in act.shownApps {
            guard let index = index(of: .app(app)) else { continue }
            apply(children[index].deaths.isUnstartable ? .timerFired : .launch, to: index, at: now, into: &outbox)
        }
    }

    /// Launches an app for a URL on the server's request.
    mutating func launch(_ wish: LaunchRequest, at now: Instant, into outbox: inout Outbox) {
        guard !isStopping else { return }
        if wish.comesToFront { actsInForce.add(.foreground(app: wish.app), on: displays) }
        guard let index = index(of: .app(wish.app)), children[index].requestLaunch(wish) else {
            return fail(wish.openRequest, of: wish.app, into: &outbox)
        }
        apply(.launch, to: index, at: now, into: &outbox)
    }

    /// Ends launches because of a death: an app may have used its last launch with its URL.
    mutating func endLaunch(with index: Int, into outbox: inout Outbox) {
        if children[index].peer == .systemServer {
            // The launches that the server had requested ended with it.
            for index in children.indices { children[index].urlLaunch = nil }
        } else if let app = children[index].peer.app, let request = children[index].endFailedLaunch() {
            fail(request, of: app, into: &outbox)
        }
    }

    private mutating func fail(_ request: OpenRequest, of app: AppID, into outbox: inout Outbox) {
        guard let server = listeningIndex(of: .systemServer) else { return }
        send(SupervisorToServer.opened(OpenAnswer(id: request.id, app: app, outcome: .died)), to: server, into: &outbox)
    }
}
