// ControllerValues.swift: values that few controllers have, in one object, so that other controllers have only one empty
// field.
//
// Input     UIViewController's setters

import Foundation

final class ControllerValues {
    /// The move that the controller takes part in, which its appearance methods can ask for.
    enum Move { case presented, dismissed, entersParent, leavesParent }
    var move: Move?
    /// Whether `beginAppearanceTransition` was called and `endAppearanceTransition` was not yet.
    var isChangingAppearance = false
    var preferredContentSize = CGSize.zero
    var modalPresentationStyle = UIModalPresentationStyle.automatic
    var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    var isModalInPresentation = false
    var modalPresentationCapturesStatusBarAppearance = false
    var definesPresentationContext = false
    var providesPresentationContextTransitionStyle = false
    var additionalSafeAreaInsets = UIEdgeInsets.zero
    var edgesForExtendedLayout = UIRectEdge.all
    var extendedLayoutIncludesOpaqueBars = false
    var automaticallyAdjustsScrollViewInsets = true
    var restorationIdentifier: String?
    /// The presentation by a transition of the app, and the transition that runs. (CustomPresentation.swift)
    var presentation: UIPresentationController?
    var popover: UIPopoverPresentationController?
    var coordinator: TransitionCoordinator?
    weak var transitioningDelegate: (any UIViewControllerTransitioningDelegate)?
}

extension UIViewController {
    /// The controller's values, made when one is first set.
    final var ownValues: ControllerValues {
        if let extraValues { return extraValues }
        let made = ControllerValues()
        extraValues = made
        return made
    }
}
