// Budgets.swift: reads the limits of measured figures from a YAML file: Config/budgets.yaml.
//
//     counts:                                   what a benchmark counts; the same on every machine
//       dispatch/a-moved/allocations: 0
//     times:                                    what it times, and ratios of times
//       latency/240Hz/ratio-p50: 3
//
// All mistakes of a file are reported, one line each.
//
// Knows     YAML. `touchline bench` knows the figures and the units.

import Basics
import Yams

/// The limits of measured figures.
package struct Budgets: Equatable {
    package struct Entry: Equatable {
        /// The figure: group, case and metric, separated by slashes.
        package var key: String
        /// A number with an optional unit, as the file has it.
        package var limit: String
        /// The line of the file, from 1.
        package var line: Int
        /// Whether the figure is counted, so that its limit holds on every machine.
        package var isCount: Bool
    }

    /// In the order of the file.
    package var entries: [Entry]

    /// Reads a file.
    ///
    /// - Parameter path: The path as the person wrote it; errors contain it.
    package init(contentsOf path: String) throws(InvalidConfiguration) {
        try self.init(yaml: try Configuration.text(of: path), file: path)
    }

    /// Parses a file. An empty file has no limits.
    package init(yaml: String, file: String) throws(InvalidConfiguration) {
        entries = try BudgetReader.read(yaml: yaml, file: file) { $0.entries($1) } ?? []
    }
}

private struct BudgetReader: DocumentReader {
    var complaints: Complaints

    private static let sections = ["counts", "times"]

    mutating func entries(_ root: Node) -> [Budgets.Entry] {
        var found: [Budgets.Entry] = []
        var lines: [String: Int] = [:]
        for (name, section) in entries(of: root, called: "budgets") {
            guard let word = name.scalar?.string, Self.sections.contains(word) else {
                complain(name, of: "budgets", expectedOneOf: Self.sections)
                continue
            }
            for (key, value) in entries(of: section, called: word) {
                guard let figure = key.scalar?.string, figure.split(separator: "/").count == 3 else {
                    complain(key, "\(word): expected group/case/metric, found \(described(key))")
                    continue
                }
                guard let limit = value.scalar?.string, limit.first?.isNumber == true else {
                    complain(value, "\(figure): expected a number with an optional unit, found \(described(value))")
                    continue
                }
                // One of two limits would never be read by a person.
                if let earlier = lines[figure] { complain(key, "\(figure): has a limit in line \(earlier) already") }
                let line = key.mark?.line ?? 0
                lines[figure] = line
                found.append(Budgets.Entry(key: figure, limit: limit, line: line, isCount: word == "counts"))
            }
        }
        return found
    }
}
