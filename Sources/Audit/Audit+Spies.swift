// Audit+Spies.swift: touch monitors: the touches that each receives, and those that it may take.
//
// Rules for each monitor, checked on frames alone:
//    pages      ascending numbers, within the credit window; each states how much was omitted before it
//    touches    each touch that landed in its region, from the landing to one end, unless it declined the touch
//    yes        one verdict. `taken` only for a touch that an app owns and that no system gesture may still take
//    taken      the app receives one cancellation, and every other monitor one end
//
// Input     Audit+Server: requests, scans, pages
// Output    violations
// Knows     owner and taker of each finger from Glass.swift, which has the only copy
//
// A page is due in the step in which its news arises, and no other page is sent.
//
// Sources   Docs/Spec/Pipeline.md section 3: I1, I4, I6, I8; Docs/Spec/Semantics.md D5; Docs/Decisions/Spies.md

import Basics
import HID
import Hosting
import Wire

/// All touch monitors of a group.
struct Spies: Sendable {
    /// One touch monitor.
    struct Spy: Sendable {
        let id: UInt32
        let interest: SpyInterest
        var told: UInt64 = 0
        var heard: UInt64 = 0
        var lag = SpyPage.Lag()
        var touches: [Touch] = []
    }

    /// A touch that one monitor receives.
    struct Touch: Sendable {
        let landing: UInt32
        let at: Instant
        /// `no` once the monitor has declined the touch, was refused it, or did not answer in time.
        var said = SpyAnswer.maybe
    }

    var all: [Spy] = []
    /// Answers `yes` without a verdict, oldest first.
    var wishes: [(spy: UInt32, landing: UInt32)] = []
    /// The fingers of the current scan with their phases.
    var seen: [(finger: Glass.Finger, phase: ContactPhase)] = []
    /// The pages that the current step must send.
    var due: [SpyPage] = []

    /// The greatest number of monitors; then the credit window in pages, the same for verdicts, and the touches of one
    /// monitor.
    static let limit = 4
    private static let window: UInt64 = 48
    private static let verdictWindow: UInt64 = 64
    fileprivate static let touchLimit = 128

    func place(of id: UInt32) -> Int? { all.firstIndex { $0.id == id } }

    func hasRoom(_ place: Int, forVerdict isVerdict: Bool = false) -> Bool {
        all[place].told - all[place].heard < (isVerdict ? Self.verdictWindow : Self.window)
    }

    mutating func owe(_ news: SpyPage.News, to place: Int) {
        let isVerdict = if case .verdict = news { true } else { false }
        guard hasRoom(place, forVerdict: isVerdict) else {
            all[place].lag.news &+= 1
            if news.isEdge { all[place].lag.edges &+= 1 }
            return
        }
        all[place].told += 1
        due.append(SpyPage(id: all[place].id, number: all[place].told, lag: all[place].lag, news))
        all[place].lag = SpyPage.Lag()
    }

    mutating func owe(_ verdict: SpyVerdict, on landing: UInt32, to place: Int) {
        owe(.verdict(TouchID(landing: landing), verdict), to: place)
    }

    /// Refuses every waiting `yes` for a touch that another taker has.
    mutating func refuseAll(_ verdict: SpyVerdict, on landing: UInt32) {
        for wish in wishes where wish.landing == landing {
            if let place = place(of: wish.spy) { owe(verdict, on: landing, to: place) }
        }
        wishes.removeAll { $0.landing == landing }
    }
}

extension TouchID {
    /// Touches are numbered from 0 in the order of landings.
    fileprivate init(landing: UInt32) { self.init(rawValue: landing &- 1) }
    fileprivate var landing: UInt32 { rawValue &+ 1 }
}

extension Audit {
    // MARK: Requests of monitors

    mutating func hears(_ request: SpyRequest, _ step: Step) {
        switch request.word {
        case .begin(let interest):
            leaves(request.id)
            guard spies.all.count < Spies.limit else {
                spies.due.append(SpyPage(id: request.id, number: 0, .turnedAway(limit: UInt32(Spies.limit))))
                return
            }
            spies.all.append(Spies.Spy(id: request.id, interest: interest))
            spies.owe(.begun, to: spies.all.count - 1)
        case .took(let number):
            guard let place = spies.place(of: request.id) else { return }
            spies.all[place].heard = max(spies.all[place].heard, min(number, spies.all[place].told))
            if spies.all[place].lag.news > 0, spies.hasRoom(place) { spies.owe(.room, to: place) }
        case .answer(let touch, let answer):
            if let place = spies.place(of: request.id) { says(answer, of: touch.landing, place, step.at) }
        case .end: leaves(request.id)
        }
    }

    private mutating func leaves(_ id: UInt32) {
        spies.all.removeAll { $0.id == id }
        spies.wishes.removeAll { $0.spy == id }
    }

