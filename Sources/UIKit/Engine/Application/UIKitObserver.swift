// UIKitObserver.swift: what a probe can watch and no subclass can override.
//
// Views, windows, controls and recognisers are probed by subclasses, as on a phone. These are the rest: told before
// the thing happens, in the order things happen.

package import HID

package protocol UIKitObserver: AnyObject {
    /// A new contact is about to be hit-tested; `pass` counts from 1.
    func hitTestPassBegins(_ pass: Int, for touch: TouchID)
    /// A key, a shake, a pointer: before anybody hears of it.
    func deviceSpeaks(_ event: DeviceEvent)
    func applicationSends(_ event: UIEvent)
    func windowSends(_ window: UIWindow, _ event: UIEvent)
    /// `sendActions(for:)` was reached; once for each call, whatever bits it carries.
    func controlSends(_ events: UIControl.Event, from control: UIControl)
    /// A target-action of a control is about to run. `target` is nil for a closure (`UIAction`).
    func actionRuns(_ name: String, on target: AnyObject?, sender: Any?)
    /// After it moved, to another state or from changed to changed: whoever moved it.
    func recognizer(_ recognizer: UIGestureRecognizer, movedFrom state: UIGestureRecognizer.State)
}

extension UIKitObserver {
    package func hitTestPassBegins(_ pass: Int, for touch: TouchID) {}
    package func deviceSpeaks(_ event: DeviceEvent) {}
    package func applicationSends(_ event: UIEvent) {}
    package func windowSends(_ window: UIWindow, _ event: UIEvent) {}
    package func controlSends(_ events: UIControl.Event, from control: UIControl) {}
    package func actionRuns(_ name: String, on target: AnyObject?, sender: Any?) {}
    package func recognizer(_ recognizer: UIGestureRecognizer, movedFrom state: UIGestureRecognizer.State) {}
}
