// TouchDispatcher.swift: which contender receives each contact of a scan, decided once.
//
//     scan ─▶ system gestures ─▶ touch monitors ─▶ scene at the position ─▶ one delivery for each owner
//              take contacts      keep theirs       of a landing            one page for each touch monitor
//
// Station   router
// Input     SystemServerCore: scans, the layout, receipts, time, requests of touch monitors
// Output    claims, deliveries and pages, in the order in which the core carries them out
// Knows     touches, system gestures, touch monitors. No link.
//
// A later contender cannot change the decision of an earlier one, and nothing is revoked in the scan that delivers it.
// A touch monitor's claim waits until the system gestures have decided. It is granted between two scans
// (`settlePendingClaims`).
//
// Sources   documented  Docs/Spec/Semantics.md D1–D6, D8
//           invented    touch monitors, after Android's input monitors

import Basics
import HID
import Hosting
import Settings
import Wire

/// The contenders for touches, in their order.
struct TouchDispatcher: Sendable {
    /// A possible owner of a contact.
    enum Contender: Sendable {
        /// Takes a contact that came in over an edge, once it is a swipe that its app does not defer.
        case systemGestures
        /// Keeps the contacts that a touch monitor has taken between earlier scans.
        case touchMonitors
        /// Owns a contact that lands on it until the contact lifts, if its app is responsive.
        case scene
    }

    /// The order of the contenders. The first that claims a contact receives it.
    static let contenders: [Contender] = [.systemGestures, .touchMonitors, .scene]

    /// What the core carries out besides deliveries, in this order.
    enum Claim: Equatable, Sendable {
        case taken(TouchID, by: SystemGesture)
        /// The contact stays with its app, and no system gesture takes it any more.
        case left(TouchID)
        /// The app defers the edge, so the second swipe counts.
        case postponed(SystemGesture)
        case pilfered(TouchID, by: UInt32)
        case monitorBegan(UInt32, count: Int)
        case monitorEnded(UInt32, count: Int)
        /// The owner receives the cancel, in a frame that belongs to no scan.
        case cancel(Router.Delivery)
        case show(TouchMonitorPage)
        case act(SystemGesture)
        case step(SceneTable.Step)
        /// The moment at which `TimerID.systemGestures` fires; nil disarms it.
        case wake(Instant?)
    }

    /// The result of one scan.
    struct Dispatch: Sendable {
        /// What contenders did before the scan was split; empty for almost every scan.
        let claims: [Claim]
        /// The scan, split by owner.
        let split: Router.Outcome
        /// The pages for touch monitors, which follow the apps' deliveries.
        let pages: [TouchMonitorPage]
    }

    /// Every finger, and its owner.
    var router: Router
    /// Nil when system gestures are off.
    private var gestures: SystemGestures?
    private let zones: EdgeZones?
    private(set) var monitors = TouchMonitorTable()
    /// The moment at which the timer fires; nil while it is not armed.
    private var wakesAt: Instant?
    /// Whether positions may be shown: `trace.positions`.
    private let tracesPositions: Bool

    init(_ displays: Displays, gestures: SystemGestures?, zones: EdgeZones?, tracesPositions: Bool) {
        router = Router(displays)
        (self.gestures, self.zones, self.tracesPositions) = (gestures, zones, tracesPositions)
    }

    // MARK: Scans

    /// Decides who receives each contact of a scan.
    ///
    /// - Parameters:
    ///   - screen: The layout. A system gesture changes it before the scan is split.
    ///   - stalled: Unresponsive apps.
    mutating func dispatch(
        _ event: HIDEvent, on screen: inout SceneTable, refusing stalled: [Recipient], at now: Instant
    ) -> Dispatch {
        var claims: [Claim] = []
        var split = Router.Outcome()
        for contender in Self.contenders {
            switch contender {
            case .systemGestures:
                guard isContested, let outcome = gestures?.handle(event, among: &router.fingers, at: now) else {
                    continue
                }
                claims = carryOut(outcome, isInScan: true, on: &screen, at: now)
            // A monitor's claim was granted between scans: the route of a contact shows that it was taken.
            case .touchMonitors: continue
            case .scene:
                split = router.route(event, over: screen, refusing: stalled)
                if gestures != nil { openContests(split.landings, of: event, at: now, into: &claims) }
            }
        }
        let pages = split.seen.isEmpty ? [] : self.pages(for: event, &split.seen, on: screen, at: now)
        return Dispatch(claims: claims, split: consume split, pages: pages)
    }

