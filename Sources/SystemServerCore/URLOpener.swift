// URLOpener.swift: every URL that an app has to open: which app, when it is sent, and when it is over.
//
//     request ─┬ refused ─▶ an answer
//              └ an Opening ─▶ its app: launched, sent the URL, launched again ─▶ an answer
//
// Station   app
// Input     SystemServerCore: requests of operators and apps, apps that connect, disconnect and answer, its timer
// Output    steps, in order
// Knows     schemes, app numbers, generations. No scene, no link, no clock.
//
// An app has at most one URL that it has not answered. A URL is sent to at most two processes of its app: if it ended
// both, no third one is started for it. An app that was launched with a URL recognizes it by its number, and answers
// without opening it again. A URL in progress ends with the server.
//
// Sources   inferred    an app that is not active opens nothing: iOS refuses `open` from the background
//           invented    the numbers, the limits, two processes

import Basics
import Hosting
import Settings
import Trace
import Wire

/// The URLs in progress, and the last ones that are over.
struct URLOpener: Sendable {
    /// The origin of a request.
    enum Requester: Hashable, Sendable {
        /// A controller, through the supervisor.
        case controller(UInt32)
        /// An app's process. The generation matters because the next process numbers its requests from the beginning.
        case app(AppID, generation: UInt32)
    }

    /// One URL in progress.
    struct Entry: Sendable {
        let id: UInt32
        let app: AppID
        let url: URLText
        let requester: Requester
        /// The number that the requester gave the request.
        let requestID: UInt32
        let since: Instant
        /// The first generation of the app that received the URL; nil while there is none.
        var firstGeneration: UInt32?
        var machine = Opening()
    }

    /// A request that is over.
    struct Past: Sendable {
        let app: AppID
        let requester: Requester
        let url: URLText
        let outcome: OpenAnswer.Outcome
        let at: Instant
    }

    /// What the core has to carry out.
    enum Step: Equatable, Sendable {
        /// Removes the URL from the messages that wait for the app's credit window, because it is over or is sent again.
        case withdraw(UInt32, from: AppID)
        case send(OpenRequest, to: AppID)
        case launch(LaunchRequest)
        case answer(Requester, OpenAnswer)
        /// Moves the timer; nil disarms it, because no URL waits.
        case wake(at: Instant?)
    }

    /// The limit of URLs in progress in the whole group.
    static let limit = 16
    private static let pastLimit = 16

    private let schemes: Schemes
    private let timeLimit: Duration
    /// In the order of the requests.
    private(set) var entries: [Entry] = []
    private(set) var past = RecentElements<Past>(pastLimit)
    /// The number of requests that are over, by outcome.
    private(set) var counts = [UInt64](repeating: 0, count: OpenAnswer.Outcome.allCases.count)
    private var lastID: UInt32 = 0
    /// Limits the notes: every URL becomes a name in the trace, and a peer may request any number of URLs.
    private var noted = RepetitionLimit()

    init(_ settings: Settings) {
        // The start of a group has checked the text. A journal with a wrong text opens nothing.
        schemes = (try? Schemes(text: settings[.groupSchemes])) ?? Schemes()
        timeLimit = settings[.serverOpenURLTimeout]
    }

    // MARK: Requests

