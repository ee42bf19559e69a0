import Basics
import Foundation
import Testing

@testable import touchline

@Suite("Fits of growth")
struct GrowthFitTests {
    /// Costs of a function with seeded noise.
    ///
    /// - Parameter noise: The deviation of the cost's logarithm.
    private static func points(
        _ amounts: [Double], seed: UInt64 = 1, noise: Double = 0, _ cost: (Double) -> Double
    ) -> [GrowthPoint] {
        var chance = SeededGenerator(seed: seed)
        return amounts.map { n in
            // The sum of twelve even numbers is nearly normal, with a deviation of 1.
            let normal = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &chance) }
            return GrowthPoint(n: n, cost: cost(n) * exp(noise * normal))
        }
    }

    /// The fitted orders of noisy costs, with the number of seeds that show each.
    private static func orders(
        _ amounts: [Double], noise: Double, tolerance: Double, _ cost: (Double) -> Double
    ) throws -> [GrowthOrder: Int] {
        var counts: [GrowthOrder: Int] = [:]
        for seed in UInt64(1)...24 {
            let points = points(amounts, seed: seed, noise: noise, cost)
            counts[try #require(GrowthFit(points, tolerance: tolerance)).curve.order, default: 0] += 1
        }
        return counts
    }

    private static let apps: [Double] = [1, 2, 3, 5, 10, 20, 50, 100]
    private static let views: [Double] = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]
    private static let recognizers: [Double] = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]

    @Test("exact costs have their order, base and slope", arguments: GrowthOrder.allCases)
    func exact(order: GrowthOrder) throws {
        let points = Self.points(Self.recognizers) { 365 + (order == .constant ? 0 : 30 * order.growth(at: $0)) }
        let fit = try #require(GrowthFit(points, tolerance: 0.01))
        #expect(fit.curve.order == order)
        #expect(abs(fit.curve.base - 365) < 0.5, "\(fit.curve.base)")
        #expect(order == .constant || abs(fit.curve.slope - 30) < 0.1, "\(fit.curve.slope)")
        #expect(fit.curve.residual < 0.001 && !fit.isHidden)
        for n in Self.recognizers {
            #expect(abs(fit.curve.cost(at: n) / (365 + (order == .constant ? 0 : 30 * order.growth(at: n))) - 1) < 0.01)
        }
    }

    @Test("the power of a power is exact, and its interval too")
    func power() throws {
        let fit = try #require(GrowthFit(Self.points(Self.apps) { 7 * pow($0, 1.5) }, tolerance: 0.1))
        let power = try #require(fit.power)
        #expect(abs(power.value - 1.5) < 1e-9 && power.high - power.low < 1e-6)
        // Nothing can be said about no work: its logarithm has no place on the line.
        let none = Self.points([0] + Self.apps) { 7 * pow(max($0, 1), 1.5) }
        #expect(GrowthPower(none) == GrowthPower(Array(none.dropFirst())))
        #expect(GrowthPower(Array(none.prefix(3))) == nil)
    }

    @Test("the interval of the power contains the true one in 19 of 20 runs")
    func interval() throws {
        let hits = try (UInt64(1)...200).count { seed in
            let points = Self.points(Self.apps, seed: seed, noise: 0.2) { 100 * pow($0, 0.5) }
            let power = try #require(GrowthPower(points))
            return power.low <= 0.5 && power.high >= 0.5
        }
        #expect((180...198).contains(hits), "\(hits)")
    }

    @Test("quantiles are those of Student's t")
    func quantiles() {
        for (freedom, quantile) in [(1, 12.706), (5, 2.571), (10, 2.228), (11, 2.201), (20, 2.086), (100, 1.984)] {
            #expect(abs(GrowthPower.quantile(freedom) / quantile - 1) < 0.01, "\(freedom)")
        }
    }

    @Test("noisy constants are constant, and noisy lines are linear", arguments: [0.02, 0.1, 0.2])
    func noisy(noise: Double) throws {
        let constant = try Self.orders(Self.apps, noise: noise, tolerance: 0.15) { _ in 100 }
        #expect(constant[.constant] ?? 0 >= 23, "\(constant)")
        let linear = try Self.orders(Self.recognizers, noise: noise, tolerance: 0.1) { 365 + 30 * $0 }
        #expect(linear[.linear] ?? 0 >= 21, "\(linear)")
        let logarithmic = try Self.orders(Self.views, noise: noise, tolerance: 0.1) { 20 + 5 * log2(1 + $0) }
        #expect(logarithmic[.logarithmic] ?? 0 >= 19, "\(logarithmic)")
    }

    /// Costs that grow faster than the claim, and the claim.
    private static let wrong:
        [(name: String, claimed: GrowthOrder, amounts: [Double], cost: @Sendable (Double) -> Double)] =
            [
                ("a tenth for each app", .constant, apps, { 100 + 10 * $0 }),
                ("the root of views", .logarithmic, views, { $0.squareRoot() }),
                ("a walk through the views", .logarithmic, views, { 30 + 0.4 * $0 }),
                ("pairs of recognizers", .linear, recognizers, { 365 + $0 * $0 }),
                ("sorted recognizers", .linear, recognizers, { 365 + 30 * $0 * log2(1 + $0) }),
            ]

    @Test("a claim of slower growth fails, with noise too", arguments: [0.0, 0.02, 0.1, 0.2])
    func wrongClaims(noise: Double) throws {
        for (name, claimed, amounts, cost) in Self.wrong {
            let orders = try Self.orders(amounts, noise: noise, tolerance: 0.1, cost)
            let found = orders.filter { $0.key > claimed }.values.reduce(0, +)
            #expect(found >= 20, "\(name): \(orders)")
        }
    }

    @Test("a deviation within the tolerance is no faster order")
    func tolerance() throws {
        // A cache that is too small adds four percent in the upper half.
        let points = Self.points(Self.views) { $0 > 1000 ? 104 : 100 }
        #expect(try #require(GrowthFit(points, tolerance: 0.05)).curve.order == .constant)
        #expect(try #require(GrowthFit(points, tolerance: 0.001)).curve.order > .constant)
    }

    @Test("few points, and points that scatter, show no order")
    func unknown() throws {
        #expect(GrowthFit(Self.points([1, 2, 3, 4]) { $0 }, tolerance: 0.1) == nil)
        #expect(GrowthFit(Self.points([1, 1, 1, 1, 1, 2]) { $0 }, tolerance: 0.1) == nil)
        #expect(GrowthFit(Self.points(Self.apps) { _ in -1 }, tolerance: 0.1) == nil)
        let scattered = try (UInt64(1)...20).count { seed in
            let points = Self.points([1, 2, 3, 5, 10], seed: seed, noise: 1) { _ in 100 }
            return try #require(GrowthFit(points, tolerance: 0.1)).isHidden
        }
        #expect(scattered >= 18, "\(scattered)")
    }

    @Test("costs that are no numbers are left out")
    func numbers() throws {
        let points = Self.points(Self.apps) { 10 * $0 }
        let odd = [Double.nan, .infinity, 0, -3].map { GrowthPoint(n: 7, cost: $0) } + [GrowthPoint(n: .nan, cost: 1)]
        #expect(GrowthFit(points + odd, tolerance: 0.1) == GrowthFit(points, tolerance: 0.1))
    }
}

