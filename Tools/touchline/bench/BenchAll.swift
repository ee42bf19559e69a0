// BenchAll.swift: `touchline bench all`: every benchmark, one page, one file of figures.
//
//     BenchList ─▶ a child process for each run ─▶ its JSON ─▶ figures ─▶ table, page, figures.json, limits, budgets
//                                               └▶ histograms ─▶ curves of the page
//
// Each run is a process of its own, for three reasons. It is the command line that a person types to repeat the figure.
// It begins with a fresh heap and the default scheduling, so that no benchmark changes the next one. A benchmark that
// ends early costs its own figures and no others.

import ArgumentParser
import Configuration
import Foundation

/// The command `touchline bench all`.
struct BenchAll: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "all",
        abstract: "Run every benchmark, and write one page with plots, the figures as JSON, and histograms.",
        discussion: """
            Writes to the folder of --report: index.html (one file that loads nothing), plots (each plot of the page as an \
            SVG file), figures.json (for --baseline and `bench compare`), and for each latency case percentile distributions (.hgrm) and histogram logs (.hlog), which \
            the tools of HdrHistogram read. These files of an earlier run are replaced; a folder with such files of other \
            programs is refused. A benchmark that fails is reported, and the others run.

            A full run takes about 25 minutes, and --quick three. Stop other work on the machine, and build with \
            `swift build -c release` first.

            Exits 0 when every benchmark is complete, 1 when one is not or a figure is beyond a limit or a budget, 2 when \
            an option or a file cannot be used, for example a limit or budgets of no figure of the run.

            EXAMPLES
              touchline bench all --report report
              touchline bench all --tuned --only latency --report report
              touchline bench all --counts --budgets Config/budgets.yaml
            """)

    @Option(help: ArgumentHelp("The folder for the page and its files; it is made if missing.", valueName: "folder"))
    var report: String?

    @Flag(help: "Measure latency on one CPU that stays awake, under SCHED_FIFO.")
    var tuned = false

    @Flag(help: "Measure shortly, for a first look.")
    var quick = false

    @Flag(help: "Count only: allocations, instructions, system calls, wake-ups. Nothing is timed.")
    var counts = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Run these benchmarks only, by the names of their commands.", valueName: "name"))
    var only: [String] = []

    @Option(
        help: ArgumentHelp(
            "Fail when a figure exceeds its limit in this file, such as Config/budgets.yaml.", valueName: "file"))
    var budgets: String?

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        let names = BenchList.all.map(\.name)
        for name in only where !names.contains(name) {
            throw ValidationError("--only: expected one of \(names.joined(separator: " ")), found \(name)")
        }
        if report == "" { throw ValidationError("--report: expected a folder, found nothing") }
    }

    func run() throws {
        let judge = try figureOptions.judge()
        let budgets = try readBudgets()
        // A budget of no figure, and a folder that cannot be made, fail before the measurement.
        if let budgets { _ = try self.check(of: budgets, []) }
        let folder = try ReportFolder(report)
        let facts = MachineFacts.current()
        let measured = measure(folder)
        let figures = measured.flatMap(\.figures)
        let check = try budgets.map { try self.check(of: $0, measured.flatMap(\.judged)) }

        // Limits and budgets that cannot be used are reported at the end: the measurement has taken its time.
        var judgement = judge.judgement(of: figures)
        judgement.complaints = measured.compactMap(\.failure) + judgement.complaints
        if let budgets = check?.judgement {
            judgement.complaints += budgets.complaints
            judgement.unusable += budgets.unusable
        }
        for remark in measured.flatMap(\.remarks).uniqued where remark.hasPrefix(BenchChild.Output.lack) {
            printError(remark)
        }
        let output = Output(facts: facts, figures: figures.finite)
        try folder.write(page(measured, facts, judgement.lines, folder.distributions()), figures: output)
        try judge.show(figures, options: result, json: output) {
            figures.table + (check.map { [""] + $0.text } ?? [])
        }
        if let page = folder.page { printError("the page is \(page)") }
        try judgement.finish()
    }

    private func readBudgets() throws -> Budgets? {
        guard let budgets else { return nil }
        do throws(InvalidConfiguration) { return try Budgets(contentsOf: budgets) } catch {
            throw Failure.badInput(error)
        }
    }

    private func check(of budgets: Budgets, _ figures: [BenchFigure]) throws -> BudgetCheck {
        try BudgetCheck(budgets, file: self.budgets ?? "", figures: figures, countsOnly: counts)
    }

    /// The JSON output, and figures.json.
    private struct Output: Encodable {
        var facts: MachineFacts
        var figures: [BenchFigure]
    }

    // MARK: Runs

    /// The result of one run.
    private struct Measured {
        var benchmark: Benchmark
        var words: [String]
        var figures: [BenchFigure] = []
        /// The figures that a budget may judge.
        var judged: [BenchFigure] = []
        var remarks: [String] = []
        var failure: String?
    }

    private func measure(_ folder: ReportFolder) -> [Measured] {
        let chosen = BenchList.all.filter { only.isEmpty || only.contains($0.name) }
        let runs = chosen.flatMap { benchmark in
            benchmark.runs.compactMap { run in
                words(of: run, benchmark).map { (run.name, Measured(benchmark: benchmark, words: $0)) }
            }
        }
        var bar = ProgressBar(linesEvery: .seconds(10))
        let measured = runs.enumerated().map { index, run in
            let name = run.0
            var measured = run.1
            do {
                let output = try BenchChild(arguments: ["bench", measured.benchmark.name] + measured.words, in: folder)
                    .run {
                        bar.show(Double(index) / Double(runs.count), "\(index + 1) of \(runs.count): \(name)")
                    }
                measured.figures = output.figures.finite.filter { $0.isCount || !counts }
                (measured.judged, measured.remarks) = (output.judged, output.remarks)
            } catch { measured.failure = "\(name): \(error)" }
            return measured
        }
        bar.clear()
        return measured
    }

    /// The arguments of a run; nil if it has nothing to count, or if the command cannot do it.
    private func words(of run: BenchRun, _ benchmark: Benchmark) -> [String]? {
        let help = benchmark.command.helpMessage()
        if let needed = run.needs, !help.contains("\(needed) ") { return nil }
        guard !counts else { return run.counting.map { run.arguments + $0 } }
        let isTuned = tuned && help.contains("--tuned")
        return run.arguments + (quick ? run.quick : run.full) + (isTuned ? ["--tuned"] : [])
    }

    // MARK: Page

    private func page(
        _ measured: [Measured], _ facts: MachineFacts, _ complaints: [String],
        _ distributions: [ReportPage.Distribution]
    ) -> ReportPage {
        let figures = measured.flatMap(\.figures)
        let known = BenchList.sections
        let others = Set(figures.map(\.group)).subtracting(known.map(\.group)).sorted()
            .map { BenchSection(group: $0, title: $0, meaning: "") }
        let sections = (known + others).compactMap { section -> ReportPage.Section? in
            let runs = measured.filter { run in
                run.benchmark.sections.contains(section) || run.figures.contains { $0.group == section.group }
            }
            guard !runs.isEmpty else { return nil }
            return ReportPage.Section(
                id: section.group, title: section.title, meaning: section.meaning,
                commands: runs.map { shellCommand(["touchline", "bench", $0.benchmark.name] + $0.words) },
                figures: figures.filter { $0.group == section.group }, plots: section.plots,
                distributions: section.group == "latency" ? distributions : [],
                curves: section.group == GrowthCost.group ? GrowthPlot.panels(of: figures) : [],
                verdicts: section.group == GrowthCost.group ? GrowthPlot.verdicts(of: figures) : [],
                remarks: runs.flatMap { $0.remarks + [$0.failure].compactMap(\.self) }.uniqued)
        }
        let conditions = counts ? ["counts only"] : [tuned ? "tuned" : "as shipped", quick ? "quick" : "full"]
        return ReportPage(
            title: ReportFolder.title,
            facts: facts.rows + [("conditions", conditions.joined(separator: ", "))], problems: complaints,
            sections: sections)
    }
}

extension [String] {
    /// The elements, each once, in their order.
    fileprivate var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
