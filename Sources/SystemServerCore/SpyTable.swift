// SpyTable.swift: touch monitors: what each observes, how far it has read its pages, and which touches it wants.
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
struct SpyTable: Sendable {
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
        let spy: UInt32
        let landedAt: Instant
        fileprivate(set) var contest = SpyContest()
        /// The contender that has taken the touch, until the monitor has been shown that.
        fileprivate(set) var lostTo: SpiedOwner?

        fileprivate init(by spy: UInt32, at now: Instant) { (self.spy, landedAt) = (spy, now) }

        /// Ends an undecided observation when the monitor's patience is over.
        fileprivate mutating func lookAtClock(_ patience: Duration?, at now: Instant) {
            guard let patience, landedAt.duration(to: now) > patience else { return }
            _ = contest.handle(.late)
        }
    }

    /// One touch monitor.
    struct Spy: Sendable {
        let id: UInt32
        let interest: SpyInterest
        fileprivate var pages: UInt64 = 0
        fileprivate var heard: UInt64 = 0
        fileprivate var lag = SpyPage.Lag()
        /// Counted since the monitor began: scans and verdicts left out, touches taken, claims refused.
        fileprivate(set) var leftOut: UInt64 = 0
        fileprivate(set) var taken: UInt64 = 0
        fileprivate(set) var refused: UInt64 = 0

        fileprivate init(_ id: UInt32, _ interest: SpyInterest) { (self.id, self.interest) = (id, interest) }

        /// The number of pages sent.
        var told: UInt64 { pages }
        /// The number of pages sent and not acknowledged.
        var unheard: UInt64 { pages - heard }

        /// Makes the next page, or counts it as left out if the window is full.
        ///
        /// - Parameter isEdge: Whether the page contains a beginning, an end or a verdict.
        fileprivate mutating func page(_ news: SpyPage.News, isEdge: Bool) -> SpyPage? {
            var limit = SpyTable.window
            if case .verdict = news { limit += SpyTable.reserve }
            guard unheard < limit else {
                leftOut &+= 1
                lag.news = lag.news &+ 1
                if isEdge { lag.edges = lag.edges &+ 1 }
                return nil
            }
            pages += 1
            defer { lag = SpyPage.Lag() }
            return SpyPage(id: id, number: pages, lag: lag, news)
        }
    }

    /// One touch of a scan.
    struct Sight: Equatable, Sendable {
        var touch: TouchID
        var phase: ContactPhase
        var owner: SpiedOwner
        /// The position on its display; nil if it is redacted.
        var place: SpiedPlace?
        /// The observations of a finger that is gone by now.
        var watches: [Watch] = []
    }

    /// A monitor's claim to a touch, which waits for the decision of the system gestures.
    struct Wish: Equatable, Sendable {
        var spy: UInt32
        var touch: TouchID
    }

    /// The touch monitors, in the order in which they began.
    private(set) var spies: [Spy] = []
    /// The waiting claims, oldest first.
    private(set) var wishes: [Wish] = []

    var isEmpty: Bool { spies.isEmpty }

    // MARK: Requests of touch monitors

    /// Adds a touch monitor, or refuses it if there are too many.
    mutating func begin(_ id: UInt32, _ interest: SpyInterest, among fingers: inout [Router.Finger]) -> SpyPage? {
        end(id, among: &fingers)
        guard spies.count < Self.limit else {
            return SpyPage(id: id, number: 0, .turnedAway(limit: UInt32(Self.limit)))
        }
        spies.append(Spy(id, interest))
        return spies[spies.count - 1].page(.begun, isEdge: true)
    }

    /// Removes a touch monitor with its observations and claims.
    mutating func end(_ id: UInt32, among fingers: inout [Router.Finger]) {
        spies.removeAll { $0.id == id }
        wishes.removeAll { $0.spy == id }
        for i in fingers.indices { fingers[i].watches.removeAll { $0.spy == id } }
    }

    /// Acknowledges pages up to a number. The monitor at once receives the count of those left out.
    mutating func took(_ number: UInt64, by id: UInt32) -> SpyPage? {
        guard let place = place(of: id) else { return nil }
        spies[place].heard = max(spies[place].heard, min(number, spies[place].pages))
        guard spies[place].lag != SpyPage.Lag(), spies[place].unheard < Self.window else { return nil }
        return spies[place].page(.room, isEdge: false)
    }

    /// Handles a monitor's answer for a touch. A yes becomes a waiting claim, unless it is refused.
    mutating func answer(
        _ touch: TouchID, _ answer: SpyAnswer, by id: UInt32, among fingers: inout [Router.Finger], at now: Instant
    ) -> SpyPage? {
        guard let place = place(of: id) else { return nil }
        guard let (i, watch) = find(touch, of: id, among: fingers) else {
            return answer == .yes ? refuse(touch, .unknown, at: place) : nil
        }
        fingers[i].watches[watch].lookAtClock(spies[place].interest.patience, at: now)
        switch fingers[i].watches[watch].contest.handle(SpyContest.Input(answer)) {
        case .ask: wishes.append(Wish(spy: id, touch: touch))
        case .refuse: return refuse(touch, SpyVerdict(lostTo: fingers[i].watches[watch].lostTo), at: place)
        case .nothing where answer == .no:
            wishes.removeAll { $0 == Wish(spy: id, touch: touch) }
            // The monitor does not even receive the end of a touch that another contender has taken meanwhile.
            fingers[i].watches[watch].lostTo = nil
        case .nothing, .take: break
        }
        return nil
    }

    // MARK: Decisions on claims

    /// Grants a claim: the touch belongs to this monitor. The other monitors are shown its end.
    mutating func take(_ wish: Wish, among fingers: inout [Router.Finger]) -> [SpyPage] {
        wishes.removeAll { $0 == wish }
        guard let place = place(of: wish.spy), let (i, watch) = find(wish.touch, of: wish.spy, among: fingers),
            fingers[i].watches[watch].contest.handle(.free) == .take
        else { return [] }
        spies[place].taken &+= 1
        var pages: [SpyPage] = []
        if let page = spies[place].page(.verdict(wish.touch, .taken), isEdge: true) { pages.append(page) }
        return pages + lose([wish.touch], to: .spy(wish.spy), among: &fingers)
    }

    /// Refuses a claim.
    mutating func refuse(_ wish: Wish, _ verdict: SpyVerdict, among fingers: inout [Router.Finger]) -> SpyPage? {
        wishes.removeAll { $0 == wish }
        guard let place = place(of: wish.spy) else { return nil }
        if let (i, watch) = find(wish.touch, of: wish.spy, among: fingers) {
            _ = fingers[i].watches[watch].contest.handle(.lost)
        }
        return refuse(wish.touch, verdict, at: place)
    }

    private mutating func refuse(_ touch: TouchID, _ verdict: SpyVerdict, at place: Int) -> SpyPage? {
        spies[place].refused &+= 1
        return spies[place].page(.verdict(touch, verdict), isEdge: true)
    }

    /// Notes that another contender has taken these touches.
    mutating func lose(
        _ touches: [TouchID], to owner: SpiedOwner, among fingers: inout [Router.Finger]
    ) -> [SpyPage] {
        var pages: [SpyPage] = []
        for touch in touches {
            for place in spies.indices where owner != .spy(spies[place].id) {
                guard let (i, watch) = find(touch, of: spies[place].id, among: fingers) else { continue }
                let wasShown = fingers[i].watches[watch].contest.state != .left
                let decision = fingers[i].watches[watch].contest.handle(.lost)
                if wasShown { fingers[i].watches[watch].lostTo = owner }
                guard decision == .refuse else { continue }
                wishes.removeAll { $0 == Wish(spy: spies[place].id, touch: touch) }
                if let page = refuse(touch, SpyVerdict(lostTo: owner), at: place) { pages.append(page) }
            }
        }
        return pages
    }

    // MARK: Observation

    /// Makes the pages that show a scan to the monitors.
    mutating func show(
        _ sights: [Sight], of event: HIDEvent, among fingers: inout [Router.Finger], at now: Instant
    ) -> [SpyPage] {
        var pages: [SpyPage] = []
        for place in spies.indices {
            var contacts: [SpiedContact] = []
            for sight in sights {
                guard let contact = show(sight, to: place, among: &fingers, at: now),
                    contacts.count < SpiedScan.contactLimit
                else { continue }
                contacts.append(contact)
            }
            guard !contacts.isEmpty else { continue }
            let isEdge = contacts.contains { $0.phase != .moved && $0.phase != .stationary }
            let scan = SpiedScan(timeStamp: event.timeStamp, device: event.senderID, contacts: contacts)
            if let page = spies[place].page(.scan(scan), isEdge: isEdge) { pages.append(page) }
        }
        return pages
    }

    private func show(
        _ sight: Sight, to place: Int, among fingers: inout [Router.Finger], at now: Instant
    ) -> SpiedContact? {
        let (id, interest) = (spies[place].id, spies[place].interest)
        if sight.phase == .began, let i = fingers.firstIndex(where: { $0.touch == sight.touch }),
            count(of: id, among: fingers) < Self.watchLimit, isOfInterest(sight, to: place)
        {
            fingers[i].watches.append(Watch(by: id, at: now))
        }
        let found = find(sight.touch, of: id, among: fingers)
        let watches = found.map { fingers[$0.finger].watches } ?? sight.watches
        guard var known = watches.first(where: { $0.spy == id }) else { return nil }
        known.lookAtClock(interest.patience, at: now)
        if let found {
            if known.lostTo != nil || sight.phase == .ended || sight.phase == .cancelled {
                fingers[found.finger].watches.remove(at: found.watch)
            } else {
                fingers[found.finger].watches[found.watch] = known
            }
        }
        if let owner = known.lostTo {
            return SpiedContact(sight.touch, .cancelled, of: owner, at: sight.place)
        }
        guard known.contest.state != .left else { return nil }
        let owner = known.contest.state == .holding ? SpiedOwner.spy(id) : sight.owner
        return SpiedContact(sight.touch, sight.phase, of: owner, at: sight.place)
    }

    private func isOfInterest(_ sight: Sight, to place: Int) -> Bool {
        let interest = spies[place].interest
        guard interest.app.map({ sight.owner == .app($0) }) ?? true else { return false }
        guard let zone = interest.zone else { return true }
        return sight.place.map { zone.contains($0.position) } ?? false
    }

    /// Ends every observation, because no device reports its fingers any more.
    mutating func clear(_ fingers: inout [Router.Finger], at now: Instant) -> [SpyPage] {
        var pages: [SpyPage] = []
        let watched = fingers.filter { !$0.watches.isEmpty }.sorted { $0.touch < $1.touch }
        for i in fingers.indices { fingers[i].watches.removeAll() }
        for place in spies.indices {
            let id = spies[place].id
            let contacts = watched.compactMap { finger -> SpiedContact? in
                guard let watch = finger.watches.first(where: { $0.spy == id }),
                    watch.contest.state != .left || watch.lostTo != nil
                else { return nil }
                let owner = watch.contest.state == .holding ? SpiedOwner.spy(id) : watch.lostTo ?? .nobody
                return SpiedContact(finger.touch, .cancelled, of: owner)
            }
            guard !contacts.isEmpty else { continue }
            let scan = SpiedScan(timeStamp: now, device: 0, contacts: contacts)
            if let page = spies[place].page(.scan(scan), isEdge: true) { pages.append(page) }
        }
        return pages
    }

    private func find(
        _ touch: TouchID, of spy: UInt32, among fingers: [Router.Finger]
    ) -> (finger: Int, watch: Int)? {
        guard let finger = fingers.firstIndex(where: { $0.touch == touch }),
            let watch = fingers[finger].watches.firstIndex(where: { $0.spy == spy })
        else { return nil }
        return (finger, watch)
    }

    /// The number of touches with an observation of this monitor, including those that it is shown no more.
    private func count(of spy: UInt32, among fingers: [Router.Finger]) -> Int {
        fingers.count { $0.watches.contains { $0.spy == spy } }
    }

    private func place(of id: UInt32) -> Int? { spies.firstIndex { $0.id == id } }
}