    /// Handles a request.
    ///
    /// - Parameters:
    ///   - isActive: Whether the requester is active; true for an operator.
    ///   - isDark: Whether the screen is dark.
    /// - Returns: The steps, and the URL in progress; nil if the request is refused.
    mutating func begin(
        _ request: OpenRequest, for asker: Requester, isActive: Bool, isDark: Bool, at now: Instant,
        trace: inout TraceLog
    ) -> ([Step], Entry?) {
        let app = schemes.app(of: request.url.scheme)
        guard let app, isActive, !isDark, entries.count < Self.limit else {
            let outcome: OpenAnswer.Outcome =
                !isActive ? .notInFront : app == nil ? .noApp : isDark ? .locked : .tooMany
            remember(Past(app: app ?? 0, requester: asker, url: request.url, outcome: outcome, at: now))
            if noted.countOccurrence() {
                trace.note(
                    now, .app, "open {a:n} for {b:n} refused: {c:n}", trace.intern("\(request.url)"),
                    trace.intern("\(asker)"), trace.intern("\(outcome)"))
            }
            return ([answer(asker, request.id, app, outcome)], nil)
        }
        lastID &+= 1
        let entry = Entry(id: lastID, app: app, url: request.url, requester: asker, requestID: request.id, since: now)
        entries.append(entry)
        if noted.countOccurrence() {
            trace.note(
                now, .app, "open {a:n} for {b:n}: app {c}, open {d}", trace.intern("\(request.url)"),
                trace.intern("\(asker)"), Int64(app), Int64(entry.id))
        }
        return ([.wake(at: due)], entry)
    }

    /// Requests the launch of a URL's app.
    func launch(_ entry: Entry, comesToFront: Bool) -> Step {
        .launch(
            LaunchRequest(
                app: entry.app, comesToFront: comesToFront, deliveredGenerations: entry.firstGeneration == nil ? 0 : 1,
                openRequest: OpenRequest(id: entry.id, url: entry.url)))
    }

    // MARK: Apps

    /// Sends a linked app the URL that it has to open next, unless it was sent already.
    mutating func sendNext(
        _ app: AppID, generation: UInt32, at now: Instant, trace: inout TraceLog
    ) -> [Step] {
        var steps: [Step] = []
        while let index = first(of: app), entries[index].machine.state != .sent {
            let first = entries[index].firstGeneration ?? generation
            let isOutlived = generation < first || generation - first >= LaunchRequest.generationLimit
            entries[index].firstGeneration = first
            steps += handle(isOutlived ? .outlived : .linked, at: index, now, trace: &trace)
        }
        return steps
    }

    /// Notes that the link of an app is gone.
    mutating func unlink(_ app: AppID, at now: Instant, trace: inout TraceLog) -> [Step] {
        first(of: app).map { handle(.unlinked, at: $0, now, trace: &trace) } ?? []
    }

    /// Notes that the link of an app has lost frames.
    mutating func framesLost(by app: AppID, at now: Instant, trace: inout TraceLog) -> [Step] {
        first(of: app).map { handle(.framesLost, at: $0, now, trace: &trace) } ?? []
    }

    /// The result of an app's answer.
    enum Answered: Equatable, Sendable {
        case steps([Step])
        /// No correct app answers like this. At fault: the app.
        case violation(String)
    }

    /// Handles an app's answer: it has opened a URL.
    mutating func answered(
        _ answer: OpenAnswer, by app: AppID, generation: UInt32, at now: Instant, trace: inout TraceLog
    ) -> Answered {
        guard answer.outcome == .opened, answer.id <= lastID else {
            return .violation("it answers open \(answer.id) of \(lastID): \(answer.outcome)")
        }
        guard let index = index(of: answer.id) else { return .steps([]) }
        guard entries[index].app == app else {
            return .violation("it answers open \(answer.id), which is app \(entries[index].app)'s")
        }
        let steps = handle(.answered, at: index, now, trace: &trace)
        return .steps(steps + sendNext(app, generation: generation, at: now, trace: &trace))
    }

    /// Notes that the supervisor has given up starting the app of a URL.
    mutating func failed(_ id: UInt32, at now: Instant, trace: inout TraceLog) -> [Step] {
        index(of: id).map { handle(.failed, at: $0, now, trace: &trace) } ?? []
    }

    /// Ends the URLs that have waited too long.
    ///
    /// - Parameter generation: The generation of a linked app; nil for any other.
    mutating func passTime(at now: Instant, trace: inout TraceLog, generation: (AppID) -> UInt32?) -> [Step] {
        var steps: [Step] = []
        var apps: [AppID] = []
        while let due, due <= now {
            let app = entries[0].app
            steps += handle(.due, at: 0, now, trace: &trace)
            if !apps.contains(app) { apps.append(app) }
        }
        // The next URLs are sent only after all late ones have ended, because they may be late too.
        for app in apps {
            guard let generation = generation(app) else { continue }
            steps += sendNext(app, generation: generation, at: now, trace: &trace)
        }
        if let due { steps.append(.wake(at: due)) }
        return steps
    }

