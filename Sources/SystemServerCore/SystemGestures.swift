// SystemGestures.swift: the server's own recognisers: fingers that come in over an edge, and what they ask for.
//
//    landing at an edge ─▶ contest ─┬ recogniser (HomeSwipe, EdgePull): yes, no, maybe
//                                   └ its app: yes, or no as it defers the edge
//                 taken  ◀──────────┤  the app's touch is cancelled, once; the finger is the system's until it lifts
//                 left   ◀──────────┘  the app's gates open
//
// Station   router
// Fed by    SystemServerCore: every scan before it is routed, landings, apps' answers, time
// Feeds     SystemServerCore: touches to take and to leave, scenes to open
// Knows     fingers that landed at an edge. Not who else is touched, nor what an app is told.
//
// It is a spy, the first before those from outside (Spies.swift): it sees every scan and owns no finger, until it pilfers one (Router.pilfer). It looks on before the scan
// is routed, so that the scan in which a finger is taken is nobody's news any more.
//
// Places are screen points as a person sees the screen; moments are the server's, as scans arrive. Time passes when the
// timer `TimerID.systemGestures` fires, and at no other moment.
//
// Sources   documented  SEMANTICS D8, S89; edge zone about 20 pt, a delay of a second at most
//           invented    the measures (Docs/Decisions/SystemGestures.md)

import Basics
import HID
import Hosting
import Settings
import Trace
import Wire

/// What a person asks for at an edge.
enum SystemGesture: UInt8, Equatable, Sendable, CaseIterable {
    case home, switcher, notifications, controls
}

/// Where on the screen system gestures begin.
struct EdgeZones: Equatable, Sendable {
    /// A part of an edge, named for what comes from there.
    enum Zone: UInt8, Equatable, Sendable {
        case home, notifications, controls

        /// `UIRectEdge`'s bit.
        var edge: UInt8 { self == .home ? 4 : 1 }

        var gesture: SystemGesture {
            switch self {
            case .home: .home
            case .notifications: .notifications
            case .controls: .controls
            }
        }
    }

    let width, height, depth: Fixed

    func zone(at x: Fixed, _ y: Fixed) -> Zone? {
        if y >= height.minus(depth) { return .home }
        guard y < depth else { return nil }
        return x.rawValue < width.rawValue / 2 ? .notifications : .controls
    }
}

struct SystemGestures: Sendable {
    struct Rules: Equatable, Sendable {
        /// Points inwards that make a swipe.
        var distance: Double
        /// From the landing to it.
        var limit: Duration
        /// Points that a finger at rest may move, and how long it rests for the switcher.
        var stillness: Double
        var hold: Duration
        /// How long an app may take to say whether it defers.
        var answer: Duration
        /// How long after a first swipe a second one counts.
        var second: Duration
    }

    fileprivate struct Contest: Sendable {
        let touch: TouchID
        let device: UInt64
        let generation: UInt32
        let index: UInt32
        let zone: EdgeZones.Zone
        /// The zone's, as the app has it: `UIRectEdge`.
        let edge: UInt8
        /// Whose it was when it landed; nil for the server's own.
        let app: UInt32?
        let landedAt: Instant
        let x, y: Double
        var recogniser: Recogniser
        var contest: GestureContest
        /// The frame in which its app is told of it, on the app's link.
        var question: UInt64?
        /// Where it has rested, and since when.
        var rest: (x: Double, y: Double, since: Instant)
    }

    fileprivate enum Recogniser: Sendable {
        case home(HomeSwipe)
        case pull(EdgePull)

        var isPossible: Bool {
            switch self {
            case .home(let swipe): swipe.state == .possible
            case .pull(let pull): pull.state == .possible
            }
        }
        var isFollowing: Bool {
            if case .home(let swipe) = self { swipe.state == .following } else { false }
        }
    }

    /// What follows, in this order.
    struct Outcome: Equatable, Sendable {
        struct Taken: Equatable, Sendable {
            var touch: TouchID
            var gesture: SystemGesture
        }
        var taken: [Taken] = []
        /// Their apps may have them.
        var left: [TouchID] = []
        /// Zones whose gesture waits for a second swipe.
        var postponed: [EdgeZones.Zone] = []
        var acts: [SystemGesture] = []
    }

    private let geometry: ScreenGeometry
    private let rules: Rules
    private var contests: [Contest] = []
    /// First swipes at edges that an app defers.
    private var firsts: [(zone: EdgeZones.Zone, app: UInt32, until: Instant)] = []

