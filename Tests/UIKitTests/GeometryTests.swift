import Testing
import UIKit

private func near(_ a: CGPoint, _ b: CGPoint) -> Bool { abs(a.x - b.x) < 1e-9 && abs(a.y - b.y) < 1e-9 }
private func near(_ a: CGRect, _ b: CGRect) -> Bool {
    near(a.origin, b.origin) && abs(a.width - b.width) < 1e-9 && abs(a.height - b.height) < 1e-9
}

@Suite("UIView geometry")
struct GeometryTests {
    @Test("a new view's bounds have its frame's size at the origin")
    func fresh() {
        #expect(UIView().frame == .zero)
        let view = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
        #expect(view.bounds == CGRect(x: 0, y: 0, width: 30, height: 40))
        #expect(view.center == CGPoint(x: 25, y: 40))
    }

    @Test("a view's frame, bounds and center stay consistent")
    func consistent() {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        view.center = CGPoint(x: 60, y: 70)
        #expect(view.frame == CGRect(x: 10, y: 20, width: 100, height: 100))
        view.bounds.size = CGSize(width: 20, height: 40)
        #expect(view.frame == CGRect(x: 50, y: 50, width: 20, height: 40))
        view.frame.origin = .zero
        #expect(view.center == CGPoint(x: 10, y: 20))
        view.bounds.origin = CGPoint(x: 5, y: 5)
        #expect(view.frame == CGRect(x: 0, y: 0, width: 20, height: 40))
    }

    @Test("a transform changes a view's frame but not bounds and center")
    func scaledFrame() {
        let view = UIView(frame: CGRect(x: 100, y: 100, width: 50, height: 50))
        view.transform = CGAffineTransform(scaleX: 2, y: 1)
        #expect(view.frame == CGRect(x: 75, y: 100, width: 100, height: 50))
        #expect(view.bounds.size == CGSize(width: 50, height: 50))
        #expect(view.center == CGPoint(x: 125, y: 125))
    }

    @Test("a square view turned by 45° has a √2 times wider frame")
    func rotatedFrame() {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        view.transform = CGAffineTransform(rotationAngle: .pi / 4)
        #expect(abs(view.frame.width - 100 * 2.0.squareRoot()) < 1e-9)
        #expect(near(view.center, CGPoint(x: 50, y: 50)))
    }

    @Test("setting a scaled view's frame sets the size that scales to it")
    func setScaledFrame() {
        let view = UIView()
        view.transform = CGAffineTransform(scaleX: 0.5, y: 0.25)
        view.frame = CGRect(x: 10, y: 20, width: 100, height: 100)
        #expect(view.bounds.size == CGSize(width: 200, height: 400))
        #expect(view.frame == CGRect(x: 10, y: 20, width: 100, height: 100))
    }

    @Test("a translation moves a view's frame but not its center")
    func translatedFrame() {
        let view = UIView(frame: CGRect(x: 100, y: 100, width: 80, height: 80))
        view.transform = view.transform.translatedBy(x: 30, y: 25)
        #expect(view.frame == CGRect(x: 130, y: 125, width: 80, height: 80))
        #expect(view.center == CGPoint(x: 140, y: 140))
    }

    @Test("an anchor point moves the frame, and a set frame reads back")
    func anchor() {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        view.anchorPoint = .zero
        #expect(view.frame.origin == CGPoint(x: 50, y: 50))
        view.frame = CGRect(x: 7, y: 8, width: 20, height: 30)
        #expect(view.frame == CGRect(x: 7, y: 8, width: 20, height: 30))
        #expect(view.center == CGPoint(x: 7, y: 8))
        view.transform = CGAffineTransform(scaleX: 2, y: 2)
        #expect(view.frame == CGRect(x: 7, y: 8, width: 40, height: 60))
    }

    @Test("a point converts to a sibling through the common ancestor")
    func siblings() {
        let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let a = UIView(frame: CGRect(x: 20, y: 10, width: 10, height: 10))
        let b = UIView(frame: CGRect(x: 80, y: 80, width: 20, height: 20))
        root.addSubview(a)
        root.addSubview(b)
        #expect(a.convert(CGPoint(x: 60, y: 70), to: b) == .zero)
        #expect(b.convert(CGPoint(x: 60, y: 70), from: a) == .zero)
        #expect(b.convert(CGPoint(x: -5, y: -5), to: a) == CGPoint(x: 55, y: 65))
    }

