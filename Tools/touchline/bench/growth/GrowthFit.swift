// GrowthFit.swift: the order of growth that measured points show, and the power of n with its interval.
//
//     points ─┬▶ curve of each order ─▶ the slowest one that describes the points
//             └▶ straight line through the logarithms ─▶ power, with an interval of 95 %
//
// An order describes the points in one of two cases:
//
// - Its curve is within the tolerance. Exact counts deviate from each curve, because a cache or a hash table has steps.
//   A deviation that matters to no reader is not a faster order.
// - Its criterion is as good as the best one. Noisy times can be far from each curve. A faster order then needs points
//   that follow its curve clearly better, not only a little.
//
// The power alone could not decide: a cost of 1,000 + n is linear, and its power between 1 and 100 is near 0. It is
// what a reader compares first, so it is shown beside the order.
//
// Sources   documented  Burnham and Anderson, Model Selection and Multimodel Inference, 2002: beyond 4 of the best
//                       criterion, a model has considerably less support

import Foundation

/// The growth of a cost.
struct GrowthFit: Equatable {
    /// The slowest order that describes the points.
    let curve: GrowthCurve
    /// The curve of each order, from the slowest.
    let curves: [GrowthCurve]
    /// Nil with fewer than three points of some work.
    let power: GrowthPower?
    /// Whether the points scatter so much, around each curve, that no order can be told from another.
    let isHidden: Bool

    /// The least number of points that can tell one order from another.
    static let leastPoints = 5
    /// A difference of criteria that is no clear evidence.
    private static let support = 4.0
    /// The margin of a power above which scatter hides the order: costs of 1 and of 100 could be four times apart.
    private static let marginLimit = 0.3

    /// - Parameters:
    ///   - points: Points without a positive cost are left out.
    ///   - tolerance: The distance from a curve that does not matter, as a share of the cost.
    /// - Returns: Nil with fewer than five points.
    init?(_ points: [GrowthPoint], tolerance: Double) {
        let points = points.filter { $0.n.isFinite && $0.n >= 0 && $0.cost.isFinite && $0.cost > 0 }
        guard Set(points.map(\.n)).count >= Self.leastPoints else { return nil }
        curves = GrowthOrder.allCases.map { GrowthCurve($0, to: points) }
        let best = curves.map(\.criterion).min() ?? 0
        let found = curves.first { curve in
            curve.residual <= log(1 + tolerance) || curve.criterion <= best + Self.support
        }
        curve = found ?? curves[0]
        power = GrowthPower(points)
        let scatter = curves.map(\.residual).min() ?? 0
        isHidden = GrowthPower.margin(of: scatter, around: points) > Self.marginLimit
    }

    subscript(order: GrowthOrder) -> GrowthCurve { curves[order.rawValue] }
}

/// The power p of a cost that grows as nᵖ, by least squares on logarithms.
struct GrowthPower: Equatable {
    let value: Double
    /// The ends of the interval of 95 %, by Student's t.
    let low: Double
    let high: Double

    /// - Returns: Nil with fewer than three points of some work.
    init?(_ points: [GrowthPoint]) {
        let points = points.filter { $0.n > 0 && $0.cost > 0 }
        guard Set(points.map(\.n)).count >= 3 else { return nil }
        let count = Double(points.count)
        let (xs, ys) = (points.map { log($0.n) }, points.map { log($0.cost) })
        let (meanX, meanY) = (xs.reduce(0, +) / count, ys.reduce(0, +) / count)
        let slope = zip(xs, ys).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) } / Self.spread(xs)
        let squares = zip(xs, ys).reduce(0) { sum, point in
            let distance = point.1 - meanY - slope * (point.0 - meanX)
            return sum + distance * distance
        }
        let margin = Self.margin(of: (squares / count).squareRoot(), around: points)
        (value, low, high) = (slope, slope - margin, slope + margin)
    }

    /// The margin of a power at 95 %, if logarithms of costs have this root mean square around their curve. Infinite
    /// with fewer than three points of some work.
    static func margin(of scatter: Double, around points: [GrowthPoint]) -> Double {
        let xs = points.filter { $0.n > 0 }.map { log($0.n) }
        let freedom = xs.count - 2
        guard freedom > 0, spread(xs) > 0 else { return .infinity }
        let variance = scatter * scatter * Double(xs.count) / Double(freedom)
        return quantile(freedom) * (variance / spread(xs)).squareRoot()
    }

    private static func spread(_ xs: [Double]) -> Double {
        let mean = xs.reduce(0, +) / Double(xs.count)
        return xs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }

    /// The quantile 0.975 of Student's t, to one percent.
    static func quantile(_ freedom: Int) -> Double {
        let table = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]
        if freedom <= table.count { return table[max(1, freedom) - 1] }
        return 1.96 + 2.6 / Double(freedom)
    }
}