    init(geometry: ScreenGeometry, rules: Rules) { (self.geometry, self.rules) = (geometry, rules) }

    /// Whether anything is to be decided.
    var isAtWork: Bool { !contests.isEmpty }
    /// Fingers that are no app's, as they swipe.
    var following: Int { contests.count { $0.contest.state == .taken } }

    /// Whether this touch may still become a gesture's.
    func mayTake(_ touch: TouchID) -> Bool {
        contests.contains { $0.touch == touch && $0.contest.state != .taken && !$0.contest.isOver }
    }

    // MARK: What happens

    /// A finger landed in a zone.
    ///
    /// - Parameters:
    ///   - app: Whose it is; nil for the server's own.
    ///   - defers: Whether its app has said beforehand that it defers the edge; nil when it has said nothing.
    mutating func landed(
        _ landing: Router.Landing, of event: HIDEvent, in zone: EdgeZones.Zone, app: UInt32?, defers: Bool?,
        at now: Instant
    ) {
        // The server's own need not be asked.
        let isSecond = app == nil || firsts.contains { $0.zone == zone && $0.app == app && now <= $0.until }
        let state: GestureContest.State = isSecond || defers == false ? .allowed : defers == true ? .deferred : .asking
        var contest = Contest(
            touch: landing.touch, device: event.senderID, generation: event.generationCount, index: landing.finger,
            zone: zone, edge: landing.orientation.edges(at: zone.edge), app: app, landedAt: now, x: landing.x.double,
            y: landing.y.double,
            recogniser: zone == .home ? .home(HomeSwipe()) : .pull(EdgePull()), contest: GestureContest(state),
            rest: (landing.x.double, landing.y.double, now))
        _ = contest.take(.landed)
        contests.append(contest)
    }

    /// The app is told of its touches in this frame; its answer comes with the frame's receipt.
    mutating func asked(_ app: UInt32, _ frame: TouchFrame, as sequence: UInt64) {
        for contact in frame.contacts where contact.phase == .began {
            for place in contests.indices where contests[place].touch == contact.touch && contests[place].app == app {
                contests[place].question = sequence
            }
        }
    }

    /// - Parameter edges: At which the app defers.
    mutating func answered(_ app: UInt32, _ sequence: UInt64, deferring edges: UInt8, at now: Instant) -> Outcome {
        var outcome = Outcome()
        for place in contests.indices where contests[place].app == app && contests[place].question == sequence {
            let defers = edges & contests[place].edge != 0
            decide(place, contests[place].contest.handle(defers ? .deferred : .allowed), at: now, into: &outcome)
        }
        removeOver()
        return outcome
    }

    /// A scan that is about to be routed.
    mutating func follow(_ event: HIDEvent, at now: Instant) -> Outcome {
        var outcome = Outcome()
        for place in contests.indices where contests[place].device == event.senderID {
            // One of before is fenced; one of after has no such finger.
            guard event.generationCount >= contests[place].generation else { continue }
            let child = event.fingers.first { $0.index == contests[place].index }
            let isSame = event.generationCount == contests[place].generation
            switch isSame ? child?.phase : .cancelled {
            case .moved: advance(place, moved(place, to: child!, at: now), at: now, into: &outcome)
            case .ended: advance(place, .lifted, at: now, into: &outcome)
            case .stationary: continue
            case .began, .cancelled, nil:
                advance(place, .cancelled, at: now, into: &outcome)
            }
        }
        removeOver()
        return outcome
    }

    /// It is so late now.
    mutating func pass(at now: Instant) -> Outcome {
        var outcome = Outcome()
        for place in contests.indices {
            if let due = answerDue(place), due <= now {
                decide(place, contests[place].contest.handle(.deadline), at: now, into: &outcome)
            }
            if contests[place].recogniser.isPossible, contests[place].landedAt.advanced(by: rules.limit) <= now {
                advance(place, .timeUp, at: now, into: &outcome)
            }
            if contests[place].recogniser.isFollowing, contests[place].rest.since.advanced(by: rules.hold) <= now {
                advance(place, .rested, at: now, into: &outcome)
            }
        }
        removeOver()
        return outcome
    }

    /// When time is to pass; nil when nothing waits for it.
    var due: Instant? {
        var due: Instant?
        func wait(_ moment: Instant) { due = min(due ?? moment, moment) }
        for place in contests.indices {
            if let moment = answerDue(place) { wait(moment) }
            if contests[place].recogniser.isPossible { wait(contests[place].landedAt.advanced(by: rules.limit)) }
            if contests[place].recogniser.isFollowing { wait(contests[place].rest.since.advanced(by: rules.hold)) }
        }
        return due
    }

