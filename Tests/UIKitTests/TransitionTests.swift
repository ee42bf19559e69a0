import Basics
import Foundation
import Testing
import TouchlineTesting
import UIKit

private class LoggingController: UIViewController {
    let name: String
    let log: Log
    init(_ name: String, _ log: Log) {
        (self.name, self.log) = (name, log)
        super.init(nibName: nil, bundle: nil)
    }
    required init?(coder: NSCoder) { nil }
    override func viewWillAppear(_ animated: Bool) { log.add("\(name) will appear") }
    override func viewDidAppear(_ animated: Bool) { log.add("\(name) did appear") }
    override func viewWillDisappear(_ animated: Bool) { log.add("\(name) will disappear") }
    override func viewDidDisappear(_ animated: Bool) { log.add("\(name) did disappear") }
}

private final class ManualController: LoggingController {
    override var shouldAutomaticallyForwardAppearanceMethods: Bool { false }
}

private final class MovingController: LoggingController {
    private func add(_ sign: String) {
        let move =
            isBeingPresented
            ? "presented" : isBeingDismissed ? "dismissed" : isMovingToParent ? "to" : isMovingFromParent ? "from" : ""
        log.add("\(name) \(sign)\(move)")
    }
    override func viewWillAppear(_ animated: Bool) { add("+") }
    override func viewDidAppear(_ animated: Bool) { add("+") }
    override func viewWillDisappear(_ animated: Bool) { add("-") }
    override func viewDidDisappear(_ animated: Bool) { add("-") }
}

private final class Sheet: UIPresentationController {
    var log: Log?
    override var frameOfPresentedViewInContainerView: CGRect { CGRect(x: 0, y: 400, width: 375, height: 267) }
    override func presentationTransitionWillBegin() { log?.add("sheet will present") }
    override func presentationTransitionDidEnd(_ completed: Bool) { log?.add("sheet did present \(completed)") }
    override func dismissalTransitionWillBegin() { log?.add("sheet will dismiss") }
    override func dismissalTransitionDidEnd(_ completed: Bool) { log?.add("sheet did dismiss \(completed)") }
}

