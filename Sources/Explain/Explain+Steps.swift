// Explain+Steps.swift: the steps of each interaction, one sentence for each fact about it.
//
// Steps that repeat, as a drag's changes, are counted. Moves are one step with the greatest distance.
//
// Input     Explain.add
// Output    Interaction.steps, refusals, chain
//
// Sources   invented

import Basics
import Trace

extension Explain {
    /// Adds the step that a fact means to its interactions.
    mutating func addStep(_ word: FactTemplate, _ fact: ResolvedFact) {
        defer { actors.removeAll(keepingCapacity: true) }
        switch fact.process {
        case "input-kit": addDeviceStep(word, fact)
        case "system-server": addServerStep(word, fact)
        default: if fact.process.hasPrefix("app") { addAppStep(word, fact) }
        }
    }

    // MARK: input-kit

    private mutating func addDeviceStep(_ word: FactTemplate, _ fact: ResolvedFact) {
        let sentence: Sentence
        switch word {
        case .contactDown: sentence = .lands
        case .contactUp: sentence = .lifts
        case .contactCancelled: sentence = .deviceCancels
        case .deviceInput where fact.station == .device:
            guard let index = lastInput(where: { $0.began == fact.at || $0.ended == fact.at }),
                case .input(let subject) = interactions[index].subject
            else { return }
            let isBeginning = interactions[index].steps.isEmpty
            return add(Step(fact, Phrase(isBeginning ? .inputBegins : .inputEnds, .name(subject))), to: [index])
        default: return
        }
        guard let index = lastFinger(fact.number(at: 0), where: { _ in true }) else { return }
        add(Step(fact, Phrase(sentence)), to: [index])
    }

    // MARK: system-server

    private mutating func addServerStep(_ word: FactTemplate, _ fact: ResolvedFact) {
        let contact = lastFinger(fact.number(at: 0)) { _ in true }
        switch word {
        case .scenePassed:
            guard let contact else { return }
            let name = recipient(fact.word(at: 1))
            interactions[contact].refusals.append(
                Interaction.Refusal(kind: .scene, name: name, reason: fact.word(at: 2)))
            add(fact, .scenePassed, .name(name), .reason(fact.word(at: 2)), to: [contact])
        case .routed: add(fact, .owned, .name(recipient(fact.word(at: 1))), to: contact.map { [$0] } ?? [])
        case .landedOnNothing: add(fact, .lockedScreen, to: contact.map { [$0] } ?? [])
        case .emptyDisplay: add(fact, .emptyDisplay, .count(fact.number(at: 1)), to: contact.map { [$0] } ?? [])
        case .refusedLanding:
            add(
                fact, .unresponsive, .name("app\(fact.number(at: 1))"), .reason("its app does not answer"),
                to: contact.map { [$0] } ?? [])
        case .pair where fact.station == .router:
            guard let index = lastInput(where: { $0.subject == .input(fact.word(at: 0)) }) else { return }
            add(fact, .owned, .name(recipient(fact.word(at: 1))), to: [index])
        case .dropped:
            let index = interactions.lastIndex { $0.recipient == nil && !$0.obstacles.isEmpty }
            add(fact, .dropped, .reason(fact.word(at: 0)), to: index.map { [$0] } ?? [])
        case .pilfered: add(fact, .systemTakes, .name(fact.word(at: 1)), to: touch(fact.number(at: 0)))
        case .takenByMonitor: add(fact, .monitorTakes, .count(fact.number(at: 1)), to: touch(fact.number(at: 0)))
        case .stays: add(fact, .staysWithApp, to: touch(fact.number(at: 0)))
        case .heldForFrame:
            let open = open(in: "app\(fact.number(at: 0))").filter { interactions[$0].isFinger }
            add(fact, .heldForFrame, .duration(.nanoseconds(fact.number(at: 2))), to: open)
        case .appGone:
            let name = "app\(fact.number(at: 0))"
            add(fact, .appExits, .name(name), to: interactions.indices.filter { wasLost($0, to: name) })
        default: return
        }
    }

    private func wasLost(_ index: Int, to name: String) -> Bool {
        interactions[index].process == name && interactions[index].obstacles.last == .appGone(app: name)
    }

    private func touch(_ number: Int64) -> [Int] {
        let index = interactions.lastIndex { if case .finger(_, number) = $0.subject { true } else { false } }
        return index.map { [$0] } ?? []
    }

    /// Returns `app1` for `app:1`.
    private func recipient(_ name: String) -> String { name.hasPrefix("app:") ? "app" + name.dropFirst(4) : name }

    // MARK: Apps

