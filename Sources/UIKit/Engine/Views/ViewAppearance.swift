// ViewAppearance.swift: properties of a view that only a screen would show, and flags of one byte.
//
// Nothing is drawn here, and no touch depends on these properties. (B3.4)

struct ViewAppearance {
    var backgroundColor: UIColor?
    var isOpaque = true
    var clipsToBounds = false
    var autoresizesSubviews = true
    /// The bits of `UIView.AutoresizingMask`.
    var autoresizing: UInt8 = 0
    /// Whether the view waits for `draw(_:)`.
    var needsDisplay = false
}
