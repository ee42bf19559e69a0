// WhyNot.swift: why one recognizer or view had no effect in an interaction.
//
// Input     `touchline explain --why-not`
// Output    one sentence for an interaction
//
// Sources   invented

public import Basics

/// A view or a recognizer that a person names: `card`, `card.tap`.
public struct AskedPart: Hashable, Sendable, CustomStringConvertible {
    public let view: String
    public let recognizer: String?

    /// - Parameter text: `V` or `V.g`.
    public init(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        (view, recognizer) = (parts.first ?? text, parts.count > 1 ? parts[1] : nil)
    }

    public var description: String { recognizer.map { "\(view).\($0)" } ?? view }

    /// Whether a fact's name means the view, by its identifier or by its class: `UIView "card"`, `UIView`.
    public func isView(_ name: String) -> Bool {
        name.hasSuffix("\"\(view)\"") || name == view || name.hasPrefix("\(view) \"")
    }

    /// Whether a fact's name means the recognizer: `tap on UIView "card"`.
    public func isRecognizer(_ name: String) -> Bool {
        guard let recognizer, name.hasPrefix("\(recognizer) on ") else { return false }
        let rest = name.dropFirst(recognizer.count + " on ".count)
        // A number at the end distinguishes recognizers of one name.
        let plain = rest.hasSuffix(")") ? rest.prefix { $0 != "(" }.dropLast() : rest
        return isView(String(plain))
    }
}

/// Why a subject had no effect, or that it had one.
public enum WhyNot: Hashable, Sendable {
    /// The recognizer called its targets, or an action of the view ran.
    case acted
    /// The recognizer's verdict.
    case verdict(String, Interaction.Verdict)
    /// It does not receive the touch.
    case declined(String, String)
    /// The view is not the hit view and not around it.
    case notHit(hit: String?)
    /// The view's touch was cancelled when this recognizer was recognized.
    case lost(view: String, to: String)
    /// The view was told nothing before this recognizer was recognized. The time is that for which a scroll view held the
    /// touch; nil if none did.
    case beaten(view: String, by: String, held: Duration?)
    /// A scroll view held the view's touch for this time and then discarded it.
    case discarded(view: String, Duration, because: String)
    /// The view received it, and it has no effect there.
    case cause(RootCause)
    /// The view is on the way of the touch, and the recognizer is not one of its.
    case noSuchRecognizer(view: String)
}

extension Interaction {
    /// Returns why a view or a recognizer had no effect in this interaction.
    public func whyNot(_ subject: AskedPart) -> WhyNot {
        if subject.recognizer != nil {
            if let row = recognizers.last(where: { subject.isRecognizer($0.name) }) {
                return row.acted.isEmpty ? .verdict(row.name, row.verdict) : .acted
            }
            if let refusal = refusals.last(where: { subject.isRecognizer($0.name) }) {
                return .declined(refusal.name, refusal.reason)
            }
        } else if actions.contains(where: { acts(subject, $0) }) || recognizers.contains(where: { acts(subject, $0) }) {
            return .acted
        }
        let isOnWay = hit.view.map(subject.isView) == true || chain.contains(where: subject.isView)
        if isOnWay { return subject.recognizer == nil ? loss(of: subject) : .noSuchRecognizer(view: subject.view) }
        if let passed = refusals.last(where: { subject.isView($0.name) }) {
            return .declined(passed.name, passed.reason)
        }
        return reachedApp && obstacles.isEmpty ? .notHit(hit: hit.view) : .cause(cause)
    }

    /// Whether a fact about the interaction names the part.
    public func names(_ part: AskedPart) -> Bool {
        guard part.recognizer == nil else {
            return recognizers.contains { part.isRecognizer($0.name) }
                || refusals.contains { part.isRecognizer($0.name) }
        }
        return hit.view.map(part.isView) == true || chain.contains(where: part.isView)
            || refusals.contains { part.isView($0.name) }
    }

    /// Why nothing came of the touch in the hit view, which is the asked one or inside it.
    private func loss(of asked: AskedPart) -> WhyNot {
        guard let hit = hit.view else { return .cause(cause) }
        if let cancelledBy { return .cause(.cancelled(by: cancelledBy)) }
        let view = asked.isView(hit) ? asked.view : "\(hit) in \(asked.view)"
        let winner = recognizers.first { !$0.acted.isEmpty }?.name
        if receivers.contains("\(hit) touchesCancelled"), let winner { return .lost(view: view, to: winner) }
        var heldTime: Duration?
        for case .held(let time, let isDiscarded, let why) in recognizers.map(\.verdict) {
            if isDiscarded { return .discarded(view: view, time, because: why) }
            heldTime = time
        }
        if receivers.isEmpty, let winner { return .beaten(view: view, by: winner, held: heldTime) }
        return .cause(cause)
    }

    private func acts(_ subject: AskedPart, _ recognizer: Recognizer) -> Bool {
        guard !recognizer.acted.isEmpty, let range = firstRange(of: " on ", in: recognizer.name) else { return false }
        return subject.isView(String(recognizer.name[range.upperBound...]))
    }

    private func acts(_ subject: AskedPart, _ action: Action) -> Bool {
        // `touchUpInside of UIButton "plus"`, `tap on UIView "card"`
        for word in [" of ", " on "] {
            guard let range = firstRange(of: word, in: action.trigger) else { continue }
            if subject.isView(String(action.trigger[range.upperBound...])) { return true }
        }
        return action.isSelection && subject.isView(action.trigger)
    }
}

extension WhyNot {
    /// Returns one sentence about the subject.
    ///
    /// - Parameters:
    ///   - subject: The view or recognizer that the sentence is about.
    ///   - language: The language of the sentence.
    ///   - zero: The moment from which moments count.
    public func text(of subject: AskedPart, in language: Language, since zero: Instant) -> String {
        switch self {
        case .acted: Sentence.didAct.words.filled([subject.description], language)
        case .verdict(let name, let verdict): verdict.phrase(of: name).text(in: language, since: zero)
        case .declined(let name, let why):
            Phrase(.declines, .name(name), .reason(why)).text(in: language, since: zero)
        case .notHit(let hit?):
            Sentence.notHit.words.filled([hit, subject.view], language)
        case .notHit(nil):
            Sentence.nothingHit.words.filled([], language)
        case .lost(let view, let winner):
            Sentence.lostTouch.words.filled([view, winner], language)
        case .beaten(let view, let winner, let time?):
            Sentence.heldThenBeaten.words.filled([view, time.milliseconds, winner], language)
        case .beaten(let view, let winner, nil):
            Sentence.beaten.words.filled([view, winner], language)
        case .discarded(let view, let time, let why):
            Sentence.heldThenDiscarded.words.filled(
                [view, time.milliseconds, Reason.text(of: why, in: language)], language)
        case .cause(let cause): cause.phrase.text(in: language, since: zero)
        case .noSuchRecognizer(let view):
            Sentence.hasNoSuchRecognizer.words.filled([view, subject.description], language)
        }
    }
}
