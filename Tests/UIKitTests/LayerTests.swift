import Foundation
import Testing
import UIKit

private class CountingLayer: CAShapeLayer {
    var number = 7
    override init() {
        super.init()
        name = "made"
    }
    override init(layer: Any) { super.init(layer: layer) }
    required init?(coder: NSCoder) { nil }
}

private final class CountingView: UIView {
    override class var layerClass: AnyClass { CountingLayer.self }
}

private final class ArrangingView: UIView {
    var log: [String] = []
    override func layoutSublayers(of layer: CALayer) {
        log.append("before")
        super.layoutSublayers(of: layer)
        log.append("after")
    }
    override func layoutSubviews() { log.append("subviews") }
}

@Suite("Layers")
struct LayerTests {
    @Test("a view makes the layer of its class by the class's initializer")
    func layerClass() {
        let view = CountingView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        let layer = view.layer as? CountingLayer
        #expect(layer?.number == 7 && layer?.name == "made" && layer?.lineWidth == 1)
        #expect(layer?.bounds == view.bounds)
    }

    @Test("colors of a view and its layer are one")
    func colors() {
        let view = UIView()
        view.layer.backgroundColor = UIColor.red.cgColor
        #expect(view.backgroundColor == .red)
        view.backgroundColor = UIColor(white: 0.5, alpha: 0.25)
        #expect(view.layer.backgroundColor?.components == [0.5, 0.25])
        #expect(UIColor.red.cgColor.components == [1, 0, 0, 1])
        #expect(view.layer.shadowOpacity == 0 && view.layer.shadowOffset == CGSize(width: 0, height: -3))
    }

    @Test("a hit test finds the frontmost layer, also outside of bounds that do not mask")
    func hitTest() {
        let (root, back, front) = (CALayer(), CALayer(), CALayer())
        root.frame = CGRect(x: 10, y: 10, width: 100, height: 100)
        back.frame = CGRect(x: 0, y: 0, width: 50, height: 50)
        front.frame = CGRect(x: 25, y: 25, width: 100, height: 20)
        [back, front].forEach(root.addSublayer)
        #expect(root.hitTest(CGPoint(x: 15, y: 15)) === back)
        #expect(root.hitTest(CGPoint(x: 40, y: 40)) === front)
        back.zPosition = 1
        #expect(root.hitTest(CGPoint(x: 40, y: 40)) === back)
        #expect(root.hitTest(CGPoint(x: 130, y: 40)) === front)
        root.masksToBounds = true
        #expect(root.hitTest(CGPoint(x: 130, y: 40)) == nil)
        #expect(root.hitTest(CGPoint(x: 100, y: 100)) === root)
        front.isHidden = true
        back.isHidden = true
        #expect(root.hitTest(CGPoint(x: 40, y: 40)) === root)
        #expect(front.convert(CGPoint(x: 1, y: 1), to: back) == CGPoint(x: 26, y: 26))
        #expect(back.convert(CGPoint(x: 26, y: 26), from: root) == CGPoint(x: 26, y: 26))
    }

    @Test("a transform in three dimensions moves a layer by its projection")
    func transforms() {
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        view.layer.transform = CATransform3DMakeRotation(.pi / 3, 0, 1, 0)
        #expect(abs(view.frame.width - 50) < 1e-9 && view.frame.height == 100)
        #expect(abs(view.layer.transform.m13 + sin(.pi / 3)) < 1e-12)
        view.transform = CGAffineTransform(scaleX: 2, y: 3)
        #expect(view.layer.transform == CATransform3DMakeScale(2, 3, 1))
        #expect(view.layer.value(forKeyPath: "transform.scale.y") as? CGFloat == 3)
        let moved = CATransform3DTranslate(CATransform3DMakeScale(2, 2, 2), 3, 4, 5)
        #expect((moved.m41, moved.m42, moved.m43) == (6, 8, 10))
        let back = CATransform3DConcat(moved, CATransform3DInvert(moved))
        #expect(abs(back.m11 - 1) < 1e-12 && abs(back.m33 - 1) < 1e-12 && abs(back.m41) < 1e-12)
        #expect(CATransform3DIsIdentity(CATransform3DRotate(CATransform3DIdentity, 0, 0, 0, 1)))
        view.layer.setValue("x", forKey: "tag")
        #expect(view.layer.value(forKey: "tag") as? String == "x")
    }

    @Test("layout of a view passes through an override of layoutSublayers")
    func layout() {
        let view = ArrangingView()
        view.layoutIfNeeded()
        #expect(view.log == ["before", "subviews", "after"])
    }
}