    // MARK: One URL

    /// The moment at which the first URL is late; nil if there is none.
    private var due: Instant? { entries.first.map { $0.since.advanced(by: timeLimit) } }

    /// The index of the URL that the app was sent, or will be sent next.
    private func first(of app: AppID) -> Int? { entries.firstIndex { $0.app == app } }

    private func index(of id: UInt32) -> Int? { entries.firstIndex { $0.id == id } }

    private mutating func handle(
        _ input: Opening.Input, at index: Int, _ now: Instant, trace: inout TraceLog
    ) -> [Step] {
        let decision = entries[index].machine.handle(input)
        let entry = entries[index]
        switch decision {
        case .nothing: return []
        case .send:
            trace.note(now, .app, "app {a}: open {b}", Int64(entry.app), Int64(entry.id))
            return [
                .withdraw(entry.id, from: entry.app), .send(OpenRequest(id: entry.id, url: entry.url), to: entry.app),
            ]
        case .launch: return [launch(entry, comesToFront: false)]
        case .end(let outcome):
            trace.note(
                now, .app, "app {a}: open {b} ended: {c:n}", Int64(entry.app), Int64(entry.id),
                trace.intern("\(outcome)"))
            entries.remove(at: index)
            remember(Past(app: entry.app, requester: entry.requester, url: entry.url, outcome: outcome, at: now))
            let rest: [Step] = entries.isEmpty ? [.wake(at: nil)] : []
            return [.withdraw(entry.id, from: entry.app)] + rest
                + [answer(entry.requester, entry.requestID, entry.app, outcome)]
        }
    }

    private mutating func remember(_ one: Past) {
        past.append(one)
        counts[Int(one.outcome.rawValue)] &+= 1
    }

    private func answer(_ asker: Requester, _ id: UInt32, _ app: AppID?, _ outcome: OpenAnswer.Outcome) -> Step {
        let number: UInt32 = if case .controller(let number) = asker { number } else { 0 }
        return .answer(asker, OpenAnswer(asker: number, id: id, app: app, outcome: outcome))
    }
}

extension URLOpener.Requester: CustomStringConvertible {
    var description: String {
        switch self {
        case .controller: "the operator"
        case .app(let app, generation: _): "app \(app)"
        }
    }

    /// The name in a row of details.
    fileprivate var name: String {
        switch self {
        case .controller(let number): "controller:\(number)"
        case .app(let app, generation: _): "app:\(app)"
        }
    }
}

extension ServerDetail {
    /// Adds a row for each URL in progress, `opening.0 = open=3 app=2 state=waiting requester=… since=… url=…`, and for
    /// each one that is over.
    mutating func add(_ urls: URLOpener) {
        for (index, entry) in urls.entries.enumerated() {
            add([
                Report.Row(
                    "opening.\(index)",
                    .text(
                        "open=\(entry.id) app=\(entry.app) state=\(entry.machine.state) requester=\(entry.requester.name) "
                            + "since=\(entry.since.nanoseconds) url=\(entry.url)"))
            ])
        }
        for (index, past) in urls.past.inOrder.enumerated() {
            add([
                Report.Row(
                    "opened.\(index)",
                    .text(
                        "at=\(past.at.nanoseconds) app=\(past.app) outcome=\(past.outcome) requester=\(past.requester.name) "
                            + "url=\(past.url)"))
            ])
        }
        for outcome in OpenAnswer.Outcome.allCases {
            let count = urls.counts[Int(outcome.rawValue)]
            if count > 0 { add([Report.Row("opens.\(outcome)", .number(Int64(clamping: count)))]) }
        }
    }
}
