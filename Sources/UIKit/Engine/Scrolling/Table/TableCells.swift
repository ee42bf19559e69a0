// TableCells.swift: the cells of a table: those on screen, and those that wait to be used again.
//
// Station   responder
// Input     UITableView, at each layout and whenever rows come and go
// Output    which cell is at a row, and which row a cell is at

import Foundation

struct TableCells {
    typealias Row = (path: IndexPath, cell: UITableViewCell)

    /// Cells on screen, from top to bottom.
    private(set) var shown: [Row] = []
    private var spare: [UITableViewCell] = []
    private var registered: [(identifier: String, cell: UITableViewCell.Type)] = []

    // MARK: On screen

    func cell(at path: IndexPath) -> UITableViewCell? { shown.first { $0.path == path }?.cell }
    func path(of cell: UITableViewCell) -> IndexPath? { shown.first { $0.cell === cell }?.path }

    mutating func show(_ cell: UITableViewCell, at path: IndexPath) {
        shown.insert((path, cell), at: shown.firstIndex { $0.path > path } ?? shown.count)
    }

    /// Takes the topmost cell that is not at one of these rows off the list.
    mutating func takeFirst(besides paths: [IndexPath] = []) -> Row? {
        shown.firstIndex { !paths.contains($0.path) }.map { shown.remove(at: $0) }
    }

    /// Cells go with their rows.
    ///
    /// - Parameter place: Where a row is now; nil takes its cell off the list.
    /// - Returns: Those that were on screen before.
    mutating func move(_ place: (IndexPath) -> IndexPath?) -> [Row] {
        let old = shown
        shown = old.compactMap { row in place(row.path).map { ($0, row.cell) } }
        return old
    }

    // MARK: Using them again

    /// Nil registers no class.
    mutating func register(_ cell: UITableViewCell.Type?, as identifier: String) {
        registered.removeAll { $0.identifier == identifier }
        if let cell { registered.append((identifier, cell)) }
    }

    func registered(as identifier: String) -> UITableViewCell.Type? {
        registered.first { $0.identifier == identifier }?.cell
    }

    /// One that has no identifier is used once.
    mutating func keep(_ cell: UITableViewCell) {
        if cell.reuseIdentifier != nil { spare.append(cell) }
    }

    mutating func takeSpare(_ identifier: String) -> UITableViewCell? {
        spare.lastIndex { $0.reuseIdentifier == identifier }.map { spare.remove(at: $0) }
    }
}
