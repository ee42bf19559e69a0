// Audit+Gestures.swift: fingers that come in over an edge: when they are the system's, and when their app's.
//
//    lands within the zone ─▶ swipe ─┬ so far in, in time, and no further along: a swipe, once its app lets it be one
//                                    ├ along, lifted, time is up: its app's, and its gate opens
//                                    └ its app defers: its app's, and the next one at that edge is the system's
//
// Written from the rule (D8, Docs/Decisions/SystemGestures.md), not from the server: a finger has a place of
// landing, the farthest it has got, an answer of its app or none; what follows is due as everything else is.
//
// Sources   Docs/Spec/Pipeline.md section 3: I1, I2, I4, I8; Docs/Spec/Semantics.md D5, D8, S89

import Basics
import HID
import Hosting
import Wire

/// A finger that landed where system gestures begin.
struct Swipe: Sendable {
    enum Edge: Sendable { case home, notifications, controls }

    let edge: Edge
    /// Where and when it landed, on the screen.
    let x, y: Double
    let at: Instant
    /// Whose it was, by its place among the links; nil for the server's own.
    let app: Int?
    /// Whether its app lets the system have it; nil while nobody has said.
    var isLet: Bool?
    /// The frame whose answer says it.
    var question: SequenceNumber?
    /// It has been far enough in, and still is.
    var isSwipe = false
    var isIn = false
    var isTaken = false
    /// Where it has been at rest, and since when.
    var rest: (x: Double, y: Double, since: Instant)
}

extension Audit {
    /// What follows for fingers from a moment of theirs.
    private struct Verdict {
        var taken: [UInt32] = []
        var left: [UInt32] = []
        var acts: [Front.Gesture] = []
    }

    // MARK: Landing

    /// A finger lands: whether it may be a swipe, and whether its app is told so.
    func swipe(
        of owner: Owner, at position: Point<DisplaySpace>, in space: Ground, _ moment: Instant
    ) -> (swipe: Swipe, isGated: Bool)? {
        guard let rules = options.gestures, let edge = edge(at: position, rules) else { return nil }
        let place = (x: position.x.double, y: position.y.double, since: moment)
        var swipe = Swipe(edge: edge, x: place.x, y: place.y, at: moment, app: owner.app, isLet: true, rest: place)
        switch owner {
        case .home, .keyboard, .shade: return (swipe, false)
        case .overlay, .alert, .nobody: return nil
        case .app(let app):
            let isSecond = glass.firsts.contains { $0.edge == edge && $0.app == app && moment <= $0.until }
            let bit = space.edge(isLower: edge == .home)
            let declared = apps[app].scene.windows?.topmost(space.inApp(position)).map { $0.deferredEdges & bit == 0 }
            swipe.isLet = isSecond ? true : declared
            return (swipe, declared ?? true)
        }
    }

    private func edge(at position: Point<DisplaySpace>, _ rules: AuditOptions.Gestures) -> Swipe.Edge? {
        let (x, y) = (position.x, position.y)
        let (width, height) = (front.screen.width, front.screen.height)
        if y.rawValue >= height.rawValue &- rules.zone.rawValue { return .home }
        if y.rawValue >= rules.zone.rawValue { return nil }
        return x.rawValue < width.rawValue / 2 ? .notifications : .controls
    }

    // MARK: What happens to them

    /// A scan, before it is routed.
    mutating func swipes(_ event: HIDEvent, _ step: Step) {
        guard let rules = options.gestures, glass.fingers.contains(where: { $0.swipe != nil }) else { return }
        let known = glass.devices.first { $0.id == event.senderID }?.generation ?? event.generationCount
        guard event.generationCount >= known else { return }
        var verdict = Verdict()
        for place in glass.fingers.indices where glass.fingers[place].device == event.senderID {
            guard glass.fingers[place].swipe != nil else { continue }
            let index = glass.fingers[place].index
            let finger = event.generationCount > known ? nil : event.fingers.first { $0.index == index }
            switch finger?.phase {
            case .moved: moves(place, to: finger!, rules, step.at, &verdict)
            case .stationary: continue
            case .ended: lifts(place, step.at, &verdict)
            case .began, .cancelled, nil: leave(place, &verdict)
            }
        }
        carryOut(verdict, isInScan: true)
    }

    private mutating func moves(
        _ place: Int, to finger: DigitizerEvent, _ rules: AuditOptions.Gestures, _ now: Instant,
        _ verdict: inout Verdict
    ) {
        guard var swipe = glass.fingers[place].swipe else { return }
        let position = displayPosition(finger)
        let (x, y) = (position.x.double, position.y.double)
        let isAway = abs(x - swipe.rest.x) > rules.stillness || abs(y - swipe.rest.y) > rules.stillness
        if isAway { swipe.rest = (x, y, now) }
        let far = swipe.edge == .home ? swipe.y - y : y - swipe.y
        let along = abs(x - swipe.x)
        let isAlong = along >= rules.distance && along > far
        let isFar = !isAlong && far >= rules.distance
        if swipe.isSwipe {
            if isFar { swipe.isIn = true } else if !isAlong { swipe.isIn = false }
            glass.fingers[place].swipe = swipe
        } else if isAlong {
            leave(place, &verdict)
        } else {
            glass.fingers[place].swipe = swipe
            guard isFar else { return }
            (swipe.isSwipe, swipe.isIn, swipe.rest.since) = (true, true, now)
            glass.fingers[place].swipe = swipe
            decide(place, now, &verdict)
        }
    }

