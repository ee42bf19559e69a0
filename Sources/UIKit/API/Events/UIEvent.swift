// UIEvent.swift: what a window is sent: the touches there are, and when.
//
// Station   event
//
// One touches event lives as long as its application. Its touches come and go; between two frames it holds those
// of the fingers that are down. During a hit test the new finger's touch is not in it yet. (B1.2, B1.3)
//
// Sources   documented  UIEvent; observed: a hit test sees a timestamp and no touches (S03)

public import Foundation

open class UIEvent: NSObject {
    public enum EventType: Int, Sendable {
        case touches = 0
        case motion = 1
        case remoteControl = 2
        case presses = 3
        case scroll = 10
        case hover = 11
        case transform = 14
    }

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

    /// Button n is bit n − 1.
    public struct ButtonMask: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let primary = ButtonMask(rawValue: 1)
        public static let secondary = ButtonMask(rawValue: 2)
        /// - Parameter buttonNumber: From 1.
        public static func button(_ buttonNumber: Int) -> ButtonMask { ButtonMask(rawValue: 1 << (buttonNumber - 1)) }
    }

    /// In order of landing.
    @exclusivity(unchecked) package final var touches: [UITouch] = []
    /// How many views the hit test at hand has asked.
    @exclusivity(unchecked) final var viewsAsked = 0
    /// The application that handles the event, if UIKit's calls for it go by way of UIKitCalls.swift: for an observer, or
    /// for behaviors. Cleared when the application goes.
    @exclusivity(unchecked) unowned(unsafe) final var interceptor: UIApplication? {
        didSet { isIntercepted = interceptor != nil }
    }
    /// The same as a Boolean, which costs no retain: what has only the event at hand asks here.
    @exclusivity(unchecked) package private(set) final var isIntercepted = false

    package init(type: EventType, subtype: EventSubtype = .none) { (self.type, self.subtype) = (type, subtype) }

    /// A touches event without touches.
    public override init() { (type, subtype) = (.touches, .none) }

    @exclusivity(unchecked) open internal(set) var type: EventType
    open internal(set) var subtype: EventSubtype
    /// Seconds since boot, when the device saw it.
    @exclusivity(unchecked) open internal(set) var timestamp: TimeInterval = 0
    /// Held while it happened.
    @exclusivity(unchecked) final var modifiers = InputModifiers()
    /// Zero for fingers.
    open internal(set) var buttonMask: ButtonMask {
        get { modifiers.buttons }
        set { modifiers.buttons = newValue }
    }
    open internal(set) var modifierFlags: UIKeyModifierFlags {
        get { modifiers.flags }
        set { modifiers.flags = newValue }
    }

    /// Those of fingers that are down and of those this very event lifts.
    open var allTouches: Set<UITouch>? { Set(touches) }
    open func touches(for window: UIWindow) -> Set<UITouch>? { Set(touches.filter { $0.window === window }) }
    open func touches(for view: UIView) -> Set<UITouch>? { Set(touches.filter { $0.view === view }) }
    open func touches(for gesture: UIGestureRecognizer) -> Set<UITouch>? {
        Set(touches.filter { $0.gestureRecognizers?.contains { $0 === gesture } == true })
    }
}
