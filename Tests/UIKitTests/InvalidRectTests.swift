import Foundation
import Testing
import TouchlineTesting
import UIKit

@Suite
struct InvalidRectTests {
    final class DrawnView: UIView {
        var rects: [CGRect] = []
        var clips: [CGRect] = []
        override func draw(_ rect: CGRect) {
            rects.append(rect)
            clips.append(UIGraphicsGetCurrentContext()?.boundingBoxOfClipPath ?? .null)
        }
    }

    final class DrawnLayer: CALayer {
        var clips: [CGRect] = []
        override func draw(in ctx: CGContext) { clips.append(ctx.boundingBoxOfClipPath) }
    }

    let bounds = CGRect(x: 0, y: 0, width: 100, height: 80)

    func drawn(_ changes: [(DrawnView) -> Void], usesLayer: Bool = false) throws -> DrawnView {
        let phone = TestPhone { [bounds] in
            let page = UIView()
            let view = DrawnView(frame: bounds)
            if usesLayer { _ = view.layer }
            page.addSubview(view)
            return page
        }
        let view = try phone.find(DrawnView.self)
        phone.advance(by: .milliseconds(20))
        for change in changes {
            phone.run { change(view) }
            phone.advance(by: .milliseconds(20))
        }
        return view
    }

    @Test("draw receives the union of invalid rectangles", arguments: [false, true])
    func union(usesLayer: Bool) throws {
        let view = try drawn(
            [
                { view in
                    view.setNeedsDisplay(CGRect(x: 10, y: 10, width: 10, height: 10))
                    view.setNeedsDisplay(CGRect(x: 40, y: 5, width: 10, height: 10))
                },
                { $0.setNeedsDisplay(CGRect(x: 90, y: 70, width: 50, height: 50)) },
            ], usesLayer: usesLayer)
        let parts = [
            bounds, CGRect(x: 10, y: 5, width: 40, height: 15), CGRect(x: 90, y: 70, width: 10, height: 10),
        ]
        #expect(view.rects == parts)
        #expect(view.clips == parts)
    }

    @Test("one call without a rectangle draws the whole view")
    func whole() throws {
        let part = CGRect(x: 1, y: 1, width: 2, height: 2)
        let view = try drawn([
            { view in
                view.setNeedsDisplay(part)
                view.setNeedsDisplay()
                view.setNeedsDisplay(part)
            },
            { $0.setNeedsDisplay(part) },
        ])
        #expect(view.rects == [bounds, bounds, part])
    }

    @Test("a rectangle outside of the bounds draws nothing")
    func outside() throws {
        let view = try drawn([{ $0.setNeedsDisplay(CGRect(x: 200, y: 0, width: 5, height: 5)) }])
        #expect(view.rects == [bounds])
    }

    @Test("the context of a layer is clipped to its invalid rectangle")
    func layer() throws {
        let layer = DrawnLayer()
        layer.frame = bounds
        let phone = TestPhone {
            let page = UIView()
            page.layer.addSublayer(layer)
            layer.setNeedsDisplay()
            return page
        }
        phone.advance(by: .milliseconds(20))
        phone.run { layer.setNeedsDisplay(CGRect(x: 4, y: 5, width: 6, height: 7)) }
        phone.advance(by: .milliseconds(20))
        #expect(layer.clips == [bounds, CGRect(x: 4, y: 5, width: 6, height: 7)])
    }
}
