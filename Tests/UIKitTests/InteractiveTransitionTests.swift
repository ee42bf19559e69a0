import Foundation
import Testing
import TouchlineTesting
import UIKit

@Suite(.phoneReports)
struct InteractiveTransitionTests {
    /// Moves the sheet down to dismiss it, by a block of UIView or by an animator.
    final class Transition: NSObject, UIViewControllerTransitioningDelegate, UIViewControllerAnimatedTransitioning {
        let usesAnimator: Bool
        let interaction = UIPercentDrivenInteractiveTransition()
        var lines: [String] = []
        init(usesAnimator: Bool) { self.usesAnimator = usesAnimator }

        func animationController(
            forDismissed dismissed: UIViewController
        ) -> (any UIViewControllerAnimatedTransitioning)? { self }
        func interactionControllerForDismissal(
            using animator: any UIViewControllerAnimatedTransitioning
        ) -> (any UIViewControllerInteractiveTransitioning)? { interaction }
        func transitionDuration(using context: (any UIViewControllerContextTransitioning)?) -> TimeInterval { 1 }
        func animateTransition(using context: any UIViewControllerContextTransitioning) {
            lines.append("animate")
            let view = context.view(forKey: .from)!
            if usesAnimator {
                let animator = UIViewPropertyAnimator(duration: 1, curve: .linear) { view.frame.origin.y = 600 }
                animator.addCompletion { _ in context.completeTransition(!context.transitionWasCancelled) }
                animator.startAnimation()
            } else {
                UIView.animate(
                    withDuration: 1, delay: 0, options: .curveLinear, animations: { view.frame.origin.y = 600 },
                    completion: { _ in context.completeTransition(!context.transitionWasCancelled) })
            }
        }
        func animationEnded(_ transitionCompleted: Bool) { lines.append("ended \(transitionCompleted)") }
    }

    struct Setting {
        let phone = TestPhone { UIViewController() }
        let transition: Transition
        let sheet = UIViewController()
        let root: UIViewController

        init(usesAnimator: Bool) throws {
            transition = Transition(usesAnimator: usesAnimator)
            let (phone, sheet, transition) = (phone, sheet, transition)
            root = try #require(phone.run { UIApplication.shared.windows.first?.rootViewController })
            let root = root
            phone.run {
                sheet.transitioningDelegate = transition
                sheet.modalPresentationStyle = .custom
                root.present(sheet, animated: true)
            }
            phone.advance(by: .milliseconds(100))
            phone.run {
                sheet.dismiss(animated: true)
                transition.interaction.update(0.25)
            }
        }

        var y: CGFloat { sheet.view.layer.presentation()!.frame.minY }
    }

    @Test("an interactive dismissal follows its percentage and runs the rest", arguments: [false, true])
    func finish(usesAnimator: Bool) throws {
        let setting = try Setting(usesAnimator: usesAnimator)
        let (phone, transition) = (setting.phone, setting.transition)
        #expect(transition.lines == ["animate"] && abs(setting.y - 150) < 1e-6)
        phone.advance(by: .seconds(5))
        #expect(abs(setting.y - 150) < 1e-6)
        phone.run { transition.interaction.update(0.5) }
        #expect(abs(setting.y - 300) < 1e-6)
        phone.run { transition.interaction.finish() }
        phone.advance(by: .milliseconds(250))
        #expect(abs(setting.y - 450) < 1e-6 && setting.root.presentedViewController != nil)
        phone.advance(by: .milliseconds(300))
        #expect(transition.lines == ["animate", "ended true"] && setting.root.presentedViewController == nil)
    }

    @Test("a cancelled dismissal runs back and leaves the sheet where it was", arguments: [false, true])
    func cancel(usesAnimator: Bool) throws {
        let setting = try Setting(usesAnimator: usesAnimator)
        let (phone, transition) = (setting.phone, setting.transition)
        phone.run {
            transition.interaction.completionSpeed = 0.5
            transition.interaction.update(0.5)
            transition.interaction.cancel()
        }
        phone.advance(by: .milliseconds(500))
        #expect(abs(setting.y - 150) < 1e-6 && transition.lines == ["animate"])
        phone.advance(by: .milliseconds(600))
        #expect(transition.lines == ["animate", "ended false"])
        #expect(setting.y == 0 && setting.sheet.view.frame.minY == 0)
        #expect(setting.root.presentedViewController === setting.sheet)
        let sheet: UIView = setting.sheet.view
        #expect(phone.hitTest(CGPoint(x: 100, y: 300)) === sheet)
    }
}
