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
    @exclusivity(unchecked) var eventNumber: UInt64 = 0
    @exclusivity(unchecked) private var updateNumber: UInt64 = 1
    /// The last identity that facts gave to a recognizer.
    @exclusivity(unchecked) var lastIdentity: Int64 = 0
    /// The last number of a view in trees of views. Facts of recognizers must not change it, because a replay may note others.
    var lastViewIdentity: Int64 = 0
    /// Kept for their memory; filled again for each event. (GestureEnvironment+Delivery.swift)
    @exclusivity(unchecked) var receivers: [UIGestureRecognizer] = []
    @exclusivity(unchecked) var samples: [Sample] = []
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
        // Recognizers of one view follow each other, so its depth is counted once.
        var (lastView, depth) = (nil as UIView?, 0)
        var (last, isInOrder) = ((0, 0), true)
        for recognizer in recognizers {
            if let view = recognizer.attachedView {
                if view !== lastView { (lastView, depth) = (view, view.ancestorCount + 1) }
                recognizer.attempt.depth = depth
            }
            let next = (recognizer.attempt.depth, recognizer.index)
            if next < last { isInOrder = false }
            last = next
        }
        if isInOrder { return recognizers }
        if let reversed = viewsReversed(recognizers) { return reversed }
        return recognizers.enumerated()
            .sorted {
                ($0.element.attempt.depth, $0.element.index, $0.offset)
                    < ($1.element.attempt.depth, $1.element.index, $1.offset)
            }
            .map(\.element)
    }

    /// The recognizers with the views in reverse order: sorted, if they were in the order of a touch, from the touched view
    /// outwards. Otherwise nil.
    private func viewsReversed(_ recognizers: [UIGestureRecognizer]) -> [UIGestureRecognizer]? {
        var reversed: [UIGestureRecognizer] = []
        reversed.reserveCapacity(recognizers.count)
        var end = recognizers.count
        while end > 0 {
            var start = end - 1
            while start > 0, !recognizers[start].precedes(recognizers[start - 1]) { start -= 1 }
            if let last = reversed.last, !last.precedes(recognizers[start]) { return nil }
            reversed += recognizers[start..<end]
            end = start
        }
        return reversed
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
        if case .possible = recognizer.stage { return }
        wakeDependents(of: recognizer)
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
        // A copy, read by index: a loop over elements retains each of them.
        let candidates = active
        for index in candidates.indices where candidates[index].hasOnlyFinishedInput {
            let recognizer = candidates[index]
            // Nothing is left to decide: the recognizer never decides, or it has ignored all its input.
            let hasNothingLeft =
                recognizer.attempt.event == .touches && recognizer.attemptTouches.isEmpty
                || recognizer.attempt.event == .presses && recognizer.attemptPresses.isEmpty
            if recognizer.finishesAtReset || hasNothingLeft {
                retire(recognizer)
            }
        }
        // Retired recognizers are members of no group.
        if candidates.indices.contains(where: { !candidates[$0].attempt.isActive }) {
            active.removeAll { !$0.attempt.isActive }
        }
        guard candidates.indices.contains(where: { candidates[$0].isReadyForReset }) else { return }
        var visited: Set<ObjectIdentifier> = []
        for recognizer in active {
            guard recognizer.isConnected else {
                if recognizer.isReadyForReset { reset(recognizer) }
                continue
            }
            guard !visited.contains(ObjectIdentifier(recognizer)) else { continue }
            let group = group(of: recognizer)
            visited.formUnion(group.map { ObjectIdentifier($0) })
            guard group.allSatisfy(\.isReadyForReset) else { continue }
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

    /// Whether the orders that iOS leaves open are shuffled.
    var shufflesOrders: Bool { shuffleGenerator != nil }

    /// Shuffles an order that iOS leaves open, if the settings ask for it.
    func arrange(_ elements: inout some MutableCollection & RandomAccessCollection) {
        if shuffleGenerator != nil { elements.shuffle(using: &shuffleGenerator!) }
    }

    func arranged<Recognizers>(_ recognizers: Recognizers) -> Recognizers
    where Recognizers: MutableCollection & RandomAccessCollection {
        var recognizers = recognizers
        arrange(&recognizers)
        return recognizers
    }
}
