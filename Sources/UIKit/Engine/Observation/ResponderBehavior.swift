// ResponderBehavior.swift: what one responder answers in place of its class, for programs that describe views and do
// not subclass them.
//
// Station   hitTest, gesture, responder, action
// Fed by    a scene's builder, the monkey
// Feeds     UIKitCalls.swift, which asks it where UIKit calls the responder
// Knows     nothing of what is observed
//
// UIKit asks a responder's behavior wherever it calls the responder for one of the application's events, whether or not
// an observer or the trace reads them. An application without behaviors pays nothing for them.
// Why it is no subclass: Docs/Decisions/UIKitEvents.md.

package import Foundation

package struct ResponderBehavior {
    /// Touches, presses and motion end here: the class's own method is not called.
    package var consumes: Bool
    /// Runs before the class's own touches method.
    package var willReceive: ((UITouch.Phase, Set<UITouch>) -> Void)?
    /// Makes the answer to a hit test of what the class found.
    package var hitTest: ((_ found: UIView?) -> UIView?)?
    /// Nil as an answer: the class decides, here and below.
    package var pointInside: ((CGPoint, UIEvent?) -> Bool?)?
    package var shouldBegin: ((UIGestureRecognizer) -> Bool?)?
    /// Answers the other questions to a recognizer's delegate, where that is `UIView.asDelegate`.
    package var delegate: (any UIGestureRecognizerDelegate)?
    /// False beside a class that says yes: a control does not begin, or go on, to track.
    package var beginTracking = true
    package var continueTracking = true
    /// The next responder; nil as an answer ends the chain.
    package var next: (() -> UIResponder?)?
    package var canBecomeFirstResponder = false

    package init(consumes: Bool = false) { self.consumes = consumes }
}

/// What few responders have, in one place, so that the others have one empty field for it.
final class ResponderExtras {
    /// The methods that the responder answers by name.
    var answers: [String: Selector.Method] = [:]
    var behavior: ResponderBehavior?
    /// Of a view that is a recognizer's delegate by its behavior.
    var delegate: ViewDelegate?

    deinit { delegate?.view = nil }
}

extension UIView {
    /// The view as a recognizer's delegate, which its behavior answers for. The view keeps it.
    package final var asDelegate: any UIGestureRecognizerDelegate {
        if let delegate = extras?.delegate { return delegate }
        let made = ViewDelegate(of: self)
        ownExtras.delegate = made
        return made
    }
}

extension UIResponder {
    final var ownExtras: ResponderExtras {
        if let extras { return extras }
        let made = ResponderExtras()
        extras = made
        return made
    }

    /// To be set in a turn of the application, which asks its responders' behaviors from then on.
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

    final var mayBecomeFirstResponder: Bool {
        canBecomeFirstResponder || extras?.behavior?.canBecomeFirstResponder == true
    }
}
