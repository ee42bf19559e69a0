// LayoutNeeds.swift: whether a view has asked for layout, or a view in it has.
//
// Input     UIView+Layout.swift

struct LayoutNeeds {
    /// The view itself has asked.
    private(set) var isOwn = true
    /// The view or one in it has asked, so that a commit walks only where there is work.
    private(set) var isInTree = true

    mutating func ask() { (isOwn, isInTree) = (true, true) }

    /// A view in this one has asked.
    mutating func askInTree() { isInTree = true }

    /// The view is about to be laid out.
    ///
    /// - Returns: Whether it had asked.
    mutating func begin() -> Bool {
        defer { isOwn = false }
        return isOwn
    }

    /// The views in this one are laid out next; what the view asks from here on is for the next commit.
    mutating func finish() { isInTree = isOwn }
}
