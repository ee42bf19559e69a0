// TouchFrame.swift: what the system server tells an app about its fingers.
//
// Station   router → inbox
// Fed by    SystemServerCore/Router
// Feeds     UIKit/Engine/Events/TouchTracker

public import Basics

/// A finger's number, given by the system server when it lands and never used again in its epoch.
public struct TouchID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static func < (a: TouchID, b: TouchID) -> Bool { a.rawValue < b.rawValue }
    public var description: String { "touch \(rawValue)" }
}

/// What touches the glass. Raw values as `UITouch.TouchType` has them.
public enum TouchTool: UInt8, Sendable, CaseIterable {
    case direct = 0
    case pencil = 2
}

/// How a pencil is held, in radians.
public struct PencilAngles: Hashable, Sendable {
    /// From the glass: π/2 is upright.
    public var altitude: Fixed
    /// From the screen's x axis towards its y axis, to where the pencil's cap points.
    public var azimuth: Fixed

    public init(altitude: Fixed, azimuth: Fixed) { (self.altitude, self.azimuth) = (altitude, azimuth) }
}

public struct TouchContact: Hashable, Sendable {
    public typealias Phase = ContactPhase

    public var touch: TouchID
    public var phase: Phase
    public var tool: TouchTool
    /// A gesture of the system's may take it yet: until it is said to be no more, its window's gates keep it from views.
    public var isGated = false
    /// In its owner's scene: on the display, where that is the whole of it.
    public var position: Point<SceneSpace>
    /// Points; zero when unknown.
    public var majorRadius: Fixed
    /// 0...1 of what the panel can measure; zero when it does not.
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

/// One scan, as one app sees it: its own fingers only.
public struct TouchFrame: Hashable, Sendable {
    /// When the device saw it: `UITouch.timestamp`.
    public var timeStamp: Instant
    public var contacts: [TouchContact]
    /// Scans that became part of this one while it waited for its app, oldest first: the same touches in the same order,
    /// which only moved or stayed. Theirs are empty.
    public var history: [TouchFrame] = []

    /// How much is kept of what has become part of a frame: samples, and contacts of all of them together. Beyond it every
    /// second sample goes.
    public static let historyLimit = 128
    public static let historyContactLimit = 1024

    /// Of all devices together: as many full panels as the server follows. A longer list is refused where it is decoded.
    public static let contactLimit = 64 * HIDEvent.fingerLimit

    public init(timeStamp: Instant, contacts: [TouchContact]) {
        (self.timeStamp, self.contacts) = (timeStamp, contacts)
    }
}
