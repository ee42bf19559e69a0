// UILabel.swift: a view for text, which is not drawn.
public import Foundation

/// A view for text. Touches reach the view behind it, unless `isUserInteractionEnabled` is set.
open class UILabel: UIView {
    open var text: String?
    open var textColor: UIColor! = .black
    open var numberOfLines = 1

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    public required init?(coder: NSCoder) { nil }
}
