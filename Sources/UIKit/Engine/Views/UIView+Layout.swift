// UIView+Layout.swift: layout, delayed until code demands it or the main loop is about to wait.
//
// LayoutNeeds.swift stores whether a view, or a view in it, needs layout.
//
// Sources   documented  layoutIfNeeded starts at the outermost ancestor in an unbroken line of views that need layout
//           inferred    adding, removing, reordering and resizing make a view need layout

import Foundation

extension UIView {
    final func markForLayout() {
        layoutNeeds.markView()
        var view = parent
        while let current = view, !current.layoutNeeds.treeNeedsLayout {
            current.layoutNeeds.markTree()
            view = current.parent
        }
    }

    final func layoutFromTop() {
        var top = self
        while let parent = top.parent, parent.layoutNeeds.viewNeedsLayout { top = parent }
        top.layoutTree()
    }

    /// Lays out this view and the views in it, if they need it.
    ///
    /// A view that needs layout again after its turn waits for the next commit. Otherwise an app could keep its loop
    /// busy for ever.
    final func layoutTree() {
        guard layoutNeeds.treeNeedsLayout else { return }
        if layoutNeeds.begin() {
            updateConstraintsIfNeeded()
            controller?.viewWillLayoutSubviews()
            if let backingLayer, type(of: backingLayer).isOfApp {
                backingLayer.layoutSublayers()
            } else if DrawOverride.ofLayoutIsIn(type(of: self)) {
                layoutSublayers(of: layer)
            } else {
                layoutSubviews()
            }
            controller?.viewDidLayoutSubviews()
        }
        layoutNeeds.finish()
        for child in children { child.layoutTree() }
    }
}