    private mutating func addAppStep(_ word: FactTemplate, _ fact: ResolvedFact) {
        switch word {
        case .missingFrames, .late, .full:
            // The fold has noted the reason in the same words.
            for index in interactions.indices where interactions[index].process == fact.process {
                if case .appRefused(_, let why)? = interactions[index].obstacles.last {
                    add(fact, .refusedByApp, .name(fact.process), .reason(why), to: [index])
                }
            }
        case .coalescedEvents:
            for index in interactions.indices
            where interactions[index].process == fact.process && interactions[index].reachedApp
                && !interactions[index].isOverInApp
            {
                interactions[index].mergedScans += fact.number(at: 1)
            }
        case .touchBegan, .touchMoved, .touchEnded, .touchCancelled, .interactionIgnored, .exclusive, .neverBegan,
            .neverBeganEnded, .neverBeganCancelled, .hit, .hitNothing, .passed, .viewPassed, .discarded,
            .stoppedScroll, .onlyOneFinger, .receivedByRecognizer, .declined, .keptFromView:
            guard let index = finger(of: fact.number(at: 0), in: fact.process) else { return }
            if [.touchBegan, .touchMoved, .touchEnded, .touchCancelled].contains(word) {
                interactions[index].events += 1
            }
            addTouchStep(word, fact, index)
        case .undecided, .undecidedUntil, .began, .changed, .ended, .cancelled, .failed, .required, .excluded, .waits,
            .acts, .assigned, .gaveUp, .released, .discardedAll:
            addGestureStep(word, fact)
        case .receivedBegan, .receivedMoved, .receivedEnded, .receivedCancelled:
            let method = fact.template.split(separator: " ").last.map(String.init) ?? ""
            add(fact, .told, .name(fact.word(at: 0)), .name(method), to: receivers(fact))
        case .receivedEvent where fact.station == .responder:
            guard let index = lastInput(where: { $0.process == fact.process }) else { return }
            add(fact, .told, .name(fact.word(at: 0)), .name(fact.word(at: 1)), to: [index])
        case .chain:
            guard let index = finger(of: fact.number(at: 2), in: fact.process) else { return }
            interactions[index].chain = fact.word(at: 1).split(separator: " → ").map(String.init)
            add(fact, .chain, .name(fact.word(at: 1)), to: [index])
        case .beginsTracking, .endsTracking, .cancelsTracking:
            let verb = word == .beginsTracking ? "begins" : word == .endsTracking ? "ends" : "cancels"
            let owners = owners(in: fact.process, of: Speaker(name: fact.word(at: 0)))
            add(fact, .tracks, .name(fact.word(at: 0)), .reason(verb), to: owners)
        case .action: add(fact, .calls, .name(fact.word(at: 0)), to: actors)
        case .pair where fact.station == .action:
            add(fact, .callsFor, .name(fact.word(at: 0)), .name(fact.word(at: 1)), to: actors)
        case .selected:
            let row = "row \(fact.number(at: 1)) of section \(fact.number(at: 2))"
            add(fact, .selects, .name(fact.word(at: 0)), .reason(row), to: actors)
        case .disabled:
            let owners = interactions.indices.filter {
                interactions[$0].obstacles.last == .disabled(fact.word(at: 0))
                    && interactions[$0].process == fact.process
            }
            add(fact, .disabled, .name(fact.word(at: 0)), to: owners.suffix(1))
        default: return
        }
    }

    private mutating func addTouchStep(_ word: FactTemplate, _ fact: ResolvedFact, _ index: Int) {
        func name(_ place: Int) -> Phrase.Value { .name(fact.word(at: place)) }
        switch word {
        case .touchBegan:
            guard let position = interactions[index].hit.position else {
                return add(fact, .arrivesHidden, .count(fact.number(at: 0)), to: [index])
            }
            add(
                fact, .arrives, .count(fact.number(at: 0)), .name(fixedText(position.x, digits: 1)),
                .name(fixedText(position.y, digits: 1)), to: [index])
        case .touchMoved:
            guard let distance = distance(of: fact, index) else { return }
            interactions[index].farthest = max(interactions[index].farthest, distance)
            let phrase = Phrase(.moves, .length(interactions[index].farthest))
            if let place = interactions[index].steps.lastIndex(where: { $0.phrase.sentence == .moves }) {
                interactions[index].steps[place].phrase = phrase
                interactions[index].steps[place].count += 1
                interactions[index].steps[place].last = fact.at
            } else {
                add(Step(fact, phrase), to: [index])
            }
        case .touchEnded:
            addDelivery(fact, index)
            if let distance = distance(of: fact, index) {
                add(fact, .endsAt, .length(distance), to: [index])
            } else {
                add(fact, .endsHidden, to: [index])
            }
        case .touchCancelled:
            let why = interactions[index].cancelledBy.map { "\($0)" } ?? ""
            add(fact, .isCancelled, .reason(why), to: [index])
        case .interactionIgnored: add(fact, .interactionIgnored, .name(fact.process), to: [index])
        case .exclusive: add(fact, .exclusive, name(1), to: [index])
        case .neverBegan: add(fact, .neverBegan, .name(fact.process), to: [index])
        case .passed, .viewPassed:
            let why = word == .passed ? "isUserInteractionEnabled is false" : fact.word(at: 2)
            interactions[index].refusals.append(
                Interaction.Refusal(kind: .view, name: fact.word(at: 1), reason: why))
            add(fact, .viewPassed, name(1), .reason(why), to: [index])
        case .hit: add(fact, .hit, name(1), name(3), .count(fact.number(at: 2)), to: [index])
        case .hitNothing: add(fact, .hitNothing, .count(fact.number(at: 1)), to: [index])
        case .receivedByRecognizer: add(fact, .receives, name(1), to: [index])
        case .declined:
            interactions[index].refusals.append(
                Interaction.Refusal(kind: .recognizer, name: fact.word(at: 1), reason: fact.word(at: 2)))
            add(fact, .declines, name(1), .reason(fact.word(at: 2)), to: [index])
        case .keptFromView: add(fact, .keeps, name(1), to: [index])
        case .discarded, .stoppedScroll, .onlyOneFinger:
            guard case .ignored(let why)? = interactions[index].obstacles.last else { return }
            add(fact, .touchDiscarded, .reason(why), to: [index])
        default: return
        }
    }

