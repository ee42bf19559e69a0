// HitItem.swift: one view of a hit index.
//
// Items are in the order of the walk without tests: a view before its subviews, subviews back to front. The subviews of an
// item, and theirs, directly follow it. Of all views that contain a point, the walk finds the one with the last item.

/// One view of a hit index.
struct HitItem {
    /// What the index knows about a view.
    enum Kind {
        /// The view and its subviews are in the index.
        case plain
        /// The walk continues at this view, whose subviews are not in the index: the view scrolls them, has a transform, or
        /// has a subview that an app's code tests.
        case walked
    }

    /// Stands for the root of the index, which has no item.
    static let root: Int32 = -1
    /// Stands for an item that a search cannot find now.
    static let unknown: Int32 = -2

    var region: HitRegion
    /// Alive as long as the index is valid: a view that leaves the tree invalidates the index first.
    let view: Unmanaged<UIView>
    /// The item of the superview; −1 for the root.
    let parent: Int32
    /// The item behind the last item in this view.
    var end: Int32
    var kind: Kind
    /// Whether the view moved after its region was computed.
    var hasMoved = false
}

/// The parts that a view has in hit indices.
struct HitMembership {
    /// The place of a view that is in no index.
    static let none: Int32 = -1
    /// The place of a view that an index leaves out because the view ignores touches.
    static let ignored: Int32 = -2

    /// The index of the views in this view. Windows have one, and views at which a walk continues.
    var own: HitIndex?
    /// The index that contains the view.
    var index: HitIndex?
    /// The view's item in `index`.
    var slot = none

    /// Whether `own` can search. The index is not retained, because only one of its properties is read.
    @inline(__always)
    var hasReadyIndex: Bool {
        own.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef { $0.state == .ready } == true
    }

    /// Whether a move of the view concerns an index.
    @inline(__always)
    var isItem: Bool { slot >= 0 }

    /// Whether a change of the view or of its subviews concerns an index.
    @inline(__always)
    var isTracked: Bool { slot != HitMembership.none || own != nil }

    mutating func join(_ index: HitIndex, at slot: Int32) { (self.index, self.slot) = (index, slot) }

    /// Leaves all indices, which end: the view is leaving its window.
    mutating func leave() {
        own?.invalidate()
        index?.invalidate()
        (own, index, slot) = (nil, nil, HitMembership.none)
    }
}
