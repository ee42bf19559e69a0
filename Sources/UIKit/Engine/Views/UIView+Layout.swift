// UIView+Layout.swift: layout, put off until somebody asks or the main loop is about to wait.
//
// `wantsLayout` is a view's own wish; `treeWantsLayout` says that it or something in it has one, so that a commit
// walks only where there is work.
//
// Sources   documented  layoutIfNeeded lays out from the outermost ancestor of an unbroken line of wishes
//           inferred    adding, removing, reordering and resizing ask for layout

import Foundation

extension UIView {
    final func markForLayout() {
        wantsLayout = true
        treeWantsLayout = true
        var view = parent
        while let current = view, !current.treeWantsLayout {
            current.treeWantsLayout = true
            view = current.parent
        }
    }

    final func layoutFromTop() {
        var top = self
        while let parent = top.parent, parent.wantsLayout { top = parent }
        top.layoutTree()
    }

    /// Lays out what has asked for it, from here inwards.
    ///
    /// What asks again once its turn is over is heard at the next commit, or an app could hold its loop for ever.
    final func layoutTree() {
        guard treeWantsLayout else { return }
        if wantsLayout {
            wantsLayout = false
            controller?.viewWillLayoutSubviews()
            layoutSubviews()
            controller?.viewDidLayoutSubviews()
        }
        treeWantsLayout = wantsLayout
        for child in children { child.layoutTree() }
    }
}