extension SpyContest.Input {
    init(_ answer: SpyAnswer) {
        self =
            switch answer {
            case .no: .no
            case .maybe: .maybe
            case .hold: .hold
            case .yes: .yes
            }
    }
}

extension SpyVerdict {
    /// The verdict on a yes that arrives too late.
    fileprivate init(lostTo owner: SpiedOwner?) {
        self =
            switch owner {
            case .system: .system
            case .spy: .spy
            case .app, .server, .nobody, nil: .left
            }
    }
}

extension SpiedOwner {
    init(_ recipient: Recipient?) {
        self =
            switch recipient {
            case .app(let app): .app(app)
            case .home, .overlay, .alert, .keyboard, .shade: .server
            case nil: .nobody
            }
    }
}

extension ServerDetail {
    /// Adds a row for each monitor: `id=3 app=0 watching=1 holding=0 told=12 unheard=2 leftOut=0 taken=1 refused=0`.
    mutating func add(_ spies: [SpyTable.Spy], among fingers: [Router.Finger]) {
        let rows = spies.enumerated().map { index, spy in
            let states = fingers.compactMap { $0.watches.first { $0.spy == spy.id }?.contest.state }
            return Report.Row(
                "spy.\(index)",
                .text(
                    "id=\(spy.id) app=\(spy.interest.app?.rawValue ?? 0) watching=\(states.count { $0 != .left }) "
                        + "holding=\(states.count { $0 == .holding }) told=\(spy.told) unheard=\(spy.unheard) leftOut=\(spy.leftOut) taken=\(spy.taken) "
                        + "refused=\(spy.refused)"))
        }
        add(rows)
    }
}
