// TouchDispatcher.swift: which contender has each contact of a scan, decided once.
//
//     scan ─▶ system gestures ─▶ touch monitors ─▶ scene at the point ─▶ one delivery for each owner
//              take contacts      keep theirs       of a landing         one page for each touch monitor
//
// Station   router
// Input     SystemServerCore: scans, the layout, receipts, time, requests of touch monitors
// Output    claims, deliveries and pages, in the order in which the core carries them out
// Knows     touches, system gestures, touch monitors. No link.
//
// A contender that is asked later cannot change what one before it has decided, and nothing is revoked in the scan that
// delivers it. A touch monitor that wants a contact waits until the system gestures have decided, and receives it between
// two scans (`settleWishes`).
//
// Sources   documented  Docs/Spec/Semantics.md D1–D6, D8
//           invented    touch monitors, after Android's input monitors

import Basics
import HID
import Hosting
import Settings
import Wire

struct TouchDispatcher: Sendable {
    /// What may have a contact.
    enum Contender: Sendable {
        /// Takes a contact that came in over an edge, once it is a swipe that its app does not defer.
        case systemGestures
        /// Keeps the contacts that a touch monitor has taken between earlier scans.
        case touchMonitors
        /// Receives a contact that lands there, if its app responds, and has it until it lifts.
        case scene
    }

    /// The order in which contenders are asked. The first that claims a contact has it.
    static let contenders: [Contender] = [.systemGestures, .touchMonitors, .scene]

    /// What the core carries out besides deliveries, in this order.
    enum Claim: Equatable, Sendable {
        case taken(TouchID, by: SystemGesture)
        /// The contact stays with its app, and no system gesture takes it any more.
        case left(TouchID)
        /// The second swipe counts, because the app defers the edge.
        case postponed(SystemGesture)
        case pilfered(TouchID, by: UInt32)
        case monitorBegan(UInt32, count: Int)
        case monitorEnded(UInt32, count: Int)
        /// The owner is told, in a frame that is no part of a scan.
        case cancel(Router.Delivery)
        case show(SpyPage)
        case act(SystemGesture)
        case step(SceneTable.Step)
        /// When `TimerID.systemGestures` fires; nil for not at all.
        case wake(Instant?)
    }

    /// What one scan comes to.
    struct Dispatch: Sendable {
        /// What contenders did before the scan was split; empty of almost every scan.
        let claims: [Claim]
        /// The scan, split by owner.
        let split: Router.Outcome
        /// What touch monitors are shown of it, behind the apps.
        let pages: [SpyPage]
    }

    /// Every finger, and its owner.
    var router: Router
    /// Nil when system gestures are off.
    private var gestures: SystemGestures?
    private let zones: EdgeZones?
    private(set) var monitors = SpyTable()
    /// When the timer fires; nil when it is not armed.
    private var wakesAt: Instant?
    /// Whether positions may be shown: `trace.places`.
    private let saysPlaces: Bool

    init(_ displays: Displays, gestures: SystemGestures?, zones: EdgeZones?, saysPlaces: Bool) {
        router = Router(displays)
        (self.gestures, self.zones, self.saysPlaces) = (gestures, zones, saysPlaces)
    }

    // MARK: Scans

    /// Decides who receives each contact of a scan.
    ///
    /// - Parameters:
    ///   - screen: A system gesture changes it before the scan is split.
    ///   - stalled: Apps that do not respond.
    mutating func dispatch(
        _ event: HIDEvent, on screen: inout SceneTable, refusing stalled: [Recipient], at now: Instant
    ) -> Dispatch {
        var claims: [Claim] = []
        var split = Router.Outcome()
        for contender in Self.contenders {
            switch contender {
            case .systemGestures:
                guard isContested, let outcome = gestures?.follow(event, among: &router.fingers, at: now) else {
                    continue
                }
                claims = carryOut(outcome, isInScan: true, on: &screen, at: now)
            // Decided between scans: the route of a contact says that it is taken.
            case .touchMonitors: continue
            case .scene:
                split = router.route(event, over: screen, refusing: stalled)
                if let gestures {
                    openContests(split.landings, of: event, gestures, at: now, into: &claims)
                }
            }
        }
        let pages = split.seen.isEmpty ? [] : self.pages(for: event, split.seen, on: screen, at: now)
        return Dispatch(claims: claims, split: split, pages: pages)
    }

