// UITableView.swift: rows in sections, with cells for the rows that are visible.
//
// Station   responder
// Input     its data source, its layout, touches that its cells forward
// Output    its delegate: the rows that are highlighted and selected (UITableView+Selection.swift)
// Knows     the heights of rows and the cells that exist. Not the content of cells.
//
// Sources   documented  UITableView, UITableViewDataSource, UITableViewDelegate
//           observed    older systems have a wrapper view between table and cells, with a delay of its own (S23, E29)

public import Foundation

/// A scroll view with rows in sections, and with cells for the rows that are visible.
open class UITableView: UIScrollView {
    /// The look of a table. No effect here.
    public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
    /// The position in the table to which `scrollToRow` moves a row.
    public enum ScrollPosition: Int, Sendable { case none, top, middle, bottom }
    /// The animation of a change of rows. No effect here.
    public enum RowAnimation: Int, Sendable { case fade, right, left, top, bottom, none, middle, automatic = 100 }
    /// The look of separators. No effect here.
    public enum SeparatorStyle: Int, Sendable { case none, singleLine }

    /// As the height of a row, header or footer: the table's own height applies.
    public static let automaticDimension: CGFloat = -1

    public let style: Style

    // MARK: State

    // Access is unchecked, because a cell that is removed may call its table.
    @exclusivity(unchecked) final var cells = TableCells()
    @exclusivity(unchecked) final var ends = SectionEnds()
    private(set) final var layout = TableLayout()
    final var batch = UpdateBatch()
    @exclusivity(unchecked) final var selection = RowSelection()
    @exclusivity(unchecked) final var press: RowPress?
    private final var heights = TableHeights()
    private final weak var storedRowDelegate: (any UITableViewDelegate)?
    /// The view that contains the cells on older systems; nil if the table itself contains them.
    final var wrapper: UITableViewWrapperView?

    public init(frame: CGRect, style: Style) {
        self.style = style
        super.init(frame: frame)
        alwaysBounceVertical = true
        if UIApplication.current?.settings.tableHasWrapperView == true {
            let wrapper = UITableViewWrapperView(table: self)
            super.addSubview(wrapper)
            self.wrapper = wrapper
        }
    }

    public override convenience init(frame: CGRect) { self.init(frame: frame, style: .plain) }
    public required init?(coder: NSCoder) { nil }

    /// Supplies the rows and their cells. Setting it discards all cells.
    open weak var dataSource: (any UITableViewDataSource)? {
        didSet { if dataSource !== oldValue { forgetData() } }
    }

    /// The delegate. A `UITableViewDelegate` also receives events of rows.
    open override weak var delegate: (any UIScrollViewDelegate)? {
        didSet {
            guard delegate !== oldValue else { return }
            storedRowDelegate = delegate as? any UITableViewDelegate
            forgetData()
        }
    }

    final var rowDelegate: (any UITableViewDelegate)? { storedRowDelegate }

    // MARK: Heights

    /// The height of rows in points. `automaticDimension` is 44.
    open var rowHeight: CGFloat {
        get { heights.row }
        set {
            let old = heights.row
            heights.row = newValue
            if newValue != old { forgetData() }
        }
    }
    /// The estimated height of rows. No effect here.
    open var estimatedRowHeight: CGFloat {
        get { heights.estimatedRow }
        set { heights.estimatedRow = newValue }
    }
    /// The height of section headers in points. `automaticDimension` is 28 for a section with a title or a header view, and
    /// otherwise 0.
    open var sectionHeaderHeight: CGFloat {
        get { heights.header }
        set {
            let old = heights.header
            heights.header = newValue
            if newValue != old { forgetData() }
        }
    }
    /// The height of section footers in points, with the same meaning of `automaticDimension` as for headers.
    open var sectionFooterHeight: CGFloat {
        get { heights.footer }
        set {
            let old = heights.footer
            heights.footer = newValue
            if newValue != old { forgetData() }
        }
    }
    open var separatorStyle = SeparatorStyle.singleLine

    /// A view above the first row. Its height does not change.
    open var tableHeaderView: UIView? {
        didSet { replace(oldValue, by: tableHeaderView) }
    }
    /// A view below the last row. Its height does not change.
    open var tableFooterView: UIView? {
        didSet { replace(oldValue, by: tableFooterView) }
    }
    /// A view behind the rows. It does not scroll.
    open var backgroundView: UIView? {
        didSet {
            guard backgroundView !== oldValue else { return }
            oldValue?.removeFromSuperview()
            if let backgroundView { insertSubview(backgroundView, at: 0) }
        }
    }

    private final func replace(_ old: UIView?, by new: UIView?) {
        guard old !== new else { return }
        old?.removeFromSuperview()
        if let new { addSubview(new) }
        forgetGeometry()
    }

