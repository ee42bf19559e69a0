// BenchWindows.swift: the server's cost to find the window under a finger, and to apply a change of windows.
//
// F15's 10,000 windows in 20 levels, in two layouts. One is as an app might have it. The other is the worst case: all
// windows on one spot, so that a search there visits all of them. Each question is timed alone; the figure includes the
// time of reading the clock.

import ArgumentParser
import Basics
import CSystem
import SystemServerCore
import Wire

/// The command `touchline bench windows`.
struct BenchWindows: CommandWithResult {
    static let configuration = CommandConfiguration(
        commandName: "windows",
        abstract: "Measure the search for the window at a point among 10,000, and a change to one window.",
        discussion: """
              spread   windows from 8 to 512 points, anywhere on the screen
              heap     every window in one cell of 8 points, and no window at
                       the point: the worst that an app can declare

            The screen has 1024 by 1366 points.

            Times are in nanoseconds. Fault F15 requires a p99 below 50,000 for spread. Build with \
            `swift build -c release` first.

            Exits 0 when the measurement is complete, 1 when a figure is beyond a limit, 2 when an option cannot be used.
            """)

    @Option(help: ArgumentHelp("Number of windows.", valueName: "count"))
    var windows = WindowMap.limit

    @Option(help: ArgumentHelp("Number of searches; a tenth of it is the number of changes.", valueName: "count"))
    var searches = 200_000

    @Option(help: ArgumentHelp("The seed of windows and points.", valueName: Seeds.singleValueName))
    var seed = Seeds(first: 1, last: 1)

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("Number of measurements of each row, of which the median is printed.", valueName: "count"))
    var repeats = 3

    @OptionGroup var figureOptions: FigureOptions
    @OptionGroup var result: ResultOptions

    func validate() throws {
        try expect("--repeat", repeats, in: 1...1000)
        try expect("--windows", windows, in: 1...WindowMap.limit)
        try expect("--searches", searches, in: 1000...10_000_000)
        _ = try seed.single
    }

    func run() throws {
        let judge = try figureOptions.judge()
        let figures = WindowFigures(windows: windows, repeats: try (0..<repeats).map { _ in try measure() })
        try judge.finish(figures.figures, options: result, json: figures) { figures.text }
    }

    /// Measures each row once.
    private func measure() throws -> [WindowFigures.Row] {
        var rows: [WindowFigures.Row] = []
        for isHeap in [false, true] {
            var chance = SeededGenerator(seed: try seed.single)
            var map = WindowMap()
            var number: UInt32 = 0
            for first in stride(from: 0, to: windows, by: WindowsDiff.changeLimit) {
                let ids = first..<min(windows, first + WindowsDiff.changeLimit)
                let changes = ids.map { WindowChange.set(window(UInt32($0), isHeap, &chance)) }
                number += 1
                _ = map.apply(WindowsDiff(number: number, isWhole: number == 1, changes: changes))
            }
            var (asked, found) = (0, 0)
            let times = timed(searches) {
                // In the cell of the heap, and beside every window.
                let x = isHeap ? Fixed(7.5) : Fixed(rawValue: Int32(chance.next() % (1024 << 16)))
                let y = isHeap ? Fixed(7.5) : Fixed(rawValue: Int32(chance.next() % (1366 << 16)))
                asked += 1
                if map.window(at: Point(x, y)) != nil { found += 1 }
            }
            rows.append(
                WindowFigures.Row(isHeap ? "heap: search" : "spread: search", times, found: found * 100 / asked))
            let changes = timed(searches / 10) {
                number &+= 1
                let id = UInt32(chance.next() % UInt64(windows))
                _ = map.apply(
                    WindowsDiff(number: number, isWhole: false, changes: [.set(window(id, isHeap, &chance))]))
            }
            rows.append(WindowFigures.Row(isHeap ? "heap: change" : "spread: change", changes))
        }
        return rows
    }

    private func window(_ id: UInt32, _ isHeap: Bool, _ chance: inout SeededGenerator) -> SceneWindow {
        let (level, order) = (Fixed(Double(chance.next() % 20)), UInt32(truncatingIfNeeded: chance.next() % 1000))
        guard !isHeap else {
            let frame = Rect<SceneSpace>(x: 0, y: 0, width: Double(1 + chance.next() % 7), height: 7)
            return SceneWindow(id: id, frame: frame, level: level, order: order)
        }
        let edge = Double(8 << (chance.next() % 7))
        let frame = Rect<SceneSpace>(
            x: Double(chance.next() % 1024), y: Double(chance.next() % 1366), width: edge,
            height: edge * Double(1 + chance.next() % 3) / 2)
        return SceneWindow(id: id, frame: frame, level: level, order: order)
    }

    /// Returns the nanoseconds of each call, ascending.
    private func timed(_ count: Int, _ body: () -> Void) -> [Int64] {
        for _ in 0..<(count / 10) { body() }
        var times: [Int64] = []
        times.reserveCapacity(count)
        for _ in 0..<count {
            let start = system_clock()
            body()
            times.append(Int64(system_clock() - start))
        }
        return times.sorted()
    }
}

/// The JSON output and the table. Times in nanoseconds.
struct WindowFigures: Encodable {
    struct Row: Encodable {
        var name: String
        var p50, p99, max: Int64
        /// The percentage of points inside a window; nil for changes.
        var found: Int?

        /// - Parameter times: Ascending.
        init(_ name: String, _ times: [Int64], found: Int? = nil) {
            (self.name, self.found) = (name, found)
            (p50, p99, max) = (times[times.count / 2], times[times.count * 99 / 100], times.last ?? 0)
        }
    }

    var windows: Int
    /// The medians of the repeats.
    var rows: [Row]
    private var repeats: [[Row]]

    enum CodingKeys: CodingKey { case windows, rows }

    /// - Parameter repeats: The rows of each repeat; at least one.
    init(windows: Int, repeats: [[Row]]) {
        (self.windows, self.repeats, rows) = (windows, repeats, repeats[0])
        for index in rows.indices {
            let own = repeats.map { $0[index] }
            func middle(_ value: (Row) -> Int64) -> Int64 { Int64(median(own.map { Double(value($0)) }).rounded()) }
            (rows[index].p50, rows[index].p99, rows[index].max) = (middle(\.p50), middle(\.p99), middle(\.max))
        }
    }

    var figures: [BenchFigure] {
        rows.indices.flatMap { index in
            // `spread: search` is the case `spread-search`.
            let name = rows[index].name.replacing(": ", with: "-")
            let own = repeats.map { $0[index] }
            return [
                BenchFigure(
                    group: "windows", name: name, metric: "p50", unit: "ns", values: own.map { Double($0.p50) }),
                BenchFigure(
                    group: "windows", name: name, metric: "p99", unit: "ns", values: own.map { Double($0.p99) }),
            ]
        }
    }

    var text: [String] {
        var table = [["", "p50", "p99", "max", "in a window"]]
        for row in rows {
            table.append([row.name, "\(row.p50)", "\(row.p99)", "\(row.max)", row.found.map { "\($0) %" } ?? "-"])
        }
        let count = repeats.count
        return ["\(windows) windows, 20 levels, nanoseconds, \(count) \(count == 1 ? "repeat" : "repeats")", ""]
            + aligned(table)
    }
}
