// SpyTable.swift: touch monitors: what each observes, how far it has read its pages, and which touches it wants.
//
//     a scan as it was split ─▶ for each monitor the touches it is shown ─┬ room ─▶ a page
//                                                                        └ none ─▶ counted; the next page says how much
//
// Station   router
// Input     TouchDispatcher: requests, scans as they were split, touches that another contender has taken
// Output    pages for touch monitors, touches that one wants
// Knows     touches by their numbers, their owners, positions that may be shown. Not what an app receives.
//
// A monitor that does not read costs a count. After its end a touch that it took is ignored until it lifts.
//
// Sources   invented, after Android's input monitors

import Basics
import HID
import Hosting
import Wire

struct SpyTable: Sendable {
    /// Spies at once.
    static let limit = 4
    /// Pages that a spy may have been sent and not have heard, and what verdicts have besides. All of them together are
    /// fewer than the link to the supervisor keeps while that is busy.
    static let window: UInt64 = 48
    static let reserve: UInt64 = 16
    /// Touches of one spy; those that land besides it is not shown.
    static let watchLimit = 128

    /// A touch as a spy is shown it: a part of the finger (Router.Finger).
    struct Watch: Equatable, Sendable {
        let spy: UInt32
        let landedAt: Instant
        fileprivate(set) var contest = SpyContest()
        /// Who has it now, until the spy has been shown that.
        fileprivate(set) var lostTo: SpiedOwner?

        fileprivate init(by spy: UInt32, at now: Instant) { (self.spy, landedAt) = (spy, now) }

        /// A patience that is over ends what the spy has not decided.
        fileprivate mutating func lookAtClock(_ patience: Duration?, at now: Instant) {
            guard let patience, landedAt.duration(to: now) > patience else { return }
            _ = contest.handle(.late)
        }
    }

    struct Spy: Sendable {
        let id: UInt32
        let interest: SpyInterest
        fileprivate var pages: UInt64 = 0
        fileprivate var heard: UInt64 = 0
        fileprivate var lag = SpyPage.Lag()
        /// Since it began: scans and verdicts left out, touches taken, yeses refused.
        fileprivate(set) var leftOut: UInt64 = 0
        fileprivate(set) var taken: UInt64 = 0
        fileprivate(set) var refused: UInt64 = 0

        fileprivate init(_ id: UInt32, _ interest: SpyInterest) { (self.id, self.interest) = (id, interest) }

        var told: UInt64 { pages }
        var unheard: UInt64 { pages - heard }

        /// - Parameter isEdge: Whether what is left out when there is no room was a beginning, an end or a verdict.
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

    /// What a scan says of one touch.
    struct Sight: Equatable, Sendable {
        var touch: TouchID
        var phase: ContactPhase
        var owner: SpiedOwner
        /// On its display; nil when nobody is told.
        var place: SpiedPlace?
        /// Of a finger that is gone by now.
        var watches: [Watch] = []
    }

    /// A yes that waits for the system to have decided.
    struct Wish: Equatable, Sendable {
        var spy: UInt32
        var touch: TouchID
    }

    /// In the order they began.
    private(set) var spies: [Spy] = []
    /// Oldest first.
    private(set) var wishes: [Wish] = []

    var isEmpty: Bool { spies.isEmpty }

    // MARK: What spies say

    mutating func begin(_ id: UInt32, _ interest: SpyInterest, among fingers: inout [Router.Finger]) -> SpyPage? {
        end(id, among: &fingers)
        guard spies.count < Self.limit else {
            return SpyPage(id: id, number: 0, .turnedAway(limit: UInt32(Self.limit)))
        }
        spies.append(Spy(id, interest))
        return spies[spies.count - 1].page(.begun, isEdge: true)
    }

    mutating func end(_ id: UInt32, among fingers: inout [Router.Finger]) {
        spies.removeAll { $0.id == id }
        wishes.removeAll { $0.spy == id }
        for i in fingers.indices { fingers[i].watches.removeAll { $0.spy == id } }
    }

    /// It has heard pages as far as this one: what was left out it is told at once.
    mutating func took(_ number: UInt64, by id: UInt32) -> SpyPage? {
        guard let place = place(of: id) else { return nil }
        spies[place].heard = max(spies[place].heard, min(number, spies[place].pages))
        guard spies[place].lag != SpyPage.Lag(), spies[place].unheard < Self.window else { return nil }
        return spies[place].page(.room, isEdge: false)
    }

    /// A spy's word on a touch. A yes that is no refusal becomes a wish.
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
            // Not even the end of a touch that another has taken meanwhile.
            fingers[i].watches[watch].lostTo = nil
        case .nothing, .take: break
        }
        return nil
    }

    // MARK: What becomes of wishes

    /// The touch is this spy's; whoever else is shown it hears so, and no more of it.
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

    /// Another contender has taken these.
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

    // MARK: What spies are shown

    /// A scan as it was split, by touch.
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

    /// No device says any more where its fingers are: every touch that a spy is shown ends.
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

    /// Touches of a spy, of which it may be shown some no more.
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
    /// Of a yes that comes too late.
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
    /// A row each: `id=3 app=0 watching=1 holding=0 told=12 unheard=2 leftOut=0 taken=1 refused=0`.
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