    // MARK: Data

    /// Asks the data source for everything again. All selections end.
    open func reloadData() {
        selection.removeAll()
        forgetData()
        _ = geometry
    }

    /// Begins a group of changes of rows, which `endUpdates` applies as one change.
    open func beginUpdates() { openUpdates() }
    /// Applies the changes. The data source is asked for the numbers of rows, which must agree with the changes.
    open func endUpdates() { closeUpdates() }
    /// Applies the changes that the closure makes as one change, without animation, and then calls the completion.
    open func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
        beginUpdates()
        updates?()
        endUpdates()
        completion?(true)
    }
    /// Inserts rows, whose numbers count after the updates.
    open func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        update { $0.insert(indexPaths) }
    }
    /// Deletes rows, whose numbers count before the updates.
    open func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        update { $0.delete(indexPaths) }
    }
    /// Replaces the cells of rows. The rows are deselected.
    open func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
        update { $0.reload(indexPaths) }
    }
    /// Replaces the cells of sections, whose numbers of rows may change. The rows are deselected.
    open func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
        update { $0.reload(sections: sections) }
    }

    open var numberOfSections: Int { geometry.sections.count }

    /// The number of rows in a section; 0 if there is no such section.
    open func numberOfRows(inSection section: Int) -> Int {
        geometry.sections.indices.contains(section) ? geometry.sections[section].rows.count : 0
    }

    /// The position of every row. Computed from the data source and the delegate, and kept until data or size changes.
    final var geometry: TableGeometry {
        if let known = layout.geometry { return known }
        let made = measure()
        layout.store(made)
        let size = CGSize(width: space.bounds.width, height: made.height)
        if contentSize != size { contentSize = size }
        return made
    }

    private final func measure() -> TableGeometry {
        guard let dataSource else {
            return TableGeometry(
                header: tableHeaderView?.bounds.height ?? 0, footer: tableFooterView?.bounds.height ?? 0)
        }
        let sections = (0..<max(0, dataSource.numberOfSections(in: self))).map { section in
            TableGeometry.Section(
                header: TableHeights.title(
                    storedRowDelegate?.tableView(self, heightForHeaderInSection: section) ?? sectionHeaderHeight,
                    isThere: dataSource.tableView(self, titleForHeaderInSection: section) != nil
                        || headerView(of: section) != nil),
                rows: rowHeights(
                    of: section, count: max(0, dataSource.tableView(self, numberOfRowsInSection: section))),
                footer: TableHeights.title(
                    storedRowDelegate?.tableView(self, heightForFooterInSection: section) ?? sectionFooterHeight,
                    isThere: dataSource.tableView(self, titleForFooterInSection: section) != nil
                        || footerView(of: section) != nil))
        }
        return TableGeometry(
            header: tableHeaderView?.bounds.height ?? 0, sections: sections,
            footer: tableFooterView?.bounds.height ?? 0)
    }

    private final func rowHeights(of section: Int, count: Int) -> TableGeometry.Heights {
        func points(_ height: CGFloat) -> CGFloat { TableHeights.row(height, else: rowHeight) }
        guard let storedRowDelegate, count > 0 else { return .even(points(rowHeight), count: count) }
        let heights = (0..<count).map {
            points(storedRowDelegate.tableView(self, heightForRowAt: IndexPath(row: $0, section: section)))
        }
        let isEven = heights.allSatisfy { $0 == heights[0] }
        return isEven ? .even(heights[0], count: count) : TableGeometry.Heights(heights)
    }

    private final func headerView(of section: Int) -> UIView? {
        if let known = ends.answer(for: .header, of: section) { return known }
        let view = storedRowDelegate?.tableView(self, viewForHeaderInSection: section)
        ends.store(view, as: .header, of: section)
        return view
    }

    private final func footerView(of section: Int) -> UIView? {
        if let known = ends.answer(for: .footer, of: section) { return known }
        let view = storedRowDelegate?.tableView(self, viewForFooterInSection: section)
        ends.store(view, as: .footer, of: section)
        return view
    }

    final func forgetGeometry() {
        layout.forget()
        setNeedsLayout()
    }

    /// Discards the header and footer views of sections, so that the delegate is asked for them again.
    final func forgetEnds(of sections: IndexSet) {
        for section in sections {
            for view in [ends.answer(for: .header, of: section) ?? nil, ends.answer(for: .footer, of: section) ?? nil] {
                guard let view else { continue }
                view.removeFromSuperview()
                ends.remove(view)
            }
            ends.forget(section)
        }
    }

    /// Discards cells, views and geometry, because the data source, the delegate or the heights have changed.
    final func forgetData() {
        // The delegate may reload the table in this loop. Each cell is therefore taken off the list before it is put away.
        while let (path, cell) = cells.removeFirst() { removeCell(cell, path) }
        if let press { pressLost(press.path, nil) }
        for view in ends.views { view.removeFromSuperview() }
        ends.forgetAll()
        forgetGeometry()
    }

    // MARK: Position of rows

    private final func rect(spanning span: Range<CGFloat>) -> CGRect {
        CGRect(x: 0, y: span.lowerBound, width: space.bounds.width, height: span.upperBound - span.lowerBound)
    }

    /// The rectangle of a row in the table's coordinates, or zero if there is no such row.
    open func rectForRow(at indexPath: IndexPath) -> CGRect {
        let geometry = geometry
        guard geometry.contains(section: indexPath.section, row: indexPath.row) else { return .zero }
        return rect(spanning: geometry.span(section: indexPath.section, row: indexPath.row))
    }

    open func rect(forSection section: Int) -> CGRect {
        guard geometry.sections.indices.contains(section) else { return .zero }
        let section = geometry.sections[section]
        return rect(spanning: section.top..<section.top + section.height)
    }

    open func rectForHeader(inSection section: Int) -> CGRect {
        guard geometry.sections.indices.contains(section) else { return .zero }
        let section = geometry.sections[section]
        return rect(spanning: section.top..<section.firstRow)
    }

    open func rectForFooter(inSection section: Int) -> CGRect {
        guard geometry.sections.indices.contains(section) else { return .zero }
        let section = geometry.sections[section]
        return rect(spanning: section.top + section.height - section.footer..<section.top + section.height)
    }

    /// The row at a point in the table's coordinates, which scroll with the content; nil if there is none.
    open func indexPathForRow(at point: CGPoint) -> IndexPath? {
        guard point.x >= 0, point.x < space.bounds.width, let (section, row) = geometry.row(at: point.y) else {
            return nil
        }
        return IndexPath(row: row, section: section)
    }

    /// The rows that a rectangle intersects. Only its vertical extent counts.
    open func indexPathsForRows(in rect: CGRect) -> [IndexPath]? {
        geometry.rows(from: rect.minY, to: rect.maxY).map { IndexPath(row: $0.row, section: $0.section) }
    }

    /// Scrolls to a row. A row that the table does not have stops the program.
    open func scrollToRow(at indexPath: IndexPath, at scrollPosition: ScrollPosition, animated: Bool) {
        demand(
            geometry.contains(section: indexPath.section, row: indexPath.row),
            "\(traceLabel): scrolling to row \(indexPath.row) of section \(indexPath.section), which it does not have")
        let row = rectForRow(at: indexPath)
        let insets = adjustedContentInset
        let room = space.bounds.height - insets.top - insets.bottom
        let y: CGFloat
        switch scrollPosition {
        case .none:
            scrollRectToVisible(row, animated: animated)
            return
        case .top: y = row.minY - insets.top
        case .middle: y = row.midY - insets.top - room / 2
        case .bottom: y = row.maxY - insets.top - room
        }
        setContentOffset(CGPoint(x: contentOffset.x, y: vertical.clamped(y)), animated: animated)
    }

    // MARK: Cells

    /// Registers the class of cells for an identifier. Nil removes the registration.
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {
        let cell = cellClass as? UITableViewCell.Type
        cells.register(cell, as: identifier)
        guard let cellClass else { return }
        demand(cell != nil, "\(traceLabel): \(cellClass), registered as \"\(identifier)\", is no UITableViewCell")
    }

    /// A cell that is not in use, or else a new cell of the registered class, or else nil.
    open func dequeueReusableCell(withIdentifier identifier: String) -> UITableViewCell? {
        if let cell = cells.removeSpare(identifier) {
            cell.prepareForReuse()
            return cell
        }
        guard let made = cells.registered(as: identifier)?.init() else { return nil }
        made.setReuseIdentifier(identifier)
        return made
    }

    /// A cell that is not in use or new. An identifier without a registered class or unused cell stops the program.
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell {
        let cell = dequeueReusableCell(withIdentifier: identifier)
        demand(cell != nil, "\(traceLabel): no class of cells is registered as \"\(identifier)\"")
        return cell!
    }

    /// The cell of a row, or nil if the row is not visible.
    open func cellForRow(at indexPath: IndexPath) -> UITableViewCell? { cells.cell(at: indexPath) }
    open func indexPath(for cell: UITableViewCell) -> IndexPath? { cells.path(of: cell) }
    open var visibleCells: [UITableViewCell] { cells.shown.map(\.cell) }
    /// The rows of cells on screen, from top to bottom.
    open var indexPathsForVisibleRows: [IndexPath]? { cells.shown.map(\.path) }

    open override func layoutSubviews() {
        super.layoutSubviews()
        // The data source and the delegate may change the table while they are called. `edition` changes then, this layout
        // ends, and another layout is pending.
        let edition = layout.edition
        let geometry = geometry
        if contentSize.width != space.bounds.width { contentSize.width = space.bounds.width }
        if edition == layout.edition { positionEnds(geometry, edition) }
        if edition == layout.edition, let dataSource { positionRows(geometry, dataSource, edition) }
    }

    private final func positionEnds(_ geometry: TableGeometry, _ edition: Int) {
        if let backgroundView { backgroundView.frame = space.bounds }
        if let tableHeaderView {
            tableHeaderView.frame = rect(spanning: 0..<geometry.header)
        }
        if let tableFooterView {
            tableFooterView.frame = rect(spanning: geometry.height - geometry.footer..<geometry.height)
        }
        wrapper?.frame = CGRect(
            x: 0, y: 0, width: space.bounds.width, height: max(geometry.height, space.bounds.height))
        guard !layout.areEndsPlaced else { return }
        for index in geometry.sections.indices {
            let (header, footer) = (headerView(of: index), footerView(of: index))
            guard edition == layout.edition else { return }
            for (view, place) in [(header, rectForHeader(inSection: index)), (footer, rectForFooter(inSection: index))]
            {
                guard let view else { continue }
                view.frame = place
                if ends.add(view) { addSubview(view) }
            }
        }
        layout.endsWerePlaced()
    }

    private final func positionRows(
        _ geometry: TableGeometry, _ dataSource: any UITableViewDataSource, _ edition: Int
    ) {
        let wanted = geometry.rows(from: space.bounds.minY, to: space.bounds.maxY)
            .map { IndexPath(row: $0.row, section: $0.section) }
        // Cells that are not visible any more are put away first, so that they can be used again in this layout.
        while let (path, cell) = cells.removeFirst(besides: wanted) {
            removeCell(cell, path)
            guard edition == layout.edition else { return }
        }
        for path in wanted {
            if let known = cells.cell(at: path) {
                known.frame = rectForRow(at: path)
                continue
            }
            let cell = dataSource.tableView(self, cellForRowAt: path)
            guard edition == layout.edition else {
                cells.addSpare(cell)
                return
            }
            cell.frame = rectForRow(at: path)
            cells.show(cell, at: path)
            // Cells are behind headers and other views that an app has added to the table.
            (wrapper ?? self).insertSubview(cell, at: backgroundView == nil || wrapper != nil ? 0 : 1)
            cell.setSelected(selection.contains(path), animated: false)
            storedRowDelegate?.tableView(self, willDisplay: cell, forRowAt: path)
            guard edition == layout.edition else { return }
        }
    }

    /// Removes a cell from the table, with the touch that may select its row.
    private final func removeCell(_ cell: UITableViewCell, _ path: IndexPath) {
        pressLost(path, cell)
        recycleCell(cell, path)
    }

    /// Removes a cell from the table, and keeps it for reuse.
    final func recycleCell(_ cell: UITableViewCell, _ path: IndexPath) {
        cell.removeFromSuperview()
        cells.addSpare(cell)
        storedRowDelegate?.tableView(self, didEndDisplaying: cell, forRowAt: path)
    }

    // MARK: Selection (UITableView+Selection.swift)

    /// Whether a touch can select a row.
    open var allowsSelection: Bool {
        get { selection.isAllowed }
        set { selection.isAllowed = newValue }
    }
    open var allowsMultipleSelection: Bool {
        get { selection.allowsMultiple }
        set { selection.allowsMultiple = newValue }
    }

    /// The first selected row in the order of rows.
    open var indexPathForSelectedRow: IndexPath? { selection.rows.first }
    open var indexPathsForSelectedRows: [IndexPath]? { selection.rows.isEmpty ? nil : selection.rows }

    /// Selects a row without calls to the delegate.
    open func selectRow(at indexPath: IndexPath?, animated: Bool, scrollPosition: ScrollPosition) {
        select(indexPath, animated: animated)
        if let indexPath, scrollPosition != .none {
            scrollToRow(at: indexPath, at: scrollPosition, animated: animated)
        }
    }

    /// Deselects a row without calls to the delegate.
    open func deselectRow(at indexPath: IndexPath, animated: Bool) { deselect(indexPath, animated: animated) }

    open override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        pressBegan(touches, event)
        super.touchesBegan(touches, with: event)
    }
    open override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        pressMoved(touches)
        super.touchesMoved(touches, with: event)
    }
    open override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        pressEnded(touches)
        super.touchesEnded(touches, with: event)
    }
    open override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        pressCancelled(touches)
        super.touchesCancelled(touches, with: event)
    }

    override func sizeDidChange(from old: CGSize) {
        super.sizeDidChange(from: old)
        layout.sizeDidChange()
        if layout.geometry != nil, contentSize.width != space.bounds.width { contentSize.width = space.bounds.width }
    }
}
