// PlotPicture.swift: plots one below the other as an SVG file of its own.
//
//    title
//    panel: name, plot, legend
//    panel …
//
// Input     LatencyPlot, RecordingPlot
// Output    `touchline plot`
// Knows     sizes. CurvePlot and TrackPlot draw.

/// A picture of several plots.
struct PlotPicture {
    struct Panel {
        var title: String
        /// An SVG element of this height that fills its width.
        var element: String
        var height: Double
        /// The names of its curves in their order.
        var legend: [String]
    }

    var title: String
    /// A line below the title.
    var remark: String
    var panels: [Panel]

    private static let (width, margin, head, titleHeight, legendHeight, gap) = (960.0, 24.0, 64.0, 24.0, 20.0, 20.0)
    /// The number of names in one row of a legend, and of all.
    private static let (namesInRow, nameLimit) = (5, 20)

    /// The whole file.
    var svg: String {
        var y = Self.head
        var parts: [String] = []
        for panel in panels {
            parts.append(Self.text(Self.margin, y + 14, Markup.text(panel.title), "heading"))
            y += Self.titleHeight
            parts.append(
                "<svg x=\"\(Markup.number(Self.margin))\" y=\"\(Markup.number(y))\" "
                    + "width=\"\(Markup.number(Self.width - 2 * Self.margin))\" "
                    + "height=\"\(Markup.number(panel.height))\" overflow=\"visible\">")
            parts += [panel.element, "</svg>"]
            y += panel.height + 8
            let names = Array(panel.legend.prefix(Self.nameLimit))
            for (index, name) in names.enumerated() {
                let column = (Self.width - 2 * Self.margin) / Double(Self.namesInRow)
                let x = Self.margin + Double(index % Self.namesInRow) * column
                let line = y + Double(index / Self.namesInRow) * Self.legendHeight + 8
                let (from, to, at) = (Markup.number(x), Markup.number(x + 22), Markup.number(line))
                parts.append(
                    "<line class=\"curve c\(index % CurvePlot.colors)\" x1=\"\(from)\" y1=\"\(at)\" x2=\"\(to)\" y2=\"\(at)\"/>"
                )
                parts.append(Self.text(x + 28, line + 4, Markup.text(name), "name"))
            }
            let rows = (names.count + Self.namesInRow - 1) / Self.namesInRow
            y += Double(rows) * Self.legendHeight
            if panel.legend.count > names.count {
                parts.append(
                    Self.text(Self.margin, y + 12, "and \(panel.legend.count - names.count) more", "remark"))
                y += Self.legendHeight
            }
            y += Self.gap
        }
        let (width, height) = (Markup.number(Self.width), Markup.number(y))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" \
            font-family="system-ui, sans-serif">
            <title>\(Markup.text(title))</title>
            <style>
            \(PlotStyle.plainRules)
            .title { font-size: 20px; } .heading { font-size: 14px; font-weight: 600; } .name { font-size: 12px; }
            .remark { font-size: 12px; fill: #5a6069; }
            </style>
            <rect width="100%" height="100%" fill="#f6f7f9"/>
            \(Self.text(Self.margin, 32, Markup.text(title), "title"))
            \(Self.text(Self.margin, 52, Markup.text(remark), "remark"))
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private static func text(_ x: Double, _ y: Double, _ escaped: String, _ name: String) -> String {
        "<text class=\"\(name)\" x=\"\(Markup.number(x))\" y=\"\(Markup.number(y))\">\(escaped)</text>"
    }
}
