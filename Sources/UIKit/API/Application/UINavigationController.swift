// UINavigationController.swift: a stack of view controllers, and the private views between their views and the window.
//
//     UIWindow ⊃ UILayoutContainerView (the navigation controller's view)
//                ⊃ UINavigationTransitionView ⊃ UIViewControllerWrapperView ⊃ the top controller's view
//
// The responder chain of S07 passes these views from the innermost to the outermost. The container has an edge pan
// without a name. The pan pops the top controller if a touch drags it over more than half of the width.
//
// Sources   observed    the class names, as a responder chain prints them (S07); the edge pan accepts every touch, has no
//                       name, and is still possible when a tap beside it recognizes (S36)
//           invented    half of the width as the limit; no view moves during the drag

import Basics
public import Foundation
import Gestures

final class UILayoutContainerView: UIView {}
final class UINavigationTransitionView: UIView {}
final class UIViewControllerWrapperView: UIView {}

/// Accepts every touch, and stays possible if the touches do not land at the edge or no controller can be popped.
final class UINavigationEdgePanGestureRecognizer: UIScreenEdgePanGestureRecognizer {
    fileprivate weak final var navigation: UINavigationController?
    private final var followsTouches = false

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        if !followsTouches, activeTouches.count == touches.count {
            followsTouches = navigation?.canPop(from: touches) == true
        }
        if followsTouches { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        if followsTouches { super.touchesMoved(touches, with: event) }
    }
    override func receiveMove(of touch: UITouch, as samples: [Sample], at now: Instant, in event: UIEvent) {
        if followsTouches { super.receiveMove(of: touch, as: samples, at: now, in: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        if followsTouches { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        if followsTouches { super.touchesCancelled(touches, with: event) }
    }
    override func reset() {
        super.reset()
        followsTouches = false
    }

    /// A recognizer that ignores its touches stays possible until the environment resets it. (T1)
    override var finishesAtReset: Bool { !followsTouches }
    override func performOwnAction() {
        if state == .ended { navigation?.popIfDragged(by: translation(in: view).x) }
    }
}

/// A view controller that shows the top controller of a stack.
open class UINavigationController: UIViewController {
    private let transitionView = UINavigationTransitionView(frame: .zero)

    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        stack = [rootViewController]
        addChild(rootViewController)
        rootViewController.didMove(toParent: self)
    }

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    public required init?(coder: NSCoder) { nil }

    open override func loadView() {
        let container = UILayoutContainerView(frame: UIScreen.main.bounds)
        transitionView.frame = container.bounds
        container.addSubview(transitionView)
        let edgePan = UINavigationEdgePanGestureRecognizer()
        edgePan.edges = .left
        edgePan.navigation = self
        container.addGestureRecognizer(edgePan)
        popGesture = edgePan
        view = container
    }

    private var popGesture: UINavigationEdgePanGestureRecognizer?
    /// The edge pan of the container, or nil before the view is loaded.
    open var interactivePopGestureRecognizer: UIGestureRecognizer? { popGesture }

    fileprivate final func canPop(from touches: Set<UITouch>) -> Bool {
        let region = CGFloat(view.window?.application?.settings.gestures.edgePan.region ?? 0)
        return stack.count > 1 && touches.contains { $0.location(in: view).x < region }
    }

    fileprivate final func popIfDragged(by distance: CGFloat) {
        if distance > view.bounds.width / 2 { popViewController(animated: true) }
    }

    open override func viewDidLoad() {
        super.viewDidLoad()
        showTop()
    }

    open override func viewWillLayoutSubviews() {
        super.viewWillLayoutSubviews()
        guard transitionView.bounds.size != view.bounds.size else { return }
        transitionView.frame = view.bounds
        for wrapper in transitionView.subviews {
            wrapper.frame = transitionView.bounds
            for content in wrapper.subviews { content.frame = wrapper.bounds }
        }
    }

    // MARK: Stack

    private var stack: [UIViewController] = []

    /// The stack, the top controller last.
    open var viewControllers: [UIViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }
    open var topViewController: UIViewController? { stack.last }
    /// The presented controller if there is one, or else the top controller.
    open var visibleViewController: UIViewController? {
        presentedViewController ?? topViewController
    }

    /// Replaces the stack without animation.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        replace(with: viewControllers)
    }

    /// Pushes a controller without animation. A controller that is on the stack already stops the program.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        demand(
            !stack.contains { $0 === viewController },
            "\(type(of: viewController)) cannot be pushed: it is on the stack already")
        replace(with: stack + [viewController])
    }

    /// Pops the top controller without animation, unless it is the only one.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1 else { return nil }
        let popped = stack.last
        replace(with: stack.dropLast())
        return popped
    }

    /// - Returns: The controllers that were popped, the lowest first.
    @discardableResult
    open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let index = stack.firstIndex(where: { $0 === viewController }) else {
            fatalError("\(type(of: viewController)) cannot be popped to: it is not on the stack")
        }
        let popped = Array(stack[(index + 1)...])
        replace(with: Array(stack[...index]))
        return popped
    }

    /// Pops every controller except the first, without animation.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        stack.first.flatMap { popToViewController($0, animated: animated) }
    }

    private func replace(with new: [UIViewController]) {
        let (old, oldTop) = (stack, stack.last)
        let changesTop = oldTop !== new.last
        for gone in old where !new.contains(where: { $0 === gone }) { gone.willMove(toParent: nil) }
        stack = new
        for added in new where !old.contains(where: { $0 === added }) { addChild(added) }
        if isViewLoaded, changesTop { showTop() }
        for added in new where !old.contains(where: { $0 === added }) { added.didMove(toParent: self) }
        for gone in old where !new.contains(where: { $0 === gone }) { gone.removeFromParent() }
    }

    private func showTop() {
        let old = transitionView.subviews
        if let top = stack.last {
            let wrapper = UIViewControllerWrapperView(frame: transitionView.bounds)
            top.view.frame = wrapper.bounds
            // The old view leaves and the new view enters, in Apple's order: both `will` methods, then both `did` methods.
            changeAppearance(of: old, .willLeave)
            transitionView.addSubview(wrapper)
            wrapper.addSubview(top.view)
        }
        for wrapper in old {
            for content in wrapper.subviews { content.removeFromSuperview() }
            wrapper.removeFromSuperview()
        }
    }

    private func changeAppearance(of wrappers: [UIView], _ input: ControllerAppearance.Input) {
        for wrapper in wrappers {
            for content in wrapper.subviews { content.controller?.changeAppearance(input) }
        }
    }
}
