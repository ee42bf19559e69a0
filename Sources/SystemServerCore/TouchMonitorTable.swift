// TouchMonitorTable.swift: touch monitors: what each observes, how far it has read its pages, and which touches it wants.
//
//     a scan, split by owner ─▶ for each monitor the touches that it observes ─┬ window open ─▶ a page
//                                                                              └ full ─▶ counted in the next page
//
// Station   router
// Input     TouchDispatcher: requests, scans split by owner, touches that another contender has taken
// Output    pages for touch monitors, touches that a monitor wants
// Knows     touches by number, their owners, positions that may be shown. Not what an app receives.
//
// A monitor that does not read costs one counter. When a monitor ends, a touch that it took is ignored until it lifts.
//
// Sources   invented, after Android's input monitors

import Basics
import HID
import Hosting
import Wire

/// All touch monitors.
struct TouchMonitorTable: Sendable {
    /// The limit of touch monitors at one time.
    static let limit = 4
    /// The number of pages that a monitor may have unacknowledged, and the additional number for verdicts. The pages of
    /// all monitors together are fewer than the link to the supervisor keeps while it is busy.
    static let window: UInt64 = 48
    static let reserve: UInt64 = 16
    /// The limit of touches that one monitor observes. Further touches are not shown to it.
    static let watchLimit = 128

    /// One monitor's observation of a touch. It is a part of the finger (Router.Finger).
    struct Watch: Equatable, Sendable {
        let monitor: UInt32
        let landedAt: Instant
        fileprivate(set) var contest = MonitorContest()
        /// The contender that has taken the touch, until the monitor has been shown that.
        fileprivate(set) var lostTo: TouchOwner?

        fileprivate init(by monitor: UInt32, at now: Instant) { (self.monitor, landedAt) = (monitor, now) }

        /// Ends an undecided observation when the monitor's time to answer is over.
        ///
        /// - Parameters:
        ///   - limit: The time to answer; nil if it has no end.
        ///   - now: The time of the scan or of the answer.
        /// - Returns: Whether the time to answer is over.
        @discardableResult
        fileprivate mutating func applyAnswerLimit(_ limit: Duration?, at now: Instant) -> Bool {
            guard let limit, landedAt.duration(to: now) > limit else { return false }
            _ = contest.handle(.late)
            return true
        }
    }

    /// One touch monitor.
    struct Monitor: Sendable {
        let id: UInt32
        let interest: TouchMonitorInterest
        fileprivate var pages: UInt64 = 0
        fileprivate var acknowledged: UInt64 = 0
        fileprivate var lag = TouchMonitorPage.Omission()
        /// Counted since the monitor began: scans and verdicts left out, touches taken, claims refused.
        fileprivate(set) var leftOut: UInt64 = 0
        fileprivate(set) var taken: UInt64 = 0
        fileprivate(set) var refused: UInt64 = 0

        fileprivate init(_ id: UInt32, _ interest: TouchMonitorInterest) { (self.id, self.interest) = (id, interest) }

        /// The number of pages sent.
        var sentPages: UInt64 { pages }
        /// The number of pages sent and not acknowledged.
        var unacknowledgedPages: UInt64 { pages - acknowledged }

        /// Makes the next page, or counts it as left out if the window is full.
        ///
        /// - Parameter isEdge: Whether the page contains a beginning, an end or a verdict.
        fileprivate mutating func page(_ news: TouchMonitorPage.Content, isEdge: Bool) -> TouchMonitorPage? {
            var limit = TouchMonitorTable.window
            if case .verdict = news { limit += TouchMonitorTable.reserve }
            guard unacknowledgedPages < limit else {
                leftOut &+= 1
                lag.count = lag.count &+ 1
                if isEdge { lag.edgeCount = lag.edgeCount &+ 1 }
                return nil
            }
            pages += 1
            defer { lag = TouchMonitorPage.Omission() }
            return TouchMonitorPage(id: id, number: pages, omission: lag, news)
        }
    }

    /// One touch of a scan.
    struct ObservedTouch: Equatable, Sendable {
        var touch: TouchID
        var phase: ContactPhase
        var owner: TouchOwner
        /// The position on its display; nil if it is redacted.
        var position: MonitoredLocation?
        /// The observations of a finger that is gone by now.
        var watches: [Watch] = []
    }

