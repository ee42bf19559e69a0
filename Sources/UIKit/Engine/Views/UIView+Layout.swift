// UIView+Layout.swift: layout, put off until somebody asks or the main loop is about to wait.
//
// Whether a view has asked, or a view in it has, is in LayoutNeeds.swift.
//
// Sources   documented  layoutIfNeeded lays out from the outermost ancestor of an unbroken line of wishes
//           inferred    adding, removing, reordering and resizing ask for layout

import Foundation

extension UIView {
    final func markForLayout() {
        layoutNeeds.ask()
        var view = parent
        while let current = view, !current.layoutNeeds.isInTree {
            current.layoutNeeds.askInTree()
            view = current.parent
        }
    }

    final func layoutFromTop() {
        var top = self
        while let parent = top.parent, parent.layoutNeeds.isOwn { top = parent }
        top.layoutTree()
    }

    /// Lays out what has asked for it, from here inwards.
    ///
    /// What asks again once its turn is over is heard at the next commit, or an app could hold its loop for ever.
    final func layoutTree() {
        guard layoutNeeds.isInTree else { return }
        if layoutNeeds.begin() {
            controller?.viewWillLayoutSubviews()
            layoutSubviews()
            controller?.viewDidLayoutSubviews()
        }
        layoutNeeds.finish()
        for child in children { child.layoutTree() }
    }
}
