// UITableViewWrapperView.swift: what older systems put between a table and its cells.
//
// It never scrolls. It holds touches back as any scroll view does, and asks the table whether they should begin, so that
// the table is asked twice: once for itself and once for this view. (S23, E29; setting `table.hasWrapperView`)

import Foundation

final class UITableViewWrapperView: UIScrollView {
    private unowned(unsafe) let table: UITableView

    init(table: UITableView) {
        self.table = table
        super.init(frame: .zero)
        isScrollEnabled = false
        ownRecognizers.delay.isEnabled = true
        clipsToBounds = false
    }

    required init?(coder: NSCoder) { nil }

    override func touchesShouldBegin(_ touches: Set<UITouch>, with event: UIEvent?, in view: UIView) -> Bool {
        table.askShouldBegin(touches, event, in: view)
    }
}
