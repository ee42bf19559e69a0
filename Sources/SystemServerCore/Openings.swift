// Openings.swift: URLs on their way to the apps that open them.
//
// Station   app
// Fed by    SystemServerCore: requests of a person and of apps, apps that come and go and answer, its timer
// Feeds     SystemServerCore: what to tell, what to wish of the supervisor, whom to answer
// Knows     schemes, app numbers, generations. No scene, no link, no clock.
//
//     waiting ──here──▶ told ──answered──▶ over: opened
//        │               │ ▲
//        │             gone│here: the same life, or the next
//        │               ▼ │
//        │              lost ──outlived: a third life──▶ over: died
//        └────────due, or failed, from waiting and lost────▶ over
//
// One after the other: an app has at most one URL that it has not answered. It is told of each in two lives at most: a
// URL that ended its app twice is not what a third is started for. An app that was launched with one knows it by its
// number, and answers without opening it again. What a server has under way ends with it: whoever asked is told.
//
// Sources   inferred    an app that is not active opens nothing: iOS refuses `open` from the background
//           invented    the numbers, the limits, two lives

import Basics
import Hosting
import Links
import Settings
import Trace
import Wire

struct Opening: Sendable {
    enum State: Hashable, Sendable {
        /// Its app has yet to come, or to answer for another.
        case waiting
        /// Said to the life that is there.
        case told
        /// Said to one whose link is gone.
        case lost
        case over
    }

    enum Input: Hashable, Sendable {
        /// The app is linked, and nothing else is before this.
        case here
        /// It is linked, in a life beyond the second that could have been told.
        case outlived
        /// Its link is gone.
        case gone
        /// The link says that it has lost something.
        case unheard
        case answered
        /// The supervisor does not start it any more.
        case failed
        /// Its time is over.
        case due
    }

    enum Decision: Hashable, Sendable {
        case nothing, tell
        /// Have it there again.
        case launch
        case end(OpenAnswer.Outcome)
    }

    private(set) var state = State.waiting

    mutating func handle(_ input: Input) -> Decision {
        guard let (next, decision) = Self.transition(from: state, on: input) else {
            preconditionFailure("an opening cannot take \(input) while \(state)")
        }
        state = next
        return decision
    }

    /// The whole machine. Nil cannot happen: what is over is forgotten.
    static func transition(from state: State, on input: Input) -> (State, Decision)? {
        switch (state, input) {
        case (.waiting, .here), (.lost, .here), (.told, .here): (.told, .tell)
        case (.told, .unheard): (.told, .tell)
        case (.waiting, .unheard), (.lost, .unheard): (state, .nothing)
        case (.told, .gone): (.lost, .launch)
        case (.waiting, .gone), (.lost, .gone): (state, .nothing)
        case (.told, .answered): (.over, .end(.opened))
        // Of a life that is over, or an answer that was said twice.
        case (.waiting, .answered), (.lost, .answered): (state, .nothing)
        case (.waiting, .outlived), (.told, .outlived), (.lost, .outlived): (.over, .end(.died))
        case (.waiting, .failed), (.lost, .failed): (.over, .end(.died))
        // It came meanwhile.
        case (.told, .failed): (.told, .nothing)
        case (.waiting, .due), (.told, .due), (.lost, .due): (.over, .end(.late))
        case (.over, _): nil
        }
    }
}

struct Openings: Sendable {
    enum Asker: Hashable, Sendable {
        /// By way of the supervisor.
        case controller(UInt32)
        /// In the life it asked in: its next one numbers what it asks for anew.
        case app(UInt32, life: UInt32)
    }

    struct Entry: Sendable {
        let id: UInt32
        let app: UInt32
        let url: URLText
        let asker: Asker
        /// As the asker numbers it.
        let asked: UInt32
        let since: Instant
        /// The first life of its app that was told; nil while there is none.
        var first: UInt32?
        var machine = Opening()
    }

    /// One that is over.
    struct Past: Sendable {
        let app: UInt32
        let asker: Asker
        let url: URLText
        let outcome: OpenAnswer.Outcome
        let at: Instant
    }

