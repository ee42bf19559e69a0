// TableUpdates.swift: the position of each row after insertions, deletions and reloads.
//
// Station   responder
// Input     UITableView, between the beginning and the end of its updates
// Output    the new position of a row; the first contradiction between updates and data
// Knows     the earlier number of rows, and the updates. No cells.
//
// Deleted and reloaded rows are numbered as before all updates, inserted rows as after all updates.

package import Foundation

/// The updates between one `beginUpdates` and its `endUpdates`.
package struct TableUpdates: Equatable, Sendable {
    /// The number of rows in each section before the updates.
    package let before: [Int]
    package private(set) var inserted: Set<IndexPath> = []
    package private(set) var deleted: Set<IndexPath> = []
    package private(set) var reloaded: Set<IndexPath> = []
    package private(set) var reloadedSections: IndexSet = []

    package init(before: [Int]) { self.before = before }

    /// Notes rows that were inserted, at their positions after all updates.
    package mutating func insert(_ rows: [IndexPath]) { inserted.formUnion(rows) }
    /// Notes rows that were deleted, at their positions before all updates.
    package mutating func delete(_ rows: [IndexPath]) { deleted.formUnion(rows) }
    /// Notes rows that changed, at their positions before all updates.
    package mutating func reload(_ rows: [IndexPath]) { reloaded.formUnion(rows) }
    /// Notes sections that changed completely.
    package mutating func reload(sections: IndexSet) { reloadedSections.formUnion(sections) }

    private func count(_ rows: Set<IndexPath>, in section: Int) -> Int { rows.count { $0.section == section } }

    /// The first contradiction, with its measure; nil if the updates match the data.
    ///
    /// - Parameter after: The present number of rows in each section.
    package func fault(after: [Int]) -> String? {
        guard before.count == after.count else {
            return "there were \(before.count) sections and there are \(after.count), and none was inserted or deleted"
        }
        for section in after.indices where !reloadedSections.contains(section) {
            let (come, gone) = (count(inserted, in: section), count(deleted, in: section))
            guard before[section] + come - gone != after[section] else { continue }
            return
                "section \(section) had \(before[section]) rows and has \(after[section]), with \(come) inserted and "
                + "\(gone) deleted"
        }
        func isOutside(_ path: IndexPath, _ counts: [Int]) -> Bool {
            !counts.indices.contains(path.section) || !(0..<counts[path.section]).contains(path.row)
        }
        if let path = deleted.union(reloaded).filter({ isOutside($0, before) }).min() {
            return "row \(path.row) of section \(path.section) is deleted or reloaded, and there was none"
        }
        if let path = inserted.filter({ isOutside($0, after) }).min() {
            return "row \(path.row) of section \(path.section) is inserted, and there is none"
        }
        return nil
    }

    /// The present position of a row; nil if it was deleted or reloaded.
    package func newPath(of path: IndexPath) -> IndexPath? {
        guard !deleted.contains(path), !reloaded.contains(path), !reloadedSections.contains(path.section) else {
            return nil
        }
        var row = path.row - deleted.count { $0.section == path.section && $0.row < path.row }
        // Each row that was inserted at or before this position moves the row by one.
        for come in inserted.sorted() where come.section == path.section && come.row <= row { row += 1 }
        return IndexPath(row: row, section: path.section)
    }
}
