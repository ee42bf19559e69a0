// BarPlot.swift: figures as horizontal bars with their spread, as inline SVG.
//
// Widths are percentages and heights are pixels, so a plot fits any screen and its text keeps its size.
// Values of very different size are points on a logarithmic scale: a bar would have no zero to begin at.
//
// Knows     numbers and names. PlotStyle.swift has the colors.

/// A plot of one bar for each row.
struct BarPlot {
    struct Row: Equatable {
        var name: String
        /// The values of the repetitions.
        var values: [Double]
    }

    var title: String
    var unit: String
    var rows: [Row]
    /// A value with a line across all rows: 1 for ratios.
    var reference: Double?

    private static let (rowHeight, axisHeight) = (38.0, 22.0)
    /// The ratio of the greatest to the least median from which the scale is logarithmic.
    private static let logarithmicFrom = 30.0

    /// The rows that have a number.
    private var shownRows: [Row] {
        rows.map { Row(name: $0.name, values: $0.values.filter(\.isFinite)) }.filter { !$0.values.isEmpty }
    }

    /// The height of the SVG element.
    var height: Double { Double(shownRows.count) * Self.rowHeight + Self.axisHeight }

    /// The SVG element; empty without a row that has a number.
    var svg: String {
        let shown = shownRows
        guard !shown.isEmpty else { return "" }
        let values = shown.flatMap(\.values) + [reference].compactMap(\.self)
        let medians = shown.map { median($0.values) }
        let isWide = medians.allSatisfy { $0 > 0 } && (medians.max() ?? 1) > Self.logarithmicFrom * (medians.min() ?? 1)
        let scale = isWide ? PlotScale.logarithmic(values) : .linear(to: values.max() ?? 1)
        let bottom = Double(shown.count) * Self.rowHeight
        var parts = [
            "<svg class=\"plot\" role=\"img\" width=\"100%\" height=\"\(Markup.number(height))\">",
            "<title>\(Markup.text(title))</title>",
        ]
        parts += Self.axis(scale, bottom, unit)
        for (index, row) in shown.enumerated() {
            parts += Self.draw(row, at: Double(index) * Self.rowHeight, scale, unit)
        }
        if let reference {
            let x = Markup.percent(scale.share(reference))
            parts.append("<line class=\"reference\" x1=\"\(x)\" y1=\"0\" x2=\"\(x)\" y2=\"\(Markup.number(bottom))\"/>")
        }
        return (parts + ["</svg>"]).joined(separator: "\n")
    }

    private static func axis(_ scale: PlotScale, _ bottom: Double, _ unit: String) -> [String] {
        // Every second label if there are many, because a narrow screen has room for about five.
        let every = scale.ticks.count > 6 ? 2 : 1
        return scale.ticks.enumerated().flatMap { index, tick in
            let x = Markup.percent(scale.share(tick))
            let line = "<line class=\"grid\" x1=\"\(x)\" y1=\"0\" x2=\"\(x)\" y2=\"\(Markup.number(bottom))\"/>"
            guard index % every == 0 else { return [line] }
            let isLast = scale.share(tick) > 0.95
            let anchor = index == 0 ? "start" : isLast ? "end" : "middle"
            let label = Markup.text(Markup.tick(tick, unit))
            return [
                line,
                "<text class=\"tick\" x=\"\(x)\" y=\"\(Markup.number(bottom + 15))\" text-anchor=\"\(anchor)\">\(label)</text>",
            ]
        }
    }

    private static func draw(_ row: Row, at y: Double, _ scale: PlotScale, _ unit: String) -> [String] {
        let middle = median(row.values)
        let (low, high) = (row.values.min() ?? middle, row.values.max() ?? middle)
        func x(_ value: Double) -> String { Markup.percent(scale.share(value)) }
        func at(_ offset: Double) -> String { Markup.number(y + offset) }
        var spread = ""
        if high > low { spread = " (\(Markup.figure(low, unit)) – \(Markup.figure(high, unit)))" }
        let tip = "\(row.name): \(Markup.figure(middle, unit))\(spread), \(row.values.count) values"
        var parts = [
            "<g><title>\(Markup.text(tip))</title>",
            "<text class=\"name\" x=\"0\" y=\"\(at(15))\">\(Markup.text(row.name))</text>",
            "<text class=\"value\" x=\"100%\" y=\"\(at(15))\" text-anchor=\"end\">\(Markup.text(Markup.figure(middle, unit)))</text>",
        ]
        if scale.isLogarithmic {
            parts.append("<circle class=\"point\" cx=\"\(x(middle))\" cy=\"\(at(27))\" r=\"5\"/>")
        } else {
            parts.append("<rect class=\"bar\" x=\"0\" y=\"\(at(21))\" width=\"\(x(middle))\" height=\"12\" rx=\"2\"/>")
        }
        if high > low {
            parts.append(
                "<line class=\"spread\" x1=\"\(x(low))\" y1=\"\(at(27))\" x2=\"\(x(high))\" y2=\"\(at(27))\"/>")
            for end in [low, high] {
                parts.append(
                    "<line class=\"spread\" x1=\"\(x(end))\" y1=\"\(at(23))\" x2=\"\(x(end))\" y2=\"\(at(31))\"/>")
            }
        }
        return parts + ["</g>"]
    }
}
