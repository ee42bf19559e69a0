// TransitionContext.swift: one presentation or dismissal while it runs.
//
// Input     CustomPresentation.swift
// Output    the app's animator and interaction controller; code beside the transition
//
//     interactive?  yes ──▶ the interaction controller starts; finish ──▶ the animator runs; cancel ──▶ the end, not completed
//                   no  ──▶ the animator runs ──▶ completeTransition ──▶ the end

import Foundation

final class TransitionContext: NSObject, UIViewControllerContextTransitioning {
    let containerView: UIView
    let isAnimated: Bool
    private(set) var isInteractive = false
    private(set) var transitionWasCancelled = false
    private(set) var percentComplete: CGFloat = 0
    let presentationStyle: UIModalPresentationStyle
    let from: UIViewController
    let to: UIViewController
    /// Whether the transition is a presentation; otherwise it is a dismissal.
    let presents: Bool
    private let presentation: UIPresentationController
    private let animator: (any UIViewControllerAnimatedTransitioning)?
    private var completions: [() -> Void] = []
    private var interactionHandlers: [() -> Void] = []
    private var end: ((Bool) -> Void)?

    init(
        _ presentation: UIPresentationController, presents: Bool, animated: Bool,
        _ animator: (any UIViewControllerAnimatedTransitioning)?, end: @escaping (Bool) -> Void
    ) {
        (self.presentation, self.presents, isAnimated, self.animator) = (presentation, presents, animated, animator)
        containerView = presentation.containerView ?? UIView(frame: .zero)
        let (presenter, presented) = (presentation.presentingViewController, presentation.presentedViewController)
        (from, to) = presents ? (presenter, presented) : (presented, presenter)
        presentationStyle = presented.modalPresentationStyle
        self.end = end
    }

    /// In seconds.
    var duration: TimeInterval { isAnimated ? animator?.transitionDuration(using: self) ?? 0 : 0 }

    func start(_ interaction: (any UIViewControllerInteractiveTransitioning)?) {
        if let interaction, animator != nil, interaction.wantsInteractiveStart {
            isInteractive = true
            interaction.startInteractiveTransition(self)
        } else {
            animate()
        }
    }

    private func animate() {
        if isAnimated, let animator { animator.animateTransition(using: self) } else { completeTransition(true) }
    }

    func updateInteractiveTransition(_ percentComplete: CGFloat) { self.percentComplete = percentComplete }
    func pauseInteractiveTransition() {}
    func finishInteractiveTransition() {
        guard isInteractive else { return }
        isInteractive = false
        for handler in interactionHandlers { handler() }
        animate()
    }
    func cancelInteractiveTransition() {
        guard isInteractive else { return }
        (isInteractive, transitionWasCancelled) = (false, true)
        for handler in interactionHandlers { handler() }
        completeTransition(false)
    }

    func completeTransition(_ didComplete: Bool) {
        guard let end else { return }
        self.end = nil
        if !didComplete { transitionWasCancelled = true }
        end(didComplete)
        animator?.animationEnded(didComplete)
        for completion in completions { completion() }
        completions = []
    }

    func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController? {
        key == .from ? from : key == .to ? to : nil
    }

    /// The presented view. The presenter's view is in no container, unless it is removed, so that it is nil here.
    func view(forKey key: UITransitionContextViewKey) -> UIView? {
        let isPresented = (key == .to) == presents
        if isPresented { return presentation.presentedView }
        return presentation.shouldRemovePresentersView ? presentation.presentingViewController.view : nil
    }

    var targetTransform: CGAffineTransform { .identity }

    func initialFrame(for vc: UIViewController) -> CGRect {
        presents && vc === to ? .zero : vc.viewIfLoaded?.frame ?? .zero
    }

    func finalFrame(for vc: UIViewController) -> CGRect {
        if vc === presentation.presentedViewController {
            return presents ? presentation.frameOfPresentedViewInContainerView : .zero
        }
        return vc.viewIfLoaded?.frame ?? .zero
    }

    fileprivate func addCompletion(_ block: @escaping () -> Void) { completions.append(block) }
    fileprivate func addInteractionHandler(_ block: @escaping () -> Void) { interactionHandlers.append(block) }
}

/// The coordinator of a transition, which its two controllers have while it runs.
final class TransitionCoordinator: NSObject, UIViewControllerTransitionCoordinator {
    private let context: TransitionContext

    init(_ context: TransitionContext) { self.context = context }

    var isAnimated: Bool { context.isAnimated }
    var isInteractive: Bool { context.isInteractive }
    var isCancelled: Bool { context.transitionWasCancelled }
    var transitionDuration: TimeInterval { context.duration }
    var percentComplete: CGFloat { context.percentComplete }
    var containerView: UIView { context.containerView }
    var targetTransform: CGAffineTransform { .identity }
    func viewController(forKey key: UITransitionContextViewControllerKey) -> UIViewController? {
        context.viewController(forKey: key)
    }
    func view(forKey key: UITransitionContextViewKey) -> UIView? { context.view(forKey: key) }

    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool {
        if let completion { context.addCompletion { completion(self) } }
        guard let animation else { return true }
        let duration = context.duration
        if duration > 0 {
            UIView.animate(withDuration: duration) { animation(self) }
        } else {
            animation(self)
        }
        return true
    }

    func animateAlongsideTransition(
        in view: UIView?, animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool { animate(alongsideTransition: animation, completion: completion) }

    func notifyWhenInteractionChanges(
        _ handler: @escaping (any UIViewControllerTransitionCoordinatorContext) -> Void
    ) {
        context.addInteractionHandler { handler(self) }
    }
}
