// DeathTally.swift: how often one child has died, and how.
//
// Station   process
// Input     DeathRecord, at each death
// Output    reports: `signal 9 ×3, exit 1 ×1`
// Knows     counts. No moment, no policy.
//
// Sources   invented

import Hosting

struct DeathTally: Sendable {
    /// Nil for one that could not be started.
    private var ways: [(status: ExitStatus?, count: Int)] = []
    /// Of ways beyond the limit.
    private var others = 0
    /// Ways that are told apart: signals and a few exit codes.
    static let limit = 8

    var total: Int { ways.reduce(others) { $0 + $1.count } }

    mutating func add(_ status: ExitStatus?) {
        if let index = ways.firstIndex(where: { $0.status == status }) {
            ways[index].count += 1
        } else if ways.count < Self.limit {
            ways.append((status, 1))
        } else {
            others += 1
        }
    }

    /// The most frequent first; of equals the one that came first.
    var text: String {
        var parts = ways.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map { "\($0.element.status.map { "\($0)" } ?? "not started") ×\($0.element.count)" }
        if others > 0 { parts.append("others ×\(others)") }
        return parts.joined(separator: ", ")
    }
}
