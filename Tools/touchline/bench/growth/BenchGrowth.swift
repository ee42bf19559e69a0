// BenchGrowth.swift: `touchline bench growth`: how each cost grows with the work, beside the growth that is claimed.
//
//     axes ─▶ GroupGrowth, AppGrowth ─▶ figures ─▶ GrowthVerdict of each claim ─▶ tables, JSON; exit 1 with --check
//
// The page of `bench all` computes the same verdicts from the same figures (GrowthPlot.swift).

import ArgumentParser
import Foundation

/// What there is more and more of.
enum GrowthAxis: String, CaseIterable {
    case rate, apps, contacts, views, recognizers

    /// The measured amounts. At least five can tell one order of growth from another; the highest rates are only
    /// measured if the group keeps up with the ones before.
    func amounts(quick: Bool) -> [Int] {
        switch self {
        case .rate: [60, 120, 240, 480, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000]
        case .apps: [1, 2, 3, 5, 10, 20] + (quick ? [] : [50, 100])
        case .contacts: [1, 2, 3, 4, 6, 8, 12, 16]
        case .views: [10, 30, 100, 300, 1000, 3000, 10_000] + (quick ? [] : [30_000, 100_000])
        case .recognizers: [0, 1, 2, 5, 10, 20, 50, 100] + (quick ? [] : [200, 500, 1000])
        }
    }

    /// The cases of the figures, without amounts.
    var series: [String] { self == .views ? AppGrowth.trees.map { "views-\($0.rawValue)" } : [rawValue] }
}

