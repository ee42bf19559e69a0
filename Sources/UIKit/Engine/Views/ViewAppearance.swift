// ViewAppearance.swift: properties of a view that only a screen would show.
//
// Nothing is drawn here, and no touch depends on these properties. (B3.4)

struct ViewAppearance {
    var backgroundColor: UIColor?
    var isOpaque = true
    var clipsToBounds = false
}
