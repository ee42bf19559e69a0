// GestureEnvironment.swift: delivers touches to recognizers, and decides which wait, which fail and which act.
//
// Station   gesture
// Input     UIWindow.sendEvent (the gesture phase of an event); the main loop before it waits (changes by timers)
// Output    recognizers' touches methods; targets; touchesCancelled of views; HeldTouches.swift
// Knows     the active recognizers and their states. Not what a gesture looks like.
//
//     deliver ─▶ requirements ─▶ ┌ exclude ─▶ act ┐ ─▶ release unheld touches ─▶ reset final recognizers
//                                └── until quiet ─┘
//
// Each rule is a value of Gestures: Arbitration, AttemptState, RecognizerState, TouchDelivery and the machines. This
// class calls an app's code on every other line, and that code may change anything. Each step therefore reads the
// present state, and remembers nothing across a call (Docs/Decisions/GestureEnvironment.md).
//
// Sources   observed    actions, then the cancel, ancestors first (S36); held touches are discarded by a cancel (S19)
//           documented  failure requirements, canPrevent, simultaneous recognition
//           invented    the order of questions to one pair (B7.1), resets in groups (B5.9)

import Basics
import Foundation
import Gestures

/// Arbitrates between the recognizers of one application.
final class GestureEnvironment {
    /// Set when the application is made. The application owns the environment.
    @exclusivity(unchecked) unowned(unsafe) var application: UIApplication!
    /// Active recognizers, in the order in which they joined.
    @exclusivity(unchecked) private(set) var active: [UIGestureRecognizer] = []
    @exclusivity(unchecked) var held: [UITouch] = []
    @exclusivity(unchecked) var heldPresses: [UIPress] = []
    @exclusivity(unchecked) private(set) var isUpdating = false
    @exclusivity(unchecked) private var wantsUpdate = false
    @exclusivity(unchecked) private var wantsExclusion = false
    @exclusivity(unchecked) private var hasNewRecognizers = false
    /// A recognizer has a second action for this event; the next update sends it.
    @exclusivity(unchecked) private var hasDeferredAction = false
    /// The numbers of events and updates. Each recognizer receives an event once, and acts once in an update.
    @exclusivity(unchecked) private var eventNumber: UInt64 = 0
    @exclusivity(unchecked) private var updateNumber: UInt64 = 1
    /// The last identity that facts gave to a recognizer.
    @exclusivity(unchecked) var lastIdentity: Int64 = 0
    /// Kept for its memory; emptied and filled again for each event.
    @exclusivity(unchecked) private var receivers: [UIGestureRecognizer] = []
    /// Shuffles the orders that iOS leaves open; nil keeps them.
    @exclusivity(unchecked) private var shuffleGenerator: SeededGenerator?

    init(order: UIKitSettings.UnspecifiedOrder) {
        if case .ios(let seed) = order { shuffleGenerator = SeededGenerator(seed: seed) }
    }

    deinit {
        // The application ends during a gesture: recognizers and touches release each other.
        for recognizer in active { recognizer.leaveTouches() }
        for touch in held { touch.hold = nil }
        for press in heldPresses { press.hold = nil }
    }

    /// Whether no recognizer is active, and no touch or press is withheld from its view.
    package var isIdle: Bool { active.isEmpty && held.isEmpty && heldPresses.isEmpty }

    // MARK: Joining

    /// Adds a recognizer that has accepted a touch, a press or a pointer's event.
    func activate(_ recognizer: UIGestureRecognizer, by event: UIEvent.EventType) {
        if !recognizer.attempt.isActive {
            recognizer.attempt.isNew = true
            recognizer.attempt.event = event
            active.append(recognizer)
            hasNewRecognizers = true
        }
        _ = recognizer.attempt.handle(.joined)
        recognizer.attempt.needsUpdate = true
        (wantsUpdate, wantsExclusion) = (true, true)
    }

    /// Notes that a recognizer's state was assigned. An idle recognizer, whose timer fired late, is active until its
    /// reset.
    func stateWasAssigned(to recognizer: UIGestureRecognizer) {
        if !recognizer.attempt.isActive { active.append(recognizer) }
        // Recognizers that waited for this one may now exclude others.
        let stage = recognizer.stage
        if stage.isRecognized || stage.isFinal && recognizer.requirements.isRequired { wantsExclusion = true }
        recognizer.attempt.needsUpdate = true
        _ = recognizer.attempt.handle(.assigned)
        recognizer.attempt.assignedUpdateNumber = updateNumber
        wantsUpdate = true
    }

