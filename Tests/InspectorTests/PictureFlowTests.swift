import Basics
import Runs
import Testing
import ViewTrees
import Wire

@testable import Inspector

@Suite("The pictures of a browser")
struct PictureFlowTests {
    private func tree(_ texts: [String]) -> ViewTree {
        var tree = ViewTree(state: .active, sceneFrame: ViewTree.Frame(x: 0, y: 0, width: 100, height: 200))
        tree.views = texts.enumerated().map { index, text in
            var view = ViewTree.View(
                identity: UInt32(index), depth: index == 0 ? 0 : 1, className: "UILabel", kind: "UILabel",
                frame: ViewTree.Frame(x: 0, y: 0, width: 10, height: 10))
            view.text = text
            return view
        }
        return tree
    }

    private let now = Instant(nanoseconds: 5)

    private func next(
        _ flow: inout PictureFlow, _ trees: [(app: AppID, tree: ViewTree)]
    ) throws -> PictureFlow.Picture {
        let picture = flow.picture(of: trees, at: now)
        return try #require(picture)
    }

    private func isSilent(_ flow: inout PictureFlow, _ trees: [(app: AppID, tree: ViewTree)]) -> Bool {
        flow.picture(of: trees, at: now) == nil
    }

    @Test("the first picture is whole, and the next has what changed")
    func differences() throws {
        var flow = PictureFlow()
        let first = try next(&flow, [(1, tree(["a", "b", "c"]))])
        #expect(first.number == 1 && first.changes.count == 1 && first.isWhole)
        #expect(first.changes[0].order == [0, 1, 2] && first.changes[0].views.map(\.text) == ["a", "b", "c"])
        let isDone = isSilent(&flow, [(1, tree(["a", "b", "c"]))])
        #expect(isDone)
        let none = flow.noteDrawn(1)
        #expect(none == nil)
        let second = try next(&flow, [(1, tree(["a", "x", "c"]))])
        #expect(
            second.number == 2 && !second.isWhole && second.changes[0].order == nil
                && second.changes[0].views.map(\.text) == ["x"])
    }

    @Test("while a picture is on its way, what changes comes as one when it is drawn")
    func merged() throws {
        var flow = PictureFlow()
        _ = try next(&flow, [(1, tree(["a"]))])
        #expect(!flow.isOpen)
        for text in ["b", "c", "d"] {
            let silent = isSilent(&flow, [(1, tree([text]))])
            #expect(silent)
        }
        // A number that was never sent opens nothing.
        let ofNone = flow.noteDrawn(99)
        #expect(ofNone == nil && !flow.isOpen)
        let drawn = flow.noteDrawn(1)
        let second = try #require(drawn)
        #expect(second.number == 2 && second.changes[0].views.map(\.text) == ["d"] && !flow.isOpen)
        // The browser has drawn the first long ago.
        let again = flow.noteDrawn(1)
        #expect(again == nil && !flow.isOpen)
        // Nothing has changed since.
        let silent = isSilent(&flow, [(1, tree(["d"]))])
        let last = flow.noteDrawn(2)
        #expect(silent && last == nil && flow.isOpen)
    }

    @Test("an app that has ended is shown as gone, once")
    func ended() throws {
        var flow = PictureFlow()
        _ = try next(&flow, [(1, tree(["a"])), (2, tree(["b"]))])
        _ = flow.noteDrawn(1)
        let picture = try next(&flow, [(2, tree(["b"]))])
        #expect(picture.changes.map(\.app) == [1] && picture.changes[0].scene == nil)
        _ = flow.noteDrawn(2)
        let isDone = isSilent(&flow, [(2, tree(["b"]))])
        #expect(isDone)
    }

    @Test("after a reset the next picture is whole, whatever was on its way")
    func reset() throws {
        var flow = PictureFlow()
        _ = try next(&flow, [(1, tree(["a"]))])
        let silent = isSilent(&flow, [(1, tree(["b"]))])
        flow.reset()
        let late = flow.noteDrawn(1)
        #expect(silent && late == nil)
        let picture = try next(&flow, [(1, tree(["b"]))])
        #expect(
            picture.number == 2 && picture.isWhole && picture.changes[0].order == [0]
                && picture.changes[0].views.count == 1)
    }
}
