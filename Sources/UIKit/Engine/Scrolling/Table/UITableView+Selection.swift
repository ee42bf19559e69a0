// UITableView+Selection.swift: selects a table's rows by touch and by code.
//
// Station   responder
// Input     the table's touches methods, which touches on cells reach up the responder chain
// Output    the cell's state, calls of the delegate
//
//     began in a row       highlighted (after the delay: before it the table does not receive the touch)
//     left the row         not highlighted
//     ended in the row     not highlighted, selected; the earlier selection ends
//     cancelled            not highlighted, and not selected (S20)
//
// Sources   observed    the selection comes after `touchesEnded` of the table has been entered (B12.8, S21)
//           inferred    the order of the delegate's calls

import Foundation

extension UITableView {
    // MARK: By touch

    final func pressBegan(_ touches: Set<UITouch>, _ event: UIEvent?) {
        // A press whose touch has ended is over, although the table did not receive the end: its cell has been moved.
        if let press, press.touch.isOver { pressLost(press.path, cellForRow(at: press.path)) }
        guard press == nil, allowsSelection else { return }
        // The touch that landed first, because a set has no order.
        guard let touch = event?.touches.first(where: touches.contains) ?? touches.first,
            let path = row(under: touch), rowDelegate?.tableView(self, shouldHighlightRowAt: path) ?? true
        else { return }
        press = RowPress(touch: touch, path: path)
        highlight(true)
    }

    final func pressMoved(_ touches: Set<UITouch>) {
        guard let press, touches.contains(press.touch) else { return }
        highlight(row(under: press.touch) == press.path)
    }

    final func pressEnded(_ touches: Set<UITouch>) {
        guard let press, touches.contains(press.touch) else { return }
        let isInside = row(under: press.touch) == press.path
        highlight(false)
        self.press = nil
        if isInside { selectByFinger(press.path) }
    }

    final func pressCancelled(_ touches: Set<UITouch>) {
        guard let press, touches.contains(press.touch) else { return }
        highlight(false)
        self.press = nil
    }

    /// Ends the press of a row whose cell leaves the table. The table does not receive the rest of that touch.
    final func pressLost(_ path: IndexPath, _ cell: UITableViewCell?) {
        guard let press, press.path == path else { return }
        self.press = nil
        guard press.isHighlighted else { return }
        cell?.setHighlighted(false, animated: false)
        rowDelegate?.tableView(self, didUnhighlightRowAt: path)
    }

    private func row(under touch: UITouch) -> IndexPath? { indexPathForRow(at: touch.location(in: self)) }

    private func highlight(_ isOn: Bool) {
        guard let press, press.isHighlighted != isOn else { return }
        self.press?.isHighlighted = isOn
        cellForRow(at: press.path)?.setHighlighted(isOn, animated: false)
        if isOn {
            rowDelegate?.tableView(self, didHighlightRowAt: press.path)
        } else {
            rowDelegate?.tableView(self, didUnhighlightRowAt: press.path)
        }
    }

    /// Selects or deselects a row for a finger: the delegate is asked before and told after.
    private func selectByFinger(_ path: IndexPath) {
        if allowsMultipleSelection, selection.contains(path) {
            deselectByFinger(path)
            return
        }
        guard let rowDelegate else {
            select(path, animated: false)
            return
        }
        guard let chosen = rowDelegate.tableView(self, willSelectRowAt: path) else { return }
        if !allowsMultipleSelection { for other in selection.rows where other != chosen { deselectByFinger(other) } }
        select(chosen, animated: false)
        application?.emit(.action(.selectsRow(self, chosen)))
        rowDelegate.tableView(self, didSelectRowAt: chosen)
    }

    private func deselectByFinger(_ path: IndexPath) {
        guard let rowDelegate else {
            deselect(path, animated: false)
            return
        }
        guard let chosen = rowDelegate.tableView(self, willDeselectRowAt: path) else { return }
        deselect(chosen, animated: false)
        rowDelegate.tableView(self, didDeselectRowAt: chosen)
    }

    // MARK: By code

    final func select(_ path: IndexPath?, animated: Bool) {
        if path == nil || !allowsMultipleSelection {
            for other in selection.rows where other != path { deselect(other, animated: animated) }
        }
        guard let path, geometry.contains(section: path.section, row: path.row) else { return }
        selection.add(path)
        cellForRow(at: path)?.setSelected(true, animated: animated)
    }

    final func deselect(_ path: IndexPath, animated: Bool) {
        guard selection.contains(path) else { return }
        selection.remove(path)
        cellForRow(at: path)?.setSelected(false, animated: animated)
    }
}