    private mutating func says(_ answer: SpyAnswer, of landing: UInt32, _ spy: Int, _ now: Instant) {
        let id = spies.all[spy].id
        guard let place = spies.all[spy].touches.firstIndex(where: { $0.landing == landing }) else {
            if answer == .yes { spies.owe(.unknown, on: landing, to: spy) }
            return
        }
        let taker = glass.fingers.first { $0.landing == landing }?.taker
        age(place, of: spy, taker, now)
        switch (answer, taker) {
        case (.no, _):
            spies.all[spy].touches[place].said = .no
            spies.wishes.removeAll { $0.spy == id && $0.landing == landing }
        case (.yes, _) where spies.all[spy].touches[place].said == .no: spies.owe(.left, on: landing, to: spy)
        case (.yes, .system?): spies.owe(.system, on: landing, to: spy)
        case (.yes, .spy(let other)?) where other != id: spies.owe(.spy, on: landing, to: spy)
        case (.yes, _) where spies.all[spy].touches[place].said != .yes:
            spies.all[spy].touches[place].said = .yes
            spies.wishes.append((id, landing))
        case (.yes, _), (.maybe, _), (.hold, _): return
        }
    }

    /// Counts a touch as declined that the monitor did not answer in time, unless another taker has it.
    private mutating func age(_ place: Int, of spy: Int, _ taker: SpiedOwner?, _ now: Instant) {
        let touch = spies.all[spy].touches[place]
        guard let patience = spies.all[spy].interest.patience, taker == nil, touch.said != .yes,
            touch.at.duration(to: now) > patience
        else { return }
        spies.all[spy].touches[place].said = .no
    }

    // MARK: Verdicts

    /// - Parameter step: The current step, after all consequences of its input.
    mutating func settleSpies(_ step: Step) {
        while let index = spies.wishes.firstIndex(where: { verdict(on: $0.landing, for: $0.spy, step) != nil }) {
            let (id, landing) = spies.wishes[index]
            let verdict = verdict(on: landing, for: id, step)
            spies.wishes.remove(at: index)
            guard let verdict, let spy = spies.place(of: id) else { continue }
            spies.owe(verdict, on: landing, to: spy)
            if verdict == .taken {
                take([landing], for: .spy(id))
                spies.refuseAll(.spy, on: landing)
            } else if let place = spies.all[spy].touches.firstIndex(where: { $0.landing == landing }) {
                spies.all[spy].touches[place].said = .no
            }
        }
    }

    /// Returns the verdict on a touch; nil while a system gesture may still take it.
    private func verdict(on landing: UInt32, for id: UInt32, _ step: Step) -> SpyVerdict? {
        guard let finger = glass.fingers.first(where: { $0.landing == landing }) else { return .unknown }
        switch finger.owner {
        case .nobody: return .dead
        case .home, .overlay, .alert, .keyboard, .shade: return .system
        case .app:
            // Without the screen it is unknown which fingers are at an edge, so the verdict that the server sent is
            // accepted.
            let isFree = judgesSpies ? finger.swipe?.isTaken != false : step.grants(landing, to: id)
            return isFree ? .taken : nil
        }
    }

    // MARK: Touches for monitors

    /// Notes the phase of a finger in the current scan.
    mutating func sees(_ place: Int, _ phase: ContactPhase) {
        if !spies.all.isEmpty { spies.seen.append((glass.fingers[place], phase)) }
    }

    mutating func showSpies(_ event: HIDEvent, _ now: Instant) {
        guard !spies.seen.isEmpty else { return }
        let seen = spies.seen.sorted { $0.finger.landing < $1.finger.landing }
        spies.seen.removeAll(keepingCapacity: true)
        for spy in spies.all.indices {
            let contacts = seen.compactMap { shows($0.finger, $0.phase, to: spy, now) }.prefix(SpiedScan.contactLimit)
            owe(Array(contacts), of: event.senderID, event.timeStamp, to: spy)
        }
    }

    private mutating func owe(_ contacts: [SpiedContact], of device: UInt64, _ time: Instant, to spy: Int) {
        guard !contacts.isEmpty else { return }
        spies.owe(.scan(SpiedScan(timeStamp: time, device: device, contacts: contacts)), to: spy)
    }

