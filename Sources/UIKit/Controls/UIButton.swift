public import Foundation

/// A control that is pressed. After touchUpInside it sends primaryActionTriggered.
open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable { case custom, system, detailDisclosure, infoLight, infoDark, contactAdd }

    open private(set) var buttonType = ButtonType.custom
    /// By state, in order of setting.
    private var titles: [(state: UIControl.State, title: String)] = []

    public override init(frame: CGRect) { super.init(frame: frame) }

    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        self.buttonType = buttonType
    }

    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(type: buttonType)
        if let primaryAction {
            setTitle(primaryAction.title, for: .normal)
            addAction(primaryAction, for: .primaryActionTriggered)
        }
    }

    public required init?(coder: NSCoder) { nil }

    open func setTitle(_ title: String?, for state: UIControl.State) {
        titles.removeAll { $0.state == state }
        if let title { titles.append((state, title)) }
        knownTraceLabel = nil
    }

    /// A state without a title of its own has the normal one.
    open func title(for state: UIControl.State) -> String? {
        titles.first { $0.state == state }?.title ?? titles.first { $0.state == .normal }?.title
    }

    open var currentTitle: String? { title(for: state) }

    override func wasTapped(_ event: UIEvent?) { sendActions(for: .primaryActionTriggered) }

    override var traceLabel: String {
        guard accessibilityIdentifier == nil, let title = title(for: .normal), !title.isEmpty else {
            return super.traceLabel
        }
        return "\(traceClass) \"\(title)\""
    }
}
