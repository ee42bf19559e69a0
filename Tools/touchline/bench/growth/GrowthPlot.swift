// GrowthPlot.swift: the figures of `bench growth` as plots: a cost against an amount of work, with the fitted curve.
//
// Input     figures of the group `growth`
// Output    plots and the table of verdicts, for ReportPage
// Knows     names of figures; CurvePlot draws
//
// Sources   invented

/// A plot of costs against one kind of work.
struct GrowthPlot {
    let title: String
    let costs: [GrowthCost]

    private init(_ title: String, _ series: String, _ metrics: [String]) {
        (self.title, costs) = (title, metrics.map { GrowthCost(series: series, metric: $0) })
    }

    /// The plots of a complete run, one after the other. The costs of a plot have one unit.
    static let all =
        [
            GrowthPlot("Latency and CPU time of a scan, by scans per second", "rate", ["p50", "p99", "cpu"]),
            GrowthPlot("CPU time of a second, by scans per second", "rate", ["cpu-second"]),
            GrowthPlot("Scans that arrive per second, by scans per second", "rate", ["arrived"]),
            GrowthPlot("Latency and CPU time of a scan, by apps", "apps", scan),
            GrowthPlot("CPU time of a second, with scans and without, by apps", "apps", ["cpu-second", "idle-second"]),
            GrowthPlot("Latency and CPU time of a scan, by contacts", "contacts", scan),
        ]
        + [("flat", "beside each other"), ("nested", "in one another")].flatMap { tree, words in
            [
                GrowthPlot(
                    "Time in an app, by views \(words)", "views-\(tree)",
                    ["hit-test", "walk", "index-move", "moved", "tap"]),
                GrowthPlot("Time of a new index for each view, by views \(words)", "views-\(tree)", ["index-build"]),
                GrowthPlot(
                    "Instructions in an app, by views \(words)", "views-\(tree)",
                    ["hit-test", "moved", "tap"].map { "\($0)-instructions" }),
            ]
        } + [
            GrowthPlot("Time of an event, by recognizers", "recognizers", gestures),
            GrowthPlot(
                "Instructions of an event, by recognizers", "recognizers", gestures.map { "\($0)-instructions" }),
        ]

    private static let scan =
        ["p50", "p99", "cpu"] + GroupMeter.processes.map { "cpu-\($0)" }
    private static let gestures = ["moved", "tap", "drag"]

    /// The plots that have figures.
    static func panels(of figures: [BenchFigure]) -> [ReportPage.CurvePanel] {
        all.compactMap { $0.panel(of: figures.finite) }
    }

    /// The table of verdicts; empty without any.
    static func verdicts(of figures: [BenchFigure]) -> [[String]] {
        let rows = GrowthVerdict.all(in: figures.finite).map(\.row)
        return rows.isEmpty ? [] : [GrowthVerdict.head] + rows
    }

    private func panel(of figures: [BenchFigure]) -> ReportPage.CurvePanel? {
        let curves = costs.compactMap { curve(of: $0, figures) }
        guard !curves.isEmpty, let unit = costs.compactMap({ $0.unit(in: figures) }).first else { return nil }
        return ReportPage.CurvePanel(
            title: title,
            plot: CurvePlot(title: title, axis: .logarithmic(unit: "count"), unit: unit, curves: curves))
    }

    /// The points of a cost with their spread, and the curve of the order that describes them.
    private func curve(of cost: GrowthCost, _ figures: [BenchFigure]) -> CurvePlot.Curve? {
        let points = cost.points(in: figures)
        guard !points.isEmpty else { return nil }
        let marks = points.map { point, values in
            CurvePlot.Mark(
                x: point.n, y: point.cost, low: values.min() ?? point.cost, high: values.max() ?? point.cost)
        }
        let fitted = cost.fitted(in: figures)
        let tolerance = GrowthClaim.all.first { $0.cost == cost }?.tolerance ?? Self.tolerance
        guard let fit = GrowthFit(fitted, tolerance: tolerance), let first = fitted.first(where: { $0.n > 0 })?.n,
            let last = fitted.last?.n
        else { return CurvePlot.Curve(name: cost.metric, points: [], marks: marks) }
        let line = Self.amounts(from: first, to: last).map { CurvePlot.Point(x: $0, y: fit.curve.cost(at: $0)) }
        return CurvePlot.Curve(name: "\(cost.metric): \(fit.curve.order.name)", points: line, marks: marks)
    }

    /// The tolerance of a cost without a claim.
    private static let tolerance = 0.2

    /// Amounts at equal distances on a logarithmic scale.
    private static func amounts(from first: Double, to last: Double) -> [Double] {
        let count = 48
        guard last > first else { return [first] }
        return (0...count).map { index in
            let share = Double(index) / Double(count)
            return .power10(first.log10 + share * (last / first).log10)
        }
    }
}
