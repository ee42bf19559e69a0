// ViewTreeChange.swift: the difference of two trees of one app, by the identities of views.
//
// Input     an inspector or a test, which keeps the earlier tree
// Output    the views that were added, removed or changed
// Knows     identities
//
// Sources   invented

/// A difference between two trees of one app.
public enum ViewTreeChange: Hashable, Sendable {
    case added(UInt32)
    case removed(UInt32)
    /// The view has another property, another superview or another position among its siblings.
    case changed(UInt32)
}

extension ViewTree {
    /// Returns the differences from an earlier tree: removed views in the order of that tree, then the others in the order
    /// of this one.
    public func changes(since earlier: ViewTree) -> [ViewTreeChange] {
        if self == earlier { return [] }
        let (old, new) = (earlier.places, places)
        var changes = earlier.views.filter { new[$0.identity] == nil }.map { ViewTreeChange.removed($0.identity) }
        for view in views {
            guard let before = old[view.identity] else {
                changes.append(.added(view.identity))
                continue
            }
            let now = new[view.identity]
            if before.parent != now?.parent || before.order != now?.order || earlier.views[before.index] != view {
                changes.append(.changed(view.identity))
            }
        }
        return changes
    }

    private struct Place {
        var index: Int
        var parent: UInt32?
        /// The number of earlier siblings.
        var order: Int
    }

    private var places: [UInt32: Place] {
        var places: [UInt32: Place] = [:]
        var counts: [UInt32?: Int] = [:]
        for (index, parent) in parents.enumerated() {
            let parent = parent.map { views[$0].identity }
            places[views[index].identity] = Place(index: index, parent: parent, order: counts[parent, default: 0])
            counts[parent, default: 0] += 1
        }
        return places
    }
}
