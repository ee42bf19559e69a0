// ServerDetail.swift: the server's state for `touchline dump`, as rows, one page at a time.
//
//    page 0: contacts, drops, refusals, disconnections, acts ─▶ apps, in order, as many as fit ─▶ …
//
// A page is made when it is requested, and its cost depends on its size only, not on the number of apps. Each row
// describes one thing. Keys are dotted. A thing with several parts is one text of `part=value` words, which a script
// splits: `contact.0 = device=1 contact=1 touch=7 owner=app:1 since=123456789`. Moments are nanoseconds of the group's
// clock.
//
// Input     SystemServerCore, on a DetailRequest
// Output    `touchline dump`
// Knows     the text of the rows
//
// Sources   invented, after `dumpsys input`

import Basics
import HID
import Hosting
import Wire

/// One page of details.
struct ServerDetail {
    private(set) var page: DetailPage
    private var bytes = 0
    /// The size at which a page is full, in bytes. A packet holds more, so the part in progress is finished.
    private static let limit = 40 << 10
    private static let fingerLimit = 256

    init(answering request: DetailRequest) { page = DetailPage(id: request.id) }

    /// Whether another part can begin on this page.
    var hasRoom: Bool { bytes < Self.limit }

    /// Sets the part with which the next page begins.
    mutating func setNextPart(_ part: UInt32) { page.next = part }

    mutating func add(_ rows: [Report.Row]) {
        for row in rows { add(row) }
    }

    private mutating func add(_ row: Report.Row) {
        bytes += row.key.utf8.count + 16
        if case .text(let text) = row.value { bytes += text.utf8.count }
        page.rows.append(row)
    }

    private mutating func add(_ key: String, _ number: some BinaryInteger) {
        add(Report.Row(key, .number(Int64(clamping: number))))
    }
    private mutating func add(_ key: String, text: String) { add(Report.Row(key, .text(text))) }

    // MARK: Parts without an app

    /// Adds a row for each finger on the glass.
    mutating func add(_ fingers: [Router.Finger.Shown]) {
        for (index, finger) in fingers.prefix(Self.fingerLimit).enumerated() {
            add(
                "contact.\(index)",
                text: "device=\(finger.device) display=\(finger.display) contact=\(finger.contact) "
                    + "touch=\(finger.touch.rawValue) "
                    + "owner=\(finger.owner) since=\(finger.since.nanoseconds)")
        }
    }

    /// Adds the dropped scans, acts, refusals and ended links.
    mutating func add(_ recent: RecentEvents) {
        addDrops(recent.drops, of: "scans")
        for (index, entry) in recent.acts.inOrder.enumerated() {
            add("act.\(index)", text: "at=\(entry.at.nanoseconds) act=\(entry.act)")
        }
        for (index, entry) in recent.refusals.inOrder.enumerated() {
            add("refusal.\(index)", text: "at=\(entry.at.nanoseconds) reason=\(entry.refusal)")
        }
        for (index, entry) in recent.hangUps.inOrder.enumerated() {
            let report = entry.report
            add(
                "disconnection.\(index)",
                text: "at=\(entry.at.nanoseconds) peer=\(report.peer) generation=\(report.generation) "
                    + "strikes=\(report.strikes) reason=\(report.reason)")
        }
    }

    // MARK: An app

    /// Adds the rows of one app.
    ///
    /// - Parameters:
    ///   - link: The state of the open link; nil for an app without one.
    ///   - oldest: The oldest frame that the app has not answered.
    mutating func add(
        _ app: AppID, _ recent: RecentEvents.App,
        link: (epoch: UInt32, generation: UInt32, window: Int, unanswered: Int, waiting: Int)?, oldest: RecentEvent?,
        touches: Int
    ) {
        let name = "app\(app)"
        if let link {
            add("\(name).link", text: "up")
            add("\(name).epoch", link.epoch)
            add("\(name).generation", link.generation)
            add("\(name).creditWindow", link.window)
            add("\(name).unanswered", link.unanswered)
            add("\(name).waiting", link.waiting)
        } else {
            add("\(name).link", text: "down")
        }
        if let oldest {
            add("\(name).oldest", text: "frame=\(oldest.sequence) since=\(oldest.at.nanoseconds)")
        }
        add("\(name).linkedAt", recent.linkedAt.nanoseconds)
        if let lostAt = recent.lostAt { add("\(name).lostAt", lostAt.nanoseconds) }
        add("\(name).links", recent.links)
        add("\(name).touches", touches)
        add("\(name).sent", recent.sent)
        add("\(name).delivered", recent.delivered)
        addDrops(recent.drops, of: name)
        for (index, event) in recent.events.inOrder.enumerated() { add("\(name).event.\(index)", text: event.text) }
    }

    private mutating func addDrops(_ drops: [UInt64], of whom: String) {
        for reason in Receipt.Reason.allCases {
            let count = drops[Int(reason.rawValue)]
            if count > 0 { add("\(whom).dropped.\(reason)", count) }
        }
    }
}

extension RecentEvent {
    /// `frame=12 at=123456789 what=touches began=1 moved=0 ended=0 cancelled=0 touch=7 fate=delivered after=400000`
    var text: String {
        var words = "frame=\(sequence) at=\(at.nanoseconds) what=\(what)"
        guard kind != .lifeCycle else { return words }
        words += " began=\(began) moved=\(moved) ended=\(ended) cancelled=\(cancelled)"
        if kind == .touches { words += " touch=\(subject)" }
        switch fate {
        case .sent: words += " fate=unanswered"
        case .delivered: words += " fate=delivered after=\(at.duration(to: settledAt).nanoseconds)"
        case .coalesced: words += " fate=coalesced after=\(at.duration(to: settledAt).nanoseconds)"
        case .dropped(let reason):
            words += " fate=dropped reason=\(reason) after=\(at.duration(to: settledAt).nanoseconds)"
        }
        return words
    }

    /// `touches`, `input`, or the name of a life cycle event.
    private var what: String {
        switch kind {
        case .touches: "touches"
        case .input: "input"
        case .lifeCycle: LifeCycleChange(rawValue: UInt8(truncatingIfNeeded: subject)).map { "\($0)" } ?? "lifeCycle"
        }
    }
}

extension Router {
    /// Every finger on the glass with its owner, for `touchline dump`.
    var shownFingers: [Finger.Shown] { fingers.map(\.shown) }
}

extension Router.Finger {
    /// A finger as `touchline dump` shows it.
    struct Shown: Equatable, Sendable {
        var device: UInt64
        var contact: UInt32
        var display: DisplayID
        var touch: TouchID
        /// `app:1` or `home`; `a touch monitor` or `a system gesture` for a finger that was taken; `ignored` for one
        /// that is ignored until it lifts.
        var owner: String
        var since: Instant
    }

    fileprivate var shown: Shown {
        let owner =
            switch route.state {
            case .owned(let recipient): "\(recipient)"
            case .taken(let taker): "\(taker)"
            case .lifted, .ignored: "ignored"
            }
        return Shown(device: device, contact: index, display: display, touch: touch, owner: owner, since: since)
    }
}
