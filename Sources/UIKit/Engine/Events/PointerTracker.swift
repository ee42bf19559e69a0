// PointerTracker.swift: a pointer's scrolling, hovering and turning, told to recognisers; it has no touches.
//
// Station   event, hitTest → gesture
// Fed by    DeviceTracker
// Feeds     UIApplication.sendEvent, then the recognisers at work
// Knows     where the pointer is and who took part when it began. Not what a recogniser makes of it.
//
//     scroll, transform   hit test when it begins; the recognisers of the chain that want it keep it until it ends
//     hover               hit test on every move; those left are told ended, those entered began
//
// Sources   documented  event types 10, 11 and 14, and that only recognisers hear of them (B14)
//           invented    who began with a pointer keeps it, like a touch; whose attempt is over hears no more of the
//                       stretch; whose view leaves its window gives up (B5.7)

import Basics
import Foundation
import Gestures
import HID

/// A recogniser that works without touches.
protocol PointerFollower: UIGestureRecognizer {
    /// Whether this kind of event is for it at all.
    func follows(_ event: UIPointerEvent) -> Bool
    /// What the event says, in this recogniser's phase of it.
    func follow(_ event: UIPointerEvent, _ phase: InputPhase)
}

extension UIPanGestureRecognizer: PointerFollower {
    func follows(_ event: UIPointerEvent) -> Bool {
        event.type == .scroll && allowedScrollTypesMask.contains(event.isContinuous ? .continuous : .discrete)
    }
    func follow(_ event: UIPointerEvent, _ phase: InputPhase) {
        scrolled(by: event.translation, phase: phase.ofTouch, at: event.location)
    }
}

extension UIHoverGestureRecognizer: PointerFollower {
    func follows(_ event: UIPointerEvent) -> Bool { event.type == .hover }
    func follow(_ event: UIPointerEvent, _ phase: InputPhase) {
        hovered(at: event.location, phase: phase.ofTouch)
    }
}

extension UIPinchGestureRecognizer: PointerFollower {
    func follows(_ event: UIPointerEvent) -> Bool { event.type == .transform }
    func follow(_ event: UIPointerEvent, _ phase: InputPhase) {
        transformed(scale: event.scale, rotation: event.rotation, phase: phase.ofTouch, at: event.location)
    }
}

extension UIRotationGestureRecognizer: PointerFollower {
    func follows(_ event: UIPointerEvent) -> Bool { event.type == .transform }
    func follow(_ event: UIPointerEvent, _ phase: InputPhase) {
        transformed(scale: event.scale, rotation: event.rotation, phase: phase.ofTouch, at: event.location)
    }
}

extension InputPhase {
    fileprivate var ofTouch: UITouch.Phase {
        switch self {
        case .began: .began
        case .changed: .moved
        case .ended, .once: .ended
        case .cancelled: .cancelled
        }
    }
}

/// A scroll, hover or transform event. Apple's are private classes too.
final class UIPointerEvent: UIEvent {
    /// Of the pointer as it began, or for a hover as it is: who is asked.
    @exclusivity(unchecked) var window: UIWindow?
    @exclusivity(unchecked) var hitView: UIView?
    /// On the screen.
    @exclusivity(unchecked) var point = CGPoint.zero
    var phase = InputPhase.began
    /// Scroll: points, right and down, since the event before.
    var translation = CGPoint.zero
    /// Transform: since it began; radians clockwise.
    var (scale, rotation) = (CGFloat(1), CGFloat(0))
    /// Those that take part, outwards, and what each is to be told.
    var followers: [(recognizer: any PointerFollower, phase: InputPhase)] = []
    var isContinuous = true

    /// In the window's coordinates.
    var location: CGPoint { window?.pointFromSuperview(point) ?? point }
}

