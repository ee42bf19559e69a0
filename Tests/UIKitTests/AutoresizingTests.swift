import Foundation
import Testing
import UIKit

@Suite("Autoresizing")
struct AutoresizingTests {
    private func resized(
        _ mask: UIView.AutoresizingMask, from frame: CGRect = CGRect(x: 20, y: 10, width: 60, height: 30),
        to size: CGSize = CGSize(width: 200, height: 100)
    ) -> CGRect {
        let parent = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let child = UIView(frame: frame)
        child.autoresizingMask = mask
        parent.addSubview(child)
        parent.frame.size = size
        return child.frame
    }

    @Test("without a mask a subview keeps its frame")
    func fixed() { #expect(resized([]) == CGRect(x: 20, y: 10, width: 60, height: 30)) }

    @Test("a flexible part takes the whole difference")
    func onePart() {
        #expect(resized(.flexibleWidth).width == 160)
        #expect(resized(.flexibleLeftMargin).minX == 120)
        #expect(resized(.flexibleRightMargin) == CGRect(x: 20, y: 10, width: 60, height: 30))
        let tall = CGSize(width: 100, height: 150)
        #expect(resized(.flexibleHeight, to: tall).height == 80)
        #expect(resized(.flexibleTopMargin, to: tall).minY == 60)
    }

    @Test("several flexible parts share the difference by their lengths")
    func shares() {
        // 20 + 60 + 20 points become 200.
        let all = resized([.flexibleLeftMargin, .flexibleWidth, .flexibleRightMargin])
        #expect(all.minX == 40 && all.width == 120)
        let margins = resized([.flexibleLeftMargin, .flexibleRightMargin])
        #expect(margins.minX == 70 && margins.width == 60)
        let withWidth = resized([.flexibleLeftMargin, .flexibleWidth])
        #expect(withWidth.minX == 45 && withWidth.width == 135)
    }

    @Test("parts without length share equally")
    func zeros() {
        let parent = UIView(frame: .zero)
        let child = UIView(frame: .zero)
        child.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        parent.addSubview(child)
        parent.frame = CGRect(x: 5, y: 5, width: 80, height: 40)
        #expect(child.frame == CGRect(x: 0, y: 0, width: 80, height: 40))
    }

    @Test("without autoresizesSubviews masks have no effect")
    func switchedOff() {
        let parent = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        parent.autoresizesSubviews = false
        let child = UIView(frame: parent.bounds)
        child.autoresizingMask = .flexibleWidth
        parent.addSubview(child)
        parent.bounds.size.width = 300
        #expect(child.frame.width == 100)
    }

    @Test("a resized view resizes its own subviews, and a hit test follows")
    func nested() {
        let stage = Stage()
        let outer = stage.view("outer", 0, 0, 100, 100)
        let middle = stage.view("middle", 0, 0, 100, 100, in: outer)
        let inner = stage.view("inner", 50, 50, 50, 50, in: middle)
        middle.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        inner.autoresizingMask = [.flexibleLeftMargin, .flexibleTopMargin]
        stage.run { outer.frame.size = CGSize(width: 200, height: 300) }
        #expect(inner.frame == CGRect(x: 150, y: 250, width: 50, height: 50))
        stage.tap(175, 275)
        #expect(stage.log.drain().first == "touchesBegan inner")
    }

    @Test("the view of a controller follows its superview")
    func controllers() {
        let stage = Stage()
        stage.run {
            let controller = UIViewController()
            let container = UIView(frame: controller.view.bounds)
            container.addSubview(controller.view)
            container.frame.size.width += 100
            #expect(controller.view.frame.width == container.frame.width)
        }
    }
}
