// DeathTally.swift: the number of deaths of one child, by exit status.
//
// Station   process
// Input     DeathRecord, at each death
// Output    reports: `signal 9 ×3, exit 1 ×1`
// Knows     counts. No time, no policy.
//
// Sources   invented

import Hosting

/// Counts of deaths by exit status.
struct DeathTally: Sendable {
    /// The status is nil for a process that could not be started.
    private var counts: [(status: ExitStatus?, count: Int)] = []
    /// Deaths with other statuses, beyond the limit.
    private var others = 0
    /// The number of statuses that are counted separately: signals and a few exit codes.
    static let limit = 8

    var total: Int { counts.reduce(others) { $0 + $1.count } }

    mutating func add(_ status: ExitStatus?) {
        if let index = counts.firstIndex(where: { $0.status == status }) {
            counts[index].count += 1
        } else if counts.count < Self.limit {
            counts.append((status, 1))
        } else {
            others += 1
        }
    }

    /// The counts, most frequent first; equal counts in the order of their first death.
    var text: String {
        var parts = counts.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
            .map { "\($0.element.status.map { "\($0)" } ?? "not started") ×\($0.element.count)" }
        if others > 0 { parts.append("others ×\(others)") }
        return parts.joined(separator: ", ")
    }
}
