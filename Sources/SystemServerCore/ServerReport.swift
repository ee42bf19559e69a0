// ServerReport.swift: the server's report for every controller, and its details for `touchline dump`.
//
// Station   router
// Input     the supervisor's requests
// Output    rows of a report, a page of details
// Knows     the state of every part of the core
//
// Sources   invented

import Basics
import HID
import Hosting
import Links
import Settings
import Trace
import Wire

/// The counters of the report.
struct ServerCounters: Sendable {
    var scans: UInt64 = 0
    var answered: UInt64 = 0
    var drops: UInt64 = 0
    var overLimit: UInt64 = 0
    var missing: UInt64 = 0
    /// Frames to apps that were lost, as the apps report them.
    var lost: UInt64 = 0
    var duplicates: UInt64 = 0
    var fenced: UInt64 = 0
    var refused = RepetitionLimit()
    var lastRefusal = ""
    /// Connections from other machines without a key, or with an unknown one.
    var keyless: UInt64 = 0
    var unknownKeys: UInt64 = 0

    /// The limit of characters of a refusal in a report.
    static let refusalLimit = 120
}

/// The server's record of the past, for reports and details.
struct ServerHistory: Sendable {
    var counters = ServerCounters()
    var recent = RecentEvents()
}

extension SystemServerCore {
    /// The rows of the report.
    func report() -> Report {
        var report = Report(peer: .systemServer, capacity: 48)
        report.add("epoch", order.epoch)
        report.add("generation", order.generation)
        // Tools that synthesize touches need the sizes of the displays.
        for display in apps.layout.homes.numbers {
            let size = screenSizes[apps.layout.homes.index(of: display)]
            report.add(display == 1 ? "screen" : "screen.\(display)", text: size)
        }
        report.add("front", text: apps.front.map { "app\($0)" } ?? "home")
        report.add("interrupted", flag: apps.isInterrupted)
        report.add("locked", flag: apps.isLocked)
        for display in apps.layout.homes.numbers {
            report.add(display == 1 ? "scenes" : "scenes.\(display)", text: apps.sceneNames(of: display))
        }
        report.add("apps", apps.running.count)
        if !urls.entries.isEmpty { report.add("urls.opening", urls.entries.count) }
        report.add("touches.live", touches.router.liveTouches)
        report.add("contacts.down", touches.router.fingersDown)
        report.add("inputs.held", devices.held)
        if let swiping = touches.swiping { report.add("contacts.swiping", swiping) }
        if !touches.monitors.isEmpty { report.add("monitors", touches.monitors.all.count) }
        report.add("inFlight", inputKit.inFlight.count)
        for app in apps.running {
            // Written once: a number becomes a text of its own at each interpolation.
            let name = "app\(app)"
            report.add("\(name).touches", touches.router.touches(ownedBy: .app(app)))
            if let windows = apps.windows(of: app) { report.add("\(name).windows", windows.count) }
            let orientation = apps.layout.orientation(of: app)
            if orientation != .portrait { report.add("\(name).orientation", text: "\(orientation)") }
            report.add("\(name).unanswered", (connections[app]?.unanswered ?? 0))
            report.add("\(name).unanswered.max", connections[app]?.mostUnanswered ?? 0)
            report.add("\(name).responding", flag: connections[app]?.responsiveness.isStalled != true)
            report.add("\(name).stalls", connections[app]?.responsiveness.episodes ?? 0)
            report.add("\(name).coalesced", connections[app]?.coalesced ?? 0)
            report.add("\(name).queue", connections[app]?.pending ?? 0)
            report.add("\(name).sent", (connections[app]?.link.sent ?? .zero).rawValue)
        }
        report.add("scans", history.counters.scans)
        report.add("answered", history.counters.answered)
        report.add("dropped.contacts", history.counters.drops)
        report.add("dropped.overLimit", history.counters.overLimit)
        report.add("home.began", home.touches.began)
        report.add("home.ended", home.touches.ended)
        report.add("frames.missing", history.counters.missing)
        report.add("frames.lost", history.counters.lost)
        report.add("frames.duplicate", history.counters.duplicates)
        report.add("frames.fenced", history.counters.fenced)
        report.add("frames.refused", history.counters.refused.count)
        if !history.counters.lastRefusal.isEmpty { report.add("refused.last", text: history.counters.lastRefusal) }
        if history.counters.keyless > 0 { report.add("refused.withoutKey", history.counters.keyless) }
        if history.counters.unknownKeys > 0 { report.add("refused.unknownKey", history.counters.unknownKeys) }
        records.strikes.addRows(to: &report)
        report.add("quiet", flag: inputKit.inFlight.count == 0 && touches.router.fingersDown == 0)
        return report
    }

    /// Makes one page. Part 0 is the server's own; the other parts are apps, by their numbers.
    func detail(answering request: DetailRequest) -> DetailPage {
        var detail = ServerDetail(answering: request)
        if request.from == 0 {
            detail.add(touches.router.shownFingers)
            detail.add(touches.monitors.all, among: touches.router.fingers)
            detail.add(urls)
            detail.add(history.recent)
        }
        for app in history.recent.apps.appIDs where app.rawValue >= request.from {
            guard detail.hasRoom else {
                detail.setNextPart(app.rawValue)
                break
            }
            guard let known = history.recent.apps[app] else { continue }
            let link = connections[app].map { link in
                (
                    epoch: link.link.epoch, generation: link.link.peerGeneration,
                    window: link.link.capacity, unanswered: link.unanswered, waiting: link.pending
                )
            }
            detail.add(
                app, known, link: link, oldest: history.recent.oldestUnanswered(by: app),
                touches: touches.router.touches(ownedBy: .app(app)))
        }
        return detail.page
    }
}
