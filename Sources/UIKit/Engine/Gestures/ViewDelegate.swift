// ViewDelegate.swift: a recognizer's delegate that stands for a view.
//
// Station   gesture
// Input     UIKit's questions to a recognizer's delegate
// Output    the view, and the object that has the view's other answers
//
// UIKit's view classes do not conform to `UIGestureRecognizerDelegate`, so that an app's subclass may
// (Docs/Decisions/Scrolling.md). Such a view is a recognizer's delegate by this object. UIKit asks the view itself
// whether a recognizer may begin: once, if the view is also touched (B5.4). Events name the view.

package import Foundation

/// The delegate of a recognizer, on behalf of a view.
package class ViewDelegate: NSObject, UIGestureRecognizerDelegate {
    /// Cleared before the view is deallocated, by the view or by an object that only the view keeps.
    unowned(unsafe) final var view: UIView?

    init(of view: UIView) { self.view = view }

    /// The view that a delegate stands for, or the delegate itself.
    final class func subject(of delegate: AnyObject) -> AnyObject { (delegate as? ViewDelegate)?.view ?? delegate }

    /// The object that answers the other questions: the view's behavior, or the view, if its class conforms.
    private var answering: (any UIGestureRecognizerDelegate)? {
        view?.behavior?.delegate ?? view as? any UIGestureRecognizerDelegate
    }

    package func gestureRecognizerShouldBegin(_ recognizer: UIGestureRecognizer) -> Bool {
        view?.answer(mayBegin: recognizer) ?? false
    }

    package func gestureRecognizer(
        _ recognizer: UIGestureRecognizer, shouldRecognizeSimultaneouslyWith other: UIGestureRecognizer
    ) -> Bool { answering?.gestureRecognizer(recognizer, shouldRecognizeSimultaneouslyWith: other) ?? false }

    package func gestureRecognizer(
        _ recognizer: UIGestureRecognizer, shouldRequireFailureOf other: UIGestureRecognizer
    ) -> Bool { answering?.gestureRecognizer(recognizer, shouldRequireFailureOf: other) ?? false }

    package func gestureRecognizer(
        _ recognizer: UIGestureRecognizer, shouldBeRequiredToFailBy other: UIGestureRecognizer
    ) -> Bool { answering?.gestureRecognizer(recognizer, shouldBeRequiredToFailBy: other) ?? false }

    package func gestureRecognizer(_ recognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        answering?.gestureRecognizer(recognizer, shouldReceive: touch) ?? true
    }

    package func gestureRecognizer(_ recognizer: UIGestureRecognizer, shouldReceive press: UIPress) -> Bool {
        answering?.gestureRecognizer(recognizer, shouldReceive: press) ?? true
    }

    package func gestureRecognizer(_ recognizer: UIGestureRecognizer, shouldReceive event: UIEvent) -> Bool {
        answering?.gestureRecognizer(recognizer, shouldReceive: event) ?? true
    }
}
