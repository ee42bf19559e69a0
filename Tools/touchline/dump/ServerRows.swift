// ServerRows.swift: the server's state of its clients: rows by dotted key, as text for a person and nested for a
// script.
//
//     app1.creditWindow = 256                                   app1
//     app1.event.0 = frame=7 at=… fate=delivered after=…   ─▶     creditWindow  256
//     app1.event.1 = …                                            event   ago       frame  fate       after
//                                                                         12.345 s  7      delivered  0.412 ms
//
// The rules are independent of the rows: a new row of the server is shown by the same rules.

import Basics
import Foundation
import Wire
import ZeroMQHost

/// The detail rows of the server.
struct ServerRows {
    private(set) var rows: [Report.Row] = []
    /// The reason why there are none, or not all.
    private(set) var complaint: String?

    /// The main loop of a server is never busy for longer.
    private static let answerTime = Duration.milliseconds(300)

    /// Requests all rows, page by page.
    init(from client: ControlClient) throws {
        var next: UInt32 = 0
        repeat {
            try client.ask(.detailRequest(DetailRequest(id: 0, from: next)))
            guard let page = try Self.page(from: client) else {
                complaint = "system-server has not answered"
                return
            }
            rows += page.rows
            // Each page is of later apps than the one before.
            guard page.next == 0 || page.next > next else { return }
            next = page.next
        } while next != 0
    }

    private static func page(from client: ControlClient) throws -> DetailPage? {
        let deadline = monotonicNow().advanced(by: answerTime)
        while true {
            let left = monotonicNow().duration(to: deadline)
            guard left > .zero, let message = try client.next(timeout: left) else { return nil }
            switch message {
            case .detail(let page): return page
            case .refused: return nil
            default: continue
            }
        }
    }

    init(_ rows: [Report.Row]) { self.rows = rows }

    // MARK: Values

    /// An event that an app has handled.
    struct HandledEvent: Equatable {
        /// The moment when the server had the app's receipt.
        var at: Instant
        /// The time from the server's frame to that receipt.
        var after: Duration
    }

    /// The events of one app that it has handled, among its last 100.
    func handledEvents(of app: String) -> [HandledEvent] {
        rows.compactMap { row in
            guard Self.list(of: row.key) == "\(app).event", case .text(let text) = row.value,
                let parts = Self.parts(of: text)
            else { return nil }
            func part(_ name: String) -> String? { parts.first { $0.name == name }?.value }
            guard part("fate") == "delivered", let at = part("at").flatMap({ Int64($0) }),
                let after = part("after").flatMap({ Int64($0) })
            else { return nil }
            return HandledEvent(at: Instant(nanoseconds: at &+ after), after: .nanoseconds(after))
        }
    }

    /// The scans (`scans`) or the events of an app (`app1`) that were dropped for any reason; nil without an answer.
    func dropped(of part: String) -> Int64? {
        guard !rows.isEmpty else { return nil }
        return rows.reduce(0) { sum, row in
            guard row.key.hasPrefix("\(part).dropped."), case .number(let count) = row.value else { return sum }
            return sum + count
        }
    }

    // MARK: Parts

