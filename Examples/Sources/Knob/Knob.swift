import Foundation
import UIKit

/// A knob that a finger turns around its center. After two seconds without a touch it sends `.primaryActionTriggered`.
@IBDesignable
@objcMembers
open class Knob: UIControl {
    @IBInspectable open dynamic var value: CGFloat = 0 {
        didSet { pointer.transform = CGAffineTransform(rotationAngle: value * 2 * .pi) }
    }
    /// The seconds after which the value counts as chosen.
    @IBInspectable open var settlingTime: TimeInterval = 2

    private let pointer = UIView()
    private var settling: Timer?
    private lazy var turn = TurnGestureRecognizer(target: self, action: #selector(turned(_:)))

    public override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
        setUp()
    }

    private func setUp() {
        pointer.isUserInteractionEnabled = false
        addSubview(pointer)
        addGestureRecognizer(turn)
        let reset = UITapGestureRecognizer(target: self, action: #selector(reset))
        reset.numberOfTapsRequired = 2
        addGestureRecognizer(reset)
    }

    @objc private func turned(_ recognizer: TurnGestureRecognizer) {
        switch recognizer.state {
        case .began:
            settling?.invalidate()
        case .changed:
            value = min(1, max(0, value + recognizer.angle / (2 * .pi)))
            recognizer.angle = 0
            sendActions(for: .valueChanged)
        case .ended, .cancelled:
            settling = Timer.scheduledTimer(
                timeInterval: settlingTime, target: self, selector: #selector(settled), userInfo: nil, repeats: false)
        default:
            break
        }
    }

    @objc private func reset() {
        value = 0
        sendActions(for: .valueChanged)
    }

    @objc private func settled(_ timer: Timer) { sendActions(for: .primaryActionTriggered) }
}

extension Knob {
    open override func layoutSubviews() {
        super.layoutSubviews()
        pointer.bounds = CGRect(x: 0, y: 0, width: 4, height: bounds.height)
        pointer.center = CGPoint(x: bounds.midX, y: bounds.midY)
    }
}
