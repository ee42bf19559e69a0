// Audit+Spies.swift: who looks on from outside, what each is to be shown, and what follows when one takes a touch.
//
//    request ─▶ who spies on what                 scan ─▶ for each spy its touches ─▶ a page due, or counted as left out
//    yes     ─▶ the system may still want it: wait ─▶ its app's, so a cancel is due, once ─▶ a verdict due
//
// Written from the rule (Docs/Decisions/Spies.md), not from the server: a finger is the touch of its landing's number, and a
// spy has said yes to it, no, or nothing. Pages are due in the step in which something is to be told, and no others are.
//
// Sources   PIPELINE.md 3: I1, I4, I6, I8; SEMANTICS D5

import Basics
import HID
import Hosting
import Wire

struct Spies: Sendable {
    struct Spy: Sendable {
        let id: UInt32
        let interest: SpyInterest
        var told: UInt64 = 0
        var heard: UInt64 = 0
        var lag = SpyPage.Lag()
        var touches: [Touch] = []
    }

    /// One finger, for one spy.
    struct Touch: Sendable {
        let landing: UInt32
        let at: Instant
        var said: SpyAnswer = .maybe
        var isGranted = false
        /// Somebody else has it, and the spy is to be shown so once.
        var isLostTo: SpiedOwner?
    }

    var all: [Spy] = []
    /// Yeses that nothing has come of yet, oldest first.
    var wishes: [(spy: UInt32, landing: UInt32)] = []
    /// What the scan under way says of each finger.
    var seen: [(landing: UInt32, phase: ContactPhase, owner: Owner, place: SpiedPlace)] = []
    /// What the step under way is to tell.
    var due: [SpyPage] = []

    /// How many there may be, how much each may have unheard, and touches of one.
    static let limit = 4
    static let window: UInt64 = 48
    static let verdictWindow: UInt64 = 64
    static let touchLimit = 128

    func place(of id: UInt32) -> Int? { all.firstIndex { $0.id == id } }

    /// - Parameter counts: Whether it is missed as more than a move.
    mutating func owe(_ news: SpyPage.News, to place: Int, counts: Bool, within window: UInt64 = window) {
        guard all[place].told - all[place].heard < window else {
            all[place].lag.news &+= 1
            if counts { all[place].lag.edges &+= 1 }
            return
        }
        all[place].told += 1
        due.append(SpyPage(id: all[place].id, number: all[place].told, lag: all[place].lag, news))
        all[place].lag = SpyPage.Lag()
    }

    mutating func owe(_ verdict: SpyVerdict, on landing: UInt32, to place: Int) {
        owe(.verdict(TouchID(landing: landing), verdict), to: place, counts: true, within: Self.verdictWindow)
    }
}

extension TouchID {
    /// Touches are numbered from 0 as fingers land.
    fileprivate init(landing: UInt32) { self.init(rawValue: landing &- 1) }
    fileprivate var landing: UInt32 { rawValue &+ 1 }
}

extension Spies.Touch {
    /// Whether its spy is shown it.
    fileprivate var isShown: Bool { isLostTo == nil && said != .no }

    /// Neither yes nor no in time is no.
    fileprivate mutating func ages(_ patience: Duration?, _ now: Instant) {
        guard let patience, said != .yes, !isGranted, at.duration(to: now) > patience else { return }
        said = .no
    }
}

extension Audit {
    // MARK: What spies say

    mutating func hears(_ request: SpyRequest, _ step: Step) {
        switch request.word {
        case .begin(let interest):
            leaves(request.id)
            guard spies.all.count < Spies.limit else {
                spies.due.append(SpyPage(id: request.id, number: 0, .turnedAway(limit: UInt32(Spies.limit))))
                return
            }
            spies.all.append(Spies.Spy(id: request.id, interest: interest))
            spies.owe(.begun, to: spies.all.count - 1, counts: true)
        case .took(let number):
            guard let place = spies.place(of: request.id) else { return }
            spies.all[place].heard = max(spies.all[place].heard, min(number, spies.all[place].told))
            let isOwed = spies.all[place].lag.news > 0
            if isOwed, spies.all[place].told - spies.all[place].heard < Spies.window {
                spies.owe(.room, to: place, counts: false)
            }
        case .answer(let touch, let answer): says(answer, of: touch.landing, request.id, step.at)
        case .end: leaves(request.id)
        }
    }

    private mutating func leaves(_ id: UInt32) {
        spies.all.removeAll { $0.id == id }
        spies.wishes.removeAll { $0.spy == id }
    }

