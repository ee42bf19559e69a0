// ReportPlot.swift: a plot of the page of `bench all`, which is also an SVG file of its own, for documents.
//
// Input     ReportPage: curves and bars
// Output    elements for the page, pictures for ReportFolder
// Knows     no files, no clock

/// A plot of the page.
struct ReportPlot {
    let title: String
    /// The element in the page; empty without a number that can be shown.
    let html: String
    private let panel: PlotPicture.Panel

    init(_ title: String, _ plot: CurvePlot) {
        (self.title, html) = (title, plot.html)
        panel = PlotPicture.Panel(
            title: title, element: plot.svg, height: CurvePlot.fullHeight, legend: plot.shownNames)
    }

    init(_ plot: BarPlot) {
        (title, html) = (plot.title, plot.svg)
        panel = PlotPicture.Panel(title: title, element: plot.svg, height: plot.height, legend: [])
    }

    /// The plot as a file of its own: its name without an extension, and its contents.
    func file(of group: String, titled heading: String, _ remark: String) -> (name: String, svg: String) {
        // Letters and digits, with one hyphen for all else between them.
        let words = "\(group) \(title)".lowercased().split { !$0.isLetter && !$0.isNumber }
        return (words.joined(separator: "-"), PlotPicture(title: heading, remark: remark, panels: [panel]).svg)
    }
}

extension ReportPage {
    /// Each plot as a file of its own: `latency-closed-loop-median-by-hop`. Plots without a number are left out.
    var plotFiles: [(name: String, svg: String)] {
        let remark = facts.map(\.value).joined(separator: ", ")
        let ratios = ratioPlot.map { [(group: "all", heading: title, plot: $0)] } ?? []
        let others = sections.flatMap { section in
            Self.plots(of: section).map { (group: section.id, heading: section.title, plot: $0) }
        }
        return (ratios + others).filter { !$0.plot.html.isEmpty }
            .map { $0.plot.file(of: $0.group, titled: $0.heading, remark) }
    }
}
