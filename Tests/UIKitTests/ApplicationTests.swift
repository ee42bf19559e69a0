import Testbed
import Testing
import UIKit

@Suite("UIApplication, windows and controllers")
struct ApplicationTests {
    @Test("UIApplication.shared is the application whose code is running")
    func shared() {
        let (a, b) = (UIApplication(), UIApplication())
        UIApplication.run(as: a) {
            #expect(UIApplication.shared === a)
            UIApplication.run(as: b) { #expect(UIApplication.shared === b) }
            #expect(UIApplication.shared === a)
        }
        #expect(UIApplication.current == nil)
    }

    @Test("UIApplication.shared outside an application ends the program")
    func noShared() async {
        await #expect(processExitsWith: .failure) { _ = UIApplication.shared }
    }

    @Test("without a current application there are still a screen, views and windows")
    func bare() {
        #expect(UIScreen.main.bounds == CGRect(x: 0, y: 0, width: 375, height: 667))
        #expect(UIViewController().view.frame == UIScreen.main.bounds)
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.makeKeyAndVisible()
        #expect(!window.isHidden && !window.isKeyWindow)
    }

    @Test("the application delegate receives life-cycle calls in order with the right state")
    func life() {
        final class Delegate: NSObject, UIApplicationDelegate {
            let log = Log()
            func application(
                _ application: UIApplication,
                didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
            ) -> Bool {
                log.add("launched \(application.applicationState)")
                return true
            }
            func applicationDidBecomeActive(_ application: UIApplication) {
                log.add("active \(application.applicationState)")
            }
            func applicationWillResignActive(_ application: UIApplication) {
                log.add("resign \(application.applicationState)")
            }
            func applicationDidEnterBackground(_ application: UIApplication) {
                log.add("background \(application.applicationState)")
            }
            func applicationWillEnterForeground(_ application: UIApplication) {
                log.add("foreground \(application.applicationState)")
            }
            func applicationWillTerminate(_ application: UIApplication) { log.add("terminate") }
        }
        let (app, delegate) = (UIApplication(), Delegate())
        app.keptDelegate = delegate
        app.launch()
        for change in UIApplication.LifeCycleChange.allCases { app.changeLifeCycle(change) }
        #expect(
            delegate.log.drain() == [
                "launched inactive", "active active", "resign active", "background background",
                "foreground background", "terminate",
            ])
        #expect(app.delegate === delegate)
    }

    @Test("shown windows are ordered by level, then by showing")
    func order() {
        let stage = Stage()
        let (a, b, c) = stage.run { (UIWindow(frame: .zero), UIWindow(frame: .zero), UIWindow(frame: .zero)) }
        #expect(a.isHidden && stage.app.windows == [stage.window])
        a.windowLevel = .alert
        for window in [a, b, c] { window.isHidden = false }
        #expect(stage.app.windows == [stage.window, b, c, a])
        stage.run { b.makeKeyAndVisible() }
        #expect(stage.app.windows == [stage.window, c, b, a])
        c.windowLevel = .statusBar
        #expect(stage.app.windows == [stage.window, b, c, a])
        b.isHidden = true
        #expect(stage.app.windows == [stage.window, c, a])
    }

    @Test("one window is key, and hiding it leaves none")
    func key() {
        final class Telling: UIWindow {
            var log: Log?
            override func becomeKey() { log?.add("become") }
            override func resignKey() { log?.add("resign") }
        }
        let stage = Stage()
        let window = stage.run { Telling(frame: .zero) }
        window.log = stage.log
        window.makeKeyAndVisible()
        #expect(window.isKeyWindow && !stage.window.isKeyWindow && stage.app.keyWindow === window)
        stage.window.makeKey()
        #expect(stage.window.isKeyWindow && !window.isKeyWindow)
        window.makeKey()
        window.isHidden = true
        #expect(stage.app.keyWindow == nil)
        #expect(stage.log.drain() == ["become", "resign", "become", "resign"])
    }

