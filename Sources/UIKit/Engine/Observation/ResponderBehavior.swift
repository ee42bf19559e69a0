// ResponderBehavior.swift: the answers of one responder in place of its class, for programs that describe views and do
// not subclass them.
//
// Station   hitTest, gesture, responder, action
// Input     a scene's builder, the monkey
// Output    UIKitCalls.swift, which asks the behavior where UIKit calls the responder
// Knows     nothing of what is observed
//
// UIKit asks a responder's behavior wherever it calls the responder for one of the application's events, with or
// without an observer and a trace. An application without behaviors pays nothing for them.
// Docs/Decisions/UIKitEvents.md explains why a behavior is no subclass.

package import Foundation
import ProcessServices

/// The behavior of one responder.
package struct ResponderBehavior {
    /// Whether touches, presses and motion end here: the class's own method is not called.
    package var consumes: Bool
    /// Runs before the class's own touches method.
    package var willReceive: ((UITouch.Phase, Set<UITouch>) -> Void)?
    /// Makes the answer to a hit test from the view that the class found.
    package var hitTest: ((_ found: UIView?) -> UIView?)?
    /// This and the next: nil as an answer leaves the answer to the class.
    package var pointInside: ((CGPoint, UIEvent?) -> Bool?)?
    package var shouldBegin: ((UIGestureRecognizer) -> Bool?)?
    /// Answers the other questions to a recognizer's delegate, if the delegate is `UIView.asDelegate`.
    package var delegate: (any UIGestureRecognizerDelegate)?
    /// This and the next: false prevents a control from beginning or continuing to track, even if its class allows it.
    package var beginTracking = true
    package var continueTracking = true
    /// The next responder; nil as an answer ends the chain.
    package var next: (() -> UIResponder?)?
    package var canBecomeFirstResponder = false

    package init(consumes: Bool = false) { self.consumes = consumes }
}

/// Values that few responders have, in one object, so that other responders have only one empty field.
final class ResponderExtras {
    /// The methods of the responder that are called by name.
    var answers: [String: Selector.Method] = [:]
    var behavior: ResponderBehavior?
    /// The values that code attaches to the responder.
    var attached: AttachedValues.Values = [:]
    /// The delegate that stands for a view with a behavior.
    var delegate: ViewDelegate?

    deinit { delegate?.view = nil }
}

extension UIView {
    /// The view as a recognizer's delegate, with the answers of its behavior. The view keeps the delegate.
    package final var asDelegate: any UIGestureRecognizerDelegate {
        if let delegate = extras?.delegate { return delegate }
        let made = ViewDelegate(of: self)
        ownExtras.delegate = made
        return made
    }
}

extension UIResponder {
    /// The responder's extras, made when they are first used.
    final var ownExtras: ResponderExtras {
        if let extras { return extras }
        let made = ResponderExtras()
        extras = made
        return made
    }

    /// The responder's behavior. Set it in a turn of the application, which asks its responders' behaviors from then
    /// on.
    package final var behavior: ResponderBehavior? {
        get { extras?.behavior }
        set {
            guard let newValue else {
                extras?.behavior = nil
                return
            }
            ownExtras.behavior = newValue
            let application = UIApplication.shared
            if !application.hasBehaviors { application.hasBehaviors = true }
        }
    }

    /// The next responder, by behavior or by class.
    package final var chainNext: UIResponder? {
        guard let next = extras?.behavior?.next else { return next }
        return next()
    }

    /// The next responder, by behavior or by UIKit's rule: no code of an app runs.
    final var tracedNext: UIResponder? { extras?.behavior?.next.map { $0() } ?? standardNext }

    final var mayBecomeFirstResponder: Bool {
        canBecomeFirstResponder || extras?.behavior?.canBecomeFirstResponder == true
    }
}
