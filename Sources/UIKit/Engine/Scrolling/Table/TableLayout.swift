// TableLayout.swift: whether what a table has laid out is still what there is.
//
// Station   responder
// Input     UITableView

struct TableLayout {
    /// Nil until it is needed, and after what it was made of has changed.
    private(set) var geometry: TableGeometry?
    /// Grows whenever what was laid out is no more what there is.
    private(set) var edition = 0
    /// Whether headers and footers are where they belong.
    private(set) var areEndsPlaced = false

    mutating func know(_ geometry: TableGeometry) { self.geometry = geometry }

    mutating func endsWerePlaced() { areEndsPlaced = true }

    /// The table has another size.
    mutating func sizeDidChange() { areEndsPlaced = false }

    /// What there is has changed.
    mutating func forget() {
        edition += 1
        geometry = nil
        areEndsPlaced = false
    }
}
