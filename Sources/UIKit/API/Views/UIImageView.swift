// UIImageView.swift: a view for an image, which is not drawn.
//
// Sources   documented  UIImageView: a view made with an image is as large as the image
public import Foundation

/// A view for an image. Touches reach the view behind it, unless `isUserInteractionEnabled` is set.
open class UIImageView: UIView {
    public override init(frame: CGRect) {
        super.init(frame: frame)
        isUserInteractionEnabled = false
    }

    /// Makes a view as large as the image.
    public convenience init(image: UIImage?) {
        self.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
    }

    public convenience init(image: UIImage?, highlightedImage: UIImage?) {
        self.init(image: image)
        self.highlightedImage = highlightedImage
    }

    /// Reads a view without its images, because images have no archives here.
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open var image: UIImage?
    open var highlightedImage: UIImage?
    /// Has no effect on touches.
    open var isHighlighted = false
    /// No effect here; the same holds for the properties of animated images.
    open var preferredSymbolConfiguration: UIImage.SymbolConfiguration?
    open var animationImages: [UIImage]?
    open var animationDuration: TimeInterval = 0
    open var animationRepeatCount = 0
    /// Whether images are shown in turn: from `startAnimating` to `stopAnimating`.
    open private(set) var isAnimating = false
    open func startAnimating() { isAnimating = animationImages != nil }
    open func stopAnimating() { isAnimating = false }

    /// The size of the image; without an image, the size of the view.
    open override func sizeThatFits(_ size: CGSize) -> CGSize { image?.size ?? super.sizeThatFits(size) }
    open override var intrinsicContentSize: CGSize { image?.size ?? super.intrinsicContentSize }
}
