// ViewNaming.swift: the names of a view in code and in traces.
//
// Input     UIView.accessibilityIdentifier; a scene, which may give the view another class name
// Output    UIView.traceLabel

struct ViewNaming {
    var identifier: String? {
        didSet { cachedLabel = nil }
    }
    /// The class that a trace names; nil until the first trace, unless a scene has set it.
    var className: String?
    /// The label in the last trace; nil after the identifier has changed.
    var cachedLabel: String?
}