    /// Splits a value into `part=value` words. A word without a `=` continues the value before it.
    private static func parts(of text: String) -> [(name: String, value: String)]? {
        var parts: [(name: String, value: String)] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // A quoted reason may contain words that look like parts.
            let isPart = halves.count == 2 && !halves[0].isEmpty && halves[0].allSatisfy(\.isLetter)
            if isPart, parts.last?.name != "reason" || halves[0] == "after" {
                parts.append((String(halves[0]), String(halves[1])))
            } else {
                guard !parts.isEmpty else { return nil }
                parts[parts.count - 1].value += " \(word)"
            }
        }
        return parts
    }

    /// The plural of a word: `fingers`, `replies`.
    private static func plural(_ word: String) -> String {
        word.hasSuffix("y") ? "\(word.dropLast())ies" : "\(word)s"
    }

    /// The list of a key: `app1.event` for `app1.event.3`.
    private static func list(of key: String) -> String? {
        guard let dot = key.lastIndex(of: "."), Int(key[key.index(after: dot)...]) != nil else { return nil }
        return String(key[..<dot])
    }

    // MARK: JSON

    var json: [String: Any] {
        var object: [String: Any] = [:]
        for row in rows {
            var value = row.value.json
            if case .text(let text) = row.value, let parts = Self.parts(of: text) {
                value = Dictionary(parts.map { ($0.name, Int($0.value) as Any? ?? $0.value) }) { $1 }
            }
            let list = Self.list(of: row.key)
            Self.set(value, at: (list ?? row.key).split(separator: ".").map(String.init), inList: list != nil, &object)
        }
        if let complaint { object["failure"] = complaint }
        return object
    }

    private static func set(_ value: Any, at path: [String], inList: Bool, _ object: inout [String: Any]) {
        guard let first = path.first else { return }
        if path.count == 1 {
            object[first] = inList ? (object[first] as? [Any] ?? []) + [value] : value
            return
        }
        var inner = object[first] as? [String: Any] ?? [:]
        set(value, at: Array(path.dropFirst()), inList: inList, &inner)
        object[first] = inner
    }

    // MARK: Text

    /// The text: a block for each first word of a key, a table for each list.
    func lines(at now: Instant) -> [String] {
        var lines: [String] = []
        var block = ""
        var table: (list: String, rows: [[(name: String, value: String)]]) = ("", [])
        func endTable() {
            lines += Self.table(table.list, table.rows, at: now)
            table = ("", [])
        }
        for row in rows {
            let list = Self.list(of: row.key)
            if list != table.list { endTable() }
            let head = String(row.key.prefix { $0 != "." })
            if head != block {
                lines += ["", list == head ? Self.plural(head) : head]
                block = head
            }
            if let list, case .text(let text) = row.value, let parts = Self.parts(of: text) {
                table = (list, table.rows + [parts])
            } else {
                var shown = row.value.shown
                if case .text(let text) = row.value, let parts = Self.parts(of: text) {
                    shown = parts.map { "\(Self.title($0.name)) \(Self.cell($0, at: now))" }.joined(separator: ", ")
                } else if row.key.hasSuffix("At"), case .number(let moment) = row.value {
                    shown = Self.cell(("at", "\(moment)"), at: now) + " ago"
                }
                let key = row.key == head ? row.key : String(row.key.dropFirst(head.count + 1))
                lines.append("  \(key)  \(shown)")
            }
        }
        endTable()
        if let complaint { lines += ["", complaint] }
        return lines
    }

    /// Columns are in the order in which their parts first occur.
    private static func table(
        _ list: String, _ rows: [[(name: String, value: String)]], at now: Instant
    ) -> [String] {
        guard !rows.isEmpty else { return [] }
        var names: [String] = []
        for row in rows {
            for part in row where !names.contains(part.name) { names.append(part.name) }
        }
        let cells = rows.map { row in
            names.map { name in row.first { $0.name == name }.map { cell($0, at: now) } ?? "-" }
        }
        return aligned([names.map(title)] + cells).map { "    \($0)" }
    }

    private static func title(_ name: String) -> String { name == "at" ? "ago" : name == "since" ? "for" : name }

    /// Moments as the time since then, durations in milliseconds.
    private static func cell(_ part: (name: String, value: String), at now: Instant) -> String {
        guard let nanoseconds = Int64(part.value) else { return part.value }
        switch part.name {
        case "at", "since": return "\(fixedText(Double(max(0, now.nanoseconds - nanoseconds)) / 1e9, digits: 3)) s"
        case "after": return Duration.nanoseconds(nanoseconds).milliseconds
        default: return part.value
        }
    }
}