package final class PointerTracker {
    @exclusivity(unchecked) unowned(unsafe) final var application: UIApplication!
    private let scroll = UIPointerEvent(type: .scroll)
    private let hover = UIPointerEvent(type: .hover)
    private let transform = UIPointerEvent(type: .transform)
    var longLivedEvents: [UIEvent] { [scroll, hover, transform] }

    /// - Parameter phase: `once` for a notch of a wheel.
    func scrolled(by step: CGPoint, _ phase: InputPhase, at point: CGPoint, _ time: Instant) {
        scroll.translation = step
        scroll.isContinuous = phase != .once
        advance(scroll, phase, at: point, time)
    }

    func transformed(
        scale: CGFloat, rotation: CGFloat, _ phase: InputPhase, at point: CGPoint, _ time: Instant
    ) {
        (transform.scale, transform.rotation) = (scale, rotation)
        advance(transform, phase, at: point, time)
    }

    /// One that keeps whom it began with.
    private func advance(_ event: UIPointerEvent, _ phase: InputPhase, at point: CGPoint, _ time: Instant) {
        (event.point, event.phase, event.timestamp) = (point, phase, time.seconds)
        if phase == .began || phase == .once {
            hit(event)
            event.followers = collect(event).map { ($0, phase) }
        } else {
            for index in event.followers.indices { event.followers[index].phase = phase }
        }
        send(event)
        if phase != .began, phase != .changed { (event.followers, event.hitView) = ([], nil) }
    }

    func hovered(_ phase: InputPhase, at point: CGPoint, _ time: Instant) {
        (hover.point, hover.phase, hover.timestamp) = (point, phase, time.seconds)
        let before = hover.followers.map(\.recognizer)
        let isOver = phase == .ended || phase == .cancelled
        if !isOver {
            let window = hover.window
            hit(hover)
            // Over nothing: those it left are told by way of the window they were told in.
            hover.window = hover.window ?? window
        }
        let now = isOver ? [] : collect(hover, staying: before)
        let left = before.filter { old in !now.contains { $0 === old } }
        let rest = now.map { new in (new, before.contains { $0 === new } ? InputPhase.changed : .began) }
        hover.followers = left.map { ($0, phase == .cancelled ? .cancelled : .ended) } + rest
        send(hover)
        hover.followers.removeAll { $0.phase == .ended || $0.phase == .cancelled }
        if isOver { hover.hitView = nil }
    }

    // MARK: Whom it concerns

    /// One walk: a pointer has no touch to be made, and nothing to be tweaked between two.
    private func hit(_ event: UIPointerEvent) {
        (event.window, event.hitView, event.viewsAsked) = (nil, nil, 0)
        for window in application.windows.reversed() where !window.isHidden && window.isUserInteractionEnabled {
            if let hit = window.watchHitTest(window.pointFromSuperview(event.point), event) {
                (event.window, event.hitView) = (hit.window ?? window, hit)
                break
            }
        }
        application.emit(.hitTest(.pointer(event, found: event.hitView)))
    }

    /// From the hit view outwards, in order. Those that stay are not asked again.
    private func collect(
        _ event: UIPointerEvent, staying: [any PointerFollower] = []
    ) -> [any PointerFollower] {
        var found: [any PointerFollower] = []
        var view = event.hitView
        while let current = view {
            for recognizer in current.recognizers {
                guard let follower = recognizer as? any PointerFollower else { continue }
                if staying.contains(where: { $0 === follower }) {
                    found.append(follower)
                } else if follower.accepts(event) {
                    found.append(follower)
                    application.gestures.join(follower, by: event.type)
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
        tell(event, in: window) { $0 == .once ? .began : $0 }
        guard event.phase == .once else { return }
        // A notch of a wheel is a whole scroll.
        event.translation = .zero
        tell(event, in: window) { _ in .ended }
    }

    private func tell(
        _ event: UIPointerEvent, in window: UIWindow, as phase: (InputPhase) -> InputPhase
    ) {
        for (recognizer, own) in event.followers where recognizer.isAtWork(on: event) {
            application.gestures.needsLook(recognizer)
            if recognizer.attachedView?.cachedWindow == nil {
                recognizer.giveUp()
            } else {
                recognizer.modifiers = event.modifiers
                recognizer.follow(event, phase(own))
            }
        }
        application.gestures.update(event, in: window)
    }
}

extension PointerFollower {
    /// Still in the attempt it began with the pointer: one that was reset meanwhile, for whatever reason, is out of
    /// this stretch, as it would be out of a finger's (B5.9). What it is at work on now may be another event.
    fileprivate func isAtWork(on event: UIPointerEvent) -> Bool {
        attempt.isActive && attempt.event == event.type && !stage.isFinal
    }

    /// As of a touch, but for the touch: enabled, open, its kind, `shouldReceive(event)`, delegate. (B4.1)
    fileprivate func accepts(_ event: UIPointerEvent) -> Bool {
        guard isEnabled, stage.rawValue <= RecognizerState.changed.rawValue, follows(event) else { return false }
        if attempt.isActive, attempt.event != event.type { return false }
        guard wants(event) else { return false }
        guard let delegate else { return true }
        return isWanted(event, by: delegate)
    }
}
