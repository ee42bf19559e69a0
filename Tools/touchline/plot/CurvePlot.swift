// CurvePlot.swift: lines over a scale as inline SVG: latencies by percentile, figures against a load.
//
// The lines are in an inner drawing that is stretched to the screen; lines keep their width. Text and marks, which would
// be stretched too, are outside of it.
//
// Knows     numbers and names. PlotStyle.swift has the colors of the series.

/// A plot of several lines.
struct CurvePlot {
    struct Point: Equatable {
        var x: Double
        var y: Double
    }

    /// A measured point, with the least and the greatest of its values.
    struct Mark: Equatable {
        var x: Double
        var y: Double
        var low: Double
        var high: Double
    }

    struct Curve: Equatable {
        var name: String
        /// The points of a line.
        var points: [Point]
        /// Measured points, each by itself.
        var marks: [Mark] = []
    }

    /// The lines and labels of the horizontal axis.
    enum Axis: Equatable {
        /// x is a percentile, 0..<1, on a scale on which each further nine has the same width.
        case percentiles
        /// x is a number on a logarithmic scale, with its unit. Zero has a place of its own before the scale.
        case logarithmic(unit: String)
        /// x is a number on a scale from zero, with its unit.
        case linear(unit: String)
    }

    /// The scale of y.
    enum Vertical: Equatable {
        /// Close around positive values. A point with another value is left out.
        case logarithmic
        /// From zero.
        case linear
    }

    var title: String
    var axis: Axis
    var vertical = Vertical.logarithmic
    /// The unit of y.
    var unit: String
    var curves: [Curve]

    /// The number of colors of the page.
    static let colors = 8
    /// The numbers of labels that have room beside each other.
    private static let (rowLimit, columnLimit) = (14, 7)
    private static let (top, height, axisHeight, size) = (18.0, 260.0, 22.0, 1000.0)

    /// The height of the SVG element.
    static let fullHeight = top + height + axisHeight

    /// The curves with a point that can be shown.
    private var shownCurves: [Curve] {
        curves.map { curve in
            Curve(
                name: curve.name, points: curve.points.filter(isPlaceable),
                marks: curve.marks.filter { isPlaceable(Point(x: $0.x, y: $0.y)) })
        }.filter { !$0.points.isEmpty || !$0.marks.isEmpty }
    }

    /// The names of its curves in their order.
    var shownNames: [String] { shownCurves.map(\.name) }

    /// The SVG element with a legend; empty without a point that can be shown.
    var html: String {
        let shown = shownCurves
        guard !shown.isEmpty else { return "" }
        let legend = shown.enumerated().map { index, curve in
            "<li class=\"c\(index % Self.colors)\"><span></span>\(Markup.text(curve.name))</li>"
        }
        return ([svg, "<ul class=\"legend\">"] + legend + ["</ul>"]).joined(separator: "\n")
    }

    /// The SVG element; empty without a point that can be shown.
    var svg: String {
        let shown = shownCurves
        guard !shown.isEmpty else { return "" }
        let points = shown.flatMap { $0.points + $0.marks.map { Point(x: $0.x, y: $0.y) } }
        let ends = shown.flatMap(\.marks).flatMap { [$0.low, $0.high] }.filter { $0.isFinite && $0 > 0 }
        let vertical =
            switch vertical {
            case .logarithmic: PlotScale.logarithmicClose(points.map(\.y) + ends).thinned(to: Self.rowLimit)
            case .linear: PlotScale.linear(to: (points.map(\.y) + ends).max() ?? 1)
            }
        let horizontal = Horizontal(axis, points.map(\.x))
        var parts = [
            "<svg class=\"plot\" role=\"img\" width=\"100%\" "
                + "height=\"\(Markup.number(Self.fullHeight))\">",
            "<title>\(Markup.text(title))</title>",
        ]
        parts += grid(vertical, horizontal)
        parts.append(
            "<svg x=\"0\" y=\"\(Markup.number(Self.top))\" width=\"100%\" height=\"\(Markup.number(Self.height))\" "
                + "viewBox=\"0 0 1000 1000\" preserveAspectRatio=\"none\" overflow=\"visible\">")
        for (index, curve) in shown.enumerated() where !curve.points.isEmpty {
            let path = curve.points.map { point in
                Markup.number(horizontal.share(point.x) * Self.size) + ","
                    + Markup.number((1 - vertical.share(point.y)) * Self.size)
            }.joined(separator: " ")
            parts.append(
                "<polyline class=\"curve c\(index % Self.colors)\" points=\"\(path)\">"
                    + "<title>\(Markup.text(curve.name))</title></polyline>")
        }
        parts.append("</svg>")
        for (index, curve) in shown.enumerated() {
            parts += curve.marks.flatMap { draw($0, of: curve.name, index % Self.colors, vertical, horizontal) }
        }
        return (parts + labels(vertical, horizontal) + ["</svg>"]).joined(separator: "\n")
    }

    private func isPlaceable(_ point: Point) -> Bool {
        guard point.x.isFinite, point.y.isFinite, point.y > 0 || vertical == .linear && point.y == 0 else {
            return false
        }
        return switch axis {
        case .percentiles: (0..<1).contains(point.x)
        case .logarithmic, .linear: point.x >= 0
        }
    }

