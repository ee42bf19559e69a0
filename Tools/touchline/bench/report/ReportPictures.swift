// ReportPictures.swift: each plot of the page of `bench all` as an SVG file of its own, for documents.
//
// Input     ReportPage
// Output    names and pictures, for ReportFolder
// Knows     no files, no clock

extension ReportPage {
    /// The plots of all sections, each with a name of its own: `latency-closed-loop-median-by-hop`.
    var pictures: [(name: String, picture: PlotPicture)] {
        sections.flatMap { section in
            Self.plots(of: section).map { plot in
                let picture = PlotPicture(title: plot.title, remark: remark, panels: [plot.panel])
                return (Self.fileName("\(section.id) \(plot.title)"), picture)
            }
        }
    }

    /// Where and when the figures were measured.
    private var remark: String { facts.filter { $0.name != "load before" }.map(\.value).joined(separator: ", ") }

    private static func plots(of section: Section) -> [(title: String, panel: PlotPicture.Panel)] {
        let curves = section.distributions.map(curve) + section.curves.map { ($0.title, $0.plot) }
        let bars = section.curves.isEmpty ? panels(of: section.figures, section.plots) : []
        return curves.map { title, plot in
            let legend = plot.shownNames
            return (
                title, PlotPicture.Panel(title: "", element: plot.svg, height: CurvePlot.fullHeight, legend: legend)
            )
        }
            + bars.map { bar in
                let plot = BarPlot(title: bar.title, unit: bar.unit, rows: bar.rows)
                return (bar.title, PlotPicture.Panel(title: "", element: plot.svg, height: plot.height, legend: []))
            }
    }

    /// Letters and digits, with one hyphen for all else between them.
    private static func fileName(_ title: String) -> String {
        title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
}
