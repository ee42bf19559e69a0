// Audit+Open.swift: requests to open URLs: each has one answer, and an app receives only requested URLs.
//
// Rules for each request, checked on frames alone:
//    refused    in the same step, and only if: the asker is not in front · no app has the scheme · dark · too many
//    accepted   its app comes to the front in that step; the app that was there loses its touches (`opened`)
//    sent       to its app, one after the other in the order of the requests, to two process generations at most
//    answered   once, to its asker: opened in the step in which its app reports it, late not before `server.openURLTimeout`
//
// Input     Audit+Server: requests and answers are inputs and effects of the server, so that no loss lies between them
// Output    violations
//
// A server that ends forgets its requests. An asker that has ended receives no answer.
//
// Sources   invented, with the same rules as the server's

import Basics
import Hosting
import Settings
import Wire

/// The open requests of a group.
struct OpenLedger: Sendable {
    /// A request without an answer.
    struct Entry: Sendable {
        /// The number under which its app receives it; nil if the request is to be refused.
        let id: UInt32?
        /// Nil if no app has the scheme.
        let app: AppID?
        let url: URLText
        let asker: Peer
        /// The process generation of the asker, if the asker is an app.
        let askerGeneration: UInt32?
        let requestID: UInt32
        let since: Instant
        /// The first process generation of the app that received the request.
        var firstGeneration: UInt32?
        /// The answer that the current step has to give; nil while the request may stay open.
        var due: OpenAnswer.Outcome?
    }

    var entries: [Entry] = []
    var lastID: UInt32 = 0

    static let limit = 16
}

extension Audit {
    // MARK: Requests

    /// Handles a request that the server received.
    mutating func handleOpenRequest(_ request: OpenRequest, from asker: Peer, generation: UInt32?, _ step: Step) {
        let app = appToOpen(request, step)
        let refusal = refusal(of: asker, app, step)
        let isAnswered = step.openAnswers.contains { $0.answer.id == request.id }
        // The request waits behind another one, and its app appears in no effect of the step.
        let isUnknown = options.group.schemes == nil && app == nil && !isAnswered
        if refusal == nil || isUnknown { opens.lastID &+= 1 }
        guard !isUnknown else { return }
        opens.entries.append(
            OpenLedger.Entry(
                id: refusal == nil ? opens.lastID : nil, app: app, url: request.url, asker: asker,
                askerGeneration: generation,
                requestID: request.id, since: step.at, due: refusal))
        guard refusal == nil, let app, !front.hasOnTop(app) else { return }
        revoke(front.apply(.foreground(app: app), linkedApps: linkedApps), .opened)
        forgetSwipes()
    }

    /// Returns the app for a request. If the schemes are unknown, the effects of the server show it.
    private func appToOpen(_ request: OpenRequest, _ step: Step) -> AppID? {
        if let schemes = options.group.schemes { return schemes.app(of: request.url.scheme) }
        for case .send(let frame, to: let peer) in step.effects {
            switch frame.message {
            case .launchRequest(let request) where peer == .supervisor: return request.app
            case .open(let told) where peer.role == .app && told.url == request.url: return peer.app
            case .opened(let answer) where answer.id == request.id && answer.app != nil: return answer.app
            default: continue
            }
        }
        return nil
    }

    private func refusal(of asker: Peer, _ app: AppID?, _ step: Step) -> OpenAnswer.Outcome? {
        let shown = front.shownEverywhere
        if let app = asker.app, !shown.contains(where: { $0.content == .app(app) }) { return .notInFront }
        if app == nil { return .noApp }
        if front.shown.isEmpty { return .locked }
        guard opens.entries.count >= OpenLedger.limit else { return nil }
        // No answer ends a request whose asker has ended. If only such requests could reach the limit, the server's
        // refusal is accepted.
        let isCertain = opens.entries.count(where: isAskerLinked) >= OpenLedger.limit
        return isCertain || step.openAnswers.contains { $0.answer.outcome == .tooMany } ? .tooMany : nil
    }

    // MARK: Apps

    /// Handles an app's report that it opened a URL: the asker receives the answer in this step.
    mutating func handleOpened(_ answer: OpenAnswer, of appIndex: Int) {
        let app = apps[appIndex].app
        for index in opens.entries.indices {
            let entry = opens.entries[index]
            if entry.id == answer.id, entry.app == app, entry.firstGeneration != nil {
                opens.entries[index].due = .opened
            }
        }
    }

