// CustomPresentation.swift: presents and dismisses a controller with a transition of the app.
//
// Station   responder
// Input     UIViewController.present and dismiss, if the presented controller has a `transitioningDelegate`
// Output    the presentation controller, the animator, the appearance methods
//
// Presenting:
//
//     presentationTransitionWillBegin   presented.viewWillAppear   the animator runs
//     presented.viewDidAppear           presentationTransitionDidEnd(true)         completion
//
// Dismissing has the same order. The presenter's appearance methods are called only if its view is removed.
//
// Sources   documented  which methods are called; inferred  their order

import Foundation

/// The view around a view that an app's transition presents.
final class UITransitionView: UIView {
    fileprivate weak final var presentation: UIPresentationController?

    override func layoutSubviews() {
        presentation?.containerViewWillLayoutSubviews()
        super.layoutSubviews()
        presentation?.containerViewDidLayoutSubviews()
    }

    /// Touches beside the presented view reach the views that the app has put into the container, or the container.
    fileprivate init(_ presentation: UIPresentationController, _ frame: CGRect) {
        self.presentation = presentation
        super.init(frame: frame)
        autoresizingMask = [.flexibleWidth, .flexibleHeight]
    }

    required init?(coder: NSCoder) { nil }
}

extension UIViewController {
    /// The presentation controller of an app's transition, from the presentation to the dismissal.
    final var customPresentation: UIPresentationController? { extraValues?.presentation }

    /// Whether this controller is presented by a transition of the app.
    final var usesCustomTransition: Bool { extraValues?.transitioningDelegate != nil }

    /// Presents a controller that has a `transitioningDelegate`.
    ///
    /// - Parameter source: The controller whose `present` the app called.
    final func presentCustom(
        _ presented: UIViewController, animated: Bool, source: UIViewController, completion: (() -> Void)?
    ) {
        let delegate = presented.transitioningDelegate
        var presentation: UIPresentationController?
        if presented.modalPresentationStyle == .custom {
            presentation = delegate?.presentationController(forPresented: presented, presenting: self, source: source)
        }
        let made = presentation ?? UIPresentationController(presentedViewController: presented, presenting: self)
        presented.ownValues.presentation = made
        let window = viewIfLoaded?.window
        let container = UITransitionView(made, window?.bounds ?? UIScreen.main.bounds)
        made.containerView = container
        window?.addSubview(container)
        let animator =
            animated ? delegate?.animationController(forPresented: presented, presenting: self, source: source) : nil
        let interaction = animator.flatMap { delegate?.interactionControllerForPresentation(using: $0) }
        let removesPresenter = made.shouldRemovePresentersView && isOnScreen
        let context = TransitionContext(made, presents: true, animated: animated, animator) { completed in
            if completed {
                if removesPresenter { self.endAppearanceTransition() }
                presented.endAppearanceTransition()
            } else {
                self.forget(presented, made)
                if removesPresenter { self.beginAppearanceTransition(true, animated: animated) }
                if removesPresenter { self.endAppearanceTransition() }
            }
            self.endTransition(with: presented)
            made.presentationTransitionDidEnd(completed)
            if completed { completion?() }
        }
        context.prepare(interaction)
        beginTransition(with: presented, context)
        made.presentationTransitionWillBegin()
        if removesPresenter { beginAppearanceTransition(false, animated: animated) }
        presented.beginAppearanceTransition(true, animated: animated)
        if animator == nil, let view = made.presentedView {
            view.frame = made.frameOfPresentedViewInContainerView
            container.addSubview(view)
        }
        context.start()
    }

    /// Dismisses a controller that `presentCustom` presented.
    final func dismissCustom(_ presented: UIViewController, animated: Bool, completion: (() -> Void)?) {
        guard let presentation = presented.customPresentation, presented.extraValues?.coordinator == nil else { return }
        let delegate = presented.transitioningDelegate
        let animator = animated ? delegate?.animationController(forDismissed: presented) : nil
        let interaction = animator.flatMap { delegate?.interactionControllerForDismissal(using: $0) }
        let removesPresenter = presentation.shouldRemovePresentersView
        let context = TransitionContext(presentation, presents: false, animated: animated, animator) { completed in
            if completed {
                self.forget(presented, presentation)
                if removesPresenter { self.endAppearanceTransition() }
            } else {
                presented.beginAppearanceTransition(true, animated: animated)
                presented.endAppearanceTransition()
            }
            self.endTransition(with: presented)
            presentation.dismissalTransitionDidEnd(completed)
            if completed { completion?() }
        }
        context.prepare(interaction)
        beginTransition(with: presented, context)
        presentation.dismissalTransitionWillBegin()
        presented.beginAppearanceTransition(false, animated: animated)
        if removesPresenter { beginAppearanceTransition(true, animated: animated) }
        context.start()
    }

    /// Removes the presented view and its container.
    private final func forget(_ presented: UIViewController, _ presentation: UIPresentationController) {
        presentation.presentedView?.removeFromSuperview()
        presentation.containerView?.removeFromSuperview()
        presentation.containerView = nil
        presented.ownValues.presentation = nil
        if presented.isAppearing { presented.beginAppearanceTransition(false, animated: false) }
        presented.endAppearanceTransition()
        didDismiss(presented)
    }

    private final func beginTransition(with presented: UIViewController, _ context: TransitionContext) {
        let coordinator = TransitionCoordinator(context)
        ownValues.coordinator = coordinator
        presented.ownValues.coordinator = coordinator
    }

    private final func endTransition(with presented: UIViewController) {
        extraValues?.coordinator = nil
        presented.extraValues?.coordinator = nil
        presented.extraValues?.move = nil
    }
}
