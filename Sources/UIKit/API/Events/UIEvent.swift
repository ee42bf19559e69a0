// UIEvent.swift: what a window receives: the touches and their time.
//
// Station   event
//
// An application has one touches event, which lives as long as the application. Touches join it and leave it. Between
// two frames it contains the touches that are down. A new touch joins after its hit test. (B1.2, B1.3)
//
// Sources   documented  UIEvent
//           observed    a hit test receives an event with a timestamp and without touches (S03)

public import Foundation

/// The touches, or another input, that a window receives at one moment.
open class UIEvent: NSObject {
    /// The kind of an event.
    public enum EventType: Int, Sendable {
        case touches = 0
        case motion = 1
        case remoteControl = 2
        case presses = 3
        case scroll = 10
        case hover = 11
        case transform = 14
    }

    /// The kind of a motion or remote-control event; `none` for other events.
    public enum EventSubtype: Int, Sendable {
        case none = 0
        case motionShake = 1
        case remoteControlPlay = 100
        case remoteControlPause = 101
        case remoteControlStop = 102
        case remoteControlTogglePlayPause = 103
        case remoteControlNextTrack = 104
        case remoteControlPreviousTrack = 105
        case remoteControlBeginSeekingBackward = 106
        case remoteControlEndSeekingBackward = 107
        case remoteControlBeginSeekingForward = 108
        case remoteControlEndSeekingForward = 109
    }

    /// The buttons of a pointer that are down. Button n is bit n − 1.
    public struct ButtonMask: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let primary = ButtonMask(rawValue: 1)
        public static let secondary = ButtonMask(rawValue: 2)
        /// - Parameter buttonNumber: Counted from 1.
        public static func button(_ buttonNumber: Int) -> ButtonMask { ButtonMask(rawValue: 1 << (buttonNumber - 1)) }
    }

    /// The touches in the order in which they landed.
    @exclusivity(unchecked) package final var touches: [UITouch] = []
    /// The number of views that the current hit test has asked.
    @exclusivity(unchecked) final var hitTestedViewCount = 0
    /// The application that handles the event, if an observer or a behavior needs UIKit's calls for it.
    ///
    /// UIKit then makes the calls through UIKitCalls.swift. The application clears this pointer before it is freed.
    @exclusivity(unchecked) unowned(unsafe) final var interceptor: UIApplication? {
        didSet { isIntercepted = interceptor != nil }
    }
    /// Whether `interceptor` is set. A Boolean, because reading the pointer would retain the application.
    @exclusivity(unchecked) package private(set) final var isIntercepted = false

    package init(type: EventType, subtype: EventSubtype = .none) { (self.type, self.subtype) = (type, subtype) }

    /// Makes a touches event without touches.
    public override init() { (type, subtype) = (.touches, .none) }

    @exclusivity(unchecked) open internal(set) var type: EventType
    open internal(set) var subtype: EventSubtype
    /// The time at which the device reported the input, in seconds since boot.
    @exclusivity(unchecked) open internal(set) var timestamp: TimeInterval = 0
    /// The modifier keys and the buttons that were down.
    @exclusivity(unchecked) final var modifiers = InputModifiers()
    /// The buttons of the pointer that were down; empty for touches of fingers.
    open internal(set) var buttonMask: ButtonMask {
        get { modifiers.buttons }
        set { modifiers.buttons = newValue }
    }
    open internal(set) var modifierFlags: UIKeyModifierFlags {
        get { modifiers.flags }
        set { modifiers.flags = newValue }
    }

    /// The touches that are down, and the touches that this event ends.
    open var allTouches: Set<UITouch>? { Set(touches) }
    open func touches(for window: UIWindow) -> Set<UITouch>? { Set(touches.filter { $0.window === window }) }
    open func touches(for view: UIView) -> Set<UITouch>? { Set(touches.filter { $0.view === view }) }
    open func touches(for gesture: UIGestureRecognizer) -> Set<UITouch>? {
        Set(touches.filter { $0.gestureRecognizers?.contains { $0 === gesture } == true })
    }
}
