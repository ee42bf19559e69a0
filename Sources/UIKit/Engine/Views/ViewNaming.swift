// ViewNaming.swift: the names of a view in code and in traces.
//
// Input     UIView.accessibilityIdentifier; a scene, which may give the view another class name
// Output    UIView.traceLabel; ViewTree+Application.swift, which numbers views

struct ViewNaming {
    var identifier: String? {
        didSet { cachedLabel = nil }
    }
    /// The class that a trace names; nil until the first trace, unless a scene has set it.
    var className: String?
    /// The label in the last trace; nil after the identifier has changed.
    var cachedLabel: String?
    /// The view's number in trees of views: unique in its application, from 1 on; 0 before the first tree.
    var identity: Int64 = 0
}
