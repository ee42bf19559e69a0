// UIKitCalls.swift: UIKit's calls of methods that an app may override, with their events and the responder's behavior.
//
// Station   hitTest → action
// Input     all code of UIKit that makes such a call
// Output    the called method; UIKitEvent
//
// A function that makes events is never inlined, so that its code stays out of the code that every touch runs through.
// An application without trace, observer and behaviors only tests a flag (Docs/Decisions/UIKitEvents.md).

package import Foundation

// MARK: Hit test

extension UIView {
    /// Calls `hitTest(_:with:)` with its events and the view's behavior.
    @inline(never)
    final func watchHitTest(_ point: CGPoint, _ event: UIEvent?) -> UIView? {
        guard let event, let application = event.interceptor else { return hitTest(point, with: event) }
        application.emitToObserver(.hitTest(.entered(self, event)))
        var found = hitTest(point, with: event)
        if let answer = behavior?.hitTest { found = answer(found) }
        application.emitToObserver(.hitTest(.left(self, event, found: found)))
        return found
    }

    /// Asks whether the point, in this view's coordinates, is inside.
    @inline(never)
    package final func watchIsInside(_ point: CGPoint, _ event: UIEvent?) -> Bool {
        guard let event, let application = event.interceptor else { return self.point(inside: point, with: event) }
        application.emitToObserver(.hitTest(.pointInsideEntered(self)))
        let isInside = behavior?.pointInside?(point, event) ?? self.point(inside: point, with: event)
        application.emitToObserver(.hitTest(.pointInsideLeft(self, isInside)))
        return isInside
    }
}

// MARK: Responders

extension UIApplication {
    /// The application, for the interceptor of its events: nil without observer and behaviors.
    final var interceptor: UIApplication? { isObserved || hasBehaviors ? self : nil }

    /// The events that live as long as the application.
    final var longLivedEvents: [UIEvent] { [touchTracker.event] + devices.longLivedEvents }

    /// Calls a responder's touches method, with its events and the responder's behavior.
    @inline(never)
    final func watch(_ call: UIKitEvent.TouchesCall, of responder: UIResponder) {
        emit(.responder(.touchesEntered(responder, call)))
        let behavior = responder.behavior
        behavior?.willReceive?(call.phase, call.touches)
        if behavior?.consumes != true { responder.receive(call.touches, in: call.phase, of: call.event) }
        emitToObserver(.responder(.touchesLeft(responder, call)))
    }

    /// Calls a responder's method for presses, motion, remote control or corrected estimates.
    final func call(
        _ method: UIKitEvent.ResponderCall.Method, of responder: UIResponder, isForwarded: Bool = false,
        _ body: () -> Void
    ) {
        let call = UIKitEvent.ResponderCall(method: method, isForwarded: isForwarded)
        emit(.responder(.entered(responder, call)))
        if responder.behavior?.consumes != true || !method.isConsumable { body() }
        emitToObserver(.responder(.left(responder, call)))
    }
}

extension UIKitEvent.ResponderCall.Method {
    fileprivate var isConsumable: Bool {
        switch self {
        case .presses, .motion, .estimates: true
        case .remoteControl: false
        }
    }
}

extension UIResponder {
    @inline(__always)
    final func receive(_ touches: Set<UITouch>, in phase: UITouch.Phase, of event: UIEvent?) {
        switch phase {
        case .began: touchesBegan(touches, with: event)
        case .moved: touchesMoved(touches, with: event)
        case .ended: touchesEnded(touches, with: event)
        case .cancelled: touchesCancelled(touches, with: event)
        case .stationary, .regionEntered, .regionMoved, .regionExited: break
        }
    }

    /// Forwards touches to the next responder, with the events of the call.
    @inline(never)
    final func watchForwarding(_ touches: Set<UITouch>, _ phase: UITouch.Phase, _ event: UIEvent) {
        guard let next = chainNext, let application = event.interceptor else { return }
        let call = UIKitEvent.TouchesCall(phase: phase, touches: touches, event: event, isForwarded: true)
        application.watch(call, of: next)
    }

