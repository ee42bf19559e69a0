// BenchCompare.swift: `touchline bench compare`: the figures of two runs, each judged better, worse or noise.
//
// Input     two JSON files: of `bench … --json`, or figures.json of `bench all`
// Output    a table or JSON; FigureComparison.swift has the method

import ArgumentParser

/// The command `touchline bench compare`.
struct BenchCompare: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare the figures of two runs: better, worse or noise.",
        discussion: """
            A figure is better or worse when the whole interval of its shift, over the repetitions of both runs, is more \
            than 2 % of the earlier median, and chance does not explain it among this number of figures: either such an \
            order of the values is not expected once in 20 comparisons, or the gap between the runs is more than twice \
            the larger range of values within a run. Everything else is noise. With too few values for an interval of \
            90 %, such as one each or two and three, the verdict is unknown.

            Instructions, allocations and the bytes of an index are counted, and compared exactly if all repetitions \
            are equal. Figures of references, such as the relays, have no verdict.

            A time can differ because the machine was busier during one run. Compare ratios for that reason, or repeat \
            both runs in turns.

            Exits 0 when no figure is worse, 1 when one is, 2 when a file cannot be used.
            """)

    @Argument(help: ArgumentHelp("JSON of the earlier run.", valueName: "file"))
    var before: String

    @Argument(help: ArgumentHelp("JSON of the later run.", valueName: "file"))
    var after: String

    @Flag(help: "Print better and worse figures only.")
    var changes = false

    @OptionGroup var result: ResultOptions

    func run() throws {
        let (before, after) = (try FigureFile(contentsOf: before), try FigureFile(contentsOf: after))
        let all = FigureComparison.compare(before.figures, after.figures)
        let summary = ComparisonSummary(all)
        let shown = changes ? all.filter { $0.verdict == .better || $0.verdict == .worse } : all
        if result.json {
            try printJSON(ComparisonResult(summary: summary, figures: shown))
        } else {
            if !shown.isEmpty { for line in aligned([FigureComparison.head] + shown.map(\.row)) { printLine(line) } }
            printLine(summary.text)
        }
        if summary.worse > 0 { throw ExitCode(1) }
    }
}

/// The number of figures of each verdict.
struct ComparisonSummary: Encodable, Equatable {
    var better = 0
    var worse = 0
    var noise = 0
    var unknown = 0
    var missing = 0
    var reference = 0

    /// The number of figures that could be compared.
    var compared: Int { better + worse + noise }

    init(_ comparisons: [FigureComparison]) {
        func count(_ verdict: FigureComparison.Verdict) -> Int { comparisons.count { $0.verdict == verdict } }
        (better, worse, noise) = (count(.better), count(.worse), count(.noise))
        (unknown, missing, reference) = (count(.unknown), count(.missing), count(.reference))
    }

    var text: String {
        let parts = [
            (worse, "worse"), (better, "better"), (noise, "noise"), (unknown, "unknown"),
            (reference, "of references"), (missing, "in one run only"),
        ]
        return parts.filter { $0.0 > 0 || $0.1 == "worse" }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
}

/// The JSON output.
private struct ComparisonResult: Encodable {
    var summary: ComparisonSummary
    var figures: [FigureComparison]
}
