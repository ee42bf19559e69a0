import HID
import Testing
import TouchlineTesting
import Trace
import UIKit

/// T0 of Docs/Spec/Semantics.md section 0.6: A ⊃ [B ⊃ D, C ⊃ [E, F]].
private struct T0 {
    let stage = Stage()
    let a, b, c, d, e, f: ProbeView
    init() {
        a = stage.view("A", 0, 0, 375, 667)
        b = stage.view("B", 20, 60, 335, 240, in: a)
        d = stage.view("D", 20, 20, 200, 100, in: b)
        c = stage.view("C", 20, 340, 335, 280, in: a)
        e = stage.view("E", 20, 20, 140, 100, in: c)
        f = stage.view("F", 175, 20, 140, 100, in: c)
        for view in [a, b, c, d, e, f] { view.logsHitTest = true }
    }
}

@Suite("Hit test")
struct HitTestTests {
    @Test("S01, S02: the hit test runs twice, last subview first")
    func walks() {
        let t = T0()
        t.e.forwards = false
        t.stage.frame(.down(1, 110, 410))
        let pass = [
            "hitTest> A", "pointInside> A", "pointInside< A yes",
            "hitTest> C", "pointInside> C", "pointInside< C yes",
            "hitTest> F", "pointInside> F", "pointInside< F no", "hitTest< F -> nil",
            "hitTest> E", "pointInside> E", "pointInside< E yes", "hitTest< E -> E",
            "hitTest< C -> E", "hitTest< A -> E",
        ]
        #expect(t.stage.log.drain() == pass + pass + ["touchesBegan E"])
        t.stage.frame(.move(1, 111, 411))
        t.stage.frame(.up(1))
        #expect(t.stage.log.drain() == ["touchesMoved E", "touchesEnded E"])
    }

    @Test("the hit test runs once if the setting says one")
    func onePass() {
        let stage = Stage(settings: [("hitTest.passes", "1")])
        let view = stage.view("V", 0, 0, 100, 100)
        view.logsHitTest = true
        stage.frame(.down(1, 50, 50))
        #expect(stage.log.lines.filter { $0 == "hitTest> V" }.count == 1)
    }

    @Test("the second hit test decides when two differ")
    func lastPassBinds() {
        let stage = Stage()
        let back = stage.view("back", 0, 0, 100, 100)
        let front = stage.view("front", 0, 0, 100, 100)
        var asked = 0
        front.answersInside = { _ in
            asked += 1
            return asked == 1
        }
        stage.frame(.down(1, 50, 50))
        #expect(stage.app.touchTracker.liveTouches.first?.view === back)
    }

    @Test("S03: a hit test's event has a timestamp but no touches")
    func eventInHitTest() {
        let stage = Stage()
        let view = stage.view("V", 0, 0, 100, 100)
        var seen: [(Double, Int)] = []
        view.onHitTest = { _, event in
            seen.append((stage.seconds(of: event?.timestamp ?? -1), event?.allTouches?.count ?? -1))
        }
        stage.frame(.down(1, 50, 50), at: 12.5)
        #expect(seen.map(\.0) == [12.5, 12.5] && seen.map(\.1) == [0, 0])
    }

    @Test("S09: the later sibling is asked first and can end the search")
    func siblings() {
        let stage = Stage()
        let (v1, v2) = (stage.view("touchView1", 50, 100, 200, 200), stage.view("touchView2", 100, 150, 200, 200))
        v1.logsHitTest = true
        v2.logsHitTest = true
        stage.frame(.down(1, 150, 200))
        #expect(stage.log.lines.first == "hitTest> touchView2")
        #expect(!stage.log.lines.contains("hitTest> touchView1"))
    }

    @Test("S10: a view without handlers is hit, and its superview responds")
    func withoutHandler() {
        let stage = Stage()
        let v1 = stage.view("V1", 50, 200, 275, 250)
        let v2 = UIView(frame: CGRect(x: 60, y: 60, width: 155, height: 130))
        v1.addSubview(v2)
        var view: UIView?
        v1.onTouches = { touches, _ in view = touches.first?.view }
        stage.frame(.down(1, 187.5, 325))
        #expect(stage.log.drain() == ["touchesBegan V1"])
        #expect(view === v2)
    }

