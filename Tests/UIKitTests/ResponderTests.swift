import Testing
import UIKit

private func chain(_ start: UIResponder) -> String {
    var names: [String] = []
    var responder: UIResponder? = start
    while let current = responder {
        names.append("\(type(of: current))")
        responder = current.next
    }
    return names.joined(separator: " --> ")
}

private final class AppDelegate: UIResponder, UIApplicationDelegate {}
private final class CustomeTabBar: UIView {}
private final class CircleButton: UIButton {}
private final class Willing: UIView {
    var resigns = true
    override var canBecomeFirstResponder: Bool { true }
    override var canResignFirstResponder: Bool { resigns }
}

@Suite("Responder chain")
struct ChainTests {
    @Test("S07: a button's responder chain passes through a navigation controller")
    func navigation() {
        let stage = Stage()
        let delegate = AppDelegate()
        stage.app.delegate = delegate
        let button = CircleButton(frame: .zero)
        stage.run {
            let screen = UIViewController()
            let bar = CustomeTabBar(frame: CGRect(x: 0, y: 600, width: 375, height: 67))
            screen.view.addSubview(bar)
            bar.addSubview(button)
            stage.window.rootViewController = UINavigationController(rootViewController: screen)
        }
        #expect(
            chain(button)
                == "CircleButton --> CustomeTabBar --> UIView --> UIViewController --> UIViewControllerWrapperView"
                + " --> UINavigationTransitionView --> UILayoutContainerView --> UINavigationController --> UIWindow"
                + " --> UIApplication --> AppDelegate")
    }

    @Test("S08: a text field's responder chain includes the scene if configured", arguments: [false, true])
    func documented(_ scene: Bool) {
        let stage = Stage(settings: [("responder.windowScene", "\(scene)")])
        let delegate = AppDelegate()
        stage.app.delegate = delegate
        let field = UITextField(frame: .zero)
        stage.run {
            let controller = UIViewController()
            let inner = UIView()
            controller.view.addSubview(inner)
            inner.addSubview(field)
            stage.window.rootViewController = controller
        }
        #expect(
            chain(field) == "UITextField --> UIView --> UIView --> UIViewController --> UIWindow"
                + (scene ? " --> UIWindowScene" : "") + " --> UIApplication --> AppDelegate")
        #expect((stage.window.windowScene != nil) == scene)
    }

    @Test("a presented controller's next responder is its presenter")
    func presented() {
        let stage = Stage()
        stage.run {
            let (presenter, presented) = (UIViewController(), UIViewController())
            stage.window.rootViewController = presenter
            presenter.present(presented, animated: false)
            #expect(presented.next === presenter)
            #expect(presented.view.next === presented && presented.view.superview === stage.window)
        }
    }

    @Test("a view's next responder follows its superview")
    func reparented() {
        let (b, c, v) = (UIView(), UIView(), UIView())
        b.addSubview(v)
        #expect(v.next === b)
        c.addSubview(v)
        #expect(v.next === c)
    }

    @Test("a delegate that is a view or no responder ends the chain")
    func delegates() {
        final class Plain: NSObject, UIApplicationDelegate {}
        final class ViewDelegate: UIView, UIApplicationDelegate {
            override var window: UIWindow? {
                get { super.window }
                set {}
            }
        }
        let stage = Stage()
        let plain = Plain()
        stage.app.delegate = plain
        #expect(stage.app.next == nil)
        let view = ViewDelegate(frame: .zero)
        stage.app.delegate = view
        #expect(stage.app.next == nil)
    }

    @Test("S11: a controller receives only the touches that its view forwards")
    func controllerHears() {
        final class Hearing: UIViewController {
            var log: Log?
            override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { log?.add("touchesBegan VC") }
        }
        let stage = Stage()
        let controller = stage.run { Hearing() }
        controller.log = stage.log
        stage.run { stage.window.rootViewController = controller }
        let v1 = stage.view("V1", 50, 200, 275, 250, in: controller.view)
        v1.forwards = false
        stage.tap(40, 100)
        #expect(stage.log.drain() == ["touchesBegan VC"])
        stage.tap(60, 210, at: 5)
        #expect(stage.log.drain() == ["touchesBegan V1", "touchesEnded V1"])
    }

    @Test("an overridden next responder receives the touches")
    func overriddenNext() {
        final class Detour: UIView {
            var detour: UIResponder?
            override var next: UIResponder? { detour }
        }
        let stage = Stage()
        let elsewhere = ProbeView("elsewhere", .zero, stage.log)
        let view = Detour(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
        view.detour = elsewhere
        stage.window.addSubview(view)
        stage.tap(10, 10)
        #expect(stage.log.drain() == ["touchesBegan elsewhere", "touchesEnded elsewhere"])
    }

    @Test("presses, motion and remote control climb the chain like touches")
    func otherEvents() {
        final class All: UIResponder {
            let log = Log()
            override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) { log.add("pb") }
            override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) { log.add("pc") }
            override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) { log.add("pe") }
            override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) { log.add("px") }
            override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) { log.add("mb") }
            override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) { log.add("me") }
            override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) { log.add("mx") }
            override func remoteControlReceived(with event: UIEvent?) { log.add("rc") }
        }
        final class Start: UIResponder {
            let after: UIResponder
            init(_ after: UIResponder) { self.after = after }
            override var next: UIResponder? { after }
        }
        let all = All()
        let start = Start(all)
        start.pressesBegan([], with: nil)
        start.pressesChanged([], with: nil)
        start.pressesEnded([], with: nil)
        start.pressesCancelled([], with: nil)
        start.motionBegan(.motionShake, with: nil)
        start.motionEnded(.motionShake, with: nil)
        start.motionCancelled(.motionShake, with: nil)
        start.remoteControlReceived(with: nil)
        #expect(all.log.drain() == ["pb", "pc", "pe", "px", "mb", "me", "mx", "rc"])
    }
}

