// PointerTracker.swift: scrolls, hovers and transforms of a pointer, delivered to recognizers. A pointer has no
// touches.
//
// Station   event, hitTest → gesture
// Input     DeviceTracker
// Output    UIApplication.sendEvent, then the followers: recognizers that take part in the stretch
// Knows     where the pointer is, and its followers. Not what a recognizer makes of it.
//
//     scroll, transform   hit test at the beginning; recognizers of the chain that accept follow until the end
//     hover               hit test at each move; recognizers that the pointer left receive an end, entered ones a beginning
//
// Sources   documented  event types 10, 11 and 14, and that recognizers alone receive them (B14)
//           invented    a follower keeps the pointer until the end, like a touch; a recognizer whose attempt is over
//                       receives no more of the stretch; a recognizer whose view leaves its window gives up (B5.7)

import Basics
import Foundation
import Gestures
import HID

/// A recognizer that also works without touches.
protocol PointerFollower: UIGestureRecognizer {
    /// Whether the recognizer uses this kind of event.
    func acceptsKind(of event: UIPointerEvent) -> Bool
    /// Handles the event, in the phase that it has for this recognizer.
    func handlePointer(_ event: UIPointerEvent, phase: InputPhase)
}

extension UIPanGestureRecognizer: PointerFollower {
    func acceptsKind(of event: UIPointerEvent) -> Bool {
        event.type == .scroll && allowedScrollTypesMask.contains(event.isContinuous ? .continuous : .discrete)
    }
    func handlePointer(_ event: UIPointerEvent, phase: InputPhase) {
        handleScroll(by: event.translation, phase: phase.touchPhase, at: event.location)
    }
}

extension UIHoverGestureRecognizer: PointerFollower {
    func acceptsKind(of event: UIPointerEvent) -> Bool { event.type == .hover }
    func handlePointer(_ event: UIPointerEvent, phase: InputPhase) {
        handleHover(at: event.location, phase: phase.touchPhase)
    }
}

extension UIPinchGestureRecognizer: PointerFollower {
    func acceptsKind(of event: UIPointerEvent) -> Bool { event.type == .transform }
    func handlePointer(_ event: UIPointerEvent, phase: InputPhase) {
        handleTransform(scale: event.scale, rotation: event.rotation, phase: phase.touchPhase, at: event.location)
    }
}

extension UIRotationGestureRecognizer: PointerFollower {
    func acceptsKind(of event: UIPointerEvent) -> Bool { event.type == .transform }
    func handlePointer(_ event: UIPointerEvent, phase: InputPhase) {
        handleTransform(scale: event.scale, rotation: event.rotation, phase: phase.touchPhase, at: event.location)
    }
}

extension InputPhase {
    fileprivate var touchPhase: UITouch.Phase {
        switch self {
        case .began: .began
        case .changed: .moved
        case .ended, .once: .ended
        case .cancelled: .cancelled
        }
    }
}

/// A scroll, hover or transform event. Apple's classes for them are private too.
final class UIPointerEvent: UIEvent {
    /// The window under the pointer at the beginning, or for a hover at this moment.
    @exclusivity(unchecked) var window: UIWindow?
    @exclusivity(unchecked) var hitView: UIView?
    /// The pointer's position, in the space of the windows' frames.
    @exclusivity(unchecked) var point = CGPoint.zero
    var phase = InputPhase.began
    /// Of a scroll: points to the right and down since the last event.
    var translation = CGPoint.zero
    /// Of a transform: since its beginning. The rotation is in radians, clockwise.
    var (scale, rotation) = (CGFloat(1), CGFloat(0))
    /// The recognizers that take part, from the hit view outwards, and the phase of this event for each.
    var followers: [(recognizer: any PointerFollower, phase: InputPhase)] = []
    var isContinuous = true

    /// The pointer's position in the window's coordinates.
    var location: CGPoint { window?.pointFromSuperview(point) ?? point }
}

