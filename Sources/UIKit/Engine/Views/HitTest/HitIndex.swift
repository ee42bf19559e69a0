// HitIndex.swift: the answer of a hit test without a visit to each view.
//
// Station   hitTest
// Input     UIView+HitTest.swift, for a view that has an index; UIView's setters, which report each change
// Output    the hit view, or nothing: then the walk decides
// Knows     the views inside one view, the root, that plain geometry decides
//
//     cold    the walk decides, and its cost is summed
//       │  the sum exceeds the price of an index             HitIndex+Build.swift
//       ▼
//     ready   a search decides; views that moved are updated first
//     walked  the walk visits the root's subviews, which have indices of their own: an override is among them
//
//     a view joins or leaves, changes its place in the order, or begins or ceases to ignore touches ──▶ cold
//
// An index holds regions (HitRegion.swift) in the order of the walk, and finds the last region around a point
// (HitBoxTree.swift). It is ended by what it cannot follow, so it is never wrong: where it has a doubt, it has no answer.
//
// Sources   inferred    the walk's result is the last view, in its order, that contains the point with all its ancestors

import Basics
import Foundation

/// When a window's hit tests use an index.
package enum HitIndexPolicy: Sendable, Equatable {
    /// When walks have cost as much as an index.
    case whenItPays
    /// From the first hit test on. For tests and measurements.
    case always
    case never
}

/// The views in one view, for hit tests.
final class HitIndex {
    enum State { case cold, ready, walked }

    /// The root has this index, and ends it before it is freed.
    unowned(unsafe) let root: UIView
    let policy: HitIndexPolicy
    @exclusivity(unchecked) private(set) var state = State.cold
    @exclusivity(unchecked) var items: UnsafeMutablePointer<HitItem>?
    @exclusivity(unchecked) var count = 0
    @exclusivity(unchecked) var capacity = 0
    @exclusivity(unchecked) var tree = HitBoxTree()
    /// The items whose views moved.
    @exclusivity(unchecked) private var moved: [Int32] = []
    /// The number of regions computed again since the index was made.
    @exclusivity(unchecked) var updateCount = 0
    @exclusivity(unchecked) private var cost: WalkCost
    /// The moments at which each view of the index ignores touches as it did when the index was made: an animation ends at
    /// each boundary.
    @exclusivity(unchecked) var period = Instant.boot...Instant.never
    @exclusivity(unchecked) var dependsOnTime = false

    init(root: UIView, _ policy: HitIndexPolicy) {
        (self.root, self.policy) = (root, policy)
        cost = WalkCost(policy)
    }

    var byteCount: Int { capacity * MemoryLayout<HitItem>.stride + tree.byteCount }

    deinit {
        items?.deallocate()
        tree.deallocate()
    }

    // MARK: Hit tests

    /// Searches at a point that the root contains, in its coordinates. Changes nothing and runs no code of an app.
    ///
    /// - Returns: The hit view if the search decides, and the last item that may contain the point; `HitItem.unknown` if the
    ///   index is not ready.
    @inline(never)
    func search(at point: CGPoint) -> (view: Unmanaged<UIView>?, item: Int32) {
        guard state == .ready, moved.isEmpty, !dependsOnTime || isInPeriod, !isWatched else {
            return (nil, HitItem.unknown)
        }
        let last = lastItem(at: point)
        if last == HitItem.root { return (.passUnretained(root), last) }
        guard last >= 0, let item = items.map({ $0 + Int(last) }), item.pointee.kind == .plain,
            item.pointee.region.certainlyContains(point)
        else { return (nil, last) }
        return (item.pointee.view, last)
    }

    @inline(__always)
    private func lastItem(at point: CGPoint) -> Int32 {
        guard abs(point.x) < HitRegion.reach, abs(point.y) < HitRegion.reach else { return HitItem.unknown }
        return tree.lastItem(at: point, before: .max, of: UnsafePointer(items.unsafelyUnwrapped))
    }

