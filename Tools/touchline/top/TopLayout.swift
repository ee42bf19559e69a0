// TopLayout.swift: the figures of `touchline top` as lines, in the columns that a width has room for.
//
//     group: ready, up 12.3 s, pid 4710, epoch 1
//     process        state   per s  inbox  in flight  p50 ms  p99 ms  p99, last seconds  merged  …
//     input-kit      ready   120.0                 2
//     app1           active  118.2      0          1   0.412   1.803  ▁▁▂▁█▁▁                11  …
//
// Input     TopCommand: a table and the size of the terminal
// Output    TerminalScreen or plain lines
// Knows     characters. Each one has the width of one column.

import Basics
import ZeroMQHost

/// The lines of a table.
struct TopLayout {
    /// The order of the rows.
    enum Order: CaseIterable {
        case group, rate, latency, cpu, memory

        var next: Order { Self.allCases[(Self.allCases.firstIndex(of: self)! + 1) % Self.allCases.count] }
        var previous: Order {
            Self.allCases[(Self.allCases.firstIndex(of: self)! + Self.allCases.count - 1) % Self.allCases.count]
        }

        /// The text after `sorted by`.
        var name: String {
            switch self {
            case .group: "process"
            case .rate: "rate"
            case .latency: "p99"
            case .cpu: "CPU"
            case .memory: "memory"
            }
        }
    }

    /// A column of the table.
    private struct Column {
        var title: String
        /// Columns with a higher number are left out first.
        var rank: Int
        var isNumber: Bool
        var cell: (TopTable.Row) -> String
        var style: (TopTable.Row) -> TextStyle = { _ in .plain }
    }

    var order = Order.group
    /// Nil for lines of any width.
    var width: Int?
    /// Nil for any number of lines.
    var height: Int?
    /// The text at the end of the first line; empty for none.
    var remark = ""

    /// The number of intervals in the column of latencies.
    private static let sparklineWidth = 16

    private static var columns: [Column] {
        [
            Column(title: "process", rank: 0, isNumber: false, cell: { $0.name }, style: { _ in .bold }),
            Column(
                title: "state", rank: 0, isNumber: false, cell: { $0.state },
                style: { $0.condition == .good ? .plain : $0.condition == .bad ? .red : .yellow }),
            Column(title: "per s", rank: 1, isNumber: true, cell: { number($0.rate, digits: 1) }),
            Column(title: "waiting", rank: 9, isNumber: true, cell: { number($0.waiting) }),
            Column(title: "inbox", rank: 7, isNumber: true, cell: { number($0.inbox) }),
            Column(title: "queue", rank: 6, isNumber: true, cell: { number($0.queue) }),
            Column(title: "in flight", rank: 5, isNumber: true, cell: { number($0.inFlight) }),
            Column(title: "credit", rank: 10, isNumber: true, cell: { number($0.credit) }),
            Column(
                title: "p50 ms", rank: 3, isNumber: true,
                cell: { number($0.latency.map { $0.p50.seconds * 1000 }, digits: 3) }
            ),
            Column(
                title: "p99 ms", rank: 1, isNumber: true,
                cell: { number($0.latency.map { $0.p99.seconds * 1000 }, digits: 3) }
            ),
            Column(
                title: "p99 by interval", rank: 4, isNumber: false,
                cell: { sparkline($0.latencies, width: sparklineWidth) }),
            Column(
                title: "merged", rank: 8, isNumber: true, cell: { number($0.merged) },
                style: { $0.isLosing ? .yellow : .plain }),
            Column(
                title: "dropped", rank: 2, isNumber: true, cell: { number($0.dropped) },
                style: { $0.isLosing ? .yellow : .plain }),
            Column(title: "restarts", rank: 3, isNumber: true, cell: { number($0.restarts) }),
            Column(title: "CPU %", rank: 2, isNumber: true, cell: { number($0.cpu.map { $0 * 100 }, digits: 1) }),
            Column(
                title: "RSS MiB", rank: 4, isNumber: true,
                cell: { number($0.residentKiB.map { Double($0) / 1024 }, digits: 1) }),
            Column(title: "deaths", rank: 11, isNumber: false, cell: { $0.deaths }, style: { _ in .red }),
        ]
    }