    // MARK: One event

    /// The gesture phase of one event in one window: recognizers receive the event, are arbitrated, and act. The view
    /// phase delivers the touches that are left. (B6)
    func handle(_ event: UIEvent, in window: UIWindow) {
        guard !active.isEmpty || !held.isEmpty else { return }
        if !active.isEmpty { deliver(event, in: window) }
        if wantsUpdate || !held.isEmpty { update(event, in: window) }
    }

    /// Calls each recognizer once, with its touches of the event, phase by phase. (B6.1)
    private func deliver(_ event: UIEvent, in window: UIWindow) {
        eventNumber &+= 1
        var receivers: [UIGestureRecognizer] = []
        swap(&receivers, &self.receivers)
        for touch in event.touches where touch.phase != .stationary && touch.window === window {
            guard let takers = touch.gestureRecognizers else { continue }
            for recognizer in takers where recognizer.attempt.deliveredEventNumber != eventNumber {
                recognizer.attempt.deliveredEventNumber = eventNumber
                receivers.append(recognizer)
            }
        }
        arrange(&receivers)
        for recognizer in receivers { callTouchesMethods(of: recognizer, for: event) }
        receivers.removeAll(keepingCapacity: true)
        swap(&receivers, &self.receivers)
    }

    private func callTouchesMethods(of recognizer: UIGestureRecognizer, for event: UIEvent) {
        guard !recognizer.stage.isFinal else {
            // A recognizer in a final state receives no more touches (B5.8). One that waits may still cancel touches,
            // so it may hold them.
            if recognizer.attempt.state.isWaiting {
                scheduleUpdate(of: recognizer)
            } else {
                recognizer.leaveTouches(keepingAttempt: true)
            }
            return
        }
        if recognizer.activeTouches.count == 1 {
            let touch = recognizer.activeTouches[0]
            callTouchesMethod(of: recognizer, with: touch.setOfSelf, in: touch.phase, for: event)
            return
        }
        for phase in [UITouch.Phase.began, .moved, .ended, .cancelled] {
            let touches = recognizer.activeTouches.filter { $0.phase == phase }
            if !touches.isEmpty { callTouchesMethod(of: recognizer, with: Set(touches), in: phase, for: event) }
            // A recognizer that one phase has decided receives no later phase.
            if recognizer.stage.isFinal { break }
        }
    }

    private func callTouchesMethod(
        of recognizer: UIGestureRecognizer, with touches: Set<UITouch>, in phase: UITouch.Phase, for event: UIEvent
    ) {
        if event.isIntercepted { return watch(recognizer, touches, in: phase, of: event) }
        prepare(recognizer, for: phase, of: event)
        recognizer.receive(touches, in: phase, of: event)
    }

    @inline(__always)
    func prepare(_ recognizer: UIGestureRecognizer, for phase: UITouch.Phase, of event: UIEvent) {
        switch phase {
        case .began:
            scheduleUpdate(of: recognizer)
            recognizer.modifiers = event.modifiers
        case .ended, .cancelled: scheduleUpdate(of: recognizer)
        case .moved, .stationary, .regionEntered, .regionMoved, .regionExited: break
        }
    }

    /// Schedules an update for the recognizer: a touch began or is over, so that there may be one to hold.
    func scheduleUpdate(of recognizer: UIGestureRecognizer) {
        recognizer.attempt.needsUpdate = true
        wantsUpdate = true
    }

    // MARK: The update

    /// Handles changes by timers and by blocks of the main queue, before the main loop waits. (B6.5′)
    func updateOutsideEvents() {
        guard wantsUpdate || !held.isEmpty || !heldPresses.isEmpty else { return }
        update(nil, in: nil)
    }