    private mutating func says(_ answer: SpyAnswer, of landing: UInt32, _ id: UInt32, _ now: Instant) {
        guard let spy = spies.place(of: id) else { return }
        guard let place = spies.all[spy].touches.firstIndex(where: { $0.landing == landing }) else {
            if answer == .yes { spies.owe(.unknown, on: landing, to: spy) }
            return
        }
        spies.all[spy].touches[place].ages(spies.all[spy].interest.patience, now)
        let touch = spies.all[spy].touches[place]
        switch answer {
        case .yes where touch.isShown && touch.said != .yes:
            spies.all[spy].touches[place].said = .yes
            spies.wishes.append((id, landing))
        case .yes where !touch.isShown:
            switch touch.isLostTo {
            case .system: spies.owe(.system, on: landing, to: spy)
            case .spy: spies.owe(.spy, on: landing, to: spy)
            default: spies.owe(.left, on: landing, to: spy)
            }
        case .no:
            // What it had is nobody's.
            (spies.all[spy].touches[place].said, spies.all[spy].touches[place].isGranted) = (.no, false)
            spies.all[spy].touches[place].isLostTo = nil
            spies.wishes.removeAll { $0.spy == id && $0.landing == landing }
        case .yes, .maybe, .hold: return
        }
    }

    // MARK: What becomes of a yes

    /// - Parameter step: The one under way: all that follows from its input has followed.
    mutating func settleSpies(_ step: Step) {
        for (id, landing) in spies.wishes {
            guard spies.wishes.contains(where: { $0.spy == id && $0.landing == landing }),
                let spy = spies.place(of: id)
            else { continue }
            guard let finger = glass.fingers.first(where: { $0.landing == landing }) else {
                refuse(landing, spy, .unknown)
                continue
            }
            switch finger.owner {
            case .nobody: refuse(landing, spy, .dead)
            case .home, .overlay, .alert, .keyboard, .shade: refuse(landing, spy, .system)
            case .app(let app):
                if judgesSpies {
                    if let swipe = finger.swipe, !swipe.isTaken { continue }
                } else {
                    // Where fingers are is not known, and so not whose edge they are at.
                    guard step.grants(landing, to: id) else { continue }
                }
                take(landing, from: app, for: spy)
            }
        }
    }

    private mutating func refuse(_ landing: UInt32, _ spy: Int, _ verdict: SpyVerdict) {
        let id = spies.all[spy].id
        spies.wishes.removeAll { $0.spy == id && $0.landing == landing }
        for place in spies.all[spy].touches.indices where spies.all[spy].touches[place].landing == landing {
            spies.all[spy].touches[place].said = .no
        }
        spies.owe(verdict, on: landing, to: spy)
    }

    private mutating func take(_ landing: UInt32, from app: Int, for spy: Int) {
        glass.beginScan()
        for place in glass.fingers.indices where glass.fingers[place].owner == .app(app) {
            if glass.fingers[place].landing == landing {
                glass.revoke(place, .spy)
            } else {
                glass.tell(place, .stationary, .lifted)
            }
        }
        owe(app, scan: 0, nil)
        let id = spies.all[spy].id
        spies.wishes.removeAll { $0.spy == id && $0.landing == landing }
        for place in spies.all[spy].touches.indices where spies.all[spy].touches[place].landing == landing {
            spies.all[spy].touches[place].isGranted = true
        }
        spies.owe(.taken, on: landing, to: spy)
        spiesLose(landing, to: .spy(id))
    }

    /// Somebody has taken it from its app.
    mutating func spiesLose(_ landing: UInt32, to owner: SpiedOwner) {
        for spy in spies.all.indices where .spy(spies.all[spy].id) != owner {
            guard let place = spies.all[spy].touches.firstIndex(where: { $0.landing == landing }) else { continue }
            guard spies.all[spy].touches[place].isShown else { continue }
            let id = spies.all[spy].id
            spies.all[spy].touches[place].isLostTo = owner
            guard spies.wishes.contains(where: { $0.spy == id && $0.landing == landing }) else { continue }
            spies.wishes.removeAll { $0.spy == id && $0.landing == landing }
            spies.owe(owner == .system ? .system : .spy, on: landing, to: spy)
        }
    }

    // MARK: What spies are shown

    /// A scan says this of a finger.
    mutating func sees(_ place: Int, _ phase: ContactPhase) {
        guard !spies.all.isEmpty else { return }
        let finger = glass.fingers[place]
        let (x, y) = finger.space.placeOnDisplay(finger.x, finger.y)
        spies.seen.append((finger.landing, phase, finger.owner, SpiedPlace(x, y, on: finger.display)))
    }

