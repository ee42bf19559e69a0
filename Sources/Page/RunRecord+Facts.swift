// RunRecord+Facts.swift: fingers, states of recognizers, holds and turns, as a fold over facts.
//
//     touch kept from its view by D ──▶ hold ──D released its touches──▶ over
//     g undecided ─▶ possible ─┬─ began ─▶ changed ─▶ ended ─┬─ reset ─▶ over
//                              ├─ waits ─▶ …                 │
//                              └─ failed, cancelled ─────────┘
//
// Input     RunRecord
// Knows     facts by their templates (FactTemplate)
//
// Sources   invented

import Basics
import Explain
import Trace

extension RunRecord {
    /// Fills the lanes.
    mutating func foldFacts() {
        for fact in facts {
            if !processes.contains(fact.process) { processes.append(fact.process) }
            let word = FactTemplate(rawValue: fact.template)
            switch fact.process {
            case "input-kit": if let word { addDeviceFact(word, fact) }
            case "system-server": if let word { addServerFact(word, fact) }
            default:
                addToTurn(fact)
                if let word { addAppFact(word, fact) }
            }
        }
        processes.sort { Self.rank($0) < Self.rank($1) }
        joinInteractions()
    }

    private static func rank(_ process: String) -> (Int, String) {
        switch process {
        case "supervisor": (0, process)
        case "input-kit": (1, process)
        case "system-server": (2, process)
        default: (3, process)
        }
    }

    // MARK: Fingers

    private mutating func addDeviceFact(_ word: FactTemplate, _ fact: ResolvedFact) {
        let contact = fact.number(at: 0)
        switch word {
        case .contactDown: fingers.append(Finger(contact: contact, down: fact.at))
        case .contactUp, .contactCancelled:
            guard let index = openFinger(contact) else { return }
            fingers[index].up = fact.at
            fingers[index].isCancelled = word == .contactCancelled
        default: return
        }
    }

    private func openFinger(_ contact: Int64) -> Int? {
        fingers.lastIndex { $0.contact == contact && $0.up == nil }
    }

    private mutating func addServerFact(_ word: FactTemplate, _ fact: ResolvedFact) {
        switch word {
        case .routed:
            // The server may handle a landing after the lift.
            let index = fingers.firstIndex { $0.contact == fact.number(at: 0) && $0.touch == nil }
            if let index { fingers[index].touch = fact.number(at: 2) }
        case .heldForFrame:
            holds.append(
                Hold(
                    process: "app\(fact.number(at: 0))", touch: nil, holder: "display frame",
                    from: fact.at.advanced(byNanoseconds: -fact.number(at: 2)), to: fact.at,
                    reason: "\(fact.number(at: 1))"))
        default: return
        }
    }

    /// Adds a position that an app received. input-kit notes none unless a setting allows it.
    private mutating func addSample(_ fact: ResolvedFact, of touch: Int64) {
        guard !hidesPositions, !Fact.isHidden(fact.number(at: 1)), !Fact.isHidden(fact.number(at: 2)) else { return }
        guard let index = fingers.lastIndex(where: { $0.touch == touch }) else { return }
        func points(_ place: Int) -> Double { Double(bitPattern: UInt64(bitPattern: fact.number(at: place))) }
        fingers[index].space = fact.process
        fingers[index].samples.append(Finger.Sample(at: fact.at, x: points(1), y: points(2)))
    }

    private mutating func joinInteractions() {
        for (index, interaction) in interactions.enumerated() {
            guard case .finger(let contact, _) = interaction.subject else { continue }
            let finger = fingers.firstIndex {
                $0.contact == contact && $0.down == interaction.began && $0.interaction == nil
            }
            if let finger { fingers[finger].interaction = index }
        }
    }

    // MARK: Turns

    private mutating func addToTurn(_ fact: ResolvedFact) {
        guard fact.process.hasPrefix("app"), fact.station != .process, fact.station != .app else { return }
        // Facts of one app come in order; a turn of another app may be between them.
        let last = turns.indices.reversed().prefix(8).first { turns[$0].process == fact.process }
        if let last, turns[last].at == fact.at {
            turns[last].factCount += 1
            if !turns[last].stations.contains(fact.station) { turns[last].stations.append(fact.station) }
        } else {
            turns.append(Turn(process: fact.process, at: fact.at, factCount: 1, stations: [fact.station]))
        }
    }

    // MARK: Recognizers and holds

