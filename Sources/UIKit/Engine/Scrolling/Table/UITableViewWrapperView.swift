// UITableViewWrapperView.swift: the view between a table and its cells on older systems.
//
// It never scrolls. It delays touches as any scroll view does, and asks the table whether they should begin. The table
// is therefore asked twice: for itself and for this view. (S23, E29; setting `table.hasWrapperView`)

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
