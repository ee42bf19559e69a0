// TableLayout.swift: whether the layout of a table still matches its data.
//
// Station   responder
// Input     UITableView

struct TableLayout {
    /// Nil until it is needed, and after a change of its data.
    private(set) var geometry: TableGeometry?
    /// A number that grows whenever the layout no longer matches the data.
    private(set) var edition = 0
    /// Whether headers and footers have their final frames.
    private(set) var areEndsPlaced = false

    mutating func store(_ geometry: TableGeometry) { self.geometry = geometry }

    mutating func endsWerePlaced() { areEndsPlaced = true }

    /// Notes that the size of the table has changed.
    mutating func sizeDidChange() { areEndsPlaced = false }

    /// Notes that the data has changed.
    mutating func forget() {
        edition += 1
        geometry = nil
        areEndsPlaced = false
    }
}
