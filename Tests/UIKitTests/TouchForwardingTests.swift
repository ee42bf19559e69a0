// TouchForwardingTests.swift: which responders a forwarded touch visits.

import Testing
import UIKit

@Suite("forwarding of touches")
struct TouchForwardingTests {
    @Test("the entries of the methods are found in class metadata")
    func areFound() {
        #expect(TouchForwarding.areKnown)
    }

    @Test("a class without touches methods and next only forwards")
    func inheriting() {
        for type in [
            UIView.self, UILabel.self, UIStackView.self, UIImageView.self, Inheriting.self, InheritingTwice.self,
            Generic<Int>.self, OfGeneric.self, OverridesOther.self,
        ] as [UIView.Type] {
            #expect(TouchForwarding.isAll(of: type), "\(type)")
        }
    }

    @Test("a class with a touches method or next of its own, or of a superclass, does more")
    func overriding() {
        for type in [
            UIWindow.self, UIControl.self, UIButton.self, UIScrollView.self, UITableView.self, Began.self, Moved.self,
            Ended.self, Cancelled.self, Next.self, InheritsMoved.self, GenericEnded<Int>.self, OfGenericEnded.self,
        ] as [UIView.Type] {
            #expect(!TouchForwarding.isAll(of: type), "\(type)")
        }
    }

    @Test("a touch visits the overriding responders of its chain, in order")
    func visits() {
        let stage = Stage()
        let log = stage.log
        stage.run {
            let controller = HearingController(log)
            stage.window.rootViewController = controller
            let full = CGRect(x: 0, y: 0, width: 200, height: 200)
            // The chain of the deepest view: plain, "inner", two plain views, "outer", the controller's view.
            var parent: UIView = controller.view
            for view in [Hearing("outer", log), UIView(), Inheriting(), Hearing("inner", log), UIView()] {
                view.frame = full
                parent.addSubview(view)
                parent = view
            }
        }
        stage.down(10, 10, at: 1)
        stage.move(12, 10, at: 1.1)
        stage.up(at: 1.2)
        #expect(
            log.drain() == [
                "began inner", "began outer", "began controller", "moved inner", "moved outer", "moved controller",
                "ended inner", "ended outer", "ended controller",
            ])
        stage.down(10, 10, at: 2)
        stage.run { stage.app.touchTracker.cancelAll() }
        #expect(
            log.drain() == [
                "began inner", "began outer", "began controller", "cancelled inner", "cancelled outer",
                "cancelled controller",
            ])
    }

    @Test("a view that leaves its superview during a touch forwards to the new one")
    func reparented() {
        let stage = Stage()
        let log = stage.log
        let (first, second, leaf) = (Hearing("first", log), Hearing("second", log), UIView())
        stage.run {
            for view in [first, second, leaf] { view.frame = CGRect(x: 0, y: 0, width: 100, height: 100) }
            stage.window.addSubview(second)
            stage.window.addSubview(first)
            first.addSubview(leaf)
        }
        stage.down(10, 10, at: 1)
        stage.run { second.addSubview(leaf) }
        stage.up(at: 1.1)
        #expect(log.drain() == ["began first", "ended second"])
    }
}

// MARK: Classes

private class Inheriting: UIView {}
private final class InheritingTwice: Inheriting {
    var number = 1
}
private class Generic<Value>: UIView {
    var value: Value?
}
private final class OfGeneric: Generic<Double> {}
private final class OverridesOther: UIView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { nil }
    override func touchesEstimatedPropertiesUpdated(_ touches: Set<UITouch>) {}
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {}
}

private final class Began: UIView {
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {}
}
private class Moved: UIView {
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {}
}
private final class InheritsMoved: Moved {}
private class GenericEnded<Value>: UIView {
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {}
}
private final class Ended: UIView {
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesEnded(touches, with: event)
    }
}
private final class OfGenericEnded: GenericEnded<String> {}
private final class Cancelled: UIView {
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {}
}
private final class Next: UIView {
    override var next: UIResponder? { super.next }
}

/// Logs each call and forwards it.
private final class Hearing: UIView {
    let name: String
    let log: Log

    init(_ name: String, _ log: Log) {
        (self.name, self.log) = (name, log)
        super.init(frame: .zero)
    }
    required init?(coder: NSCoder) { nil }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        log.add("began \(name)")
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        log.add("moved \(name)")
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        log.add("ended \(name)")
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        log.add("cancelled \(name)")
        super.touchesCancelled(touches, with: event)
    }
}

private final class HearingController: UIViewController {
    private let log: Log

    init(_ log: Log) {
        self.log = log
        super.init(nibName: nil, bundle: nil)
    }
    required init?(coder: NSCoder) { nil }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { log.add("began controller") }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { log.add("moved controller") }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { log.add("ended controller") }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { log.add("cancelled controller") }
}
