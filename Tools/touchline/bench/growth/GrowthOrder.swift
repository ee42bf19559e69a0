// GrowthOrder.swift: how a cost can grow with the amount of work, as curves that are fitted to measured points.
//
//     points ─▶ cost = base + slope · f(n), for each order f ─▶ GrowthFit compares the orders
//
// Costs spread over decades, and noise is a share of a cost, not an amount. So residuals are logarithms of ratios:
// measured cost divided by the curve. Base and slope are at least zero, because no work has a negative cost.
//
// Sources   documented  Hurvich and Tsai, Regression and Time Series Model Selection in Small Samples, 1989

import Foundation

/// A measured cost.
struct GrowthPoint: Equatable, Codable {
    /// The amount of work: apps, views, scans per second. At least 0.
    var n: Double
    var cost: Double
}

/// An order of growth, from the slowest to the fastest.
enum GrowthOrder: Int, CaseIterable, Comparable {
    case constant, logarithmic, linear, linearithmic, quadratic

    static func < (a: GrowthOrder, b: GrowthOrder) -> Bool { a.rawValue < b.rawValue }

    var name: String {
        switch self {
        case .constant: "constant"
        case .logarithmic: "log n"
        case .linear: "n"
        case .linearithmic: "n log n"
        case .quadratic: "n²"
        }
    }

    /// The part of the cost that grows; 0 for no work. The logarithm is that of n + 1, so that n may be 0.
    func growth(at n: Double) -> Double {
        switch self {
        case .constant: 0
        case .logarithmic: log2(1 + n)
        case .linear: n
        case .linearithmic: n * log2(1 + n)
        case .quadratic: n * n
        }
    }
}

/// The curve of one order that is nearest to some points.
struct GrowthCurve: Equatable {
    let order: GrowthOrder
    /// The cost of no work, and the cost of a unit of growth. Both are at least 0.
    let base: Double
    let slope: Double
    /// The root mean square of the logarithms of measured costs divided by the curve.
    let residual: Double
    /// Akaike's information criterion, corrected for small samples: less is better. It weighs the residual against the
    /// number of parameters. Infinite if there are too few points for them.
    let criterion: Double

    /// A residual that is as good as none. Without it, points exactly on a curve would have an infinite likelihood.
    private static let leastResidual = 1e-4

    /// Fits the curve by least squares.
    ///
    /// - Parameter points: Positive costs; at least one.
    init(_ order: GrowthOrder, to points: [GrowthPoint]) {
        self.order = order
        let growths = points.map { order.growth(at: $0.n) }
        let mean = growths.reduce(0, +) / Double(max(1, growths.count))
        let logs = points.map { log($0.cost) }
        // cost = scale · (1 - share + share · growth / mean): the best scale follows from the share.
        func fit(_ share: Double) -> (scale: Double, squares: Double) {
            let shapes = growths.map { log(1 - share + (mean > 0 ? share * $0 / mean : share)) }
            let scale = zip(logs, shapes).reduce(0) { $0 + $1.0 - $1.1 } / Double(max(1, logs.count))
            let squares = zip(logs, shapes).reduce(0) { sum, pair in
                let distance = pair.0 - pair.1 - scale
                return sum + distance * distance
            }
            return (scale, squares.isFinite ? squares : .infinity)
        }
        let share = order == .constant || mean <= 0 ? 0 : Self.bestShare { fit($0).squares }
        let best = fit(share)
        base = exp(best.scale) * (1 - share)
        slope = mean > 0 ? exp(best.scale) * share / mean : 0
        let count = Double(points.count)
        residual = (best.squares / max(1, count)).squareRoot()
        // The variance is a parameter too.
        let parameters = order == .constant ? 2.0 : 3.0
        let spare = count - parameters - 1
        criterion =
            spare > 0
            ? 2 * count * log(max(residual, Self.leastResidual)) + 2 * parameters + 2 * parameters * (parameters + 1)
                / spare : .infinity
    }

    func cost(at n: Double) -> Double { base + slope * order.growth(at: n) }

    /// Finds the share, 0...1, with the least sum of squares.
    ///
    /// Both parts of a curve can matter although one is 10⁹ times the other, so the search is over the logarithm of
    /// their ratio: on a grid, because there may be several minima, and then between the neighbors of the best.
    private static func bestShare(_ squares: (Double) -> Double) -> Double {
        func share(_ ratio: Double) -> Double { 1 / (1 + exp(-ratio)) }
        let (limit, step) = (30.0, 0.5)
        let grid = stride(from: -limit, through: limit, by: step).map { (ratio: $0, squares: squares(share($0))) }
        let best = grid.min { $0.squares < $1.squares }?.ratio ?? -limit
        var (low, high) = (best - step, best + step)
        for _ in 0..<60 {
            let third = (high - low) / 3
            if squares(share(low + third)) <= squares(share(high - third)) { high -= third } else { low += third }
        }
        // Nothing grows: the constant is exact, and a tiny share is not.
        let found = share((low + high) / 2)
        return squares(0) <= squares(found) ? 0 : found
    }
}