    @Test("a scrolled bounds origin shifts the subviews")
    func scrolled() {
        let root = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        root.bounds.origin = CGPoint(x: 50, y: 50)
        let child = UIView(frame: CGRect(x: 60, y: 70, width: 10, height: 10))
        root.addSubview(child)
        let outer = UIView(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
        outer.addSubview(root)
        #expect(child.convert(.zero, to: outer) == CGPoint(x: 10, y: 20))
    }

    /// A view that contains a view turned by a right angle and twice as large, which contains a child.
    func turnedTree() -> (outer: UIView, turned: UIView, child: UIView) {
        let outer = UIView(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
        let turned = UIView(frame: CGRect(x: 150, y: 150, width: 100, height: 100))
        turned.transform = CGAffineTransform(rotationAngle: .pi / 2).scaledBy(x: 2, y: 2)
        let child = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
        outer.addSubview(turned)
        turned.addSubview(child)
        return (outer, turned, child)
    }

    @Test("a point converts through a turned and scaled ancestor and back")
    func throughTurned() {
        let (outer, turned, child) = turnedTree()
        // The center stays. A point 50 to the left of it becomes a point 100 above it.
        #expect(near(turned.convert(CGPoint(x: 0, y: 50), to: outer), CGPoint(x: 200, y: 100)))
        // The child's origin is (-40, -30) from the center, and (60, -80) after the turn.
        #expect(near(child.convert(.zero, to: outer), CGPoint(x: 260, y: 120)))
        #expect(near(child.convert(CGPoint(x: 260, y: 120), from: outer), .zero))
        #expect(near(outer.convert(CGPoint(x: 260, y: 120), to: child), .zero))
    }

    @Test("a rectangle through a right angle converts to its bounding box")
    func rectThroughTurned() {
        let (outer, _, child) = turnedTree()
        #expect(
            near(child.convert(child.bounds, to: outer), CGRect(x: 180, y: 120, width: 80, height: 60)))
        let there = outer.convert(child.bounds, from: child)
        #expect(near(there, CGRect(x: 180, y: 120, width: 80, height: 60)))
    }

    @Test("a turn and its reverse give the same rectangle back")
    func undone() {
        let outer = UIView(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
        let turned = UIView(frame: CGRect(x: 100, y: 100, width: 200, height: 200))
        turned.transform = CGAffineTransform(rotationAngle: 0.7)
        let back = UIView(frame: CGRect(x: 50, y: 50, width: 100, height: 100))
        back.transform = CGAffineTransform(rotationAngle: -0.7)
        outer.addSubview(turned)
        turned.addSubview(back)
        #expect(near(back.convert(back.bounds, to: outer), CGRect(x: 150, y: 150, width: 100, height: 100)))
    }

    /// Adds a view about (100, 100) to `first` and one about (200, 200) to `second`, each turned clockwise by 45°.
    private func turnedBranches(in first: UIView, _ second: UIView) -> (a: UIView, b: UIView) {
        let a = UIView(frame: CGRect(x: 50, y: 70, width: 100, height: 60))
        let b = UIView(frame: CGRect(x: 150, y: 150, width: 100, height: 100))
        first.addSubview(a)
        second.addSubview(b)
        for view in [a, b] { view.transform = CGAffineTransform(rotationAngle: .pi / 4) }
        return (a, b)
    }

    // The center of the rect (10, 20, 30, 10) of a is (-25, -5) from the center of a. A turn by 45° makes that
    // (-20, -30)/√2, and the rect's box a square with a side of (30 + 10)/√2. From the center of b, the square's center is
    // (-100 - 20/√2, -100 - 30/√2), and turned back (-100√2 - 25, -5). The box around the square there has a side of 40.
    private let rect = CGRect(x: 10, y: 20, width: 30, height: 10)
    private let root2 = 2.0.squareRoot()
    private var rectInB: CGRect { CGRect(x: 5 - 100 * root2, y: 25, width: 40, height: 40) }

    @Test("a rectangle between turned branches is boxed at the common ancestor")
    func turnedSiblings() {
        let parent = UIView(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
        let (a, b) = turnedBranches(in: parent, parent)
        #expect(near(a.convert(rect, to: b), rectInB))
        #expect(near(b.convert(rect, from: a), rectInB))
        // The conversion to the parent makes one box.
        let side = 40 / root2
        let inParent = CGRect(x: 100 - 40 / root2, y: 100 - 50 / root2, width: side, height: side)
        #expect(near(a.convert(rect, to: parent), inParent))
        #expect(near(b.convert(inParent, from: parent), rectInB))
        // A view is its own ancestor here, and the rect comes back as it was.
        #expect(near(a.convert(rect, to: a), rect))
    }

    @Test("a turn above the nearest common ancestor changes no rectangle below")
    func turnedAbove() {
        let outer = UIView(frame: CGRect(x: 0, y: 0, width: 500, height: 500))
        let turned = UIView(frame: CGRect(x: 30, y: 40, width: 400, height: 400))
        outer.addSubview(turned)
        let (first, second) = (
            UIView(frame: CGRect(x: 20, y: 0, width: 400, height: 400)),
            UIView(frame: CGRect(x: 0, y: 30, width: 400, height: 400))
        )
        turned.addSubview(first)
        turned.addSubview(second)
        let (a, b) = turnedBranches(in: first, second)
        // Both branches moved: a by (20, 0), b by (0, 30). Turned back, (20, -30) is (-10, -50)/√2.
        let moved = rectInB.offsetBy(dx: -10 / root2, dy: -50 / root2)
        #expect(near(a.convert(rect, to: b), moved))
        turned.transform = CGAffineTransform(rotationAngle: 0.5)
        #expect(near(a.convert(rect, to: b), moved))
        // Between views that are not turned the rect keeps its size, whatever lies above them.
        #expect(first.convert(rect, to: second) == CGRect(x: 30, y: -10, width: 30, height: 10))
    }

    @Test("a rectangle between two windows is boxed on the screen")
    func turnedInWindows() {
        let left = UIWindow(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
        let right = UIWindow(frame: CGRect(x: 20, y: -30, width: 400, height: 400))
        let (a, b) = turnedBranches(in: left, right)
        // b moved by (20, -30). Turned back, the offset to it changes by (-20, 30), which is (10, 50)/√2.
        let moved = rectInB.offsetBy(dx: 10 / root2, dy: 50 / root2)
        #expect(near(a.convert(rect, to: b), moved))
        #expect(near(b.convert(rect, from: a), moved))
        // The conversion to the window's base makes one box.
        let side = 40 / root2
        #expect(
            near(a.convert(rect, to: nil), CGRect(x: 100 - 40 / root2, y: 100 - 50 / root2, width: side, height: side)))
    }

    @Test("outside windows the outermost views share one coordinate space")
    func turnedAlone() {
        let (left, right) = (
            UIView(frame: CGRect(x: 0, y: 0, width: 400, height: 400)),
            UIView(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
        )
        let (a, b) = turnedBranches(in: left, right)
        #expect(near(a.convert(rect, to: b), rectInB))
    }

    @Test("converting to nil gives the window's coordinates")
    func base() {
        let window = UIWindow(frame: CGRect(x: 100, y: 50, width: 200, height: 200))
        let child = UIView(frame: CGRect(x: 10, y: 10, width: 20, height: 20))
        window.addSubview(child)
        #expect(child.convert(CGPoint(x: 1, y: 1), to: nil) == CGPoint(x: 11, y: 11))
        #expect(child.convert(CGPoint(x: 11, y: 11), from: nil) == CGPoint(x: 1, y: 1))
        #expect(window.convert(CGPoint(x: 0, y: 0), to: nil as UIWindow?) == CGPoint(x: 100, y: 50))
    }

    @Test("outside a window converting to nil gives the outermost view's coordinates")
    func baseless() {
        let view = UIView()
        #expect(view.convert(CGPoint(x: 10, y: 10), to: nil) == CGPoint(x: 10, y: 10))
        #expect(view.convert(CGPoint(x: 10, y: 10), from: nil) == CGPoint(x: 10, y: 10))
    }

    @Test("points convert between windows through the screen")
    func windows() {
        let left = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let right = UIWindow(frame: CGRect(x: 100, y: 0, width: 100, height: 100))
        let child = UIView(frame: CGRect(x: 10, y: 10, width: 10, height: 10))
        right.addSubview(child)
        #expect(left.convert(CGPoint(x: 120, y: 30), to: right) == CGPoint(x: 20, y: 30))
        #expect(child.convert(.zero, to: left) == CGPoint(x: 110, y: 10))
    }

    @Test("fractional points convert exactly through plain views")
    func exact() {
        let outer = UIView(frame: CGRect(x: 0, y: 0, width: 375, height: 667))
        let inner = UIView(frame: CGRect(x: 87.5, y: 233.5, width: 200, height: 200))
        outer.addSubview(inner)
        #expect(outer.convert(CGPoint(x: 187.5, y: 333.5), to: inner) == CGPoint(x: 100, y: 100))
        #expect(inner.convert(CGPoint(x: 0.125, y: 99.875), to: outer) == CGPoint(x: 87.625, y: 333.375))
    }

    @Test("sizeToFit uses the size from sizeThatFits")
    func fits() {
        final class Fitting: UIView {
            override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: 12, height: 34) }
        }
        let view = Fitting()
        view.sizeToFit()
        #expect(view.bounds.size == CGSize(width: 12, height: 34))
    }

    @Test("a view's alpha stays between 0 and 1")
    func alpha() {
        let view = UIView()
        view.alpha = 2
        #expect(view.alpha == 1)
        view.alpha = -1
        #expect(view.alpha == 0)
    }

    @Test("colors compare by their components")
    func colours() {
        #expect(UIColor.red == UIColor(red: 1, green: 0, blue: 0, alpha: 1))
        #expect(UIColor.red != UIColor.blue)
        #expect(UIColor(hue: 1 / 3, saturation: 1, brightness: 1, alpha: 1) == UIColor.green)
        #expect(UIColor.white.withAlphaComponent(0) != UIColor.white)
    }
}
