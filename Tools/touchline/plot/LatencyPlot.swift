// LatencyPlot.swift: the latency of a run as a picture: each hop and the whole way, by percentile.
//
// Input     HopLatencies
// Output    `touchline plot RUN`
// Knows     the names of hops. CurvePlot draws.

import Basics
import Histogram

/// The picture of one run's latencies.
struct LatencyPlot {
    private let latencies: HopLatencies

    init(_ latencies: HopLatencies) { self.latencies = latencies }

    /// Whether a hop took any time. A simulated run has hops without time, and a logarithmic scale has no place for them.
    var isEmpty: Bool { latencies.whole.maximum == 0 }

    func picture(of run: String) -> PlotPicture {
        let series =
            [(HopLatencies.wholeHop.name, latencies.whole)]
            + zip(HopLatencies.hops.map(\.name), latencies.perHop).map { ($0, $1) }
        let curves = series.map { name, latencies in
            var distribution = ""
            latencies.histogram.outputPercentileDistribution(
                to: &distribution, outputValueUnitScalingRatio: 1000, percentileTicksPerHalfDistance: 5)
            let curve = PercentileCurve(name: name, distribution: distribution)
            return CurvePlot.Curve(
                name: name, points: curve.steps.map { CurvePlot.Point(x: $0.percentile, y: $0.value) })
        }
        let plot = CurvePlot(title: "latency", axis: .percentiles, unit: "us", curves: curves)
        let whole = latencies.whole
        let values = [50.0, 99].map { "p\(fixedText($0, digits: 0)) \(Markup.figure(whole.microseconds($0), "us"))" }
        return PlotPicture(
            title: run,
            remark: "\(whole.count) scans, device to app: \(values.joined(separator: ", ")), "
                + "max \(Markup.figure(Double(whole.maximum) / 1000, "us"))",
            panels: [
                PlotPicture.Panel(
                    title: "Latency by percentile", element: plot.svg, height: CurvePlot.fullHeight,
                    legend: curves.filter { !$0.points.isEmpty }.map(\.name))
            ])
    }
}