    /// Under way at once, of the whole group.
    static let limit = 16
    private static let pastLimit = 16

    let schemes: Schemes
    let patience: Duration
    /// In the order they were asked for.
    private(set) var entries: [Entry] = []
    private(set) var past = LastOf<Past>(pastLimit)
    /// By outcome.
    private(set) var counts = [UInt64](repeating: 0, count: OpenAnswer.Outcome.allCases.count)
    private(set) var lastID: UInt32 = 0
    /// A URL is a name in the trace, and anybody may ask for any number of them.
    private var noted = Flood()

    init(_ settings: Settings) {
        // Whoever starts a group has read it; a journal can say anything, and then nobody opens anything.
        schemes = (try? Schemes(text: settings[.groupSchemes])) ?? Schemes()
        patience = settings[.serverOpenLimit]
    }

    /// When the first of them has waited too long; nil for none.
    var due: Instant? { entries.first.map { $0.since.advanced(by: patience) } }

    mutating func add(_ request: OpenRequest, from asker: Asker, to app: UInt32, at now: Instant) -> UInt32 {
        lastID &+= 1
        entries.append(
            Entry(id: lastID, app: app, url: request.url, asker: asker, asked: request.id, since: now))
        return lastID
    }

    /// The one that its app is to be told next, or was told.
    func first(of app: UInt32) -> Int? { entries.firstIndex { $0.app == app } }

    func place(of id: UInt32) -> Int? { entries.firstIndex { $0.id == id } }

    mutating func give(_ input: Opening.Input, to place: Int) -> Opening.Decision {
        entries[place].machine.handle(input)
    }

    /// An app is linked, in this life.
    mutating func arrived(_ place: Int, generation: UInt32) -> Opening.Decision {
        let first = entries[place].first ?? generation
        let isOutlived = generation < first || generation - first >= Wish.livesLimit
        entries[place].first = first
        return give(isOutlived ? .outlived : .here, to: place)
    }

    mutating func end(_ place: Int, _ outcome: OpenAnswer.Outcome, at now: Instant) {
        let entry = entries.remove(at: place)
        remember(Past(app: entry.app, asker: entry.asker, url: entry.url, outcome: outcome, at: now))
    }

    mutating func remember(_ one: Past) {
        past.append(one)
        counts[Int(one.outcome.rawValue)] &+= 1
    }

    mutating func isNoted() -> Bool { noted.rises() }
}

extension Openings.Asker: CustomStringConvertible {
    var description: String {
        switch self {
        case .controller: "the operator"
        case .app(let app, life: _): "app \(app)"
        }
    }
}

// MARK: The server

extension SystemServerCore {
    /// Somebody asks that a URL be opened.
    mutating func open(
        _ request: OpenRequest, for asker: Openings.Asker, at now: Instant, into outbox: inout Outbox
    ) {
        let app = openings.schemes.app(of: request.url.scheme)
        if let outcome = refusal(of: asker, app) {
            openings.remember(
                Openings.Past(app: app ?? 0, asker: asker, url: request.url, outcome: outcome, at: now))
            if openings.isNoted() {
                outbox.trace.note(
                    now, .app, "open {a:n} for {b:n} refused: {c:n}", outbox.trace.name("\(request.url)"),
                    outbox.trace.name("\(asker)"), outbox.trace.name("\(outcome)"))
            }
            return answer(asker, request.id, app ?? 0, outcome, at: now, into: &outbox)
        }
        guard let app else { return }
        let id = openings.add(request, from: asker, to: app, at: now)
        if openings.isNoted() {
            outbox.trace.note(
                now, .app, "open {a:n} for {b:n}: app {c}, open {d}", outbox.trace.name("\(request.url)"),
                outbox.trace.name("\(asker)"), Int64(app), Int64(id))
        }
        outbox.append(.arm(Timer.openings, at: openings.due ?? .never))
        var steps: [SceneTable.Step] = []
        // An app that is on the screen stays where it is.
        let comesToFront = !apps.shows(app)
        if comesToFront { steps = apps.handle(.system(.foreground(app: app))) }
        if comesToFront || connections.place(of: app) == nil {
            wish(for: id, comesToFront: comesToFront, into: &outbox)
        }
        perform(steps, opening: app, at: now, into: &outbox)
        if comesToFront { screenChanged(into: &outbox) }
    }

