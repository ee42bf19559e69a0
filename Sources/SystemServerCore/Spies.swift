// Spies.swift: spies from outside the server, in the server: what they are shown of a scan, and how they take a touch.
//
//     a scan ─▶ the system's gestures ─▶ router ─▶ apps ─▶ spies           told beside the apps, and never before them
//     a spy's yes ─▶ the system's gestures have decided ─▶ Router.pilfer ─▶ the app hears `cancelled`, once
//
// Station   router
// Fed by    SystemServerCore: the supervisor's word of spies, scans as they were routed
// Feeds     the supervisor: pages; apps: cancels
// Knows     whose windows are secure, as far as they are declared.
//
// Sources   invented, after Android's input monitors; SEMANTICS D5

import Basics
import HID
import Hosting
import Links
import Trace
import Wire

extension SystemServerCore {
    mutating func hears(_ request: SpyRequest, at now: Instant, into outbox: inout Outbox) {
        switch request.word {
        case .begin(let interest):
            let page = spies.begin(request.id, interest)
            outbox.trace.note(now, .router, "spy {a} looks on, {b} now", Int64(request.id), Int64(spies.spies.count))
            tell(page, into: &outbox)
        case .took(let number): tell(spies.took(number, by: request.id), into: &outbox)
        case .answer(let touch, let answer):
            tell(spies.answer(touch, answer, by: request.id, at: now), into: &outbox)
            settleWishes(at: now, into: &outbox)
        case .end:
            guard spies.spies.contains(where: { $0.id == request.id }) else { return }
            spies.end(request.id)
            outbox.trace.note(now, .router, "spy {a} is gone, {b} now", Int64(request.id), Int64(spies.spies.count))
        }
        router.isWatched = !spies.isEmpty
    }

    /// A scan has been routed, and everybody told of it.
    mutating func tellSpies(
        _ event: HIDEvent, _ seen: [Router.Seen], at now: Instant, into outbox: inout Outbox
    ) {
        guard !spies.isEmpty, !seen.isEmpty else { return }
        var sights = seen.map { seen in
            var owner = seen.owner
            // Of an app that does not answer it was not to be.
            if seen.phase != .ended, seen.phase != .cancelled, !router.owns(seen.touch) { owner = nil }
            let place = isTold(owner) ? SpiedPlace(seen.x, seen.y, on: seen.display) : nil
            return SpyTable.Sight(touch: seen.touch, phase: seen.phase, owner: SpiedOwner(owner), place: place)
        }
        sights.sort { $0.touch < $1.touch }
        for page in spies.show(sights, of: event, at: now) { tell(page, into: &outbox) }
    }

    /// Whether spies are told where a finger of this owner's is.
    private func isTold(_ owner: Recipient?) -> Bool {
        switch owner {
        case .app(let app): apps.hidesPlaces(of: app) ? false : rules.saysPlaces || apps.windows(of: app) != nil
        case .home, .overlay, .alert, .keyboard, .shade, nil: rules.saysPlaces
        }
    }

    /// The system has taken these.
    mutating func spiesLose(_ touches: [TouchID], into outbox: inout Outbox) {
        guard !spies.isEmpty else { return }
        for page in spies.lose(touches, to: .system) { tell(page, into: &outbox) }
    }

    /// Every finger is gone.
    mutating func clearSpies(at now: Instant, into outbox: inout Outbox) {
        guard !spies.isEmpty else { return }
        for page in spies.clear(at: now) { tell(page, into: &outbox) }
        settleWishes(at: now, into: &outbox)
    }

    /// Whoever has said yes has the touch now, or waits on, or is told why not.
    mutating func settleWishes(at now: Instant, into outbox: inout Outbox) {
        for wish in spies.wishes {
            // One that was granted before may have ended others.
            guard spies.wishes.contains(wish) else { continue }
            switch router.standing(of: wish.touch) {
            case .gone: tell(spies.refuse(wish, .unknown), into: &outbox)
            case .dead: tell(spies.refuse(wish, .dead), into: &outbox)
            case .owned(.app):
                if gestures?.mayTake(wish.touch) == true { continue }
                pilfer(wish, at: now, into: &outbox)
            case .owned: tell(spies.refuse(wish, .system), into: &outbox)
            }
        }
    }

    private mutating func pilfer(_ wish: SpyTable.Wish, at now: Instant, into outbox: inout Outbox) {
        outbox.trace.note(
            now, .router, "touch {a} taken by spy {b}", Int64(wish.touch.rawValue), Int64(wish.spy))
        for delivery in router.pilfer([wish.touch], by: .monitor, at: now) { tell(delivery, at: now, into: &outbox) }
        for page in spies.take(wish) { tell(page, into: &outbox) }
    }

    private mutating func tell(_ page: SpyPage?, into outbox: inout Outbox) {
        guard let page else { return }
        outbox.append(.send(supervisor.frame(.spied(page)), to: .supervisor))
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
    mutating func add(_ spies: [SpyTable.Spy]) {
        let rows = spies.enumerated().map { index, spy in
            Report.Row(
                "spy.\(index)",
                .text(
                    "id=\(spy.id) app=\(spy.interest.app) watching=\(spy.watching) holding=\(spy.holding) "
                        + "told=\(spy.told) unheard=\(spy.unheard) leftOut=\(spy.leftOut) taken=\(spy.taken) "
                        + "refused=\(spy.refused)"))
        }
        add(rows)
    }
}
