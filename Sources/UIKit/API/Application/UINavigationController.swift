// UINavigationController.swift: a stack of controllers, and the private views between their views and the window.
//
//     UIWindow ⊃ UILayoutContainerView (the navigation controller's view)
//                ⊃ UINavigationTransitionView ⊃ UIViewControllerWrapperView ⊃ the top controller's view
//
// The chain of S07 is that picture read from the inside out. The container has a nameless edge pan, which pops the top
// controller when it is dragged over half the way.
//
// Sources   observed    the class names, as a responder chain prints them (S07); the edge pan takes every touch, has no
//                       name, and is still possible when a tap beside it recognises (S36)
//           invented    half the way, and that nothing moves meanwhile

public import Foundation
import Gestures

final class UILayoutContainerView: UIView {}
final class UINavigationTransitionView: UIView {}
final class UIViewControllerWrapperView: UIView {}

/// Takes every touch, and says nothing of those that do not come in over the edge or have nothing to pop.
final class UINavigationEdgePanGestureRecognizer: UIScreenEdgePanGestureRecognizer {
    fileprivate weak final var navigation: UINavigationController?
    private final var hasPart = false

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        if !hasPart, activeTouches.count == touches.count { hasPart = navigation?.canPop(from: touches) == true }
        if hasPart { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
        if hasPart { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        if hasPart { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
        if hasPart { super.touchesCancelled(touches, with: event) }
    }
    override func reset() {
        super.reset()
        hasPart = false
    }

    /// As a bystander it is possible to the end. (T1)
    override var finishesAtReset: Bool { !hasPart }
    override func performOwnAction() {
        if state == .ended { navigation?.popIfDragged(by: translation(in: view).x) }
    }
}

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
    /// The container's edge pan.
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

    open var viewControllers: [UIViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }
    open var topViewController: UIViewController? { stack.last }
    open var visibleViewController: UIViewController? {
        presentedViewController ?? topViewController
    }

    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        replace(with: viewControllers)
    }

    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        demand(
            !stack.contains { $0 === viewController },
            "\(type(of: viewController)) cannot be pushed: it is on the stack already")
        replace(with: stack + [viewController])
    }

    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1 else { return nil }
        let popped = stack.last
        replace(with: stack.dropLast())
        return popped
    }

    /// - Returns: Those popped, the lowest first.
    @discardableResult
    open func popToViewController(_ viewController: UIViewController, animated: Bool) -> [UIViewController]? {
        guard let index = stack.firstIndex(where: { $0 === viewController }) else {
            fatalError("\(type(of: viewController)) cannot be popped to: it is not on the stack")
        }
        let popped = Array(stack[(index + 1)...])
        replace(with: Array(stack[...index]))
        return popped
    }

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
            // One leaves and the other comes, in Apple's order: will, will, did, did.
            stackAppearance(of: old, .willLeave)
            transitionView.addSubview(wrapper)
            wrapper.addSubview(top.view)
        }
        for wrapper in old {
            for content in wrapper.subviews { content.removeFromSuperview() }
            wrapper.removeFromSuperview()
        }
    }

    private func stackAppearance(of wrappers: [UIView], _ input: ControllerAppearance.Input) {
        for wrapper in wrappers {
            for content in wrapper.subviews { content.controller?.appear(input) }
        }
    }
}
