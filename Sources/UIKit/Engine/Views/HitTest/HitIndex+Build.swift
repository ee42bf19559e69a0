// HitIndex+Build.swift: makes a hit index from a tree of views, and computes regions again after moves.
//
// Station   hitTest
// Input     the views in the index's root
// Output    items and boxes
//
// A walk through all views that accept touches, in the order of a hit test that finds no view. A view ends the index below
// itself, and has an index of its own if it has subviews, when one of these is true:
//
//     it scrolls its subviews           a scroll then moves no region
//     it has a transform                the region is no upright rectangle
//     a subview is not plain            an app's code tests it, it is a window, or its coordinates are extreme
//
// If a subview of the root itself is not plain, there is no index: the walk visits the root's subviews, which have indices
// of their own.

import Basics
import Foundation

extension HitIndex {
    /// Makes the items and boxes of all views in the root.
    ///
    /// - Returns: False if the walk has to visit the root's subviews.
    func build() -> Bool {
        (count, updateCount, period, dependsOnTime) = (0, 0, Instant.boot...Instant.never, false)
        let rules = Rules(window: root.cachedWindow, now: root.cachedWindow?.application?.now ?? .never)
        guard rules.arePlain(root.children) else {
            for child in root.children { child.haveOwnHitIndex(policy) }
            return false
        }
        // The views whose subviews are being added, with the position of the next one.
        var open: [(view: Unmanaged<UIView>, item: Int32, next: Int)] = []
        open.append((Unmanaged.passUnretained(root), -1, 0))
        while let (parent, item, next) = open.last {
            let children = parent._withUnsafeGuaranteedRef { $0.children }
            guard next < children.count else {
                if item >= 0 { items.unsafelyUnwrapped[Int(item)].end = Int32(count) }
                open.removeLast()
                continue
            }
            open[open.count - 1].next = next + 1
            let child = children[next]
            if add(child, to: item, rules), !child.children.isEmpty {
                open.append((Unmanaged.passUnretained(child), Int32(count - 1), 0))
            }
        }
        tree.build(UnsafePointer(reserved(1)), count: count)
        return true
    }

    /// Adds a view without its subviews.
    ///
    /// - Returns: Whether its subviews belong to the index.
    private func add(_ view: UIView, to parent: Int32, _ rules: Rules) -> Bool {
        if let other = view.hitMembership.index, other !== self { other.viewLeaves(view, view.hitMembership.slot) }
        guard !ignoresTouches(view, at: rules.now) else {
            view.hitMembership.join(self, at: HitMembership.ignored)
            return false
        }
        let isWalked = view.scrollsSubviews || view.space.isTransformed || !rules.arePlain(view.children)
        let items = reserved(count + 1)
        (items + count).initialize(
            to: HitItem(
                region: region(of: view, in: parent), view: .passUnretained(view), parent: parent,
                end: Int32(count + 1), kind: isWalked ? .walked : .plain))
        view.hitMembership.join(self, at: Int32(count))
        count += 1
        guard isWalked else {
            if let own = view.hitMembership.own {
                own.invalidate()
                view.hitMembership.own = nil
            }
            return true
        }
        view.haveOwnHitIndex(policy)
        return false
    }

    /// Whether the view ignores touches now. The index ends when the time of the answer is over.
    private func ignoresTouches(_ view: UIView, at now: Instant) -> Bool {
        guard view.admission.admitsTouches else { return true }
        guard view.admission.dependsOnTime else { return false }
        dependsOnTime = true
        let end = view.admission.animationEnd
        if now < end {
            let last = end.advanced(byNanoseconds: -1)
            period = period.lowerBound...max(period.lowerBound, min(period.upperBound, last))
            return true
        }
        period = min(max(period.lowerBound, end), period.upperBound)...period.upperBound
        return false
    }

    private func region(of view: UIView, in parent: Int32) -> HitRegion {
        guard parent >= 0 else { return HitRegion(of: view.space, in: .root, reach: HitRegion.reach) }
        let outer = items.unsafelyUnwrapped + Int(parent)
        let reach = outer.pointee.view._withUnsafeGuaranteedRef { $0.space.reach }
        return HitRegion(of: view.space, in: outer.pointee.region, reach: reach)
    }

    /// Memory for items. Items that are already there stay.
    private func reserved(_ needed: Int) -> UnsafeMutablePointer<HitItem> {
        if let items, needed <= capacity { return items }
        let larger = max(32, needed, capacity * 2)
        let memory = UnsafeMutablePointer<HitItem>.allocate(capacity: larger)
        if let items {
            memory.moveInitialize(from: items, count: count)
            items.deallocate()
        }
        (items, capacity) = (memory, larger)
        return memory
    }

    // MARK: Moves

    /// Computes the regions of a view that moved, and of the views in it.
    ///
    /// - Returns: False if a new index is needed.
    func update(_ first: Int32) -> Bool {
        let items = items.unsafelyUnwrapped
        let end = Int(items[Int(first)].end)
        for place in Int(first)..<end {
            let parent = items[place].parent
            items[place].hasMoved = false
            if parent >= 0, items[Int(parent)].kind == .walked {
                // The superview has a transform now, so the walk continues there. From now on the view may leave the tree and
                // be freed without a report.
                items[place].kind = .walked
                items[place].region.empty()
            } else {
                let view = items[place].view.takeUnretainedValue()
                guard view.space.fitsHitIndex else { return false }
                if view.space.isTransformed { items[place].kind = .walked }
                items[place].region = region(of: view, in: parent)
            }
            tree.move(place, to: items[place].region)
        }
        updateCount += end - Int(first)
        return true
    }

    /// What decides whether a view belongs to an index.
    private struct Rules {
        unowned(unsafe) var window: UIWindow?
        var now: Instant
        private let overrides = HitTestOverrides.known

        init(window: UIWindow?, now: Instant) { (self.window, self.now) = (window, now) }

        /// Whether no code but UIView's own decides about each of the views.
        func arePlain(_ views: [UIView]) -> Bool {
            for view in views {
                guard view.cachedWindow === window, view.space.fitsHitIndex,
                    overrides.map({ !$0.areIn(type(of: view)) }) ?? (type(of: view) == UIView.self)
                else { return false }
            }
            return true
        }
    }
}

extension UIView {
    /// Gives the view an index, if it has subviews.
    fileprivate final func haveOwnHitIndex(_ policy: HitIndexPolicy) {
        if hitMembership.own == nil, !children.isEmpty { hitMembership.own = HitIndex(root: self, policy) }
    }
}