    /// The hit view at a point that the root contains, in its coordinates; nil if the walk has to find it.
    ///
    /// Decides item by item. Code of an app runs only inside the walk of an item's view. The walk calls it after the view was
    /// found to contain the point, and then the walk finds a view.
    ///
    /// - Parameters:
    ///   - point: A point in the root's coordinates.
    ///   - event: The event of the hit test.
    ///   - first: The last item that may contain the point; `HitItem.unknown` before the first search.
    func hitView(at point: CGPoint, with event: UIEvent?, from first: Int32) -> UIView? {
        var item = first
        if item == HitItem.unknown {
            guard isReady() else { return nil }
            item = lastItem(at: point)
        }
        guard item != HitItem.unknown, let items else { return nil }
        // Views whose boxes contain the point and that do not contain it are few, except in a tree made for this.
        for _ in 0..<8 {
            guard item >= 0 else { return root }
            let region = items[Int(item)].region
            let view = items[Int(item)].view.takeUnretainedValue()
            if items[Int(item)].kind == .walked {
                if let own = walkedPoint(point, to: item), let hit = view.defaultHitTest(own, with: event) {
                    return hit
                }
            } else if region.certainlyContains(point)
                || region.exactlyContains(point)
                    ?? (walkedPoint(point, to: item) != nil)
            {
                return view
            }
            item = tree.lastItem(at: point, before: item, of: items)
        }
        return nil
    }

    /// Whether the index is ready, or walks have cost enough to make one.
    @inline(__always)
    var mayDecide: Bool { state == .ready || (state == .cold && cost.reachesPrice) }

    /// Makes the index if it pays, and computes the regions of views that moved.
    ///
    /// - Returns: Whether the index may decide.
    @inline(__always)
    private func isReady() -> Bool {
        guard mayDecide, state == .ready || prepare(), !isWatched else { return false }
        guard moved.isEmpty || updateMoved() else { return false }
        guard !dependsOnTime || isInPeriod else {
            invalidate()
            return false
        }
        return true
    }

    /// Converts a point as the walk does, and tests it on the way.
    ///
    /// - Returns: Nil if the walk would not reach the item's view, or would find the point outside.
    private func walkedPoint(_ point: CGPoint, to item: Int32) -> CGPoint? {
        guard item >= 0, let items else { return point }
        guard let outer = walkedPoint(point, to: items[Int(item)].parent) else { return nil }
        return items[Int(item)].view._withUnsafeGuaranteedRef { view in
            let own = view.pointFromSuperview(outer)
            return view.space.bounds.containsForHitTest(own) ? own : nil
        }
    }

    /// Whether a reader of events or facts learns how many views a hit test visits.
    @inline(__always)
    private var isWatched: Bool {
        // Two properties are read, and no code of an app runs that could free the window or the application meanwhile.
        root.windowReference?._withUnsafeGuaranteedRef { window in
            window.applicationReference?._withUnsafeGuaranteedRef { $0.isWatched }
        } == true
    }

    /// Whether each view ignores touches as it did when the index was made.
    private var isInPeriod: Bool {
        // Without an application no animation is in progress.
        period.contains(root.cachedWindow?.application?.now ?? .never)
    }

    // MARK: Cost

    /// Makes the index if it is worth its price.
    @inline(never)
    private func prepare() -> Bool {
        guard !isWatched, cost.exceedsPrice(of: root) else { return false }
        state = build() ? .ready : .walked
        return state == .ready
    }

    /// Records a walk in place of the index.
    func recordWalk(visiting views: Int) {
        guard state == .cold else { return }
        cost.add(visits: views)
    }

    // MARK: Changes

    /// Ends the index, until walks have cost its price again.
    func invalidate() {
        guard state != .cold else { return }
        state = .cold
        moved.removeAll(keepingCapacity: true)
        cost = WalkCost(policy)
    }

    /// Whether the index has the view as this item. An item may be left over from an earlier index.
    @inline(__always)
    private func has(_ view: UIView, as item: Int32) -> Bool {
        state == .ready && item >= 0 && item < count
            && items.unsafelyUnwrapped[Int(item)].view.toOpaque() == Unmanaged.passUnretained(view).toOpaque()
    }

