// FigureLimit.swift: the limit of a figure, from an option or from Config/budgets.yaml.
//
//     p99=2ms                     every p99 of the run
//     240Hz/ratio-p50=1.15        one case
//     latency/240Hz/p50=200us     one figure
//
// Sources   invented

import ArgumentParser
import Foundation

/// A limit that figures must keep.
struct FigureLimit: Equatable {
    /// Which side of the limit is too far.
    enum Side: Equatable {
        case atMost, atLeast
        /// At most, and at least for a rate: what a budget means.
        case notWorse
    }

    /// The end of the keys of its figures, in whole parts: `p99`, `240Hz/p99`, `latency/240Hz/p99`.
    var pattern: String
    var amount: FigureAmount
    var side: Side
    /// Where the limit is written, for messages: `--max`, `Config/budgets.yaml:12`.
    var source: String

    func applies(to figure: BenchFigure) -> Bool { figure.key == pattern || figure.key.hasSuffix("/\(pattern)") }

    /// Judges one figure by its median.
    ///
    /// - Returns: One line with the measured value and the limit; nil if the figure keeps the limit.
    /// - Throws: `Failure` with exit code 2 when the limit has another kind of unit than the figure.
    func complaint(about figure: BenchFigure) throws(Failure) -> String? {
        guard let limit = amount.value(in: figure.unit) else {
            throw Failure.badInput(
                "\(source) \(pattern): expected a limit in \(figure.unit), found \(amount)")
        }
        let isAtLeast = side == .atLeast || side == .notWorse && figure.isBetterWhenGreater
        // A value that is no number keeps no limit.
        let isKept = isAtLeast ? figure.value >= limit : figure.value <= limit
        guard !isKept else { return nil }
        let bound = isAtLeast ? "at least" : "at most"
        return "\(figure.key): expected \(bound) \(figureText(limit)) \(figure.unit) (\(source)), "
            + "found \(figureText(figure.value)) \(figure.unit)"
    }

    /// Judges the figures of a run.
    ///
    /// - Returns: A complaint for each figure beyond its limit. A limit of no figure of the run, or in another kind of
    ///   unit than its figures, is unusable.
    static func judgement(by limits: [FigureLimit], of figures: [BenchFigure]) -> FigureJudgement {
        var judgement = FigureJudgement()
        for limit in limits {
            let own = figures.filter(limit.applies)
            if own.isEmpty {
                let metrics = Set(figures.map(\.metric)).sorted().joined(separator: " ")
                judgement.unusable.append(
                    "\(limit.source) \(limit.pattern): expected a figure of this run (\(metrics)), found none")
            }
            for figure in own {
                do throws(Failure) {
                    if let line = try limit.complaint(about: figure) { judgement.complaints.append(line) }
                } catch {
                    // Figures of several cases have one unit: one line is enough.
                    if judgement.unusable.last != error.line { judgement.unusable.append(error.line) }
                }
            }
        }
        return judgement
    }
}

/// A number with an optional unit: `2ms`, `50us`, `1.15`, `12MiB`.
struct FigureAmount: Equatable, CustomStringConvertible {
    var number: Double
    /// Empty for the figure's own unit.
    var unit: String

    var description: String { figureText(number) + unit }

    init?(_ text: some StringProtocol) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
        guard let number = Double(String(digits)), number.isFinite else { return nil }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard unit.isEmpty || Self.scale(of: String(unit)) != nil || unit.hasSuffix("/s") else { return nil }
        (self.number, self.unit) = (number, String(unit))
    }

    /// The amount in another unit; nil for a unit of another kind.
    func value(in other: String) -> Double? {
        guard !unit.isEmpty, unit != other else { return number }
        guard let own = Self.scale(of: unit), let target = Self.scale(of: other), own.kind == target.kind else {
            return nil
        }
        return number * own.factor / target.factor
    }

    private enum Kind { case time, memory }

    private static func scale(of unit: String) -> (kind: Kind, factor: Double)? {
        switch unit {
        case "ns": (.time, 1)
        case "us", "µs": (.time, 1e3)
        case "ms": (.time, 1e6)
        case "s": (.time, 1e9)
        case "bytes", "B": (.memory, 1)
        case "kB": (.memory, 1e3)
        case "MB": (.memory, 1e6)
        case "KiB": (.memory, 1024)
        case "MiB": (.memory, 1_048_576)
        case "GiB": (.memory, 1_073_741_824)
        default: nil
        }
    }
}

/// The value of --max, --min and --max-ratio: a figure and its limit.
struct LimitArgument: ExpressibleByArgument, Equatable {
    var pattern: String
    var amount: FigureAmount

    init?(argument: String) {
        guard let equals = argument.lastIndex(of: "="), equals != argument.startIndex,
            let amount = FigureAmount(argument[argument.index(after: equals)...])
        else { return nil }
        (pattern, self.amount) = (String(argument[..<equals]), amount)
    }

    /// The same limit for the ratio of the figure: `240Hz/p50` is `240Hz/ratio-p50`.
    var ofRatio: LimitArgument {
        var limit = self
        var parts = pattern.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        parts[parts.count - 1] = "ratio-" + parts[parts.count - 1]
        limit.pattern = parts.joined(separator: "/")
        return limit
    }
}