    mutating func showSpies(_ event: HIDEvent, _ now: Instant) {
        guard !spies.seen.isEmpty else { return }
        let seen = spies.seen.sorted { $0.landing < $1.landing }
        spies.seen.removeAll(keepingCapacity: true)
        for spy in spies.all.indices {
            var contacts: [SpiedContact] = []
            for sight in seen {
                let owner = spiedOwner(sight.owner)
                let place = tells(sight.owner) ? sight.place : nil
                if sight.phase == .began, spies.all[spy].touches.count < Spies.touchLimit,
                    concerns(spies.all[spy].interest, owner, place)
                {
                    spies.all[spy].touches.append(Spies.Touch(landing: sight.landing, at: now))
                }
                guard let known = spies.all[spy].touches.firstIndex(where: { $0.landing == sight.landing }) else {
                    continue
                }
                spies.all[spy].touches[known].ages(spies.all[spy].interest.patience, now)
                let touch = spies.all[spy].touches[known]
                let isOver = sight.phase == .ended || sight.phase == .cancelled
                if isOver || touch.isLostTo != nil { spies.all[spy].touches.remove(at: known) }
                let number = TouchID(landing: sight.landing)
                if let taker = touch.isLostTo {
                    contacts.append(SpiedContact(number, .cancelled, of: taker, at: place))
                } else if touch.isShown {
                    let whose = touch.isGranted ? SpiedOwner.spy(spies.all[spy].id) : owner
                    contacts.append(SpiedContact(number, sight.phase, of: whose, at: place))
                }
            }
            guard !contacts.isEmpty else { continue }
            contacts = Array(contacts.prefix(SpiedScan.contactLimit))
            let isMove = contacts.allSatisfy { $0.phase == .moved || $0.phase == .stationary }
            let scan = SpiedScan(timeStamp: event.timeStamp, device: event.senderID, contacts: contacts)
            spies.owe(.scan(scan), to: spy, counts: !isMove)
        }
    }

    /// Whoever reads the devices is gone.
    mutating func clearSpies(_ step: Step) {
        spies.seen.removeAll(keepingCapacity: true)
        for spy in spies.all.indices {
            let id = spies.all[spy].id
            let contacts = spies.all[spy].touches.filter { $0.isShown || $0.isLostTo != nil }.map { touch in
                let owner = touch.isGranted ? SpiedOwner.spy(id) : touch.isLostTo ?? .nobody
                return SpiedContact(TouchID(landing: touch.landing), .cancelled, of: owner)
            }
            spies.all[spy].touches.removeAll()
            guard !contacts.isEmpty else { continue }
            spies.owe(
                .scan(SpiedScan(timeStamp: step.at, device: 0, contacts: contacts)), to: spy, counts: true)
        }
        settleSpies(step)
    }

    private func spiedOwner(_ owner: Owner) -> SpiedOwner {
        switch owner {
        case .app(let place): .app(apps[place].instance)
        case .home, .overlay, .alert, .keyboard, .shade: .server
        case .nobody: .nobody
        }
    }

    /// T5: of an app that has declared its windows, none of which was secure; or where nothing is secret.
    private func tells(_ owner: Owner) -> Bool {
        guard case .app(let place) = owner else { return options.saysPlaces }
        return !apps[place].hasSecrets && (options.saysPlaces || apps[place].windows != nil)
    }

    private func concerns(_ interest: SpyInterest, _ owner: SpiedOwner, _ place: SpiedPlace?) -> Bool {
        if interest.app != 0, owner != .app(interest.app) { return false }
        guard let zone = interest.zone, judgesSpies else { return true }
        return place.map { zone.contains($0.x, $0.y) } ?? false
    }

    // MARK: What spies are told

    /// Where nothing is known of the screen, neither is what they are shown.
    private var judgesSpies: Bool { options.screen != nil }

    mutating func told(_ page: SpyPage, _ step: Step) {
        guard judgesSpies else { return }
        guard !spies.due.isEmpty else {
            return note(.conservation, "spy \(page.id) is told \(page.words), and nothing is due to it", step)
        }
        let due = spies.due.removeFirst()
        guard due != page else { return }
        note(
            .conservation, "spy \(page.id) is told \(page.words), expected spy \(due.id) to be told \(due.words)", step)
    }

    /// The step is over.
    mutating func expectSpiesTold(_ step: Step) {
        defer { spies.due.removeAll(keepingCapacity: true) }
        guard judgesSpies else { return }
        for page in spies.due {
            note(.conservation, "spy \(page.id) is not told \(page.words)", step)
        }
    }
}

extension Step {
    /// Whether it says that a spy has a touch.
    fileprivate func grants(_ landing: UInt32, to id: UInt32) -> Bool {
        effects.contains { effect in
            guard case .send(let frame, to: .supervisor) = effect, case .spied(let page) = frame.message else {
                return false
            }
            return page.id == id && page.news == .verdict(TouchID(landing: landing), .taken)
        }
    }
}

extension SpyPage {
    /// For a person.
    fileprivate var words: String {
        let text =
            switch news {
            case .begun: "that it has begun"
            case .turnedAway(let limit): "that there are \(limit)"
            case .room: "what was left out"
            case .verdict(let touch, let verdict): "of \(touch): \(verdict)"
            case .scan(let scan): "of " + scan.contacts.map(\.words).joined(separator: ", ")
            }
        return "in page \(number), \(lag.news) left out before it, \(text)"
    }
}

extension SpiedContact {
    fileprivate var words: String {
        "\(touch) \(phase) of \(owner)"
            + (place.map { " at \($0.x.double),\($0.y.double) of display \($0.display)" } ?? "")
    }
}