    private mutating func lifts(_ place: Int, _ now: Instant, _ verdict: inout Verdict) {
        guard let swipe = glass.fingers[place].swipe else { return }
        guard swipe.isSwipe, swipe.edge != .home || swipe.isIn else { return leave(place, &verdict) }
        // Who has not said anything by now has nothing to say.
        if !swipe.isTaken { take(place, &verdict) }
        if swipe.edge == .home { verdict.acts.append(.home) }
        glass.fingers[place].swipe = nil
    }

    /// A swipe is the system's if its app lets it.
    private mutating func decide(_ place: Int, _ now: Instant, _ verdict: inout Verdict) {
        guard let swipe = glass.fingers[place].swipe, swipe.isSwipe, !swipe.isTaken, let isLet = swipe.isLet else {
            return
        }
        if isLet { return take(place, &verdict) }
        if let app = swipe.app, let rules = options.gestures {
            glass.firsts.removeAll { $0.edge == swipe.edge && $0.app == app || $0.until < now }
            glass.firsts.append((swipe.edge, app, now.advanced(by: rules.second)))
        }
        leave(place, &verdict)
    }

    private mutating func take(_ place: Int, _ verdict: inout Verdict) {
        guard let swipe = glass.fingers[place].swipe else { return }
        glass.firsts.removeAll { $0.edge == swipe.edge && $0.app == swipe.app }
        verdict.taken.append(glass.fingers[place].landing)
        switch swipe.edge {
        case .home: glass.fingers[place].swipe?.isTaken = true
        case .notifications: verdict.acts.append(.notifications)
        case .controls: verdict.acts.append(.controls)
        }
        if swipe.edge != .home { glass.fingers[place].swipe = nil }
    }

    /// It is its app's, unless it has been taken from it.
    private mutating func leave(_ place: Int, _ verdict: inout Verdict) {
        if glass.fingers[place].swipe?.isTaken == false { verdict.left.append(glass.fingers[place].landing) }
        (glass.fingers[place].swipe, glass.fingers[place].isGated) = (nil, false)
    }

    // MARK: Time and answers

    /// The server's gestures are told that time has passed.
    mutating func swipesAge(_ step: Step) {
        guard let rules = options.gestures else { return }
        let now = step.at
        var verdict = Verdict()
        for place in glass.fingers.indices {
            if let swipe = glass.fingers[place].swipe, swipe.isLet == nil, swipe.at.advanced(by: rules.answer) <= now {
                glass.fingers[place].swipe?.isLet = true
                decide(place, now, &verdict)
            }
            if let swipe = glass.fingers[place].swipe, !swipe.isSwipe, swipe.at.advanced(by: rules.limit) <= now {
                leave(place, &verdict)
            }
            if let swipe = glass.fingers[place].swipe, swipe.edge == .home, swipe.isSwipe, swipe.isIn,
                swipe.rest.since.advanced(by: rules.hold) <= now
            {
                if !swipe.isTaken { take(place, &verdict) }
                verdict.acts.append(.switcher)
                glass.fingers[place].swipe = nil
            }
        }
        carryOut(verdict, isInScan: false)
    }

    /// An app has said at which edges it defers.
    mutating func hears(deferring edges: UInt8, in question: SequenceNumber, of app: Int, at now: Instant) {
        guard options.gestures != nil else { return }
        var verdict = Verdict()
        for place in glass.fingers.indices {
            guard let swipe = glass.fingers[place].swipe, swipe.app == app, swipe.question == question,
                swipe.isLet == nil
            else { continue }
            let bit = glass.fingers[place].space.edge(isLower: swipe.edge == .home)
            glass.fingers[place].swipe?.isLet = edges & bit == 0
            decide(place, now, &verdict)
        }
        carryOut(verdict, isInScan: false)
    }

    // MARK: What follows

    private mutating func carryOut(_ verdict: Verdict, isInScan: Bool) {
        take(verdict.taken, for: .system, opening: isInScan ? [] : verdict.left)
        for landing in verdict.taken { spies.refuseAll(.system, on: landing) }
        for act in verdict.acts {
            revoke(front.take(act))
            forgetSwipes()
        }
    }

    /// These fingers are a system gesture's or a touch monitor's from here on. Each app that had one is told so in one frame,
    /// in which its other fingers rest.
    ///
    /// - Parameter left: Fingers whose gates open: their apps are told so in the same way.
    mutating func take(_ landings: [UInt32], for taker: SpiedOwner, opening left: [UInt32] = []) {
        var concerned: [Int] = []
        for place in glass.fingers.indices {
            let finger = glass.fingers[place]
            let isTaken = landings.contains(finger.landing)
            guard isTaken || left.contains(finger.landing) else { continue }
            if isTaken { glass.fingers[place].taker = taker }
            if case .app(let app) = finger.owner {
                if !concerned.contains(app) { concerned.append(app) }
            } else if isTaken {
                glass.fingers[place].owner = .nobody
            }
        }
        for app in concerned { lose(landings, of: app, taker == .system ? .gesture : .spy) }
    }

    /// The screen has changed: who has lost its finger swipes no more.
    mutating func forgetSwipes() {
        for place in glass.fingers.indices where glass.fingers[place].owner == .nobody {
            glass.fingers[place].swipe = nil
        }
    }
}

extension Owner {
    fileprivate var app: Int? { if case .app(let place) = self { place } else { nil } }
}

extension DeclaredWindows {
    /// The one in front of those that take a finger there.
    func topmost(_ position: Point<SceneSpace>) -> SceneWindow? {
        all.filter { !$0.isHidden && $0.takesTouches && $0.frame.contains(position) }
            .max { ($0.level, $0.order, $0.id) < ($1.level, $1.order, $1.id) }
    }
}
