// UpdateBatch.swift: the updates of a table between the outermost beginUpdates and endUpdates.
//
// Station   responder
// Input     UITableView+Updates.swift
// Output    the collected updates, unless the table was reloaded meanwhile

struct UpdateBatch {
    /// The number of nested beginUpdates.
    private(set) var depth = 0
    private var updates: TableUpdates?
    /// The table's edition when the updates began.
    private var edition = 0

    /// Begins updates.
    ///
    /// - Returns: Whether these are the outermost updates, so that `begin` has to follow.
    mutating func open() -> Bool {
        depth += 1
        return depth == 1
    }

    /// Stores the updates of the outermost beginUpdates.
    ///
    /// - Parameter updates: Nil if there is nothing to compare with.
    mutating func begin(_ updates: TableUpdates?, in edition: Int) {
        (self.updates, self.edition) = (updates, edition)
    }

    mutating func note(_ change: (inout TableUpdates) -> Void) {
        if updates != nil { change(&updates!) }
    }

    /// Ends updates.
    ///
    /// - Returns: Whether the outermost updates are over, so that `finish` has to follow.
    mutating func close() -> Bool {
        depth -= 1
        return depth == 0
    }

    /// Removes and returns the collected updates.
    ///
    /// - Returns: Nil if there was nothing to compare with, or if the table has another edition by now.
    mutating func finish(in edition: Int) -> TableUpdates? {
        defer { updates = nil }
        return edition == self.edition ? updates : nil
    }
}
