// ViewNaming.swift: by which words code and traces know a view.
//
// Input     UIView.accessibilityIdentifier; a scene, which may call its class otherwise
// Output    UIView.traceLabel

struct ViewNaming {
    var identifier: String? {
        didSet { knownLabel = nil }
    }
    /// The class that a trace names; nil until the first trace, unless a scene has set it.
    var className: String?
    /// The label as a trace last wrote it; nil after the identifier has changed.
    var knownLabel: String?
}
