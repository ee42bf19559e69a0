// ReportPage.swift: the page of `bench all`: one HTML file with plots, tables and the way to repeat each figure.
//
// The file loads nothing: styles are inside, plots are inline SVG, and there is no script. Colors follow the reader's
// choice of light or dark.
//
// Input     BenchAll: facts of the machine, sections of figures
// Output    a text
// Knows     no files, no clock

/// The contents of the page.
struct ReportPage {
    /// A group of figures.
    struct Section {
        var id: String
        var title: String
        var meaning: String
        /// The command lines whose figures these are.
        var commands: [String] = []
        var figures: [BenchFigure] = []
        /// The metrics to show as bars; empty for all.
        var plots: [BenchSection.Plot] = []
        /// The distributions of each case, for a plot by percentile.
        var distributions: [Distribution] = []
        /// Plots instead of the bars of the figures.
        var curves: [CurvePanel] = []
        /// Rows below the plots, of which the first is their head and the first column a verdict.
        var verdicts: [[String]] = []
        /// Reasons for missing figures.
        var remarks: [String] = []
    }

    /// A plot of curves with its title.
    struct CurvePanel {
        var title: String
        var plot: CurvePlot
    }

    /// The latencies of one case, in microseconds.
    struct Distribution {
        var name: String
        var curves: [PercentileCurve]
    }

    var title: String
    /// What was measured where: names and values.
    var facts: [(name: String, value: String)]
    /// Problems of the run: failed benchmarks, figures beyond a limit.
    var problems: [String] = []
    var sections: [Section]

