// UIKitEvent.swift: one typed observation of what UIKit did. Observers have no other source.
//
// Station   event → action
// Input     the function of UIKit that makes the call or the decision
// Output    UIKitFacts.swift (facts of the trace); the application's observer: a scene's lines, the monkey's journal
// Knows     the objects concerned. Each reader chooses its words.
//
// `…Entered` comes before UIKit calls a method that an app may override, and `…Left` after the method returned. There
// is one group for each part of UIKit, so that a reader may skip a group and still list every case of the others. No
// reader has a `default`:
//
//     app ─▶ input ─▶ hitTest ─▶ gesture ─▶ responder ─▶ scroll, action
//
// Sources   invented

package import Foundation
package import Gestures
package import Basics
package import HID
import Trace

/// One observation, in the group of its part of UIKit.
package enum UIKitEvent {
    case app(App)
    case input(Input)
    case hitTest(HitTest)
    case gesture(Gesture)
    case responder(Response)
    case scroll(UIScrollView, Scroll)
    case action(Action)

    /// The life cycle of the app and of its scene. Each event comes before the delegate is called.
    package enum App {
        /// The app has started. The URL is the one that it was started to open.
        case launched(URL?)
        /// `didFinishLaunchingWithOptions`, with the URL that the application's delegate finds in the options.
        case didFinishLaunching(URL?)
        /// With a scene, the scene's delegate is called instead of the application's.
        case lifeCycle(UIApplication.LifeCycleChange, UIScene?)
        case sceneConnects(UIScene, URL?)
        /// The system asks the app to open a URL; nil if the text is no URL.
        case asksToOpen(URL?)
        /// The delegate of this scene, or of the application, is about to receive the URL.
        case opens(URL, UIScene?)
        case tookScreenshot
    }

    /// The conversion of frames and device events into UIKit's events.
    package enum Input {
        /// A key, a shake or a pointer's event has arrived. This is the first event about it.
        case device(DeviceEvent<SceneSpace>)
        case landed(TouchContact)
        /// A touch moved, ended or was cancelled, as a frame reported.
        case changed(UITouch, TouchContact)
        /// The application cancels all touches.
        case cancelled(UITouch)
        case dropped(TouchID, Drop)
        case estimateSettled(TouchID, index: Int)
        case gateTimedOut(TouchID, after: Duration)
        case pressed(UIPress)
        /// A pointer's scroll, hover or transform event.
        case pointed(UIEvent)
        case shook(InputPhase)
        case remoteCommand(RemoteCommand)
        case applicationSends(UIEvent)
        case windowSends(UIWindow, UIEvent)
    }

    /// The reason why a frame's contact has no touch.
    package enum Drop {
        case ignoringInteractionEvents
        case neverBegan(TouchContact.Phase)
        /// The view is touched, and it or the hit view is exclusive.
        case exclusive(touched: UIView?)
    }

    /// The hit tests of contacts and pointers.
    package enum HitTest {
        /// A hit test of a new contact begins; passes count from 1.
        case passBegan(Int, TouchID)
        case entered(UIView, UIEvent)
        case left(UIView, UIEvent, found: UIView?)
        case pointInsideEntered(UIView)
        case pointInsideLeft(UIView, Bool)
        /// A person sees this view under the touch, and no touch begins on it, because it is not interactive.
        case sawThrough(UIView, TouchID)
        /// The view lies at the point in front of the hit view.
        case passedOver(UIView, TouchID, PassReason)
        case found(UIView, in: UIWindow, TouchID, asked: Int)
        case foundNothing(TouchID, asked: Int)
        /// The hit test of a pointer's event.
        case pointer(UIEvent, found: UIView?)
    }

    /// The calls, questions and decisions of recognizers and their environment.
    package enum Gesture {
        case received(UIGestureRecognizer, UITouch)
        /// The recognizer is on the hit view or around it, and does not receive the touch.
        case declined(UIGestureRecognizer, UITouch, TouchRefusal)
        case entered(UIGestureRecognizer, Call)
        case left(UIGestureRecognizer, Call)
        case ignored(UIGestureRecognizer, UITouch)
        /// A question to an object that may answer for itself: a view, a delegate, a scroll view, a recognizer.
        case asked(Question, of: AnyObject, answer: Bool)
        /// The verdict of the recognizer's machine.
        case judged(UIGestureRecognizer, Verdict)
        case assignedItself(UIGestureRecognizer)
        case mayNotBegin(UIGestureRecognizer)
        case gaveUp(UIGestureRecognizer)
        /// The second recognizer, which the first one requires to fail, was recognized.
        case lost(UIGestureRecognizer, to: UIGestureRecognizer)
        case waits(UIGestureRecognizer, for: UIGestureRecognizer)
        case excluded(UIGestureRecognizer, by: UIGestureRecognizer)
        case acts(UIGestureRecognizer, UIGestureRecognizer.State)
        case withheld(UITouch, by: UIGestureRecognizer)
        case resets(UIGestureRecognizer)
        /// The recognizer's state changed, or was assigned `changed` again.
        case moved(UIGestureRecognizer, from: UIGestureRecognizer.State)
        case requiresItself(UIGestureRecognizer)
        case requiresInRing([UIGestureRecognizer])
        case contentTouch(ContentTouch, of: UIGestureRecognizer)
    }

    /// A method of a recognizer that an app may override.
    package enum Call {
        case touches(UITouch.Phase, Set<UITouch>)
        /// `touchesEstimatedPropertiesUpdated`, with corrected samples.
        case estimates(Set<UITouch>)
        case presses(UIPress.Phase)
        case reset
    }

    /// A question that UIKit asks.
    package enum Question {
        case shouldBegin(UIGestureRecognizer)
        case shouldReceive(UIGestureRecognizer, UITouch)
        case shouldReceivePress(UIGestureRecognizer, UIPress)
        /// Asked of the recognizer itself, then of its delegate.
        case shouldReceiveEvent(UIGestureRecognizer, UIEvent)
        case canPrevent(UIGestureRecognizer, UIGestureRecognizer)
        case canBePrevented(UIGestureRecognizer, by: UIGestureRecognizer)
        case simultaneous(UIGestureRecognizer, with: UIGestureRecognizer)
        /// This and the next: asked of the recognizer itself, then of its delegate.
        case requireFailure(UIGestureRecognizer, of: UIGestureRecognizer)
        case requiredToFail(UIGestureRecognizer, by: UIGestureRecognizer)
        case touchesShouldBegin(in: UIView)
        case touchesShouldCancel(in: UIView)
    }

    /// The outcome of touches that a scroll view withheld from its content.
    package enum ContentTouch {
        case discarded(TouchID, about: UIView, ContentTouchLoss, held: Duration)
        case allReleased(after: Duration, because: String)
        case allDiscarded(after: Duration, because: String)
    }

    /// Why a scroll view's content never receives a touch.
    package enum ContentTouchLoss {
        case stoppedScroll, refused, oneFingerOnly
    }

    /// The call of a responder's method: by an event, or because the responder below forwards.
    package enum Response {
        case touchesEntered(UIResponder, TouchesCall)
        case touchesLeft(UIResponder, TouchesCall)
        case entered(UIResponder, ResponderCall)
        case left(UIResponder, ResponderCall)
    }

    /// A call of a touches method.
    package struct TouchesCall {
        package let phase: UITouch.Phase
        package let touches: Set<UITouch>
        package let event: UIEvent?
        package let isForwarded: Bool
    }

    /// A call of a responder's method other than the four touches methods.
    package struct ResponderCall {
        /// A responder's method, with its phase.
        package enum Method {
            case presses(UIPress.Phase), motion(InputPhase), remoteControl
            /// `touchesEstimatedPropertiesUpdated`, with corrected samples.
            case estimates(Set<UITouch>)
        }
        package let method: Method
        package let isForwarded: Bool
    }

    /// What a scroll view's content does, and the calls of its delegate.
    package enum Scroll {
        case dragged(from: CGPoint)
        case released(at: CGPoint)
        case decelerates(to: CGPoint)
        case decelerationChanged(to: CGPoint)
        case rests(at: CGPoint)
        case scrolls(to: CGPoint)
        case zoomed(about: CGPoint)
        /// The delegate is about to be called, if there is one.
        case calls(ScrollCallback)
        /// The delegate's answer to `viewForZooming(in:)`.
        case zooms(UIView?)
    }

    /// A method of UIScrollViewDelegate.
    package enum ScrollCallback {
        case didScroll
        case willBeginDragging
        case willEndDragging(velocity: CGPoint, target: CGPoint)
        case didEndDragging(decelerates: Bool)
        case willBeginDecelerating
        case didEndDecelerating
        case didEndScrollingAnimation
        case willBeginZooming(UIView)
        case didZoom
        case didEndZooming(UIView?, scale: CGFloat)
    }

    /// Control events, target-actions and selections.
    package enum Action {
        case trackingEntered(UIControl, Tracking)
        case trackingLeft(UIControl, Tracking)
        case ignoresTouch(UIControl)
        case stopsTracking(UIControl, Obstacle)
        /// `sendActions(for:)` was called; once for each call, whatever event bits it contains.
        case controlSends(UIControl, UIControl.Event)
        /// A target-action is about to run. `target` is nil for a closure (`UIAction`).
        case runs(String, target: AnyObject?, sender: Any?)
        case selectsRow(UITableView, IndexPath)
    }

    /// A tracking method of a control.
    package enum Tracking: String { case beginTracking, continueTracking, endTracking, cancelTracking }

    /// A reason other than the touch for the end of tracking.
    package enum Obstacle { case disabled, hidden, gone }
}

/// Receives every event of one application as it happens.
package protocol UIKitObserver: AnyObject {
    func observe(_ event: UIKitEvent)
}

extension UIApplication {
    /// Whether the trace or an observer reads events.
    @inline(__always)
    final var isWatched: Bool { trace.isEnabled || isObserved }

    /// Emits an event. Without a reader the event is not made.
    @inline(__always)
    final func emit(_ event: @autoclosure () -> UIKitEvent) {
        if isWatched { publish(event()) }
    }

    /// Emits an event that makes no fact.
    @inline(__always)
    final func emitToObserver(_ event: @autoclosure () -> UIKitEvent) {
        if isObserved { observer?.observe(event()) }
    }

    @inline(never)
    private final func publish(_ event: UIKitEvent) {
        if trace.isEnabled { noteFacts(of: event) }
        if isObserved { observer?.observe(event) }
    }
}
