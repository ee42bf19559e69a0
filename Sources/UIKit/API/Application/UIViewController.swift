// UIViewController.swift: who looks after a tree of views, and stands above its root in the responder chain.
//
// Presenting and pushing take no time here: a transition is over when the call returns, in Apple's order of calls.
//
// Sources   documented  a controller's next responder is its presenter, else its view's superview (B13.1)

public import Foundation

public struct UIRectEdge: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let top = UIRectEdge(rawValue: 1 << 0)
    public static let left = UIRectEdge(rawValue: 1 << 1)
    public static let bottom = UIRectEdge(rawValue: 1 << 2)
    public static let right = UIRectEdge(rawValue: 1 << 3)
    public static let all: UIRectEdge = [.top, .left, .bottom, .right]
}

open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        nibName = nibNameOrNil
        super.init()
    }

    public convenience override init() { self.init(nibName: nil, bundle: nil) }

    /// There are no archives of controllers here: always nil.
    public required init?(coder: NSCoder) { nil }

    deinit {
        loadedView?.controller = nil
        for child in children { child.parent = nil }
        presentedViewController?.presentingViewController = nil
    }

    /// Remembered and not used: there are no nibs here.
    open private(set) var nibName: String?
    open var title: String?

    // MARK: View

    private var loadedView: UIView?

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

    open func loadViewIfNeeded() {
        guard loadedView == nil else { return }
        loadView()
        guard loadedView != nil else { preconditionFailure("\(type(of: self)).loadView set no view") }
        viewDidLoad()
    }

    /// Makes the view, as large as the screen. An override sets `view` and does not call super.
    open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func viewWillLayoutSubviews() {}
    open func viewDidLayoutSubviews() {}

    // MARK: Appearance

    private final var appearance = ControllerAppearance()

    /// Whether the view is on screen and has been told so.
    final var isOnScreen: Bool { appearance.state == .here }

    /// Tells this controller, and then those whose views are inside its view.
    final func appear(_ input: ControllerAppearance.Input) {
        switch appearance.handle(input) {
        case .nothing: break
        case .viewWillAppear: viewWillAppear(false)
        case .viewDidAppear: viewDidAppear(false)
        case .viewWillDisappear: viewWillDisappear(false)
        case .viewDidDisappear: viewDidDisappear(false)
        }
        guard let view = loadedView else { return }
        for child in children where child.loadedView?.isInside(view) == true { child.appear(input) }
    }

    final func enterScreen() {
        appear(.willEnter)
        appear(.didEnter)
    }

    final func leaveScreen() {
        appear(.willLeave)
        appear(.didLeave)
    }

    final func viewWillMove(toShownWindow: Bool) { appear(toShownWindow ? .willEnter : .willLeave) }
    final func viewDidMove(toShownWindow: Bool) { appear(toShownWindow ? .didEnter : .didLeave) }

    // MARK: Children

    open private(set) var children: [UIViewController] = []
    /// Cleared when the parent goes.
    @exclusivity(unchecked) unowned(unsafe) private final var parentPointer: UIViewController?
    open internal(set) var parent: UIViewController? {
        get { parentPointer }
        set { parentPointer = newValue }
    }

    /// Calls `willMove(toParent:)`; `didMove(toParent:)` is for the caller, once the view is in place.
    open func addChild(_ childController: UIViewController) {
        guard childController.parent !== self else { return }
        childController.removeFromParent()
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
    }

    /// Calls `didMove(toParent: nil)`; `willMove(toParent: nil)` is for the caller, beforehand.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    open func willMove(toParent parent: UIViewController?) {}
    open func didMove(toParent parent: UIViewController?) {}

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

    /// Shows the controller over this one's window. The presenter is the furthest ancestor of this controller.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        let presenter = furthestAncestor
        demand(viewControllerToPresent !== presenter, "\(type(of: presenter)) cannot present itself")
        // An attempt while something is presented is refused with a warning on a phone, and nothing happens.
        guard presenter.presentedViewController == nil else { return }
        demand(
            viewControllerToPresent.presentingViewController == nil,
            "\(type(of: viewControllerToPresent)) cannot be presented: it is already")
        let window = presenter.viewIfLoaded?.window
        presenter.presentedViewController = viewControllerToPresent
        viewControllerToPresent.presentingViewController = presenter
        viewControllerToPresent.view.frame = window?.bounds ?? UIScreen.main.bounds
        let shows = presenter.isOnScreen
        if shows { presenter.appear(.willLeave) }
        window?.addSubview(viewControllerToPresent.view)
        if shows { presenter.appear(.didLeave) }
        completion?()
    }

    /// Takes down what this controller presents, or, presenting nothing, this controller itself.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let presenter = furthestAncestor
        guard let presented = presenter.presentedViewController else {
            presenter.presentingViewController?.dismiss(animated: flag, completion: completion)
            return
        }
        if presented.presentedViewController != nil { presented.dismiss(animated: flag) }
        let shows = presented.isOnScreen
        if shows { presenter.appear(.willEnter) }
        presented.viewIfLoaded?.removeFromSuperview()
        presenter.presentedViewController = nil
        presented.presentingViewController = nil
        if shows { presenter.appear(.didEnter) }
        completion?()
    }

    // MARK: Edges

    /// Edges at which the app's touches come before the system's gestures.
    open var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { [] }
    open var childForScreenEdgesDeferringSystemGestures: UIViewController? { nil }
    /// Says that the preference has changed. It is read at every landing at an edge, so there is nothing to refresh.
    open func setNeedsUpdateOfScreenEdgesDeferringSystemGestures() {}

    // MARK: Chain

    open override var next: UIResponder? {
        if let presenter = presentingViewController { return presenter }
        return loadedView?.superview
    }

    final override var responderWindow: UIWindow? { loadedView?.window }
}