    /// Routes scans for which no other contender has to be asked, and of which one recipient receives everything: see
    /// `Router.routeMoves`.
    mutating func dispatchMoves(_ scans: ScanMoves, from start: Int) -> (owner: Recipient, touches: TouchMoves)? {
        isContested ? nil : router.routeMoves(scans, from: start)
    }

    /// Begins contests for contacts that landed where system gestures begin: at the edges of the main display.
    private mutating func openContests(
        _ landings: [Router.Landing], of event: HIDEvent, at now: Instant, into claims: inout [Claim]
    ) {
        guard let zones else { return }
        for landing in landings {
            guard landing.display == 1, let zone = zones.zone(at: landing.position) else { continue }
            let app: AppID?
            switch landing.recipient {
            case .app(let owner): app = owner
            case .home, .keyboard, .shade: app = nil
            // An overlay or an alert has to be answered first.
            case .overlay, .alert, nil: continue
            }
            for i in router.fingers.indices where router.fingers[i].touch == landing.touch {
                router.fingers[i].contest = gestures?.beginContest(
                    landing, in: zone, app: app, generation: event.generationCount, at: now)
            }
        }
        let waking = wake()
        if !waking.isEmpty { claims += waking }
    }

    // MARK: System gestures

    private var isContested: Bool { gestures != nil && router.fingers.contains { $0.contest != nil } }

    /// The number of contacts that a system gesture has taken; nil when system gestures are off.
    var swiping: Int? { gestures == nil ? nil : router.fingers.count { $0.contest?.isTaken == true } }

    /// Handles an app's answer: the edges at which it defers.
    mutating func answered(
        _ receipt: Receipt, of app: AppID, on screen: inout SceneTable, at now: Instant
    ) -> [Claim] {
        guard let edges = receipt.deferredEdges, isContested,
            let outcome = gestures?.answered(
                app, receipt.frame, deferring: edges, among: &router.fingers, at: now)
        else { return [] }
        return carryOut(outcome, isInScan: false, on: &screen, at: now)
    }

    /// Applies the deadlines of system gestures, if the timer is due.
    mutating func passTime(on screen: inout SceneTable, at now: Instant) -> [Claim] {
        guard let awaited = wakesAt, awaited <= now else { return [] }
        wakesAt = nil
        guard let outcome = gestures?.applyDeadlines(among: &router.fingers, at: now) else { return [] }
        return carryOut(outcome, isInScan: false, on: &screen, at: now)
    }

    /// Ends the contests of contacts that lost their owners by a change of the layout.
    mutating func screenChanged() -> [Claim] {
        guard isContested else { return [] }
        for i in router.fingers.indices where !router.fingers[i].isOwned { router.fingers[i].contest = nil }
        return wake()
    }