/// The command `touchline bench growth`.
struct BenchGrowth: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "growth",
        abstract: "Measure how costs grow with rate, apps, contacts, views and recognizers, and check each claim.",
        discussion: """
              rate         scans per second, from 60 until the deliveries fall behind
              apps         1 to 100 apps, of which one receives the touches
              contacts     1 to 16 fingers in one view
              views        hit test and dispatch in one app, 10 to 100,000 views beside each other, to 10,000 in one
                           another
              recognizers  0 to 1,000 on the path of a touch

            Rate, apps and contacts are measured in groups of real processes: latency, and the CPU time of each process. \
            Views and recognizers are measured in this process: time, and instructions where valgrind is installed.

            Each claim is compared with fitted curves: constant, log n, n, n log n and n². The fitted order is the slowest \
            one whose curve describes the points. The power is that of n in a straight line through the logarithms, with \
            an interval of 95 %. A verdict is unknown when there are too few points or they scatter too much.

            Build with `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a scan is lost, a figure is beyond a limit or, with --check, a \
            claim does not hold, 2 when an option cannot be used, 3 when a group cannot be started.
            """)

    @Option(
        parsing: .upToNextOption, help: ArgumentHelp("The axes to measure (default: all).", valueName: "name"))
    var axis: [GrowthAxis] = []

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Rounds through all amounts; in one app thrice as many repeats, at least 9 (default: 3, with --quick 1).",
            valueName: "count"))
    var repeats: Int?

    @Option(
        help: ArgumentHelp(
            "Duration of each play; in one app a hundredth (default: 2, with --quick 0.5).", valueName: "seconds"))
    var seconds: Double?

    @Option(help: ArgumentHelp("Scans per second for the axes apps and contacts.", valueName: "Hz"))
    var rate = 240.0

    @Flag(help: "Measure shortly, and fewer apps, views and recognizers.")
    var quick = false

    @Flag(help: "Do not run valgrind; --quick does not either.")
    var noInstructions = false

    @Flag(help: "Exit with 1 unless every claim about the measured axes holds.")
    var check = false

    @OptionGroup var settings: GroupSettingsOption
    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--repeat", repeats, in: 1...100)
        try expect("--rate", rate, in: 10...10_000)
        try settings.expectNoneOfTheCommand(GroupSettingsOption.decidedByBenchmarks)
        if let seconds, !(seconds > 0 && seconds <= 60) {
            throw ValidationError("--seconds: expected more than 0 and at most 60, found \(seconds)")
        }
    }

    func run() throws {
        let judge = try figureOptions.judge()
        let axes = GrowthAxis.allCases.filter { axis.isEmpty || axis.contains($0) }
        var bar = ProgressBar(linesEvery: .seconds(10))
        let measured = try measure(axes) { bar.show($0) }
        bar.clear()
        let figures = measured.figures
        let verdicts = GrowthVerdict.all(in: figures)
        let output = Output(
            claims: verdicts, notes: measured.notes, whyNoInstructions: measured.whyNoInstructions)
        try judge.show(figures, options: result, json: output) {
            axes.flatMap { Self.table(of: $0, figures) } + Self.text(verdicts)
                + measured.notes + (measured.whyNoInstructions.map { ["instructions: not measured: \($0)"] } ?? [])
        }
        var judgement = judge.judgement(of: figures)
        if check {
            judgement.complaints += verdicts.compactMap(\.complaint)
            judgement.complaints += GrowthVerdict.unmeasured(
                of: axes, in: figures, hasInstructions: measured.whyNoInstructions == nil)
        }
        try judgement.finish()
    }

    /// The JSON output, beside the figures.
    private struct Output: Encodable {
        var claims: [GrowthVerdict]
        /// Amounts that were not measured, and why.
        var notes: [String]
        var whyNoInstructions: String?
    }

    // MARK: Measuring

    private struct Measured {
        var figures: [BenchFigure] = []
        var notes: [String] = []
        var whyNoInstructions: String?
    }

    private func measure(_ axes: [GrowthAxis], showing show: (String) -> Void) throws -> Measured {
        let (rounds, length) = (repeats ?? (quick ? 1 : 3), seconds ?? (quick ? 0.5 : 2))
        let isInApp = axes.contains(.views) || axes.contains(.recognizers)
        let counts = isInApp && !noInstructions && !quick
        let callgrind = counts ? try Callgrind() : nil
        var measured = Measured()
        if isInApp, callgrind == nil {
            measured.whyNoInstructions =
                counts ? "valgrind not installed" : quick ? "--quick is set" : "--no-instructions is set"
        }
        let app = AppGrowth(repeats: max(9, 3 * rounds), seconds: length / 100, callgrind: callgrind)
        let group = GroupGrowth(rate: rate, seconds: length, rounds: rounds, settings: settings.assignments)
        for axis in axes {
            let amounts = axis.amounts(quick: quick)
            switch axis {
            case .rate: measured.figures += try group.byRate(amounts, show: show)
            case .apps:
                let (figures, notes) = try group.byApps(amounts, show: show)
                measured.figures += figures
                measured.notes += notes
            case .contacts: measured.figures += try group.byContacts(amounts, show: show)
            case .views: measured.figures += try app.byViews(amounts, show: show)
            case .recognizers: measured.figures += try app.byRecognizers(amounts, show: show)
            }
        }
        if let most = measured.figures.first(where: { $0.name == GrowthCost.saturation.name }) {
            measured.notes.append("\(figureText(most.value.rounded())) scans per second arrive at most")
        }
        return measured
    }

    // MARK: Text

    /// The medians of an axis, a row for each amount and a column for each metric.
    private static func table(of axis: GrowthAxis, _ figures: [BenchFigure]) -> [String] {
        axis.series.flatMap { series -> [String] in
            let own = figures.filter { figure in
                figure.name.hasPrefix("\(series)-") && Int(figure.name.dropFirst(series.count + 1)) != nil
            }
            var (names, metrics): ([String], [BenchFigure]) = ([], [])
            for figure in own {
                if !names.contains(figure.name) { names.append(figure.name) }
                if !metrics.contains(where: { $0.metric == figure.metric }) { metrics.append(figure) }
            }
            guard !names.isEmpty else { return [] }
            let head = [series] + metrics.map { $0.unit == "count" ? $0.metric : "\($0.metric), \($0.unit)" }
            let rows = names.map { name in
                [String(name.dropFirst(series.count + 1))]
                    + metrics.map { metric in
                        own.first { $0.name == name && $0.metric == metric.metric }.map { figureText($0.value) } ?? "-"
                    }
            }
            return aligned([head] + rows) + [""]
        }
    }

    private static func text(_ verdicts: [GrowthVerdict]) -> [String] {
        verdicts.isEmpty ? [] : aligned([GrowthVerdict.head] + verdicts.map(\.row)) + [""]
    }
}

extension GrowthAxis: ExpressibleByArgument {}
