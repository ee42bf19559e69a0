// SystemGestures.swift: the server's recognizers for fingers that come in over an edge.
//
//    landing at an edge ─▶ contest ─┬ recognizer (HomeSwipe, EdgePull): yes, no, maybe
//                                   └ its app: yes, or no if it defers the edge
//                 taken  ◀──────────┤  the app's touch is cancelled, once; the finger is the system's until it lifts
//                 left   ◀──────────┘  the app's gates open
//
// Station   router
// Input     TouchDispatcher: every scan before it is split, landings, apps' answers, time
// Output    touches to take and to leave, scenes to open
// Knows     fingers that landed at an edge. Not what an app receives.
//
// System gestures are the first contender for a contact (TouchDispatcher). They own a contact only when they take it.
// The scan in which they take it goes to no app.
//
// Positions are on the main display. Moments are the server's, as scans arrive. Time passes only when
// `TimerID.systemGestures` fires.
//
// Sources   documented  Docs/Spec/Semantics.md D8, S89; edge zone about 20 pt, a delay of a second at most
//           invented    the measures (Docs/Decisions/SystemGestures.md)

import Basics
import HID
import Hosting
import Settings
import Trace
import Wire

/// A gesture that a finger makes at an edge.
enum SystemGesture: UInt8, Equatable, Sendable, CaseIterable {
    case home, switcher, notifications, controls
}

/// The zones of the screen in which system gestures begin.
struct EdgeZones: Equatable, Sendable {
    /// A part of an edge, named after its gesture.
    enum Zone: UInt8, Equatable, Sendable {
        case home, notifications, controls

        /// The bit of the edge in `UIRectEdge`.
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

    /// The zone that contains a position; nil if there is none.
    func zone(at position: Point<DisplaySpace>) -> Zone? {
        if position.y >= height.minus(depth) { return .home }
        guard position.y < depth else { return nil }
        return position.x.rawValue < width.rawValue / 2 ? .notifications : .controls
    }
}

/// The system gestures of the main display.
struct SystemGestures: Sendable {
    /// The measures of system gestures.
    struct Rules: Equatable, Sendable {
        /// The distance inwards that makes a swipe, in points.
        var distance: Double
        /// The time limit from the landing to a swipe.
        var limit: Duration
        /// The distance in points that a resting finger may move, and the time that it rests for the switcher.
        var stillness: Double
        var hold: Duration
        /// The time that an app has for its answer.
        var answerLimit: Duration
        /// The time after a first swipe in which a second one counts.
        var secondSwipeLimit: Duration
    }

    /// The contest between a gesture and the app for one finger. It is a part of the finger (Router.Finger).
    struct Contest: Sendable {
        /// The generation of the finger's device.
        let generation: UInt32
        let zone: EdgeZones.Zone
        /// The edge of the zone in the app's orientation, as a bit of `UIRectEdge`.
        let edge: UInt8
        /// The app that owned the finger at the landing; nil for a scene of the server.
        let app: AppID?
        let landedAt: Instant
        /// The position of the landing.
        let landing: Point<DisplaySpace>
        fileprivate var recognizer: Recognizer
        fileprivate(set) var contest: GestureContest
        /// The position at which the finger rests, and since when.
        fileprivate var rest: (position: Point<DisplaySpace>, since: Instant)

        /// Whether a gesture may still take the finger.
        var isUndecided: Bool { contest.state != .taken && !contest.isOver }
        /// Whether a gesture has taken the finger.
        var isTaken: Bool { contest.state == .taken }
    }

