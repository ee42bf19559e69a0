// PlotStyle.swift: the colors and rules of plots, for a page and for a picture of its own.
//
// Output    ReportPage (rules with the page's variables), PlotPicture (rules with plain colors, because many programs that
//           show SVG know no variables)

/// The rules of the classes that plots use.
enum PlotStyle {
    /// A palette for color-blind readers (Okabe and Ito) on white, and the colors of texts and lines, by variable.
    static let light = [
        ("text", "#1a1c20"), ("soft", "#5a6069"), ("line", "#d5d9df"), ("panel", "#f6f7f9"), ("bar", "#56a0d3"),
        ("mark", "#c2410c"), ("c0", "#0072b2"), ("c1", "#d55e00"), ("c2", "#009e73"), ("c3", "#b3568b"),
        ("c4", "#b07d00"), ("c5", "#3c9fd6"), ("c6", "#444"), ("c7", "#8a8a8a"),
    ]

    /// The rules, with variables for colors.
    static let rules = """
        .plot { display: block; overflow: visible; }
        .plot text { fill: var(--text); font-size: 13px; }
        .plot .tick { fill: var(--soft); font-size: 11px; paint-order: stroke; stroke: var(--panel); stroke-width: 3px; }
        .plot .value { font-variant-numeric: tabular-nums; }
        .grid { stroke: var(--line); stroke-width: 1; }
        .bar, .point { fill: var(--bar); }
        .spread { stroke: var(--text); stroke-width: 1.5; }
        .reference { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 4 3; }
        .curve { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
        .mark circle { fill: var(--panel); stroke-width: 2; stroke-dasharray: none; }
        .mark line { stroke-width: 1; stroke-dasharray: none; }
        .c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); stroke-dasharray: 7 3; } .c2 { stroke: var(--c2); }
        .c3 { stroke: var(--c3); stroke-dasharray: 3 3; } .c4 { stroke: var(--c4); }
        .c5 { stroke: var(--c5); stroke-dasharray: 9 3 2 3; } .c6 { stroke: var(--c6); } .c7 { stroke: var(--c7); }
        """

    /// The rules with the colors of `light`.
    static var plainRules: String {
        light.reduce(rules) { $0.replacing("var(--\($1.0))", with: $1.1) }
    }
}