    private mutating func addAppFact(_ word: FactTemplate, _ fact: ResolvedFact) {
        switch word {
        case .touchBegan, .touchMoved, .touchEnded: addSample(fact, of: fact.number(at: 0))
        case .undecided, .undecidedUntil:
            let index = recognizer(fact, named: "\(fact.word(at: 0)) on \(fact.word(at: 1))")
            enter(.possible, index, fact)
            if word == .undecidedUntil {
                recognizers[index].spans[recognizers[index].spans.count - 1].deadline =
                    Instant(nanoseconds: fact.number(at: 2))
            }
        case .began: enter(.began, recognizer(fact, named: "\(fact.word(at: 0)) on \(fact.word(at: 1))"), fact)
        case .changed: enter(.changed, recognizer(fact, named: "\(fact.word(at: 0)) on \(fact.word(at: 1))"), fact)
        case .ended: enter(.ended, recognizer(fact, named: "\(fact.word(at: 0)) on \(fact.word(at: 1))"), fact)
        case .cancelled: enter(.cancelled, recognizer(fact, named: "\(fact.word(at: 0)) on \(fact.word(at: 1))"), fact)
        case .failed:
            enter(
                .failed, recognizer(fact, named: "\(fact.word(at: 0)) on \(fact.word(at: 1))"), fact, fact.word(at: 2))
        case .required:
            enter(
                .failed, recognizer(fact, named: fact.word(at: 0)), fact,
                "it requires \(fact.word(at: 1)) to fail, which was recognized")
        case .excluded:
            enter(.failed, recognizer(fact, named: fact.word(at: 0)), fact, "excluded by \(fact.word(at: 1))")
        case .waits:
            enter(.waits, recognizer(fact, named: fact.word(at: 0)), fact, "\(fact.word(at: 1)) has not failed")
        case .gaveUp:
            enter(.failed, recognizer(fact, named: fact.word(at: 0)), fact, "it was disabled or removed")
        case .acts:
            // A discrete recognizer acts without a fact about its state.
            let index = recognizer(fact, named: fact.word(at: 0))
            if let state = Span.State(rawValue: fact.word(at: 1)) { enter(state, index, fact) }
        case .reset:
            guard let index = recognizers.firstIndex(where: { isSame($0, fact) }) else { return }
            closeSpan(of: index, at: fact.at)
            closeHolds(fact, reason: "", isDiscarded: false)
        case .keptFromView:
            holds.append(
                Hold(process: fact.process, touch: fact.number(at: 0), holder: fact.word(at: 1), from: fact.at))
        case .released, .discardedAll:
            closeHolds(fact, reason: fact.word(at: 2), isDiscarded: word == .discardedAll)
        default: return
        }
    }

    private func isSame(_ recognizer: Recognizer, _ fact: ResolvedFact) -> Bool {
        recognizer.process == fact.process && recognizer.identity == fact.number(at: 3)
    }

    /// Returns the index of the recognizer of a fact, and adds it if it is new.
    private mutating func recognizer(_ fact: ResolvedFact, named name: String) -> Int {
        if let index = recognizers.firstIndex(where: { isSame($0, fact) }) { return index }
        recognizers.append(Recognizer(process: fact.process, identity: fact.number(at: 3), name: name))
        return recognizers.count - 1
    }

    private mutating func enter(_ state: Span.State, _ index: Int, _ fact: ResolvedFact, _ reason: String = "") {
        if let last = recognizers[index].spans.last, last.to == nil {
            if last.state == state, last.reason == reason || reason.isEmpty { return }
            // A recognizer that waits, or is excluded, never showed the state that it would have entered.
            if last.from == fact.at, state == .waits || state == .failed, last.state != .possible {
                recognizers[index].spans.removeLast()
            }
            closeSpan(of: index, at: fact.at)
        }
        recognizers[index].spans.append(Span(state: state, from: fact.at, reason: reason))
    }

    private mutating func closeSpan(of index: Int, at moment: Instant) {
        guard let last = recognizers[index].spans.indices.last, recognizers[index].spans[last].to == nil else { return }
        recognizers[index].spans[last].to = moment
    }

    private mutating func closeHolds(_ fact: ResolvedFact, reason: String, isDiscarded: Bool) {
        let name = fact.word(at: 0)
        for index in holds.indices
        where holds[index].process == fact.process && holds[index].to == nil && holds[index].holder == name {
            (holds[index].to, holds[index].reason) = (fact.at, reason)
            holds[index].isDiscarded = isDiscarded
        }
    }
}
