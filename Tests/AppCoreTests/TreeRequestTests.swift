import AppCore
import Basics
import Foundation
import Hosting
import Testing
import UIKit
import ViewTrees
import Wire

@Suite("Requests for an app's view tree")
struct TreeRequestTests {
    private func pages(_ stage: Stage) -> [FactPage] {
        stage.effects.compactMap { effect in
            guard case .send(let frame, to: .supervisor) = effect, case .facts(let page) = frame.message else {
                return nil
            }
            return page
        }
    }

    /// Asks for pages from the first line to the last.
    private func allLines(_ stage: Stage, id: UInt32 = 3) throws -> (lines: [String], pages: Int) {
        var lines: [String] = []
        var count = 0
        while true {
            stage.forgetEffects()
            stage.ask(.observe(Observation(id: id, kind: .tree, of: .app(1), from: UInt64(lines.count))))
            let page = try #require(pages(stage).last)
            #expect(page.first == UInt64(lines.count) && page.facts.isEmpty)
            lines += page.words
            count += 1
            guard page.hasMore else { return (lines, count) }
        }
    }

    @Test("an app answers a request for its tree without an observer")
    func answered() throws {
        let stage = try Stage()
        let (lines, pages) = try allLines(stage)
        let tree = try ViewTree(lines: lines)
        #expect(pages == 1)
        #expect(tree.state == .active)
        #expect(tree.views.map(\.kind) == ["UIWindow", "UIView"])
        #expect(tree.views.allSatisfy { $0.touchTarget == nil })
    }

    @Test("a tree of 10,000 views comes in pages of one moment")
    func pages() throws {
        let stage = try Stage()
        let window = try #require(stage.application.windows.first)
        UIApplication.run(as: stage.application) {
            for index in 0..<10_000 {
                let view = UIView(
                    frame: CGRect(x: CGFloat(index % 300), y: CGFloat(index % 600), width: 44, height: 44))
                view.accessibilityIdentifier = "view \(index)"
                window.addSubview(view)
            }
        }
        stage.ask(.observe(Observation(id: 3, kind: .tree, of: .app(1))))
        let first = try #require(pages(stage).last)
        #expect(first.hasMore && first.words.count <= 4096)
        // A later change is not in the pages of this tree.
        UIApplication.run(as: stage.application) { window.subviews.last?.removeFromSuperview() }
        stage.forgetEffects()
        stage.ask(.observe(Observation(id: 3, kind: .tree, of: .app(1), from: UInt64(first.words.count))))
        #expect(try #require(pages(stage).last).words.count > 0)
        let (lines, count) = try allLines(stage)
        #expect(count > 3)
        #expect(try ViewTree(lines: lines).views.count == 10_001)
    }

    @Test("pages of two observers do not mix")
    func observers() throws {
        let stage = try Stage()
        let first = try allLines(stage, id: 1).lines
        #expect(try allLines(stage, id: 2).lines == first)
        // A line that no kept tree has is answered with an empty page.
        stage.forgetEffects()
        stage.ask(.observe(Observation(id: 1, kind: .tree, of: .app(1), from: 5000)))
        let page = try #require(pages(stage).last)
        #expect(page.words.isEmpty && !page.hasMore)
    }

    @Test("a request for touch targets finds where a touch reaches a view")
    func targets() throws {
        let stage = try Stage()
        let window = try #require(stage.application.windows.first)
        window.subviews.first?.accessibilityIdentifier = "log"
        stage.ask(.observe(Observation(id: 3, kind: .touchTargets, of: .app(1))))
        let tree = try ViewTree(lines: #require(pages(stage).last).words)
        #expect(tree.views.last?.touchTarget == .position(ViewTree.Position(x: 187.5, y: 333.5)))
    }
}
