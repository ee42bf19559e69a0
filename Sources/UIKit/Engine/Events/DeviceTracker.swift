// DeviceTracker.swift: input other than touches, sorted by its kind.
//
// Station   event
// Input     UIApplication.deliver, one device event at a time
// Output    PressTracker, PointerTracker; motion and remote control are sent by this file, without a tracker of their
//           own
//
// Sources   documented  motion: the key window's first responder, else the window; remote control: the first responder,
//                       else the application (B14)

package import Basics
import Foundation
package import HID

/// Delivers the device events of one application: presses, pointers, motion and remote control.
package final class DeviceTracker {
    @exclusivity(unchecked) unowned(unsafe) final var application: UIApplication!
    package let presses = PressTracker()
    package let pointer = PointerTracker()
    /// The application's shake event, and the responder that received its beginning. The same responder receives its
    /// end.
    private let motion = UIEvent(type: .motion, subtype: .motionShake)
    private weak var motionResponder: UIResponder?
    private var motionPhase = InputPhase.ended
    private var isShaking = false

    var longLivedEvents: [UIEvent] { [motion, presses.event] + pointer.longLivedEvents }

    func attach(to application: UIApplication) {
        self.application = application
        presses.application = application
        pointer.application = application
    }

    /// Delivers one device event to the tracker of its kind.
    package func deliver(_ event: DeviceEvent<SceneSpace>) {
        application.emit(.input(.device(event)))
        let (input, time) = (event.input, event.timeStamp)
        switch input.content {
        case .key(let usage): presses.deliver(usage, input.phase, at: time)
        case .shake: shake(input.phase, at: time)
        case .remote(let command): remote(command, at: time)
        case .scroll(let position, let dx, let dy):
            pointer.deliverScroll(
                by: CGPoint(x: dx.double, y: dy.double), phase: input.phase, at: CGPoint(position), time: time)
        case .hover(let position): pointer.deliverHover(phase: input.phase, at: CGPoint(position), time: time)
        case .transform(let position, let scale, let rotation):
            pointer.deliverTransform(
                scale: CGFloat(scale.double), rotation: CGFloat(rotation.double), phase: input.phase,
                at: CGPoint(position),
                time: time)
        }
    }

    // MARK: Shaking

    /// Sends the beginning or the end of a shake. An end without a beginning in this app changes nothing, and neither
    /// does a second beginning.
    private func shake(_ phase: InputPhase, at time: Instant) {
        guard isShaking == (phase != .began) else { return }
        isShaking = phase == .began
        motion.timestamp = time.seconds
        motionPhase = phase
        application.emit(.input(.shook(phase)))
        if phase == .began {
            let window = application.keyWindow
            motionResponder = window?.firstResponder ?? window ?? application
        }
        send(motion)
        if !isShaking { motionResponder = nil }
    }

    private func remote(_ command: RemoteCommand, at time: Instant) {
        guard let subtype = UIEvent.EventSubtype(rawValue: Int(command.rawValue)) else { return }
        let event = UIEvent(type: .remoteControl, subtype: subtype)
        event.timestamp = time.seconds
        // An app may keep the event for longer than the application exists.
        event.interceptor = application.interceptor
        defer { event.interceptor = nil }
        application.emit(.input(.remoteCommand(command)))
        send(event)
    }

    private func send(_ event: UIEvent) {
        application.emit(.input(.applicationSends(event)))
        application.sendEvent(event)
    }

    /// Delivers an event other than of touches on behalf of `UIApplication.sendEvent`.
    final func send(_ event: UIEvent, from application: UIApplication) {
        switch event.type {
        case .touches: return
        case .presses:
            guard let press = (event as? UIPressesEvent)?.changed else { return }
            if let window = press.window {
                application.send(event, to: window)
            } else {
                application.gestures.respond(to: press)
            }
        case .motion:
            if let window = application.keyWindow {
                application.send(event, to: window)
            } else {
                callMotionMethod(with: event)
            }
        case .remoteControl:
            let responder: UIResponder = application.keyWindow?.firstResponder ?? application
            application.call(.remoteControl, of: responder) { responder.remoteControlReceived(with: event) }
        case .scroll, .hover, .transform:
            if let window = pointer.window(of: event) { application.send(event, to: window) }
        }
    }

    /// Delivers an event other than of touches on behalf of `UIWindow.sendEvent`. (B14)
    final func handle(_ event: UIEvent, in window: UIWindow) {
        switch event.type {
        case .touches, .remoteControl: return
        case .presses:
            guard let event = event as? UIPressesEvent, let press = event.changed else { return }
            application.gestures.handle(press, of: event)
            application.gestures.respond(to: press)
        case .motion: callMotionMethod(with: event)
        case .scroll, .hover, .transform: pointer.handle(event, in: window)
        }
    }

    private func callMotionMethod(with event: UIEvent) {
        guard let responder = motionResponder else { return }
        switch motionPhase {
        case .began:
            application.call(.motion(.began), of: responder) { responder.motionBegan(event.subtype, with: event) }
        case .ended:
            application.call(.motion(.ended), of: responder) { responder.motionEnded(event.subtype, with: event) }
        case .cancelled:
            application.call(.motion(.cancelled), of: responder) {
                responder.motionCancelled(event.subtype, with: event)
            }
        case .changed, .once: return
        }
    }
}

extension UIApplication {
    /// Delivers one device event completely: chooses its receiver, calls recognizers and `sendEvent`, and cleans up.
    package func deliver(_ event: DeviceEvent<SceneSpace>) { devices.deliver(event) }
}
