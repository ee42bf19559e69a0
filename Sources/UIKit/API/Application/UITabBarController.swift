// UITabBarController.swift: view controllers of which one is shown. No bar is shown: code selects.
//
// Input     viewControllers, selectedIndex
// Output    the view of the selected controller, over the whole of this controller's view
//
// Sources   documented  UITabBarController

import Foundation

/// Decides whether a tab is selected, and learns of a selection. Every method has a default implementation.
public protocol UITabBarControllerDelegate: AnyObject {
    func tabBarController(_ tabBarController: UITabBarController, shouldSelect viewController: UIViewController) -> Bool
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

extension UITabBarControllerDelegate {
    public func tabBarController(
        _ tabBarController: UITabBarController, shouldSelect viewController: UIViewController
    ) -> Bool { true }
    public func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController) {}
}

/// A view controller that shows one of several.
open class UITabBarController: UIViewController {
    /// The delegate is asked about a person's selection on a bar, and there is no bar here: it is not called.
    open weak var delegate: (any UITabBarControllerDelegate)?
    private var controllers: [UIViewController] = []
    private var selected = NSNotFound

    /// The controllers, from left to right.
    open var viewControllers: [UIViewController]? {
        get { controllers }
        set { setViewControllers(newValue, animated: false) }
    }

    open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
        let (old, new) = (controllers, viewControllers ?? [])
        let shown = selectedViewController
        for gone in old where !new.contains(where: { $0 === gone }) {
            gone.willMove(toParent: nil)
            gone.viewIfLoaded?.removeFromSuperview()
            gone.removeFromParent()
        }
        controllers = new
        for added in new where !old.contains(where: { $0 === added }) {
            addChild(added)
            added.didMove(toParent: self)
        }
        selected = new.firstIndex { $0 === shown } ?? (new.isEmpty ? NSNotFound : 0)
        if isViewLoaded { showSelected() }
    }

    /// The index of the controller that is shown; NSNotFound without one. An index without a controller is ignored.
    open var selectedIndex: Int {
        get { selected }
        set {
            guard controllers.indices.contains(newValue), newValue != selected else { return }
            selected = newValue
            if isViewLoaded { showSelected() }
        }
    }

    open var selectedViewController: UIViewController? {
        get { controllers.indices.contains(selected) ? controllers[selected] : nil }
        set {
            if let index = controllers.firstIndex(where: { $0 === newValue }) { selectedIndex = index }
        }
    }

    open override func viewDidLoad() {
        super.viewDidLoad()
        showSelected()
    }

    open override func viewWillLayoutSubviews() {
        super.viewWillLayoutSubviews()
        selectedViewController?.view.frame = view.bounds
    }

    private func showSelected() {
        guard let shown = selectedViewController else { return }
        shown.view.frame = view.bounds
        view.addSubview(shown.view)
        for other in controllers where other !== shown { other.viewIfLoaded?.removeFromSuperview() }
    }
}

extension UIViewController {
    /// The nearest tab bar controller around this controller.
    public var tabBarController: UITabBarController? {
        var next = parent
        while let controller = next {
            if let found = controller as? UITabBarController { return found }
            next = controller.parent
        }
        return nil
    }
}
