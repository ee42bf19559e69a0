// UIButton+Images.swift: images and insets of a button. They are kept; the image view has the image and its size.
//
// Sources   documented  UIButton: a state without an image of its own has the normal state's
//           invented    the image is in the middle of the button; a title does not move it

public import Foundation

extension UIButton {
    public func setImage(_ image: UIImage?, for state: UIControl.State) {
        ownLook.setImage(image, for: state)
        showImage()
        setNeedsLayout()
    }
    public func image(for state: UIControl.State) -> UIImage? { look?.image(for: state) }
    public var currentImage: UIImage? { image(for: state) }

    /// No effect here, except on `backgroundImage(for:)`.
    public func setBackgroundImage(_ image: UIImage?, for state: UIControl.State) {
        ownLook.setBackground(image, for: state)
    }
    public func backgroundImage(for state: UIControl.State) -> UIImage? { look?.background(for: state) }
    public var currentBackgroundImage: UIImage? { backgroundImage(for: state) }

    /// Sets the title and its attributes. `title(for:)` does not change.
    public func setAttributedTitle(_ title: NSAttributedString?, for state: UIControl.State) {
        ownLook.setAttributedTitle(title, for: state)
        setNeedsLayout()
    }
    public func attributedTitle(for state: UIControl.State) -> NSAttributedString? {
        look?.attributedTitle(for: state)
    }
    public var currentAttributedTitle: NSAttributedString? { attributedTitle(for: state) }

    /// The view with the current image, made when an image is set or it is first read. Touches on it reach the button.
    public var imageView: UIImageView? {
        if let known = look?.imageView { return known }
        let made = UIImageView(frame: .zero)
        ownLook.imageView = made
        addSubview(made)
        showImage()
        return made
    }

    /// No effect here; the same holds for the other insets.
    public var contentEdgeInsets: UIEdgeInsets {
        get { look?.contentInsets ?? .zero }
        set { ownLook.contentInsets = newValue }
    }
    public var titleEdgeInsets: UIEdgeInsets {
        get { look?.titleInsets ?? .zero }
        set { ownLook.titleInsets = newValue }
    }
    public var imageEdgeInsets: UIEdgeInsets {
        get { look?.imageInsets ?? .zero }
        set { ownLook.imageInsets = newValue }
    }
    /// No effect here; the same holds for the next two properties.
    public var adjustsImageWhenHighlighted: Bool {
        get { look?.adjustsImageWhenHighlighted ?? true }
        set { ownLook.adjustsImageWhenHighlighted = newValue }
    }
    public var adjustsImageWhenDisabled: Bool {
        get { look?.adjustsImageWhenDisabled ?? true }
        set { ownLook.adjustsImageWhenDisabled = newValue }
    }
    public var showsTouchWhenHighlighted: Bool {
        get { look?.showsTouchWhenHighlighted ?? false }
        set { ownLook.showsTouchWhenHighlighted = newValue }
    }

    final var ownLook: ButtonLook {
        if let look { return look }
        let made = ButtonLook()
        look = made
        return made
    }

    /// Shows the current image in the middle of the button.
    final func showImage() {
        guard let look, look.imageView != nil || currentImage != nil, let imageView else { return }
        imageView.image = currentImage
        let size = currentImage?.size ?? .zero
        imageView.frame = CGRect(
            x: bounds.midX - size.width / 2, y: bounds.midY - size.height / 2, width: size.width, height: size.height)
    }
}
