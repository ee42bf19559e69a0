import Foundation
import Testing

@testable import touchline

@Suite("Page of `bench all`")
struct ReportPageTests {
    private static func figure(
        _ name: String, _ metric: String, _ unit: String, _ values: [Double]
    ) -> BenchFigure {
        BenchFigure(group: "g", name: name, metric: metric, unit: unit, values: values)
    }

    private static func page(_ figures: [BenchFigure], _ curves: [PercentileCurve] = []) -> String {
        ReportPage(
            title: "Bench", facts: [("kernel", "6.1")],
            sections: [
                ReportPage.Section(
                    id: "g", title: "Group", meaning: "What it is.", commands: ["touchline bench x"], figures: figures,
                    distributions: curves.isEmpty ? [] : [ReportPage.Distribution(name: "240Hz", curves: curves)])
            ]
        ).html
    }

    @Test("names are escaped wherever they stand")
    func escaping() {
        let name = "<b a=\"1\" c='2'>&\u{1B}"
        let html = Self.page(
            [Self.figure(name, "m", "us", [1, 2, 3]), Self.figure(name, "ratio-m", "ratio", [1])],
            [PercentileCurve(name: name, distribution: "1.0 0.5 1\n")])
        #expect(!html.contains("<b a"))
        #expect(!html.unicodeScalars.contains("\u{1B}"))
        #expect(html.contains("&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp; "))
    }

    @Test("each plot of the page is a file of its own, also the ratios, and a plot without a number is none")
    func plotFiles() {
        let page = ReportPage(
            title: "Bench", facts: [("kernel", "6.1"), ("load", "0.5")],
            sections: [
                ReportPage.Section(
                    id: "g", title: "Group", meaning: "What it is.",
                    figures: [
                        Self.figure("a", "m", "us", [1, 2]), Self.figure("a", "n", "count", [.nan]),
                        Self.figure("a", "ratio-m", "ratio", [1]),
                    ],
                    distributions: [
                        ReportPage.Distribution(
                            name: "240Hz", curves: [PercentileCurve(name: "group", distribution: "1.0 0.5 1\n")])
                    ])
            ])
        let files = page.plotFiles
        #expect(files.map(\.name) == ["all-ratios", "g-240hz-latency-by-percentile", "g-m"])
        #expect(files.allSatisfy { $0.svg.hasPrefix("<svg xmlns=") && $0.svg.contains("6.1, 0.5") })
        #expect(files.count == page.html.ranges(of: "<figure>").count)
    }