    /// Notes that a view's geometry changed.
    func viewMoved(_ view: UIView, _ item: Int32) {
        guard has(view, as: item), let items, !items[Int(item)].hasMoved else { return }
        items[Int(item)].hasMoved = true
        moved.append(item)
        // Too many updates cost more than a new index.
        if moved.count > 16 + count / 8 { invalidate() }
    }

    /// Ends this index if it contains a view that joins another index, because each view reports to one index.
    func viewLeaves(_ view: UIView, _ item: Int32) {
        if item == HitMembership.ignored || has(view, as: item) { invalidate() }
    }

    /// Notes that a view began or ceased to ignore touches.
    func admissionChanged(of view: UIView, _ item: Int32) {
        if item == HitMembership.ignored || has(view, as: item) { invalidate() }
    }

    /// Notes that a view's subviews changed.
    func subviewsChanged(of view: UIView, _ item: Int32) {
        if has(view, as: item), items?[Int(item)].kind == .plain { invalidate() }
    }

    /// Computes the regions of views that moved.
    ///
    /// - Returns: False if the index has ended.
    @inline(never)
    private func updateMoved() -> Bool {
        let items = items.unsafelyUnwrapped
        for item in moved where items[Int(item)].hasMoved {
            guard update(item) else {
                invalidate()
                return false
            }
        }
        moved.removeAll(keepingCapacity: true)
        // Boxes of views that moved far overlap more and more.
        guard updateCount <= 4 * count + 256 else {
            invalidate()
            return false
        }
        return true
    }
}

/// The cost of walks that an index would have saved.
private struct WalkCost {
    private var walkCount = 0
    /// The number of views that the walks visited.
    private var visitCount = 0
    /// The number of visits at which the views are counted next.
    private var nextCount: Int
    private let price: Int

    /// A search costs as much as a visit of this many views: 440 instructions, and a visit 200.
    private static let searchPrice = 3
    private static let leastViews = 4

    init(_ policy: HitIndexPolicy) {
        switch policy {
        // The price of an index in visits, for each of its views.
        case .whenItPays: (nextCount, price) = (256, 16)
        case .always: (nextCount, price) = (0, 0)
        case .never: (nextCount, price) = (.max, 0)
        }
    }

    mutating func add(visits: Int) {
        walkCount += 1
        visitCount += visits
    }

    /// Whether the views have to be counted to know more.
    @inline(__always)
    var reachesPrice: Bool { visitCount >= nextCount }

    /// Whether the walks have cost as much as an index of all views in the root. The views are counted rarely: each time that
    /// the visits have doubled.
    mutating func exceedsPrice(of root: UIView) -> Bool {
        guard price > 0 else { return true }
        nextCount = 2 * visitCount
        guard visitCount >= Self.searchPrice * walkCount else { return false }
        var count = 0
        return root.countViews(upTo: visitCount / price, into: &count) && count >= Self.leastViews
    }
}

extension UIView {
    /// Counts the views in this view.
    ///
    /// - Returns: False if there are more than `limit`.
    fileprivate final func countViews(upTo limit: Int, into count: inout Int) -> Bool {
        count += children.count
        for child in children {
            guard count <= limit, child.countViews(upTo: limit, into: &count) else { return false }
        }
        return count <= limit
    }

    /// The memory of the view's own index, in bytes. For measurements.
    package final var hitIndexByteCount: Int { hitMembership.own?.byteCount ?? 0 }

    /// Whether hit tests in this view use an index at present. For tests.
    package final var hasHitIndex: Bool { hitMembership.own?.state == .ready }

    // MARK: Changes

    /// Reports a change of the geometry to the index that contains the view.
    @inline(never)
    final func reportMoveToHitIndex() { hitMembership.index?.viewMoved(self, hitMembership.slot) }

    @inline(never)
    final func reportAdmissionToHitIndex() { hitMembership.index?.admissionChanged(of: self, hitMembership.slot) }

    @inline(never)
    final func reportSubviewsToHitIndex() {
        hitMembership.own?.invalidate()
        hitMembership.index?.subviewsChanged(of: self, hitMembership.slot)
    }
}