    /// Begins to follow contacts that landed where system gestures begin: at the edges of the main display.
    private mutating func openContests(
        _ landings: [Router.Landing], of event: HIDEvent, _ gestures: SystemGestures, at now: Instant,
        into claims: inout [Claim]
    ) {
        guard let zones else { return }
        for landing in landings {
            guard landing.display == 1, let zone = zones.zone(at: landing.position) else { continue }
            let app: AppID?
            switch landing.recipient {
            case .app(let owner): app = owner
            case .home, .keyboard, .shade: app = nil
            // A call and an alert are answered first.
            case .overlay, .alert, nil: continue
            }
            for i in router.fingers.indices where router.fingers[i].touch == landing.touch {
                router.fingers[i].contest = gestures.landed(
                    landing, in: zone, app: app, generation: event.generationCount, at: now)
            }
        }
        claims += wake()
    }

    // MARK: System gestures

    private var isContested: Bool { gestures != nil && router.fingers.contains { $0.contest != nil } }

    /// Contacts that are a system gesture's, as they swipe; nil when system gestures are off.
    var swiping: Int? { gestures == nil ? nil : router.fingers.count { $0.contest?.isTaken == true } }

    /// An app says at which edges it defers.
    mutating func answered(
        _ receipt: Receipt, of app: AppID, on screen: inout SceneTable, at now: Instant
    ) -> [Claim] {
        guard let edges = receipt.deferredEdges, isContested,
            let outcome = gestures?.answered(
                app, receipt.frame, deferring: edges, among: &router.fingers, at: now)
        else { return [] }
        return carryOut(outcome, isInScan: false, on: &screen, at: now)
    }

    mutating func passTime(on screen: inout SceneTable, at now: Instant) -> [Claim] {
        guard let awaited = wakesAt, awaited <= now else { return [] }
        wakesAt = nil
        guard let outcome = gestures?.pass(among: &router.fingers, at: now) else { return [] }
        return carryOut(outcome, isInScan: false, on: &screen, at: now)
    }

    /// The layout has changed: contacts that lost their owners by it swipe no more.
    mutating func screenChanged() -> [Claim] {
        guard isContested else { return [] }
        for i in router.fingers.indices where !router.fingers[i].isOwned { router.fingers[i].contest = nil }
        return wake()
    }

    /// - Parameter isInScan: Whether what is left to an app is told with the scan at hand.
    private mutating func carryOut(
        _ outcome: SystemGestures.Outcome, isInScan: Bool, on screen: inout SceneTable, at now: Instant
    ) -> [Claim] {
        var claims: [Claim] = outcome.taken.map { .taken($0.touch, by: $0.gesture) }
        claims += outcome.left.map(Claim.left)
        claims += outcome.postponed.map { .postponed($0.gesture) }
        let touches = outcome.taken.map(\.touch)
        router.open(outcome.left)
        claims += router.pilfer(touches, by: .system, telling: isInScan ? [] : outcome.left, at: now).map(Claim.cancel)
        claims += monitors.lose(touches, to: .system, among: &router.fingers).map(Claim.show)
        for gesture in outcome.acts {
            claims.append(.act(gesture))
            for step in screen.handle(.gesture(gesture)) {
                if case .revoke(let recipient) = step {
                    claims += router.revoke(recipient, at: now).map(Claim.cancel)
                }
                claims.append(.step(step))
            }
            claims += screenChanged()
        }
        return claims + wake()
    }

