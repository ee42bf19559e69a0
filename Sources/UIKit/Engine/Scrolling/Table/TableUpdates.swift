// TableUpdates.swift: which row is which after some have come, gone or changed.
//
// Station   responder
// Fed by    UITableView, between the beginning and the end of its updates
// Knows     how many rows there were, and what was said of them. No cells.
//
// What goes or changes is numbered as it was before all of the updates, what comes as it is after all of them.

package import Foundation

package struct TableUpdates: Equatable, Sendable {
    /// Of each section, before the updates.
    package let before: [Int]
    package private(set) var inserted: Set<IndexPath> = []
    package private(set) var deleted: Set<IndexPath> = []
    package private(set) var reloaded: Set<IndexPath> = []
    package private(set) var reloadedSections: IndexSet = []

    package init(before: [Int]) { self.before = before }

    package mutating func insert(_ rows: [IndexPath]) { inserted.formUnion(rows) }
    package mutating func delete(_ rows: [IndexPath]) { deleted.formUnion(rows) }
    package mutating func reload(_ rows: [IndexPath]) { reloaded.formUnion(rows) }
    package mutating func reload(sections: IndexSet) { reloadedSections.formUnion(sections) }

    private func count(_ rows: Set<IndexPath>, in section: Int) -> Int { rows.count { $0.section == section } }

    /// What does not add up, with its measure; nil when everything does.
    ///
    /// - Parameter after: Rows of each section there is now.
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

    /// Where a row is now; nil when it is gone, or was read anew.
    package func place(of path: IndexPath) -> IndexPath? {
        guard !deleted.contains(path), !reloaded.contains(path), !reloadedSections.contains(path.section) else {
            return nil
        }
        var row = path.row - deleted.count { $0.section == path.section && $0.row < path.row }
        // Each that has come at or before it moves it on by one.
        for come in inserted.sorted() where come.section == path.section && come.row <= row { row += 1 }
        return IndexPath(row: row, section: path.section)
    }
}