    /// Something else has changed the screen: who has lost his touch by it swipes no more.
    mutating func forget(allBut isOwned: (TouchID) -> Bool) { contests.removeAll { !isOwned($0.touch) } }

    /// Whoever reads the devices is gone, and every finger with it.
    mutating func clear() { contests.removeAll() }

    // MARK: One finger

    private func answerDue(_ place: Int) -> Instant? {
        switch contests[place].contest.state {
        case .asking, .holding: contests[place].landedAt.advanced(by: rules.answer)
        case .allowed, .deferred, .taken, .left: nil
        }
    }

    /// What its way amounts to.
    private mutating func moved(_ place: Int, to child: DigitizerEvent, at now: Instant) -> SwipeStep {
        let point = geometry.screenPoint(x: child.x, y: child.y)
        let (x, y) = (Fixed(point.x).double, Fixed(point.y).double)
        let rest = contests[place].rest
        if max(abs(x - rest.x), abs(y - rest.y)) > rules.stillness { contests[place].rest = (x, y, now) }
        let inward = contests[place].zone == .home ? contests[place].y - y : y - contests[place].y
        let along = abs(x - contests[place].x)
        if along > inward, along >= rules.distance { return .strayed }
        return inward >= rules.distance ? .crossed : .wandered
    }

    private mutating func advance(_ place: Int, _ step: SwipeStep, at now: Instant, into outcome: inout Outcome) {
        guard !contests[place].contest.isOver else { return }
        switch contests[place].take(step) {
        case .nothing: return
        case .yes:
            // Its rest is counted from here on.
            contests[place].rest.since = now
            decide(place, contests[place].contest.handle(.swiped), at: now, into: &outcome)
        case .no, .abandoned: decide(place, contests[place].contest.handle(.failed), at: now, into: &outcome)
        case .home, .pulled: finish(place, contests[place].zone.gesture, at: now, into: &outcome)
        case .switcher: finish(place, .switcher, at: now, into: &outcome)
        }
    }

    /// The finger is done. An app that has not answered by now has no more say.
    private mutating func finish(
        _ place: Int, _ gesture: SystemGesture, at now: Instant, into outcome: inout Outcome
    ) {
        decide(place, contests[place].contest.handle(.deadline), at: now, into: &outcome)
        let isTaken = contests[place].contest.state == .taken
        decide(place, contests[place].contest.handle(.failed), at: now, into: &outcome)
        if isTaken { outcome.acts.append(gesture) }
    }

    private mutating func decide(
        _ place: Int, _ decision: GestureContest.Decision, at now: Instant, into outcome: inout Outcome
    ) {
        let contest = contests[place]
        switch decision {
        case .nothing: return
        case .take:
            firsts.removeAll { $0.zone == contest.zone && $0.app == contest.app }
            outcome.taken.append(Outcome.Taken(touch: contest.touch, gesture: contest.zone.gesture))
            // A centre is open as soon as it is pulled, and its finger has nothing more to say.
            if contest.zone != .home {
                _ = contests[place].contest.handle(.failed)
                outcome.acts.append(contest.zone.gesture)
            }
        case .leave: outcome.left.append(contest.touch)
        case .postpone:
            outcome.left.append(contest.touch)
            outcome.postponed.append(contest.zone)
            guard let app = contest.app else { return }
            firsts.removeAll { $0.zone == contest.zone && $0.app == app || $0.until < now }
            firsts.append((contest.zone, app, now.advanced(by: rules.second)))
        }
    }

    private mutating func removeOver() { contests.removeAll(where: \.contest.isOver) }
}

extension SystemGestures.Contest {
    /// What a recogniser says, in one vocabulary.
    fileprivate mutating func take(_ step: SwipeStep) -> SwipeVerdict {
        switch recogniser {
        case .home(var swipe):
            let verdict = swipe.handle(step)
            recogniser = .home(swipe)
            return verdict
        case .pull(var pull):
            let verdict = pull.handle(step)
            recogniser = .pull(pull)
            return verdict
        }
    }
}

extension SystemGesture: CustomStringConvertible {
    /// As the `server gesture=` line says it.
    var description: String {
        switch self {
        case .home: "home"
        case .switcher: "switcher"
        case .notifications: "notifications"
        case .controls: "controls"
        }
    }
}

extension SystemGestures.Rules {
    init(_ settings: Settings) {
        distance = settings[.systemGestureDistance]
        limit = settings[.systemGestureLimit]
        stillness = settings[.systemGestureStillness]
        hold = settings[.systemGestureHold]
        answer = settings[.systemGestureAnswer]
        second = settings[.systemGestureSecondSwipe]
    }
}

