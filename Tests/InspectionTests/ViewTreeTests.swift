import Basics
import Foundation
import Scenarios
import Testbed
import Testing
import UIKit
import ViewTrees

@Suite("View tree")
struct ViewTreeTests {
    /// Returns the tree of an application with one window, which `fill` fills.
    private func shown(touchTargets: Bool = false, _ fill: (UIWindow) -> Void) -> ViewTree {
        let application = UIApplication()
        return UIApplication.run(as: application) {
            let window = UIWindow(frame: UIScreen.main.bounds)
            fill(window)
            window.isHidden = false
            application.changeLifeCycle(.didBecomeActive)
            return withExtendedLifetime(window) { application.viewTree(touchTargets: touchTargets) }
        }
    }

    @Test("a tree lists windows and views back to front with their frames on the screen")
    func order() {
        let tree = shown { window in
            let panel = UIView(frame: CGRect(x: 10, y: 20, width: 200, height: 200))
            panel.accessibilityIdentifier = "panel"
            let label = UILabel(frame: CGRect(x: 5, y: 5, width: 50, height: 20))
            label.text = "Total"
            panel.addSubview(label)
            window.addSubview(panel)
            window.addSubview(UISwitch(frame: CGRect(x: 0, y: 300, width: 51, height: 31)))
        }
        #expect(tree.views.map(\.depth) == [0, 1, 2, 1])
        #expect(tree.views.map(\.kind) == ["UIWindow", "UIView", "UILabel", "UISwitch"])
        #expect(tree.views[2].frame == ViewTree.Frame(x: 15, y: 25, width: 50, height: 20))
        #expect(tree.views[2].text == "Total")
        #expect(tree.views[3].control?.value == 0)
        #expect(tree.parents == [nil, 0, 1, 0])
        #expect(tree.descendants(of: 1) == 2..<3)
        #expect(tree.textLines[2] == "  UIView \"panel\"  200×200 at 10,20")
    }

    @Test("a scrolled and a turned view have their places on the screen")
    func geometry() throws {
        let tree = shown { window in
            let scroll = UIScrollView(frame: CGRect(x: 0, y: 100, width: 300, height: 300))
            scroll.contentSize = CGSize(width: 300, height: 1000)
            scroll.contentOffset = CGPoint(x: 0, y: 50)
            let card = UIView(frame: CGRect(x: 10, y: 60, width: 20, height: 20))
            scroll.addSubview(card)
            window.addSubview(scroll)
            let turned = UIView(frame: CGRect(x: 100, y: 500, width: 40, height: 20))
            turned.transform = CGAffineTransform(rotationAngle: .pi / 2)
            window.addSubview(turned)
        }
        let scroll = try #require(tree.views.first { $0.scroll != nil })
        #expect(scroll.scroll?.contentOffset == ViewTree.Position(x: 0, y: 50))
        #expect(!scroll.recognizers.contains { !$0.isOfUIKit })
        #expect(tree.views[2].frame == ViewTree.Frame(x: 10, y: 110, width: 20, height: 20))
        #expect(tree.views[3].frame == ViewTree.Frame(x: 110, y: 490, width: 20, height: 40))
        #expect(tree.views[3].corners?.first == ViewTree.Position(x: 130, y: 490))
    }