    /// Arbitrates and lets recognizers act.
    ///
    /// - Parameter event: The present event; nil between events.
    func update(_ event: UIEvent?, in window: UIWindow?) {
        // A handler that runs the loop arrives here again. The outer update handles its changes. (S97)
        guard !isUpdating else { return }
        isUpdating = true
        askRequirements()
        while wantsUpdate {
            wantsUpdate = false
            if wantsExclusion {
                wantsExclusion = false
                exclude()
            }
            for recognizer in sorted(active.filter { $0.attempt.needsUpdate }) { act(recognizer, event) }
        }
        releaseTouches(event, in: window)
        if !heldPresses.isEmpty { releasePresses(event as? UIPressesEvent) }
        reset()
        (wantsUpdate, hasDeferredAction) = (wantsUpdate || hasDeferredAction, false)
        updateNumber &+= 1
        isUpdating = false
    }

    /// Sorts ancestors' recognizers before descendants', and those of one view by their index. (B6.3a)
    private func sorted(_ recognizers: [UIGestureRecognizer]) -> [UIGestureRecognizer] {
        guard recognizers.count > 1 else { return recognizers }
        for recognizer in recognizers {
            var depth = 0
            var view = recognizer.attachedView
            while let current = view {
                depth += 1
                view = current.parent
            }
            if depth > 0 { recognizer.attempt.depth = depth }
        }
        let isInOrder = zip(recognizers, recognizers.dropFirst()).allSatisfy {
            ($0.attempt.depth, $0.index) <= ($1.attempt.depth, $1.index)
        }
        if isInOrder { return recognizers }
        return recognizers.enumerated()
            .sorted {
                ($0.element.attempt.depth, $0.element.index, $0.offset)
                    < ($1.element.attempt.depth, $1.element.index, $1.offset)
            }
            .map(\.element)
    }

    // MARK: Requirements

    /// Asks each ordered pair with a new recognizer in it once in an attempt (B6.2). Pairs in which no recognizer can
    /// give its own answer are skipped: a thousand recognizers on one view make a million pairs.
    private func askRequirements() {
        guard hasNewRecognizers else { return }
        hasNewRecognizers = false
        let candidates = active
        let answering = candidates.filter(\.mayAnswerAboutRequirements)
        if candidates.count > 1, !answering.isEmpty {
            let isObserved = application.isObserved
            for g in arranged(candidates) {
                for h in g.mayAnswerAboutRequirements ? candidates : answering
                where g !== h && (g.attempt.isNew || h.attempt.isNew) && g.isUndecided && h.isUndecided
                    && g.isRelated(to: h) && !g.requires(h)
                {
                    guard g.requiresInAttempt(h, isObserved: isObserved) else { continue }
                    g.requirements.requireInAttempt(h)
                    h.requirements.becomeRequired()
                    noteCycle(closedBy: g, requiring: h)
                }
            }
        }
        for recognizer in candidates { recognizer.attempt.isNew = false }
    }

    /// The state of the recognizer's failure requirements, and the first required recognizer that decides it (B7.6,
    /// B7.9). A failed or cancelled recognizer waits for none.
    private func requirement(
        of recognizer: UIGestureRecognizer
    ) -> (standing: Turn.Requirement, by: UIGestureRecognizer?) {
        guard recognizer.stage.rawValue <= RecognizerState.ended.rawValue, !recognizer.requirements.isEmpty else {
            return (.met, nil)
        }
        if let winner = recognizer.requirements.first(where: { $0.attempt.isActive && $0.stage.isRecognized }) {
            return (.lost, winner)
        }
        if let other = recognizer.requirements.first(where: { $0.attempt.isActive && $0.stage == .possible }) {
            return (.undecided, other)
        }
        return (.met, nil)
    }

    private func hasRequirementJustFailed(of recognizer: UIGestureRecognizer) -> Bool {
        recognizer.requirements.first {
            $0.attempt.isActive && $0.attempt.assignedUpdateNumber == updateNumber
                && ($0.stage == .failed || $0.stage == .cancelled)
        } != nil
    }

    // MARK: Exclusion

    /// Fails each recognizer that has not acted if a recognized one excludes it. (B7.1, B7.2)
    private func exclude() {
        guard active.count > 1, active.contains(where: { $0.stage.isRecognized }) else { return }
        let candidates = sorted(active.filter { $0.stage.rawValue <= RecognizerState.ended.rawValue })
        // A recognizer that an answer makes recognized in the meantime sets `wantsExclusion` again.
        var recognized = candidates.filter(\.stage.isRecognized)[...]
        for x in candidates where x.attempt.state.isExcludable && x.stage.rawValue <= RecognizerState.ended.rawValue {
            // Overruled recognizers exclude none, so they leave the list. Otherwise ten thousand of them take quadratic
            // time.
            while let y = recognized.first, !y.stage.isRecognized { recognized.removeFirst() }
            for y in arranged(recognized) where excludes(y, x) {
                application.emit(.gesture(.excluded(x, by: y)))
                x.overrule()
                break
            }
        }
    }

