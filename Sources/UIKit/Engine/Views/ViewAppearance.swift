// ViewAppearance.swift: what a screen would show of a view.
//
// Nothing is drawn here, and no touch depends on it. (B3.4)

struct ViewAppearance {
    var backgroundColor: UIColor?
    var isOpaque = true
    var clipsToBounds = false
}
