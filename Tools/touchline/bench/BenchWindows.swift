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
struct BenchWindows: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "windows",
        abstract: "Cost of finding the window at a point among 10,000, and of a change to one.",
        discussion: """
            spread   windows from 8 to 512 points, anywhere on a screen of 1024 by 1366 points
            heap     every window in one cell of 8 points, none of them where the finger is: the worst an app can declare

            In nanoseconds. Fault F15 asks for a 99th of a hundred below 50,000 (spread). Exits with 0 when it has \
            measured, whatever it measured. Build with `swift build -c release` first.
            """)

    @Option(help: ArgumentHelp("How many windows.", valueName: "1-10000"))
    var windows = WindowMap.limit

    @Option(help: "How many questions, and a tenth as many changes.")
    var questions = 200_000

    @Option(help: "What places and points come out of.")
    var seed: UInt64 = 1

    func validate() throws {
        guard (1...WindowMap.limit).contains(windows) else {
            throw ValidationError("--windows: expected 1 to \(WindowMap.limit), found \(windows)")
        }
        guard (1000...10_000_000).contains(questions) else {
            throw ValidationError("--questions: expected 1000 to 10000000, found \(questions)")
        }
    }

    func run() throws {
        printText("\(windows) windows, 20 levels; ns\n")
        printLine("                    p50      p99    worst")
        for isHeap in [false, true] {
            var chance = SeededGenerator(seed: seed)
            var map = WindowMap()
            var number: UInt32 = 0
            for first in stride(from: 0, to: windows, by: WindowsDiff.changeLimit) {
                let ids = first..<min(windows, first + WindowsDiff.changeLimit)
                let changes = ids.map { WindowChange.set(window(UInt32($0), isHeap, &chance)) }
                number += 1
                _ = map.apply(WindowsDiff(number: number, isWhole: number == 1, changes: changes))
            }
            var (asked, found) = (0, 0)
            let times = timed(questions) {
                // In the cell of the heap, and beside every window.
                let x = isHeap ? Fixed(7.5) : Fixed(rawValue: Int32(chance.next() % (1024 << 16)))
                let y = isHeap ? Fixed(7.5) : Fixed(rawValue: Int32(chance.next() % (1366 << 16)))
                asked += 1
                if map.window(at: Point(x, y)) != nil { found += 1 }
            }
            report(isHeap ? "heap: question" : "spread: question", times)
            let changes = timed(questions / 10) {
                number &+= 1
                let id = UInt32(chance.next() % UInt64(windows))
                _ = map.apply(
                    WindowsDiff(number: number, isWhole: false, changes: [.set(window(id, isHeap, &chance))]))
            }
            report(isHeap ? "heap: change" : "spread: change", changes)
            if !isHeap { printLine("                    \(found * 100 / asked) of 100 points are a window's") }
        }
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

    private func report(_ what: String, _ times: [Int64]) {
        func column(_ value: Int64) -> String {
            let text = "\(value)"
            return String(repeating: " ", count: max(1, 9 - text.count)) + text
        }
        let name = what + String(repeating: " ", count: max(0, 16 - what.count))
        printLine(
            name + column(times[times.count / 2]) + column(times[times.count * 99 / 100]) + column(times.last ?? 0))
    }
}
