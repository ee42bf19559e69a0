// CampaignPage.swift: the report of a campaign as one HTML page: rates, failures with their commands, coverage.
//
// The page loads nothing and has no script. Plots are inline SVG, in the style of `bench all` (ReportPage).
//
// Input     CampaignReport
// Output    a text
// Knows     no files, no clock

import Basics
import Campaigns

/// The page of a campaign.
struct CampaignPage {
    private let report: CampaignReport

    init(_ report: CampaignReport) { self.report = report }

    var html: String {
        var parts = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<meta name=\"color-scheme\" content=\"light dark\">",
            "<title>Campaign \(Markup.text(report.name))</title>", "<style>\(Self.style)</style>", "</head>", "<body>",
            "<h1>Campaign \(Markup.text(report.name))</h1>",
        ]
        parts += facts + problems + groups
        for search in report.searches { parts += section(search) }
        return (parts + machines + ["</body>", "</html>", ""]).joined(separator: "\n")
    }

    // MARK: Sections

    private var facts: [String] {
        let seconds = report.progress.last?.seconds ?? 0
        let worker = report.searches.reduce(0) { $0 + $1.workerSeconds }
        let rate = seconds > 0 ? Double(report.seedsDone) / seconds : 0
        let rows = [
            ("seeds", Markup.short(Double(report.seedsDone))), ("failed", "\(report.failed)"),
            ("groups of failures", "\(report.groups.count)"), ("time", Self.time(seconds)),
            ("time of all workers", Self.time(worker)), ("rate", "\(Markup.short(rate)) seeds/s"),
            ("core events", Markup.short(Double(report.searches.reduce(0) { $0 + $1.events }))),
            ("duplicate results, not counted", "\(report.duplicates)"), ("plan", report.plan),
        ]
        let list = rows.map { "<div><dt>\(Markup.text($0.0))</dt><dd>\(Markup.text($0.1))</dd></div>" }
        return ["<dl class=\"facts\">"] + list + ["</dl>"]
    }

    private var problems: [String] {
        var found: [String] = []
        for search in report.searches where search.shardsDone < search.shards {
            found.append(
                "\(search.name): \(search.shards - search.shardsDone) of \(search.shards) shards have no result yet")
        }
        if report.reductionsDone < report.reductionsWanted {
            let missing = report.reductionsWanted - report.reductionsDone
            found.append("\(missing) of \(report.reductionsWanted) failing seeds are not reduced yet")
        }
        found += report.conflicts.map { "\($0): two runs gave different results" }
        if report.foreign > 0 { found.append("\(report.foreign) results of another plan were not counted") }
        if report.programs.count > 1 {
            found.append("results of several programs: \(report.programs.joined(separator: "; "))")
        }
        guard !found.isEmpty else { return [] }
        let items = found.map { "<li>\(Markup.text($0))</li>" }
        return ["<section class=\"problems\">", "<h2>Incomplete</h2>", "<ul>"] + items + ["</ul>", "</section>"]
    }

    private var groups: [String] {
        guard !report.groups.isEmpty else {
            return ["<section>", "<h2>Failures</h2>", "<p>No seed failed.</p>", "</section>"]
        }
        var parts = [
            "<section>", "<h2>Failures</h2>",
            "<p>A group is one law with one smallest cause. The command repeats its smallest run.</p>",
        ]
        for (index, group) in report.groups.enumerated() {
            let count = group.members.count
            parts += [
                "<article>",
                "<h3>\(index + 1). \(Markup.text(group.law)): \(count) \(count == 1 ? "seed" : "seeds")</h3>",
                "<p>\(Markup.text(group.text))</p>",
                "<p><b>Smallest cause:</b> "
                    + (group.cause.isEmpty ? "not reduced" : Markup.text(group.cause.joined(separator: ", "))) + "</p>",
                "<p class=\"remark\">Seeds: \(Markup.text(group.seedsText))</p>",
            ]
            if let smallest = group.smallest {
                parts.append("<pre>\(Markup.lines(smallest.reduction?.again ?? smallest.again))</pre>")
            }
            let rows = group.members.prefix(50).map { member in
                "<tr><td>\(Markup.text(member.search))</td><td class=\"number\">\(member.seed)</td>"
                    + "<td class=\"number\">\(member.reduction.map { "\($0.lines.count)" } ?? "–")</td>"
                    + "<td><code>\(Markup.text(member.again))</code></td></tr>"
            }
            parts += [
                "<details>", "<summary>\(count > 50 ? "the first 50 seeds" : "each seed")</summary>",
                "<div class=\"wide\">", "<table>",
                "<tr><th>search</th><th>seed</th><th>lines</th><th>its whole run</th></tr>",
            ]
            parts += rows + ["</table>", "</div>", "</details>", "</article>"]
        }
        return parts + ["</section>"]
    }

    private func section(_ search: CampaignReport.Search) -> [String] {
        var rows = [
            ("seeds", "\(Markup.short(Double(search.seedsDone))) of \(Markup.short(Double(search.seeds)))"),
            ("shards", "\(search.shardsDone) of \(search.shards)"),
            ("rate of a worker", "\(Markup.short(search.seedsPerWorkerSecond)) seeds/s"),
            ("failed", "\(search.failed)"),
        ]
        if search.simulatedSeconds > 0 { rows.append(("simulated time", Self.time(search.simulatedSeconds))) }
        if let bound = search.failureBound {
            rows.append(("seeds that fail, 95 % confidence", "at most \(CampaignReport.share(bound))"))
        }
        var parts = ["<section>", "<h2>\(Markup.text(search.name))</h2>", "<dl class=\"facts\">"]
        parts += rows.map { "<div><dt>\(Markup.text($0.0))</dt><dd>\(Markup.text($0.1))</dd></div>" } + ["</dl>"]
        if let saturation = search.saturation { parts += coverage(saturation) + unreached(search.unreached ?? []) }
        return parts + ["</section>"]
    }

    private func coverage(_ saturation: Saturation) -> [String] {
        let points = Self.thinned(saturation.curve).map {
            CurvePlot.Point(x: Double($0.seeds), y: Double($0.features))
        }
        let title = "Features reached, by number of seeds"
        let plot = CurvePlot(
            title: title, axis: .logarithmic(unit: "count"), vertical: .linear, unit: "count",
            curves: [CurvePlot.Curve(name: "features", points: points)])
        let next =
            saturation.once == 0
            ? "The next seeds reach nothing new"
            : "About one of \(Markup.short(1 / saturation.newPerSeed)) further seeds reaches a new feature"
        let rows = saturation.kinds.map {
            "<tr><td>\(Markup.text($0.kind))</td><td class=\"number\">\($0.features)</td>"
                + "<td class=\"number\">\($0.once)</td></tr>"
        }
        return [
            "<h3>Coverage</h3>", "<p><b>\(Markup.text(saturation.text)).</b></p>",
            "<p class=\"remark\">\(saturation.once) features were reached by one seed, \(saturation.twice) by two. \(next) (Good "
                + "and Turing). At least \(Markup.short(saturation.unseen)) remain unseen (Chao).</p>",
            "<div class=\"plots\">", "<figure><figcaption>\(title)</figcaption>", plot.svg, "</figure>", progress,
            "</div>", "<div class=\"wide\">", "<table>",
            "<tr><th>kind</th><th>reached</th><th>by one seed</th></tr>",
        ] + rows + ["</table>", "</div>"]
    }

    /// What no seed has reached, with all names.
    private func unreached(_ kinds: [UnreachedFeatures]) -> [String] {
        let missing = kinds.filter { !$0.names.isEmpty }
        guard !missing.isEmpty else { return [] }
        return ["<h3>Not reached</h3>"]
            + missing.flatMap { kind in
                [
                    "<details>",
                    "<summary>\(kind.names.count) of \(kind.possible) \(Markup.text(kind.title))</summary>", "<ul>",
                ] + kind.names.map { "<li><code>\(Markup.text($0))</code></li>" } + ["</ul>", "</details>"]
            }
    }

    /// Seeds over time, for all searches.
    private var progress: String {
        let steps = Self.thinned(report.progress)
        guard steps.count > 1 else { return "" }
        let title = "Seeds done, by time"
        let done = steps.map { CurvePlot.Point(x: $0.seconds, y: Double($0.seeds)) }
        let start = CurvePlot.Point(x: 0, y: 0)
        let plot = CurvePlot(
            title: title, axis: .linear(unit: "s"), vertical: .linear, unit: "count",
            curves: [CurvePlot.Curve(name: "seeds", points: [start] + done)])
        return "<figure><figcaption>\(title)</figcaption>\n\(plot.svg)</figure>"
    }

    private var machines: [String] {
        guard !report.hosts.isEmpty else { return [] }
        let rows = report.hosts.map {
            "<tr><td>\(Markup.text($0.name))</td><td class=\"number\">\($0.shards)</td></tr>"
        }
        return [
            "<section>", "<h2>Machines</h2>", "<div class=\"wide\">", "<table>",
            "<tr><th>machine</th><th>shards</th></tr>",
        ]
            + rows + ["</table>", "</div>"] + report.programs.map { "<p class=\"remark\">\(Markup.text($0))</p>" }
            + ["</section>"]
    }

    /// At most 400 steps, the last one included: more than a screen has room for.
    private static func thinned<Step>(_ steps: [Step]) -> [Step] {
        let stride = max(1, steps.count / 400)
        return steps.enumerated().filter { $0.offset % stride == 0 || $0.offset == steps.count - 1 }.map(\.element)
    }

    /// `1 h 20 min`, `3 min 5 s`, `12.5 s`.
    private static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded())
        if whole >= 3600 { return "\(Markup.short(Double(whole / 3600))) h \(whole % 3600 / 60) min" }
        return whole >= 60 ? "\(whole / 60) min \(whole % 60) s" : "\(Markup.short(seconds)) s"
    }

    /// The style of `bench all`, and what failures need.
    private static let style =
        ReportPage.style + """

            h3 { font-size: 1.05rem; margin: 1rem 0 .25rem; }
            article { border-left: 3px solid var(--mark); padding: 0 0 .25rem .75rem; margin: 1rem 0; }
            pre { white-space: pre-wrap; background: var(--panel); padding: .5rem .75rem; border-radius: .5rem; margin: .25rem 0; }
            table { border-collapse: collapse; }
            """
}

extension Markup {
    /// Escapes a text of several lines for `pre`.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { self.text($0) }.joined(separator: "\n")
    }
}
