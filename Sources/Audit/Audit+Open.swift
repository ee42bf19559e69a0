// Audit+Open.swift: URLs that somebody asks for: who is refused, who is told, and that each is answered once.
//
//     asked ─▶ refused, in the same step: not in front · no app has the scheme · dark · too many
//       └────▶ under way: its app comes to front, is told in two lives at most, answers ─▶ whoever asked is answered
//
// Whoever stands where it comes loses its touches for that reason. What a server has under way ends with it.
//
// Sources   invented, with the same rules as the server's

import Basics
import Hosting
import Settings
import Wire

struct OpenLedger: Sendable {
    struct Entry: Sendable {
        let id: UInt32
        let app: UInt32
        let url: URLText
        let asker: Peer
        /// The asker's life, of an app.
        let life: UInt32?
        let asked: UInt32
        let since: Instant
        var first: UInt32?
        /// It was said to the link that is there.
        var isTold = false
    }

    var entries: [Entry] = []
    var lastID: UInt32 = 0

    static let limit = 16
}

extension Audit {
    /// The server hears that somebody asks.
    mutating func heardOpen(_ request: OpenRequest, from asker: Peer, life: UInt32?, _ step: Step) {
        guard !isEnd(step) else { return }
        let app = appToOpen(request, step)
        let expected = refusal(of: asker, app)
        let said = refusal(of: request, from: asker, in: step)
        // Behind another, of an app that nobody knows to be its.
        if options.schemes == nil, app == nil, said == nil {
            opens.lastID &+= 1
            return
        }
        guard expected == said else {
            let text = { (outcome: OpenAnswer.Outcome?) in outcome.map { "refused: \($0)" } ?? "taken" }
            note(
                .legality,
                "\(asker) asks for \(request.url.scheme): expected it \(text(expected)), found it \(text(said))", step)
            return
        }
        guard expected == nil, let app else { return }
        opens.lastID &+= 1
        opens.entries.append(
            OpenLedger.Entry(
                id: opens.lastID, app: app, url: request.url, asker: asker, life: life, asked: request.id,
                since: step.at))
        guard !front.hasOnTop(app) else { return }
        revoke(front.take(.foreground(app: app), there: appsThere), .opened)
        forgetSwipes()
    }

    /// Where it is not known who has declared what, the server is believed.
    private func appToOpen(_ request: OpenRequest, _ step: Step) -> UInt32? {
        if let schemes = options.schemes { return schemes.app(of: request.url.scheme) }
        for case .send(let frame, to: let peer) in step.effects {
            switch frame.message {
            case .wanted(let wish) where peer == .supervisor: return wish.app
            case .open(let told) where peer.role == .app && told.url == request.url: return peer.instance
            case .opened(let answer) where answer.id == request.id && answer.app > 0: return answer.app
            default: continue
            }
        }
        return nil
    }

    private func refusal(of asker: Peer, _ app: UInt32?) -> OpenAnswer.Outcome? {
        let shown = front.shownEverywhere
        if asker.role == .app, !shown.contains(where: { $0.who == .app(asker.instance) }) { return .notInFront }
        if app == nil { return .noApp }
        if front.shown.isEmpty { return .locked }
        return opens.entries.count >= OpenLedger.limit ? .tooMany : nil
    }

    private func refusal(of request: OpenRequest, from asker: Peer, in step: Step) -> OpenAnswer.Outcome? {
        for case .send(let frame, to: let peer) in step.effects {
            guard case .opened(let answer) = frame.message, answer.id == request.id, answer.outcome != .opened,
                peer.role == asker.role
                    || (asker.role == .controller && peer == .supervisor && answer.asker == asker.instance)
            else { continue }
            return answer.outcome
        }
        return nil
    }

    /// A server that ends in this step has heard nothing.
    private func isEnd(_ step: Step) -> Bool {
        step.effects.contains { if case .exit = $0 { true } else { false } }
    }

    /// An app says that it has opened one.
    mutating func heardOpened(_ answer: OpenAnswer, of place: Int, _ step: Step) {
        guard !isEnd(step), let index = opens.entries.firstIndex(where: { $0.id == answer.id }) else { return }
        let entry = opens.entries[index]
        guard entry.app == apps[place].instance, entry.isTold else { return }
        opens.entries.remove(at: index)
        guard isThere(entry) else { return }
        let isSaid = answers(to: entry, in: step).contains(.opened)
        if !isSaid { note(.conservation, "\(entry.asker) is not told that \(entry.url.scheme) was opened", step) }
    }

    private func isThere(_ entry: OpenLedger.Entry) -> Bool {
        guard let life = entry.life else { return true }
        return apps.contains { $0.instance == entry.asker.instance && $0.isHeldByServer && $0.generationHeard == life }
    }

    private func answers(to entry: OpenLedger.Entry, in step: Step) -> [OpenAnswer.Outcome] {
        step.effects.compactMap { effect in
            guard case .send(let frame, to: let peer) = effect, case .opened(let answer) = frame.message,
                answer.id == entry.asked, answer.app == entry.app
            else { return nil }
            let isItsOwn =
                entry.life == nil ? peer == .supervisor && answer.asker == entry.asker.instance : peer == entry.asker
            return isItsOwn ? answer.outcome : nil
        }
    }

    /// The server tells an app.
    mutating func told(_ request: OpenRequest, _ place: Int, _ step: Step) {
        let app = apps[place].instance
        // Whoever asked for those before it has ended meanwhile, and nobody is told what came of them.
        while let index = opens.entries.firstIndex(where: { $0.app == app }), opens.entries[index].id < request.id,
            !isThere(opens.entries[index])
        {
            opens.entries.remove(at: index)
        }
        guard let index = opens.entries.firstIndex(where: { $0.app == app }), opens.entries[index].id == request.id,
            opens.entries[index].url == request.url
        else {
            guard options.schemes != nil else { return }
            return note(.conservation, "app \(app) is told of open \(request.id), which is not its next", step)
        }
        let life = apps[place].generationHeard ?? 0
        let first = opens.entries[index].first ?? life
        (opens.entries[index].first, opens.entries[index].isTold) = (first, true)
        guard life < first || life - first >= 2 else { return }
        note(.conservation, "app \(app) is told of open \(request.id) in life \(life), and was first in \(first)", step)
    }

    /// Those that are over for another reason than that they were opened.
    mutating func takeOpenEnds(_ step: Step) {
        guard !opens.entries.isEmpty else { return }
        for effect in step.effects {
            guard case .send(let frame, to: _) = effect, case .opened(let answer) = frame.message,
                answer.outcome == .late || answer.outcome == .died
            else { continue }
            let over = opens.entries.firstIndex { entry in
                entry.asked == answer.id && answers(to: entry, in: step).contains(answer.outcome)
            }
            if let over { opens.entries.remove(at: over) }
        }
    }

    mutating func openLinkLost(of place: Int) {
        for index in opens.entries.indices where opens.entries[index].app == apps[place].instance {
            opens.entries[index].isTold = false
        }
    }

    mutating func finishOpens(at end: Instant) {
        guard server?.isAlive == true else { return }
        for entry in opens.entries where isThere(entry) {
            let waited = entry.since.duration(to: end)
            let limit = options.openLimit + options.lossBound
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