    /// A mark, and a line from its least to its greatest value.
    private func draw(
        _ mark: Mark, of name: String, _ color: Int, _ vertical: PlotScale, _ horizontal: Horizontal
    ) -> [String] {
        let x = Markup.percent(horizontal.share(mark.x))
        func y(_ value: Double) -> String { Markup.number(place(of: value, on: vertical)) }
        var tip = "\(name): \(Markup.figure(mark.y, unit)) at \(Markup.short(mark.x))"
        var parts = ["<g class=\"mark c\(color)\">"]
        if mark.low < mark.high {
            tip += " (\(Markup.figure(mark.low, unit)) – \(Markup.figure(mark.high, unit)))"
            parts.append("<line x1=\"\(x)\" y1=\"\(y(mark.low))\" x2=\"\(x)\" y2=\"\(y(mark.high))\"/>")
        }
        parts.insert("<title>\(Markup.text(tip))</title>", at: 1)
        return parts + ["<circle cx=\"\(x)\" cy=\"\(y(mark.y))\" r=\"4\"/>", "</g>"]
    }

    private func grid(_ vertical: PlotScale, _ horizontal: Horizontal) -> [String] {
        let rows = vertical.ticks.map { tick in
            let y = Markup.number(place(of: tick, on: vertical))
            return "<line class=\"grid\" x1=\"0\" y1=\"\(y)\" x2=\"100%\" y2=\"\(y)\"/>"
        }
        let columns = horizontal.ticks.map { tick in
            let x = Markup.percent(horizontal.share(tick.value))
            return "<line class=\"grid\" x1=\"\(x)\" y1=\"\(Markup.number(Self.top))\" x2=\"\(x)\" "
                + "y2=\"\(Markup.number(Self.top + Self.height))\"/>"
        }
        return rows + columns
    }

    /// The labels of both axes, which stand above the curves.
    private func labels(_ vertical: PlotScale, _ horizontal: Horizontal) -> [String] {
        let rows = vertical.ticks.map { tick in
            let y = Markup.number(place(of: tick, on: vertical) - 3)
            return "<text class=\"tick\" x=\"0\" y=\"\(y)\">\(Markup.text(Markup.tick(tick, unit)))</text>"
        }
        let columns = horizontal.ticks.enumerated().map { index, tick in
            let share = horizontal.share(tick.value)
            let anchor = index == 0 && share < 0.05 ? "start" : share > 0.95 ? "end" : "middle"
            return "<text class=\"tick\" x=\"\(Markup.percent(share))\" "
                + "y=\"\(Markup.number(Self.top + Self.height + 15))\" text-anchor=\"\(anchor)\">"
                + "\(Markup.text(tick.label))</text>"
        }
        return rows + columns
    }

    /// The distance of a value from the top, in pixels.
    private func place(of value: Double, on scale: PlotScale) -> Double {
        Self.top + (1 - scale.share(value)) * Self.height
    }

    /// The places of x and the labels of its axis.
    private struct Horizontal {
        let axis: Axis
        let scale: PlotScale
        let ticks: [(value: Double, label: String)]
        /// The shares of the width at which a logarithmic scale begins and ends.
        private let start: Double
        private let end: Double
        /// The place of zero on a logarithmic axis, beside the labels of the rows.
        private static let zero = 0.13

        init(_ axis: Axis, _ values: [Double]) {
            self.axis = axis
            switch axis {
            case .percentiles:
                // 0.99 is not exactly two nines.
                let nines = max(1, ((values.map(Self.nines).max() ?? 1) - 1e-6).rounded(.up))
                scale = PlotScale(low: 0, high: nines, isLogarithmic: false, ticks: [])
                (start, end) = (0, 1)
                let labels = ["0", "50", "90", "99", "99.9", "99.99", "99.999", "99.9999", "99.99999"]
                // On a long scale 50 has no room beside 0.
                let all: [(value: Double, label: String)] = labels.map { ((Double($0) ?? 0) / 100, $0) }
                ticks = all.filter { percentile, label in
                    Self.nines(percentile) <= nines + 0.001 && (label != "50" || nines <= 2)
                }
            case .logarithmic(let unit):
                let positive = PlotScale.logarithmicClose(values).thinned(to: CurvePlot.columnLimit)
                scale = positive
                let zeros = values.contains(0) ? [0.0] : []
                ticks = (zeros + positive.ticks).map { ($0, Markup.tick($0, unit)) }
                // Marks at the ends have room beside the labels and before the edge.
                (start, end) = (zeros.isEmpty ? Self.zero : Self.zero + 0.08, 0.98)
            case .linear(let unit):
                scale = .linear(to: values.max() ?? 1)
                (start, end) = (0, 1)
                ticks = scale.ticks.map { ($0, Markup.tick($0, unit)) }
            }
        }

        func share(_ value: Double) -> Double {
            switch axis {
            case .percentiles: scale.share(Self.nines(value))
            case .logarithmic: value > 0 ? start + (end - start) * scale.share(value) : Self.zero
            case .linear: scale.share(value)
            }
        }

        /// 1 for 0.9, 2 for 0.99.
        private static func nines(_ percentile: Double) -> Double { -(1 - min(percentile, 1 - 1e-9)).log10 }
    }
}