    @Test("a secure window has no content and a secure field no text")
    func secure() throws {
        let field = { () -> UITextField in
            let field = UITextField(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
            (field.text, field.isSecureTextEntry) = ("secret", true)
            return field
        }
        let open = shown { $0.addSubview(field()) }
        #expect(open.views.count == 2)
        #expect(open.views[1].isSecure)
        #expect(open.views[1].text == nil)
        let closed = shown { window in
            window.isSecure = true
            window.addSubview(field())
            window.accessibilityIdentifier = "keypad"
        }
        #expect(closed.views.map(\.label) == ["UIWindow \"keypad\""])
        let texts: [String] = open.lines + closed.lines + open.textLines
        for text in texts { #expect(text.range(of: "secret") == nil) }
    }

    @Test("touches on a secure window are not in the tree")
    func secureTouch() throws {
        for isSecure in ["no", "yes"] {
            let scenario = try Scenario(
                parsing: """
                    id: S0
                    title: a finger on a window
                    windows:
                      - name: window
                        secure: \(isSecure)
                        view: { name: root }
                    script: |
                      down f1 (100,200) @0.000
                      up f1 @0.500
                    """, file: "test.yaml", isDraft: true)
            let tree = try #require(ShownScreen(of: scenario, at: .milliseconds(100)).apps.first?.tree)
            let positions = tree.touches.map(\.position)
            #expect(positions == (isSecure == "no" ? [ViewTree.Position(x: 100, y: 200)] : []))
        }
    }

    @Test("a touch that outlasts a secure window is not in the tree")
    func formerlySecure() throws {
        let scenario = try Scenario(
            parsing: """
                id: S0
                title: a finger on one of two windows
                windows:
                  - name: keypad
                    secure: yes
                    view: { name: root }
                  - name: front
                    view: { name: top }
                script: |
                  down f1 (100,200) @0.000
                  up f1 @0.500
                """, file: "test.yaml", isDraft: true)
        #expect(try ShownScreen(of: scenario, at: .milliseconds(100)).apps.first?.tree.touches == [])
    }

    @Test("views keep their identities, and changes name them")
    func changes() {
        let application = UIApplication()
        UIApplication.run(as: application) {
            let window = UIWindow(frame: UIScreen.main.bounds)
            let (a, b) = (UIView(frame: .zero), UIView(frame: .zero))
            window.addSubview(a)
            window.addSubview(b)
            window.isHidden = false
            let first = application.viewTree()
            #expect(application.viewTree().changes(since: first) == [])
            #expect(first.hashValue == application.viewTree().hashValue)
            let (idA, idB) = (first.views[1].identity, first.views[2].identity)
            b.alpha = 0.5
            #expect(application.viewTree().changes(since: first) == [.changed(idB)])
            b.alpha = 1
            window.bringSubviewToFront(a)
            #expect(application.viewTree().changes(since: first) == [.changed(idB), .changed(idA)])
            a.removeFromSuperview()
            let added = UIView(frame: .zero)
            b.addSubview(added)
            let last = application.viewTree()
            #expect(last.changes(since: first).first == .removed(idA))
            #expect(last.changes(since: first).last == .added(last.views[2].identity))
        }
    }

    @Test("a tree of every scenario is the same after its way as lines")
    func lines() throws {
        for file in Repository.scenarioFiles {
            let path = Repository.scenarios.appending(path: file).path
            let screen = try ShownScreen(before: Scenario(contentsOf: path))
            for app in screen.apps {
                #expect(try ViewTree(lines: app.tree.lines) == app.tree, "\(file)")
            }
        }
    }

    @Test("texts with tabs, line breaks and backslashes keep them")
    func escapes() throws {
        let tree = shown { window in
            let label = UILabel(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
            label.text = "a\tb\nc\\d=e\r"
            label.accessibilityIdentifier = String(repeating: "é", count: 1000)
            window.addSubview(label)
        }
        #expect(tree.lines.allSatisfy { !$0.contains("\n") && !$0.contains("\r") })
        #expect(tree.views[1].identifier?.count == ViewTree.textLimit + 1)
        #expect(try ViewTree(lines: tree.lines) == tree)
    }

    @Test(
        "lines that are no tree are refused",
        arguments: [
            [], ["view\t1\t0\tUIView\tUIView\t0,0,1,1"], ["tree\t9\tactive"],
            ["tree\t1\tasleep\tportrait\t1\t0,0,1,1\t0\t1\t1"], ["tree\t1\tactive\tportrait\t1\t0,0,1\t0\t1\t1"],
            ["tree\t1\tactive\tportrait\t1\t0,0,1,nan\t0\t1\t1"],
        ])
    func refused(lines: [String]) { #expect(throws: ViewTreeError.self) { try ViewTree(lines: lines) } }

    @Test(
        "a line with a wrong field is refused",
        arguments: [
            "view\t1\t1\tUIView\tUIView\t0,0,1,1", "view\t1\t-1\tUIView\tUIView\t0,0,1,1", "view\t1\t0\tUIView",
            "view\t1\t0\tUIView\tUIView\t0,0,1,1\tcolor=#12", "view\t1\t0\tUIView\tUIView\t0,0,1,1\tnew=1",
            "view\t1\t0\tUIView\tUIView\t0,0,1,1\tid", "recognizer\t1\tA\tA\tA\tpossible", "word",
            "view\t1\t0\tA\\q\tUIView\t0,0,1,1",
        ])
    func refusedLine(line: String) {
        let header = "tree\t1\tactive\tportrait\t1\t0,0,375,667\t0\t0.35\t0.15"
        #expect(throws: ViewTreeError.self) { try ViewTree(lines: [header, line]) }
    }

    @Test("touch targets name the position or the obstacle")
    func targets() throws {
        let tree = shown(touchTargets: true) { window in
            for (index, name) in ["free", "covered", "cover"].enumerated() {
                let y = index == 0 ? 0.0 : 100
                let view = UIView(frame: CGRect(x: 0, y: y, width: 50, height: 50))
                view.accessibilityIdentifier = name
                window.addSubview(view)
            }
        }
        #expect(tree.views[1].touchTarget == .position(ViewTree.Position(x: 25, y: 25)))
        #expect(tree.views[2].touchTarget == .obstacle("UIView \"cover\" takes a touch at (25.0, 125.0)"))
        #expect(try ViewTree(lines: tree.lines) == tree)
    }
}
