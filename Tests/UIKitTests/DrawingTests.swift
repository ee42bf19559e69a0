import Foundation
import Testing
import TouchlineTesting
import UIKit

private final class DrawnView: UIView {
    var drawn: [CGRect] = []
    var duringDraw: () -> Void = {}
    override func draw(_ rect: CGRect) {
        drawn.append(rect)
        duringDraw()
    }
}

private final class DrawnLayer: CALayer {
    var drawn = 0
    var layouts = 0
    var size = CGSize.zero
    override func draw(in ctx: CGContext) {
        drawn += 1
        size = ctx.boundingBoxOfClipPath.size
    }
    override func layoutSublayers() { layouts += 1 }
}

@Suite("Drawing")
struct DrawingTests {
    private func commit(_ stage: Stage) { stage.run {} }

    @Test("class metadata tells which views draw")
    func overrides() {
        #expect(DrawOverride.areKnown)
        // A layer of an app's class is made by the class's own initializer.
        let layer = ObjectMaking.make(DrawnLayer.self)
        #expect(type(of: layer) == DrawnLayer.self && (layer as? DrawnLayer)?.size == .zero)
    }

    @Test("a view is drawn once when it enters a window")
    func first() {
        let stage = Stage()
        let view = DrawnView(frame: CGRect(x: 0, y: 0, width: 30, height: 20))
        stage.run {
            stage.window.addSubview(view)
            #expect(view.drawn.isEmpty)
        }
        commit(stage)
        commit(stage)
        #expect(view.drawn == [CGRect(x: 0, y: 0, width: 30, height: 20)])
    }

    @Test("several requests draw a view once in the next commit")
    func once() {
        let stage = Stage()
        let view = DrawnView(frame: CGRect(x: 0, y: 0, width: 30, height: 20))
        stage.run { stage.window.addSubview(view) }
        commit(stage)
        stage.run {
            view.setNeedsDisplay()
            view.setNeedsDisplay(CGRect(x: 0, y: 0, width: 1, height: 1))
            view.layer.setNeedsDisplay()
        }
        commit(stage)
        #expect(view.drawn.count == 2)
        // A request during drawing waits for the next commit.
        view.duringDraw = { if view.drawn.count < 4 { view.setNeedsDisplay() } }
        stage.run { view.setNeedsDisplay() }
        #expect(view.drawn.count == 3)
        commit(stage)
        commit(stage)
        #expect(view.drawn.count == 4)
    }

    @Test("a view outside windows, hidden or without size is not drawn")
    func undrawn() {
        let stage = Stage()
        let (loose, hidden, empty) = (
            DrawnView(frame: CGRect(x: 0, y: 0, width: 9, height: 9)),
            DrawnView(frame: CGRect(x: 0, y: 0, width: 9, height: 9)), DrawnView(frame: .zero)
        )
        stage.run {
            loose.setNeedsDisplay()
            hidden.isHidden = true
            stage.window.addSubview(hidden)
            stage.window.addSubview(empty)
        }
        commit(stage)
        #expect(loose.drawn.isEmpty && hidden.drawn.isEmpty && empty.drawn.isEmpty)
        stage.run { hidden.isHidden = false }
        commit(stage)
        #expect(hidden.drawn.count == 1)
    }

    @Test("a new size draws a view with the content mode redraw")
    func redraw() {
        let stage = Stage()
        let (plain, redrawn) = (
            DrawnView(frame: CGRect(x: 0, y: 0, width: 9, height: 9)),
            DrawnView(frame: CGRect(x: 0, y: 0, width: 9, height: 9))
        )
        redrawn.contentMode = .redraw
        stage.run { [plain, redrawn].forEach(stage.window.addSubview) }
        commit(stage)
        stage.run { for view in [plain, redrawn] { view.frame.size.width = 50 } }
        commit(stage)
        #expect(plain.drawn.count == 1 && redrawn.drawn.count == 2)
    }

    @Test("a context exists inside of draw only, with the bounds as its clip")
    func contexts() {
        let stage = Stage()
        let view = DrawnView(frame: CGRect(x: 5, y: 5, width: 30, height: 20))
        var clip = CGRect.null
        view.duringDraw = {
            UIColor.red.setFill()
            let context = UIGraphicsGetCurrentContext()
            clip = context?.boundingBoxOfClipPath ?? .null
            #expect(context?.drawingState.fill == UIColor.red.cgColor)
        }
        stage.run {
            stage.window.addSubview(view)
            #expect(UIGraphicsGetCurrentContext() == nil)
        }
        commit(stage)
        #expect(clip == CGRect(x: 0, y: 0, width: 30, height: 20))
        stage.run { #expect(UIGraphicsGetCurrentContext() == nil) }
    }

    @Test("a layer without a view is drawn and laid out when it asks")
    func layers() {
        let stage = Stage()
        let layer = DrawnLayer()
        stage.run {
            stage.window.layer.addSublayer(layer)
            layer.frame = CGRect(x: 0, y: 0, width: 40, height: 20)
            layer.setNeedsDisplay()
            layer.setNeedsDisplay()
        }
        commit(stage)
        commit(stage)
        #expect(layer.drawn == 1 && layer.layouts == 1)
        #expect(layer.size == CGSize(width: 40, height: 20))
        stage.run {
            layer.needsDisplayOnBoundsChange = true
            layer.bounds.size.width = 80
        }
        commit(stage)
        #expect(layer.drawn == 2 && layer.layouts == 2)
    }

    @Test("a context applies its transform when a point is added")
    func transforms() throws {
        let stage = Stage()
        try stage.phone.run {
            UIGraphicsBeginImageContextWithOptions(CGSize(width: 10, height: 20), false, 2)
            let context = try #require(UIGraphicsGetCurrentContext())
            context.move(to: .zero)
            context.saveGState()
            context.translateBy(x: 5, y: 0)
            context.addLine(to: CGPoint(x: 1, y: 1))
            context.restoreGState()
            #expect(context.boundingBoxOfPath == CGRect(x: 0, y: 0, width: 6, height: 1))
            context.strokePath()
            #expect(context.isPathEmpty)
            let image = try #require(UIGraphicsGetImageFromCurrentImageContext())
            UIGraphicsEndImageContext()
            #expect(image.size == CGSize(width: 10, height: 20) && image.scale == 2)
            #expect(image.cgImage?.width == 20)
            #expect(UIGraphicsGetImageFromCurrentImageContext() == nil)
        }
    }

    @Test("no image is found by its name, a symbol has the size of its font")
    func images() {
        #expect(UIImage(named: "star") == nil && UIImage(data: Data([1])) == nil)
        let symbol = UIImage(systemName: "star", withConfiguration: UIImage.SymbolConfiguration(pointSize: 30))
        #expect(symbol?.size == CGSize(width: 30, height: 30))
        #expect(symbol?.withRenderingMode(.alwaysTemplate).renderingMode == .alwaysTemplate)
        #expect(UIImageView(image: symbol).frame.size == CGSize(width: 30, height: 30))
    }
}
