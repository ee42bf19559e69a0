// SystemGestures.swift: the server's own recognisers: fingers that come in over an edge, and what they ask for.
//
//    landing at an edge ─▶ contest ─┬ recogniser (HomeSwipe, EdgePull): yes, no, maybe
//                                   └ its app: yes, or no as it defers the edge
//                 taken  ◀──────────┤  the app's touch is cancelled, once; the finger is the system's until it lifts
//                 left   ◀──────────┘  the app's gates open
//
// Station   router
// Input     TouchDispatcher: every scan before it is split, landings, apps' answers, time
// Output    touches to take and to leave, scenes to open
// Knows     fingers that landed at an edge. Not what an app is told.
//
// System gestures are the first contender for a contact (TouchDispatcher). They follow a contact and do not own it until
// they take it. The scan in which they take it goes to no app.
//
// Positions are the main display's; moments are the server's, as scans arrive. Time passes when the timer
// `TimerID.systemGestures` fires, and at no other moment.
//
// Sources   documented  Docs/Spec/Semantics.md D8, S89; edge zone about 20 pt, a delay of a second at most
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

    func zone(at position: Point<DisplaySpace>) -> Zone? {
        if position.y >= height.minus(depth) { return .home }
        guard position.y < depth else { return nil }
        return position.x.rawValue < width.rawValue / 2 ? .notifications : .controls
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

    /// Between a gesture and the app of one finger: a part of the finger (Router.Finger).
    struct Contest: Sendable {
        /// Of the finger's device.
        let generation: UInt32
        let zone: EdgeZones.Zone
        /// The zone's, as the app has it: `UIRectEdge`.
        let edge: UInt8
        /// Whose it was when it landed; nil for the server's own.
        let app: AppID?
        let landedAt: Instant
        /// Where it landed.
        let landing: Point<DisplaySpace>
        fileprivate var recogniser: Recogniser
        fileprivate var contest: GestureContest
        /// Where it has rested, and since when.
        fileprivate var rest: (position: Point<DisplaySpace>, since: Instant)

        /// Whether the finger may still become a gesture's.
        var isUndecided: Bool { contest.state != .taken && !contest.isOver }
        /// Whether the finger is a gesture's, as it swipes.
        var isTaken: Bool { contest.state == .taken }
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
    /// First swipes at edges that an app defers.
    private var firsts: [(zone: EdgeZones.Zone, app: AppID, until: Instant)] = []

    init(geometry: ScreenGeometry, rules: Rules) { (self.geometry, self.rules) = (geometry, rules) }

    // MARK: What happens

    /// A finger landed in a zone.
    ///
    /// - Parameters:
    ///   - app: Whose it is; nil for the server's own.
    ///   - generation: Of its device.
    /// - Returns: The contest for it.
    func landed(
        _ landing: Router.Landing, in zone: EdgeZones.Zone, app: AppID?, generation: UInt32, at now: Instant
    ) -> Contest {
        let defers = app == nil ? nil : landing.defers
        // The server's own need not be asked.
        let isSecond = app == nil || firsts.contains { $0.zone == zone && $0.app == app && now <= $0.until }
        let state: GestureContest.State = isSecond || defers == false ? .allowed : defers == true ? .deferred : .asking
        var contest = Contest(
            generation: generation, zone: zone, edge: landing.orientation.edges(at: zone.edge), app: app, landedAt: now,
            landing: landing.position,
            recogniser: zone == .home ? .home(HomeSwipe()) : .pull(EdgePull()), contest: GestureContest(state),
            rest: (landing.position, now))
        _ = contest.take(.landed)
        return contest
    }

    /// An app has answered the frame in which it was told of landings.
    ///
    /// - Parameter edges: At which the app defers.
    mutating func answered(
        _ app: AppID, _ frame: SequenceNumber, deferring edges: UInt8, among fingers: inout [Router.Finger],
        at now: Instant
    ) -> Outcome {
        var outcome = Outcome()
        for i in contested(fingers) where fingers[i].contest?.app == app && fingers[i].toldIn == frame {
            change(&fingers[i]) { gestures, contest, touch in
                let defers = edges & contest.edge != 0
                gestures.decide(
                    contest.contest.handle(defers ? .deferred : .allowed), &contest, touch, at: now, &outcome)
            }
        }
        return outcome
    }

    /// A scan that is about to be split.
    mutating func follow(_ event: HIDEvent, among fingers: inout [Router.Finger], at now: Instant) -> Outcome {
        var outcome = Outcome()
        for i in contested(fingers) where fingers[i].device == event.senderID {
            let index = fingers[i].index
            change(&fingers[i]) { gestures, contest, touch in
                // A scan of before is fenced; in one of after there is no such finger.
                guard event.generationCount >= contest.generation else { return }
                let child = event.fingers.first { $0.index == index }
                let isSame = event.generationCount == contest.generation
                switch isSame ? child?.phase : .cancelled {
                case .moved:
                    let step = gestures.moved(&contest, to: child!, at: now)
                    gestures.advance(&contest, step, touch, at: now, &outcome)
                case .ended: gestures.advance(&contest, .lifted, touch, at: now, &outcome)
                case .stationary: return
                case .began, .cancelled, nil: gestures.advance(&contest, .cancelled, touch, at: now, &outcome)
                }
            }
        }
        return outcome
    }

    /// It is so late now.
    mutating func pass(among fingers: inout [Router.Finger], at now: Instant) -> Outcome {
        var outcome = Outcome()
        for i in contested(fingers) {
            change(&fingers[i]) { gestures, contest, touch in
                if let due = gestures.answerDue(contest), due <= now {
                    gestures.decide(contest.contest.handle(.deadline), &contest, touch, at: now, &outcome)
                }
                if contest.recogniser.isPossible, contest.landedAt.advanced(by: gestures.rules.limit) <= now {
                    gestures.advance(&contest, .timeUp, touch, at: now, &outcome)
                }
                if contest.recogniser.isFollowing, contest.rest.since.advanced(by: gestures.rules.hold) <= now {
                    gestures.advance(&contest, .rested, touch, at: now, &outcome)
                }
            }
        }
        return outcome
    }

    /// When time is to pass; nil when nothing waits for it.
    func due(among fingers: [Router.Finger]) -> Instant? {
        var due: Instant?
        func wait(_ moment: Instant) { due = min(due ?? moment, moment) }
        for finger in fingers {
            guard let contest = finger.contest else { continue }
            if let moment = answerDue(contest) { wait(moment) }
            if contest.recogniser.isPossible { wait(contest.landedAt.advanced(by: rules.limit)) }
            if contest.recogniser.isFollowing { wait(contest.rest.since.advanced(by: rules.hold)) }
        }
        return due
    }

    // MARK: One finger

    /// The fingers that gestures follow, in the order in which they landed.
    private func contested(_ fingers: [Router.Finger]) -> [Int] {
        fingers.indices.filter { fingers[$0].contest != nil }.sorted { fingers[$0].touch < fingers[$1].touch }
    }

    /// Changes the contest of a finger, and ends it when it is over.
    private mutating func change(
        _ finger: inout Router.Finger, _ body: (inout SystemGestures, inout Contest, TouchID) -> Void
    ) {
        guard var contest = finger.contest else { return }
        body(&self, &contest, finger.touch)
        finger.contest = contest.contest.isOver ? nil : contest
    }

    private func answerDue(_ contest: Contest) -> Instant? {
        switch contest.contest.state {
        case .asking, .holding: contest.landedAt.advanced(by: rules.answer)
        case .allowed, .deferred, .taken, .left: nil
        }
    }

    /// What its way amounts to.
    private func moved(_ contest: inout Contest, to child: DigitizerEvent, at now: Instant) -> SwipeStep {
        let position = geometry.displayPosition(child.position)
        let (x, y) = (position.x.double, position.y.double)
        let (landing, rest) = (contest.landing, contest.rest.position)
        if max(abs(x - rest.x.double), abs(y - rest.y.double)) > rules.stillness { contest.rest = (position, now) }
        let inward = contest.zone == .home ? landing.y.double - y : y - landing.y.double
        let along = abs(x - landing.x.double)
        if along > inward, along >= rules.distance { return .strayed }
        return inward >= rules.distance ? .crossed : .wandered
    }

    private mutating func advance(
        _ contest: inout Contest, _ step: SwipeStep, _ touch: TouchID, at now: Instant, _ outcome: inout Outcome
    ) {
        guard !contest.contest.isOver else { return }
        switch contest.take(step) {
        case .nothing: return
        case .yes:
            // Its rest is counted from here on.
            contest.rest.since = now
            decide(contest.contest.handle(.swiped), &contest, touch, at: now, &outcome)
        case .no, .abandoned: decide(contest.contest.handle(.failed), &contest, touch, at: now, &outcome)
        case .home, .pulled: finish(&contest, contest.zone.gesture, touch, at: now, &outcome)
        case .switcher: finish(&contest, .switcher, touch, at: now, &outcome)
        }
    }

    /// The finger is done. An app that has not answered by now has no more say.
    private mutating func finish(
        _ contest: inout Contest, _ gesture: SystemGesture, _ touch: TouchID, at now: Instant, _ outcome: inout Outcome
    ) {
        decide(contest.contest.handle(.deadline), &contest, touch, at: now, &outcome)
        let isTaken = contest.isTaken
        decide(contest.contest.handle(.failed), &contest, touch, at: now, &outcome)
        if isTaken { outcome.acts.append(gesture) }
    }

    private mutating func decide(
        _ decision: GestureContest.Decision, _ contest: inout Contest, _ touch: TouchID, at now: Instant,
        _ outcome: inout Outcome
    ) {
        let (zone, app) = (contest.zone, contest.app)
        switch decision {
        case .nothing: return
        case .take:
            firsts.removeAll { $0.zone == zone && $0.app == app }
            outcome.taken.append(Outcome.Taken(touch: touch, gesture: zone.gesture))
            // A centre is open as soon as it is pulled, and its finger has nothing more to say.
            if zone != .home {
                _ = contest.contest.handle(.failed)
                outcome.acts.append(zone.gesture)
            }
        case .leave: outcome.left.append(touch)
        case .postpone:
            outcome.left.append(touch)
            outcome.postponed.append(zone)
            guard let app else { return }
            firsts.removeAll { $0.zone == zone && $0.app == app || $0.until < now }
            firsts.append((zone, app, now.advanced(by: rules.second)))
        }
    }
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