// MARK: - In the server

extension SystemServerCore {
    /// Before a scan is routed.
    mutating func lookOn(_ event: HIDEvent, at now: Instant, into outbox: inout Outbox) {
        guard gestures?.isAtWork == true, let outcome = gestures?.follow(event, at: now) else { return }
        carryOut(outcome, isInScan: true, at: now, into: &outbox)
    }

    /// Fingers that landed where gestures begin, as they are routed and before anybody is told of them.
    mutating func contest(_ landings: [Router.Landing], of event: HIDEvent, at now: Instant, into outbox: inout Outbox)
    {
        guard gestures != nil, let zones = apps.zones else { return }
        for landing in landings {
            // Gestures of the system's begin on the main display.
            guard landing.display == 1, let zone = zones.zone(at: landing.x, landing.y),
                let recipient = landing.recipient
            else { continue }
            switch recipient {
            case .app(let app):
                gestures?.landed(landing, of: event, in: zone, app: app, defers: landing.defers, at: now)
            case .home, .keyboard, .shade:
                gestures?.landed(landing, of: event, in: zone, app: nil, defers: nil, at: now)
            // A call and an alert are answered first.
            case .overlay, .alert: continue
            }
        }
        awaitGestures(into: &outbox)
    }

    /// An app was told of touches that the system may yet take.
    mutating func isAsked(_ app: UInt32, _ message: Message, as sequence: UInt64) {
        guard gestures?.isAtWork == true, case .touches(let frame) = message else { return }
        gestures?.asked(app, frame, as: sequence)
    }

    /// An app says at which edges it defers.
    mutating func hears(_ receipt: Receipt, of app: UInt32, at now: Instant, into outbox: inout Outbox) {
        guard let edges = receipt.deferredEdges, gestures?.isAtWork == true,
            let outcome = gestures?.answered(app, receipt.frame, deferring: edges, at: now)
        else { return }
        carryOut(outcome, isInScan: false, at: now, into: &outbox)
    }

    mutating func passTime(at now: Instant, into outbox: inout Outbox) {
        guard let awaited = gesturesAt, awaited <= now else { return }
        gesturesAt = nil
        guard let outcome = gestures?.pass(at: now) else { return }
        carryOut(outcome, isInScan: false, at: now, into: &outbox)
    }

    /// The screen is another: fingers that lost their touches by it swipe no more.
    mutating func screenChanged(into outbox: inout Outbox) {
        guard gestures?.isAtWork == true else { return }
        let router = router
        gestures?.forget { router.owns($0) }
        awaitGestures(into: &outbox)
    }

    /// - Parameter isInScan: Whether what is left to an app is told with the scan at hand.
    private mutating func carryOut(
        _ outcome: SystemGestures.Outcome, isInScan: Bool, at now: Instant, into outbox: inout Outbox
    ) {
        for taken in outcome.taken {
            outbox.trace.note(
                now, .router, "touch {a} taken by the system: {b:n}", Int64(taken.touch.rawValue),
                outbox.trace.name("\(taken.gesture)"))
        }
        for touch in outcome.left {
            outbox.trace.note(now, .router, "touch {a} left to its app", Int64(touch.rawValue))
        }
        for zone in outcome.postponed {
            outbox.trace.note(
                now, .router, "{a:n}: its app defers, the second swipe counts", outbox.trace.name("\(zone.gesture)"))
        }
        let touches = outcome.taken.map(\.touch)
        router.open(outcome.left)
        for delivery in router.pilfer(touches, by: .system, telling: isInScan ? [] : outcome.left, at: now) {
            tell(delivery, at: now, into: &outbox)
        }
        spiesLose(touches, into: &outbox)
        for gesture in outcome.acts {
            outbox.trace.note(now, .process, "system gesture: {a:n}", outbox.trace.name("\(gesture)"))
            if rules.probes { outbox.trace.probe(now, .router, "server gesture=\(gesture)") }
            perform(apps.handle(.gesture(gesture)), at: now, into: &outbox)
            screenChanged(into: &outbox)
        }
        awaitGestures(into: &outbox)
    }

    private mutating func awaitGestures(into outbox: inout Outbox) {
        let due = gestures?.due
        guard due != gesturesAt else { return }
        gesturesAt = due
        outbox.append(due.map { .arm(.systemGestures, at: $0) } ?? .disarm(.systemGestures))
    }
}