    private func refusal(of asker: Openings.Asker, _ app: UInt32?) -> OpenAnswer.Outcome? {
        if case .app(let one, life: _) = asker, apps.standing(of: one) != [.didBecomeActive] { return .notInFront }
        if app == nil { return .noApp }
        if apps.isDark { return .locked }
        return openings.entries.count < Openings.limit ? nil : .tooMany
    }

    /// What has changed on the screen, with the URL that an app is to open before it becomes active.
    mutating func perform(
        _ steps: [SceneTable.Step], opening app: UInt32, at now: Instant, into outbox: inout Outbox
    ) {
        let place = steps.firstIndex(of: .tell(app, .didBecomeActive)) ?? steps.endIndex
        perform(Array(steps[..<place]), at: now, into: &outbox)
        tellNext(app, at: now, into: &outbox)
        perform(Array(steps[place...]), at: now, into: &outbox)
    }

    /// Tells an app that is there what it is to open next, if it has not been told.
    private mutating func tellNext(_ app: UInt32, at now: Instant, into outbox: inout Outbox) {
        while let link = connections[app], let place = openings.first(of: app),
            openings.entries[place].machine.state != .told
        {
            let decision = openings.arrived(place, generation: link.link.peerGeneration)
            carryOut(decision, openings.entries[place].id, at: now, into: &outbox)
        }
    }

    /// An app's link is gone.
    mutating func left(_ app: UInt32, at now: Instant, into outbox: inout Outbox) {
        give(.gone, toFirstOf: app, at: now, into: &outbox)
    }

    /// An app's link has lost something.
    mutating func unheard(by app: UInt32, at now: Instant, into outbox: inout Outbox) {
        give(.unheard, toFirstOf: app, at: now, into: &outbox)
    }

    private mutating func give(
        _ input: Opening.Input, toFirstOf app: UInt32, at now: Instant, into outbox: inout Outbox
    ) {
        guard let place = openings.first(of: app) else { return }
        let id = openings.entries[place].id
        carryOut(openings.give(input, to: place), id, at: now, into: &outbox)
    }

    /// An app has come to the end of opening.
    ///
    /// - Returns: What no honest app says; nil for what one may.
    mutating func opened(
        _ answer: OpenAnswer, by app: UInt32, at now: Instant, into outbox: inout Outbox
    ) -> String? {
        guard answer.outcome == .opened, answer.id <= openings.lastID else {
            return "it answers open \(answer.id) of \(openings.lastID): \(answer.outcome)"
        }
        guard let place = openings.place(of: answer.id) else { return nil }
        guard openings.entries[place].app == app else {
            return "it answers open \(answer.id), which is app \(openings.entries[place].app)'s"
        }
        carryOut(openings.give(.answered, to: place), answer.id, at: now, into: &outbox)
        tellNext(app, at: now, into: &outbox)
        return nil
    }

    /// The supervisor does not start its app any more.
    mutating func failed(_ answer: OpenAnswer, at now: Instant, into outbox: inout Outbox) {
        guard let place = openings.place(of: answer.id) else { return }
        carryOut(openings.give(.failed, to: place), answer.id, at: now, into: &outbox)
    }

    /// Those that have waited too long are over.
    mutating func passOpenings(at now: Instant, into outbox: inout Outbox) {
        var opening: [UInt32] = []
        while let due = openings.due, due <= now {
            let (id, app) = (openings.entries[0].id, openings.entries[0].app)
            carryOut(openings.give(.due, to: 0), id, at: now, into: &outbox)
            if !opening.contains(app) { opening.append(app) }
        }
        // Not before all of them are over: the next one may be as late.
        for app in opening { tellNext(app, at: now, into: &outbox) }
        if let due = openings.due { outbox.append(.arm(Timer.openings, at: due)) }
    }

