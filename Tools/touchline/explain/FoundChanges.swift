// FoundChanges.swift: the answers of a what-if, as lines and as JSON.

import Basics
import Explain
import Scenarios

/// The changes that flip the outcome of one interaction.
enum FoundChanges {
    /// - prevents: Whether the interaction acts, so that the changes prevent it.
    /// - isComplete: Whether the search ended before its time.
    case found([WhatIf.Answer], prevents: Bool, plays: Int, isComplete: Bool)
    /// The interaction cannot be played again with changes.
    case unavailable(String)

    /// More than a person reads.
    private static let limit = 8

    func lines(in language: Language) -> [String] {
        guard case .found(let all, let prevents, let plays, let isComplete) = self else {
            if case .unavailable(let why) = self { return ["  what if: \(why)"] }
            return []
        }
        // Switching off what acts is always possible, and says nothing.
        let answers = all.filter { !$0.isBlunt }
        let effort =
            isComplete
            ? Sentence.plays.words
            : Sentence.playsStopped.words
        let count = effort.filled(["\(plays)"], language)
        guard !answers.isEmpty else {
            let none =
                isComplete
                ? Sentence.noChange.words
                : Sentence.noChangeFound.words
            return ["  " + none.filled([count], language)]
        }
        let head =
            prevents
            ? Sentence.wouldNotAct.words
            : Sentence.wouldAct.words
        var lines = ["  " + head.filled([count], language)]
        for answer in answers.prefix(Self.limit) { lines.append("    \(answer.phrase.text(in: language))") }
        if answers.count > Self.limit { lines.append("    … +\(answers.count - Self.limit) (--json)") }
        return lines
    }

    func json(in language: Language) -> [String: Any] {
        switch self {
        case .unavailable(let why): ["unavailable": why]
        case .found(let answers, let prevents, let plays, let isComplete):
            [
                "prevents": prevents, "plays": plays, "isComplete": isComplete,
                "changes": answers.map {
                    [
                        "text": $0.phrase.text(in: language), "cost": $0.cost, "switchesOff": $0.isBlunt,
                        "because": $0.cause.phrase.text(in: language),
                    ] as [String: Any]
                },
            ]
        }
    }
}
