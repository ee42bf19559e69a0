// Audit+Open.swift: URLs that are requested: each request has one answer, and an app is told only of what was requested.
//
// What holds for each request, of frames alone:
//    refused    in the same step, and only if: the asker is not in front · no app has the scheme · dark · too many
//    taken      its app comes to the front in that step; who stood there loses its touches for that reason (`opened`)
//    told       to its app, one after the other in the order of the requests, in two lives at most
//    answered   once, to its asker: opened in the step in which its app says so, late not before `server.openLimit`
//
// Requests and answers are the server's own input and effects, so that no loss on a link and no process that ends comes
// between them. A server that ends takes its requests with it. An asker that has ended is told nothing.
//
// Sources   invented, with the same rules as the server's

import Basics
import Hosting
import Settings
import Wire

struct OpenLedger: Sendable {
    /// A request without an answer.
    struct Entry: Sendable {
        /// As its app is told it; nil of one that is to be refused.
        let id: UInt32?
        /// Nil if no app has the scheme.
        let app: AppID?
        let url: URLText
        let asker: Peer
        /// The asker's life, of an app.
        let life: UInt32?
        let asked: UInt32
        let since: Instant
        /// The first life of its app that was told.
        var first: UInt32?
        /// The answer that the step under way has to give; nil while the request may stay open.
        var due: OpenAnswer.Outcome?
    }

    var entries: [Entry] = []
    var lastID: UInt32 = 0

    static let limit = 16
}

extension Audit {
    // MARK: Requests

    /// The server hears a request.
    mutating func heardOpen(_ request: OpenRequest, from asker: Peer, life: UInt32?, _ step: Step) {
        let app = appToOpen(request, step)
        let refusal = refusal(of: asker, app, step)
        let isAnswered = step.openAnswers.contains { $0.answer.id == request.id }
        // Behind another, of an app that nothing in the step names.
        let isUnknown = options.group.schemes == nil && app == nil && !isAnswered
        if refusal == nil || isUnknown { opens.lastID &+= 1 }
        guard !isUnknown else { return }
        opens.entries.append(
            OpenLedger.Entry(
                id: refusal == nil ? opens.lastID : nil, app: app, url: request.url, asker: asker, life: life,
                asked: request.id, since: step.at, due: refusal))
        guard refusal == nil, let app, !front.hasOnTop(app) else { return }
        revoke(front.take(.foreground(app: app), there: appsThere), .opened)
        forgetSwipes()
    }

    /// Where it is not known which app has which scheme, the server's word is taken.
    private func appToOpen(_ request: OpenRequest, _ step: Step) -> AppID? {
        if let schemes = options.group.schemes { return schemes.app(of: request.url.scheme) }
        for case .send(let frame, to: let peer) in step.effects {
            switch frame.message {
            case .wanted(let wish) where peer == .supervisor: return wish.app
            case .open(let told) where peer.role == .app && told.url == request.url: return peer.app
            case .opened(let answer) where answer.id == request.id && answer.app != nil: return answer.app
            default: continue
            }
        }
        return nil
    }

    private func refusal(of asker: Peer, _ app: AppID?, _ step: Step) -> OpenAnswer.Outcome? {
        let shown = front.shownEverywhere
        if let app = asker.app, !shown.contains(where: { $0.who == .app(app) }) { return .notInFront }
        if app == nil { return .noApp }
        if front.shown.isEmpty { return .locked }
        guard opens.entries.count >= OpenLedger.limit else { return nil }
        // No answer says when a request ends whose asker has ended: the server's word is taken for those alone.
        let isCertain = opens.entries.count(where: isThere) >= OpenLedger.limit
        return isCertain || step.openAnswers.contains { $0.answer.outcome == .tooMany } ? .tooMany : nil
    }

    // MARK: Apps

    /// An app says that it has opened one: its asker is told so in this step.
    mutating func heardOpened(_ answer: OpenAnswer, of place: Int) {
        let app = apps[place].app
        for index in opens.entries.indices {
            let entry = opens.entries[index]
            if entry.id == answer.id, entry.app == app, entry.first != nil { opens.entries[index].due = .opened }
        }
    }