    private mutating func carryOut(
        _ decision: Opening.Decision, _ id: UInt32, at now: Instant, into outbox: inout Outbox
    ) {
        guard let place = openings.place(of: id) else { return }
        let entry = openings.entries[place]
        switch decision {
        case .nothing: return
        case .tell:
            unsay(id, to: entry.app)
            outbox.trace.note(now, .app, "app {a}: open {b}", Int64(entry.app), Int64(id))
            send(.open(OpenRequest(id: id, url: entry.url)), to: entry.app, at: now, into: &outbox)
        case .launch: wish(for: id, comesToFront: false, into: &outbox)
        case .end(let outcome):
            outbox.trace.note(
                now, .app, "app {a}: open {b} is over: {c:n}", Int64(entry.app), Int64(id),
                outbox.trace.name("\(outcome)"))
            openings.end(place, outcome, at: now)
            unsay(id, to: entry.app)
            if openings.entries.isEmpty { outbox.append(.disarm(Timer.openings)) }
            answer(entry.asker, entry.asked, entry.app, outcome, at: now, into: &outbox)
        }
    }

    /// What still waits for the app's window is not said: it is over, or is said anew.
    private mutating func unsay(_ id: UInt32, to app: UInt32) {
        guard let place = connections.place(of: app) else { return }
        connections.values[place].waiting.removeAll { waiting in
            if case .open(let one) = waiting.message { one.id == id } else { false }
        }
    }

    private mutating func wish(for id: UInt32, comesToFront: Bool, into outbox: inout Outbox) {
        guard let place = openings.place(of: id) else { return }
        let entry = openings.entries[place]
        let wish = Wish(
            app: entry.app, comesToFront: comesToFront, lives: entry.first == nil ? 0 : 1,
            opens: OpenRequest(id: id, url: entry.url))
        outbox.append(.send(supervisor.frame(.wanted(wish)), to: .supervisor))
    }

    private mutating func answer(
        _ asker: Openings.Asker, _ id: UInt32, _ app: UInt32, _ outcome: OpenAnswer.Outcome, at now: Instant,
        into outbox: inout Outbox
    ) {
        switch asker {
        case .controller(let number):
            let answer = OpenAnswer(asker: number, id: id, app: app, outcome: outcome)
            outbox.append(.send(supervisor.frame(.opened(answer)), to: .supervisor))
        case .app(let one, let life):
            guard connections[one]?.link.peerGeneration == life else { return }
            send(.opened(OpenAnswer(id: id, app: app, outcome: outcome)), to: one, at: now, into: &outbox)
        }
    }
}

// MARK: For a person

extension ServerDetail {
    /// `opening.0 = open=3 app=2 state=waiting asker=… since=… url=…`, and those that are over.
    mutating func add(_ openings: Openings) {
        for (index, entry) in openings.entries.enumerated() {
            add([
                Report.Row(
                    "opening.\(index)",
                    .text(
                        "open=\(entry.id) app=\(entry.app) state=\(entry.machine.state) asker=\(entry.asker.word) "
                            + "since=\(entry.since.nanoseconds) url=\(entry.url)"))
            ])
        }
        for (index, past) in openings.past.inOrder.enumerated() {
            add([
                Report.Row(
                    "opened.\(index)",
                    .text(
                        "at=\(past.at.nanoseconds) app=\(past.app) outcome=\(past.outcome) asker=\(past.asker.word) "
                            + "url=\(past.url)"))
            ])
        }
        for outcome in OpenAnswer.Outcome.allCases {
            let count = openings.counts[Int(outcome.rawValue)]
            if count > 0 { add([Report.Row("opens.\(outcome)", .number(Int64(clamping: count)))]) }
        }
    }
}

extension Openings.Asker {
    /// One word.
    fileprivate var word: String {
        switch self {
        case .controller(let number): "controller:\(number)"
        case .app(let app, life: _): "app:\(app)"
        }
    }
}
