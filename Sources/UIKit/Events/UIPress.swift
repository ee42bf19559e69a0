public import Foundation

/// One button held down on a remote, a keyboard or a controller.
open class UIPress: NSObject {
    public enum PressType: Int, Sendable {
        case upArrow, downArrow, leftArrow, rightArrow, select, menu, playPause
        case pageUp = 30
        case pageDown = 31
    }
    public enum Phase: Int, Sendable { case began, changed, stationary, ended, cancelled }

    /// Seconds since boot.
    open internal(set) var timestamp: TimeInterval = 0
    open internal(set) var phase = Phase.began
    open internal(set) var type: PressType
    open internal(set) var window: UIWindow?
    open internal(set) var responder: UIResponder?
    open internal(set) var gestureRecognizers: [UIGestureRecognizer]?
    open internal(set) var force: CGFloat = 0

    package init(type: PressType) { self.type = type }
}

open class UIPressesEvent: UIEvent {
    package final var presses: [UIPress] = []

    public override init() { super.init(type: .presses, subtype: .none) }

    open var allPresses: Set<UIPress> { Set(presses) }
    open func presses(for gesture: UIGestureRecognizer) -> Set<UIPress> {
        Set(presses.filter { $0.gestureRecognizers?.contains { $0 === gesture } == true })
    }
}
