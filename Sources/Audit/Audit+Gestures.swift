// Audit+Gestures.swift: the outcome of each finger that lands at an edge: a system gesture, or a touch of its app.
//
//    lands in the zone ─▶ swipe ─┬ far enough inwards, in time, and further than along the edge: a system gesture,
//                                │ once its app allows it
//                                ├ along the edge, lifted, or out of time: its app's touch; the gate opens
//                                └ its app defers: its app's touch, and the next swipe at that edge is the system's
//
// Input     Audit+Server: scans, answers of apps, time
// Output    PanelState, Front: fingers that are taken, gates that open, system gestures
// Knows     the rule (D8, Docs/Decisions/SystemGestures.md). No state of the server.
//
// Sources   Docs/Spec/Pipeline.md section 3: I1, I2, I4, I8; Docs/Spec/Semantics.md D5, D8, S89

import Basics
import HID
import Hosting
import Wire

/// The state of a finger that landed where system gestures begin.
struct Swipe: Sendable {
    enum Edge: Sendable { case home, notifications, controls }

    let edge: Edge
    /// The position on the display and the moment of the landing.
    let x, y: Double
    let at: Instant
    /// The index of the app's link; nil if the server itself owned the finger.
    let app: Int?
    /// Whether the app allows the system gesture; nil while its answer is unknown.
    var isAllowed: Bool?
    /// The frame whose receipt has the answer.
    var question: SequenceNumber?
    /// Whether it was far enough inwards once, and whether it is now.
    var isComplete = false
    var isInwards = false
    var isTaken = false
    /// The position at which the finger rests, and since when.
    var rest: (x: Double, y: Double, since: Instant)
}

extension Audit {
    /// The consequences of one moment for all swipes.
    private struct Verdict {
        var taken: [UInt32] = []
        var leftToApps: [UInt32] = []
        var acts: [Front.Gesture] = []
    }

    // MARK: Landing

