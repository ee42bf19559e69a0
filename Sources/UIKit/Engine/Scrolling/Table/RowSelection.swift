// RowSelection.swift: which rows of a table are selected, and which one a finger may select.
//
// Station   responder
// Input     UITableView+Selection.swift

import Foundation

struct RowSelection {
    var isAllowed = true
    var allowsMultiple = false
    /// In order of rows.
    private(set) var rows: [IndexPath] = []

    func contains(_ path: IndexPath) -> Bool { rows.contains(path) }

    mutating func add(_ path: IndexPath) {
        guard !rows.contains(path) else { return }
        rows.append(path)
        rows.sort()
    }

    mutating func remove(_ path: IndexPath) { rows.removeAll { $0 == path } }

    mutating func removeAll() { rows = [] }

    /// Selections go with their rows.
    ///
    /// - Parameter place: Where a row is now; nil ends its selection.
    mutating func move(_ place: (IndexPath) -> IndexPath?) { rows = rows.compactMap(place).sorted() }
}

/// The finger that may select, and its row.
struct RowPress {
    let touch: UITouch
    var path: IndexPath
    var isHighlighted = false
}