    /// A monitor's claim to a touch, which waits for the decision of the system gestures.
    struct PendingClaim: Equatable, Sendable {
        var monitor: UInt32
        var touch: TouchID
    }

    /// The touch monitors, in the order in which they began.
    private(set) var all: [Monitor] = []
    /// The waiting claims, oldest first.
    private(set) var pendingClaims: [PendingClaim] = []

    var isEmpty: Bool { all.isEmpty }

    // MARK: Requests of touch monitors

    /// Adds a touch monitor, or refuses it if there are too many.
    mutating func begin(_ id: UInt32, _ interest: TouchMonitorInterest, among fingers: inout [Router.Finger])
        -> TouchMonitorPage?
    {
        end(id, among: &fingers)
        guard all.count < Self.limit else {
            return TouchMonitorPage(id: id, number: 0, .turnedAway(limit: UInt32(Self.limit)))
        }
        all.append(Monitor(id, interest))
        return all[all.count - 1].page(.begun, isEdge: true)
    }

    /// Removes a touch monitor with its observations and claims.
    mutating func end(_ id: UInt32, among fingers: inout [Router.Finger]) {
        all.removeAll { $0.id == id }
        pendingClaims.removeAll { $0.monitor == id }
        for i in fingers.indices { fingers[i].watches.removeAll { $0.monitor == id } }
    }

    /// Acknowledges pages up to a number. The monitor at once receives the count of those left out.
    mutating func acknowledge(upTo number: UInt64, by id: UInt32) -> TouchMonitorPage? {
        guard let monitorIndex = index(of: id) else { return nil }
        all[monitorIndex].acknowledged = max(all[monitorIndex].acknowledged, min(number, all[monitorIndex].pages))
        guard all[monitorIndex].lag != TouchMonitorPage.Omission(), all[monitorIndex].unacknowledgedPages < Self.window
        else { return nil }
        return all[monitorIndex].page(.omissions, isEdge: false)
    }

    /// Handles a monitor's answer for a touch. A yes becomes a waiting claim, unless it is refused.
    mutating func answer(
        _ touch: TouchID, _ answer: TouchMonitorAnswer, by id: UInt32, among fingers: inout [Router.Finger],
        at now: Instant
    ) -> TouchMonitorPage? {
        guard let monitorIndex = index(of: id) else { return nil }
        guard let (i, watch) = find(touch, of: id, among: fingers) else {
            return answer == .yes ? refuse(touch, .unknown, at: monitorIndex) : nil
        }
        fingers[i].watches[watch].applyAnswerLimit(all[monitorIndex].interest.answerLimit, at: now)
        switch fingers[i].watches[watch].contest.handle(MonitorContest.Input(answer)) {
        case .ask: pendingClaims.append(PendingClaim(monitor: id, touch: touch))
        case .refuse:
            return refuse(touch, TouchMonitorVerdict(lostTo: fingers[i].watches[watch].lostTo), at: monitorIndex)
        case .nothing where answer == .no:
            pendingClaims.removeAll { $0 == PendingClaim(monitor: id, touch: touch) }
            // The monitor does not even receive the end of a touch that another contender has taken meanwhile.
            fingers[i].watches[watch].lostTo = nil
        case .nothing, .take: break
        }
        return nil
    }

    // MARK: Decisions on claims

    /// Grants a claim: the touch belongs to this monitor. The other monitors are shown its end.
    mutating func grant(_ claim: PendingClaim, among fingers: inout [Router.Finger]) -> [TouchMonitorPage] {
        pendingClaims.removeAll { $0 == claim }
        guard let monitorIndex = index(of: claim.monitor),
            let (i, watch) = find(claim.touch, of: claim.monitor, among: fingers),
            fingers[i].watches[watch].contest.handle(.free) == .take
        else { return [] }
        all[monitorIndex].taken &+= 1
        var pages: [TouchMonitorPage] = []
        if let page = all[monitorIndex].page(.verdict(claim.touch, .taken), isEdge: true) { pages.append(page) }
        return pages + noteTaken([claim.touch], by: .touchMonitor(claim.monitor), among: &fingers)
    }