    var html: String {
        let ratios = ratioPlot
        var parts = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<meta name=\"color-scheme\" content=\"light dark\">",
            "<title>\(Markup.text(title))</title>", "<style>\(Self.style)</style>", "</head>", "<body>",
            "<h1>\(Markup.text(title))</h1>", "<dl class=\"facts\">",
        ]
        for fact in facts {
            parts.append("<div><dt>\(Markup.text(fact.name))</dt><dd>\(Markup.text(fact.value))</dd></div>")
        }
        parts.append("</dl>")
        if !problems.isEmpty {
            parts += ["<section class=\"problems\">", "<h2>Problems</h2>", "<ul>"]
            parts += problems.map { "<li>\(Markup.text($0))</li>" } + ["</ul>", "</section>"]
        }
        parts.append("<nav>")
        if ratios != nil { parts.append("<a href=\"#ratios\">Ratios</a>") }
        parts += sections.map { "<a href=\"#\(Markup.text($0.id))\">\(Markup.text($0.title))</a>" } + ["</nav>"]
        if let ratios { parts += Self.overview(ratios) }
        for section in sections { parts += Self.draw(section) }
        return (parts + ["</body>", "</html>", ""]).joined(separator: "\n")
    }

    /// All ratios, because times cannot be compared between machines; nil without any.
    var ratioPlot: ReportPlot? {
        let rows = sections.flatMap(\.figures).filter { $0.unit == "ratio" }.map {
            BarPlot.Row(name: "\($0.group) \($0.name), \($0.metric)", values: $0.values)
        }
        return rows.isEmpty ? nil : ReportPlot(BarPlot(title: "Ratios", unit: "ratio", rows: rows, reference: 1))
    }

    private static func overview(_ ratios: ReportPlot) -> [String] {
        [
            "<section id=\"ratios\">", "<h2>Ratios</h2>",
            "<p>Each figure divided by its reference, measured in turns in the same run. Below 1 is better than the "
                + "reference. A line across a bar is the spread over the repetitions.</p>",
            "<div class=\"plots\"><figure>",
            ratios.html, "</figure></div>", "</section>",
        ]
    }

    // MARK: A section

    private static func draw(_ section: Section) -> [String] {
        var parts = [
            "<section id=\"\(Markup.text(section.id))\">", "<h2>\(Markup.text(section.title))</h2>",
            "<p>\(Markup.text(section.meaning))</p>",
        ]
        parts += section.remarks.map { "<p class=\"remark\">\(Markup.text($0))</p>" }
        if section.figures.isEmpty { parts.append("<p class=\"remark\">No figures were measured.</p>") }
        parts += ["<div class=\"plots\">"] + plots(of: section).map(figure) + ["</div>"]
        parts += table(section.verdicts)
        if !section.figures.isEmpty { parts += table(section.figures) }
        if !section.commands.isEmpty {
            parts.append("<p>Repeat with:</p>")
            parts += section.commands.map { "<pre>\(Markup.text($0))</pre>" }
        }
        return parts + ["</section>"]
    }

    static func plots(of section: Section) -> [ReportPlot] {
        let panels = section.curves.isEmpty ? Self.panels(of: section.figures, section.plots) : []
        return section.distributions.map(plot) + section.curves.map { ReportPlot($0.title, $0.plot) }
            + panels.map { ReportPlot(BarPlot(title: $0.title, unit: $0.unit, rows: $0.rows)) }
    }

    private static func plot(of distribution: Distribution) -> ReportPlot {
        let curves = distribution.curves.map { curve in
            CurvePlot.Curve(
                name: curve.name,
                points: curve.steps.map { CurvePlot.Point(x: $0.percentile, y: $0.value) })
        }
        let title = "\(distribution.name): latency by percentile"
        return ReportPlot(title, CurvePlot(title: title, axis: .percentiles, unit: "us", curves: curves))
    }

    private static func figure(_ plot: ReportPlot) -> String {
        guard !plot.html.isEmpty else { return "" }
        return "<figure><figcaption>\(Markup.text(plot.title))</figcaption>\n\(plot.html)</figure>"
    }

    /// Bars that can be compared with each other.
    struct Panel: Equatable {
        var title: String
        var unit: String
        var rows: [BarPlot.Row]
    }

    /// Arranges figures in panels of one unit: those of `plots`, for each case. Without them a panel for each metric with a
    /// row for each case, or the other way where that gives fewer panels. Ratios are in the overview.
    static func panels(of figures: [BenchFigure], _ plots: [BenchSection.Plot] = []) -> [Panel] {
        guard plots.isEmpty else { return figures.isEmpty ? [] : chosen(plots, of: figures) }
        let shown = figures.filter { $0.unit != "ratio" && $0.value.isFinite }
        func grouped(_ title: (BenchFigure) -> String, _ row: (BenchFigure) -> String) -> [Panel] {
            var panels: [Panel] = []
            for figure in shown {
                let bar = BarPlot.Row(name: row(figure), values: figure.values)
                let name = title(figure)
                if let index = panels.firstIndex(where: { $0.title == name && $0.unit == figure.unit }) {
                    panels[index].rows.append(bar)
                } else {
                    panels.append(Panel(title: name, unit: figure.unit, rows: [bar]))
                }
            }
            return panels
        }
        let byMetric = grouped(\.metric, \.name)
        let byCase = grouped(\.name, \.metric)
        return byCase.count < byMetric.count ? byCase : byMetric
    }

    private static func chosen(_ plots: [BenchSection.Plot], of figures: [BenchFigure]) -> [Panel] {
        var names: [String] = []
        for figure in figures where !names.contains(figure.name) { names.append(figure.name) }
        return plots.flatMap { plot in
            names.compactMap { name in
                let own = plot.metrics.compactMap { metric in
                    figures.first { $0.name == name && $0.metric == metric && $0.value.isFinite }
                }
                guard let first = own.first else { return nil }
                return Panel(
                    title: "\(name), \(plot.title)", unit: first.unit,
                    rows: own.filter { $0.unit == first.unit }.map {
                        BarPlot.Row(name: $0.metric, values: $0.values)
                    })
            }
        }
    }

    /// A table of verdicts. Rows that do not hold are marked.
    private static func table(_ verdicts: [[String]]) -> [String] {
        guard let head = verdicts.first else { return [] }
        func cells(_ row: [String], _ name: String) -> String {
            row.map { "<\(name)>\(Markup.text($0))</\(name)>" }.joined()
        }
        var parts = ["<div class=\"wide verdicts\">", "<table>", "<tr>\(cells(head, "th"))</tr>"]
        for row in verdicts.dropFirst() {
            let holds = row.first == GrowthVerdict.Result.holds.rawValue
            parts.append("<tr\(holds ? "" : " class=\"problem\"")>\(cells(row, "td"))</tr>")
        }
        return parts + ["</table>", "</div>"]
    }

    private static func table(_ figures: [BenchFigure]) -> [String] {
        var parts = [
            "<details>", "<summary>\(figures.count) figures</summary>", "<div class=\"wide\">", "<table>",
            "<tr><th>case</th><th>figure</th><th>median</th><th>least</th><th>greatest</th><th>values</th></tr>",
        ]
        for figure in figures {
            let cells = [figure.value, figure.values.min() ?? .nan, figure.values.max() ?? .nan]
                .map { "<td class=\"number\">\(Markup.text(Markup.figure($0, figure.unit)))</td>" }.joined()
            parts.append(
                "<tr><td>\(Markup.text(figure.name))</td><td>\(Markup.text(figure.metric))</td>\(cells)"
                    + "<td class=\"number\">\(figure.values.count)</td></tr>")
        }
        return parts + ["</table>", "</div>", "</details>"]
    }

    // MARK: Style

    /// A palette for color-blind readers (Okabe and Ito), lighter on dark.
    static let style = """
        :root { color-scheme: light dark; --back: #fff; --text: #1a1c20; --soft: #5a6069; --line: #d5d9df;
          --panel: #f6f7f9; --bar: #56a0d3; --mark: #c2410c; --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b3568b;
          --c4: #b07d00; --c5: #3c9fd6; --c6: #444; --c7: #8a8a8a; }
        @media (prefers-color-scheme: dark) { :root { --back: #14161a; --text: #e6e8eb; --soft: #9aa1ab;
          --line: #343941; --panel: #1c1f25; --bar: #2f7fb8; --mark: #ff8a4c; --c0: #4aa8e8; --c1: #ff8a3d; --c2: #2fc79a;
          --c3: #e08fc0; --c4: #e6b93c; --c5: #8fd0f5; --c6: #d0d3d8; --c7: #8d949e; } }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 76rem; padding: 1rem; background: var(--back); color: var(--text);
          font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 1rem; }
        h2 { font-size: 1.25rem; margin: 0 0 .25rem; }
        p { margin: .25rem 0 .75rem; max-width: 46rem; }
        section { border-top: 1px solid var(--line); padding: 1.25rem 0; }
        .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: .5rem 1.5rem;
          margin: 0 0 1rem; }
        dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; }
        nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0 0 1rem; }
        a { color: var(--c0); }
        .problems { border: 1px solid var(--mark); border-radius: .5rem; padding: .75rem 1rem; margin-bottom: 1rem; }
        .problems ul { margin: 0; padding-left: 1.2rem; }
        .remark { color: var(--soft); }
        .plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 32rem), 1fr)); gap: 1rem;
          align-items: start; }
        figure { margin: 0; padding: .75rem; background: var(--panel); border-radius: .5rem; min-width: 0; }
        figcaption { font-weight: 600; margin-bottom: .25rem; }
        \(PlotStyle.rules)
        .legend { list-style: none; margin: .5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1rem;
          font-size: .85rem; }
        .legend span { display: inline-block; width: 1.2rem; height: 3px; margin-right: .4rem; vertical-align: middle; }
        .c0 span { background: var(--c0); } .c1 span { background: var(--c1); } .c2 span { background: var(--c2); }
        .c3 span { background: var(--c3); } .c4 span { background: var(--c4); } .c5 span { background: var(--c5); }
        .c6 span { background: var(--c6); } .c7 span { background: var(--c7); }
        details { margin: .75rem 0; } summary { cursor: pointer; color: var(--soft); }
        .wide { overflow-x: auto; }
        table { border-collapse: collapse; font-size: .85rem; margin-top: .5rem; overflow-wrap: normal; }
        th, td { text-align: left; padding: .15rem .75rem .15rem 0; border-bottom: 1px solid var(--line);
          white-space: nowrap; }
        .verdicts td:nth-child(2) { white-space: normal; min-width: 14rem; }
        .problem td { color: var(--mark); }
        .number { text-align: right; font-variant-numeric: tabular-nums; }
        pre { margin: 0 0 .25rem; font: .8rem/1.4 ui-monospace, monospace; white-space: pre-wrap; color: var(--soft); }
        """
}
