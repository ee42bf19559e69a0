// UIView+Tree.swift: adds views to views and removes them, and notifies them in UIKit's order.
//
// Adding V to P, in P's window. A change that does not happen is not notified. A change of window is notified to V,
// then to the views in V:
//
//     V.willMove(toWindow:)  V.willMove(toSuperview:)  [the old superview: willRemoveSubview(V)]
//     — the tree changes —
//     V.didMoveToWindow      V.didMoveToSuperview      P.didAddSubview(V)
//
// Removing V:
//
//     V.willMove(toSuperview: nil)  V.willMove(toWindow: nil)  P.willRemoveSubview(V)
//     — the tree changes —
//     V.didMoveToWindow             V.didMoveToSuperview
//
// Sources   observed    both orders, as printed by views on phones; documented  that each is called
//           inferred    the position of willRemoveSubview in the order

import Foundation

/// A position among a view's subviews.
enum SubviewPosition {
    case front, back
    /// An index, counted without the view itself; an index beyond the end means the front.
    case index(Int)
    /// Next to a sibling. A view that is no sibling means the front.
    case above(UIView), below(UIView)

    fileprivate func index(among others: [UIView]) -> Int {
        switch self {
        case .front: others.count
        case .back: 0
        case .index(let index): min(max(index, 0), others.count)
        case .above(let sibling): (others.firstIndex { $0 === sibling } ?? others.count - 1) + 1
        case .below(let sibling): others.firstIndex { $0 === sibling } ?? others.count
        }
    }
}

extension UIView {
    // MARK: Adding

    final func insert(_ view: UIView, at place: SubviewPosition) {
        demand(view !== self, "\(traceLabel) cannot be put inside itself")
        demand(
            !isInside(view), "\(view.traceLabel) cannot be put into \(traceLabel), which lies inside it")
        if view.parent === self {
            reorder(view, to: place)
            return
        }
        let window = cachedWindow
        let changesWindow = view.cachedWindow !== window && !(view is UIWindow)
        if changesWindow { view.notifyWillMove(toWindow: window) }
        view.willMove(toSuperview: self)
        let inheritedTint = view.inheritedTintColor
        if let old = view.parent {
            old.willRemoveSubview(view)
            old.unlink(view)
            old.setNeedsLayout()
        }
        children.insert(view, at: place.index(among: children))
        view.parent = self
        backingLayer?.positionLayer(of: view, place)
        if changesWindow {
            view.setWindow(window)
            view.notifyDidMoveToWindow()
        }
        view.didMoveToSuperview()
        didAddSubview(view)
        view.superviewDidChange(inheritedTint: inheritedTint)
        view.setNeedsLayout()
        setNeedsLayout()
    }

    // MARK: Removing

    final func leaveSuperview() {
        guard let parent else { return }
        let hadWindow = cachedWindow != nil
        willMove(toSuperview: nil)
        if hadWindow { notifyWillMove(toWindow: nil) }
        parent.willRemoveSubview(self)
        let inheritedTint = inheritedTintColor
        // The superview may hold the only reference to this view.
        withExtendedLifetime(self) {
            parent.unlink(self)
            parent.setNeedsLayout()
            if hadWindow {
                setWindow(nil)
                notifyDidMoveToWindow()
            }
            didMoveToSuperview()
            superviewDidChange(inheritedTint: inheritedTint)
        }
    }

    private func unlink(_ view: UIView) {
        children.removeAll { $0 === view }
        view.parent = nil
        backingLayer?.dropLayer(of: view)
    }

    // MARK: Order

    final func reorder(_ view: UIView, to place: SubviewPosition) {
        guard let old = children.firstIndex(where: { $0 === view }) else { return }
        if case .above(let sibling) = place, sibling === view { return }
        if case .below(let sibling) = place, sibling === view { return }
        let moved = children.remove(at: old)
        children.insert(moved, at: place.index(among: children))
        backingLayer?.positionLayer(of: view, place)
        setNeedsLayout()
    }

    final func exchange(_ first: Int, _ second: Int) {
        demand(
            children.indices.contains(first) && children.indices.contains(second),
            "\(traceLabel) has no subviews at \(first) and \(second): it has \(children.count)")
        children.swapAt(first, second)
        backingLayer?.exchangeLayers(of: children[first], children[second])
        setNeedsLayout()
    }

    // MARK: Window

    private func setWindow(_ window: UIWindow?) {
        if let old = cachedWindow, old !== window { old.forgetFirstResponder(in: self) }
        cachedWindow = window
        if hitMembership.isTracked { hitMembership.leave() }
        if window != nil { askForDisplayInWindow() }
        for child in children { child.setWindow(window) }
    }

    /// Removes the window from the tree's views. Called when a window is deallocated and its views are not.
    final func forgetWindow() {
        cachedWindow = nil
        if hitMembership.isTracked { hitMembership.leave() }
        for child in children { child.forgetWindow() }
    }

    private func notifyWillMove(toWindow window: UIWindow?) {
        windowWillChange(to: window)
        willMove(toWindow: window)
        controller?.viewWillMove(toShownWindow: window?.isHidden == false)
        for child in children { child.notifyWillMove(toWindow: window) }
    }

    private func notifyDidMoveToWindow() {
        didMoveToWindow()
        controller?.viewDidMove(toShownWindow: cachedWindow?.isHidden == false)
        for child in children { child.notifyDidMoveToWindow() }
    }

    // MARK: Searching

    final func isInside(_ other: UIView) -> Bool {
        var view: UIView? = self
        while let current = view {
            if current === other { return true }
            view = current.parent
        }
        return false
    }

    /// The first view that fits: this view, then its subviews depth first, back to front.
    final func firstView(where fits: (UIView) -> Bool) -> UIView? {
        if fits(self) { return self }
        for child in children {
            if let found = child.firstView(where: fits) { return found }
        }
        return nil
    }

    /// The first view of this name (`accessibilityIdentifier`) in this tree, itself included.
    package final func descendant(named name: String) -> UIView? {
        firstView { $0.accessibilityIdentifier == name }
    }
}

extension UIWindow {
    /// Removes a first responder that leaves the window, whether it agrees or not.
    final func forgetFirstResponder(in view: UIView) {
        guard let firstResponder else { return }
        if firstResponder === view || (view.controller != nil && firstResponder === view.controller) {
            _ = firstResponder.resignFirstResponder()
            self.firstResponder = nil
        }
    }
}
