// UIStackView.swift: a view that arranges other views in a row or a column.
//
// Input     layout of the view tree
// Output    the frames of its arranged views
// Knows     their order, and the size of each view when it was added: there is no Auto Layout that supplies another size
//
// Sources   documented  UIStackView: a hidden view takes no space; a view that leaves the stack is not arranged any more

public import Foundation

/// Contains the type `Axis` only, because there is no Auto Layout here.
open class NSLayoutConstraint: NSObject {
    /// The direction of a row or a column.
    public enum Axis: Int, Sendable { case horizontal, vertical }
}

/// A view that arranges other views in a row or a column.
open class UIStackView: UIView {
    /// How the arranged views share the space along the axis.
    public enum Distribution: Int, Sendable {
        case fill, fillEqually, fillProportionally, equalSpacing, equalCentering
    }

    /// The position of the arranged views across the axis.
    public enum Alignment: Int, Sendable {
        case fill, leading, firstBaseline, center, trailing, lastBaseline
        public static var top: Alignment { .leading }
        public static var bottom: Alignment { .trailing }
    }

    /// As `customSpacing`: the stack's own `spacing` applies.
    public static let spacingUseDefault = CGFloat.greatestFiniteMagnitude
    public static let spacingUseSystem: CGFloat = 8

    /// One arranged view.
    private struct Arranged {
        let view: UIView
        /// The size of the view when it was added.
        let size: CGSize
        var spacingAfter: CGFloat = UIStackView.spacingUseDefault
    }

    private final var arrangedViews: [Arranged] = []

    public init(arrangedSubviews views: [UIView]) {
        super.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    // MARK: Properties

    open var axis = NSLayoutConstraint.Axis.horizontal { didSet { setNeedsLayout() } }
    open var distribution = Distribution.fill { didSet { setNeedsLayout() } }
    /// The position across the axis. Here no view has a baseline: `firstBaseline` is the top and `lastBaseline` the bottom.
    open var alignment = Alignment.fill { didSet { setNeedsLayout() } }
    /// The space between arranged views, in points.
    open var spacing: CGFloat = 0 { didSet { setNeedsLayout() } }

    // MARK: Views

    open var arrangedSubviews: [UIView] { arrangedViews.map(\.view) }

    open func addArrangedSubview(_ view: UIView) { insertArrangedSubview(view, at: arrangedViews.count) }

    /// Arranges a view at an index. A view that is arranged already moves. An index out of range stops the program.
    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        demand(
            (0...arrangedViews.count).contains(stackIndex),
            "\(traceLabel) arranges \(arrangedViews.count) views and was given one for place \(stackIndex)")
        let old = arrangedViews.first { $0.view === view }
        arrangedViews.removeAll { $0.view === view }
        arrangedViews.insert(
            old ?? Arranged(view: view, size: view.bounds.size), at: min(stackIndex, arrangedViews.count))
        if view.superview !== self { addSubview(view) }
        setNeedsLayout()
    }

    /// Stops arranging a view, which stays a subview.
    open func removeArrangedSubview(_ view: UIView) {
        arrangedViews.removeAll { $0.view === view }
        setNeedsLayout()
    }

    /// Sets the space after an arranged view. Nothing happens if the view is not arranged.
    open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: UIView) {
        guard let index = arrangedViews.firstIndex(where: { $0.view === arrangedSubview }) else { return }
        arrangedViews[index].spacingAfter = spacing
        setNeedsLayout()
    }

    open func customSpacing(after arrangedSubview: UIView) -> CGFloat {
        arrangedViews.first { $0.view === arrangedSubview }?.spacingAfter ?? Self.spacingUseDefault
    }

    open override func willRemoveSubview(_ subview: UIView) {
        super.willRemoveSubview(subview)
        removeArrangedSubview(subview)
    }

    override func subviewVisibilityDidChange() { setNeedsLayout() }

    // MARK: Layout

    private final var shown: [Arranged] { arrangedViews.filter { !$0.view.isHidden } }

    /// The size of an arranged view. A stack in a stack has the size that its arranged views need.
    private final func size(of arranged: Arranged) -> CGSize {
        (arranged.view as? UIStackView)?.sizeThatFits(space.bounds.size) ?? arranged.size
    }

    private final func along(_ size: CGSize) -> CGFloat { axis == .horizontal ? size.width : size.height }
    private final func across(_ size: CGSize) -> CGFloat { axis == .horizontal ? size.height : size.width }

    private final func gaps(_ shown: [Arranged]) -> [CGFloat] {
        shown.dropLast().map { $0.spacingAfter == Self.spacingUseDefault ? spacing : $0.spacingAfter }
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        let shown = shown
        let spans = StackLayout.spans(
            lengths: shown.map { along(size(of: $0)) }, gaps: gaps(shown), room: along(space.bounds.size),
            StackLayout.Distribution(distribution))
        let width = across(space.bounds.size)
        for (arranged, span) in zip(shown, spans) {
            let own = alignment == .fill ? width : across(size(of: arranged))
            let start: CGFloat =
                switch alignment {
                case .fill, .leading, .firstBaseline: 0
                case .center: (width - own) / 2
                case .trailing, .lastBaseline: width - own
                }
            let row = CGRect(x: span.start, y: start, width: span.length, height: own)
            let column = CGRect(x: start, y: span.start, width: own, height: span.length)
            arranged.view.frame = (axis == .horizontal ? row : column)
                .offsetBy(dx: space.bounds.minX, dy: space.bounds.minY)
        }
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        let shown = shown
        let sizes = shown.map { self.size(of: $0) }
        let length = StackLayout.length(sizes.map(along), gaps: gaps(shown))
        let width = sizes.map(across).max() ?? 0
        return axis == .horizontal ? CGSize(width: length, height: width) : CGSize(width: width, height: length)
    }
}

extension StackLayout.Distribution {
    fileprivate init(_ distribution: UIStackView.Distribution) {
        self =
            switch distribution {
            case .fill: .fill
            case .fillEqually: .fillEqually
            case .fillProportionally: .fillProportionally
            case .equalSpacing: .equalSpacing
            case .equalCentering: .equalCentering
            }
    }
}
