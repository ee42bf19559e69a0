// GrowthClaim.swift: how each cost may grow, in one table, and whether measured figures show it.
//
//     GrowthClaim.all ─┐
//     figures ─────────┴▶ points ─▶ GrowthFit ─▶ GrowthVerdict: holds, fails, or unknown
//
// Input     figures of `bench growth`, from a run or from a file
// Output    the table of the command, the page's verdicts, the exit code of --check
// Knows     names of figures. Nothing is measured here.
//
// Sources   invented

import Basics
import Foundation

/// A claim about the growth of one cost.
struct GrowthClaim: Equatable {
    /// The growth that is claimed.
    enum Bound: Equatable {
        /// This order, neither slower nor faster.
        case exactly(GrowthOrder)
        /// This order or a slower one.
        case atMost(GrowthOrder)

        var order: GrowthOrder {
            switch self {
            case .exactly(let order), .atMost(let order): order
            }
        }

        var name: String {
            switch self {
            case .exactly(let order): order.name
            case .atMost(.constant): GrowthOrder.constant.name
            case .atMost(let order): "at most \(order.name)"
            }
        }
    }

    /// The claim as a sentence.
    let text: String
    let cost: GrowthCost
    let bound: Bound
    /// The distance of the points from a curve that does not matter, as a share of the cost.
    let tolerance: Double

    /// The claim as the beginning of a message.
    var subject: String { "\(GrowthCost.group)/\(cost.series)/\(cost.metric): \(text)" }

    init(_ text: String, _ series: String, _ metric: String, _ bound: Bound, within tolerance: Double) {
        (self.text, self.bound, self.tolerance) = (text, bound, tolerance)
        cost = GrowthCost(series: series, metric: metric)
    }

    /// The claims of every axis, in the order of the command's output.
    static let all: [GrowthClaim] =
        rate + apps + contacts + views + recognizers

    /// Near saturation scans wait for each other, so the claims about latency end at half of it (`GrowthCost.points`).
    private static let rate = [
        GrowthClaim(
            "the median latency does not grow with the rate, up to half of saturation", "rate", "p50",
            .atMost(.constant), within: 0.25),
        GrowthClaim(
            "CPU time per second grows at most linearly with the rate", "rate", "cpu-second", .atMost(.linear),
            within: 0.15),
    ]

    private static let apps = [
        GrowthClaim(
            "the median latency does not depend on the number of apps", "apps", "p50", .atMost(.constant), within: 0.15),
        GrowthClaim(
            "the 99 % latency does not depend on the number of apps", "apps", "p99", .atMost(.constant), within: 0.5),
        GrowthClaim(
            "the CPU time of a scan on its way does not depend on the number of apps", "apps", "cpu",
            .atMost(.constant), within: 0.15),
        GrowthClaim(
            "the CPU time per second of a group without touches grows at most linearly with its apps", "apps",
            "idle-second", .atMost(.linear), within: 0.15),
    ]

    private static let contacts = [
        GrowthClaim(
            "the median latency grows at most linearly with the contacts of a scan", "contacts", "p50",
            .atMost(.linear), within: 0.1),
        GrowthClaim(
            "the CPU time of a scan grows at most linearly with its contacts", "contacts", "cpu", .atMost(.linear),
            within: 0.1),
    ]

    private static let views =
        [("flat", "views beside each other"), ("nested", "views in one another")].flatMap { tree, words in
            inTimeAndInstructions(
                "a hit test is at most logarithmic in \(words)", "views-\(tree)", "hit-test", .atMost(.logarithmic))
                + [
                    GrowthClaim(
                        "a new index takes at most logarithmic time for each of the \(words)", "views-\(tree)",
                        "index-build", .atMost(.logarithmic), within: 0.2),
                    GrowthClaim(
                        "a view that moves takes at most logarithmic time in \(words)", "views-\(tree)", "index-move",
                        .atMost(.logarithmic), within: 0.2),
                ]
        }
        + inTimeAndInstructions(
            "a moved event does not depend on views beside each other", "views-flat", "moved", .atMost(.constant))
        + inTimeAndInstructions(
            "an event of a tap is at most logarithmic in views beside each other", "views-flat", "tap",
            .atMost(.logarithmic))
        + inTimeAndInstructions(
            "a moved event is linear in the depth of its view", "views-nested", "moved", .exactly(.linear))
        + inTimeAndInstructions(
            "an event of a tap is linear in the depth of its view", "views-nested", "tap", .exactly(.linear))

    private static let recognizers =
        [("moved", "a moved event"), ("tap", "an event of a tap"), ("drag", "an event of a drag")]
        .flatMap { gesture, words in
            inTimeAndInstructions(
                "\(words) is linear in the recognizers on its path", "recognizers", gesture, .exactly(.linear))
        }

    /// A claim about a time in one app, and the same claim about its instructions. Caches have steps that show in times.
    private static func inTimeAndInstructions(
        _ text: String, _ series: String, _ metric: String, _ bound: Bound
    ) -> [GrowthClaim] {
        [
            GrowthClaim("\(text), in time", series, metric, bound, within: 0.2),
            GrowthClaim("\(text), in instructions", series, "\(metric)-instructions", bound, within: 0.1),
        ]
    }
}

/// A cost that was measured for several amounts of work.
struct GrowthCost: Equatable {
    /// The group of the figures.
    static let group = "growth"
    /// The case and the metric of the greatest rate that a group can deliver.
    static let saturation = (name: "rate-saturation", metric: "scans")

    /// The case of a figure without its amount: `apps` of `apps-10`.
    let series: String
    let metric: String