    /// Carries out the decisions of system gestures.
    ///
    /// - Parameter isInScan: Whether apps receive the opened gates with the current scan.
    private mutating func carryOut(
        _ outcome: SystemGestures.Outcome, isInScan: Bool, on screen: inout SceneTable, at now: Instant
    ) -> [Claim] {
        var claims: [Claim] = outcome.taken.map { .taken($0.touch, by: $0.gesture) }
        claims += outcome.left.map(Claim.left)
        claims += outcome.postponed.map { .postponed($0.gesture) }
        let touches = outcome.taken.map(\.touch)
        router.openGates(of: outcome.left)
        claims += router.pilfer(touches, by: .system, restating: isInScan ? [] : outcome.left, at: now).map(
            Claim.cancel)
        claims += monitors.noteTaken(touches, by: .system, among: &router.fingers).map(Claim.show)
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

    /// Moves the timer to the next deadline.
    private mutating func wake() -> [Claim] {
        let due = gestures?.due(among: router.fingers)
        guard due != wakesAt else { return [] }
        wakesAt = due
        return [.wake(due)]
    }

    // MARK: Touch monitors

    /// Handles a request of a touch monitor.
    mutating func handle(_ request: TouchMonitorRequest, at now: Instant) -> [Claim] {
        defer { router.isWatched = !monitors.isEmpty }
        switch request.kind {
        case .begin(let interest):
            let page = monitors.begin(request.id, interest, among: &router.fingers)
            return [.monitorBegan(request.id, count: monitors.all.count)] + Self.show(page)
        case .acknowledged(let number): return Self.show(monitors.acknowledge(upTo: number, by: request.id))
        case .answer(let touch, let answer):
            return Self.show(monitors.answer(touch, answer, by: request.id, among: &router.fingers, at: now))
                + settlePendingClaims(at: now)
        case .end:
            guard monitors.all.contains(where: { $0.id == request.id }) else { return [] }
            monitors.end(request.id, among: &router.fingers)
            return [.monitorEnded(request.id, count: monitors.all.count)]
        }
    }

    /// Whether a touch monitor wants a touch that it does not have yet.
    var hasPendingClaims: Bool { !monitors.pendingClaims.isEmpty }

    /// Decides each waiting claim: it is granted, waits for the system gestures, or is refused.
    mutating func settlePendingClaims(at now: Instant) -> [Claim] {
        var claims: [Claim] = []
        for claim in monitors.pendingClaims {
            // An earlier grant may have ended this claim.
            guard monitors.pendingClaims.contains(claim) else { continue }
            switch router.ownership(of: claim.touch) {
            case .gone: claims += Self.show(monitors.refuse(claim, .unknown, among: &router.fingers))
            case .ignored: claims += Self.show(monitors.refuse(claim, .ignored, among: &router.fingers))
            case .owned(.app):
                if router.fingers.contains(where: { $0.touch == claim.touch && $0.contest?.isUndecided == true }) {
                    continue
                }
                claims.append(.pilfered(claim.touch, by: claim.monitor))
                claims += router.pilfer([claim.touch], by: .monitor, at: now).map(Claim.cancel)
                claims += monitors.grant(claim, among: &router.fingers).map(Claim.show)
            case .owned: claims += Self.show(monitors.refuse(claim, .system, among: &router.fingers))
            }
        }
        return claims
    }

    /// The pages that show a scan, split by owner, to touch monitors.
    private mutating func pages(
        for event: HIDEvent, _ seen: inout [TouchMonitorTable.ObservedTouch], on screen: SceneTable, at now: Instant
    ) -> [TouchMonitorPage] {
        for index in seen.indices where !isShown(seen[index].owner, on: screen) { seen[index].position = nil }
        if seen.count > 1 { seen.sort { $0.touch < $1.touch } }
        return monitors.show(seen, of: event, among: &router.fingers, at: now)
    }

    /// Whether touch monitors are shown the positions of this owner's touches.
    private func isShown(_ owner: TouchOwner, on screen: SceneTable) -> Bool {
        switch owner {
        case .app(let app): screen.redactsPositions(of: app) ? false : tracesPositions || screen.windows(of: app) != nil
        case .server, .ignored, .touchMonitor, .system: tracesPositions
        }
    }

    /// Static, because a method would copy the whole dispatcher before its argument changes it.
    private static func show(_ page: TouchMonitorPage?) -> [Claim] { page.map { [.show($0)] } ?? [] }

    // MARK: Loss of the devices

    /// Cancels every touch, because no device reports its contacts any more.
    ///
    /// - Returns: The frames for the owners, and then the pages for touch monitors.
    mutating func clear(at now: Instant) -> (cancels: [Router.Delivery], claims: [Claim]) {
        let pages = monitors.clear(&router.fingers, at: now)
        let cancels = router.clear(at: now)
        return (cancels, pages.map(Claim.show) + settlePendingClaims(at: now))
    }
}
