// UIButton.swift: a control with a title that a person presses.
//
// Station   action
// Input     UIControl's tracking
// Output    touchUpInside, then primaryActionTriggered
//
// Sources   documented  a state without a title or a color of its own has the normal state's
//           documented  changesSelectionAsPrimaryAction: each press selects or deselects the button
//           inferred    primaryActionTriggered comes after touchUpInside (B10.8)

public import Foundation

/// A control with a title that a person presses.
open class UIButton: UIControl {
    /// The appearance of a button. No effect here.
    public enum ButtonType: Int, Sendable { case custom, system, detailDisclosure, infoLight, infoDark, contactAdd }

    open private(set) var buttonType = ButtonType.custom
    /// The titles by state, in the order in which they were set.
    private final var titles: [(state: UIControl.State, title: String)] = []
    private final var titleColors: [(state: UIControl.State, color: UIColor)] = []
    private final var label: UILabel?
    /// Images and insets, which few buttons have. (UIButton+Images.swift)
    final var look: ButtonLook?

    public override init(frame: CGRect) { super.init(frame: frame) }

    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        self.buttonType = buttonType
    }

    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(type: buttonType)
        setPrimaryAction(primaryAction)
    }

    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        setPrimaryAction(primaryAction)
    }

    public required init?(coder: NSCoder) { nil }

    /// Shows the action's title and registers the action.
    private final func setPrimaryAction(_ action: UIAction?) {
        guard let action else { return }
        setTitle(action.title, for: .normal)
        addAction(action, for: .primaryActionTriggered)
    }

    // MARK: Title

    open func setTitle(_ title: String?, for state: UIControl.State) {
        titles.removeAll { $0.state == state }
        if let title { titles.append((state, title)) }
        naming.cachedLabel = nil
        setNeedsLayout()
    }

    /// The title of a state, or else of the normal state.
    open func title(for state: UIControl.State) -> String? {
        titles.first { $0.state == state }?.title ?? titles.first { $0.state == .normal }?.title
    }

    open var currentTitle: String? { title(for: state) }

    open func setTitleColor(_ color: UIColor?, for state: UIControl.State) {
        titleColors.removeAll { $0.state == state }
        if let color { titleColors.append((state, color)) }
        setNeedsLayout()
    }

    /// The title's color in a state, or else in the normal state.
    open func titleColor(for state: UIControl.State) -> UIColor? {
        titleColors.first { $0.state == state }?.color ?? titleColors.first { $0.state == .normal }?.color
    }

    /// The title's color in the current state; white if none is set.
    open var currentTitleColor: UIColor { titleColor(for: state) ?? .white }

    /// The label with the current title, made when it is first read. Touches on the label reach the button.
    open var titleLabel: UILabel? {
        if let label { return label }
        let made = UILabel(frame: bounds)
        label = made
        addSubview(made)
        showTitle()
        return made
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        label?.frame = bounds
        showTitle()
        if look != nil { showImage() }
    }

    private final func showTitle() {
        label?.text = currentTitle
        label?.textColor = currentTitleColor
        if let attributed = look?.attributedTitle(for: state) { label?.attributedText = attributed }
    }

    // MARK: Pressing

    /// Whether each press selects or deselects the button, before its primary action runs.
    open var changesSelectionAsPrimaryAction = false

    override func touchUpInsideWasSent(_ event: UIEvent?) {
        if changesSelectionAsPrimaryAction { isSelected.toggle() }
        sendActions(for: .primaryActionTriggered, with: event)
    }

    open override func performPrimaryAction() {
        guard isEnabled else { return }
        if changesSelectionAsPrimaryAction { isSelected.toggle() }
        super.performPrimaryAction()
    }

    /// Refuses a single tap of one touch that a recognizer of another view would take from the button. (B10.9)
    open override func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        !keepsTap(from: gestureRecognizer) && super.gestureRecognizerShouldBegin(gestureRecognizer)
    }

    package override var traceLabel: String {
        guard accessibilityIdentifier == nil, let title = title(for: .normal), !title.isEmpty else {
            return super.traceLabel
        }
        return "\(traceClass) \"\(title)\""
    }
}
