// UIPress.swift: one button or key held down, always the same object from down to up; and the event that carries it.
//
// Station   event
// Fed by    PressTracker, and nobody else
//
// Sources   documented  UIPress, UIPressesEvent
//           observed    a keyboard's keys are press types 2000 and more: 2000 + HID usage

import Foundation
import Gestures
package import HID

open class UIPress: NSObject {
    /// Which button. A structure where Apple has an open enumeration: a keyboard's keys are types too, unnamed ones.
    public struct PressType: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init?(rawValue: Int) { self.rawValue = rawValue }
        init(_ rawValue: Int) { self.rawValue = rawValue }

        public static let upArrow = PressType(0)
        public static let downArrow = PressType(1)
        public static let leftArrow = PressType(2)
        public static let rightArrow = PressType(3)
        public static let select = PressType(4)
        public static let menu = PressType(5)
        public static let playPause = PressType(6)
        public static let pageUp = PressType(30)
        public static let pageDown = PressType(31)
    }

    public enum Phase: Int, Sendable { case began, changed, stationary, ended, cancelled }

    package final let usage: HIDUsage
    /// What its responder has heard of it, and who keeps it from it.
    final var delivery = TouchDelivery()
    final var hold: PressHold?

    /// Seconds since boot.
    open internal(set) var timestamp: TimeInterval = 0
    open internal(set) var phase = Phase.began
    open internal(set) var type: PressType
    open internal(set) var window: UIWindow?
    /// The first responder when it went down, or what stood for it; it keeps the press until it is over.
    open internal(set) var responder: UIResponder?
    /// Those that took the press, in the order they took it.
    open internal(set) var gestureRecognizers: [UIGestureRecognizer]?
    /// Zero: no button here measures it.
    open internal(set) var force: CGFloat = 0
    /// Of a keyboard; nil for other buttons.
    open internal(set) var key: UIKey?

    package init(usage: HIDUsage, key: UIKey? = nil) {
        (self.usage, self.key) = (usage, key)
        type = PressType(usage)
    }

    /// A press of nothing.
    public override init() {
        (usage, type) = (HIDUsage(page: 0, usage: 0), PressType(-1))
    }

    final var alone: Set<UIPress> { [self] }
    final var isOver: Bool { phase == .ended || phase == .cancelled }
}

extension UIPress.PressType {
    /// - Source: inferred; the consumer page's names, and what a remote's buttons are called on the screen.
    package init(_ usage: HIDUsage) {
        let button = HIDUsage.buttons.first { $0.usage == usage }?.name
        self =
            switch button {
            case "upArrow": .upArrow
            case "downArrow": .downArrow
            case "leftArrow": .leftArrow
            case "rightArrow": .rightArrow
            case "select": .select
            case "menu": .menu
            case "playPause": .playPause
            case "pageUp": .pageUp
            case "pageDown": .pageDown
            default: Self(2000 + Int(usage.usage))
            }
    }
}

open class UIPressesEvent: UIEvent {
    /// In order of going down.
    package final var presses: [UIPress] = []
    /// The one this event is about: the others stay as they are.
    final var changed: UIPress?

    public override init() { super.init(type: .presses, subtype: .none) }

    /// Those that are down and those this very event lifts.
    open var allPresses: Set<UIPress> { Set(presses) }
    open func presses(for gesture: UIGestureRecognizer) -> Set<UIPress> {
        Set(presses.filter { $0.gestureRecognizers?.contains { $0 === gesture } == true })
    }
}