@Suite("Claims of growth")
struct GrowthClaimTests {
    private static func figures(
        _ series: String, _ metric: String, _ amounts: [Int], unit: String = "us", _ cost: (Double) -> Double
    ) -> [BenchFigure] {
        amounts.map { n in
            let value = cost(Double(n))
            return BenchFigure(
                group: "growth", name: "\(series)-\(n)", metric: metric, unit: unit,
                values: [value * 0.99, value, value * 1.01])
        }
    }

    private static let apps = [1, 2, 3, 5, 10, 20, 50, 100]

    @Test("each claim holds for its own order, and fails for the next one")
    func claims() throws {
        for claim in GrowthClaim.all {
            let amounts = claim.cost.series.hasPrefix("views") ? [10, 100, 1000, 10_000, 30_000, 100_000] : Self.apps
            let (series, metric, order) = (claim.cost.series, claim.cost.metric, claim.bound.order)
            let own = Self.figures(series, metric, amounts) { 10 + 3 * order.growth(at: $0) }
            #expect(try #require(GrowthVerdict(of: claim, in: own)).result == .holds, "\(claim.text)")
            let faster = Self.figures(series, metric, amounts) { 10 + 3 * $0 * max(1, order.growth(at: $0)) }
            let verdict = try #require(GrowthVerdict(of: claim, in: faster))
            #expect(verdict.result == .fails, "\(claim.text): \(verdict.row)")
            let slower = Self.figures(series, metric, amounts) { _ in 10 }
            let isExact = claim.bound == .exactly(order)
            #expect(try #require(GrowthVerdict(of: claim, in: slower)).result == (isExact ? .fails : .holds))
        }
    }

