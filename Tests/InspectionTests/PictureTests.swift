import Basics
import Foundation
import Inspection
import Scenarios
import Testbed
import Testing
import ViewTrees

@Suite("Picture of a view tree")
struct PictureTests {
    private func picture(_ views: [ViewTree.View], touches: [ViewTree.Touch] = []) -> Picture {
        var tree = ViewTree(state: .active, sceneFrame: ViewTree.Frame(x: 0, y: 0, width: 100, height: 50))
        (tree.views, tree.touches) = (views, touches)
        return Picture(width: 100, height: 50, [tree])
    }

    private func view(_ frame: ViewTree.Frame, depth: Int = 0, _ color: ViewTree.Color?) -> ViewTree.View {
        var view = ViewTree.View(identity: 1, depth: depth, className: "UIView", kind: "UIView", frame: frame)
        view.backgroundColor = color
        return view
    }

    private let red = ViewTree.Color(255, 0, 0)

    private func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
        Array(bitmap.bytes[((y * bitmap.width + x) * 3)...].prefix(3))
    }

    @Test("a view's color fills exactly its pixels")
    func fill() {
        let bitmap = Bitmap(picture([view(ViewTree.Frame(x: 10, y: 10, width: 20, height: 20), red)]), scale: 1)
        #expect((bitmap.width, bitmap.height) == (100, 50))
        #expect(pixel(bitmap, 10, 10) == [255, 0, 0])
        #expect(pixel(bitmap, 29, 29) == [255, 0, 0])
        #expect(pixel(bitmap, 30, 29) == [255, 255, 255])
        #expect(pixel(bitmap, 9, 10) == [255, 255, 255])
    }

    @Test("a view that clips cuts its subviews, a hidden one shows nothing")
    func clip() {
        let frame = ViewTree.Frame(x: 0, y: 0, width: 20, height: 20)
        var outer = view(frame, ViewTree.Color(0, 255, 0))
        let inner = view(ViewTree.Frame(x: 10, y: 0, width: 40, height: 10), depth: 1, red)
        #expect(pixel(Bitmap(picture([outer, inner]), scale: 1), 30, 5) == [255, 0, 0])
        outer.clipsToBounds = true
        let clipped = Bitmap(picture([outer, inner]), scale: 1)
        #expect(pixel(clipped, 15, 5) == [255, 0, 0])
        #expect(pixel(clipped, 30, 5) == [255, 255, 255])
        outer.isHidden = true
        #expect(pixel(Bitmap(picture([outer, inner]), scale: 1), 15, 5) == [255, 255, 255])
    }

    @Test("a turned view is drawn by its corners")
    func turned() {
        var diamond = view(ViewTree.Frame(x: 30, y: 5, width: 40, height: 40), red)
        diamond.corners = [(50.0, 5.0), (70, 25), (50, 45), (30, 25)].map { ViewTree.Position(x: $0, y: $1) }
        let bitmap = Bitmap(picture([diamond]), scale: 1)
        #expect(pixel(bitmap, 50, 25) == [255, 0, 0])
        #expect(pixel(bitmap, 33, 8) == [255, 255, 255])
    }

    @Test("a touch is a dot, and a secure window hides what is inside")
    func marks() {
        let touch = ViewTree.Touch(id: 1, position: ViewTree.Position(x: 80, y: 25), phase: "began")
        let dotted = Bitmap(picture([], touches: [touch]), scale: 1)
        #expect(pixel(dotted, 80, 25) != [255, 255, 255])
        var window = view(ViewTree.Frame(x: 0, y: 0, width: 100, height: 50), nil)
        (window.kind, window.isSecure) = ("UIWindow", true)
        #expect(picture([window]).svg().contains(">secure</text>"))
    }

    @Test("an app that fills a turned screen is drawn upright, a part of a screen where its scene is")
    func places() {
        let whole = ViewTree.Frame(x: 0, y: 0, width: 50, height: 100)
        var tree = ViewTree(state: .active, sceneFrame: whole, orientation: .landscapeLeft)
        tree.views = [view(ViewTree.Frame(x: 80, y: 0, width: 20, height: 10), red)]
        let upright = Bitmap(Picture(width: 50, height: 100, [tree]), scale: 1)
        #expect((upright.width, upright.height) == (100, 50))
        #expect(pixel(upright, 99, 0) == [255, 0, 0])
        // Beside another app the screen is not turned: the right end of the interface is at the top.
        tree.sceneFrame = ViewTree.Frame(x: 0, y: 0, width: 25, height: 100)
        var other = ViewTree(state: .inactive, sceneFrame: ViewTree.Frame(x: 25, y: 0, width: 25, height: 100))
        other.views = [view(ViewTree.Frame(x: 0, y: 0, width: 25, height: 10), ViewTree.Color(0, 0, 255))]
        let beside = Bitmap(Picture(width: 50, height: 100, [other, tree]), scale: 1)
        #expect((beside.width, beside.height) == (50, 100))
        #expect(pixel(beside, 5, 5) == [255, 0, 0])
        #expect(pixel(beside, 30, 5) == [0, 0, 255])
    }

    @Test("texts of an app cannot leave the SVG's text element")
    func escaped() {
        var label = view(ViewTree.Frame(x: 0, y: 0, width: 90, height: 20), red)
        label.text = "</text><script>alert(\"1\")</script>&\u{1}"
        let svg = picture([label]).svg()
        #expect(!svg.contains("<script>"))
        #expect(svg.contains("&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp; "))
    }

    @Test("extreme numbers of another process make a picture, and no crash", arguments: [1e308, -1e308, 1e18, 0])
    func extreme(number: Double) throws {
        let line = [
            "view", "1", "0", "UISlider", "UISlider", "\(number),\(number),\(number),\(number)", "alpha=\(number)",
            "corners=\(number),0,\(-number),1,2,\(number),3,3", "control=e", "value=\(number)", "minimum=\(-number)",
            "maximum=\(number)", "parts=2000000000", "font=\(number)", "border=\(number)", "radius=\(number)", "text=a",
        ].joined(separator: "\t")
        let upright = line.split(separator: "\t").filter { !$0.hasPrefix("corners") }.joined(separator: "\t")
        let header = "tree\t1\tactive\tportrait\t1\t\(number),0,\(number),50\t0\t0.35\t0.15"
        let tree = try ViewTree(lines: [header, "touch\t1\tbegan\t\(number),5", line, upright])
        let picture = Picture(width: number, height: 50, [tree])
        #expect(Bitmap(picture, scale: 1).height == 50)
        #expect(picture.svg().hasSuffix("</svg>\n"))
        _ = tree.lintFindings
    }

    @Test("the picture of a scene is stable")
    func stable() throws {
        let path = Repository.root.appending(path: "Config/Scenes/Demo.yaml").path
        let screens = try (0..<2).map { _ in try ShownScreen(before: Scenario(showing: path)) }
        let pictures = screens.map { Picture(width: $0.width, height: $0.height, $0.apps.map(\.tree)).svg() }
        #expect(pictures[0] == pictures[1])
        #expect(pictures[0].contains(">plus</text>"))
    }
}
