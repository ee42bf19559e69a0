// TouchFrame.swift: the touches of one app in one scan, as the system server sends them.
//
// Station   router → inbox
// Input     SystemServerCore/Router
// Output    frames for UIKit/Engine/Events/TouchTracker
//
// Sources   invented

public import Basics

/// The number of a touch, which the system server assigns at its landing and never reuses in its epoch.
public struct TouchID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static func < (a: TouchID, b: TouchID) -> Bool { a.rawValue < b.rawValue }
    public var description: String { "touch \(rawValue)" }
}

/// The kind of object that touches the panel, with the raw values of `UITouch.TouchType`.
public enum TouchTool: UInt8, Sendable, CaseIterable {
    case direct = 0
    case pencil = 2
}

/// The orientation of a pencil, in radians.
public struct PencilAngles: Hashable, Sendable {
    /// From the panel: π/2 is upright.
    public var altitude: Fixed
    /// From the screen's x axis towards its y axis, to the direction of the pencil's cap.
    public var azimuth: Fixed

    public init(altitude: Fixed, azimuth: Fixed) { (self.altitude, self.azimuth) = (altitude, azimuth) }
}

/// One touch in one scan.
public struct TouchContact: Hashable, Sendable {
    /// The phase of a touch in its frame.
    public typealias Phase = ContactPhase

    public var touch: TouchID
    public var phase: Phase
    public var tool: TouchTool
    /// Whether a system gesture may still take it. Until that is decided, the gates of its window keep it from views.
    public var isGated = false
    /// In its owner's scene. A scene that is the whole display has the display's positions.
    public var position: Point<SceneSpace>
    /// In points; zero if unknown.
    public var majorRadius: Fixed
    /// 0...1 of the panel's range; zero if the panel does not measure it.
    public var pressure: Fixed
    /// Nil for a finger.
    public var angles: PencilAngles?

    public init(
        touch: TouchID, phase: Phase, at position: Point<SceneSpace>, majorRadius: Fixed = .zero,
        pressure: Fixed = .zero, tool: TouchTool = .direct, angles: PencilAngles? = nil, isGated: Bool = false
    ) {
        self.isGated = isGated
        (self.touch, self.phase, self.tool, self.position) = (touch, phase, tool, position)
        (self.majorRadius, self.pressure, self.angles) = (majorRadius, pressure, angles)
    }
}

/// One scan as one app receives it: only its own touches.
public struct TouchFrame: Hashable, Sendable {
    /// The time at which the device saw it: `UITouch.timestamp`.
    public var timeStamp: Instant
    public var contacts: [TouchContact]
    /// Scans that were merged into this one while it waited for its app, oldest first. They have the same touches in
    /// the same order, which only moved or stayed.
    public var history = TouchList()

    /// The largest number of contacts of a frame and its history together. With the measures of a pencil a sample of one
    /// contact takes 39 bytes on the wire, so that such a frame fits into a packet.
    public static let mergedContactLimit = 1536

    /// The largest number of samples in a history. Of more samples every second one is removed.
    ///
    /// - Parameter contacts: The number of contacts of the frame, and of each sample.
    public static func historyLimit(contacts: Int) -> Int { max(0, mergedContactLimit / max(1, contacts) - 1) }

    /// The largest number of contacts of all devices together: as many full panels as the server follows. Decoders
    /// refuse a longer list.
    public static let contactLimit = 64 * HIDEvent.fingerLimit

    public init(timeStamp: Instant, contacts: [TouchContact]) {
        (self.timeStamp, self.contacts) = (timeStamp, contacts)
    }
}
