// DeviceEvent.swift: input other than touches: buttons and keys, a shake, a headset, a pointer.
//
// Station   device → hid, then router → inbox
// Input     Recordings, through HeldInputs
// Output    events for Wire, the system server's router and UIKit/Engine/Events
// Knows     usages and positions. No screen, no responder.
//
// Live input is a stretch of time, as a touch is: a key from down to up, a pointer from entering to leaving. A stretch
// begins once, ends once, and has one recipient. Two inputs have no duration: a remote command, and a notch of a wheel.
//
// Sources   documented  IOHIDFamily: a keyboard event is usage page, usage and down; HID Usage Tables for the numbers
//           invented    shake, remote, hover and transform as events of their own; phases for all of them

public import Basics

/// A key or a button in the tables of the HID standard.
public struct HIDUsage: Hashable, Sendable {
    public var page: UInt16
    public var usage: UInt16

    public init(page: UInt16, usage: UInt16) { (self.page, self.usage) = (page, usage) }

    /// The Keyboard/Keypad page.
    public static let keyboardPage: UInt16 = 0x07
    /// The Consumer page: the buttons of a remote.
    public static let consumerPage: UInt16 = 0x0C
}

/// A command of a headset's button. Raw values are those of `UIEvent.EventSubtype`.
public enum RemoteCommand: UInt8, Sendable, CaseIterable {
    case play = 100
    case pause, stop, togglePlayPause, nextTrack, previousTrack
    case beginSeekingBackward, endSeekingBackward, beginSeekingForward, endSeekingForward
}

extension RemoteCommand: CustomStringConvertible {
    // Names are written out, because `print` of a case without a description searches every conformance of the program.
    public var description: String {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .stop: "stop"
        case .togglePlayPause: "togglePlayPause"
        case .nextTrack: "nextTrack"
        case .previousTrack: "previousTrack"
        case .beginSeekingBackward: "beginSeekingBackward"
        case .endSeekingBackward: "endSeekingBackward"
        case .beginSeekingForward: "beginSeekingForward"
        case .endSeekingForward: "endSeekingForward"
        }
    }
}

/// The phase of an input in its stretch.
public enum InputPhase: UInt8, Sendable, CaseIterable {
    case began, changed, ended, cancelled
    /// The input begins and ends at once.
    case once
}

/// The kind of a stretch. At most one stretch of each kind is in progress.
public enum InputStretch: Hashable, Sendable {
    case key(HIDUsage)
    case shake, remote, scroll, hover, transform
}

/// One input of a device.
///
/// `In` is the space of the pointer's position: `DigitizerSpace` up to the router, `SceneSpace` after it.
public struct DeviceInput<In: Space>: Hashable, Sendable {
    /// The kind of an input, with its values.
    public enum Content: Hashable, Sendable {
        case key(HIDUsage)
        case shake
        case remote(RemoteCommand)
        /// The distance in points of the screen, to the right and down.
        case scroll(Point<In>, dx: Fixed, dy: Fixed)
        case hover(Point<In>)
        /// The scale and the rotation in radians (clockwise), both since the beginning.
        case transform(Point<In>, scale: Fixed, rotation: Fixed)
    }

    public var phase: InputPhase
    public var content: Content

    @inlinable
    public init(_ phase: InputPhase, _ content: Content) { (self.phase, self.content) = (phase, content) }

    @inlinable
    /// The stretch to which the input belongs.
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

    /// Whether a device can report it. A remote command has no duration, and keys and shakes do not change. Only remote
    /// commands and scrolls happen at once.
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

    /// The pointer's position; nil for an input without one.
    @inlinable
    public var position: Point<In>? {
        switch content {
        case .key, .shake, .remote: nil
        case .scroll(let position, _, _), .hover(let position), .transform(let position, _, _): position
        }
    }

    /// The end of the input at its last position, without further movement.
    @inlinable
    public func ending(_ phase: InputPhase) -> DeviceInput {
        switch content {
        case .scroll(let position, _, _): DeviceInput(phase, .scroll(position, dx: .zero, dy: .zero))
        case .key, .shake, .remote, .hover, .transform: DeviceInput(phase, content)
        }
    }

    /// The same input in another space.
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
    /// Whether it is a key of a keyboard, which may be part of a secret. Buttons of other pages are not.
    public var isTyped: Bool { page == 0x07 }
}

extension InputStretch: CustomStringConvertible {
    /// `key hidden`: the beginning of the text of all its inputs.
    public var description: String { text(namingKeys: false) }

    /// `key 7:4`.
    ///
    /// - Parameter namingKeys: Whether the text may name a key of a keyboard. It always names a button.
    public func text(namingKeys: Bool) -> String {
        switch self {
        case .key(let usage): usage.isTyped && !namingKeys ? "key hidden" : "key \(usage.page):\(usage.usage)"
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
    public var description: String { text(namingKeys: false) }

    /// `key 7:4 began`: the text in traces.
    ///
    /// - Parameter namingKeys: Whether the text may name a key of a keyboard. It always names a button.
    public func text(namingKeys: Bool) -> String {
        if case .remote(let command) = content { return "remote \(command)" }
        return "\(stretch.text(namingKeys: namingKeys)) \(phase)"
    }
}

/// An input and its time.
public struct DeviceEvent<In: Space>: Hashable, Sendable {
    /// The time at which the device saw it.
    public var timeStamp: Instant
    public var input: DeviceInput<In>

    @inlinable
    public init(timeStamp: Instant, input: DeviceInput<In>) { (self.timeStamp, self.input) = (timeStamp, input) }
}