    private mutating func shows(
        _ finger: Glass.Finger, _ phase: ContactPhase, to spy: Int, _ now: Instant
    ) -> SpiedContact? {
        let position = finger.space.onDisplay(finger.position)
        let place = tells(finger.owner) ? SpiedPlace(position, on: finger.display) : nil
        let interest = spies.all[spy].interest
        if phase == .began, spies.all[spy].touches.count < Spies.touchLimit, concerns(interest, finger.owner, place) {
            spies.all[spy].touches.append(Spies.Touch(landing: finger.landing, at: now))
        }
        guard let known = spies.all[spy].touches.firstIndex(where: { $0.landing == finger.landing }) else { return nil }
        age(known, of: spy, finger.taker, now)
        let contact = contact(of: finger, spies.all[spy].touches[known], phase, to: spies.all[spy].id, at: place)
        // A touch that another taker has ends with this contact.
        let isOver = [phase, contact?.phase].contains { $0 == .ended || $0 == .cancelled }
        if isOver { spies.all[spy].touches.remove(at: known) }
        return contact
    }

    /// - Returns: Nil for a touch that the monitor has declined.
    private func contact(
        of finger: Glass.Finger, _ touch: Spies.Touch, _ phase: ContactPhase, to id: UInt32, at place: SpiedPlace?
    ) -> SpiedContact? {
        guard touch.said != .no else { return nil }
        let isLost = finger.taker != nil && finger.taker != .spy(id)
        return SpiedContact(
            TouchID(landing: touch.landing), isLost ? .cancelled : phase,
            of: finger.taker ?? spiedOwner(finger.owner), at: place)
    }

    /// Ends each touch of each monitor, because the reader of the devices is gone.
    ///
    /// - Parameter fingers: The fingers that were down, with their present owners.
    mutating func clearSpies(_ fingers: [Glass.Finger], _ step: Step) {
        spies.seen.removeAll(keepingCapacity: true)
        for spy in spies.all.indices {
            let id = spies.all[spy].id
            let contacts = spies.all[spy].touches.compactMap { touch in
                fingers.first { $0.landing == touch.landing }.flatMap { finger in
                    contact(of: finger, touch, .cancelled, to: id, at: nil)
                }
            }
            spies.all[spy].touches.removeAll()
            owe(contacts, of: 0, step.at, to: spy)
        }
        settleSpies(step)
    }

    private func spiedOwner(_ owner: Owner) -> SpiedOwner {
        switch owner {
        case .app(let place): .app(apps[place].app)
        case .home, .overlay, .alert, .keyboard, .shade: .server
        case .nobody: .nobody
        }
    }

    /// Whether positions are reported (T5): for an app that declared its windows and has no secure one, or if nothing
    /// is secret.
    private func tells(_ owner: Owner) -> Bool {
        guard case .app(let place) = owner else { return options.saysPlaces }
        return !apps[place].scene.hasSecrets && (options.saysPlaces || apps[place].scene.windows != nil)
    }

    private func concerns(_ interest: SpyInterest, _ owner: Owner, _ place: SpiedPlace?) -> Bool {
        if let app = interest.app, spiedOwner(owner) != .app(app) { return false }
        guard let zone = interest.zone, judgesSpies else { return true }
        return place.map { zone.contains($0.position) } ?? false
    }

    // MARK: Pages

    /// Whether pages are judged. Without the screen their content is unknown.
    private var judgesSpies: Bool { options.screen != nil }

    mutating func told(_ page: SpyPage, _ step: Step) {
        guard judgesSpies else { return }
        // The pages of each monitor are ordered. Those of two monitors are not.
        guard let next = spies.due.firstIndex(where: { $0.id == page.id }) else {
            return note(.conservation, "spy \(page.id) is told \(page.words), and nothing is due to it", step)
        }
        let due = spies.due.remove(at: next)
        guard due != page else { return }
        note(
            .conservation, "spy \(page.id) is told \(page.words), expected spy \(due.id) to be told \(due.words)", step)
    }

    /// Judges that no page is missing at the end of the step.
    mutating func expectSpiesTold(_ step: Step) {
        defer { spies.due.removeAll(keepingCapacity: true) }
        guard judgesSpies else { return }
        for page in spies.due {
            note(.conservation, "spy \(page.id) is not told \(page.words)", step)
        }
    }
}

extension Step {
    /// Whether the step sends the verdict that a monitor has taken a touch.
    fileprivate func grants(_ landing: UInt32, to id: UInt32) -> Bool {
        effects.contains { effect in
            guard case .send(let frame, to: .supervisor) = effect, case .spied(let page) = frame.message else {
                return false
            }
            return page.id == id && page.news == .verdict(TouchID(landing: landing), .taken)
        }
    }
}

extension SpyPage.News {
    /// Whether the news contains more than moves.
    fileprivate var isEdge: Bool {
        switch self {
        case .scan(let scan): scan.contacts.contains { $0.phase != .moved && $0.phase != .stationary }
        case .room: false
        case .begun, .turnedAway, .verdict: true
        }
    }
}

extension SpyPage {
    /// The content of the page for a person.
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
            + (place.map { " at \($0.position.x.double),\($0.position.y.double) of display \($0.display)" } ?? "")
    }
}
