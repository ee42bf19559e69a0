// URLOpener.swift: every URL on its way to an app: which app opens it, when the app is told, when it is over.
//
//     request ─┬ refused ─▶ an answer
//              └ an Opening ─▶ its app: launched, told, launched again ─▶ an answer
//
// Station   app
// Input     SystemServerCore: requests of operators and apps, apps that come and go and answer, its timer
// Output    steps, in order
// Knows     schemes, app numbers, generations. No scene, no link, no clock.
//
// An app has at most one URL that it has not answered. A URL is told to two processes of its app at most: a URL that ended
// its app twice is not what a third process is started for. An app that was launched with a URL knows it by its number,
// and answers without opening it again. A URL that is under way ends with the server.
//
// Sources   inferred    an app that is not active opens nothing: iOS refuses `open` from the background
//           invented    the numbers, the limits, two processes

import Basics
import Hosting
import Settings
import Trace
import Wire

struct URLOpener: Sendable {
    enum Asker: Hashable, Sendable {
        /// By way of the supervisor.
        case controller(UInt32)
        /// In this generation of its process: the next one numbers its requests from the beginning.
        case app(AppID, generation: UInt32)
    }

    struct Entry: Sendable {
        let id: UInt32
        let app: AppID
        let url: URLText
        let asker: Asker
        /// As the asker numbers it.
        let asked: UInt32
        let since: Instant
        /// The first generation of its app that was told; nil while there is none.
        var first: UInt32?
        var machine = Opening()
    }

    /// A request that is over.
    struct Past: Sendable {
        let app: AppID
        let asker: Asker
        let url: URLText
        let outcome: OpenAnswer.Outcome
        let at: Instant
    }

    /// What the core is to do.
    enum Step: Equatable, Sendable {
        /// Removes what still waits for the app's window: it is over, or is sent again.
        case withdraw(UInt32, from: AppID)
        case tell(OpenRequest, to: AppID)
        case launch(Wish)
        case answer(Asker, OpenAnswer)
        /// Nil when no URL waits.
        case wake(at: Instant?)
    }

    /// Under way at once, in the whole group.
    static let limit = 16
    private static let pastLimit = 16

    private let schemes: Schemes
    private let patience: Duration
    /// In the order of the requests.
    private(set) var entries: [Entry] = []
    private(set) var past = LastOf<Past>(pastLimit)
    /// By outcome.
    private(set) var counts = [UInt64](repeating: 0, count: OpenAnswer.Outcome.allCases.count)
    private var lastID: UInt32 = 0
    /// Every URL is a name in the trace, and a peer may request any number of them.
    private var noted = Flood()

    init(_ settings: Settings) {
        // The start of a group has checked the text; with a text out of a journal that is wrong no app opens anything.
        schemes = (try? Schemes(text: settings[.groupSchemes])) ?? Schemes()
        patience = settings[.serverOpenLimit]
    }

    // MARK: Requests

    /// Takes a request.
    ///
    /// - Parameters:
    ///   - isActive: Whether the asker is active; true of an operator.
    ///   - isDark: Whether the screen is dark.
    /// - Returns: What follows, and the URL that is under way now; nil for a request that is refused.
    mutating func begin(
        _ request: OpenRequest, for asker: Asker, isActive: Bool, isDark: Bool, at now: Instant, trace: inout TraceLog
    ) -> ([Step], Entry?) {
        let app = schemes.app(of: request.url.scheme)
        guard let app, isActive, !isDark, entries.count < Self.limit else {
            let outcome: OpenAnswer.Outcome =
                !isActive ? .notInFront : app == nil ? .noApp : isDark ? .locked : .tooMany
            remember(Past(app: app ?? 0, asker: asker, url: request.url, outcome: outcome, at: now))
            if noted.rises() {
                trace.note(
                    now, .app, "open {a:n} for {b:n} refused: {c:n}", trace.name("\(request.url)"),
                    trace.name("\(asker)"), trace.name("\(outcome)"))
            }
            return ([answer(asker, request.id, app, outcome)], nil)
        }
        lastID &+= 1
        let entry = Entry(id: lastID, app: app, url: request.url, asker: asker, asked: request.id, since: now)
        entries.append(entry)
        if noted.rises() {
            trace.note(
                now, .app, "open {a:n} for {b:n}: app {c}, open {d}", trace.name("\(request.url)"),
                trace.name("\(asker)"), Int64(app), Int64(entry.id))
        }
        return ([.wake(at: due)], entry)
    }

    /// Asks for the app of a URL.
    func launch(_ entry: Entry, comesToFront: Bool) -> Step {
        .launch(
            Wish(
                app: entry.app, comesToFront: comesToFront, lives: entry.first == nil ? 0 : 1,
                opens: OpenRequest(id: entry.id, url: entry.url)))
    }

    // MARK: Apps

    /// Tells an app that is linked what it is to open next, unless it was told.
    mutating func tellNext(
        _ app: AppID, generation: UInt32, at now: Instant, trace: inout TraceLog
    ) -> [Step] {
        var steps: [Step] = []
        while let place = first(of: app), entries[place].machine.state != .told {
            let first = entries[place].first ?? generation
            let isOutlived = generation < first || generation - first >= Wish.livesLimit
            entries[place].first = first
            steps += handle(isOutlived ? .outlived : .here, at: place, now, trace: &trace)
        }
        return steps
    }

    /// The link of an app is gone.
    mutating func lost(_ app: AppID, at now: Instant, trace: inout TraceLog) -> [Step] {
        first(of: app).map { handle(.gone, at: $0, now, trace: &trace) } ?? []
    }