    @Test("windows outlive their application, and applications their windows")
    func lifetimes() {
        var app: UIApplication? = UIApplication()
        let window = UIApplication.run(as: app!) { UIWindow(frame: .zero) }
        window.isHidden = false
        app = nil
        #expect(window.next == nil && !window.isKeyWindow)
        let stage = Stage()
        weak var hidden: UIWindow?
        do {
            let made = stage.run { UIWindow(frame: .zero) }
            hidden = made
            #expect(hidden != nil)
        }
        #expect(hidden == nil && stage.app.windows.count == 1)
    }

    @Test("an application keeps its shown windows alive")
    func kept() {
        let app = UIApplication()
        weak var window: UIWindow?
        do {
            let made = UIApplication.run(as: app) { UIWindow(frame: .zero) }
            made.isHidden = false
            window = made
        }
        #expect(window != nil)
        app.windows.first?.isHidden = true
        #expect(window == nil)
    }

    @Test("views, windows and recognizers are found by name")
    func names() {
        let stage = Stage()
        stage.window.accessibilityIdentifier = "window"
        let v = stage.view("V", 0, 0, 10, 10)
        let recognizer = UIGestureRecognizer()
        recognizer.name = "tap"
        v.addGestureRecognizer(recognizer)
        #expect(stage.app.view(named: "V") === v && stage.app.view(named: "W") == nil)
        #expect(stage.app.window(named: "window") === stage.window && stage.app.view(named: "window") === stage.window)
        #expect(stage.app.gestureRecognizer(named: "V.tap") === recognizer)
        #expect(stage.app.gestureRecognizer(named: "V.pan") == nil && stage.app.gestureRecognizer(named: "V") == nil)
    }

    private final class Controller: UIViewController {
        let log: Log
        let name: String
        init(_ name: String, _ log: Log) {
            (self.name, self.log) = (name, log)
            super.init(nibName: nil, bundle: nil)
        }
        required init?(coder: NSCoder) { nil }
        override func viewDidLoad() { log.add("\(name) didLoad") }
        override func viewWillAppear(_ animated: Bool) { log.add("\(name) willAppear") }
        override func viewDidAppear(_ animated: Bool) { log.add("\(name) didAppear") }
        override func viewWillDisappear(_ animated: Bool) { log.add("\(name) willDisappear") }
        override func viewDidDisappear(_ animated: Bool) { log.add("\(name) didDisappear") }
        override func willMove(toParent parent: UIViewController?) {
            log.add("\(name) willMove \(parent == nil ? "nil" : "parent")")
        }
        override func didMove(toParent parent: UIViewController?) {
            log.add("\(name) didMove \(parent == nil ? "nil" : "parent")")
        }
    }

    @Test("Docs/Reference/Machines/ControllerAppearance.md matches the transition function")
    func appearanceTable() {
        expectMachineTable(
            "ControllerAppearance", states: ControllerAppearance.State.allCases,
            inputs: ControllerAppearance.Input.allCases, transition: ControllerAppearance.transition)
    }