    /// Forwards another call to the next responder.
    final func forward(
        _ method: UIKitEvent.ResponderCall.Method, _ event: UIEvent?, _ body: (UIResponder) -> Void
    ) {
        guard let next = chainNext else { return }
        guard let application = event?.interceptor else { return body(next) }
        application.call(method, of: next, isForwarded: true) { body(next) }
    }
}

// MARK: Recognizers

extension UIGestureRecognizer {
    @inline(__always)
    final func receive(_ touches: Set<UITouch>, in phase: UITouch.Phase, of event: UIEvent) {
        switch phase {
        case .began: touchesBegan(touches, with: event)
        case .moved: touchesMoved(touches, with: event)
        case .ended: touchesEnded(touches, with: event)
        case .cancelled: touchesCancelled(touches, with: event)
        case .stationary, .regionEntered, .regionMoved, .regionExited: break
        }
    }

    @inline(never)
    final func watchReset(in application: UIApplication) {
        application.emitToObserver(.gesture(.entered(self, .reset)))
        reset()
        application.emitToObserver(.gesture(.left(self, .reset)))
    }

    @inline(never)
    final func noteMove(from state: State, in application: UIApplication) {
        application.emitToObserver(.gesture(.moved(self, from: state)))
    }
}

extension GestureEnvironment {
    @inline(never)
    func watch(
        _ recognizer: UIGestureRecognizer, _ touches: Set<UITouch>, in phase: UITouch.Phase, of event: UIEvent
    ) {
        prepare(recognizer, for: phase, of: event)
        application.emitToObserver(.gesture(.entered(recognizer, .touches(phase, touches))))
        recognizer.receive(touches, in: phase, of: event)
        application.emitToObserver(.gesture(.left(recognizer, .touches(phase, touches))))
    }

    @inline(never)
    func noteReceipt(of touch: UITouch, by recognizer: UIGestureRecognizer) {
        application.emit(.gesture(.received(recognizer, touch)))
    }

    @inline(never)
    func noteRefusal(of touch: UITouch, by recognizer: UIGestureRecognizer, _ why: TouchRefusal) {
        application.emit(.gesture(.declined(recognizer, touch, why)))
    }

    @inline(never)
    func noteAction(of recognizer: UIGestureRecognizer, in state: UIGestureRecognizer.State) {
        application.emit(.gesture(.acts(recognizer, state)))
    }

    @inline(never)
    func noteReset(of recognizer: UIGestureRecognizer) { application.emit(.gesture(.resets(recognizer))) }
}

extension UIApplication {
    /// Passes corrected samples to the recognizer that received estimates.
    final func correct(_ samples: Set<UITouch>, of recognizer: UIGestureRecognizer) {
        emitToObserver(.gesture(.entered(recognizer, .estimates(samples))))
        recognizer.touchesEstimatedPropertiesUpdated(samples)
        emitToObserver(.gesture(.left(recognizer, .estimates(samples))))
    }
}

// MARK: Controls

extension UIControl {
    final func track(_ call: UIKitEvent.Tracking, _ body: () -> Void) {
        let application = cachedWindow?.application ?? UIApplication.current
        application?.emit(.action(.trackingEntered(self, call)))
        body()
        application?.emitToObserver(.action(.trackingLeft(self, call)))
    }
}

// MARK: Questions

extension UIGestureRecognizer {
    /// Emits the question with its answer.
    ///
    /// - Parameter object: The object that was asked. The event of a delegate that stands for a view names the view.
    /// - Returns: The answer.
    final func emitQuestion(
        _ question: @autoclosure () -> UIKitEvent.Question, of object: AnyObject, answer: Bool
    ) -> Bool {
        application?.emitToObserver(
            .gesture(.asked(question(), of: ViewDelegate.subject(of: object), answer: answer)))
        return answer
    }

    /// Whether the recognizer's class accepts the event.
    @inline(__always)
    final func wants(_ event: UIEvent) -> Bool {
        event.isIntercepted ? watchWants(event) : shouldReceive(event)
    }

