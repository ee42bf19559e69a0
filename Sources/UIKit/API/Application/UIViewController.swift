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

    /// Makes a view as large as the screen, which follows the size of its superview. An override sets `view` and does not call
    /// `super`.
    open func loadView() {
        let made = UIView(frame: UIScreen.main.bounds)
        made.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view = made
    }

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
    /// Called before the view gets a new size: by an app, for its children. UIKit here does not call it.
    open func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {}
    open func willTransition(
        to newCollection: UITraitCollection, with coordinator: any UIViewControllerTransitionCoordinator
    ) {}
    /// Called when `additionalSafeAreaInsets` was set here or in a controller around this one.
    open func viewSafeAreaInsetsDidChange() {}
    open func viewLayoutMarginsDidChange() {}
    /// Not called: there is no Interface Builder here.
    open func awakeFromNib() {}
    open func didReceiveMemoryWarning() {}
    /// Not called: there are no storyboards here. The same holds for `shouldPerformSegue`.
    open func prepare(for segue: UIStoryboardSegue, sender: Any?) {}
    open func shouldPerformSegue(withIdentifier identifier: String, sender: Any?) -> Bool { true }
    open var traitCollection: UITraitCollection { UITraitCollection() }
    /// Not called: traits do not change here.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

    /// The values that few controllers have. (ControllerValues.swift)
    final var extraValues: ControllerValues?

    // MARK: Bars and orientations. No bar is shown here, and no orientation depends on a controller.

    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    open var prefersStatusBarHidden: Bool { false }
    open var preferredStatusBarUpdateAnimation: UIStatusBarAnimation { .fade }
    open var childForStatusBarStyle: UIViewController? { nil }
    open var childForStatusBarHidden: UIViewController? { nil }
    open var prefersHomeIndicatorAutoHidden: Bool { false }
    open var childForHomeIndicatorAutoHidden: UIViewController? { nil }
    open var shouldAutorotate: Bool { true }
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }
    open var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation { .portrait }
    open var preferredContentSize: CGSize {
        get { extraValues?.preferredContentSize ?? .zero }
        set { ownValues.preferredContentSize = newValue }
    }
    open var modalPresentationStyle: UIModalPresentationStyle {
        get { extraValues?.modalPresentationStyle ?? .automatic }
        set { ownValues.modalPresentationStyle = newValue }
    }

    // MARK: Appearance

    private final var appearance = ControllerAppearance()
    /// The appearance method that is running.
    private final var runningMethod = ControllerAppearance.Decision.nothing

    /// Whether the view is on screen and the appearance methods have been called.
    final var isOnScreen: Bool { appearance.state == .appeared }
    /// Whether the view is on its way to the screen, `viewDidAppear` included.
    final var isAppearing: Bool { appearance.state == .appearing || runningMethod == .viewDidAppear }
    /// Whether the view is on its way from the screen, `viewDidDisappear` included.
    final var isDisappearing: Bool { appearance.state == .disappearing || runningMethod == .viewDidDisappear }

    /// Calls the appearance method for the change, here and in the children whose views are inside this view.
    final func changeAppearance(_ input: ControllerAppearance.Input) {
        runningMethod = appearance.handle(input)
        switch runningMethod {
        case .nothing: break
        case .viewWillAppear: viewWillAppear(false)
        case .viewDidAppear: viewDidAppear(false)
        case .viewWillDisappear: viewWillDisappear(false)
        case .viewDidDisappear: viewDidDisappear(false)
        }
        runningMethod = .nothing
        guard let view = loadedView, shouldAutomaticallyForwardAppearanceMethods else { return }
        for child in children
        where child.loadedView?.isInside(view) == true && !(child.extraValues?.isChangingAppearance ?? false) {
            child.changeAppearance(input)
        }
    }

    /// Whether the children appear and disappear with this controller. If not, it calls `beginAppearanceTransition` and
    /// `endAppearanceTransition` of its children itself.
    open var shouldAutomaticallyForwardAppearanceMethods: Bool { true }

    /// Calls `viewWillAppear` or `viewWillDisappear`. Until `endAppearanceTransition` the tree of views does not call the other
    /// methods.
    ///
    /// - Parameters:
    ///   - isAppearing: Whether the views are about to appear.
    ///   - animated: No effect here: the methods receive false.
    open func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
        ownValues.isChangingAppearance = true
        changeAppearance(isAppearing ? .willEnter : .willLeave)
    }

    /// Calls `viewDidAppear` or `viewDidDisappear`, as the beginning was.
    open func endAppearanceTransition() {
        extraValues?.isChangingAppearance = false
        if appearance.state == .appearing {
            changeAppearance(.didEnter)
        } else if appearance.state == .disappearing {
            changeAppearance(.didLeave)
        }
    }

    /// Whether the tree of views calls the appearance methods.
    private final var followsViewTree: Bool {
        !(extraValues?.isChangingAppearance ?? false) && parent?.shouldAutomaticallyForwardAppearanceMethods != false
    }

    final func enterScreen() {
        changeAppearance(.willEnter)
        changeAppearance(.didEnter)
    }

    final func leaveScreen() {
        changeAppearance(.willLeave)
        changeAppearance(.didLeave)
    }

    final func viewWillMove(toShownWindow: Bool) {
        if followsViewTree { changeAppearance(toShownWindow ? .willEnter : .willLeave) }
    }
    final func viewDidMove(toShownWindow: Bool) {
        if followsViewTree { changeAppearance(toShownWindow ? .didEnter : .didLeave) }
    }

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
        childController.ownValues.move = .entersParent
        children.append(childController)
        childController.parent = self
    }

    /// Removes this child and calls `didMove(toParent: nil)`. The caller calls `willMove(toParent: nil)` beforehand.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        extraValues?.move = nil
        didMove(toParent: nil)
    }

    open func willMove(toParent parent: UIViewController?) {
        if parent == nil, self.parent != nil { ownValues.move = .leavesParent }
    }
    open func didMove(toParent parent: UIViewController?) { extraValues?.move = nil }

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

    /// Shows the controller over this window at once, or with the transition of its `transitioningDelegate`. The presenter is
    /// the furthest ancestor of this controller.
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
        viewControllerToPresent.ownValues.move = .presented
        if viewControllerToPresent.usesCustomTransition {
            return presenter.presentCustom(
                viewControllerToPresent, animated: flag, source: self, completion: completion)
        }
        viewControllerToPresent.view.frame = window?.bounds ?? UIScreen.main.bounds
        let shows = presenter.isOnScreen
        if shows { presenter.changeAppearance(.willLeave) }
        window?.addSubview(viewControllerToPresent.view)
        if shows { presenter.changeAppearance(.didLeave) }
        viewControllerToPresent.extraValues?.move = nil
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
        presented.ownValues.move = .dismissed
        if presented.customPresentation != nil {
            return presenter.dismissCustom(presented, animated: flag, completion: completion)
        }
        let shows = presented.isOnScreen
        if shows { presenter.changeAppearance(.willEnter) }
        presented.viewIfLoaded?.removeFromSuperview()
        presenter.presentedViewController = nil
        presented.presentingViewController = nil
        if shows { presenter.changeAppearance(.didEnter) }
        presented.extraValues?.move = nil
        completion?()
    }

    /// Forgets a controller that a transition of the app has dismissed.
    final func didDismiss(_ presented: UIViewController) {
        presentedViewController = nil
        presented.presentingViewController = nil
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
    open override var next: UIResponder? { standardNext }

    override var standardNext: UIResponder? {
        if let presenter = presentingViewController { return presenter }
        return loadedView?.superview
    }

    final override var responderWindow: UIWindow? { loadedView?.window }
}