    private func excludes(_ y: UIGestureRecognizer, _ x: UIGestureRecognizer) -> Bool {
        guard y !== x else { return false }
        var exclusion = Exclusion.first(
            for: Exclusion.Pair(
                winner: y.stage, requirement: requirement(of: y).standing,
                isOneKindOfEvent: y.attempt.event == x.attempt.event, isRelated: x.isRelated(to: y),
                requiresLoser: y.requires(x), isOutOfSight: x.onlyHoldsTouches || y.onlyHoldsTouches))
        while case .ask(let question) = exclusion {
            exclusion = .next(after: question, answer: answer(question, winner: y, loser: x))
        }
        return exclusion == .excluded
    }

    private func answer(
        _ question: Exclusion.Question, winner y: UIGestureRecognizer, loser x: UIGestureRecognizer
    ) -> Bool {
        switch question {
        case .mayPrevent: application.isObserved ? y.watchCanPrevent(x) : y.canPrevent(x)
        case .mayBePrevented: application.isObserved ? x.watchCanBePrevented(by: y) : x.canBePrevented(by: y)
        case .loserAllowsBoth: x.isAllowed(beside: y)
        case .winnerAllowsBoth: y.isAllowed(beside: x)
        }
    }

    // MARK: Acting

    private func act(_ recognizer: UIGestureRecognizer, _ event: UIEvent?) {
        let requirement = requirement(of: recognizer)
        var turn = turn(of: recognizer, requirement.standing)
        if case .postpone = turn {
            hasDeferredAction = true
            return
        }
        recognizer.attempt.needsUpdate = false
        if case .lose = turn, let winner = requirement.by {
            application.emit(.gesture(.lost(recognizer, to: winner)))
            if recognizer.attempt.state.isExcludable { recognizer.overrule() } else { recognizer.refuse() }
            recognizer.attempt.needsUpdate = false
            turn = self.turn(of: recognizer, requirement.standing)
        }
        switch turn {
        case .postpone, .skip: return
        case .decideExclusion:
            recognizer.attempt.needsUpdate = true
            wantsUpdate = true
            return
        case .lose, .rest: break
        case .wait:
            let effect = recognizer.attempt.handle(.blocked(ended: recognizer.stage == .ended))
            if case .noteWait = effect, let other = requirement.by {
                application.emit(.gesture(.waits(recognizer, for: other)))
            }
            holdTouches(for: recognizer, in: event)
        case .act: recognize(recognizer, event)
        case .withdraw:
            if recognizer.attempt.handle(.cancelled) == .withdraw {
                if application.isWatched { noteAction(of: recognizer, in: .cancelled) }
                recognizer.sendActions()
            }
            releaseHolds(of: recognizer)
        case .fail:
            _ = recognizer.attempt.handle(.failed)
            releaseHolds(of: recognizer, afterFailing: true)
        case .hold: holdTouches(for: recognizer, in: event)
        }
        if recognizer.stage != .possible { wakeDependents(of: recognizer) }
    }

    private func turn(of recognizer: UIGestureRecognizer, _ requirement: Turn.Requirement) -> Turn {
        Turn.of(
            recognizer.stage, recognizer.attempt.state, requirement,
            actedInUpdate: recognizer.attempt.actedUpdateNumber == updateNumber,
            isUnweighed: wantsExclusion && !recognizer.requirements.isEmpty)
    }

