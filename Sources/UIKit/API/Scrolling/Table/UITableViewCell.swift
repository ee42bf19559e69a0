// UITableViewCell.swift: the view of a visible row, which different rows use in turn.
//
// Station   responder
// Input     UITableView, which positions, highlights and selects the cell
// Output    the table, to which the cell forwards its touches and which selects rows by them
//
// Sources   documented  UITableViewCell

public import Foundation

/// The view that contains the content of a cell. Touches on a row land on it.
final class UITableViewCellContentView: UIView {}

/// The view of a visible row.
open class UITableViewCell: UIView {
    /// The arrangement of a cell's labels.
    public enum CellStyle: Int, Sendable { case `default`, value1, value2, subtitle }
    /// The look of a selected cell. No effect here.
    public enum SelectionStyle: Int, Sendable { case none, blue, gray, `default` }
    /// The look of a cell's right edge. No effect here.
    public enum AccessoryType: Int, Sendable {
        case none, disclosureIndicator, detailDisclosureButton, checkmark, detailButton
    }

    public let style: CellStyle
    open private(set) var reuseIdentifier: String?
    private final let content = UITableViewCellContentView(frame: .zero)

    public init(style: CellStyle, reuseIdentifier: String?) {
        (self.style, self.reuseIdentifier) = (style, reuseIdentifier)
        super.init(frame: CGRect(x: 0, y: 0, width: 320, height: TableHeights.standardRow))
        content.frame = bounds
        addSubview(content)
    }

    public required init?(coder: NSCoder) { nil }

    /// The initializer by which a table makes cells of a registered class.
    ///
    /// A subclass that overrides `init(style:reuseIdentifier:)` inherits it.
    public required convenience init() { self.init(style: .default, reuseIdentifier: nil) }

    /// Sets the identifier of a cell that a table made from a registered class.
    final func setReuseIdentifier(_ identifier: String) { reuseIdentifier = identifier }

    // MARK: Content

    open var contentView: UIView { content }

    private final func makeLabel() -> UILabel {
        let label = UILabel(frame: .zero)
        content.addSubview(label)
        return label
    }

    private final lazy var madeTextLabel = makeLabel()
    private final lazy var madeDetailTextLabel = makeLabel()
    private final lazy var madeImageView = {
        let view = UIImageView(frame: .zero)
        content.addSubview(view)
        return view
    }()

    open var textLabel: UILabel? { madeTextLabel }
    /// The second label; nil in the default style.
    open var detailTextLabel: UILabel? { style == .default ? nil : madeDetailTextLabel }
    open var imageView: UIImageView? { madeImageView }
    open var accessoryType = AccessoryType.none
    /// A view on the right of the content.
    open var accessoryView: UIView? {
        didSet {
            guard accessoryView !== oldValue else { return }
            oldValue?.removeFromSuperview()
            if let accessoryView { addSubview(accessoryView) }
        }
    }
    /// A view behind the content.
    open var backgroundView: UIView? {
        didSet {
            guard backgroundView !== oldValue else { return }
            oldValue?.removeFromSuperview()
            if let backgroundView { insertSubview(backgroundView, at: 0) }
        }
    }

    /// A view behind the content and in front of `backgroundView` while the cell is selected or highlighted.
    open var selectedBackgroundView: UIView? {
        didSet {
            guard selectedBackgroundView !== oldValue else { return }
            oldValue?.removeFromSuperview()
            showSelection()
        }
    }

    private final func showSelection() {
        guard let selectedBackgroundView else { return }
        if selected || highlighted {
            selectedBackgroundView.frame = bounds
            insertSubview(selectedBackgroundView, belowSubview: content)
        } else {
            selectedBackgroundView.removeFromSuperview()
        }
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        backgroundView?.frame = bounds
        selectedBackgroundView?.frame = bounds
        var width = bounds.width
        if let accessoryView {
            let size = accessoryView.bounds.size
            accessoryView.frame = CGRect(
                x: bounds.width - size.width - 16, y: (bounds.height - size.height) / 2, width: size.width,
                height: size.height)
            width -= size.width + 24
        }
        content.frame = CGRect(x: 0, y: 0, width: max(0, width), height: bounds.height)
        guard content.subviews.contains(where: { $0 is UILabel }) else { return }
        let inner = content.bounds.inset(by: UIEdgeInsets(top: 0, left: 16, bottom: 0, right: 16))
        guard style != .default else {
            madeTextLabel.frame = inner
            return
        }
        let isBelow = style == .subtitle
        let half = CGSize(
            width: isBelow ? inner.width : inner.width / 2, height: isBelow ? inner.height / 2 : inner.height)
        madeTextLabel.frame = CGRect(origin: inner.origin, size: half)
        madeDetailTextLabel.frame = CGRect(
            x: isBelow ? inner.minX : inner.minX + half.width, y: isBelow ? half.height : 0, width: half.width,
            height: half.height)
    }

    // MARK: State

    open var selectionStyle = SelectionStyle.default

    private final var selected = false
    private final var highlighted = false

    open var isSelected: Bool {
        get { selected }
        set { setSelected(newValue, animated: false) }
    }
    open var isHighlighted: Bool {
        get { highlighted }
        set { setHighlighted(newValue, animated: false) }
    }
    open func setSelected(_ selected: Bool, animated: Bool) {
        self.selected = selected
        showSelection()
    }
    open func setHighlighted(_ highlighted: Bool, animated: Bool) {
        self.highlighted = highlighted
        showSelection()
    }

    /// Returns the cell to its initial state before another row uses it.
    open func prepareForReuse() {
        setHighlighted(false, animated: false)
        setSelected(false, animated: false)
    }
}