    @Test("a root controller's view loads on demand and fills its window")
    func root() {
        let stage = Stage()
        let (window, log) = (stage.run { UIWindow(frame: CGRect(x: 0, y: 0, width: 200, height: 300)) }, stage.log)
        let controller = Controller("A", log)
        #expect(!controller.isViewLoaded && controller.viewIfLoaded == nil)
        window.rootViewController = controller
        #expect(controller.view.frame == window.bounds && controller.view.superview === window)
        #expect(log.drain() == ["A didLoad"])
        window.isHidden = false
        #expect(log.drain() == ["A willAppear", "A didAppear"])
        window.bounds.size = CGSize(width: 300, height: 200)
        #expect(controller.view.frame == window.bounds)
        window.rootViewController = Controller("B", log)
        #expect(
            log.drain() == ["A willDisappear", "A didDisappear", "B didLoad", "B willAppear", "B didAppear"])
        window.isHidden = true
        #expect(log.drain() == ["B willDisappear", "B didDisappear"])
    }

    @Test("presenting covers a controller, and dismissing uncovers it")
    func presenting() {
        let stage = Stage()
        let (a, b) = (Controller("A", stage.log), Controller("B", stage.log))
        stage.run { stage.window.rootViewController = a }
        _ = stage.log.drain()
        var done = 0
        stage.run { a.present(b, animated: true) { done += 1 } }
        #expect(
            stage.log.drain() == [
                "B didLoad", "A willDisappear", "B willAppear", "B didAppear", "A didDisappear",
            ])
        #expect(a.presentedViewController === b && b.presentingViewController === a)
        #expect(stage.window.hitTest(CGPoint(x: 10, y: 10), with: nil) === b.view)
        stage.run { b.dismiss(animated: true) { done += 1 } }
        #expect(
            stage.log.drain() == ["A willAppear", "B willDisappear", "B didDisappear", "A didAppear"])
        #expect(a.presentedViewController == nil && b.presentingViewController == nil && done == 2)
    }

    @Test("controllers present each other without a window and without a leak")
    func presentingBare() {
        weak var left: UIViewController?
        weak var right: UIViewController?
        do {
            let (a, b) = (UIViewController(), UIViewController())
            a.view.frame = CGRect(x: 0, y: 0, width: 30, height: 20)
            a.present(b, animated: false)
            #expect(b.view.frame == UIScreen.main.bounds)
            (left, right) = (a, b)
            #expect(left != nil && right != nil)
        }
        #expect(left == nil && right == nil)
    }

    @Test("child controllers receive the calls that UIKit makes")
    func children() {
        let log = Log()
        let (parent, child) = (Controller("P", log), Controller("C", log))
        parent.addChild(child)
        #expect(parent.children == [child] && child.parent === parent)
        child.didMove(toParent: parent)
        child.willMove(toParent: nil)
        child.removeFromParent()
        #expect(parent.children.isEmpty && child.parent == nil)
        #expect(log.drain() == ["C willMove parent", "C didMove parent", "C willMove nil", "C didMove nil"])
    }

    @Test("a navigation controller shows the top of its stack")
    func navigation() {
        let stage = Stage()
        let (a, b) = (Controller("A", stage.log), Controller("B", stage.log))
        let navigation = stage.run { UINavigationController(rootViewController: a) }
        stage.run { stage.window.rootViewController = navigation }
        #expect(
            stage.log.drain() == ["A willMove parent", "A didMove parent", "A didLoad", "A willAppear", "A didAppear"])
        stage.run { navigation.pushViewController(b, animated: true) }
        #expect(
            stage.log.drain() == [
                "B willMove parent", "B didLoad", "A willDisappear", "B willAppear", "B didAppear", "A didDisappear",
                "B didMove parent",
            ])
        #expect(navigation.topViewController === b && b.navigationController === navigation)
        #expect(a.view.window == nil && b.view.window === stage.window)
        #expect(b.view.frame == stage.window.bounds)
        stage.run { #expect(navigation.popViewController(animated: true) === b) }
        #expect(
            stage.log.drain() == [
                "B willMove nil", "B willDisappear", "A willAppear", "A didAppear", "B didDisappear", "B didMove nil",
            ])
        stage.run { #expect(navigation.popViewController(animated: true) == nil) }
        #expect(navigation.viewControllers == [a] && navigation.visibleViewController === a)
        stage.run {
            navigation.viewControllers = [a, b]
            #expect(navigation.popToRootViewController(animated: false) == [b])
        }
    }

    @Test("a controller defers no screen edges by default")
    func edges() {
        let controller = UIViewController()
        #expect(controller.preferredScreenEdgesDeferringSystemGestures == [])
        #expect(UIRectEdge.all == [.top, .left, .bottom, .right])
    }
}
