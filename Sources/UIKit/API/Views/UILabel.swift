public import Foundation

/// Text. Touches go through it to what lies behind, unless it is made interactive.
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