    @Test("S12: point(inside:) enlarges a view within its superview")
    func enlarged() {
        let stage = Stage()
        let root = stage.view("root", 0, 0, 375, 667)
        let b = stage.view("b", 100, 100, 100, 40, in: root)
        b.forwards = false
        b.answersInside = {
            b.bounds.inset(by: UIEdgeInsets(top: -10, left: -10, bottom: -10, right: -10)).contains($0)
        }
        stage.tap(95, 95)
        stage.tap(85, 95, at: 5)
        #expect(
            stage.log.drain() == ["touchesBegan b", "touchesEnded b", "touchesBegan root", "touchesEnded root"])
    }

    @Test("S13: a view that disables itself during the hit test is skipped")
    func passThrough() {
        let stage = Stage()
        let v1 = stage.view("V1", 0, 0, 200, 200)
        let v2 = stage.view("V2", 0, 0, 100, 100, in: v1)
        v2.onHitTest = { [unowned v2] _, _ in v2.isUserInteractionEnabled = false }
        stage.frame(.down(1, 50, 50))
        #expect(stage.log.drain() == ["touchesBegan V1"])
        #expect(!v2.isUserInteractionEnabled)
    }

    @Test(
        "S14: hidden, transparent and non-interactive views are not hit",
        arguments: [
            ("hidden", false), ("alpha 0.009", false), ("alpha 0.01", true), ("not interactive", false),
            ("plain", true),
        ])
    func eligibility(_ kind: String, _ isHit: Bool) {
        let stage = Stage()
        let p = stage.view("P", 0, 0, 200, 200)
        let x = stage.view("X", 0, 0, 100, 100, in: p)
        let inner = stage.view("inner", 0, 0, 50, 50, in: x)
        x.logsHitTest = true
        inner.logsHitTest = true
        switch kind {
        case "hidden": x.isHidden = true
        case "alpha 0.009": x.alpha = 0.009
        case "alpha 0.01": x.alpha = 0.01
        case "not interactive": x.isUserInteractionEnabled = false
        default: break
        }
        stage.frame(.down(1, 80, 80))
        #expect(stage.app.touchTracker.liveTouches.first?.view === (isHit ? x : p))
        #expect(stage.log.lines.contains("pointInside> X") == isHit)
        #expect(stage.log.lines.contains("hitTest> inner") == isHit)
    }

    @Test("S14: a hidden superview hides its subviews from touches")
    func hiddenAncestor() {
        let stage = Stage()
        let p = stage.view("P", 0, 0, 200, 200)
        stage.view("X", 0, 0, 100, 100, in: p)
        p.isHidden = true
        stage.frame(.down(1, 50, 50))
        #expect(stage.app.touchTracker.liveTouches.first?.view === stage.window)
    }

    @Test("S14: labels and image views ignore touches until enabled")
    func labels() {
        let stage = Stage()
        let p = stage.view("P", 0, 0, 200, 200)
        for view in [UILabel(), UIImageView()] as [UIView] {
            view.frame = p.bounds
            p.addSubview(view)
            #expect(stage.window.hitTest(CGPoint(x: 50, y: 50), with: nil) === p)
            view.isUserInteractionEnabled = true
            #expect(stage.window.hitTest(CGPoint(x: 50, y: 50), with: nil) === view)
            view.removeFromSuperview()
        }
    }

    @Test("S15: a point outside the superview never hits, clipped or not", arguments: [false, true])
    func clipping(_ clips: Bool) {
        let stage = Stage()
        let p = stage.view("P", 100, 100, 100, 100)
        stage.view("X", 80, 80, 100, 100, in: p)
        p.clipsToBounds = clips
        #expect(stage.window.hitTest(CGPoint(x: 250, y: 250), with: nil) === stage.window)
        #expect(stage.window.hitTest(CGPoint(x: 190, y: 190), with: nil)?.accessibilityIdentifier == "X")
    }

    @Test("a view contains its left and top edges only")
    func halfOpen() {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 50))
        #expect(view.point(inside: .zero, with: nil))
        #expect(view.point(inside: CGPoint(x: 99.9, y: 49.9), with: nil))
        #expect(!view.point(inside: CGPoint(x: 100, y: 10), with: nil))
        #expect(!view.point(inside: CGPoint(x: 10, y: 50), with: nil))
        #expect(!view.point(inside: CGPoint(x: -0.1, y: 10), with: nil))
        view.bounds.origin = CGPoint(x: 1000, y: 1000)
        #expect(!view.point(inside: CGPoint(x: 50, y: 25), with: nil))
        #expect(view.point(inside: CGPoint(x: 1050, y: 1025), with: nil))
    }

    @Test("the hit test converts points through turned and scrolled views")
    func throughTransforms() {
        let root = UIView(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
        let turned = UIView(frame: CGRect(x: 100, y: 100, width: 100, height: 100))
        turned.transform = CGAffineTransform(rotationAngle: .pi / 2).scaledBy(x: 2, y: 2)
        let child = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        root.addSubview(turned)
        turned.addSubview(child)
        // The child's corner is at (250, 50) in the root: the top left corner of `turned` goes to the top right.
        #expect(root.hitTest(CGPoint(x: 245, y: 55), with: nil) === child)
        #expect(root.hitTest(CGPoint(x: 55, y: 55), with: nil) === turned)
        #expect(root.hitTest(CGPoint(x: 45, y: 55), with: nil) === root)
        turned.bounds.origin = CGPoint(x: 50, y: 0)
        #expect(root.hitTest(CGPoint(x: 245, y: 55), with: nil) === turned)
    }

    @Test("S16: the hit test asks windows by level, then by showing")
    func windows() {
        final class Window: UIWindow {
            var log: Log?
            var name = ""
            override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
                let hit = super.hitTest(point, with: event)
                log?.add("\(name) \(hit == nil ? "nil" : "hit")")
                return hit
            }
        }
        let stage = Stage(window: { Window(frame: $0) })
        func window(_ name: String, x: Double) -> Window {
            let window = stage.run { Window(frame: CGRect(x: x, y: 0, width: 375 - x, height: 667)) }
            (window.name, window.log) = (name, stage.log)
            return window
        }
        let w1 = stage.window as! Window
        (w1.name, w1.log) = ("W1", stage.log)
        let (w2, w3) = (window("W2", x: 187.5), window("W3", x: 0))
        w2.isHidden = false
        w3.windowLevel = .alert
        stage.frame(.down(1, 300, 100))
        #expect(stage.log.drain() == ["W2 hit", "W2 hit"])
        stage.frame(.up(1))
        // W1 is the key window, which changes nothing.
        #expect(stage.app.keyWindow === w1)
        stage.frame(.down(1, 50, 100))
        #expect(stage.log.drain() == ["W2 nil", "W1 hit", "W2 nil", "W1 hit"])
        stage.frame(.up(1))
        w3.isHidden = false
        stage.frame(.down(1, 300, 100))
        #expect(stage.log.drain() == ["W3 hit", "W3 hit"])
        stage.frame(.up(1))
        w3.isUserInteractionEnabled = false
        stage.run { w1.makeKeyAndVisible() }
        stage.frame(.down(1, 300, 100))
        #expect(stage.log.drain() == ["W1 hit", "W1 hit"])
        #expect(stage.app.windows == [w2, w1, w3])
    }

    @Test("a window away from the origin reports its own coordinates")
    func movedWindow() {
        let stage = Stage(window: { _ in UIWindow(frame: CGRect(x: 100, y: 200, width: 200, height: 200)) })
        let view = stage.view("V", 10, 10, 50, 50)
        var places: [CGPoint] = []
        view.onTouches = { touches, _ in
            places = [touches.first!.location(in: nil), touches.first!.location(in: view)]
        }
        stage.frame(.down(1, 120, 230))
        #expect(places == [CGPoint(x: 20, y: 30), CGPoint(x: 10, y: 20)])
        stage.frame(.down(2, 50, 50))
        #expect(stage.app.touchTracker.liveTouches.count == 1)
    }

    @Test("S17: a finger outside all windows has no touch")
    func noView() {
        let stage = Stage(window: { _ in UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100)) })
        stage.view("V", 0, 0, 100, 100)
        #expect(stage.frame(.down(1, 300, 300)) == TouchCounts())
        #expect(stage.frame(.move(1, 50, 50)) == TouchCounts())
        #expect(stage.frame(.up(1)) == TouchCounts())
        #expect(stage.log.lines.isEmpty)
        #expect(
            stage.facts(.event, .hitTest) == [
                "touch 0 began at (300.0, 300.0)", "touch 0 → nothing, after testing 1 views",
                "touch 0 dropped: moved, never began here", "touch 0 dropped: ended, never began here",
            ])
    }

    @Test("the view tree may change during the hit test")
    func changedWhileAsked() {
        let stage = Stage()
        let p = stage.view("P", 0, 0, 200, 200)
        let x = stage.view("X", 0, 0, 100, 100, in: p)
        let y = stage.view("Y", 100, 100, 10, 10, in: p)
        y.onHitTest = { _, _ in x.removeFromSuperview() }
        stage.frame(.down(1, 50, 50))
        #expect(stage.app.touchTracker.liveTouches.first?.view === p)
    }
}
