// BenchFigure.swift: one measured figure, in the same form for every benchmark.
//
//     a benchmark ─▶ [BenchFigure] ─▶ lines, JSON, thresholds, budgets, `bench compare`, the page of `bench all`
//
// Sources   invented

import Basics
import Foundation

/// A figure of a benchmark, with one value for each repetition.
struct BenchFigure: Codable, Hashable {
    /// The benchmark: `latency`, `dispatch`, `hit-test`.
    var group: String
    /// What was measured in it, one word: `240Hz`, `a-moved`, `flat-10000`.
    var name: String
    /// The figure: `p50`, `ratio-p50`, `instructions`, `allocations`, `syscalls`.
    var metric: String
    /// The unit of the values: `us`, `ns`, `count`, `ratio`, `bytes`, `events/s`.
    var unit: String
    /// One value for each repetition, in the order measured.
    var values: [Double]

    /// The value to print: the median of the repetitions. Not a number without repetitions.
    var value: Double { median(values) }

    /// The figure without its values, as budgets and thresholds name it: `latency/240Hz/p50`.
    var key: String { "\(group)/\(name)/\(metric)" }

    /// Whether a greater value is better: rates are, times and counts are not.
    var isBetterWhenGreater: Bool { unit.hasSuffix("/s") }

    /// Whether the values are counted, not timed.
    var isCount: Bool { unit == "count" }

    enum CodingKeys: String, CodingKey {
        case group, metric, unit, values
        case name = "case"
    }
}

extension BenchFigure {
    /// One line for a program: `R latency 240Hz p50 85.2 us`.
    var line: String { "R \(group) \(name) \(metric) \(figureText(value)) \(unit)" }

    /// The row of a table for a person.
    fileprivate var row: [String] {
        let (low, high) = (values.min() ?? .nan, values.max() ?? .nan)
        return [group, name, metric, figureText(value), unit, figureText(low), figureText(high), "\(values.count)"]
    }
}

extension [BenchFigure] {
    /// A table of the figures, for a benchmark without a table of its own.
    var table: [String] {
        aligned([["group", "case", "figure", "median", "unit", "least", "greatest", "values"]] + map(\.row))
    }

    /// The figures that JSON can hold: without values that are no numbers, and without figures that have no values.
    var finite: [BenchFigure] {
        compactMap { figure in
            var figure = figure
            figure.values = figure.values.filter(\.isFinite)
            return figure.values.isEmpty ? nil : figure
        }
    }
}

/// The median; not a number for an empty list.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// Formats a value with three to five significant digits and without an exponent; `-` for a value that is no number.
func figureText(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    let magnitude = value.magnitude
    if magnitude < 1e15, value == value.rounded() { return "\(Int(value))" }
    return fixedText(value, digits: magnitude >= 1000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 1 ? 2 : 4)
}

// MARK: Files

/// A JSON object with the figures of a run under the key `figures`. Every benchmark writes one with `--json`, and
/// `bench all` writes `figures.json`.
struct FigureFile: Codable {
    var figures: [BenchFigure]

    init(_ figures: [BenchFigure]) { self.figures = figures }

    /// - Throws: `Failure` with exit code 2 for a file that cannot be read or has no figures.
    init(contentsOf path: String) throws {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw Failure.badInput("\(path): cannot be read")
        }
        do { self = try JSONDecoder().decode(FigureFile.self, from: data) } catch {
            throw Failure.badInput(
                "\(path): expected JSON with figures, as `touchline bench … --json` writes it, found something else")
        }
        figures = figures.finite
        guard !figures.isEmpty else { throw Failure.badInput("\(path): expected figures, found none") }
    }
}

/// A result with the key `figures` beside its own keys.
struct ResultWithFigures<Result: Encodable>: Encodable {
    let result: Result
    let figures: [BenchFigure]

    func encode(to encoder: any Encoder) throws {
        try result.encode(to: encoder)
        try FigureFile(figures.finite).encode(to: encoder)
    }
}
