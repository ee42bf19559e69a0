// UIViewController.swift: the object that manages a tree of views and follows its root in the responder chain.
//
// Presenting and pushing take no time here: a transition is complete when the call returns. The order of calls is Apple's.
//
// Sources   documented  a controller's next responder is its presenter, or else its view's superview (B13.1)

public import Foundation

/// A set of edges of a rectangle.
public struct UIRectEdge: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let top = UIRectEdge(rawValue: 1 << 0)
    public static let left = UIRectEdge(rawValue: 1 << 1)
    public static let bottom = UIRectEdge(rawValue: 1 << 2)
    public static let right = UIRectEdge(rawValue: 1 << 3)
    public static let all: UIRectEdge = [.top, .left, .bottom, .right]
}

/// The object that manages a tree of views.
open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        nibName = nibNameOrNil
        super.init()
    }

    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    /// Returns nil, because this project has no archives of controllers.
    public required init?(coder: NSCoder) { nil }

    deinit {
        loadedView?.controller = nil
        for child in children { child.parent = nil }
        presentedViewController?.presentingViewController = nil
    }

    /// The name that `init` received. It has no effect, because this project has no nibs.
    open private(set) var nibName: String?
    open var title: String?

    // MARK: View

    private var loadedView: UIView?

    /// The controller's view. Reading it loads the view.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView?.controller = nil
            loadedView = newValue
            newValue?.controller = self
        }
    }

    open var viewIfLoaded: UIView? { loadedView }
    open var isViewLoaded: Bool { loadedView != nil }

    /// Calls `loadView` and `viewDidLoad` if the view is not loaded. A `loadView` that sets no view stops the program.
    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        guard loadedView != nil else { preconditionFailure("\(type(of: self)).loadView set no view") }
        viewDidLoad()
    }

    /// Makes a view as large as the screen. An override sets `view` and does not call `super`.
    open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

    /// Called after the view was loaded.
    open func viewDidLoad() {}
    /// Called before the view enters a window that is shown. `animated` is always false.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called after the view entered a window that is shown. `animated` is always false.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called before the view leaves a window that is shown. `animated` is always false.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called after the view left a window that is shown. `animated` is always false.
    open func viewDidDisappear(_ animated: Bool) {}
    open func viewWillLayoutSubviews() {}
    open func viewDidLayoutSubviews() {}

    // MARK: Appearance

    private final var appearance = ControllerAppearance()

    /// Whether the view is on screen and the appearance methods have been called.
    final var isOnScreen: Bool { appearance.state == .appeared }

    /// Calls the appearance method for the change, here and in the children whose views are inside this view.
    final func changeAppearance(_ input: ControllerAppearance.Input) {
        switch appearance.handle(input) {
        case .nothing: break
        case .viewWillAppear: viewWillAppear(false)
        case .viewDidAppear: viewDidAppear(false)
        case .viewWillDisappear: viewWillDisappear(false)
        case .viewDidDisappear: viewDidDisappear(false)
        }
        guard let view = loadedView else { return }
        for child in children where child.loadedView?.isInside(view) == true { child.changeAppearance(input) }
    }

    final func enterScreen() {
        changeAppearance(.willEnter)
        changeAppearance(.didEnter)
    }

    final func leaveScreen() {
        changeAppearance(.willLeave)
        changeAppearance(.didLeave)
    }

    final func viewWillMove(toShownWindow: Bool) { changeAppearance(toShownWindow ? .willEnter : .willLeave) }
    final func viewDidMove(toShownWindow: Bool) { changeAppearance(toShownWindow ? .didEnter : .didLeave) }

    // MARK: Children

    open private(set) var children: [UIViewController] = []
    /// The parent clears this pointer before it is freed.
    @exclusivity(unchecked) unowned(unsafe) private final var parentPointer: UIViewController?
    open internal(set) var parent: UIViewController? {
        get { parentPointer }
        set { parentPointer = newValue }
    }

    /// Adds a child and calls its `willMove(toParent:)`. The caller calls `didMove(toParent:)` when the view is in place.
    open func addChild(_ childController: UIViewController) {
        guard childController.parent !== self else { return }
        childController.removeFromParent()
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
    }

    /// Removes this child and calls `didMove(toParent: nil)`. The caller calls `willMove(toParent: nil)` beforehand.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    open func willMove(toParent parent: UIViewController?) {}
    open func didMove(toParent parent: UIViewController?) {}

    /// The nearest ancestor that is a navigation controller.
    open var navigationController: UINavigationController? {
        var ancestor = parent
        while let controller = ancestor {
            if let navigation = controller as? UINavigationController { return navigation }
            ancestor = controller.parent
        }
        return nil
    }

    // MARK: Presenting

    open private(set) var presentedViewController: UIViewController?
    /// The controller that presents this one, or nil. It clears the pointer before it is freed.
    @exclusivity(unchecked) unowned(unsafe) private final var presenterPointer: UIViewController?
    open internal(set) var presentingViewController: UIViewController? {
        get { presenterPointer }
        set { presenterPointer = newValue }
    }

    private final var furthestAncestor: UIViewController {
        var top = self
        while let parent = top.parent { top = parent }
        return top
    }

    /// Shows the controller over this window at once. The presenter is the furthest ancestor of this controller.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        let presenter = furthestAncestor
        demand(viewControllerToPresent !== presenter, "\(type(of: presenter)) cannot present itself")
        // UIKit refuses a second presentation with a warning, and nothing happens.
        guard presenter.presentedViewController == nil else { return }
        demand(
            viewControllerToPresent.presentingViewController == nil,
            "\(type(of: viewControllerToPresent)) cannot be presented: it is already")
        let window = presenter.viewIfLoaded?.window
        presenter.presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = presenter
        viewControllerToPresent.view.frame = window?.bounds ?? UIScreen.main.bounds
        let shows = presenter.isOnScreen
        if shows { presenter.changeAppearance(.willLeave) }
        window?.addSubview(viewControllerToPresent.view)
        if shows { presenter.changeAppearance(.didLeave) }
        completion?()
    }

    /// Removes the controller that this one presents. If there is none, the presenter of this one removes this one.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let presenter = furthestAncestor
        guard let presented = presenter.presentedViewController else {
            presenter.presentingViewController?.dismiss(animated: flag, completion: completion)
            return
        }
        if presented.presentedViewController != nil { presented.dismiss(animated: flag) }
        let shows = presented.isOnScreen
        if shows { presenter.changeAppearance(.willEnter) }
        presented.viewIfLoaded?.removeFromSuperview()
        presenter.presentedViewController = nil
        presented.presentingViewController = nil
        if shows { presenter.changeAppearance(.didEnter) }
        completion?()
    }

    // MARK: Edges

    /// The edges at which the app's touches have precedence over system gestures.
    open var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { [] }
    /// The child whose preference replaces this controller's, or nil.
    open var childForScreenEdgesDeferringSystemGestures: UIViewController? { nil }
    /// Does nothing: the preference is read at every landing at an edge.
    open func setNeedsUpdateOfScreenEdgesDeferringSystemGestures() {}

    // MARK: Chain

    /// The presenter, or else the superview of the controller's view. (B13.1)
    open override var next: UIResponder? {
        if let presenter = presentingViewController { return presenter }
        return loadedView?.superview
    }

    final override var responderWindow: UIWindow? { loadedView?.window }
}
