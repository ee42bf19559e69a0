// BenchHitTest.swift: the cost of a hit test in one window, by a walk and by an index, in the same run.
//
//     test    ns for one `hitTest(_:with:)` of the window, at points anywhere in it
//     walk    the same without an index: each view that the walk passes is visited
//     move    ns for a change of one view's frame and for the update of the index in the next hit test
//     build   ns of a new index, for each view
//     memory  bytes of the index, for each view
//
// Test and walk alternate, so that other work on the machine disturbs both. A figure is the median of its repetitions.

import ArgumentParser
import Basics
import CSystem
import Foundation
import Monkey
import UIKit

/// The command `touchline bench hit-test`.
struct BenchHitTest: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "hit-test",
        abstract: "Measure the search for the view at a point, by a walk and by an index.",
        discussion: """
              nested  each view in the one before, a little smaller; at most 10,000
              flat    views of equal size beside each other, in one view
              grid    the same in sections of 100 views
              random  views of all sizes anywhere, each in one of the earlier views

            Points are anywhere in the window. Build with `swift build -c release` first.

            --verify measures nothing. It compares the index with the walk in random trees, which change between hit tests.

            Exits 0 when the measurement is complete, 1 when an index and a walk differ or a figure is beyond a \
            limit, 2 when an option cannot be used.
            """)

    @Option(
        name: .customLong("case"), parsing: .upToNextOption,
        help: ArgumentHelp("The trees to measure (default: all).", valueName: "name"))
    var cases: [HitTestTree] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Numbers of views (default: 100, 1000, 10000, 100000).", valueName: "count"))
    var views: [Int] = []

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of measurements of each figure.", valueName: "count"))
    var repeats = 9

    @Option(help: ArgumentHelp("Approximate duration of each measurement.", valueName: "seconds"))
    var seconds = 0.02

    @Option(help: ArgumentHelp("Compare walk and index in this number of random trees.", valueName: "count"))
    var verify: UInt64?

    @Option(help: ArgumentHelp("The first seed of --verify, and the seed of trees.", valueName: Seeds.singleValueName))
    var seed = Seeds(first: 1, last: 1)

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--repeat", repeats, in: 1...1000)
        for count in views { try expect("--views", count, in: 1...1_000_000) }
        guard seconds > 0, seconds <= 60 else {
            throw ValidationError("--seconds: expected more than 0 and at most 60, found \(seconds)")
        }
        guard verify != 0 else { throw ValidationError("--verify: expected at least 1, found 0") }
        _ = try seed.single
    }

    func run() throws {
        let judge = try figureOptions.judge()
        if let verify { return try compare(trees: verify, judge) }
        let figures = try measure()
        try judge.finish(figures, options: result, json: HitTestResult(repeats: repeats)) { text(figures) }
    }

    /// Measures every tree in every size.
    func measure() throws -> [BenchFigure] {
        let sizes = views.isEmpty ? [100, 1000, 10_000, 100_000] : views
        let work = HitTestTree.allCases.filter { cases.isEmpty || cases.contains($0) }.flatMap { tree in
            sizes.filter { $0 <= tree.limit }.map { (tree, $0) }
        }
        var figures: [BenchFigure] = []
        var bar = ProgressBar(linesEvery: .seconds(10))
        for (index, (tree, count)) in work.enumerated() {
            let name = "\(tree.rawValue)-\(count)"
            bar.show("\(index + 1) of \(work.count): \(name)")
            let rig = HitTestRig(tree, count: count, seed: try seed.single)
            figures += rig.measure(repeats: repeats, seconds: seconds).map { metric, unit, values in
                BenchFigure(group: "hit-test", name: name, metric: metric, unit: unit, values: values)
            }
        }
        bar.clear()
        return figures
    }

    private func text(_ figures: [BenchFigure]) -> [String] {
        var table = [["tree", "test, ns", "walk, ns", "walk / test", "move, ns", "build, ns/view", "bytes/view"]]
        var names: [String] = []
        for figure in figures where !names.contains(figure.name) { names.append(figure.name) }
        for name in names {
            func value(_ metric: String) -> Double {
                figures.first { $0.name == name && $0.metric == metric }?.value ?? .nan
            }
            table.append([
                name, fixedText(value("test"), digits: 1), fixedText(value("walk"), digits: 1),
                fixedText(value("walk") / value("test"), digits: 1), fixedText(value("move"), digits: 0),
                fixedText(value("build"), digits: 0), fixedText(value("memory"), digits: 0),
            ])
        }
        return ["per hit test, move or view; \(repeats) repeats, one thread", ""] + aligned(table)
    }

    // MARK: Verification

    private func compare(trees: UInt64, _ judge: FigureJudge) throws {
        var count = HitTestTrial.Count()
        var bar = ProgressBar(linesEvery: .seconds(10))
        let first = try seed.single
        for seed in first..<(first + trees) {
            if seed % 256 == 0 { bar.show("tree \(seed - first) of \(trees)") }
            if let difference = HitTestTrial.run(seed: seed, tests: 20, adding: &count) {
                bar.clear()
                throw Failure.negativeResult(difference)
            }
        }
        bar.clear()
        let figures = [
            ("trees", count.trees), ("hit-tests", count.hitTests), ("indexed", count.indexed),
            ("override-calls", count.overrideCalls),
        ].map { metric, number in
            BenchFigure(group: "hit-test", name: "verify", metric: metric, unit: "count", values: [Double(number)])
        }
        try judge.finish(figures, options: result, json: HitTestResult(repeats: 1)) {
            [
                "\(count.trees) trees, \(count.hitTests) hit tests, \(count.indexed) of them with an index, "
                    + "\(count.overrideCalls) calls of overrides: no difference"
            ]
        }
    }
}

/// The program of a callgrind run: some hit tests with an index and nothing else. A hidden command.
struct BenchHitTestRun: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "hit-test-run", shouldDisplay: false)

    @Argument var tree: HitTestTree
    @Argument var views: Int
    @Argument var count: Int

    func run() throws {
        let rig = HitTestRig(tree, count: views, seed: 1)
        // The index exists before the measured hit tests.
        rig.play(1)
        rig.play(count)
    }
}

extension Callgrind {
    /// Returns the instructions of one hit test with an index, as the mean of all points.
    func instructions(
        ofHitTestIn tree: HitTestTree, views: Int, meanwhile: () -> Void
    ) throws -> Double {
        try instructions(between: HitTestRig.pointCount, and: 2 * HitTestRig.pointCount) { count in
            ["bench", "hit-test-run", tree.rawValue, "\(views)", "\(count)"]
        } meanwhile: {
            meanwhile()
        }
    }
}

/// The JSON output, beside the figures.
struct HitTestResult: Encodable {
    var repeats: Int
}

extension HitTestTree: ExpressibleByArgument {}
