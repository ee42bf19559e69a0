import UIKit

@objc public enum SwipeDirection: Int { case left, right }

@objc public protocol CardStackDelegate: AnyObject {
    /// Whether the card may leave. Without this method, every card may.
    @objc optional func cardStack(_ stack: CardStackView, mayRemove card: UIView, to direction: SwipeDirection) -> Bool
    @objc optional func cardStack(_ stack: CardStackView, didRemove card: UIView, to direction: SwipeDirection)
    @objc optional func cardStackDidBecomeEmpty(_ stack: CardStackView)
}

extension Notification.Name {
    /// Brings the cards of every stack back.
    public static let cardStackShouldReset = Notification.Name("CardStackShouldReset")
}

/// Cards on top of each other. A finger throws the top card to the left or to the right.
open class CardStackView: UIView {
    @IBOutlet open weak var delegate: CardStackDelegate?
    /// The part of the width after which a card leaves.
    @IBInspectable open var removalDistance: CGFloat = 0.4

    private var cards: [UIView] = []
    private var removed: [UIView] = []
    open var topCard: UIView? { cards.last }

    public override init(frame: CGRect) {
        super.init(frame: frame)
        NotificationCenter.default.addObserver(
            self, selector: #selector(reset), name: .cardStackShouldReset, object: nil)
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { fatalError("not from a storyboard") }

    open func add(_ card: UIView) {
        card.addGestureRecognizer(UIPanGestureRecognizer(target: self, action: #selector(CardStackView.dragged)))
        cards.append(card)
        addSubview(card)
    }

    @objc private func dragged(_ pan: UIPanGestureRecognizer) {
        guard let card = pan.view, card === topCard else { return }
        let translation = pan.translation(in: self)
        switch pan.state {
        case .changed:
            card.transform = CGAffineTransform(translationX: translation.x, y: 0)
        case .ended:
            let direction: SwipeDirection = translation.x < 0 ? .left : .right
            let isFar = abs(translation.x) > removalDistance * bounds.width
            if isFar, delegate?.cardStack?(self, mayRemove: card, to: direction) ?? true {
                remove(card, to: direction)
            } else {
                UIView.animate(withDuration: 0.2) { card.transform = .identity }
            }
        case .cancelled:
            card.transform = .identity
        default:
            break
        }
    }

    private func remove(_ card: UIView, to direction: SwipeDirection) {
        UIView.animate(
            withDuration: 0.25,
            animations: {
                card.transform = CGAffineTransform(
                    translationX: direction == .left ? -self.bounds.width : self.bounds.width, y: 0)
            },
            completion: { _ in
                card.removeFromSuperview()
                self.cards.removeAll { $0 === card }
                self.removed.append(card)
                self.delegate?.cardStack?(self, didRemove: card, to: direction)
                if self.cards.isEmpty {
                    DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { [weak self] in
                        guard let self = self, self.cards.isEmpty else { return }
                        self.delegate?.cardStackDidBecomeEmpty?(self)
                    }
                }
            })
    }

    @objc private func reset() {
        for card in removed.reversed() {
            card.transform = .identity
            cards.append(card)
            addSubview(card)
        }
        removed = []
    }
}

extension CardStackView {
    open override func layoutSubviews() {
        super.layoutSubviews()
        for card in cards where card.transform == .identity { card.frame = bounds.insetBy(dx: 20, dy: 20) }
    }
}
