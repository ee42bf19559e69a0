import Testing
import UIKit

private final class Telling: UIView {
    let name: String
    let log: Log
    init(_ name: String, _ log: Log) {
        self.name = name
        self.log = log
        super.init(frame: .zero)
    }
    required init?(coder: NSCoder) { nil }

    override func willMove(toSuperview newSuperview: UIView?) {
        log.add("\(name) willMove(toSuperview: \((newSuperview as? Telling)?.name ?? "nil"))")
    }
    override func didMoveToSuperview() { log.add("\(name) didMoveToSuperview") }
    override func willMove(toWindow newWindow: UIWindow?) {
        log.add("\(name) willMove(toWindow: \(newWindow == nil ? "nil" : "window"))")
    }
    override func didMoveToWindow() { log.add("\(name) didMoveToWindow \(window == nil ? "nil" : "window")") }
    override func didAddSubview(_ subview: UIView) {
        log.add("\(name) didAddSubview(\((subview as? Telling)?.name ?? "?"))")
    }
    override func willRemoveSubview(_ subview: UIView) {
        let there = subviews.contains(subview)
        log.add("\(name) willRemoveSubview(\((subview as? Telling)?.name ?? "?"))\(there ? "" : " too late")")
    }
}

@Suite("UIView tree")
struct TreeTests {
    let log = Log()
    private func view(_ name: String) -> Telling { Telling(name, log) }

    @Test("a view has one superview, and subviews lie back to front")
    func order() {
        let (p, a, b, c) = (UIView(), UIView(), UIView(), UIView())
        for view in [a, b, c] { p.addSubview(view) }
        #expect(p.subviews == [a, b, c])
        let q = UIView()
        q.addSubview(b)
        #expect(p.subviews == [a, c] && b.superview === q)
    }

    @Test("subviews can be inserted at, above, below and beyond the end")
    func insertion() {
        let (p, a, b, c) = (UIView(), UIView(), UIView(), UIView())
        p.addSubview(a)
        p.insertSubview(b, at: 0)
        #expect(p.subviews == [b, a])
        p.insertSubview(c, aboveSubview: b)
        #expect(p.subviews == [b, c, a])
        let (d, e) = (UIView(), UIView())
        p.insertSubview(d, belowSubview: b)
        #expect(p.subviews == [d, b, c, a])
        p.insertSubview(e, at: 99)
        #expect(p.subviews == [d, b, c, a, e])
    }

    @Test("inserting a view beside its own sibling moves it")
    func moveBeside() {
        let (p, a, b, c) = (UIView(), UIView(), UIView(), UIView())
        for view in [a, b, c] { p.addSubview(view) }
        p.insertSubview(a, aboveSubview: b)
        #expect(p.subviews == [b, a, c])
        p.insertSubview(c, belowSubview: b)
        #expect(p.subviews == [c, b, a])
        p.insertSubview(b, aboveSubview: b)
        #expect(p.subviews == [c, b, a])
    }

    @Test("a view inserted beside an unrelated view goes in front")
    func besideStranger() {
        let (p, a, b, stranger) = (UIView(), UIView(), UIView(), UIView())
        p.addSubview(a)
        p.insertSubview(b, belowSubview: stranger)
        #expect(p.subviews == [a, b])
    }

    @Test("subviews can be brought to front, sent to back and exchanged")
    func reordering() {
        let (p, a, b, c) = (UIView(), UIView(), UIView(), UIView())
        for view in [a, b, c] { p.addSubview(view) }
        p.bringSubviewToFront(a)
        #expect(p.subviews == [b, c, a])
        p.sendSubviewToBack(c)
        #expect(p.subviews == [c, b, a])
        p.exchangeSubview(at: 0, withSubviewAt: 2)
        #expect(p.subviews == [a, b, c])
        p.bringSubviewToFront(UIView())
        #expect(p.subviews == [a, b, c])
    }