    /// The machine of the gesture that may begin in the zone.
    fileprivate enum Recognizer: Sendable {
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

    /// The consequences of one step, in this order.
    struct Outcome: Equatable, Sendable {
        struct Taken: Equatable, Sendable {
            var touch: TouchID
            var gesture: SystemGesture
        }
        var taken: [Taken] = []
        /// The touches that stay with their apps.
        var left: [TouchID] = []
        /// The zones whose gesture waits for a second swipe.
        var postponed: [EdgeZones.Zone] = []
        var acts: [SystemGesture] = []
    }

    private let geometry: ScreenGeometry
    private let rules: Rules
    /// The first swipes at edges that an app defers.
    private var firstSwipes: [(zone: EdgeZones.Zone, app: AppID, until: Instant)] = []

    init(geometry: ScreenGeometry, rules: Rules) { (self.geometry, self.rules) = (geometry, rules) }

    // MARK: Inputs

    /// Begins the contest for a finger that landed in a zone.
    ///
    /// - Parameters:
    ///   - app: The owner; nil for a scene of the server.
    ///   - generation: The generation of the finger's device.
    func beginContest(
        _ landing: Router.Landing, in zone: EdgeZones.Zone, app: AppID?, generation: UInt32, at now: Instant
    ) -> Contest {
        let defers = app == nil ? nil : landing.defers
        // The server's own scenes do not defer.
        let isSecond = app == nil || firstSwipes.contains { $0.zone == zone && $0.app == app && now <= $0.until }
        let state: GestureContest.State = isSecond || defers == false ? .allowed : defers == true ? .deferred : .asking
        var contest = Contest(
            generation: generation, zone: zone, edge: landing.orientation.edges(at: zone.edge), app: app, landedAt: now,
            landing: landing.position,
            recognizer: zone == .home ? .home(HomeSwipe()) : .pull(EdgePull()), contest: GestureContest(state),
            rest: (landing.position, now))
        _ = contest.handle(.landed)
        return contest
    }

    /// Handles an app's answer: the receipt of the frame with the landings.
    ///
    /// - Parameter edges: The edges at which the app defers.
    mutating func answered(
        _ app: AppID, _ frame: SequenceNumber, deferring edges: UInt8, among fingers: inout [Router.Finger],
        at now: Instant
    ) -> Outcome {
        var outcome = Outcome()
        for i in contested(fingers) where fingers[i].contest?.app == app && fingers[i].landingFrame == frame {
            change(&fingers[i]) { gestures, contest, touch in
                let defers = edges & contest.edge != 0
                gestures.decide(
                    contest.contest.handle(defers ? .deferred : .allowed), &contest, touch, at: now, &outcome)
            }
        }
        return outcome
    }

    /// Handles a scan before it is split.
    mutating func handle(_ event: HIDEvent, among fingers: inout [Router.Finger], at now: Instant) -> Outcome {
        var outcome = Outcome()
        for i in contested(fingers) where fingers[i].device == event.senderID {
            let index = fingers[i].index
            change(&fingers[i]) { gestures, contest, touch in
                // A scan of an older generation is fenced. In a newer generation the finger does not exist any more.
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

    /// Applies the deadlines that have passed.
    mutating func applyDeadlines(among fingers: inout [Router.Finger], at now: Instant) -> Outcome {
        var outcome = Outcome()
        for i in contested(fingers) {
            change(&fingers[i]) { gestures, contest, touch in
                if let due = gestures.answerDue(contest), due <= now {
                    gestures.decide(contest.contest.handle(.deadline), &contest, touch, at: now, &outcome)
                }
                if contest.recognizer.isPossible, contest.landedAt.advanced(by: gestures.rules.limit) <= now {
                    gestures.advance(&contest, .timeUp, touch, at: now, &outcome)
                }
                if contest.recognizer.isFollowing, contest.rest.since.advanced(by: gestures.rules.hold) <= now {
                    gestures.advance(&contest, .rested, touch, at: now, &outcome)
                }
            }
        }
        return outcome
    }

    /// The moment of the next deadline; nil if there is none.
    func due(among fingers: [Router.Finger]) -> Instant? {
        var due: Instant?
        func wait(_ moment: Instant) { due = min(due ?? moment, moment) }
        for finger in fingers {
            guard let contest = finger.contest else { continue }
            if let moment = answerDue(contest) { wait(moment) }
            if contest.recognizer.isPossible { wait(contest.landedAt.advanced(by: rules.limit)) }
            if contest.recognizer.isFollowing { wait(contest.rest.since.advanced(by: rules.hold)) }
        }
        return due
    }

    // MARK: One finger

    /// The indices of the fingers that gestures follow, in order of landing.
    private func contested(_ fingers: [Router.Finger]) -> [Int] {
        fingers.indices.filter { fingers[$0].contest != nil }.sorted { fingers[$0].touch < fingers[$1].touch }
    }

    /// Changes the contest of a finger, and removes it when it is over.
    private mutating func change(
        _ finger: inout Router.Finger, _ body: (inout SystemGestures, inout Contest, TouchID) -> Void
    ) {
        guard var contest = finger.contest else { return }
        body(&self, &contest, finger.touch)
        finger.contest = contest.contest.isOver ? nil : contest
    }

    /// The deadline for the app's answer; nil if none is needed.
    private func answerDue(_ contest: Contest) -> Instant? {
        switch contest.contest.state {
        case .asking, .holding: contest.landedAt.advanced(by: rules.answerLimit)
        case .allowed, .deferred, .taken, .left: nil
        }
    }

    /// The step that a movement amounts to.
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
        switch contest.handle(step) {
        case .nothing: return
        case .yes:
            // The rest begins again when the swipe is recognized.
            contest.rest.since = now
            decide(contest.contest.handle(.swiped), &contest, touch, at: now, &outcome)
        case .no, .abandoned: decide(contest.contest.handle(.failed), &contest, touch, at: now, &outcome)
        case .home, .pulled: finish(&contest, contest.zone.gesture, touch, at: now, &outcome)
        case .switcher: finish(&contest, .switcher, touch, at: now, &outcome)
        }
    }

    /// Completes the gesture of a finger. An app that has not answered by now cannot defer it any more.
    private mutating func finish(
        _ contest: inout Contest, _ gesture: SystemGesture, _ touch: TouchID, at now: Instant, _ outcome: inout Outcome
    ) {
        decide(contest.contest.handle(.deadline), &contest, touch, at: now, &outcome)
        let isTaken = contest.isTaken
        decide(contest.contest.handle(.failed), &contest, touch, at: now, &outcome)
        if isTaken { outcome.acts.append(gesture) }
    }

    /// Carries out the decision of a contest.
    private mutating func decide(
        _ decision: GestureContest.Decision, _ contest: inout Contest, _ touch: TouchID, at now: Instant,
        _ outcome: inout Outcome
    ) {
        let (zone, app) = (contest.zone, contest.app)
        switch decision {
        case .nothing: return
        case .take:
            firstSwipes.removeAll { $0.zone == zone && $0.app == app }
            outcome.taken.append(Outcome.Taken(touch: touch, gesture: zone.gesture))
            // A center opens as soon as it is pulled, so its contest is over.
            if zone != .home {
                _ = contest.contest.handle(.failed)
                outcome.acts.append(zone.gesture)
            }
        case .leave: outcome.left.append(touch)
        case .postpone:
            outcome.left.append(touch)
            outcome.postponed.append(zone)
            guard let app else { return }
            firstSwipes.removeAll { $0.zone == zone && $0.app == app || $0.until < now }
            firstSwipes.append((zone, app, now.advanced(by: rules.secondSwipeLimit)))
        }
    }
}

extension SystemGestures.Contest {
    /// Passes a step to the recognizer of either kind.
    fileprivate mutating func handle(_ step: SwipeStep) -> SwipeVerdict {
        switch recognizer {
        case .home(var swipe):
            let verdict = swipe.handle(step)
            recognizer = .home(swipe)
            return verdict
        case .pull(var pull):
            let verdict = pull.handle(step)
            recognizer = .pull(pull)
            return verdict
        }
    }
}

extension SystemGesture: CustomStringConvertible {
    /// The name in a `server gesture=` line.
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
        limit = settings[.systemGestureRecognitionTimeout]
        stillness = settings[.systemGestureSwitcherHoldMovement]
        hold = settings[.systemGestureSwitcherHoldDuration]
        answerLimit = settings[.systemGestureDeferralTimeout]
        secondSwipeLimit = settings[.systemGestureSecondSwipeTimeout]
    }
}
