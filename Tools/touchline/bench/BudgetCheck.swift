// BudgetCheck.swift: the figures of a run against Config/budgets.yaml.
//
//     Budgets + figures ─▶ a row for each budget: kept, exceeded, or not measured
//
// A figure that the run does not have is no failure, because a machine may lack valgrind or strace; its row says so.

import Configuration

/// The budgets of a file, judged by the figures of a run.
struct BudgetCheck {
    struct Row: Equatable {
        var key: String
        var limit: String
        /// Empty for a figure that was not measured.
        var measured: String
        /// The measured value and the limit; nil for a kept budget, and for one that was not measured.
        var complaint: String?

        fileprivate var cells: [String] {
            let verdict = complaint != nil ? "EXCEEDED" : measured.isEmpty ? "not measured" : "kept"
            return [key, measured.isEmpty ? "-" : measured, limit, verdict]
        }
    }

    var rows: [Row]

    /// - Parameters:
    ///   - countsOnly: Whether to leave out the budgets of times.
    /// - Throws: `Failure` with exit code 2 for a figure that no benchmark gives, or a unit of another kind.
    init(_ budgets: Budgets, file: String, figures: [BenchFigure], countsOnly: Bool) throws {
        rows = try budgets.entries.filter { $0.isCount || !countsOnly }.map { entry in
            let source = "\(file):\(entry.line)"
            guard BenchList.has(entry.key) else {
                throw Failure.badInput("\(source): expected a figure of a benchmark, found \(entry.key)")
            }
            guard let amount = FigureAmount(entry.limit) else {
                throw Failure.badInput("\(source): \(entry.key): expected a number with a unit, found \(entry.limit)")
            }
            let limit = FigureLimit(pattern: entry.key, amount: amount, side: .notWorse, source: source)
            guard let figure = figures.first(where: { $0.key == entry.key }) else {
                return Row(key: entry.key, limit: entry.limit, measured: "", complaint: nil)
            }
            return Row(
                key: entry.key, limit: entry.limit, measured: "\(figureText(figure.value)) \(figure.unit)",
                complaint: try limit.complaint(about: figure))
        }
    }

    var complaints: [String] { rows.compactMap(\.complaint) }

    /// A row for each budget, and a line with their number.
    var text: [String] {
        let missing = rows.count { $0.measured.isEmpty }
        let exceeded = complaints.count
        let summary = "\(rows.count - missing - exceeded) budgets kept, \(exceeded) exceeded, \(missing) not measured"
        return rows.isEmpty
            ? [summary] : aligned([["budget", "measured", "limit", ""]] + rows.map(\.cells)) + [summary]
    }
}
