// UpdateBatch.swift: updates of a table between the outermost beginUpdates and endUpdates.
//
// Station   responder
// Input     UITableView+Updates.swift
// Output    what was said of rows, unless the table was reloaded meanwhile

struct UpdateBatch {
    /// How deep updates are nested.
    private(set) var depth = 0
    private var updates: TableUpdates?
    /// The table's edition when updates began.
    private var edition = 0

    /// - Returns: Whether these are the outermost updates, so that `begin` has to follow.
    mutating func open() -> Bool {
        depth += 1
        return depth == 1
    }

    /// - Parameter updates: Nil if there is nothing to compare with.
    mutating func begin(_ updates: TableUpdates?, in edition: Int) {
        (self.updates, self.edition) = (updates, edition)
    }

    mutating func note(_ change: (inout TableUpdates) -> Void) {
        if updates != nil { change(&updates!) }
    }

    /// - Returns: Whether the outermost updates are over, so that `take` has to follow.
    mutating func close() -> Bool {
        depth -= 1
        return depth == 0
    }

    /// - Returns: What was said; nil if there was nothing to compare with, or the table has another edition by now.
    mutating func take(in edition: Int) -> TableUpdates? {
        defer { updates = nil }
        return edition == self.edition ? updates : nil
    }
}
