// LayoutNeeds.swift: whether a view, or a view in it, needs layout.
//
// Input     UIView+Layout.swift

struct LayoutNeeds {
    /// Whether the view itself needs layout.
    private(set) var viewNeedsLayout = true
    /// Whether the view or a view in it needs layout, so that a commit visits only these.
    private(set) var treeNeedsLayout = true

    /// Whether `updateConstraints` is due before the layout of the view. A new view's is not called unless it is asked for,
    /// because there are no constraints here.
    private(set) var needsUpdateConstraints = false

    /// Notes that `updateConstraints` is due.
    mutating func markConstraints() { needsUpdateConstraints = true }

    /// - Returns: Whether `updateConstraints` was due.
    mutating func beginConstraints() -> Bool {
        defer { needsUpdateConstraints = false }
        return needsUpdateConstraints
    }

    /// Notes that the view needs layout.
    mutating func markView() { (viewNeedsLayout, treeNeedsLayout) = (true, true) }

    /// Notes that a view in this one needs layout.
    mutating func markTree() { treeNeedsLayout = true }

    /// Notes that the layout of the view begins.
    ///
    /// - Returns: Whether the view needed layout.
    mutating func begin() -> Bool {
        defer { viewNeedsLayout = false }
        return viewNeedsLayout
    }

    /// Notes that the view was laid out and that the views in it are next. What the view needs from now on is for the
    /// next commit.
    mutating func finish() { treeNeedsLayout = viewNeedsLayout }
}
