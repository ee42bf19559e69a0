// HitIndexTests.swift: when hit tests use an index, and what ends it.
//
// MonkeyTests compares the results of the index with those of the walk.

import Testbed
import Testing
import Trace
import UIKit

@Suite("the index of hit tests")
struct HitIndexTests {
    /// A window with a column of ten views of 100 × 50 points, each with one subview of 50 × 50.
    private struct Column {
        let stage = Stage(settings: { $0.hitIndex = .always })
        var rows: [UIView] = []

        init() {
            stage.app.trace.isEnabled = false
            for row in 0..<10 {
                let view = UIView(frame: CGRect(x: 0, y: row * 50, width: 100, height: 50))
                view.addSubview(UIView(frame: CGRect(x: 0, y: 0, width: 50, height: 50)))
                stage.window.addSubview(view)
                rows.append(view)
            }
        }

        func hit(_ x: Double, _ y: Double) -> UIView? { stage.window.hitTest(CGPoint(x: x, y: y), with: nil) }
        var isIndexed: Bool { stage.window.hasHitIndex }
    }

    @Test("an index finds the frontmost view, with half-open edges")
    func finds() {
        let column = Column()
        #expect(column.hit(25, 60) === column.rows[1].subviews[0])
        #expect(column.isIndexed)
        #expect(column.hit(50, 60) === column.rows[1])
        #expect(column.hit(50.nextDown, 50) === column.rows[1].subviews[0])
        #expect(column.hit(0, 100) === column.rows[2].subviews[0])
        #expect(column.hit(100, 60) === column.stage.window)
        #expect(column.hit(0, 500) === column.stage.window)
    }

    @Test("a view that moves is found at its new position, with the same index")
    func moves() {
        let column = Column()
        _ = column.hit(25, 60)
        column.rows[1].frame.origin = CGPoint(x: 200, y: 300)
        #expect(column.isIndexed)
        #expect(column.hit(25, 60) === column.stage.window)
        #expect(column.hit(225, 325) === column.rows[1].subviews[0])
        column.rows[1].transform = CGAffineTransform(rotationAngle: .pi)
        #expect(column.hit(275, 325) === column.rows[1].subviews[0])
        #expect(column.hit(225, 325) === column.rows[1])
        #expect(column.isIndexed)
    }

    @Test("content that scrolls leaves the index of its window valid")
    func scrolls() {
        let column = Column()
        let scroll = UIScrollView(frame: CGRect(x: 200, y: 0, width: 100, height: 100))
        for row in 0..<100 {
            scroll.addSubview(UIView(frame: CGRect(x: 0, y: row * 50, width: 100, height: 50)))
        }
        column.stage.window.addSubview(scroll)
        #expect(column.hit(250, 10) === scroll.subviews[0])
        scroll.contentOffset.y = 1000
        #expect(column.isIndexed && scroll.hasHitIndex)
        #expect(column.hit(250, 10) === scroll.subviews[20])
        #expect(column.isIndexed && scroll.hasHitIndex)
    }

    @Test(
        "a change of the tree or of what ignores touches ends an index",
        arguments: ["add", "remove", "order", "hide", "fade", "disable", "move to another window"])
    func ends(_ change: String) {
        let column = Column()
        #expect(column.hit(25, 60) === column.rows[1].subviews[0])
        let top = UIView(frame: column.stage.window.bounds)
        let other = column.stage.run { UIWindow(frame: column.stage.window.bounds) }
        var expected: UIView = column.rows[1]
        switch change {
        case "add":
            column.rows[1].addSubview(top)
            expected = top
        case "remove": column.rows[1].subviews[0].removeFromSuperview()
        case "order":
            // The first row covers the second one.
            column.rows[0].frame.size.height = 100
            #expect(column.hit(75, 60) === column.rows[1])
            column.stage.window.bringSubviewToFront(column.rows[0])
            expected = column.rows[0]
        case "hide": column.rows[1].subviews[0].isHidden = true
        case "fade": column.rows[1].subviews[0].alpha = 0.005
        case "disable": column.rows[1].subviews[0].isUserInteractionEnabled = false
        default: other.addSubview(column.rows[1].subviews[0])
        }
        #expect(!column.isIndexed)
        #expect(column.hit(25, 60) === expected)
        #expect(column.isIndexed)
    }

    @Test("an animation that ends makes its view hittable")
    func animations() {
        let column = Column()
        column.stage.run { UIView.animate(withDuration: 2) { column.rows[1].alpha = 0.9 } }
        #expect(column.hit(25, 60) === column.stage.window)
        #expect(column.isIndexed)
        column.stage.run(at: 1.999) {}
        #expect(column.hit(25, 60) === column.stage.window)
        column.stage.run(at: 2) {}
        #expect(column.hit(25, 60) === column.rows[1].subviews[0])
        column.stage.run(at: 1) {}
        #expect(column.hit(25, 60) === column.stage.window)
    }

    @Test("an override is called in its order, with the walk's point")
    func overrides() {
        let column = Column()
        let probe = column.stage.view("P", 10, 10, 20, 20, in: column.rows[3])
        var points: [CGPoint] = []
        probe.onHitTest = { point, _ in points.append(point) }
        #expect(column.hit(25, 60) === column.rows[1].subviews[0])
        #expect(points.isEmpty)
        #expect(column.hit(15, 165) === probe)
        #expect(column.hit(40, 165) === column.rows[3].subviews[0])
        #expect(points == [CGPoint(x: 5, y: 5), CGPoint(x: 30, y: 5)])
        #expect(column.isIndexed)
    }

    @Test("an observed hit test walks, and counts the views")
    func observed() {
        let column = Column()
        column.stage.app.trace.isEnabled = true
        column.stage.frame(.down(1, 25, 60))
        #expect(!column.isIndexed)
        #expect(
            column.stage.facts(.hitTest).contains { $0.hasSuffix("after testing 11 views") },
            "\(column.stage.facts(.hitTest))")
    }

    @Test("by default an index is made when walks have cost its price")
    func price() {
        let stage = Stage()
        stage.app.trace.isEnabled = false
        for row in 0..<400 { stage.window.addSubview(UIView(frame: CGRect(x: 0, y: row, width: 100, height: 1))) }
        var taps = 0
        while !stage.window.hasHitIndex, taps < 1000 {
            stage.tap(50, 20, at: Double(taps))
            taps += 1
        }
        #expect((4...40).contains(taps), "\(taps) taps")
        stage.window.subviews[0].removeFromSuperview()
        stage.tap(50, 20, at: 2000)
        #expect(!stage.window.hasHitIndex)
    }

    @Test("a view that left its window keeps nothing of the index alive")
    func leaves() {
        var column: Column? = Column()
        let row = column!.rows[2]
        _ = column!.hit(25, 60)
        weak let window = column!.stage.window
        column = nil
        #expect(window == nil)
        row.frame.origin.x = 5
        row.subviews[0].isHidden = true
        #expect(row.hitTest(CGPoint(x: 1, y: 1), with: nil) === row)
    }
}