    private mutating func wake() -> [Claim] {
        let due = gestures?.due(among: router.fingers)
        guard due != wakesAt else { return [] }
        wakesAt = due
        return [.wake(due)]
    }

    // MARK: Touch monitors

    mutating func monitor(_ request: SpyRequest, at now: Instant) -> [Claim] {
        defer { router.isWatched = !monitors.isEmpty }
        switch request.word {
        case .begin(let interest):
            let page = monitors.begin(request.id, interest, among: &router.fingers)
            return [.monitorBegan(request.id, count: monitors.spies.count)] + show(page)
        case .took(let number): return show(monitors.took(number, by: request.id))
        case .answer(let touch, let answer):
            return show(monitors.answer(touch, answer, by: request.id, among: &router.fingers, at: now))
                + settleWishes(at: now)
        case .end:
            guard monitors.spies.contains(where: { $0.id == request.id }) else { return [] }
            monitors.end(request.id, among: &router.fingers)
            return [.monitorEnded(request.id, count: monitors.spies.count)]
        }
    }

    /// Whether a touch monitor wants a touch that it does not have yet.
    var hasWishes: Bool { !monitors.wishes.isEmpty }

    /// Gives each touch that a monitor wants to it, or lets the wish wait for the system gestures, or refuses it.
    mutating func settleWishes(at now: Instant) -> [Claim] {
        var claims: [Claim] = []
        for wish in monitors.wishes {
            // One that was granted before may have ended others.
            guard monitors.wishes.contains(wish) else { continue }
            switch router.standing(of: wish.touch) {
            case .gone: claims += show(monitors.refuse(wish, .unknown, among: &router.fingers))
            case .dead: claims += show(monitors.refuse(wish, .dead, among: &router.fingers))
            case .owned(.app):
                if router.fingers.contains(where: { $0.touch == wish.touch && $0.contest?.isUndecided == true }) {
                    continue
                }
                claims.append(.pilfered(wish.touch, by: wish.spy))
                claims += router.pilfer([wish.touch], by: .monitor, at: now).map(Claim.cancel)
                claims += monitors.take(wish, among: &router.fingers).map(Claim.show)
            case .owned: claims += show(monitors.refuse(wish, .system, among: &router.fingers))
            }
        }
        return claims
    }

    /// The pages that show a scan to touch monitors, as it was split.
    private mutating func pages(
        for event: HIDEvent, _ seen: [Router.Seen], on screen: SceneTable, at now: Instant
    ) -> [SpyPage] {
        var sights = seen.map { seen in
            let place = isShown(seen.owner, on: screen) ? SpiedPlace(seen.position, on: seen.display) : nil
            return SpyTable.Sight(
                touch: seen.touch, phase: seen.phase, owner: SpiedOwner(seen.owner), place: place, watches: seen.watches
            )
        }
        sights.sort { $0.touch < $1.touch }
        return monitors.show(sights, of: event, among: &router.fingers, at: now)
    }

    /// Whether touch monitors are shown where a touch of this owner is.
    private func isShown(_ owner: Recipient?, on screen: SceneTable) -> Bool {
        switch owner {
        case .app(let app): screen.hidesPlaces(of: app) ? false : saysPlaces || screen.windows(of: app) != nil
        case .home, .overlay, .alert, .keyboard, .shade, nil: saysPlaces
        }
    }

    private func show(_ page: SpyPage?) -> [Claim] { page.map { [.show($0)] } ?? [] }

    // MARK: The devices are gone

    /// Cancels every touch: no device says any more where its contacts are.
    ///
    /// - Returns: What the owners are told, and then the touch monitors.
    mutating func clear(at now: Instant) -> (cancels: [Router.Delivery], claims: [Claim]) {
        let pages = monitors.clear(&router.fingers, at: now)
        let cancels = router.clear(at: now)
        return (cancels, pages.map(Claim.show) + settleWishes(at: now))
    }
}