    @Test("adding a view calls willMove before didMove and the superview last")
    func adding() {
        let window = UIWindow(frame: .zero)
        let (p, v, child) = (view("P"), view("V"), view("C"))
        v.addSubview(child)
        window.addSubview(p)
        _ = log.drain()
        p.addSubview(v)
        #expect(
            log.drain() == [
                "V willMove(toWindow: window)", "C willMove(toWindow: window)", "V willMove(toSuperview: P)",
                "V didMoveToWindow window", "C didMoveToWindow window", "V didMoveToSuperview", "P didAddSubview(V)",
            ])
    }

    @Test("removing a view calls willRemoveSubview while it is still a subview")
    func removing() {
        let window = UIWindow(frame: .zero)
        let (p, v) = (view("P"), view("V"))
        window.addSubview(p)
        p.addSubview(v)
        _ = log.drain()
        v.removeFromSuperview()
        #expect(
            log.drain() == [
                "V willMove(toSuperview: nil)", "V willMove(toWindow: nil)", "P willRemoveSubview(V)",
                "V didMoveToWindow nil", "V didMoveToSuperview",
            ])
        v.removeFromSuperview()
        #expect(log.drain().isEmpty)
    }

    @Test("window callbacks come only when a view's window changes")
    func quiet() {
        let (p, q, v) = (view("P"), view("Q"), view("V"))
        p.addSubview(v)
        #expect(log.drain() == ["V willMove(toSuperview: P)", "V didMoveToSuperview", "P didAddSubview(V)"])
        let window = UIWindow(frame: .zero)
        window.addSubview(p)
        window.addSubview(q)
        _ = log.drain()
        q.addSubview(v)
        #expect(
            log.drain() == [
                "V willMove(toSuperview: Q)", "P willRemoveSubview(V)", "V didMoveToSuperview", "Q didAddSubview(V)",
            ])
    }

    @Test("adding a view again only brings it to the front")
    func again() {
        let (p, a, b) = (view("P"), view("A"), view("B"))
        p.addSubview(a)
        p.addSubview(b)
        _ = log.drain()
        p.addSubview(a)
        #expect(log.drain().isEmpty)
        #expect(p.subviews == [b, a])
    }

    @Test("a view's window is its tree's, and a window is its own")
    func window() {
        let window = UIWindow(frame: .zero)
        let (p, v) = (UIView(), UIView())
        p.addSubview(v)
        #expect(v.window == nil)
        window.addSubview(p)
        #expect(v.window === window && window.window === window)
        p.removeFromSuperview()
        #expect(v.window == nil && p.superview == nil)
    }

    @Test("descendants and tags are found, including the view itself")
    func looking() {
        let (p, v, other) = (UIView(), UIView(), UIView())
        p.addSubview(v)
        v.tag = 7
        #expect(v.isDescendant(of: p) && p.isDescendant(of: p) && !p.isDescendant(of: v))
        #expect(!v.isDescendant(of: other))
        #expect(p.viewWithTag(7) === v && p.viewWithTag(8) == nil && v.viewWithTag(7) === v)
    }

    @Test("subviews are freed with their superview and survive when held")
    func lifetimes() {
        var p: UIView? = UIView()
        let held = UIView()
        p?.addSubview(UIView())
        p?.addSubview(held)
        weak let free = p?.subviews.first
        #expect(free != nil)
        p = nil
        #expect(free == nil)
        #expect(held.superview == nil)
    }

    @Test("a released window leaves its views without a window")
    func windowGoes() {
        var window: UIWindow? = UIWindow(frame: .zero)
        let (v, child) = (UIView(), UIView())
        v.addSubview(child)
        window?.addSubview(v)
        window = nil
        #expect(v.window == nil && child.window == nil && v.superview == nil)
        #expect(v.next == nil)
    }

    @Test("a view's sublayers mirror its subviews")
    func layers() {
        let (p, a, b) = (UIView(), UIView(), UIView())
        #expect(p.layer.sublayers == nil)
        p.addSubview(a)
        p.addSubview(b)
        #expect(p.layer.sublayers == [a.layer, b.layer])
        #expect(a.layer.superlayer === p.layer)
        #expect(a.layer.delegate === a)
        p.bringSubviewToFront(a)
        #expect(p.layer.sublayers == [b.layer, a.layer])
        b.removeFromSuperview()
        #expect(p.layer.sublayers == [a.layer] && b.layer.superlayer == nil)
        a.removeFromSuperview()
        #expect(p.layer.sublayers == nil)
    }

    @Test("a view's layer is in place when didMoveToSuperview is called")
    func layerInTime() {
        final class Asking: UIView {
            var wasThere: Bool?
            override func didMoveToSuperview() {
                wasThere = superview?.layer.sublayers?.contains(layer) ?? false
            }
        }
        let (p, v) = (UIView(), Asking())
        _ = p.layer
        p.insertSubview(v, at: 0)
        #expect(v.wasThere == true)
    }

    @Test("plain layers between the layers of views stay where they are")
    func between() {
        let (p, a, b, c) = (UIView(), UIView(), UIView(), UIView())
        let plain = CALayer()
        p.addSubview(a)
        p.layer.addSublayer(plain)
        p.addSubview(b)
        #expect(p.layer.sublayers == [a.layer, plain, b.layer])
        p.insertSubview(c, aboveSubview: a)
        #expect(p.layer.sublayers == [a.layer, c.layer, plain, b.layer])
        let d = UIView()
        p.insertSubview(d, belowSubview: b)
        #expect(p.layer.sublayers == [a.layer, c.layer, plain, d.layer, b.layer])
        p.sendSubviewToBack(b)
        #expect(p.layer.sublayers == [b.layer, a.layer, c.layer, plain, d.layer])
        p.exchangeSubview(at: 0, withSubviewAt: 3)
        #expect(p.subviews == [d, a, c, b])
        #expect(p.layer.sublayers == [d.layer, a.layer, c.layer, plain, b.layer])
    }

    @Test("moving or removing a subview's layer moves or removes the subview")
    func layerFirst() {
        let (p, a, b) = (UIView(), UIView(), UIView())
        p.addSubview(a)
        p.addSubview(b)
        p.layer.insertSublayer(b.layer, at: 0)
        #expect(p.subviews == [b, a])
        p.layer.insertSublayer(b.layer, above: a.layer)
        #expect(p.subviews == [a, b])
        b.layer.removeFromSuperlayer()
        #expect(p.subviews == [a] && b.superview == nil)
    }

    @Test("plain layers form a tree of their own")
    func plainLayers() {
        let (p, a, b, c) = (CALayer(), CALayer(), CALayer(), CALayer())
        p.addSublayer(a)
        p.insertSublayer(b, at: 0)
        p.insertSublayer(c, below: a)
        #expect(p.sublayers == [b, c, a])
        p.replaceSublayer(c, with: a)
        #expect(p.sublayers == [b, a] && c.superlayer == nil)
        let q = CALayer()
        q.addSublayer(a)
        #expect(p.sublayers == [b] && a.superlayer === q)
        p.sublayers = nil
        #expect(b.superlayer == nil)
    }

    @Test("a view's layer shares its geometry; a plain layer has its own")
    func layerGeometry() {
        let view = UIView(frame: CGRect(x: 10, y: 10, width: 20, height: 20))
        view.layer.position = CGPoint(x: 50, y: 50)
        #expect(view.frame == CGRect(x: 40, y: 40, width: 20, height: 20))
        #expect(view.layer.frame == view.frame && view.layer.bounds == view.bounds)
        let layer = CALayer()
        layer.anchorPoint = CGPoint(x: 0.25, y: 0.25)
        layer.frame = CGRect(x: 50, y: 50, width: 100, height: 100)
        #expect(layer.frame == CGRect(x: 50, y: 50, width: 100, height: 100))
        layer.bounds.size = CGSize(width: 200, height: 200)
        #expect(layer.frame.origin == CGPoint(x: 25, y: 25))
        layer.setAffineTransform(CGAffineTransform(scaleX: 0.5, y: 0.5))
        #expect(layer.frame == CGRect(x: 50, y: 50, width: 100, height: 100))
    }
}