    /// Returns the swipe of a finger that lands at an edge, and whether its app receives a gated touch; nil elsewhere.
    func swipe(
        of owner: Owner, at position: Point<DisplaySpace>, in space: OrientedFrame, _ moment: Instant
    ) -> (swipe: Swipe, isGated: Bool)? {
        guard let rules = options.gestures, let edge = edge(at: position, rules) else { return nil }
        let rest = (x: position.x.double, y: position.y.double, since: moment)
        var swipe = Swipe(edge: edge, x: rest.x, y: rest.y, at: moment, app: owner.app, isAllowed: true, rest: rest)
        switch owner {
        case .home, .keyboard, .shade: return (swipe, false)
        case .overlay, .alert, .ignored: return nil
        case .app(let app):
            let isSecond = glass.firstSwipes.contains { $0.edge == edge && $0.app == app && moment <= $0.until }
            let bit = space.edge(isLower: edge == .home)
            let declared = apps[app].scene.windows?.topmost(space.appPosition(of: position)).map {
                $0.deferredEdges & bit == 0
            }
            swipe.isAllowed = isSecond ? true : declared
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

    // MARK: Scans

    /// Applies a scan to the swipes before it is routed.
    mutating func updateSwipes(_ event: HIDEvent, _ step: Step) {
        guard let rules = options.gestures, glass.fingers.contains(where: { $0.swipe != nil }) else { return }
        let known = glass.devices.first { $0.id == event.senderID }?.generation ?? event.generationCount
        guard event.generationCount >= known else { return }
        var verdict = Verdict()
        for fingerIndex in glass.fingers.indices where glass.fingers[fingerIndex].device == event.senderID {
            guard glass.fingers[fingerIndex].swipe != nil else { continue }
            let index = glass.fingers[fingerIndex].index
            let finger = event.generationCount > known ? nil : event.fingers.first { $0.index == index }
            switch finger?.phase {
            case .moved: handleMove(fingerIndex, to: finger!, rules, step.at, &verdict)
            case .stationary: continue
            case .ended: handleLift(fingerIndex, step.at, &verdict)
            case .began, .cancelled, nil: leaveToApp(fingerIndex, &verdict)
            }
        }
        carryOut(verdict, isInScan: true)
    }

    private mutating func handleMove(
        _ fingerIndex: Int, to finger: DigitizerEvent, _ rules: AuditOptions.Gestures, _ now: Instant,
        _ verdict: inout Verdict
    ) {
        guard var swipe = glass.fingers[fingerIndex].swipe else { return }
        let position = displayPosition(finger)
        let (x, y) = (position.x.double, position.y.double)
        let isAway = abs(x - swipe.rest.x) > rules.stillness || abs(y - swipe.rest.y) > rules.stillness
        if isAway { swipe.rest = (x, y, now) }
        let far = swipe.edge == .home ? swipe.y - y : y - swipe.y
        let along = abs(x - swipe.x)
        let isAlong = along >= rules.distance && along > far
        let isFar = !isAlong && far >= rules.distance
        if swipe.isComplete {
            if isFar { swipe.isInwards = true } else if !isAlong { swipe.isInwards = false }
            glass.fingers[fingerIndex].swipe = swipe
        } else if isAlong {
            leaveToApp(fingerIndex, &verdict)
        } else {
            glass.fingers[fingerIndex].swipe = swipe
            guard isFar else { return }
            (swipe.isComplete, swipe.isInwards, swipe.rest.since) = (true, true, now)
            glass.fingers[fingerIndex].swipe = swipe
            decide(fingerIndex, now, &verdict)
        }
    }

    private mutating func handleLift(_ fingerIndex: Int, _ now: Instant, _ verdict: inout Verdict) {
        guard let swipe = glass.fingers[fingerIndex].swipe else { return }
        guard swipe.isComplete, swipe.edge != .home || swipe.isInwards else { return leaveToApp(fingerIndex, &verdict) }
        // An app that has not answered by now allows the gesture.
        if !swipe.isTaken { takeForSystem(fingerIndex, &verdict) }
        if swipe.edge == .home { verdict.acts.append(.home) }
        glass.fingers[fingerIndex].swipe = nil
    }

    /// Takes a completed swipe for the system if its app allows it. If the app defers, the swipe is left to the app.
    private mutating func decide(_ fingerIndex: Int, _ now: Instant, _ verdict: inout Verdict) {
        guard let swipe = glass.fingers[fingerIndex].swipe, swipe.isComplete, !swipe.isTaken,
            let isLet = swipe.isAllowed
        else {
            return
        }
        if isLet { return takeForSystem(fingerIndex, &verdict) }
        if let app = swipe.app, let rules = options.gestures {
            glass.firstSwipes.removeAll { $0.edge == swipe.edge && $0.app == app || $0.until < now }
            glass.firstSwipes.append((swipe.edge, app, now.advanced(by: rules.second)))
        }
        leaveToApp(fingerIndex, &verdict)
    }

    private mutating func takeForSystem(_ fingerIndex: Int, _ verdict: inout Verdict) {
        guard let swipe = glass.fingers[fingerIndex].swipe else { return }
        glass.firstSwipes.removeAll { $0.edge == swipe.edge && $0.app == swipe.app }
        verdict.taken.append(glass.fingers[fingerIndex].landing)
        switch swipe.edge {
        case .home: glass.fingers[fingerIndex].swipe?.isTaken = true
        case .notifications: verdict.acts.append(.notifications)
        case .controls: verdict.acts.append(.controls)
        }
        if swipe.edge != .home { glass.fingers[fingerIndex].swipe = nil }
    }

    /// Leaves the finger to its app, unless the system has taken it.
    private mutating func leaveToApp(_ fingerIndex: Int, _ verdict: inout Verdict) {
        if glass.fingers[fingerIndex].swipe?.isTaken == false {
            verdict.leftToApps.append(glass.fingers[fingerIndex].landing)
        }
        (glass.fingers[fingerIndex].swipe, glass.fingers[fingerIndex].isGated) = (nil, false)
    }

    // MARK: Time and receipts

    /// Applies the passing of time: answers that are overdue, swipes that took too long, fingers that rest.
    mutating func ageSwipes(_ step: Step) {
        guard let rules = options.gestures else { return }
        let now = step.at
        var verdict = Verdict()
        for fingerIndex in glass.fingers.indices {
            if let swipe = glass.fingers[fingerIndex].swipe, swipe.isAllowed == nil,
                swipe.at.advanced(by: rules.answer) <= now
            {
                glass.fingers[fingerIndex].swipe?.isAllowed = true
                decide(fingerIndex, now, &verdict)
            }
            if let swipe = glass.fingers[fingerIndex].swipe, !swipe.isComplete,
                swipe.at.advanced(by: rules.limit) <= now
            {
                leaveToApp(fingerIndex, &verdict)
            }
            if let swipe = glass.fingers[fingerIndex].swipe, swipe.edge == .home, swipe.isComplete, swipe.isInwards,
                swipe.rest.since.advanced(by: rules.hold) <= now
            {
                if !swipe.isTaken { takeForSystem(fingerIndex, &verdict) }
                verdict.acts.append(.switcher)
                glass.fingers[fingerIndex].swipe = nil
            }
        }
        carryOut(verdict, isInScan: false)
    }

    /// Applies the edges at which an app defers system gestures, from its receipt.
    mutating func handleDeferral(edges: UInt8, in question: SequenceNumber, of app: Int, at now: Instant) {
        guard options.gestures != nil else { return }
        var verdict = Verdict()
        for fingerIndex in glass.fingers.indices {
            guard let swipe = glass.fingers[fingerIndex].swipe, swipe.app == app, swipe.question == question,
                swipe.isAllowed == nil
            else { continue }
            let bit = glass.fingers[fingerIndex].space.edge(isLower: swipe.edge == .home)
            glass.fingers[fingerIndex].swipe?.isAllowed = edges & bit == 0
            decide(fingerIndex, now, &verdict)
        }
        carryOut(verdict, isInScan: false)
    }

    // MARK: Consequences

    private mutating func carryOut(_ verdict: Verdict, isInScan: Bool) {
        assign(verdict.taken, to: .system, opening: isInScan ? [] : verdict.leftToApps)
        for landing in verdict.taken { monitors.refuseAll(.system, on: landing) }
        for act in verdict.acts {
            revoke(front.apply(act))
            forgetSwipes()
        }
    }

    /// Gives these fingers to a system gesture or a touch monitor. Each app that had one receives one frame, in which
    /// its other fingers are stationary.
    ///
    /// - Parameter left: Fingers whose gates open. Their apps receive such a frame too.
    mutating func assign(_ landings: [UInt32], to taker: TouchOwner, opening left: [UInt32] = []) {
        var concerned: [Int] = []
        for fingerIndex in glass.fingers.indices {
            let finger = glass.fingers[fingerIndex]
            let isTaken = landings.contains(finger.landing)
            guard isTaken || left.contains(finger.landing) else { continue }
            if isTaken { glass.fingers[fingerIndex].taker = taker }
            if case .app(let app) = finger.owner {
                if !concerned.contains(app) { concerned.append(app) }
            } else if isTaken {
                glass.fingers[fingerIndex].owner = .ignored
            }
        }
        for app in concerned { lose(landings, of: app, taker == .system ? .gesture : .touchMonitor) }
    }

    /// Removes the swipes of fingers that lost their owner when the screen changed.
    mutating func forgetSwipes() {
        for fingerIndex in glass.fingers.indices where glass.fingers[fingerIndex].owner == .ignored {
            glass.fingers[fingerIndex].swipe = nil
        }
    }
}

extension Owner {
    fileprivate var app: Int? { if case .app(let appIndex) = self { appIndex } else { nil } }
}

extension DeclaredWindows {
    /// Returns the frontmost window that accepts touches at a position.
    func topmost(_ position: Point<SceneSpace>) -> SceneWindow? {
        all.filter { !$0.isHidden && $0.acceptsTouches && $0.frame.contains(position) }
            .max { ($0.level, $0.order, $0.id) < ($1.level, $1.order, $1.id) }
    }
}
