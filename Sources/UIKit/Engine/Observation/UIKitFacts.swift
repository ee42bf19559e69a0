// UIKitFacts.swift: the facts of the trace, as a fold over UIKit's events.
//
// Station   event → action
// Input     UIApplication.emit
// Output    the application's trace
// Knows     every template of UIKit's facts, except those of gestures (UIKitFacts+Gestures.swift)
//
// An event that makes no fact is listed with `break`, so that a new event does not compile without a decision about its
// fact. Questions and callbacks of a scroll view's delegate make no facts.

import Basics
import Foundation
import HID
import Trace

extension UIApplication {
    final func noteFacts(of event: UIKitEvent) {
        switch event {
        case .app(let event): noteFacts(of: event)
        case .input(let event): noteFacts(of: event)
        case .hitTest(let event): noteFacts(of: event)
        case .gesture(let event): gestures.noteFacts(of: event)
        case .responder(let event): noteFacts(of: event)
        case .scroll(let view, let event): noteFacts(of: event, in: view)
        case .action(let event): noteFacts(of: event)
        }
    }

    private func noteFacts(of event: UIKitEvent.App) {
        switch event {
        case .launched(let url?): note(.app, "launched to open {a:n}", trace.intern(url.absoluteString))
        case .asksToOpen(let url?): note(.app, "opens {a:n}", trace.intern(url.absoluteString))
        case .asksToOpen(nil): note(.app, "open refused: not a URL")
        case .tookScreenshot: note(.app, "a screenshot was taken")
        case .launched(nil), .didFinishLaunching, .lifeCycle, .sceneConnects, .opens: break
        }
    }

    // MARK: Input

    private func noteFacts(of event: UIKitEvent.Input) {
        switch event {
        case .landed(let contact):
            note(
                .event, "touch {a} began at ({b:p}, {c:p})", Int64(contact.touch.rawValue),
                Int64(points: contact.position.x.double), Int64(points: contact.position.y.double))
        case .changed(let touch, let contact): noteChange(of: touch, contact)
        case .cancelled(let touch): note(.event, "touch {a} cancelled", Int64(touch.id.rawValue))
        case .dropped(let touch, let why): noteDrop(of: Int64(touch.rawValue), why)
        case .estimateSettled(let touch, let index):
            note(.event, "touch {a}: estimate {b} settled", Int64(touch.rawValue), Int64(index))
        case .gateTimedOut(let touch, let limit):
            note(.gesture, "touch {a}: its gate timed out after {b:t}", Int64(touch.rawValue), limit.nanoseconds)
        case .pressed(let press):
            note(
                .event, "press {a:k} {b:n}",
                press.usage.isTyped ? trace.keyValue(press.type.rawValue) : Int64(press.type.rawValue),
                trace.intern("\(press.phase)"))
        case .pointed(let event):
            guard let event = event as? UIPointerEvent else { return }
            note(
                .event, "{a:n} {b:n} at ({c:p}, {d:p})", trace.intern("\(event.type)"), trace.intern("\(event.phase)"),
                Int64(points: event.point.x), Int64(points: event.point.y))
        case .shook(let phase): note(.event, "shake {a:n}", trace.intern("\(phase)"))
        case .remoteCommand(let command): note(.event, "remote {a:n}", trace.intern("\(command)"))
        case .device, .applicationSends, .windowSends: break
        }
    }

    private func noteChange(of touch: UITouch, _ contact: TouchContact) {
        let (id, x, y) = (
            Int64(contact.touch.rawValue), Int64(points: contact.position.x.double),
            Int64(points: contact.position.y.double)
        )
        switch touch.phase {
        case .moved: note(.event, "touch {a} moved to ({b:p}, {c:p})", id, x, y)
        case .ended: note(.event, "touch {a} ended at ({b:p}, {c:p})", id, x, y)
        case .cancelled: note(.event, "touch {a} cancelled", id)
        case .began, .stationary, .regionEntered, .regionMoved, .regionExited: break
        }
    }