@Suite("UIView layout")
struct LayoutTests {
    final class Laid: UIView {
        var count = 0
        var body: (Laid) -> Void = { _ in }
        override func layoutSubviews() {
            count += 1
            body(self)
        }
    }

    @Test("a new view needs layout once")
    func once() {
        let view = Laid()
        view.layoutIfNeeded()
        view.layoutIfNeeded()
        #expect(view.count == 1)
        view.setNeedsLayout()
        view.layoutIfNeeded()
        #expect(view.count == 2)
    }

    @Test("a superview sizes its subviews before they lay out theirs")
    func downwards() {
        let (p, v) = (Laid(), Laid())
        p.addSubview(v)
        p.body = { $0.subviews[0].frame.size = CGSize(width: 300, height: 100) }
        p.layoutIfNeeded()
        #expect(v.frame.size == CGSize(width: 300, height: 100) && v.count == 1)
    }

    @Test("layoutIfNeeded starts at the outermost ancestor that needs layout")
    func upwards() {
        let (p, q, v) = (Laid(), Laid(), Laid())
        p.addSubview(q)
        q.addSubview(v)
        v.layoutIfNeeded()
        #expect((p.count, q.count, v.count) == (1, 1, 1))
        v.setNeedsLayout()
        v.layoutIfNeeded()
        #expect((p.count, q.count, v.count) == (1, 1, 2))
    }

    @Test("a new size needs layout, and a new position does not")
    func sizes() {
        let view = Laid()
        view.layoutIfNeeded()
        view.center = CGPoint(x: 9, y: 9)
        view.bounds.origin = CGPoint(x: 1, y: 1)
        view.layoutIfNeeded()
        #expect(view.count == 1)
        view.frame.size = CGSize(width: 1, height: 1)
        view.layoutIfNeeded()
        #expect(view.count == 2)
    }

    @Test("a layout commit lays out shown windows only")
    func commit() {
        let stage = Stage()
        let (shown, hidden) = (Laid(), Laid())
        stage.window.addSubview(shown)
        let other = stage.run { UIWindow(frame: .zero) }
        other.addSubview(hidden)
        stage.run {}
        stage.run {}
        #expect((shown.count, hidden.count) == (1, 0))
        shown.setNeedsLayout()
        stage.run {}
        #expect(shown.count == 2)
    }

    @Test("a view that always requests layout is laid out once a commit")
    func restless() {
        let stage = Stage()
        let view = Laid()
        stage.window.addSubview(view)
        view.body = { $0.setNeedsLayout() }
        stage.run {}
        stage.run {}
        #expect(view.count == 2)
    }
}
