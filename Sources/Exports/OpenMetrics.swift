// OpenMetrics.swift: metrics as text, for Prometheus.
//
//    # TYPE touchline_scans counter
//    # HELP touchline_scans The scans that input-kit sent.
//    touchline_scans_total 47
//    # EOF
//
// Input     RunMetrics, `touchline dump --format openmetrics`, `touchline metrics`
// Output    text
// Knows     families and samples. No run, no group.
//
// Sources   documented  OpenMetrics 1.0 (Docs/Decisions/Exports.md)

/// An OpenMetrics exposition that grows family by family.
package struct OpenMetrics: Sendable {
    package enum Kind: String, Sendable { case counter, gauge }

    /// One value with its labels.
    package struct Sample: Sendable {
        package var labels: [(name: String, value: String)]
        package var value: Double

        package init(_ value: Double, _ labels: [(name: String, value: String)] = []) {
            (self.labels, self.value) = (labels, value)
        }

        package init(_ value: some BinaryInteger, _ labels: [(name: String, value: String)] = []) {
            self.init(Double(value), labels)
        }
    }

    /// The media type for HTTP.
    package static let mediaType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    private var lines: [String] = []

    package init() {}

    /// Adds a family. A family without samples is left out.
    ///
    /// - Parameters:
    ///   - name: With the unit, without `_total`.
    ///   - kind: What its samples are.
    ///   - unit: The last word of the name; nil for a count.
    ///   - help: The sentence that describes the family.
    ///   - samples: The samples, in the order in which they are written.
    package mutating func add(
        _ name: String, _ kind: Kind, unit: String? = nil, _ help: String, _ samples: [Sample]
    ) {
        guard !samples.isEmpty else { return }
        begin(name, kind.rawValue, unit, help)
        for sample in samples { add(kind == .counter ? "\(name)_total" : name, sample.labels, sample.value) }
    }

    /// Adds a histogram of durations in seconds.
    ///
    /// - Parameters:
    ///   - name: With the unit.
    ///   - help: The sentence that describes the histogram.
    ///   - series: The nanoseconds of each series, with its labels.
    package mutating func add(
        histogram name: String, _ help: String,
        _ series: [(labels: [(name: String, value: String)], nanoseconds: [Int64])]
    ) {
        guard series.contains(where: { !$0.nanoseconds.isEmpty }) else { return }
        begin(name, "histogram", "seconds", help)
        for (labels, values) in series where !values.isEmpty {
            let sorted = values.sorted()
            var below = 0
            for limit in Self.limits {
                while below < sorted.count, sorted[below] <= limit { below += 1 }
                add("\(name)_bucket", labels + [("le", Self.text(Double(limit) / 1e9))], Double(below))
            }
            add("\(name)_bucket", labels + [("le", "+Inf")], Double(sorted.count))
            add("\(name)_sum", labels, values.reduce(0) { $0 + Double($1) } / 1e9)
            add("\(name)_count", labels, Double(sorted.count))
        }
    }

    /// The greatest values of the buckets in nanoseconds: 1, 2 and 5 of each power of ten from 1 µs to 1 s.
    private static let limits: [Int64] =
        [1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].flatMap {
            [$0, 2 * $0, 5 * $0]
        } + [1_000_000_000]

    /// The whole text.
    package var text: String { (lines + ["# EOF", ""]).joined(separator: "\n") }

    private mutating func begin(_ name: String, _ kind: String, _ unit: String?, _ help: String) {
        lines.append("# TYPE \(name) \(kind)")
        if let unit { lines.append("# UNIT \(name) \(unit)") }
        lines.append("# HELP \(name) \(Self.escaped(help))")
    }

    private mutating func add(_ name: String, _ labels: [(name: String, value: String)], _ value: Double) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        lines.append("\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(Self.text(value))")
    }

    private static func text(_ value: Double) -> String {
        if let whole = Int64(exactly: value) { return "\(whole)" }
        return "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        var out = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": out += "\\\\"
            case "\"": out += "\\\""
            case "\n": out += "\\n"
            default: out.unicodeScalars.append(character)
            }
        }
        return out
    }
}
