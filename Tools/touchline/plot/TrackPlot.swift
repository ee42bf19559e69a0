// TrackPlot.swift: the ways of contacts over a panel, in the shape of the panel.
//
//    ○────●    a circle where a contact landed, a dot where it was last
//
// Knows     positions and ranges. PlotStyle.swift has the colors.

/// A plot of ways over a panel.
struct TrackPlot {
    struct Track: Equatable {
        var name: String
        var points: [CurvePlot.Point]
    }

    var title: String
    /// The ranges of the panel's axes: y grows downward.
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>
    var tracks: [Track]

    static let height = 380.0

    /// The SVG element.
    var svg: String {
        let (width, height) = (max(1, x.upperBound - x.lowerBound), max(1, y.upperBound - y.lowerBound))
        // The panel fills the height, or the width if it is very wide.
        let scale = min((Self.height - 24) / height, 880 / width)
        func place(_ point: CurvePlot.Point) -> (x: String, y: String) {
            (Markup.number((point.x - x.lowerBound) * scale), Markup.number((point.y - y.lowerBound) * scale))
        }
        let (right, bottom) = (width * scale, height * scale)
        var parts = [
            "<svg class=\"plot\" role=\"img\" width=\"100%\" height=\"\(Markup.number(Self.height))\">",
            "<title>\(Markup.text(title))</title>",
            "<rect class=\"grid\" fill=\"none\" width=\"\(Markup.number(right))\" height=\"\(Markup.number(bottom))\"/>",
        ]
        for (index, track) in tracks.enumerated() {
            guard let first = track.points.first, let last = track.points.last else { continue }
            let color = "c\(index % CurvePlot.colors)"
            let path = track.points.map { place($0) }.map { "\($0.x),\($0.y)" }.joined(separator: " ")
            parts.append(
                "<polyline class=\"curve \(color)\" points=\"\(path)\"><title>\(Markup.text(track.name))</title></polyline>"
            )
            let (begin, end) = (place(first), place(last))
            parts.append("<g class=\"mark \(color)\"><circle cx=\"\(begin.x)\" cy=\"\(begin.y)\" r=\"5\"/></g>")
            parts.append("<g class=\"mark \(color)\"><circle cx=\"\(end.x)\" cy=\"\(end.y)\" r=\"1.5\"/></g>")
        }
        func tick(_ value: Double, _ at: Double, _ line: Double, _ anchor: String) -> String {
            "<text class=\"tick\" x=\"\(Markup.number(at))\" y=\"\(Markup.number(line))\" text-anchor=\"\(anchor)\">"
                + "\(Markup.text(Markup.short(value)))</text>"
        }
        parts += [
            tick(x.lowerBound, 0, bottom + 15, "start"), tick(x.upperBound, right, bottom + 15, "end"),
            tick(y.lowerBound, right + 6, 11, "start"), tick(y.upperBound, right + 6, bottom, "start"),
        ]
        return (parts + ["</svg>"]).joined(separator: "\n")
    }
}
