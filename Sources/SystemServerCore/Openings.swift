// Openings.swift: carries out the steps of a URL: show and launch its app, send the URL, answer the requester.
//
//     a request ─▶ URLOpener ─▶ the app comes to the front ─▶ the URL ─▶ the app is active
//
// Station   app
// Input     SystemServerCore: requests, apps that connect, the timer
// Output    messages to apps and to the supervisor
// Knows     the screen layout, connections, steps. No state of a URL.
//
// Sources   invented

import Basics
import Hosting
import Links
import Trace
import Wire

extension SystemServerCore {
    /// Opens a URL for an operator or an app.
    mutating func open(
        _ request: OpenRequest, for asker: URLOpener.Requester, at now: Instant, into outbox: inout Outbox
    ) {
        var isActive = true
        if case .app(let app, generation: _) = asker {
            isActive = apps.lifeCycleRestatement(of: app) == [.didBecomeActive]
        }
        let (first, entry) = urls.begin(
            request, for: asker, isActive: isActive, isDark: apps.isDark, at: now, trace: &outbox.trace)
        carryOut(first, at: now, into: &outbox)
        guard let entry else { return }
        // An app that is visible keeps its position.
        let comesToFront = !apps.shows(entry.app)
        let steps = comesToFront ? apps.handle(.system(.foreground(app: entry.app))) : []
        if comesToFront || connections.index(of: entry.app) == nil {
            carryOut([urls.launch(entry, comesToFront: comesToFront)], at: now, into: &outbox)
        }
        perform(steps, opening: entry.app, at: now, into: &outbox)
        if comesToFront { carryOut(touches.screenChanged(), at: now, into: &outbox) }
    }

    /// Carries out steps of the screen layout, and sends the app its URL just before it becomes active.
    mutating func perform(
        _ steps: [SceneTable.Step], opening app: AppID, at now: Instant, into outbox: inout Outbox
    ) {
        let activation = steps.firstIndex(of: .sendLifeCycle(app, .didBecomeActive)) ?? steps.endIndex
        perform(Array(steps[..<activation]), at: now, into: &outbox)
        if let generation = connections[app]?.link.peerGeneration {
            let next = urls.sendNext(app, generation: generation, at: now, trace: &outbox.trace)
            carryOut(next, at: now, into: &outbox)
        }
        perform(Array(steps[activation...]), at: now, into: &outbox)
    }

    /// Ends the URLs that have waited too long.
    mutating func endLateOpenings(at now: Instant, into outbox: inout Outbox) {
        let linked = connections
        let steps = urls.passTime(at: now, trace: &outbox.trace) { linked[$0]?.link.peerGeneration }
        carryOut(steps, at: now, into: &outbox)
    }

    /// Carries out the steps of URLs, in order.
    mutating func carryOut(_ steps: [URLOpener.Step], at now: Instant, into outbox: inout Outbox) {
        for step in steps {
            switch step {
            case .withdraw(let id, from: let app):
                guard let appIndex = connections.index(of: app) else { continue }
                connections.values[appIndex].waiting.removeAll { waiting in
                    if case .open(let one) = waiting.message { one.id == id } else { false }
                }
            case .send(let request, to: let app): send(.open(request), to: app, at: now, into: &outbox)
            case .launch(let request): outbox.append(.send(supervisor.frame(.launchRequest(request)), to: .supervisor))
            case .answer(.controller, let answer):
                outbox.append(.send(supervisor.frame(.opened(answer)), to: .supervisor))
            case .answer(.app(let app, let generation), let answer):
                guard connections[app]?.link.peerGeneration == generation else { continue }
                send(.opened(answer), to: app, at: now, into: &outbox)
            case .wake(at: let moment):
                outbox.append(moment.map { .arm(Timer.openings, at: $0) } ?? .disarm(Timer.openings))
            }
        }
    }
}