    private func noteDrop(of touch: Int64, _ why: UIKitEvent.Drop) {
        switch why {
        case .ignoringInteractionEvents: note(.event, "touch {a} dropped: interaction events are ignored", touch)
        case .neverBegan(.moved): note(.event, "touch {a} dropped: moved, never began here", touch)
        case .neverBegan(.ended): note(.event, "touch {a} dropped: ended, never began here", touch)
        case .neverBegan(.cancelled): note(.event, "touch {a} dropped: cancelled, never began here", touch)
        case .neverBegan(.began), .neverBegan(.stationary): break
        case .exclusive(let touched):
            note(
                .hitTest, "touch {a} dropped: {b:n} is touched, and one of the two is exclusive", touch,
                touched?.traceNameID(in: self) ?? 0)
        }
    }

    // MARK: Hit test

    private func noteFacts(of event: UIKitEvent.HitTest) {
        switch event {
        case .sawThrough(let view, let touch):
            note(
                .hitTest, "touch {a} passed {b:n}: isUserInteractionEnabled is false", Int64(touch.rawValue),
                view.traceNameID(in: self))
        case .passedOver(let view, let touch, let why):
            note(
                .hitTest, "touch {a} passed {b:n}: {c:n}", Int64(touch.rawValue), view.traceNameID(in: self),
                trace.intern(why.text(in: self)))
        case .found(let view, let window, let touch, let asked):
            note(
                .hitTest, "touch {a} → {b:n} in {d:n}, after testing {c} views", Int64(touch.rawValue),
                view.traceNameID(in: self), Int64(asked), window.traceNameID(in: self))
            noteChain(of: view, Int64(touch.rawValue))
        case .foundNothing(let touch, let asked):
            note(
                .hitTest, "touch {a} → nothing, after testing {b} views", Int64(touch.rawValue), Int64(asked))
        case .pointer(let event, let view):
            let name = view?.traceNameID(in: self) ?? trace.intern("nothing")
            note(
                .hitTest, "{a:n} → {b:n}, after testing {c} views", trace.intern("\(event.type)"), name,
                Int64(event.hitTestedViewCount))
        case .passBegan, .entered, .left, .pointInsideEntered, .pointInsideLeft: break
        }
    }

    // MARK: Responders

    private func noteFacts(of event: UIKitEvent.Response) {
        switch event {
        case .touchesEntered(let responder, let call):
            if !call.isForwarded { note(call.touches, in: call.phase, to: responder) }
        case .entered(let responder, let call):
            guard !call.isForwarded, let method = call.method.tracedName else { return }
            note(.responder, "{a:n} {b:n}", name(of: responder), trace.intern(method))
        case .touchesLeft, .left: break
        }
    }

    /// Notes a touches call. No template prints `b`, `c` and `d`: the touches' numbers plus one, or zeros for more than
    /// three touches.
    private func note(_ touches: Set<UITouch>, in phase: UITouch.Phase, to responder: UIResponder) {
        let numbers = touches.count > 3 ? [] : touches.map { Int64($0.id.rawValue) + 1 }.sorted()
        let (b, c, d) = (numbers.first ?? 0, numbers.dropFirst().first ?? 0, numbers.dropFirst(2).first ?? 0)
        let name = name(of: responder)
        switch phase {
        case .began: note(.responder, "{a:n} touchesBegan", name, b, c, d)
        case .moved: note(.responder, "{a:n} touchesMoved", name, b, c, d)
        case .ended: note(.responder, "{a:n} touchesEnded", name, b, c, d)
        case .cancelled: note(.responder, "{a:n} touchesCancelled", name, b, c, d)
        case .stationary, .regionEntered, .regionMoved, .regionExited: break
        }
    }