/// Delivers the events of the application's pointer.
package final class PointerTracker {
    @exclusivity(unchecked) unowned(unsafe) final var application: UIApplication!
    private let scroll = UIPointerEvent(type: .scroll)
    private let hover = UIPointerEvent(type: .hover)
    private let transform = UIPointerEvent(type: .transform)
    var longLivedEvents: [UIEvent] { [scroll, hover, transform] }

    /// Delivers a scroll.
    ///
    /// - Parameter phase: `once` for a notch of a wheel.
    func deliverScroll(by step: CGPoint, phase: InputPhase, at point: CGPoint, time: Instant) {
        scroll.translation = step
        scroll.isContinuous = phase != .once
        advance(scroll, phase, at: point, time)
    }

    func deliverTransform(
        scale: CGFloat, rotation: CGFloat, phase: InputPhase, at point: CGPoint, time: Instant
    ) {
        (transform.scale, transform.rotation) = (scale, rotation)
        advance(transform, phase, at: point, time)
    }

    /// Delivers an event that keeps the followers of its beginning.
    private func advance(_ event: UIPointerEvent, _ phase: InputPhase, at point: CGPoint, _ time: Instant) {
        (event.point, event.phase, event.timestamp) = (point, phase, time.seconds)
        if phase == .began || phase == .once {
            hitTest(event)
            event.followers = collectFollowers(of: event).map { ($0, phase) }
        } else {
            for index in event.followers.indices { event.followers[index].phase = phase }
        }
        send(event)
        if phase != .began, phase != .changed { (event.followers, event.hitView) = ([], nil) }
    }

    func deliverHover(phase: InputPhase, at point: CGPoint, time: Instant) {
        (hover.point, hover.phase, hover.timestamp) = (point, phase, time.seconds)
        let before = hover.followers.map(\.recognizer)
        let isOver = phase == .ended || phase == .cancelled
        if !isOver {
            let window = hover.window
            hitTest(hover)
            // Over no view, the followers that it left receive the end through the last window.
            hover.window = hover.window ?? window
        }
        let now = isOver ? [] : collectFollowers(of: hover, keeping: before)
        let left = before.filter { old in !now.contains { $0 === old } }
        let rest = now.map { new in (new, before.contains { $0 === new } ? InputPhase.changed : .began) }
        hover.followers = left.map { ($0, phase == .cancelled ? .cancelled : .ended) } + rest
        send(hover)
        hover.followers.removeAll { $0.phase == .ended || $0.phase == .cancelled }
        if isOver { hover.hitView = nil }
    }

    // MARK: Receivers

    /// Finds the hit view in one walk. The second walk of a touch is not needed, because no touch is made.
    private func hitTest(_ event: UIPointerEvent) {
        (event.window, event.hitView, event.hitTestedViewCount) = (nil, nil, 0)
        for window in application.windows.reversed() where !window.isHidden && window.isUserInteractionEnabled {
            if let hit = window.watchHitTest(window.pointFromSuperview(event.point), event) {
                (event.window, event.hitView) = (hit.window ?? window, hit)
                break
            }
        }
        application.emit(.hitTest(.pointer(event, found: event.hitView)))
    }

    /// The recognizers that follow the event, from the hit view outwards. Recognizers in `keeping` are not asked again.
    private func collectFollowers(
        of event: UIPointerEvent, keeping: [any PointerFollower] = []
    ) -> [any PointerFollower] {
        var found: [any PointerFollower] = []
        var view = event.hitView
        while let current = view {
            for recognizer in current.recognizers {
                guard let follower = recognizer as? any PointerFollower else { continue }
                if keeping.contains(where: { $0 === follower }) {
                    found.append(follower)
                } else if follower.accepts(event) {
                    found.append(follower)
                    application.gestures.activate(follower, by: event.type)
                }
            }
            view = current.parent
        }
        return found
    }

    // MARK: Sending

    private func send(_ event: UIPointerEvent) {
        application.emit(.input(.pointed(event)))
        guard !event.followers.isEmpty else { return }
        event.modifierFlags = application.devices.presses.modifierFlags
        application.emit(.input(.applicationSends(event)))
        application.sendEvent(event)
    }

    final func window(of event: UIEvent) -> UIWindow? { (event as? UIPointerEvent)?.window }

    final func handle(_ event: UIEvent, in window: UIWindow) {
        guard let event = event as? UIPointerEvent else { return }
        notifyFollowers(of: event, in: window) { $0 == .once ? .began : $0 }
        guard event.phase == .once else { return }
        // A notch of a wheel is a whole scroll.
        event.translation = .zero
        notifyFollowers(of: event, in: window) { _ in .ended }
    }

    private func notifyFollowers(
        of event: UIPointerEvent, in window: UIWindow, phase: (InputPhase) -> InputPhase
    ) {
        for (recognizer, own) in event.followers where recognizer.isFollowing(event) {
            application.gestures.scheduleUpdate(of: recognizer)
            if recognizer.attachedView?.cachedWindow == nil {
                recognizer.abandonAttempt()
            } else {
                recognizer.modifiers = event.modifiers
                recognizer.handlePointer(event, phase: phase(own))
            }
        }
        application.gestures.update(event, in: window)
    }
}

extension PointerFollower {
    /// Whether the recognizer is still in the attempt that it began with this event. After a reset for any reason, it
    /// takes no further part in the stretch, as it would in a touch (B5.9). Its present attempt may belong to another
    /// event.
    fileprivate func isFollowing(_ event: UIPointerEvent) -> Bool {
        attempt.isActive && attempt.event == event.type && !stage.isFinal
    }

    /// Whether the recognizer takes part: it is enabled and in no final state, uses this kind of event, and
    /// `shouldReceive(event)` and its delegate accept. The questions are those about a touch, without the touch. (B4.1)
    fileprivate func accepts(_ event: UIPointerEvent) -> Bool {
        guard isEnabled, stage.rawValue <= RecognizerState.changed.rawValue, acceptsKind(of: event) else {
            return false
        }
        if attempt.isActive, attempt.event != event.type { return false }
        guard wants(event) else { return false }
        guard let delegate else { return true }
        return isWanted(event, by: delegate)
    }
}