private final class SheetTransition: NSObject, UIViewControllerTransitioningDelegate,
    UIViewControllerAnimatedTransitioning
{
    let log: Log
    var interaction: UIPercentDrivenInteractiveTransition?
    init(_ log: Log) { self.log = log }

    func presentationController(
        forPresented presented: UIViewController, presenting: UIViewController?, source: UIViewController
    ) -> UIPresentationController? {
        let sheet = Sheet(presentedViewController: presented, presenting: presenting)
        sheet.log = log
        return sheet
    }
    func animationController(
        forPresented presented: UIViewController, presenting: UIViewController, source: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? { self }
    func animationController(
        forDismissed dismissed: UIViewController
    ) -> (any UIViewControllerAnimatedTransitioning)? { self }
    func interactionControllerForDismissal(
        using animator: any UIViewControllerAnimatedTransitioning
    ) -> (any UIViewControllerInteractiveTransitioning)? { interaction }

    func transitionDuration(using transitionContext: (any UIViewControllerContextTransitioning)?) -> TimeInterval {
        0.5
    }
    func animateTransition(using context: any UIViewControllerContextTransitioning) {
        log.add("animate")
        if let view = context.view(forKey: .to), let controller = context.viewController(forKey: .to) {
            view.frame = context.finalFrame(for: controller)
            context.containerView.addSubview(view)
        }
        UIView.animate(withDuration: 0.5, animations: {}) { _ in
            context.completeTransition(!context.transitionWasCancelled)
        }
    }
}

@Suite("Transitions of controllers")
struct TransitionTests {
    private let stage = Stage()
    private var log: Log { stage.log }

    @Test("a custom presentation calls its controller and its animator in order")
    func presentation() {
        let (root, sheet) = (LoggingController("root", log), LoggingController("sheet", log))
        let transition = SheetTransition(log)
        stage.run(at: 0) {
            stage.window.rootViewController = root
            _ = log.drain()
            sheet.modalPresentationStyle = .custom
            sheet.transitioningDelegate = transition
            root.present(sheet, animated: true) { log.add("presented") }
            #expect(sheet.transitionCoordinator != nil && sheet.presentationController is Sheet)
            root.transitionCoordinator?.animate(alongsideTransition: nil) { _ in log.add("beside") }
        }
        #expect(log.drain() == ["sheet will present", "sheet will appear", "animate"])
        stage.wait(until: 1)
        #expect(log.drain() == ["sheet did appear", "sheet did present true", "presented", "beside"])
        #expect(sheet.view.frame.minY == 400 && sheet.transitionCoordinator == nil)
        stage.run(at: 2) { sheet.dismiss(animated: true) { log.add("dismissed") } }
        #expect(log.drain() == ["sheet will dismiss", "sheet will disappear", "animate"])
        stage.wait(until: 3)
        #expect(log.drain() == ["sheet did disappear", "sheet did dismiss true", "dismissed"])
        #expect(root.presentedViewController == nil && sheet.view.superview == nil)
    }

    @Test("a cancelled interactive dismissal leaves the sheet on screen")
    func interactive() {
        let (root, sheet) = (LoggingController("root", log), LoggingController("sheet", log))
        let transition = SheetTransition(log)
        let interaction = UIPercentDrivenInteractiveTransition()
        transition.interaction = interaction
        stage.run(at: 0) {
            stage.window.rootViewController = root
            sheet.modalPresentationStyle = .custom
            sheet.transitioningDelegate = transition
            root.present(sheet, animated: true)
        }
        stage.wait(until: 1)
        _ = log.drain()
        stage.run(at: 1) {
            sheet.dismiss(animated: true)
            interaction.update(0.3)
            #expect(sheet.transitionCoordinator?.percentComplete == 0.3)
            interaction.cancel()
        }
        #expect(log.drain() == ["sheet will dismiss", "sheet will disappear", "animate"])
        stage.wait(until: 2)
        #expect(log.drain() == ["sheet will appear", "sheet did appear", "sheet did dismiss false"])
        #expect(root.presentedViewController === sheet && sheet.view.window != nil)
        stage.run(at: 2) {
            sheet.dismiss(animated: true)
            interaction.finish()
        }
        stage.wait(until: 3)
        #expect(root.presentedViewController == nil)
        #expect(log.drain().suffix(2) == ["sheet did disappear", "sheet did dismiss true"])
    }

    @Test("a presentation without an animator shows the view in its frame at once")
    func withoutAnimator() {
        let (root, sheet) = (LoggingController("root", log), LoggingController("sheet", log))
        let transition = SheetTransition(log)
        stage.run(at: 0) {
            stage.window.rootViewController = root
            sheet.modalPresentationStyle = .custom
            sheet.transitioningDelegate = transition
            root.present(sheet, animated: false)
            #expect(sheet.view.frame.minY == 400 && sheet.view.window === stage.window)
            sheet.dismiss(animated: false)
            #expect(sheet.view.window == nil)
        }
        #expect(
            log.drain().filter { $0.hasPrefix("sheet did") } == [
                "sheet did appear", "sheet did present true", "sheet did disappear", "sheet did dismiss true",
            ])
    }

    @Test("a parent that forwards nothing decides when its child appears")
    func manualAppearance() {
        let (parent, child) = (ManualController("parent", log), LoggingController("child", log))
        stage.run(at: 0) {
            stage.window.rootViewController = parent
            _ = log.drain()
            parent.addChild(child)
            parent.view.addSubview(child.view)
            #expect(log.drain().isEmpty)
            child.beginAppearanceTransition(true, animated: true)
            #expect(log.drain() == ["child will appear"])
            child.endAppearanceTransition()
            #expect(log.drain() == ["child did appear"])
            child.beginAppearanceTransition(false, animated: true)
            child.view.removeFromSuperview()
            #expect(log.drain() == ["child will disappear"])
            child.endAppearanceTransition()
            #expect(log.drain() == ["child did disappear"])
        }
    }

    @Test("an appearance transition delays viewDidAppear until its end")
    func explicitAppearance() {
        let (parent, child) = (LoggingController("parent", log), LoggingController("child", log))
        stage.run(at: 0) {
            stage.window.rootViewController = parent
            _ = log.drain()
            parent.addChild(child)
            child.beginAppearanceTransition(true, animated: false)
            parent.view.addSubview(child.view)
            #expect(log.drain() == ["child will appear"])
            child.endAppearanceTransition()
            #expect(log.drain() == ["child did appear"])
        }
    }

    @Test("a controller knows by which move it appears and disappears")
    func moves() {
        let (root, pushed, modal) = (
            MovingController("root", log), MovingController("pushed", log), MovingController("modal", log)
        )
        stage.run(at: 0) {
            let navigation = UINavigationController(rootViewController: root)
            stage.window.rootViewController = navigation
            _ = log.drain()
            navigation.pushViewController(pushed, animated: false)
            #expect(log.drain() == ["root -", "pushed +to", "pushed +to", "root -"])
            navigation.popViewController(animated: false)
            #expect(Set(log.drain()) == ["pushed -from", "root +"])
            root.present(modal, animated: false)
            #expect(log.drain().filter { $0.contains("modal") } == ["modal +presented", "modal +presented"])
            modal.dismiss(animated: false)
            #expect(log.drain().filter { $0.contains("modal") } == ["modal -dismissed", "modal -dismissed"])
        }
    }

    @Test("additional safe area insets reach the views inside")
    func safeArea() {
        let root = LoggingController("root", log)
        let inner = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 100))
        stage.run(at: 0) {
            stage.window.rootViewController = root
            root.view.addSubview(inner)
            #expect(inner.safeAreaInsets == .zero && inner.layoutMargins.left == 8)
            root.additionalSafeAreaInsets = UIEdgeInsets(top: 50, left: 15, bottom: 0, right: 0)
            #expect(root.view.safeAreaInsets.top == 50 && root.topLayoutGuide.length == 50)
            #expect(inner.safeAreaInsets == UIEdgeInsets(top: 30, left: 5, bottom: 0, right: 0))
            #expect(inner.layoutMargins == UIEdgeInsets(top: 38, left: 13, bottom: 8, right: 8))
        }
    }
}
