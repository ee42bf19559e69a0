// ButtonLook.swift: images and insets of a button, which few buttons have, in one object.
//
// Input     UIButton's setters

import Foundation

final class ButtonLook {
    private var images: [(state: UIControl.State, image: UIImage)] = []
    private var backgrounds: [(state: UIControl.State, image: UIImage)] = []
    private var attributedTitles: [(state: UIControl.State, title: NSAttributedString)] = []
    var imageView: UIImageView?
    var contentInsets = UIEdgeInsets.zero
    var titleInsets = UIEdgeInsets.zero
    var imageInsets = UIEdgeInsets.zero
    var adjustsImageWhenHighlighted = true
    var adjustsImageWhenDisabled = true
    var showsTouchWhenHighlighted = false

    func setImage(_ image: UIImage?, for state: UIControl.State) {
        images.removeAll { $0.state == state }
        if let image { images.append((state, image)) }
    }
    func setBackground(_ image: UIImage?, for state: UIControl.State) {
        backgrounds.removeAll { $0.state == state }
        if let image { backgrounds.append((state, image)) }
    }
    func setAttributedTitle(_ title: NSAttributedString?, for state: UIControl.State) {
        attributedTitles.removeAll { $0.state == state }
        if let title { attributedTitles.append((state, title)) }
    }

    // A state without a value has the normal state's.

    func image(for state: UIControl.State) -> UIImage? {
        (images.first { $0.state == state } ?? images.first { $0.state == .normal })?.image
    }
    func background(for state: UIControl.State) -> UIImage? {
        (backgrounds.first { $0.state == state } ?? backgrounds.first { $0.state == .normal })?.image
    }
    func attributedTitle(for state: UIControl.State) -> NSAttributedString? {
        (attributedTitles.first { $0.state == state } ?? attributedTitles.first { $0.state == .normal })?.title
    }
}