    @inline(never)
    private final func watchWants(_ event: UIEvent) -> Bool {
        emitQuestion(.shouldReceiveEvent(self, event), of: self, answer: shouldReceive(event))
    }

    /// Whether the delegate accepts the event.
    final func isWanted(_ event: UIEvent, by delegate: any UIGestureRecognizerDelegate) -> Bool {
        let answer = delegate.gestureRecognizer(self, shouldReceive: event)
        return event.isIntercepted
            ? emitQuestion(.shouldReceiveEvent(self, event), of: delegate, answer: answer) : answer
    }

    @inline(never)
    final func watchCanPrevent(_ other: UIGestureRecognizer) -> Bool {
        emitQuestion(.canPrevent(self, other), of: self, answer: canPrevent(other))
    }

    @inline(never)
    final func watchCanBePrevented(by other: UIGestureRecognizer) -> Bool {
        emitQuestion(.canBePrevented(self, by: other), of: self, answer: canBePrevented(by: other))
    }

    @inline(never)
    final func watchRequiresFailure(of other: UIGestureRecognizer) -> Bool {
        emitQuestion(.requireFailure(self, of: other), of: self, answer: shouldRequireFailure(of: other))
    }

    @inline(never)
    final func watchRequiresToFail(by other: UIGestureRecognizer) -> Bool {
        emitQuestion(.requiredToFail(self, by: other), of: self, answer: shouldBeRequiredToFail(by: other))
    }

    /// Whether the recognizer's delegate allows the other to recognize at the same time.
    final func isAllowed(beside other: UIGestureRecognizer) -> Bool {
        guard let delegate else { return false }
        return emitQuestion(
            .simultaneous(self, with: other), of: delegate,
            answer: delegate.gestureRecognizer(self, shouldRecognizeSimultaneouslyWith: other))
    }

    final func delegateRequiresFailure(of other: UIGestureRecognizer) -> Bool {
        guard let delegate else { return false }
        return emitQuestion(
            .requireFailure(self, of: other), of: delegate,
            answer: delegate.gestureRecognizer(self, shouldRequireFailureOf: other))
    }

    final func delegateRequiresToFail(by other: UIGestureRecognizer) -> Bool {
        guard let delegate else { return false }
        return emitQuestion(
            .requiredToFail(self, by: other), of: delegate,
            answer: delegate.gestureRecognizer(self, shouldBeRequiredToFailBy: other))
    }
}

extension UIView {
    /// The answer whether the recognizer may begin, by behavior or by class.
    final func answer(mayBegin recognizer: UIGestureRecognizer) -> Bool {
        extras?.behavior?.shouldBegin?(recognizer) ?? gestureRecognizerShouldBegin(recognizer)
    }

    /// Asks the view whether the recognizer may begin, and emits the question with its answer.
    final func ask(mayBegin recognizer: UIGestureRecognizer) -> Bool {
        let answer = answer(mayBegin: recognizer)
        guard let application = cachedWindow?.application ?? UIApplication.current, application.isObserved else {
            return answer
        }
        return recognizer.emitQuestion(.shouldBegin(recognizer), of: self, answer: answer)
    }
}

extension UIScrollView {
    /// The view that the delegate wants to be zoomed.
    final func askForZoomedView() -> UIView? {
        guard let delegate else { return nil }
        let view = delegate.viewForZooming(in: self)
        application?.emitToObserver(.scroll(self, .zooms(view)))
        return view
    }

    final func askShouldBegin(_ touches: Set<UITouch>, _ event: UIEvent?, in view: UIView) -> Bool {
        let answer = touchesShouldBegin(touches, with: event, in: view)
        application?.emitToObserver(.gesture(.asked(.touchesShouldBegin(in: view), of: self, answer: answer)))
        return answer
    }

    final func askShouldCancel(in view: UIView) -> Bool {
        let answer = touchesShouldCancel(in: view)
        application?.emitToObserver(.gesture(.asked(.touchesShouldCancel(in: view), of: self, answer: answer)))
        return answer
    }
}
