// RowSelection.swift: the selected rows of a table, and the row under a finger.
//
// Station   responder
// Input     UITableView+Selection.swift

import Foundation

struct RowSelection {
    var isAllowed = true
    var allowsMultiple = false
    /// In the order of rows.
    private(set) var rows: [IndexPath] = []

    func contains(_ path: IndexPath) -> Bool { rows.contains(path) }

    mutating func add(_ path: IndexPath) {
        guard !rows.contains(path) else { return }
        rows.append(path)
        rows.sort()
    }

    mutating func remove(_ path: IndexPath) { rows.removeAll { $0 == path } }

    mutating func removeAll() { rows = [] }

    /// Moves the selections with their rows.
    ///
    /// - Parameter place: Returns the present position of a row; nil ends its selection.
    mutating func move(_ place: (IndexPath) -> IndexPath?) { rows = rows.compactMap(place).sorted() }
}

/// The touch that may select a row, and this row.
struct RowPress {
    let touch: UITouch
    var path: IndexPath
    var isHighlighted = false
}
