// UITableView+Updates.swift: applies insertions, deletions and reloads of rows, and keeps the other rows.
//
// Station   responder
// Input     the app, which has changed its data and describes the change
// Output    the selection and the cells on screen, which move with their rows; the next layout
//
//     beginUpdates ──insert, delete, reload──▶ … ──endUpdates──▶ data counted, compared, laid out
//
// Nothing is animated: the next layout puts the rows at their positions. An app whose updates contradict its data ends
// with a message, as on a phone.

import Foundation

extension UITableView {
    final func openUpdates() {
        guard batch.open() else { return }
        // Before the first read of the data, and after it was forgotten, there is nothing to compare with.
        let updates = layout.geometry.map { TableUpdates(before: $0.sections.map(\.rows.count)) }
        batch.begin(updates, in: layout.edition)
    }

    final func closeUpdates() {
        demand(batch.depth > 0, "\(traceLabel): endUpdates without beginUpdates")
        guard batch.close() else { return }
        // The data was read again in the meantime, or never: all of it is read again.
        guard let done = batch.finish(in: layout.edition), let dataSource else {
            forgetData()
            return
        }
        let after = (0..<max(0, dataSource.numberOfSections(in: self))).map {
            max(0, dataSource.tableView(self, numberOfRowsInSection: $0))
        }
        if let fault = done.fault(after: after) { demand(false, "\(traceLabel): invalid update: \(fault)") }
        selection.move(done.newPath)
        let old = cells.move(done.newPath)
        if let press {
            if let place = done.newPath(of: press.path) {
                self.press?.path = place
            } else {
                pressLost(press.path, old.first { $0.path == press.path }?.cell)
            }
        }
        forgetEnds(of: done.reloadedSections)
        forgetGeometry()
        for (path, cell) in old where done.newPath(of: path) == nil { recycleCell(cell, path) }
        _ = geometry
    }

    final func update(_ change: (inout TableUpdates) -> Void) {
        openUpdates()
        batch.note(change)
        closeUpdates()
    }
}