    /// Sends actions, then cancels the recognizer's touches in their views, then releases its holds. (B8.1)
    private func recognize(_ recognizer: UIGestureRecognizer, _ event: UIEvent?) {
        recognizer.attempt.actedUpdateNumber = updateNumber
        let effect = recognizer.attempt.handle(.acts)
        // The requirement may have failed in the very event in which this recognizer began.
        if case .actFirst = effect, hasRequirementJustFailed(of: recognizer) { recognizer.requirementCleared() }
        let stage = recognizer.stage
        if case .actAfterWait(let owesBegan) = effect {
            recognizer.requirementCleared()
            if owesBegan, stage != .began {
                if application.isWatched { noteAction(of: recognizer, in: .began) }
                recognizer.withState(.began) { recognizer.sendActions() }
            }
        }
        // Otherwise a target has cancelled the recognizer: its next and last action reports that.
        if recognizer.stage == stage {
            if application.isWatched { noteAction(of: recognizer, in: recognizer.state) }
            recognizer.sendActions()
            if stage == .ended { _ = recognizer.attempt.handle(.ended) }
        }
        if recognizer.cancelsTouchesInView {
            cancelTouches(of: recognizer, event)
            if !recognizer.attemptPresses.isEmpty { cancelPresses(of: recognizer) }
        }
        releaseHolds(of: recognizer)
    }

    /// Schedules the recognizers that require this one: they go on, or have lost.
    private func wakeDependents(of recognizer: UIGestureRecognizer) {
        guard recognizer.requirements.isRequired else { return }
        for other in active where other !== recognizer && !other.attempt.state.isDone && other.requires(recognizer) {
            other.attempt.needsUpdate = true
            (wantsUpdate, wantsExclusion) = (true, true)
        }
    }

    // MARK: Reset

    /// Resets each recognizer in a final state, if all recognizers that requirements connect it with are in one. (B5.9)
    private func reset() {
        for recognizer in active
        where recognizer.stage == .possible && recognizer.activeTouches.allSatisfy(\.isOver)
            && recognizer.activePresses.allSatisfy(\.isOver)
        {
            // Nothing is left to decide: the recognizer never decides, or it has ignored all its input.
            let hasNothingLeft =
                recognizer.attempt.event == .touches && recognizer.attemptTouches.isEmpty
                || recognizer.attempt.event == .presses && recognizer.attemptPresses.isEmpty
            if recognizer.finishesAtReset || hasNothingLeft {
                retire(recognizer)
            }
        }
        // Retired recognizers are members of no group.
        active.removeAll { !$0.attempt.isActive }
        guard active.contains(where: { $0.stage.isFinal && !$0.attempt.needsUpdate }) else { return }
        var visited: Set<ObjectIdentifier> = []
        for recognizer in active {
            guard recognizer.isConnected else {
                if recognizer.stage.isFinal, !recognizer.attempt.needsUpdate { reset(recognizer) }
                continue
            }
            guard !visited.contains(ObjectIdentifier(recognizer)) else { continue }
            let group = group(of: recognizer)
            visited.formUnion(group.map { ObjectIdentifier($0) })
            guard group.allSatisfy({ $0.stage.isFinal && !$0.attempt.needsUpdate }) else { continue }
            for member in group { reset(member) }
        }
        // `reset` is an app's code, and may have changed recognizers.
        active.removeAll { !$0.attempt.isActive }
    }

    private func reset(_ recognizer: UIGestureRecognizer) {
        if application.isWatched { noteReset(of: recognizer) }
        releaseHolds(of: recognizer)
        recognizer.resetAttempt(in: application)
    }

    /// Ends an attempt without a decision. Recognizers that wait for this one go on at the next update.
    private func retire(_ recognizer: UIGestureRecognizer) {
        wakeDependents(of: recognizer)
        releaseHolds(of: recognizer)
        recognizer.resetAttempt(in: application)
    }

    /// The recognizer and all active ones that requirements connect with it.
    private func group(of recognizer: UIGestureRecognizer) -> [UIGestureRecognizer] {
        var group = [recognizer]
        var next = 0
        while next < group.count {
            let member = group[next]
            next += 1
            for other in active where member.requires(other) || other.requires(member) {
                if !group.contains(where: { $0 === other }) { group.append(other) }
            }
        }
        return group
    }

    // MARK: Order

    /// Shuffles an order that iOS leaves open, if the settings ask for it.
    private func arrange(_ elements: inout some MutableCollection & RandomAccessCollection) {
        if shuffleGenerator != nil { elements.shuffle(using: &shuffleGenerator!) }
    }

    func arranged<Recognizers>(_ recognizers: Recognizers) -> Recognizers
    where Recognizers: MutableCollection & RandomAccessCollection {
        var recognizers = recognizers
        arrange(&recognizers)
        return recognizers
    }
}
