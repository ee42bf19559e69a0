// HitIndexTests.swift: when hit tests use an index, and what ends it.
//
// MonkeyTests compares the results of the index with those of the walk.

import Basics
import HID
import Testing
import TouchlineTesting
import Trace
import UIKit

@Suite("the index of hit tests")
struct HitIndexTests {
    /// A window with a column of ten views of 100 × 50 points, each with one subview of 50 × 50.
    private struct Column {
        let app: UIApplication
        let window: UIWindow
        var rows: [UIView] = []

        init() {
            var settings = UIKitSettings()
            settings.hitIndex = .always
            let app = UIApplication(settings: settings)
            window = UIApplication.run(as: app) { UIWindow(frame: CGRect(x: 0, y: 0, width: 375, height: 667)) }
            window.isHidden = false
            self.app = app
            app.trace.isEnabled = false
            for row in 0..<10 {
                let view = UIView(frame: CGRect(x: 0, y: row * 50, width: 100, height: 50))
                view.addSubview(UIView(frame: CGRect(x: 0, y: 0, width: 50, height: 50)))
                window.addSubview(view)
                rows.append(view)
            }
        }

        func hit(_ x: Double, _ y: Double) -> UIView? { window.hitTest(CGPoint(x: x, y: y), with: nil) }
        var isIndexed: Bool { window.hasHitIndex }

        /// Runs `body` as the application's code at a time, without a main loop.
        func run<Result>(at seconds: Double = 0, _ body: () -> Result) -> Result {
            app.now = Instant(seconds: seconds)
            return UIApplication.run(as: app, body)
        }
    }

    @Test("an index finds the frontmost view, with half-open edges")
    func finds() {
        let column = Column()
        #expect(column.hit(25, 60) === column.rows[1].subviews[0])
        #expect(column.isIndexed)
        #expect(column.hit(50, 60) === column.rows[1])
        #expect(column.hit(50.nextDown, 50) === column.rows[1].subviews[0])
        #expect(column.hit(0, 100) === column.rows[2].subviews[0])
        #expect(column.hit(100, 60) === column.window)
        #expect(column.hit(0, 500) === column.window)
    }

    @Test("a view that moves is found at its new position, with the same index")
    func moves() {
        let column = Column()
        _ = column.hit(25, 60)
        column.rows[1].frame.origin = CGPoint(x: 200, y: 300)
        #expect(column.isIndexed)
        #expect(column.hit(25, 60) === column.window)
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
        column.window.addSubview(scroll)
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
        let top = UIView(frame: column.window.bounds)
        let other = column.run { UIWindow(frame: column.window.bounds) }
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
            column.window.bringSubviewToFront(column.rows[0])
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
        column.run { UIView.animate(withDuration: 2) { column.rows[1].alpha = 0.9 } }
        #expect(column.hit(25, 60) === column.window)
        #expect(column.isIndexed)
        column.run(at: 1.999) {}
        #expect(column.hit(25, 60) === column.window)
        column.run(at: 2) {}
        #expect(column.hit(25, 60) === column.rows[1].subviews[0])
        column.run(at: 1) {}
        #expect(column.hit(25, 60) === column.window)
    }

    @Test("an index of many levels finds the view that a walk finds", arguments: [600, 5000, 20_000], [0, 1, 2])
    func levels(count: Int, kind: Int) {
        var random = SeededGenerator(seed: UInt64(count + kind))
        func number(_ limit: Double) -> Double { Double(random.next() >> 11) * 0x1p-53 * limit }
        let frames = (0..<count).map { index in
            switch kind {
            // Beside each other, anywhere, and around each other.
            case 0: CGRect(x: index % 25 * 15, y: index / 25 % 44 * 15, width: 14, height: 14)
            case 1: CGRect(x: number(360), y: number(650), width: number(60), height: number(60))
            default:
                CGRect(
                    x: 187 * Double(index) / Double(count), y: 333 * Double(index) / Double(count),
                    width: 375 - 374 * Double(index) / Double(count), height: 667 - 666 * Double(index) / Double(count))
            }
        }
        let windows = [HitIndexPolicy.always, .never].map { use in
            var settings = UIKitSettings()
            settings.hitIndex = use
            let app = UIApplication(settings: settings)
            app.trace.isEnabled = false
            return UIApplication.run(as: app) {
                let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 375, height: 667))
                window.isHidden = false
                for (tag, frame) in frames.enumerated() {
                    let view = UIView(frame: frame)
                    view.tag = tag + 1
                    window.addSubview(view)
                }
                return (app, window)
            }
        }
        for _ in 0..<200 {
            let point = CGPoint(x: number(375), y: number(667))
            let tags = windows.map { $0.1.hitTest(point, with: nil)?.tag }
            #expect(tags[0] == tags[1], "\(point)")
        }
        #expect(windows[0].1.hasHitIndex && !windows[1].1.hasHitIndex)
    }

    @Test("an override is called in its order, with the walk's point")
    func overrides() {
        let column = Column()
        let probe = ProbeView("P", CGRect(x: 10, y: 10, width: 20, height: 20), Log())
        column.rows[3].addSubview(probe)
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
        column.app.trace.isEnabled = true
        let landing = TouchContact(touch: TouchID(rawValue: 0), phase: .began, at: Point(25, 60))
        _ = column.run { column.app.deliver(TouchFrame(timeStamp: .boot, contacts: [landing])) }
        #expect(!column.isIndexed)
        let facts = column.app.trace.facts.map { $0.text(names: column.app.trace.names) }
        #expect(facts.contains { $0.hasSuffix("after testing 11 views") }, "\(facts)")
    }

    @Test("by default an index is made when walks have cost its price")
    func price() {
        let stage = Stage()
        stage.run { stage.app.trace.isEnabled = false }
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
        weak let window = column!.window
        column = nil
        #expect(window == nil)
        row.frame.origin.x = 5
        row.subviews[0].isHidden = true
        #expect(row.hitTest(CGPoint(x: 1, y: 1), with: nil) === row)
    }
}