    /// Refuses a claim.
    mutating func refuse(_ claim: PendingClaim, _ verdict: TouchMonitorVerdict, among fingers: inout [Router.Finger])
        -> TouchMonitorPage?
    {
        pendingClaims.removeAll { $0 == claim }
        guard let monitorIndex = index(of: claim.monitor) else { return nil }
        if let (i, watch) = find(claim.touch, of: claim.monitor, among: fingers) {
            _ = fingers[i].watches[watch].contest.handle(.lost)
        }
        return refuse(claim.touch, verdict, at: monitorIndex)
    }

    private mutating func refuse(_ touch: TouchID, _ verdict: TouchMonitorVerdict, at monitorIndex: Int)
        -> TouchMonitorPage?
    {
        all[monitorIndex].refused &+= 1
        return all[monitorIndex].page(.verdict(touch, verdict), isEdge: true)
    }

    /// Notes that another contender has taken these touches.
    mutating func noteTaken(
        _ touches: [TouchID], by owner: TouchOwner, among fingers: inout [Router.Finger]
    ) -> [TouchMonitorPage] {
        var pages: [TouchMonitorPage] = []
        for touch in touches {
            for monitorIndex in all.indices where owner != .touchMonitor(all[monitorIndex].id) {
                guard let (i, watch) = find(touch, of: all[monitorIndex].id, among: fingers) else { continue }
                let wasShown = fingers[i].watches[watch].contest.state != .left
                let decision = fingers[i].watches[watch].contest.handle(.lost)
                if wasShown { fingers[i].watches[watch].lostTo = owner }
                guard decision == .refuse else { continue }
                pendingClaims.removeAll { $0 == PendingClaim(monitor: all[monitorIndex].id, touch: touch) }
                if let page = refuse(touch, TouchMonitorVerdict(lostTo: owner), at: monitorIndex) { pages.append(page) }
            }
        }
        return pages
    }

    // MARK: Observation

    /// Makes the pages that show a scan to the monitors.
    mutating func show(
        _ sights: [ObservedTouch], of event: HIDEvent, among fingers: inout [Router.Finger], at now: Instant
    ) -> [TouchMonitorPage] {
        var pages: [TouchMonitorPage] = []
        for monitorIndex in all.indices {
            var contacts: [MonitoredContact] = []
            for index in sights.indices {
                guard let contact = show(index, of: sights, to: monitorIndex, among: &fingers, at: now),
                    contacts.count < MonitoredScan.contactLimit
                else { continue }
                if contacts.isEmpty { contacts.reserveCapacity(sights.count) }
                contacts.append(contact)
            }
            guard !contacts.isEmpty else { continue }
            let isEdge = contacts.contains { $0.phase != .moved && $0.phase != .stationary }
            let scan = MonitoredScan(timeStamp: event.timeStamp, device: event.senderID, contacts: contacts)
            if let page = all[monitorIndex].page(.scan(scan), isEdge: isEdge) { pages.append(page) }
        }
        return pages
    }

    /// - Parameter index: The index of the touch among the touches of the scan. A touch that is passed itself is copied.
    private func show(
        _ index: Int, of sights: [ObservedTouch], to monitorIndex: Int, among fingers: inout [Router.Finger],
        at now: Instant
    ) -> MonitoredContact? {
        let (id, interest) = (all[monitorIndex].id, all[monitorIndex].interest)
        let (touch, phase, position) = (sights[index].touch, sights[index].phase, sights[index].position)
        if phase == .began, let i = fingers.firstIndex(where: { $0.touch == touch }),
            count(of: id, among: fingers) < Self.watchLimit, isOfInterest(sights[index], to: monitorIndex)
        {
            fingers[i].watches.append(Watch(by: id, at: now))
        }
        let found = find(touch, of: id, among: fingers)
        guard
            var known = found.map({ fingers[$0.finger].watches[$0.watch] })
                ?? sights[index].watches.first(where: { $0.monitor == id })
        else { return nil }
        let isLate = known.applyAnswerLimit(interest.answerLimit, at: now)
        if let found {
            if known.lostTo != nil || phase == .ended || phase == .cancelled {
                fingers[found.finger].watches.remove(at: found.watch)
            } else if isLate {
                // The scan still has the watches, so a change copies them all.
                fingers[found.finger].watches[found.watch] = known
            }
        }
        if let owner = known.lostTo {
            return MonitoredContact(touch, .cancelled, of: owner, at: position)
        }
        guard known.contest.state != .left else { return nil }
        let owner = known.contest.state == .holding ? TouchOwner.touchMonitor(id) : sights[index].owner
        return MonitoredContact(touch, phase, of: owner, at: position)
    }