    @Test("a cost that falls keeps an upper bound, and not an exact order")
    func falling() throws {
        let measured = [60: 883.0, 120: 869, 240: 686, 480: 354, 1000: 276, 2000: 221, 4000: 172]
        let figures = Self.figures("rate", "p50", measured.keys.sorted()) { measured[Int($0)]! }
        let claim = try #require(GrowthClaim.all.first { $0.cost.name == "rate p50" })
        #expect(try #require(GrowthVerdict(of: claim, in: figures)).result == .holds)
        let exact = GrowthClaim("exact", "rate", "p50", .exactly(.constant), within: 0.25)
        #expect(try #require(GrowthVerdict(of: exact, in: figures)).result == .unknown)
    }

    @Test("claims are about costs that no other claim is about, and about plotted ones")
    func table() {
        let names = GrowthClaim.all.map(\.cost.name)
        #expect(Set(names).count == names.count)
        #expect(Set(GrowthClaim.all.map(\.text)).count == names.count)
        let plotted = GrowthPlot.all.flatMap(\.costs)
        for claim in GrowthClaim.all { #expect(plotted.contains(claim.cost), "\(claim.cost.name)") }
        for axis in GrowthAxis.allCases {
            #expect(axis.amounts(quick: true).count >= GrowthFit.leastPoints)
            for series in axis.series { #expect(GrowthClaim.all.contains { $0.cost.series == series }, "\(series)") }
        }
    }

    @Test("a claim that fails is one line with the claimed and the fitted order")
    func complaint() throws {
        let claim = try #require(GrowthClaim.all.first { $0.cost.name == "apps p50" })
        let growing = Self.figures("apps", "p50", Self.apps) { 100 + 50 * $0 }
        let line = try #require(GrowthVerdict(of: claim, in: growing)?.complaint)
        let expected =
            #/growth\/apps\/p50: the median latency does not depend on the number of apps: expected constant, found n, power 0\.\d\d…\d\.\d\d/#
        #expect(line.wholeMatch(of: expected) != nil, "\(line)")
        let few = GrowthVerdict(of: claim, in: Array(growing.prefix(4)))
        #expect(few?.result == .unknown && few?.complaint?.hasSuffix("unknown, 4 points") == true)
        #expect(GrowthVerdict(of: claim, in: Self.figures("apps", "p50", Self.apps) { _ in 100 })?.complaint == nil)
        #expect(GrowthVerdict(of: claim, in: []) == nil)
    }

    @Test("a claim about a chosen axis without figures is not measured")
    func unmeasured() {
        let figures = Self.figures("contacts", "p50", [1, 2, 3]) { $0 }
        func lines(_ axes: [GrowthAxis], hasInstructions: Bool = false) -> [String] {
            GrowthVerdict.unmeasured(of: axes, in: figures, hasInstructions: hasInstructions)
        }
        #expect(
            lines([.contacts]) == [
                "growth/contacts/cpu: the CPU time of a scan grows at most linearly with its contacts: not measured"
            ])
        #expect(lines([]).isEmpty)
        #expect(lines([.recognizers]).count == 3)
        #expect(lines([.recognizers], hasInstructions: true).count == 6)
        #expect(lines(GrowthAxis.allCases, hasInstructions: true).count == GrowthClaim.all.count - 1)
    }

    @Test("latencies near saturation are not fitted")
    func saturation() throws {
        let claim = try #require(GrowthClaim.all.first { $0.cost.name == "rate p50" })
        var figures = Self.figures("rate", "p50", [60, 120, 240, 480, 1000, 2000, 8000]) { $0 > 4000 ? 5000 : 100 }
        figures.append(
            BenchFigure(
                group: "growth", name: "rate-saturation", metric: "scans", unit: "events/s", values: [9000, 9100, 9200])
        )
        #expect(claim.cost.fitted(in: figures).count == 6)
        #expect(claim.cost.points(in: figures).count == 7)
        #expect(GrowthVerdict(of: claim, in: figures)?.result == .holds)
        // CPU time does not wait in a queue.
        let cpu = Self.figures("rate", "cpu-second", [60, 8000]) { $0 } + figures.suffix(1)
        #expect(GrowthCost(series: "rate", metric: "cpu-second").fitted(in: cpu).count == 2)
    }

    @Test("rates that did not arrive in most rounds leave only their arrivals")
    func queues() {
        func figure(_ rate: Int, _ metric: String, _ values: [Double]) -> BenchFigure {
            BenchFigure(group: "growth", name: "rate-\(rate)", metric: metric, unit: "us", values: values)
        }
        let figures = [
            figure(1000, "arrived", [999, 800, 1000]), figure(1000, "p50", [90, 5000, 91]),
            figure(2000, "arrived", [1999, 1500, 1400]), figure(2000, "p50", [90, 9000, 9100]),
            figure(4000, "arrived", [3999]), figure(4000, "p50", [95]),
        ]
        let kept = GroupGrowth.withoutQueues(figures, rounds: 3)
        #expect(kept.map(\.key).filter { $0.hasSuffix("p50") } == ["growth/rate-1000/p50"])
        #expect(kept.count { $0.metric == "arrived" } == 3)
    }

    @Test("the page has a plot with points and curve for each kind of work, and the verdicts")
    func page() {
        let figures =
            Self.figures("recognizers", "moved", [0] + Self.apps, unit: "ns") { 300 + 30 * $0 }
            + Self.figures("apps", "p50", Self.apps) { 100 + 50 * $0 }
        let panels = GrowthPlot.panels(of: figures)
        #expect(panels.map(\.title) == ["Latency and CPU time of a scan, by apps", "Time of an event, by recognizers"])
        #expect(panels.map { $0.plot.curves.map(\.name) } == [["p50: n"], ["moved: n"]])
        #expect(panels.map { $0.plot.curves[0].marks.count } == [8, 9])
        let html = ReportPage(
            title: "Bench", facts: [],
            sections: [
                ReportPage.Section(
                    id: "growth", title: "Growth", meaning: "", figures: figures, curves: panels,
                    verdicts: GrowthPlot.verdicts(of: figures))
            ]
        ).html
        #expect(html.matches(of: #/<circle /#).count == 17)
        #expect(html.matches(of: #/<polyline /#).count == 2)
        #expect(html.matches(of: /<tr class="problem"><td>fails<\/td><td>the median latency/).count == 1)
        #expect(html.contains("<td>holds</td>") && !html.contains("class=\"bar\""))
        #expect(!html.contains("nan") && !html.contains("inf"))
    }
}
