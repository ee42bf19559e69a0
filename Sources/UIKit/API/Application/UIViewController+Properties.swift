// UIViewController+Properties.swift: properties of a controller for bars, presentations and containers.
//
// Sources   documented  UIViewController: names and defaults

public import Foundation

/// The look of the status bar. No effect here.
public enum UIStatusBarStyle: Int, Sendable { case `default`, lightContent, darkContent = 3 }

/// How the status bar appears and disappears. No effect here.
public enum UIStatusBarAnimation: Int, Sendable { case none, fade, slide }

/// How a presented controller is shown. Only `custom` has an effect: the controller's `transitioningDelegate` is asked.
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen, pageSheet, formSheet, currentContext, custom, overFullScreen, overCurrentContext, popover
    case blurOverFullScreen
    case none = -1
    case automatic = -2
}

/// The animation of a presentation. No effect here.
public enum UIModalTransitionStyle: Int, Sendable { case coverVertical, flipHorizontal, crossDissolve, partialCurl }

/// The height of a bar at an edge of a controller's view.
public protocol UILayoutSupport: NSObjectProtocol {
    /// In points.
    var length: CGFloat { get }
}

private final class LayoutSupport: NSObject, UILayoutSupport {
    let length: CGFloat
    init(length: CGFloat) { self.length = length }
}

extension UIViewController {
    public var modalTransitionStyle: UIModalTransitionStyle {
        get { extraValues?.modalTransitionStyle ?? .coverVertical }
        set { ownValues.modalTransitionStyle = newValue }
    }
    /// No effect: no gesture of UIKit dismisses a controller here.
    public var isModalInPresentation: Bool {
        get { extraValues?.isModalInPresentation ?? false }
        set { ownValues.isModalInPresentation = newValue }
    }
    public var modalPresentationCapturesStatusBarAppearance: Bool {
        get { extraValues?.modalPresentationCapturesStatusBarAppearance ?? false }
        set { ownValues.modalPresentationCapturesStatusBarAppearance = newValue }
    }
    /// No effect: the presenter is always the furthest ancestor.
    public var definesPresentationContext: Bool {
        get { extraValues?.definesPresentationContext ?? false }
        set { ownValues.definesPresentationContext = newValue }
    }
    /// No effect here.
    public var providesPresentationContextTransitionStyle: Bool {
        get { extraValues?.providesPresentationContextTransitionStyle ?? false }
        set { ownValues.providesPresentationContextTransitionStyle = newValue }
    }
    /// No effect: no bar covers a view here. The same holds for the next two properties.
    public var edgesForExtendedLayout: UIRectEdge {
        get { extraValues?.edgesForExtendedLayout ?? .all }
        set { ownValues.edgesForExtendedLayout = newValue }
    }
    public var extendedLayoutIncludesOpaqueBars: Bool {
        get { extraValues?.extendedLayoutIncludesOpaqueBars ?? false }
        set { ownValues.extendedLayoutIncludesOpaqueBars = newValue }
    }
    public var automaticallyAdjustsScrollViewInsets: Bool {
        get { extraValues?.automaticallyAdjustsScrollViewInsets ?? true }
        set { ownValues.automaticallyAdjustsScrollViewInsets = newValue }
    }
    /// No effect: nothing is restored here.
    public var restorationIdentifier: String? {
        get { extraValues?.restorationIdentifier }
        set { ownValues.restorationIdentifier = newValue }
    }

    /// What the controller adds to the safe area of its view, in points.
    public var additionalSafeAreaInsets: UIEdgeInsets {
        get { extraValues?.additionalSafeAreaInsets ?? .zero }
        set {
            guard newValue != additionalSafeAreaInsets else { return }
            ownValues.additionalSafeAreaInsets = newValue
            viewIfLoaded?.notifySafeAreaChange()
        }
    }
    /// The height of what covers the top of the view.
    public var topLayoutGuide: any UILayoutSupport {
        LayoutSupport(length: viewIfLoaded?.safeAreaInsets.top ?? 0)
    }
    /// The height of what covers the bottom of the view.
    public var bottomLayoutGuide: any UILayoutSupport {
        LayoutSupport(length: viewIfLoaded?.safeAreaInsets.bottom ?? 0)
    }

    /// Does nothing: no status bar is shown here. The same holds for the next three functions.
    public func setNeedsStatusBarAppearanceUpdate() {}
    public func setNeedsUpdateOfHomeIndicatorAutoHidden() {}
    public func setNeedsUpdateOfSupportedInterfaceOrientations() {}
    public class func attemptRotationToDeviceOrientation() {}

    // MARK: Transitions (CustomPresentation.swift)

    /// Supplies the transition by which this controller is presented. The controller does not retain it.
    public var transitioningDelegate: (any UIViewControllerTransitioningDelegate)? {
        get { extraValues?.transitioningDelegate }
        set { ownValues.transitioningDelegate = newValue }
    }
    /// The transition that this controller takes part in; nil outside of transitions, and for one that takes no time.
    public var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? {
        extraValues?.coordinator ?? parent?.transitionCoordinator
    }
    /// The presentation controller of a transition of the app, here or of the nearest ancestor; nil without one.
    public var presentationController: UIPresentationController? {
        extraValues?.presentation ?? parent?.presentationController
    }
    /// The properties of a popover if the style is `popover`; otherwise nil.
    public var popoverPresentationController: UIPopoverPresentationController? {
        guard modalPresentationStyle == .popover else { return nil }
        if let known = extraValues?.popover { return known }
        let made = UIPopoverPresentationController(presentedViewController: self, presenting: nil)
        ownValues.popover = made
        return made
    }

    // MARK: Moves

    // In the appearance methods: whether the view appears or disappears because of this move.

    /// Whether the controller is being presented.
    public var isBeingPresented: Bool { isAppearing && extraValues?.move == .presented }
    /// Whether the controller is being dismissed.
    public var isBeingDismissed: Bool { isDisappearing && extraValues?.move == .dismissed }
    /// Whether the controller has been added to a parent: from `addChild` to `didMove(toParent:)`.
    public var isMovingToParent: Bool { isAppearing && extraValues?.move == .entersParent }
    /// Whether the controller is being removed from its parent: from `willMove(toParent: nil)` to the removal.
    public var isMovingFromParent: Bool { isDisappearing && extraValues?.move == .leavesParent }

    /// Shows a controller: a navigation controller pushes it, another controller presents it.
    public func show(_ vc: UIViewController, sender: Any?) {
        if let navigation = self as? UINavigationController ?? navigationController {
            navigation.pushViewController(vc, animated: true)
        } else {
            present(vc, animated: true)
        }
    }
}