    /// Notes the responders behind the hit view. No template prints `c`, the touch's number.
    private func noteChain(of responder: UIResponder, _ touch: Int64) {
        var names: [String] = []
        var next = responder.tracedNext
        // A scene's `next` may lead in a circle.
        while let current = next, names.count < 64 {
            let name = name(of: current)
            names.append(trace.names[name])
            next = current.tracedNext
        }
        guard !names.isEmpty else { return }
        note(
            .hitTest, "next responders of {a:n}: {b:n}", name(of: responder),
            trace.intern(names.joined(separator: " → ")), touch)
    }

    private func name(of responder: UIResponder) -> Int64 {
        (responder as? UIView)?.traceNameID(in: self) ?? trace.intern("\(Swift.type(of: responder))")
    }

    // MARK: Scrolling

    private func noteFacts(of event: UIKitEvent.Scroll, in view: UIScrollView) {
        switch event {
        case .dragged(let point): note(view, "{a:n} is dragged from ({b:p}, {c:p})", point)
        case .released(let point): note(view, "{a:n} is released at ({b:p}, {c:p})", point)
        case .decelerates(let point): note(view, "{a:n} decelerates to ({b:p}, {c:p})", point)
        case .decelerationChanged(let point): note(view, "{a:n} now decelerates to ({b:p}, {c:p})", point)
        case .rests(let point): note(view, "{a:n} rests at ({b:p}, {c:p})", point)
        case .scrolls(let point): note(view, "{a:n} scrolls to ({b:p}, {c:p})", point)
        case .zoomed(let point): note(view, "{a:n} is zoomed about ({b:p}, {c:p})", point)
        case .calls, .zooms: break
        }
    }

    private func note(_ view: UIScrollView, _ template: StaticString, _ point: CGPoint) {
        note(.gesture, template, view.traceNameID(in: self), Int64(points: point.x), Int64(points: point.y))
    }

    // MARK: Actions

    private func noteFacts(of event: UIKitEvent.Action) {
        switch event {
        case .ignoresTouch(let control):
            note(.action, "{a:n} ignores the touch: it is disabled", control.traceNameID(in: self))
        case .stopsTracking(let control, .disabled):
            note(.action, "{a:n} stops tracking: it was disabled", control.traceNameID(in: self))
        case .stopsTracking(let control, .hidden):
            note(.action, "{a:n} stops tracking: it was hidden", control.traceNameID(in: self))
        case .stopsTracking(let control, .gone):
            note(.action, "{a:n} stops tracking: it leaves its window", control.traceNameID(in: self))
        case .runs(let name, let target, let sender):
            let place = target.map { "\(type(of: $0)).\(name)" } ?? name
            if let event = (sender as? UIControl)?.eventBeingSent?.name {
                note(.action, "{a:n} → {b:n}", trace.intern(event), trace.intern(place))
            } else {
                note(.action, "→ {a:n}", trace.intern(place))
            }
        case .selectsRow(let table, let path):
            note(
                .action, "{a:n} selects row {b} of section {c}", table.traceNameID(in: self), Int64(path.row),
                Int64(path.section))
        case .trackingEntered(let control, .beginTracking):
            note(.action, "{a:n} begins tracking", control.traceNameID(in: self))
        case .trackingEntered(let control, .endTracking):
            note(.action, "{a:n} ends tracking", control.traceNameID(in: self))
        case .trackingEntered(let control, .cancelTracking):
            note(.action, "{a:n} cancels tracking", control.traceNameID(in: self))
        case .trackingEntered(_, .continueTracking), .trackingLeft, .controlSends: break
        }
    }
}

extension UIKitEvent.ResponderCall.Method {
    /// The method's name in the trace; nil for a method that makes no fact.
    fileprivate var tracedName: String? {
        switch self {
        case .presses(.began): "pressesBegan"
        case .presses(.ended): "pressesEnded"
        case .presses(.cancelled): "pressesCancelled"
        case .presses(.changed), .presses(.stationary): nil
        case .motion(.began): "motionBegan"
        case .motion(.ended): "motionEnded"
        case .motion(.cancelled): "motionCancelled"
        case .motion(.changed), .motion(.once): nil
        case .remoteControl: "remoteControlReceived"
        case .estimates: nil
        }
    }
}
