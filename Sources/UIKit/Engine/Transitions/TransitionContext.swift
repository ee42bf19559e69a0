// TransitionContext.swift: one presentation or dismissal while it runs.
//
// Input     CustomPresentation.swift
// Output    the app's animator and interaction controller; code beside the transition
//
//     not interactive    the animator runs ──▶ completeTransition ──▶ the end
//     by percent         the animator starts; update ──▶ its animations follow; finish or cancel ──▶ they run to an end
//     other interaction  finish ──▶ the animator runs; cancel ──▶ the end, not completed

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
    private var interaction: (any UIViewControllerInteractiveTransitioning)?
    /// Drives the animations of a transition by percent.
    private var drive: TransitionDrive?
    /// How much faster than usual the rest of a transition by percent runs.
    var completionSpeed: CGFloat = 1

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

    /// Notes how the transition will run, before code beside it asks.
    func prepare(_ interaction: (any UIViewControllerInteractiveTransitioning)?) {
        guard let interaction, animator != nil, interaction.wantsInteractiveStart else { return }
        self.interaction = interaction
        isInteractive = true
        if interaction is UIPercentDrivenInteractiveTransition { drive = TransitionDrive(duration: duration) }
    }

    func start() {
        if let interaction { interaction.startInteractiveTransition(self) } else { animate() }
    }

    /// Starts the animator of a transition by percent, whose animations wait for `updateInteractiveTransition`.
    func startDriven() { driven { animate() } }

    /// Runs code whose animations belong to the transition.
    fileprivate func driven(_ code: () -> Void) {
        guard let drive, let transactions = UIApplication.current?.transactions else { return code() }
        let outer = transactions.drive
        transactions.drive = drive
        code()
        transactions.drive = outer
    }

    private func runDriven(_ drive: TransitionDrive, finishing: Bool) {
        self.drive = nil
        // An animator that animates nothing does not end by itself.
        if drive.isEmpty { return completeTransition(finishing) }
        drive.run(finishing: finishing, speed: completionSpeed)
    }

    private func animate() {
        if isAnimated, let animator { animator.animateTransition(using: self) } else { completeTransition(true) }
    }

    func updateInteractiveTransition(_ percentComplete: CGFloat) {
        self.percentComplete = percentComplete
        drive?.update(percentComplete)
    }
    func pauseInteractiveTransition() {}
    func finishInteractiveTransition() {
        guard isInteractive else { return }
        isInteractive = false
        for handler in interactionHandlers { handler() }
        if let drive { runDriven(drive, finishing: true) } else { animate() }
    }
    func cancelInteractiveTransition() {
        guard isInteractive else { return }
        (isInteractive, transitionWasCancelled) = (false, true)
        for handler in interactionHandlers { handler() }
        if let drive { runDriven(drive, finishing: false) } else { completeTransition(false) }
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
            context.driven { UIView.animate(withDuration: duration) { animation(self) } }
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