    var name: String { "\(series) \(metric)" }

    /// Whether the cost is counted by valgrind.
    var isOfInstructions: Bool { metric.hasSuffix("-instructions") }

    /// The measured points, by amount.
    func points(in figures: [BenchFigure]) -> [(point: GrowthPoint, values: [Double])] {
        let own = figures.filter { $0.group == Self.group && $0.metric == metric && $0.name.hasPrefix("\(series)-") }
        return own.compactMap { figure in
            Double(figure.name.dropFirst(series.count + 1)).map {
                (GrowthPoint(n: $0, cost: figure.value), figure.values)
            }
        }.sorted { $0.point.n < $1.point.n }
    }

    /// The points that show the growth. Latencies near saturation show a queue instead.
    func fitted(in figures: [BenchFigure]) -> [GrowthPoint] {
        let all = points(in: figures).map(\.point)
        guard series == "rate", metric.hasPrefix("p") else { return all }
        let saturation = figures.first { $0.name == Self.saturation.name && $0.metric == Self.saturation.metric }
        return all.filter { $0.n <= (saturation?.value ?? .infinity) / 2 }
    }

    func unit(in figures: [BenchFigure]) -> String? {
        figures.first { $0.metric == metric && $0.name.hasPrefix("\(series)-") }?.unit
    }
}

/// A claim beside what was measured.
struct GrowthVerdict: Equatable {
    enum Result: String, Encodable {
        case holds, fails
        /// There are too few points, or they scatter too much.
        case unknown
    }

    let claim: GrowthClaim
    /// Nil with too few points.
    let fit: GrowthFit?
    let count: Int

    /// - Returns: Nil if the cost was not measured.
    init?(of claim: GrowthClaim, in figures: [BenchFigure]) {
        let points = claim.cost.fitted(in: figures)
        guard !points.isEmpty else { return nil }
        (self.claim, count) = (claim, points.count)
        fit = GrowthFit(points, tolerance: claim.tolerance)
    }

    /// The verdicts about every measured cost.
    static func all(in figures: [BenchFigure]) -> [GrowthVerdict] {
        GrowthClaim.all.compactMap { GrowthVerdict(of: $0, in: figures) }
    }

    var result: Result {
        // A cost that surely falls is below every upper bound, though no growing curve describes it.
        if case .atMost = claim.bound, let power = fit?.power, power.high < 0 { return .holds }
        guard let fit, !fit.isHidden else { return .unknown }
        switch claim.bound {
        case .exactly(let order): return fit.curve.order == order ? .holds : .fails
        case .atMost(let order): return fit.curve.order <= order ? .holds : .fails
        }
    }

    /// One line for each claim about an axis whose cost has no figures.
    ///
    /// - Parameter hasInstructions: Whether instructions were counted; if not, the claims about them are left out.
    static func unmeasured(of axes: [GrowthAxis], in figures: [BenchFigure], hasInstructions: Bool) -> [String] {
        let series = axes.flatMap(\.series)
        return GrowthClaim.all.filter { claim in
            series.contains(claim.cost.series) && (hasInstructions || !claim.cost.isOfInstructions)
                && claim.cost.fitted(in: figures).isEmpty
        }.map { "\($0.subject): not measured" }
    }

    /// The columns of a table.
    static let head = ["verdict", "claim", "claimed", "fitted", "power", "interval", "off the curve", "cost"]

    var row: [String] {
        func text(_ value: Double?) -> String { value.map { fixedText($0, digits: 2) } ?? "-" }
        return [
            result.rawValue, claim.text, claim.bound.name, fit?.curve.order.name ?? "\(count) points",
            text(fit?.power?.value), fit?.power.map { "\(text($0.low))…\(text($0.high))" } ?? "-",
            fit.map { fixedText((exp($0.curve.residual) - 1) * 100, digits: 0) + " %" } ?? "-", claim.cost.name,
        ]
    }

    /// One line about a claim that does not hold; nil for one that holds.
    var complaint: String? {
        let what = claim.subject
        switch result {
        case .holds: return nil
        case .unknown: return "\(what): unknown, \(fit == nil ? "\(count) points" : "the points scatter too much")"
        case .fails:
            let power = fit?.power.map { ", power \(fixedText($0.low, digits: 2))…\(fixedText($0.high, digits: 2))" }
            return "\(what): expected \(claim.bound.name), found \(fit?.curve.order.name ?? "-")\(power ?? "")"
        }
    }
}

extension GrowthVerdict: Encodable {
    private enum CodingKeys: String, CodingKey {
        case claim, series, metric, claimed, tolerance, points, fitted, base, slope, residual, power, low, high, verdict
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(claim.text, forKey: .claim)
        try container.encode(claim.cost.series, forKey: .series)
        try container.encode(claim.cost.metric, forKey: .metric)
        try container.encode(claim.bound.name, forKey: .claimed)
        try container.encode(claim.tolerance, forKey: .tolerance)
        try container.encode(count, forKey: .points)
        try container.encode(result, forKey: .verdict)
        guard let fit else { return }
        try container.encode(fit.curve.order.name, forKey: .fitted)
        try container.encode(fit.curve.base, forKey: .base)
        try container.encode(fit.curve.slope, forKey: .slope)
        try container.encode(fit.curve.residual, forKey: .residual)
        try container.encodeIfPresent(fit.power?.value, forKey: .power)
        try container.encodeIfPresent(fit.power?.low, forKey: .low)
        try container.encodeIfPresent(fit.power?.high, forKey: .high)
    }
}