    private static func number(_ value: Int64?) -> String { value.map { "\($0)" } ?? "-" }
    private static func number(_ value: Double?, digits: Int) -> String {
        value.map { fixedText($0, digits: digits) } ?? "-"
    }

    /// Bars of one character for the last values, relative to the largest of them; a space for no value.
    static func sparkline(_ values: [Duration?], width: Int) -> String {
        let shown = values.suffix(max(0, width))
        let bars = Array("▁▂▃▄▅▆▇█")
        let largest = shown.compactMap { $0 }.max() ?? .zero
        return String(
            shown.map { value -> Character in
                guard let value else { return " " }
                guard largest > .zero else { return bars[0] }
                let share = max(0, value.seconds / largest.seconds)
                return bars[min(bars.count - 1, Int(share * Double(bars.count)))]
            })
    }

    // MARK: Lines

    /// The lines: the head, a blank line, and a line for each process.
    func lines(_ table: TopTable) -> [StyledLine] {
        let head =
            "group: \(table.isReady ? "ready" : "not ready"), up \(fixedText(table.age.seconds, digits: 1)) s, "
            + "pid \(table.pid), epoch \(table.epoch)" + (remark.isEmpty ? "" : ", \(remark)")
        var lines = [StyledLine([StyledText(head, table.isReady ? .bold : .red)]), StyledLine([])]
        let rows = sorted(table.rows)
        lines += self.rows(rows)
        if rows.isEmpty { lines.append(StyledLine([StyledText("no process")])) }
        if let height, lines.count > height {
            let hidden = lines.count - max(0, height - 1)
            lines = lines.prefix(max(0, height - 1)) + [StyledLine([StyledText("\(hidden) more lines", .dim)])]
        }
        return width.map { width in lines.map { $0.cut(to: width) } } ?? lines
    }

    private func sorted(_ rows: [TopTable.Row]) -> [TopTable.Row] {
        func key(_ row: TopTable.Row) -> Double {
            switch order {
            case .group: 0
            case .rate: row.rate ?? -1
            case .latency: row.latency?.p99.seconds ?? -1
            case .cpu: row.cpu ?? -1
            case .memory: Double(row.residentKiB ?? -1)
            }
        }
        // Equal rows stay in the group's order.
        return rows.enumerated().sorted { a, b in
            let (left, right) = (key(a.element), key(b.element))
            return left == right ? a.offset < b.offset : left > right
        }
        .map(\.element)
    }

    private func rows(_ rows: [TopTable.Row]) -> [StyledLine] {
        var columns = Self.columns.map { column in
            let cells = rows.map(column.cell)
            return (column: column, cells: cells, width: max(column.title.count, cells.map(\.count).max() ?? 0))
        }
        // The column of deaths is empty as a rule. Others stay, so that the table keeps its shape.
        columns.removeAll { $0.column.rank > 0 && $0.cells.allSatisfy(\.isEmpty) }
        if let width {
            func needed() -> Int { columns.reduce(-2) { $0 + $1.width + 2 } }
            while needed() > width,
                let worst = columns.indices.max(by: { columns[$0].column.rank < columns[$1].column.rank }),
                columns[worst].column.rank > 0
            {
                columns.remove(at: worst)
            }
        }
        func line(_ texts: [StyledText]) -> StyledLine {
            var parts: [StyledText] = []
            for (index, (column, text)) in zip(columns, texts).enumerated() {
                let space = String(repeating: " ", count: column.width - text.text.count)
                let isLast = index == columns.count - 1
                var cell = text
                cell.text = column.column.isNumber ? space + text.text : text.text + (isLast ? "" : space)
                parts += (index == 0 ? [] : [StyledText("  ")]) + [cell]
            }
            return StyledLine(parts)
        }
        return [line(columns.map { StyledText($0.column.title, .dim) })]
            + rows.indices.map { row in
                line(columns.map { StyledText($0.cells[row], $0.column.style(rows[row])) })
            }
    }
}
