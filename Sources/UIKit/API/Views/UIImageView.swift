// UIImageView.swift: a view for an image, which is not drawn.
public import Foundation

/// A view for an image. Touches reach the view behind it, unless `isUserInteractionEnabled` is set.
open class UIImageView: UIView {
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    public required init?(coder: NSCoder) { nil }

    /// Has no effect on touches.
    open var isHighlighted = false
}