    private func isOfInterest(_ sight: ObservedTouch, to monitorIndex: Int) -> Bool {
        let interest = all[monitorIndex].interest
        guard interest.app.map({ sight.owner == .app($0) }) ?? true else { return false }
        guard let zone = interest.zone else { return true }
        return sight.position.map { zone.contains($0.position) } ?? false
    }

    /// Ends every observation, because no device reports its fingers any more.
    mutating func clear(_ fingers: inout [Router.Finger], at now: Instant) -> [TouchMonitorPage] {
        var pages: [TouchMonitorPage] = []
        let watched = fingers.filter { !$0.watches.isEmpty }.sorted { $0.touch < $1.touch }
        for i in fingers.indices { fingers[i].watches.removeAll() }
        for monitorIndex in all.indices {
            let id = all[monitorIndex].id
            let contacts = watched.compactMap { finger -> MonitoredContact? in
                guard let watch = finger.watches.first(where: { $0.monitor == id }),
                    watch.contest.state != .left || watch.lostTo != nil
                else { return nil }
                let owner = watch.contest.state == .holding ? TouchOwner.touchMonitor(id) : watch.lostTo ?? .ignored
                return MonitoredContact(finger.touch, .cancelled, of: owner)
            }
            guard !contacts.isEmpty else { continue }
            let scan = MonitoredScan(timeStamp: now, device: 0, contacts: contacts)
            if let page = all[monitorIndex].page(.scan(scan), isEdge: true) { pages.append(page) }
        }
        return pages
    }

    private func find(
        _ touch: TouchID, of monitor: UInt32, among fingers: [Router.Finger]
    ) -> (finger: Int, watch: Int)? {
        guard let finger = fingers.firstIndex(where: { $0.touch == touch }),
            let watch = fingers[finger].watches.firstIndex(where: { $0.monitor == monitor })
        else { return nil }
        return (finger, watch)
    }

    /// The number of touches with an observation of this monitor, including those that it is shown no more.
    private func count(of monitor: UInt32, among fingers: [Router.Finger]) -> Int {
        fingers.count { $0.watches.contains { $0.monitor == monitor } }
    }

    private func index(of id: UInt32) -> Int? { all.firstIndex { $0.id == id } }
}

extension MonitorContest.Input {
    init(_ answer: TouchMonitorAnswer) {
        self =
            switch answer {
            case .no: .no
            case .maybe: .maybe
            case .hold: .hold
            case .yes: .yes
            }
    }
}

extension TouchMonitorVerdict {
    /// The verdict on a yes that arrives too late.
    fileprivate init(lostTo owner: TouchOwner?) {
        self =
            switch owner {
            case .system: .system
            case .touchMonitor: .otherMonitor
            case .app, .server, .ignored, nil: .declined
            }
    }
}

extension TouchOwner {
    init(_ recipient: Recipient?) {
        self =
            switch recipient {
            case .app(let app): .app(app)
            case .home, .overlay, .alert, .keyboard, .shade: .server
            case nil: .ignored
            }
    }
}

extension ServerDetail {
    /// Adds a row for each monitor: `id=3 app=0 watching=1 holding=0 pages=12 unacknowledged=2 omitted=0 pilfered=1 refused=0`.
    mutating func add(_ monitors: [TouchMonitorTable.Monitor], among fingers: [Router.Finger]) {
        let rows = monitors.enumerated().map { index, monitor in
            let states = fingers.compactMap { $0.watches.first { $0.monitor == monitor.id }?.contest.state }
            return Report.Row(
                "monitor.\(index)",
                .text(
                    "id=\(monitor.id) app=\(monitor.interest.app?.rawValue ?? 0) watching=\(states.count { $0 != .left }) "
                        + "holding=\(states.count { $0 == .holding }) pages=\(monitor.sentPages) unacknowledged=\(monitor.unacknowledgedPages) omitted=\(monitor.leftOut) pilfered=\(monitor.taken) "
                        + "refused=\(monitor.refused)"))
        }
        add(rows)
    }
}
