// DeviceEvent.swift: what devices other than the glass say: buttons and keys, a shake, a headset, a pointer.
//
// Station   device → hid, then router → inbox
// Fed by    Recordings, through HeldInputs
// Feeds     Wire, the system server's router, UIKit/Engine/Events
// Knows     usages and positions. No screen, no responder.
//
// Each input is a stretch of time, like a finger's stay: a key from down to up, a pointer from entering to leaving. It
// begins once and ends once, and belongs to one recipient all the while. Two happen all at once: a remote command, and
// a notch of a wheel.
//
// Sources   documented  IOHIDFamily: a keyboard event is usage page, usage and down; HID Usage Tables for the numbers
//           invented    shake, remote, hover and transform as events of their own; phases for all of them

public import Basics

/// A key or a button by the tables of the HID standard.
public struct HIDUsage: Hashable, Sendable {
    public var page: UInt16
    public var usage: UInt16

    public init(page: UInt16, usage: UInt16) { (self.page, self.usage) = (page, usage) }

    /// Keyboard/Keypad page.
    public static let keyboardPage: UInt16 = 0x07
    /// Consumer page: the buttons of a remote.
    public static let consumerPage: UInt16 = 0x0C
}

/// What a headset's buttons ask for. Raw values as `UIEvent.EventSubtype`.
public enum RemoteCommand: UInt8, Sendable, CaseIterable {
    case play = 100
    case pause, stop, togglePlayPause, nextTrack, previousTrack
    case beginSeekingBackward, endSeekingBackward, beginSeekingForward, endSeekingForward
}

/// A moment in the stretch of time that an input lasts.
public enum InputPhase: UInt8, Sendable, CaseIterable {
    case began, changed, ended, cancelled
    /// Begins and is over.
    case once
}

/// What begins and ends together: of each there is one at a time.
public enum InputStretch: Hashable, Sendable {
    case key(HIDUsage)
    case shake, remote, scroll, hover, transform
}

/// One thing a device did.
///
/// `In` is the space of the pointer's position: `DigitizerSpace` up to the router, `SceneSpace` from there on, like a
/// finger's.
public struct DeviceInput<In: Space>: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        case key(HIDUsage)
        case shake
        case remote(RemoteCommand)
        /// By points of the screen, right and down.
        case scroll(Point<In>, dx: Fixed, dy: Fixed)
        case hover(Point<In>)
        /// Scale and radians (clockwise), both since it began.
        case transform(Point<In>, scale: Fixed, rotation: Fixed)
    }

    public var phase: InputPhase
    public var content: Content

    @inlinable
    public init(_ phase: InputPhase, _ content: Content) { (self.phase, self.content) = (phase, content) }

    @inlinable
    public var stretch: InputStretch {
        switch content {
        case .key(let usage): .key(usage)
        case .shake: .shake
        case .remote: .remote
        case .scroll: .scroll
        case .hover: .hover
        case .transform: .transform
        }
    }

    /// Whether a device can mean it: a remote command has no duration, a key and a shake have nothing to change, and
    /// but for those two and a wheel's notch nothing happens all at once.
    @inlinable
    public var isPossible: Bool {
        switch (content, phase) {
        case (.remote, .once): true
        case (.remote, _): false
        case (.scroll, _): true
        case (_, .once): false
        case (.key, .changed), (.shake, .changed): false
        case (.key, _), (.shake, _), (.hover, _), (.transform, _): true
        }
    }

    /// The pointer's position; nil for what has none.
    @inlinable
    public var position: Point<In>? {
        switch content {
        case .key, .shake, .remote: nil
        case .scroll(let position, _, _), .hover(let position), .transform(let position, _, _): position
        }
    }

    /// The same, over: where it is, and no further than that.
    @inlinable
    public func ending(_ phase: InputPhase) -> DeviceInput {
        switch content {
        case .scroll(let position, _, _): DeviceInput(phase, .scroll(position, dx: .zero, dy: .zero))
        case .key, .shake, .remote, .hover, .transform: DeviceInput(phase, content)
        }
    }

    /// The same in another space.
    @inlinable
    public func converted<Other: Space>(_ position: (Point<In>) -> Point<Other>) -> DeviceInput<Other> {
        switch content {
        case .key(let usage): DeviceInput<Other>(phase, .key(usage))
        case .shake: DeviceInput<Other>(phase, .shake)
        case .remote(let command): DeviceInput<Other>(phase, .remote(command))
        case .scroll(let place, let dx, let dy): DeviceInput<Other>(phase, .scroll(position(place), dx: dx, dy: dy))
        case .hover(let place): DeviceInput<Other>(phase, .hover(position(place)))
        case .transform(let place, let scale, let rotation):
            DeviceInput<Other>(phase, .transform(position(place), scale: scale, rotation: rotation))
        }
    }
}

extension HIDUsage {
    /// Of a keyboard: what is typed with it may be a secret. A button of another page is none.
    public var isTyped: Bool { page == 0x07 }
}

extension InputStretch: CustomStringConvertible {
    /// `key hidden`: what all of its inputs begin with.
    public var description: String { text(sayingKeys: false) }

    /// `key 7:4`.
    ///
    /// - Parameter sayingKeys: Whether it may say which key of a keyboard it is; a button's is said always.
    public func text(sayingKeys: Bool) -> String {
        switch self {
        case .key(let usage): usage.isTyped && !sayingKeys ? "key hidden" : "key \(usage.page):\(usage.usage)"
        case .shake: "shake"
        case .remote: "remote"
        case .scroll: "scroll"
        case .hover: "hover"
        case .transform: "transform"
        }
    }
}

extension DeviceInput: CustomStringConvertible {
    /// `key hidden began`.
    public var description: String { text(sayingKeys: false) }

    /// `key 7:4 began`: as traces say it.
    ///
    /// - Parameter sayingKeys: Whether it may say which key of a keyboard it is; a button's is said always.
    public func text(sayingKeys: Bool) -> String {
        if case .remote(let command) = content { return "remote \(command)" }
        return "\(stretch.text(sayingKeys: sayingKeys)) \(phase)"
    }
}

/// An input and its moment.
public struct DeviceEvent<In: Space>: Hashable, Sendable {
    /// When the device saw it.
    public var timeStamp: Instant
    public var input: DeviceInput<In>

    @inlinable
    public init(timeStamp: Instant, input: DeviceInput<In>) { (self.timeStamp, self.input) = (timeStamp, input) }
}