    private mutating func addDelivery(_ fact: ResolvedFact, _ index: Int) {
        let (events, merged) = (interactions[index].events, interactions[index].mergedScans)
        if merged > 0 {
            add(fact, .deliveredMerged, .name(fact.process), .count(events), .count(merged), to: [index])
        } else {
            add(fact, .delivered, .name(fact.process), .count(events), to: [index])
        }
    }

    /// The distance of a touch from its beginning; nil if its positions are hidden.
    private func distance(of fact: ResolvedFact, _ index: Int) -> Double? {
        guard let start = interactions[index].hit.position, !Fact.isHidden(fact.number(at: 1)),
            !Fact.isHidden(fact.number(at: 2))
        else { return nil }
        let (x, y) = (points(fact.number(at: 1)) - start.x, points(fact.number(at: 2)) - start.y)
        return (x * x + y * y).squareRoot()
    }

    private mutating func addGestureStep(_ word: FactTemplate, _ fact: ResolvedFact) {
        var actor = Actor(name: fact.word(at: 0), identity: fact.number(at: 3))
        switch word {
        case .undecided, .undecidedUntil, .began, .changed, .ended, .cancelled, .failed, .assigned:
            actor.name += " on \(fact.word(at: 1))"
        default: break
        }
        for (index, place) in entries(in: fact.process, of: actor) {
            let own = Phrase.Value.name(interactions[index].recognizers[place].name)
            var other: Phrase.Value {
                .name(interactions[index].name(of: fact.number(at: 2), otherwise: fact.word(at: 1)))
            }
            func note(_ sentence: Sentence, _ values: Phrase.Value...) {
                add(Step(fact, Phrase(sentence, [own] + values)), to: [index])
            }
            switch word {
            case .undecided: note(.undecided)
            case .undecidedUntil: note(.undecidedUntil, .moment(Instant(nanoseconds: fact.number(at: 2))))
            case .began:
                let distance = interactions[index].farthest
                if distance > 0 {
                    note(.entersAfter, .name("began"), .length(distance))
                } else {
                    note(.enters, .name("began"))
                }
            case .changed: note(.enters, .name("changed"))
            case .ended: note(.enters, .name("ended"))
            case .cancelled: note(.enters, .name("cancelled"))
            case .assigned: note(.enters, .name(fact.word(at: 2)))
            case .failed: note(.fails, .reason(fact.word(at: 2)))
            case .required: note(.failsRequired, other)
            case .excluded: note(.failsExcluded, other)
            case .waits: note(.waits, other)
            case .acts: note(.acts, .name(fact.word(at: 1)))
            case .gaveUp: note(.givesUp)
            case .released: note(.releases, .duration(.nanoseconds(fact.number(at: 1))), .reason(fact.word(at: 2)))
            case .discardedAll: note(.discards, .duration(.nanoseconds(fact.number(at: 1))), .reason(fact.word(at: 2)))
            default: return
            }
        }
    }

    /// The interactions whose touches a responder received.
    private func receivers(_ fact: ResolvedFact) -> [Int] {
        let touches = (1...3).map(fact.number).filter { $0 > 0 }.map { $0 - 1 }
        return owners(in: fact.process, of: Speaker(name: fact.word(at: 0), touches: touches))
    }

    // MARK: Adding

    private mutating func add(
        _ fact: ResolvedFact, _ sentence: Sentence, _ values: Phrase.Value..., to indices: some Sequence<Int>
    ) { add(Step(fact, Phrase(sentence, values)), to: indices) }

    private mutating func add(_ step: Step, to indices: some Sequence<Int>) {
        for index in indices { interactions[index].add(step) }
    }
}

extension Interaction {
    /// Adds a step. Steps that alternate, as a recognizer's changes and the calls of its targets, are counted.
    fileprivate mutating func add(_ step: Step) {
        guard steps.count < Self.stepLimit else { return }
        let repeated = steps.indices.reversed().prefix(6).first { steps[$0].phrase == step.phrase }
        if let repeated, step.phrase.sentence.repeats {
            steps[repeated].count += 1
            steps[repeated].last = step.at
        } else {
            steps.append(step)
        }
    }

    private static let stepLimit = 1024
}

extension Sentence {
    /// Whether steps of this sentence are counted instead of listed.
    fileprivate var repeats: Bool {
        switch self {
        case .enters, .acts, .told, .calls, .callsFor, .moves, .heldForFrame: true
        default: false
        }
    }
}
