// FoundChanges.swift: the answers of a what-if, as lines and as JSON.

import Basics
import Explain
import Scenarios

/// The changes that flip the outcome of one interaction.
struct FoundChanges {
    let answers: [WhatIf.Answer]
    /// Whether the interaction acts, so that the changes prevent it.
    let prevents: Bool
    let plays: Int
    /// Whether the search ended before its time.
    let isComplete: Bool

    /// More than a person reads.
    private static let limit = 8

    func lines(in language: Language) -> [String] {
        let effort = "\(plays) plays" + (isComplete ? "" : ", stopped by --seconds")
        guard !answers.isEmpty else { return ["  what if: no single change flips the outcome (\(effort))"] }
        var lines = ["  \(prevents ? "it would not act" : "it would act"), if (smallest change first, \(effort)):"]
        for answer in answers.prefix(Self.limit) { lines.append("    \(answer.phrase.text(in: language))") }
        if answers.count > Self.limit { lines.append("    and \(answers.count - Self.limit) more (--json)") }
        return lines
    }

    func json(in language: Language) -> [String: Any] {
        [
            "prevents": prevents, "plays": plays, "isComplete": isComplete,
            "changes": answers.map {
                [
                    "text": $0.phrase.text(in: language), "cost": $0.cost,
                    "because": $0.cause.phrase.text(in: language),
                ] as [String: Any]
            },
        ]
    }
}