@Suite("First responder")
struct FirstResponderTests {
    let stage = Stage()

    @Test("only a willing view in a window becomes first responder")
    func willing() {
        let (plain, view) = (UIView(), Willing())
        #expect(!view.becomeFirstResponder())
        stage.window.addSubview(plain)
        stage.window.addSubview(view)
        #expect(!plain.becomeFirstResponder() && !plain.isFirstResponder)
        #expect(view.becomeFirstResponder() && view.isFirstResponder)
        #expect(view.becomeFirstResponder())
    }

    @Test("a window has one first responder, which must resign first")
    func one() {
        let (a, b) = (Willing(), Willing())
        stage.window.addSubview(a)
        stage.window.addSubview(b)
        #expect(a.becomeFirstResponder())
        a.resigns = false
        #expect(!b.becomeFirstResponder() && a.isFirstResponder)
        #expect(!a.resignFirstResponder() && a.isFirstResponder)
        a.resigns = true
        #expect(b.becomeFirstResponder() && !a.isFirstResponder && b.isFirstResponder)
        #expect(b.resignFirstResponder() && !b.isFirstResponder)
        #expect(b.resignFirstResponder())
    }

    @Test("each window has its own first responder")
    func windows() {
        let other = stage.run { UIWindow(frame: .zero) }
        let (a, b) = (Willing(), Willing())
        stage.window.addSubview(a)
        other.addSubview(b)
        #expect(a.becomeFirstResponder() && b.becomeFirstResponder() && a.isFirstResponder)
    }

    @Test("a first responder that leaves its window resigns")
    func leaves() {
        let (outer, view) = (UIView(), Willing())
        outer.addSubview(view)
        stage.window.addSubview(outer)
        view.becomeFirstResponder()
        view.resigns = false
        outer.removeFromSuperview()
        stage.window.addSubview(outer)
        #expect(!view.isFirstResponder)
    }

    @Test("a view controller in a window can be first responder")
    func controller() {
        final class Controller: UIViewController {
            override var canBecomeFirstResponder: Bool { true }
        }
        let controller = stage.run { Controller() }
        #expect(!controller.becomeFirstResponder())
        stage.run { stage.window.rootViewController = controller }
        #expect(controller.becomeFirstResponder() && controller.isFirstResponder)
    }

    @Test("a text field begins and ends editing as first responder")
    func textField() {
        let field = UITextField(frame: CGRect(x: 0, y: 0, width: 100, height: 40))
        stage.window.addSubview(field)
        let log = stage.log
        field.addAction(UIAction { _ in log.add("begin") }, for: .editingDidBegin)
        field.addAction(UIAction { _ in log.add("end") }, for: .editingDidEnd)
        stage.tap(50, 20)
        #expect(field.isEditing)
        field.resignFirstResponder()
        #expect(log.drain() == ["begin", "end"])
    }
}

@Suite("Selectors and actions by name")
struct SelectorTests {
    private final class Doer: UIView {
        let log: Log
        init(_ log: Log) {
            self.log = log
            super.init(frame: .zero)
        }
        required init?(coder: NSCoder) { nil }
        func doIt() { log.add("doIt") }
        func doItFrom(_ sender: UIButton) { log.add("from \(sender.tag)") }
        func doItWith(_ sender: Any?, _ event: UIEvent?) { log.add("with \(event?.type == .touches)") }
    }
    let log = Log()

