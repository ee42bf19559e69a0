// GroupGrowth.swift: the cost of a scan in a group of real processes: by scans per second, apps and contacts.
//
//     rate       one finger, one app, faster and faster until the deliveries fall behind
//     apps       one finger at one rate; one app has the touches, the others only run
//     contacts   one to sixteen fingers at one rate, in one view
//
// Rounds go through all amounts one after the other, so that other work of the machine disturbs all of them and not
// only some. A figure has a value for each round.

import Foundation

/// The measurement of groups.
struct GroupGrowth {
    /// Scans per second, where the axis is not the rate.
    var rate: Double
    /// The duration of each play.
    var seconds: Double
    var rounds: Int
    var settings: [String]

    /// Figures with a value for each round.
    private struct Table {
        var figures: [BenchFigure] = []

        mutating func add(_ name: String, _ values: [GroupMeter.Value]) {
            for (metric, unit, value) in values {
                if let index = figures.firstIndex(where: { $0.name == name && $0.metric == metric }) {
                    figures[index].values.append(value)
                } else {
                    figures.append(
                        BenchFigure(group: GrowthCost.group, name: name, metric: metric, unit: unit, values: [value]))
                }
            }
        }
    }

    private func slice(at rate: Double) -> BenchSlice {
        BenchSlice(
            bursts: max(20, Int(rate * seconds)), warmUp: max(20, Int(rate * min(0.25, seconds))), burst: 1,
            period: UInt64(1e9 / rate))
    }

    // MARK: Rate

    /// The share of a rate that has to arrive. Less is a queue that grows.
    static let leastShare = 0.95

    /// Measures each rate until one falls behind, in each round.
    ///
    /// - Parameters:
    ///   - rates: Ascending.
    ///   - show: Receives the progress.
    /// - Returns: The figures of the rates that arrived, `arrived` of the first one that did not, and
    ///   `rate-saturation/scans`, the most scans per second that arrived.
    func byRate(_ rates: [Int], show: (String) -> Void) throws -> [BenchFigure] {
        let meter = try GroupMeter(settings: settings, idleFor: seconds)
        var table = Table()
        for round in 1...rounds {
            var most = 0.0
            for rate in rates {
                show("\(rate) Hz, round \(round) of \(rounds)")
                var sample = try meter.measure(slice(at: Double(rate)), allowsLosses: true)
                let least = Self.leastShare * Double(rate)
                if sample.arrivedPerSecond < least {
                    // A stall of the machine looks like a group that is too slow, but seldom twice.
                    let second = try meter.measure(slice(at: Double(rate)), allowsLosses: true)
                    if second.arrivedPerSecond > sample.arrivedPerSecond { sample = second }
                }
                table.add("rate-\(rate)", sample.values)
                most = max(most, sample.arrivedPerSecond)
                if sample.arrivedPerSecond < least { break }
            }
            let (name, metric) = GrowthCost.saturation
            table.add(name, [(metric, "events/s", most)])
        }
        try meter.stop()
        return Self.withoutQueues(table.figures, rounds: rounds)
    }

    /// Removes the costs of rates that did not arrive in most rounds: they are those of a queue.
    static func withoutQueues(_ figures: [BenchFigure], rounds: Int) -> [BenchFigure] {
        figures.filter { figure in
            guard let rate = Double(figure.name.dropFirst("rate-".count)), figure.metric != "arrived" else {
                return true
            }
            let arrived = figures.first { $0.name == figure.name && $0.metric == "arrived" }
            return (arrived?.value ?? 0) >= leastShare * rate && 2 * figure.values.count > rounds
        }
    }

    // MARK: Apps

    /// The memory that an app may need, and that must stay free, in bytes.
    private static let (appMemory, freeMemory) = (32 << 20, 512 << 20)

    /// Measures groups with these numbers of apps.
    ///
    /// - Returns: The figures, and a line for each number for which this machine lacks memory.
    func byApps(_ counts: [Int], show: (String) -> Void) throws -> (figures: [BenchFigure], notes: [String]) {
        var table = Table()
        let free = Self.availableMemory()
        func needed(_ count: Int) -> Int { count * Self.appMemory + Self.freeMemory }
        let possible = counts.filter { needed($0) <= free }
        let notes = counts.filter { needed($0) > free }.map { count in
            "\(count) apps: not measured: expected \(needed(count) >> 20) MiB of memory, found \(free >> 20)"
        }
        for round in 1...rounds {
            for count in possible {
                show("\(count) \(count == 1 ? "app" : "apps"), round \(round) of \(rounds)")
                let meter = try GroupMeter(apps: count, settings: settings, idleFor: seconds)
                table.add("apps-\(count)", try meter.measure(slice(at: rate)).values)
                try meter.stop()
            }
        }
        return (table.figures, notes)
    }

    private static func availableMemory() -> Int {
        let text = (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        // A kernel that does not say it is not refused.
        return words.count > 1 ? (Int(words[1]) ?? .max >> 10) << 10 : .max
    }

    // MARK: Contacts

    /// Measures scans with these numbers of contacts in one view.
    func byContacts(_ counts: [Int], show: (String) -> Void) throws -> [BenchFigure] {
        let meter = try withTemporaryScene("contacts", Self.scene) {
            try GroupMeter(scene: $0, settings: settings, idleFor: seconds)
        }
        var table = Table()
        for round in 1...rounds {
            for count in counts {
                show("\(count) \(count == 1 ? "contact" : "contacts"), round \(round) of \(rounds)")
                var slice = slice(at: rate)
                (slice.contacts, slice.mostContacts) = (count, max(counts.max() ?? 1, 2))
                table.add("contacts-\(count)", try meter.measure(slice).values)
            }
        }
        try meter.stop()
        return table.figures
    }

    /// A view that receives every touch.
    private static let scene = """
        id: contacts
        title: one view that receives every touch
        windows:
          - name: window
            multipleTouchEnabled: true
            view: { name: root, multipleTouchEnabled: true }

        """
}
