// FigureOptions.swift: the options of every benchmark: the form of its figures, and the limits that they must keep.
//
//     options ─▶ FigureJudge, before the measurement ─▶ lines, JSON or a table
//                                                    └▶ FigureJudgement ─▶ exit 1 with a line for each broken limit
//
// Sources   invented

import ArgumentParser

/// --lines, --max, --max-ratio, --min and --baseline.
struct FigureOptions: ParsableArguments {
    @Flag(help: "Print each figure as one line, `R group case metric value unit`, instead of a table.")
    var lines = false

    @Option(
        name: .customLong("max"), parsing: .singleValue,
        help: ArgumentHelp(
            "Fail when a figure is greater, such as p99=2ms or 240Hz/p99=2ms; may be repeated.",
            valueName: "metric=value"))
    var maxima: [LimitArgument] = []

    @Option(
        name: .customLong("min"), parsing: .singleValue,
        help: ArgumentHelp("Fail when a figure is less, such as a rate; may be repeated.", valueName: "metric=value"))
    var minima: [LimitArgument] = []

    @Option(
        name: .customLong("max-ratio"), parsing: .singleValue,
        help: ArgumentHelp(
            "Fail when the ratio of a figure to its reference is greater, such as p50=1.2; may be repeated.",
            valueName: "metric=value"))
    var maximumRatios: [LimitArgument] = []

    @Option(
        help: ArgumentHelp(
            "Fail when a figure is worse than in this JSON of an earlier run, beyond noise.", valueName: "file"))
    var baseline: String?

    /// The limits of the options.
    var limits: [FigureLimit] {
        func limit(_ argument: LimitArgument, _ side: FigureLimit.Side, _ option: String) -> FigureLimit {
            FigureLimit(pattern: argument.pattern, amount: argument.amount, side: side, source: option)
        }
        return maxima.map { limit($0, .atMost, "--max") } + minima.map { limit($0, .atLeast, "--min") }
            + maximumRatios.map { limit($0.ofRatio, .atMost, "--max-ratio") }
    }

    /// Reads the baseline, so that a file that cannot be used fails before the measurement.
    func judge() throws -> FigureJudge {
        FigureJudge(
            limits: limits,
            baseline: try baseline.map { (file: $0, figures: try FigureFile(contentsOf: $0).figures) },
            printsLines: lines)
    }
}

/// What limits and the baseline say about the figures of a run.
struct FigureJudgement: Equatable {
    /// One line for each figure beyond a limit or worse than the baseline, and for all else that makes a run fail.
    var complaints: [String] = []
    /// One line for each limit, budget or baseline that no figure of the run can be judged by.
    var unusable: [String] = []
    /// The summary of the comparison with the baseline; nil without one, and if nothing could be compared.
    var summary: String?

    /// All lines about the run.
    var lines: [String] { complaints + unusable }

    /// Prints the summary on stderr.
    ///
    /// - Throws: `Failure` with every line: exit code 1, or 2 if nothing but unusable limits or files is wrong.
    func finish() throws {
        if let summary { printError("baseline: \(summary)") }
        guard !lines.isEmpty else { return }
        throw Failure(code: complaints.isEmpty ? 2 : 1, line: lines.joined(separator: "\n"), isText: true)
    }
}

/// What happens to the figures of a run.
struct FigureJudge {
    var limits: [FigureLimit]
    /// The file of --baseline and its figures; nil without the option.
    var baseline: (file: String, figures: [BenchFigure])?
    var printsLines: Bool

    /// Prints the result of a run, then judges its figures.
    ///
    /// - Parameters:
    ///   - result: The object of --json. It gets the figures as a further key.
    ///   - text: The table of a benchmark.
    /// - Throws: `Failure` with one line for each figure beyond a limit or worse than the baseline, as
    ///   `FigureJudgement.finish`.
    func finish(
        _ figures: [BenchFigure], options: ResultOptions, json result: some Encodable, text: () -> [String]
    ) throws {
        try show(figures, options: options, json: result, text: text)
        try judgement(of: figures).finish()
    }

    /// Prints the result of a run: as lines, as JSON, or as its table.
    func show(
        _ figures: [BenchFigure], options: ResultOptions, json result: some Encodable, text: () -> [String]
    ) throws {
        if printsLines {
            for figure in figures { printLine(figure.line) }
        } else if options.json {
            try printJSON(ResultWithFigures(result: result, figures: figures))
        } else {
            for line in text() { printLine(line) }
        }
    }

    /// Judges figures by the limits and the baseline.
    func judgement(of figures: [BenchFigure]) -> FigureJudgement {
        var judgement = FigureLimit.judgement(by: limits, of: figures)
        guard let baseline else { return judgement }
        let comparisons = FigureComparison.compare(baseline.figures, figures)
        for comparison in comparisons where comparison.verdict == .worse {
            judgement.complaints.append("\(comparison.key): worse than the baseline: \(comparison.summary)")
        }
        let summary = ComparisonSummary(comparisons)
        if summary.compared > 0 {
            judgement.summary = summary.text
        } else {
            var reasons = ["\(summary.missing) in one run only", "\(summary.unknown) with too few values"]
            if summary.reference > 0 { reasons.append("\(summary.reference) of references") }
            judgement.unusable.append(
                "--baseline \(baseline.file): expected figures of this run, found none that can be compared: "
                    + reasons.joined(separator: ", "))
        }
        return judgement
    }
}
