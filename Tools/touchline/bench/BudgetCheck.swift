// BudgetCheck.swift: the figures of a run against Config/budgets.yaml.
//
//     Budgets + figures ─▶ a row for each budget: kept, exceeded, not measured, or unusable
//
// A figure that the run does not have is no failure, because a machine may lack valgrind or strace; its row says so. A run
// without any figure of a budget is one, because nothing was judged.

import Configuration

/// The budgets of a file, judged by the figures of a run.
struct BudgetCheck {
    struct Row: Equatable {
        enum Verdict: Equatable {
            case kept, notMeasured
            /// With a line that has the measured value and the limit.
            case exceeded(String)
            /// The limit has a unit of another kind, as the line says.
            case unusable(String)
        }

        var key: String
        var limit: String
        /// Empty for a figure that was not measured.
        var measured: String
        var verdict: Verdict

        fileprivate var cells: [String] {
            let word =
                switch verdict {
                case .kept: "kept"
                case .notMeasured: "not measured"
                case .exceeded: "EXCEEDED"
                case .unusable: "unusable"
                }
            return [key, measured.isEmpty ? "-" : measured, limit, word]
        }
    }

    let file: String
    var rows: [Row]

    /// - Parameters:
    ///   - figures: The figures that may be judged (`BenchChild.Output.judged`).
    ///   - countsOnly: Whether to leave out the budgets of times.
    /// - Throws: `Failure` with exit code 2 for a figure that no benchmark gives, or a limit that is no number with a unit.
    init(_ budgets: Budgets, file: String, figures: [BenchFigure], countsOnly: Bool) throws {
        self.file = file
        rows = try budgets.entries.filter { $0.isCount || !countsOnly }.map { entry in
            let source = "\(file):\(entry.line)"
            guard BenchList.has(entry.key) else {
                throw Failure.badInput("\(source): expected a figure of a benchmark, found \(entry.key)")
            }
            guard let amount = FigureAmount(entry.limit) else {
                throw Failure.badInput("\(source): \(entry.key): expected a number with a unit, found \(entry.limit)")
            }
            guard let figure = figures.first(where: { $0.key == entry.key }) else {
                return Row(key: entry.key, limit: entry.limit, measured: "", verdict: .notMeasured)
            }
            let limit = FigureLimit(pattern: entry.key, amount: amount, side: .notWorse, source: source)
            return Row(
                key: entry.key, limit: entry.limit, measured: "\(figureText(figure.value)) \(figure.unit)",
                verdict: Self.verdict(of: figure, by: limit))
        }
    }

    private static func verdict(of figure: BenchFigure, by limit: FigureLimit) -> Row.Verdict {
        do throws(Failure) { return try limit.complaint(about: figure).map { .exceeded($0) } ?? .kept } catch {
            return .unusable(error.line)
        }
    }

    /// The exceeded budgets, and those that no figure of the run can be judged by.
    var judgement: FigureJudgement {
        var judgement = FigureJudgement()
        for row in rows {
            switch row.verdict {
            case .kept, .notMeasured: break
            case .exceeded(let line): judgement.complaints.append(line)
            case .unusable(let line): judgement.unusable.append(line)
            }
        }
        if rows.allSatisfy({ $0.verdict == .notMeasured }) {
            judgement.unusable.append("\(file): expected a budget of a figure of this run, found none")
        }
        return judgement
    }

    /// A row for each budget, and a line with their number.
    var text: [String] {
        let found = judgement
        let (missing, kept) = (rows.count { $0.verdict == .notMeasured }, rows.count { $0.verdict == .kept })
        let summary = "\(kept) budgets kept, \(found.complaints.count) exceeded, \(missing) not measured"
        return rows.isEmpty
            ? [summary] : aligned([["budget", "measured", "limit", ""]] + rows.map(\.cells)) + [summary]
    }
}
