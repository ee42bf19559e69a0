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
        let second = try next(&flow, [(1, tree(["a", "x", "c"]))])
        #expect(
            second.number == 2 && !second.isWhole && second.changes[0].order == nil
                && second.changes[0].views.map(\.text) == ["x"])
    }

    @Test("with two pictures to draw, what changes meanwhile comes as one")
    func merged() throws {
        var flow = PictureFlow()
        _ = try next(&flow, [(1, tree(["a"]))])
        _ = try next(&flow, [(1, tree(["b"]))])
        #expect(flow.outstanding == 2 && !flow.isOpen)
        for text in ["c", "d", "e"] {
            let silent = isSilent(&flow, [(1, tree([text]))])
            #expect(silent)
        }
        flow.noteDrawn(1)
        let third = try next(&flow, [(1, tree(["e"]))])
        #expect(third.number == 3 && third.changes[0].views.map(\.text) == ["e"])
        // A number that was never sent opens nothing.
        flow.noteDrawn(99)
        #expect(flow.outstanding == 2)
        flow.noteDrawn(3)
        flow.noteDrawn(1)
        #expect(flow.outstanding == 0)
    }

    @Test("an app that has ended is shown as gone, once")
    func ended() throws {
        var flow = PictureFlow()
        _ = try next(&flow, [(1, tree(["a"])), (2, tree(["b"]))])
        let picture = try next(&flow, [(2, tree(["b"]))])
        #expect(picture.changes.map(\.app) == [1] && picture.changes[0].scene == nil)
        flow.noteDrawn(2)
        let isDone = isSilent(&flow, [(2, tree(["b"]))])
        #expect(isDone)
    }

    @Test("after a reset the next picture is whole, whatever was on its way")
    func reset() throws {
        var flow = PictureFlow()
        _ = try next(&flow, [(1, tree(["a"]))])
        _ = try next(&flow, [(1, tree(["b"]))])
        flow.reset()
        let picture = try next(&flow, [(1, tree(["b"]))])
        #expect(
            picture.number == 3 && picture.isWhole && picture.changes[0].order == [0]
                && picture.changes[0].views.count == 1)
    }
}
