import Foundation
import Testing
import UIKit

@Suite
struct LayerClassTests {
    final class PinLayer: CALayer {
        override init() {
            super.init()
            anchorPoint = CGPoint(x: 0, y: 1)
            transform = CATransform3DMakeScale(2, 2, 1)
            (opacity, masksToBounds, isHidden) = (0.5, true, true)
            backgroundColor = UIColor.red.cgColor
            bounds = CGRect(x: 0, y: 30, width: 1, height: 1)
            cornerRadius = 3
        }
        override init(layer: Any) { super.init(layer: layer) }
        required init?(coder: NSCoder) { nil }
    }
    final class PinView: UIView { override class var layerClass: AnyClass { PinLayer.self } }

    @Test("what the init of a layer sets holds for its view, except the frame")
    func initial() {
        let view = PinView(frame: CGRect(x: 10, y: 20, width: 100, height: 50))
        let layer = view.layer
        #expect(layer is PinLayer && layer.anchorPoint == CGPoint(x: 0, y: 1) && view.anchorPoint == layer.anchorPoint)
        #expect(layer.position == CGPoint(x: 10, y: 70) && view.bounds == CGRect(x: 0, y: 30, width: 100, height: 50))
        #expect(view.transform == CGAffineTransform(scaleX: 2, y: 2) && layer.cornerRadius == 3)
        #expect(view.alpha == 0.5 && view.clipsToBounds && view.isHidden && view.backgroundColor == .red)
    }

    @Test("what the view has set wins over the init of its layer")
    func view() {
        let view = PinView(frame: .zero)
        view.alpha = 0.25
        view.transform = CGAffineTransform(rotationAngle: 1)
        view.backgroundColor = .blue
        _ = view.layer
        #expect(view.alpha == 0.25 && view.backgroundColor == .blue)
        #expect(view.transform == CGAffineTransform(rotationAngle: 1))
    }
}
