// UILabel.swift: a view for text, which is not drawn.
//
// Sources   documented  UILabel: names and defaults
//           invented    the size of the text (TextMeasure.swift)
public import Foundation

/// A view for text. Touches reach the view behind it, unless `isUserInteractionEnabled` is set.
open class UILabel: UIView {
    open var text: String? {
        didSet { attributed = nil }
    }
    private final var attributed: NSAttributedString?
    /// The text with its attributes. Setting it sets `text`.
    open var attributedText: NSAttributedString? {
        get { attributed ?? text.map { NSAttributedString(string: $0, attributes: [.font: font!]) } }
        set {
            text = newValue?.string
            attributed = newValue
        }
    }
    open var textColor: UIColor! = .black
    open var font: UIFont! = .systemFont(ofSize: 17)
    open var numberOfLines = 1
    /// No effect here; the same holds for the properties of the text's look that follow.
    open var textAlignment = NSTextAlignment.natural
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail
    open var adjustsFontSizeToFitWidth = false
    open var adjustsFontForContentSizeCategory = false
    open var minimumScaleFactor: CGFloat = 0
    open var allowsDefaultTighteningForTruncation = false
    open var highlightedTextColor: UIColor?
    open var isHighlighted = false
    open var isEnabled = true
    open var shadowColor: UIColor?
    open var shadowOffset = CGSize(width: 0, height: -1)
    /// The width of the lines in `intrinsicContentSize`, in points; 0 for no limit.
    open var preferredMaxLayoutWidth: CGFloat = 0

    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        text = coder.decodeObject(forKey: "text") as? String
        if let color = coder.decodeObject(forKey: "textColor") as? UIColor { textColor = color }
        if let known = coder.decodeObject(forKey: "font") as? UIFont { font = known }
        numberOfLines = coder.decodeInteger(forKey: "numberOfLines")
        textAlignment = NSTextAlignment(rawValue: coder.decodeInteger(forKey: "textAlignment")) ?? .natural
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(text.map { NSString(string: $0) }, forKey: "text")
        coder.encode(textColor, forKey: "textColor")
        coder.encode(font, forKey: "font")
        coder.encode(numberOfLines, forKey: "numberOfLines")
        coder.encode(textAlignment.rawValue, forKey: "textAlignment")
    }

    /// The size of the text on lines of the size's width.
    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        textRect(forBounds: CGRect(origin: .zero, size: size), limitedToNumberOfLines: numberOfLines).size
    }

    open override var intrinsicContentSize: CGSize {
        sizeThatFits(CGSize(width: preferredMaxLayoutWidth, height: .greatestFiniteMagnitude))
    }

    /// The rectangle of the text in the bounds. A width of 0 means no limit.
    open func textRect(forBounds bounds: CGRect, limitedToNumberOfLines numberOfLines: Int) -> CGRect {
        let width = numberOfLines == 1 ? 0 : bounds.width
        let size =
            attributed.map { TextMeasure.size(of: $0, in: width) }
            ?? TextMeasure.size(of: text ?? "", font: font, in: width, lines: numberOfLines)
        return CGRect(origin: bounds.origin, size: size)
    }

    /// No effect: nothing is drawn here.
    open func drawText(in rect: CGRect) {}
}