    /// Handles a URL that the server sends to an app.
    mutating func handleSentURL(_ request: OpenRequest, _ appIndex: Int, _ step: Step) {
        let app = apps[appIndex].app
        // No answer ended the earlier requests whose askers have ended.
        opens.entries = opens.entries.filter { entry in
            entry.app != app || entry.id.map { $0 >= request.id } == true || isAskerLinked(entry)
        }
        guard let index = opens.entries.firstIndex(where: { $0.app == app }), opens.entries[index].id == request.id,
            opens.entries[index].url == request.url
        else {
            guard options.group.schemes != nil else { return }
            return note(.conservation, "app \(app) received open \(request.id), which is not its next", step)
        }
        let generation = apps[appIndex].acceptedGeneration ?? 0
        let first = opens.entries[index].firstGeneration ?? generation
        opens.entries[index].firstGeneration = first
        guard generation < first || generation - first >= 2 else { return }
        note(
            .conservation, "app \(app) received open \(request.id) in generation \(generation), and first in \(first)",
            step)
    }

    // MARK: Answers

    private func isAskerLinked(_ entry: OpenLedger.Entry) -> Bool {
        guard let generation = entry.askerGeneration else { return true }
        return apps.contains { $0.app == entry.asker.app && $0.isLinkedToServer && $0.acceptedGeneration == generation }
    }

    /// Whether an answer belongs to this request and is right at this moment.
    private func isAnswered(
        _ entry: OpenLedger.Entry, by answer: OpenAnswer, to peer: Peer, at now: Instant
    ) -> Bool {
        let isItsOwn =
            if let generation = entry.askerGeneration {
                peer == entry.asker
                    && apps.contains { $0.app == peer.app && $0.acceptedGeneration == generation }
            } else {
                peer == .supervisor && answer.asker == entry.asker.instance
            }
        guard isItsOwn, answer.id == entry.requestID, answer.app == entry.app else { return false }
        if let due = entry.due { return answer.outcome == due }
        let isLate = entry.since.duration(to: now) >= options.group.openLimit
        return answer.outcome == .died || answer.outcome == .late && isLate
    }

    /// Judges that each answer of the step belongs to one request, and that each request has the answer due to it.
    mutating func judgeOpens(_ step: Step) {
        let answers = step.openAnswers
        guard !answers.isEmpty || !opens.entries.isEmpty else { return }
        // A server that exits in this step has not handled its input.
        let isEnding = step.effects.contains { if case .exit = $0 { true } else { false } }
        guard !isEnding else { return }
        for (peer, answer) in answers {
            if let index = opens.entries.firstIndex(where: { isAnswered($0, by: answer, to: peer, at: step.at) }) {
                opens.entries.remove(at: index)
            } else if options.group.schemes != nil {
                note(
                    .conservation,
                    "\(peer) received the answer \(answer.outcome) for request \(answer.id), and no such answer is due",
                    step)
            }
        }
        for entry in opens.entries where isAskerLinked(entry) {
            guard let due = entry.due else { continue }
            note(
                due == .opened ? .conservation : .legality,
                "\(entry.asker) did not receive the answer \(due) for its request of \(entry.url.scheme)", step)
        }
        opens.entries.removeAll { $0.due != nil }
    }

    mutating func finishOpens(at end: Instant) {
        guard server?.isAlive == true else { return }
        for entry in opens.entries where isAskerLinked(entry) {
            let waited = entry.since.duration(to: end)
            let limit = options.group.openLimit + options.lossBound
            guard isLate(waited, limit, since: entry.since, until: end, [.systemServer]) else { continue }
            note(.promptness) {
                Violation(
                    .promptness,
                    "\(entry.asker) has no answer for its request of \(entry.url.scheme) for \(waited.milliseconds); limit "
                        + "\(limit.milliseconds)", at: end)
            }
        }
    }
}

extension Step {
    /// The answers that the step sends to askers.
    fileprivate var openAnswers: [(peer: Peer, answer: OpenAnswer)] {
        effects.compactMap { effect in
            guard case .send(let frame, to: let peer) = effect, case .opened(let answer) = frame.message else {
                return nil
            }
            return (peer, answer)
        }
    }
}
