public import Foundation

/// A picture's place. Touches go through it to what lies behind, unless it is made interactive.
open class UIImageView: UIView {
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    public required init?(coder: NSCoder) { nil }

    /// No meaning for touches.
    open var isHighlighted = false
}