    /// The link of an app has lost frames.
    mutating func unheard(by app: AppID, at now: Instant, trace: inout TraceLog) -> [Step] {
        first(of: app).map { handle(.unheard, at: $0, now, trace: &trace) } ?? []
    }

    /// What an app's answer means.
    enum Answered: Equatable, Sendable {
        case steps([Step])
        /// No app that keeps to the protocol answers so. At fault: the app.
        case violation(String)
    }

    /// An app has opened a URL.
    mutating func answered(
        _ answer: OpenAnswer, by app: AppID, generation: UInt32, at now: Instant, trace: inout TraceLog
    ) -> Answered {
        guard answer.outcome == .opened, answer.id <= lastID else {
            return .violation("it answers open \(answer.id) of \(lastID): \(answer.outcome)")
        }
        guard let place = place(of: answer.id) else { return .steps([]) }
        guard entries[place].app == app else {
            return .violation("it answers open \(answer.id), which is app \(entries[place].app)'s")
        }
        let steps = handle(.answered, at: place, now, trace: &trace)
        return .steps(steps + tellNext(app, generation: generation, at: now, trace: &trace))
    }

    /// The supervisor does not start the app of a URL any more.
    mutating func failed(_ id: UInt32, at now: Instant, trace: inout TraceLog) -> [Step] {
        place(of: id).map { handle(.failed, at: $0, now, trace: &trace) } ?? []
    }

    /// Ends the URLs that have waited too long.
    ///
    /// - Parameter generation: Of an app that is linked; nil for one that is not.
    mutating func passTime(at now: Instant, trace: inout TraceLog, generation: (AppID) -> UInt32?) -> [Step] {
        var steps: [Step] = []
        var apps: [AppID] = []
        while let due, due <= now {
            let app = entries[0].app
            steps += handle(.due, at: 0, now, trace: &trace)
            if !apps.contains(app) { apps.append(app) }
        }
        // Not before all of them are over: the next one may be as late.
        for app in apps {
            guard let generation = generation(app) else { continue }
            steps += tellNext(app, generation: generation, at: now, trace: &trace)
        }
        if let due { steps.append(.wake(at: due)) }
        return steps
    }

    // MARK: One URL

    /// When the first of them has waited too long; nil for none.
    private var due: Instant? { entries.first.map { $0.since.advanced(by: patience) } }

    /// The one that its app is to be told next, or was told.
    private func first(of app: AppID) -> Int? { entries.firstIndex { $0.app == app } }

    private func place(of id: UInt32) -> Int? { entries.firstIndex { $0.id == id } }

    private mutating func handle(
        _ input: Opening.Input, at place: Int, _ now: Instant, trace: inout TraceLog
    ) -> [Step] {
        let decision = entries[place].machine.handle(input)
        let entry = entries[place]
        switch decision {
        case .nothing: return []
        case .tell:
            trace.note(now, .app, "app {a}: open {b}", Int64(entry.app), Int64(entry.id))
            return [
                .withdraw(entry.id, from: entry.app), .tell(OpenRequest(id: entry.id, url: entry.url), to: entry.app),
            ]
        case .launch: return [launch(entry, comesToFront: false)]
        case .end(let outcome):
            trace.note(
                now, .app, "app {a}: open {b} is over: {c:n}", Int64(entry.app), Int64(entry.id),
                trace.name("\(outcome)"))
            entries.remove(at: place)
            remember(Past(app: entry.app, asker: entry.asker, url: entry.url, outcome: outcome, at: now))
            let rest: [Step] = entries.isEmpty ? [.wake(at: nil)] : []
            return [.withdraw(entry.id, from: entry.app)] + rest
                + [answer(entry.asker, entry.asked, entry.app, outcome)]
        }
    }

    private mutating func remember(_ one: Past) {
        past.append(one)
        counts[Int(one.outcome.rawValue)] &+= 1
    }

    private func answer(_ asker: Asker, _ id: UInt32, _ app: AppID?, _ outcome: OpenAnswer.Outcome) -> Step {
        let number: UInt32 = if case .controller(let number) = asker { number } else { 0 }
        return .answer(asker, OpenAnswer(asker: number, id: id, app: app, outcome: outcome))
    }
}

extension URLOpener.Asker: CustomStringConvertible {
    var description: String {
        switch self {
        case .controller: "the operator"
        case .app(let app, generation: _): "app \(app)"
        }
    }

    /// One word.
    fileprivate var word: String {
        switch self {
        case .controller(let number): "controller:\(number)"
        case .app(let app, generation: _): "app:\(app)"
        }
    }
}

extension ServerDetail {
    /// `opening.0 = open=3 app=2 state=waiting asker=… since=… url=…`, and the requests that are over.
    mutating func add(_ urls: URLOpener) {
        for (index, entry) in urls.entries.enumerated() {
            add([
                Report.Row(
                    "opening.\(index)",
                    .text(
                        "open=\(entry.id) app=\(entry.app) state=\(entry.machine.state) asker=\(entry.asker.word) "
                            + "since=\(entry.since.nanoseconds) url=\(entry.url)"))
            ])
        }
        for (index, past) in urls.past.inOrder.enumerated() {
            add([
                Report.Row(
                    "opened.\(index)",
                    .text(
                        "at=\(past.at.nanoseconds) app=\(past.app) outcome=\(past.outcome) asker=\(past.asker.word) "
                            + "url=\(past.url)"))
            ])
        }
        for outcome in OpenAnswer.Outcome.allCases {
            let count = urls.counts[Int(outcome.rawValue)]
            if count > 0 { add([Report.Row("opens.\(outcome)", .number(Int64(clamping: count)))]) }
        }
    }
}
