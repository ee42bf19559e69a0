// TouchFrame.swift: what the system server tells an app about its fingers.
//
// Station   router → inbox
// Fed by    SystemServerCore/Router
// Feeds     UIKit/Events/TouchTracker

public import Basics

/// A finger's number, given by the system server when it lands and never used again in its epoch.
public struct TouchID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static func < (a: TouchID, b: TouchID) -> Bool { a.rawValue < b.rawValue }
    public var description: String { "touch \(rawValue)" }
}

public struct TouchContact: Hashable, Sendable {
    public typealias Phase = ContactPhase

    public var touch: TouchID
    public var phase: Phase
    /// Points on the screen.
    public var x, y: Fixed
    /// Points; zero when unknown.
    public var majorRadius: Fixed

    public init(touch: TouchID, phase: Phase, x: Fixed, y: Fixed, majorRadius: Fixed = .zero) {
        (self.touch, self.phase, self.x, self.y) = (touch, phase, x, y)
        self.majorRadius = majorRadius
    }

    public var location: Point<ScreenSpace> { Point(x.double, y.double) }
}

/// One scan, as one app sees it: its own fingers only.
public struct TouchFrame: Hashable, Sendable {
    /// When the device saw it: `UITouch.timestamp`.
    public var timeStamp: Instant
    public var contacts: [TouchContact]

    public init(timeStamp: Instant, contacts: [TouchContact]) {
        (self.timeStamp, self.contacts) = (timeStamp, contacts)
    }
}
