// UIPress.swift: a button or key from its press to its release, and the event that carries it.
//
// Station   event
// Input     PressTracker, and no other type
//
// One object represents the press from beginning to end.
//
// Sources   documented  UIPress, UIPressesEvent
//           observed    a key of a keyboard has the press type 2000 + its HID usage

import Foundation
import Gestures
package import HID

/// A button or key that is held.
open class UIPress: NSObject {
    /// A button. A structure, where Apple has an open enumeration, because keys of a keyboard have types without names.
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

    /// The phase of a press.
    public enum Phase: Int, Sendable { case began, changed, stationary, ended, cancelled }

    package final let usage: HIDUsage
    /// What the responder has received of the press.
    final var delivery = TouchDelivery()
    /// The recognizers that hold the press from its responder, and what they hold; nil if no recognizer does.
    final var hold: PressHold?

    /// In seconds since boot.
    open internal(set) var timestamp: TimeInterval = 0
    open internal(set) var phase = Phase.began
    open internal(set) var type: PressType
    open internal(set) var window: UIWindow?
    /// The responder that receives the press until it ends: the first responder when the button went down, or its substitute.
    open internal(set) var responder: UIResponder?
    /// The recognizers that accepted the press, in the order in which they accepted it.
    open internal(set) var gestureRecognizers: [UIGestureRecognizer]?
    /// Always zero, because no button here measures its force.
    open internal(set) var force: CGFloat = 0
    /// The key, if the press is one of a keyboard; otherwise nil.
    open internal(set) var key: UIKey?

    package init(usage: HIDUsage, key: UIKey? = nil) {
        (self.usage, self.key) = (usage, key)
        type = PressType(usage)
    }

    /// Makes a press of no button.
    public override init() {
        (usage, type) = (HIDUsage(page: 0, usage: 0), PressType(-1))
    }

    final var setOfSelf: Set<UIPress> { [self] }
    final var isOver: Bool { phase == .ended || phase == .cancelled }
}

extension UIPress.PressType {
    /// - Source: inferred from the names of the consumer page and of a remote's buttons.
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

/// The event that carries presses.
open class UIPressesEvent: UIEvent {
    /// The presses in the order in which they began.
    package final var presses: [UIPress] = []
    /// The press that this event changes. The others stay as they are.
    final var changed: UIPress?

    public override init() { super.init(type: .presses, subtype: .none) }

    /// The presses that are down, and the press that this event ends.
    open var allPresses: Set<UIPress> { Set(presses) }
    open func presses(for gesture: UIGestureRecognizer) -> Set<UIPress> {
        Set(presses.filter { $0.gestureRecognizers?.contains { $0 === gesture } == true })
    }
}
