// FigureOptions.swift: the options of every benchmark: the form of its figures, and the limits that they must keep.
//
//     options ─▶ FigureJudge, before the measurement ─▶ lines, JSON or a table; exit 1 with a line for each broken limit
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
            limits: limits, baseline: try baseline.map { try FigureFile(contentsOf: $0).figures },
            printsLines: lines)
    }
}

/// What happens to the figures of a run.
struct FigureJudge {
    var limits: [FigureLimit]
    /// The figures of the earlier run; nil without --baseline.
    var baseline: [BenchFigure]?
    var printsLines: Bool

    /// Prints the result of a run, then judges its figures.
    ///
    /// - Parameters:
    ///   - result: The object of --json. It gets the figures as a further key.
    ///   - text: The table of a benchmark.
    /// - Throws: `Failure` with exit code 1 and one line for each figure beyond a limit or worse than the baseline.
    func finish(
        _ figures: [BenchFigure], options: ResultOptions, json result: some Encodable, text: () -> [String]
    ) throws {
        try show(figures, options: options, json: result, text: text)
        let complaints = try complaints(about: figures)
        guard complaints.isEmpty else {
            throw Failure(code: 1, line: complaints.joined(separator: "\n"), isText: true)
        }
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

    /// One line for each figure beyond a limit or worse than the baseline.
    func complaints(about figures: [BenchFigure]) throws -> [String] {
        var lines = try FigureLimit.complaints(of: limits, about: figures)
        for comparison in FigureComparison.compare(baseline ?? [], figures) where comparison.verdict == .worse {
            lines.append("\(comparison.key): worse than the baseline: \(comparison.summary)")
        }
        return lines
    }
}
