// SharedFingersTests.swift: when a page learns where the fingers of other pages are.

import Inspector
import Testing
import ViewTrees

@Suite("Fingers of other pages")
struct SharedFingersTests {
    private func tree(isSecure: Bool, depth: Int = 0) -> ViewTree {
        let frame = ViewTree.Frame(x: 0, y: 0, width: 375, height: 667)
        var tree = ViewTree(state: .active, sceneFrame: frame)
        var view = ViewTree.View(identity: 1, depth: depth, className: "UIWindow", kind: "UIWindow", frame: frame)
        view.isSecure = isSecure
        tree.views = [view]
        return tree
    }

    @Test("fingers are shared only while every app has shown its windows and none is secure")
    func rule() {
        #expect(SharedFingers.areShown(over: []))
        #expect(SharedFingers.areShown(over: [tree(isSecure: false), tree(isSecure: false)]))
        #expect(!SharedFingers.areShown(over: [tree(isSecure: false), tree(isSecure: true)]))
        #expect(!SharedFingers.areShown(over: [tree(isSecure: false), nil]))
        // A secure text field has no text, and its window's positions may be known.
        #expect(SharedFingers.areShown(over: [tree(isSecure: true, depth: 2)]))
    }
}