    /// The server tells an app.
    mutating func told(_ request: OpenRequest, _ place: Int, _ step: Step) {
        let app = apps[place].app
        // No answer says what came of a request whose asker has ended.
        opens.entries = opens.entries.filter { entry in
            entry.app != app || entry.id.map { $0 >= request.id } == true || isThere(entry)
        }
        guard let index = opens.entries.firstIndex(where: { $0.app == app }), opens.entries[index].id == request.id,
            opens.entries[index].url == request.url
        else {
            guard options.group.schemes != nil else { return }
            return note(.conservation, "app \(app) is told of open \(request.id), which is not its next", step)
        }
        let life = apps[place].generationHeard ?? 0
        let first = opens.entries[index].first ?? life
        opens.entries[index].first = first
        guard life < first || life - first >= 2 else { return }
        note(.conservation, "app \(app) is told of open \(request.id) in life \(life), and was first in \(first)", step)
    }

    // MARK: Answers

    private func isThere(_ entry: OpenLedger.Entry) -> Bool {
        guard let life = entry.life else { return true }
        return apps.contains { $0.app == entry.asker.app && $0.isHeldByServer && $0.generationHeard == life }
    }

    /// Whether an answer is to this request, and right now.
    private func isAnswered(
        _ entry: OpenLedger.Entry, by answer: OpenAnswer, to peer: Peer, at now: Instant
    ) -> Bool {
        let isItsOwn =
            if let life = entry.life {
                peer == entry.asker
                    && apps.contains { $0.app == peer.app && $0.generationHeard == life }
            } else {
                peer == .supervisor && answer.asker == entry.asker.instance
            }
        guard isItsOwn, answer.id == entry.asked, answer.app == entry.app else { return false }
        if let due = entry.due { return answer.outcome == due }
        let isLate = entry.since.duration(to: now) >= options.group.openLimit
        return answer.outcome == .died || answer.outcome == .late && isLate
    }

    /// Each answer of this step belongs to one request, and each request has the answer that is due to it.
    mutating func judgeOpens(_ step: Step) {
        let answers = step.openAnswers
        guard !answers.isEmpty || !opens.entries.isEmpty else { return }
        // A server that ends in this step has heard nothing.
        let isEnding = step.effects.contains { if case .exit = $0 { true } else { false } }
        guard !isEnding else { return }
        for (peer, answer) in answers {
            if let index = opens.entries.firstIndex(where: { isAnswered($0, by: answer, to: peer, at: step.at) }) {
                opens.entries.remove(at: index)
            } else if options.group.schemes != nil {
                note(
                    .conservation,
                    "\(peer) is answered \(answer.outcome) for request \(answer.id), and no request is to be answered so",
                    step)
            }
        }
        for entry in opens.entries where isThere(entry) {
            guard let due = entry.due else { continue }
            note(
                due == .opened ? .conservation : .legality,
                "\(entry.asker) is not answered \(due) for its request of \(entry.url.scheme)", step)
        }
        opens.entries.removeAll { $0.due != nil }
    }

    mutating func finishOpens(at end: Instant) {
        guard server?.isAlive == true else { return }
        for entry in opens.entries where isThere(entry) {
            let waited = entry.since.duration(to: end)
            let limit = options.group.openLimit + options.lossBound
            guard isLate(waited, limit, since: entry.since, until: end, [.systemServer]) else { continue }
            note(.promptness) {
                Violation(
                    .promptness,
                    "\(entry.asker) has not heard what came of \(entry.url.scheme) for \(waited.milliseconds); limit "
                        + "\(limit.milliseconds)", at: end)
            }
        }
    }
}

extension Step {
    /// What askers are told of their requests.
    fileprivate var openAnswers: [(peer: Peer, answer: OpenAnswer)] {
        effects.compactMap { effect in
            guard case .send(let frame, to: let peer) = effect, case .opened(let answer) = frame.message else {
                return nil
            }
            return (peer, answer)
        }
    }
}
