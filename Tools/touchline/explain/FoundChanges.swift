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
            ? Words("{0} plays", "{0} 回の再生", "{0} 次重放")
            : Words("{0} plays, stopped by --seconds", "{0} 回の再生、--seconds で中断", "{0} 次重放,因 --seconds 中止")
        let count = effort.filled(["\(plays)"], language)
        guard !answers.isEmpty else {
            let none =
                isComplete
                ? Words(
                    "what if: no single change flips the outcome ({0})", "もしも: 結果を変える単一の変更はない({0})",
                    "假设:没有单一改动能改变结果({0})")
                : Words("what if: no change was found ({0})", "もしも: 変更は見つからなかった({0})", "假设:未找到改动({0})")
            return ["  " + none.filled([count], language)]
        }
        let head =
            prevents
            ? Words(
                "it would not act, if (smallest change first, {0}):", "次の変更なら作動しない(小さい順、{0}):",
                "以下任一改动会使其不起作用(从小到大,{0}):")
            : Words(
                "it would act, if (smallest change first, {0}):", "次の変更なら作動する(小さい順、{0}):", "以下任一改动会使其起作用(从小到大,{0}):")
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