    @Test("selectors are equal by name")
    func names() {
        #expect(Selector("doIt") == "doIt" && Selector("doIt") != Selector("other"))
        #expect(Selector("doIt", Doer.doIt) == Selector("doIt"))
        #expect(NSStringFromSelector("doIt") == "doIt" && "\(Selector("doIt"))" == "doIt")
    }

    @Test("a carried method is its class's, a registered one its object's")
    func responding() {
        let (doer, other) = (Doer(log), UIView())
        #expect(!doer.responds(to: "doIt"))
        #expect(doer.responds(to: Selector("doIt", Doer.doIt)) && !other.responds(to: Selector("doIt", Doer.doIt)))
        doer.respond(to: Selector("doIt", Doer.doIt))
        #expect(doer.responds(to: "doIt") && !other.responds(to: "doIt"))
        doer.perform("doIt")
        #expect(log.drain() == ["doIt"])
    }

    @Test("action methods take nothing, the sender, or sender and event")
    func arities() {
        let stage = Stage()
        let (doer, button) = (Doer(log), UIButton(frame: .zero))
        button.tag = 5
        let event = stage.app.touchTracker.event
        stage.app.sendAction(Selector("a", Doer.doIt), to: doer, from: button, for: event)
        stage.app.sendAction(Selector("b", Doer.doItFrom), to: doer, from: button, for: event)
        stage.app.sendAction(Selector("c", Doer.doItWith), to: doer, from: button, for: event)
        #expect(log.drain() == ["doIt", "from 5", "with true"])
    }

    @Test("canPerformAction and target(forAction:) search the responder chain")
    func targets() {
        let (outer, inner) = (Doer(log), UIView())
        outer.addSubview(inner)
        outer.respond(to: Selector("doIt", Doer.doIt))
        #expect(!inner.canPerformAction("doIt", withSender: nil) && outer.canPerformAction("doIt", withSender: nil))
        #expect(inner.target(forAction: "doIt", withSender: nil) as? UIView === outer)
        #expect(inner.target(forAction: "none", withSender: nil) == nil)
    }

    @Test("S71: a nil target finds the nearest responder with the action")
    func nilTarget() {
        final class Controller: UIViewController {
            var log: Log?
            func doIt() { log?.add("VC") }
        }
        final class Delegate: UIResponder, UIApplicationDelegate {
            var log: Log?
            func onlyMe() { log?.add("AppDelegate") }
        }
        let stage = Stage()
        let controller = stage.run { Controller() }
        let delegate = Delegate()
        (controller.log, delegate.log) = (log, log)
        stage.app.delegate = delegate
        stage.run { stage.window.rootViewController = controller }
        let view = Doer(log)
        let button = UIButton(frame: .zero)
        controller.view.addSubview(view)
        view.addSubview(button)
        controller.respond(to: Selector("doIt", Controller.doIt))
        delegate.respond(to: Selector("onlyMe", Delegate.onlyMe))
        button.addTarget(nil, action: "doIt", for: .touchUpInside)
        button.addTarget(nil, action: "onlyMe", for: .touchDown)
        button.addTarget(nil, action: "nobody", for: .touchCancel)
        stage.run { button.sendActions(for: .touchUpInside) }
        #expect(log.drain() == ["VC"])
        view.respond(to: Selector("doIt", Doer.doIt))
        stage.run { button.sendActions(for: .touchUpInside) }
        stage.run { button.sendActions(for: .touchDown) }
        stage.run { button.sendActions(for: .touchCancel) }
        #expect(log.drain() == ["doIt", "AppDelegate"])
        #expect(!stage.app.sendAction("nobody", to: nil, from: button, for: nil))
    }

    @Test("a nil target's search starts at the key window's first responder")
    func fromFirstResponder() {
        let stage = Stage()
        let (view, other) = (Doer(log), Willing())
        let button = UIButton(frame: .zero)
        stage.window.addSubview(view)
        view.addSubview(button)
        stage.window.addSubview(other)
        view.respond(to: Selector("doIt", Doer.doIt))
        #expect(stage.app.sendAction("doIt", to: nil, from: button, for: nil))
        other.becomeFirstResponder()
        #expect(!stage.app.sendAction("doIt", to: nil, from: button, for: nil))
        #expect(log.drain() == ["doIt"])
    }
}
