// TableCells.swift: the cells of a table: those on screen, and those that wait for reuse.
//
// Station   responder
// Input     UITableView, at each layout and at each change of rows
// Output    the cell of a row, and the row of a cell

import Foundation

struct TableCells {
    typealias Row = (path: IndexPath, cell: UITableViewCell)

    /// The cells on screen, from top to bottom.
    private(set) var shown: [Row] = []
    private var spare: [UITableViewCell] = []
    private var registered: [(identifier: String, cell: UITableViewCell.Type)] = []

    // MARK: On screen

    func cell(at path: IndexPath) -> UITableViewCell? { shown.first { $0.path == path }?.cell }
    func path(of cell: UITableViewCell) -> IndexPath? { shown.first { $0.cell === cell }?.path }

    mutating func show(_ cell: UITableViewCell, at path: IndexPath) {
        shown.insert((path, cell), at: shown.firstIndex { $0.path > path } ?? shown.count)
    }

    /// Removes the topmost cell that is not at one of these rows.
    mutating func removeFirst(besides paths: [IndexPath] = []) -> Row? {
        shown.firstIndex { !paths.contains($0.path) }.map { shown.remove(at: $0) }
    }

    /// Moves the cells with their rows.
    ///
    /// - Parameter place: Returns the present position of a row; nil removes its cell.
    /// - Returns: The cells that were on screen before.
    mutating func move(_ place: (IndexPath) -> IndexPath?) -> [Row] {
        let old = shown
        shown = old.compactMap { row in place(row.path).map { ($0, row.cell) } }
        return old
    }

    // MARK: Reuse

    /// Registers a class for an identifier; nil removes the registration.
    mutating func register(_ cell: UITableViewCell.Type?, as identifier: String) {
        registered.removeAll { $0.identifier == identifier }
        if let cell { registered.append((identifier, cell)) }
    }

    func registered(as identifier: String) -> UITableViewCell.Type? {
        registered.first { $0.identifier == identifier }?.cell
    }

    /// Stores a cell for reuse. A cell without an identifier is not reused.
    mutating func addSpare(_ cell: UITableViewCell) {
        if cell.reuseIdentifier != nil { spare.append(cell) }
    }

    mutating func removeSpare(_ identifier: String) -> UITableViewCell? {
        spare.lastIndex { $0.reuseIdentifier == identifier }.map { spare.remove(at: $0) }
    }
}
