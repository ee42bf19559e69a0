// ViewNaming.swift: the names of a view in code and in traces.
//
// Input     UIView.accessibilityIdentifier; a scene, which may give the view another class name
// Output    UIView.traceLabel; ViewTree+Application.swift, which numbers views

import Trace

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

extension UIView {
    /// The name of the class in traces. A scenario sets the name of the class that a view represents.
    package final var traceClass: String {
        get {
            if let known = naming.className { return known }
            let name = "\(type(of: self))"
            naming.className = name
            return name
        }
        set { naming.className = newValue }
    }

    /// The number of the view's name in the application's trace.
    final func traceNameID(in application: UIApplication) -> Int64 {
        let label = naming.cachedLabel ?? traceLabel
        naming.cachedLabel = label
        return application.trace.intern(label)
    }
}