    @Test("values that are no numbers leave no trace in the page")
    func numbers() {
        let html = Self.page(
            [
                Self.figure("a", "m", "us", [.nan, .infinity, 4]), Self.figure("b", "m", "us", [.nan]),
                Self.figure("c", "m", "us", [0]), Self.figure("d", "m", "us", [-1]),
                Self.figure("e", "z", "count", [0, 0]),
                Self.figure("f", "ratio-m", "ratio", [.nan, 2]),
            ],
            [
                PercentileCurve(name: "zero", distribution: "0.0 0.0 1\n0.0 0.5 2\n"),
                PercentileCurve(name: "one", distribution: "7.0 0.0 1\n"),
                PercentileCurve(name: "none", distribution: ""),
            ])
        for word in ["nan", "NaN", "inf", "Infinity"] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.contains("4 µs"))
    }

    @Test("a group without figures says so, and has no plot")
    func empty() {
        let html = Self.page([])
        #expect(html.contains("No figures were measured."))
        #expect(!html.contains("<svg"))
        #expect(BarPlot(title: "t", unit: "us", rows: []).svg == "")
        #expect(CurvePlot(title: "t", axis: .percentiles, unit: "us", curves: []).html == "")
    }

    @Test("the page loads nothing and runs nothing")
    func selfContained() {
        let html = Self.page([Self.figure("a", "m", "us", [1, 2]), Self.figure("a", "ratio-m", "ratio", [2])])
        for word in ["http", "src=", "<script", "@import", "url(", "<link"] { #expect(!html.contains(word), "\(word)") }
        #expect(html.contains("prefers-color-scheme: dark"))
        #expect(html.contains("width=device-width"))
    }

    @Test("elements of the page are closed in order")
    func wellFormed() {
        let html = Self.page(
            [
                Self.figure("a", "m", "us", [1, 2]), Self.figure("b", "m", "us", [100, 2000]),
                Self.figure("a", "ratio-m", "ratio", [2]),
            ],
            [PercentileCurve(name: "group", distribution: "5.0 0.0 1\n9.0 0.9 2\n20.0 0.99 3\n")])
        var open: [Substring] = []
        for match in html.matches(of: /<(\/?)([a-z0-9]+)([^>]*?)(\/?)>/) where match.2 != "meta" && match.4.isEmpty {
            if match.1.isEmpty { open.append(match.2) } else { #expect(open.popLast() == match.2) }
        }
        #expect(open.isEmpty, "\(open)")
    }

    @Test("figures with few metrics are panels by metric, with many by case")
    func panels() {
        let few = ["a", "b", "c"].map { Self.figure($0, "time", "ns", [1]) }
        #expect(ReportPage.panels(of: few).map(\.title) == ["time"])
        let many = ["rss-app", "pss-app", "rss-server"].map { Self.figure("1-app", $0, "bytes", [1]) }
        #expect(ReportPage.panels(of: many).map(\.title) == ["1-app"])
        // One plot has one unit.
        let mixed = [Self.figure("a", "time", "ns", [1]), Self.figure("a", "allocations", "count", [1])]
        #expect(ReportPage.panels(of: mixed).map(\.unit) == ["ns", "count"])
    }

    @Test("chosen plots have a panel for each case that has a figure of them")
    func chosenPanels() {
        let figures = [
            Self.figure("60Hz", "p50", "us", [1]), Self.figure("240Hz", "p99", "us", [1]),
            Self.figure("60Hz", "p50-zmq", "us", [2]),
        ]
        let plots = [BenchSection.Plot(title: "median", metrics: ["p50-zmq", "p50"])]
        let panels = ReportPage.panels(of: figures, plots)
        #expect(panels.map(\.title) == ["60Hz, median"])
        #expect(panels.first?.rows.map(\.name) == ["p50-zmq", "p50"])
    }

    @Test("a scale has round lines and contains its values")
    func scales() {
        let linear = PlotScale.linear(to: 87)
        #expect(linear.ticks == [0, 50, 100])
        #expect(linear.share(50) == 0.5 && linear.share(1000) == 1)
        let close = PlotScale.logarithmicClose([22, 180])
        #expect(close.low == 20 && close.high == 200)
        #expect(PlotScale.logarithmic([0.5, 40]).ticks.count == 4)
        for odd in [PlotScale.linear(to: 0), .linear(to: .nan), .logarithmic([]), .logarithmicClose([5, 5])] {
            #expect(odd.high > odd.low)
            #expect(odd.share(.nan) == 0)
        }
    }

    @Test("each further nine has the same width in a plot by percentile")
    func nines() throws {
        let curve = CurvePlot.Curve(
            name: "c", points: [0, 0.9, 0.99].map { CurvePlot.Point(x: $0, y: 10 + $0) })
        let html = CurvePlot(title: "t", axis: .percentiles, unit: "us", curves: [curve]).html
        let points = try #require(html.firstMatch(of: /points="([^"]+)"/)).1
        #expect(points.split(separator: " ").map { $0.split(separator: ",")[0] } == ["0", "500", "1000"])
    }

    @Test("zero has a place before a logarithmic scale")
    func zero() throws {
        let marks = [0.0, 1, 100].map { CurvePlot.Mark(x: $0, y: 10 + $0, low: 9 + $0, high: 11 + $0) }
        func plot(_ marks: [CurvePlot.Mark]) -> String {
            CurvePlot(
                title: "t", axis: .logarithmic(unit: "count"), unit: "us",
                curves: [CurvePlot.Curve(name: "c", points: [], marks: marks)]
            ).html
        }
        let html = plot(marks)
        let places = html.matches(of: /<circle cx="([0-9.]+)%"/).map { String($0.1) }
        #expect(places == ["13", "21", "98"])
        #expect(html.contains("text-anchor=\"middle\">0</text>"))
        // Without zero the scale has the whole width.
        let positive = plot(Array(marks.dropFirst()))
        #expect(positive.matches(of: /<circle cx="([0-9.]+)%"/).map { String($0.1) } == ["13", "98"])
        #expect(!html.contains("<polyline"))
    }

    @Test("a mark has a line from its least to its greatest value")
    func spread() {
        let mark = CurvePlot.Mark(x: 2, y: 20, low: 10, high: 50)
        let same = CurvePlot.Mark(x: 4, y: 20, low: 20, high: 20)
        let html = CurvePlot(
            title: "t", axis: .logarithmic(unit: "count"), unit: "us",
            curves: [CurvePlot.Curve(name: "p50", points: [], marks: [mark, same])]
        ).html
        #expect(html.contains("<title>p50: 20 µs at 2 (10 µs – 50 µs)</title>"))
        #expect(html.contains("<title>p50: 20 µs at 4</title>"))
        #expect(html.matches(of: /<line x1="[^"]+" y1="278" x2="[^"]+" y2="18"/).count == 1)
    }

    @Test("a scale with too many lines keeps those of whole decades")
    func thinned() {
        let scale = PlotScale.logarithmicClose([60, 16_000])
        #expect(scale.thinned(to: 7).ticks == [100, 1000, 10_000])
        #expect(scale.thinned(to: 7).low == scale.low && scale.thinned(to: 7).high == scale.high)
        #expect(PlotScale.logarithmicClose([1, 16]).thinned(to: 7).ticks == [1, 2, 5, 10, 20])
        #expect(PlotScale.linear(to: 100).thinned(to: 1).ticks.count > 1)
    }

    @Test(
        "figures have a unit of a readable size",
        arguments: [
            (285.0, "ns", "285 ns"), (2_726_236, "ns", "2.73 ms"), (85.24, "us", "85.2 µs"), (12_345, "us", "12.3 ms"),
            (29_360_128, "bytes", "28 MiB"), (1_554_000, "events/s", "1.55 M events/s"),
            (12_883_783, "count", "12,883,783"),
            (1.5, "ratio", "1.50 ×"), (0.004, "count", "0.0040"), (-1, "us", "-1 µs"),
        ])
    func readable(value: Double, unit: String, text: String) {
        #expect(Markup.figure(value, unit) == text)
    }
}

@Suite("Folder of `bench all --report`")
struct ReportFolderTests {
    /// Calls `body` with a folder that has these files, and removes it.
    private static func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tl-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text) in files {
            let file = URL(filePath: "\(folder)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try body(folder)
    }

    private static func files(in folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).sorted()
    }

    @Test(
        "a folder with files of another program is refused and stays as it is",
        arguments: ["index.html", "figures.json", "plots/own.svg", "histograms/own.hgrm"])
    func others(file: String) throws {
        try Self.withFolder([file: "<title>Home</title>"]) { folder in
            let before = Self.files(in: folder)
            let failure = #expect(throws: Failure.self) { try ReportFolder(folder) }
            let name = file.split(separator: "/")[0]
            #expect(failure?.code == 2)
            #expect(
                failure?.line == "--report: expected a new folder or one of an earlier run, found \(folder) with "
                    + "\(name) of something else")
            #expect(Self.files(in: folder) == before)
        }
    }

    @Test("of an earlier run only the files of a report are removed")
    func earlier() throws {
        let page = "<title>Touchline benchmarks</title>"
        let files = [
            "index.html": page, "figures.json": "{}", "plots/a.svg": "", "plots/notes.txt": "", "histograms/a.hgrm": "",
            "histograms/a.hlog": "", "histograms/b.csv": "", "README": "",
        ]
        try Self.withFolder(files) { folder in
            _ = try ReportFolder(folder)
            #expect(
                Self.files(in: folder) == [
                    "README", "histograms", "histograms/b.csv", "index.html", "plots", "plots/notes.txt",
                ])
        }
    }

    @Test("until a run ends its page says that it has not finished")
    func unfinished() throws {
        try Self.withFolder(["notes.txt": ""]) { folder in
            let report = try ReportFolder(folder)
            let page = "\(folder)/index.html"
            #expect(try String(contentsOfFile: page, encoding: .utf8).contains("The run has not finished."))
            // A folder of an interrupted run is one of an earlier run.
            _ = try ReportFolder(folder)
            try report.write(ReportPage(title: ReportFolder.title, facts: [], sections: []), figures: FigureFile([]))
            #expect(try !String(contentsOfFile: page, encoding: .utf8).contains("not finished"))
            _ = try ReportFolder(folder)
        }
    }

    @Test("a folder that cannot be made or written is refused")
    func unwritable() throws {
        for path in ["/dev/null/report", "/proc/report"] {
            let failure = #expect(throws: Failure.self) { try ReportFolder(path) }
            #expect(
                failure?.code == 2 && failure?.line == "\(path)/histograms: cannot be made", "\(failure?.line ?? "")")
        }
    }
}
