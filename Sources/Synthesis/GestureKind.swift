// GestureKind.swift: the names of gestures and their options, for a person.

public import Basics

/// The gestures of `touchline input` and the monkey.
public enum GestureKind: String, Sendable, CaseIterable {
    case tap, doubleTap, tripleTap, twoFingerTap
    case longPress
    /// Fast, and lifted while it moves.
    case swipe
    /// Rests before it lifts, so that nothing glides.
    case pan
    /// A pan after a hold as long as a press, which lifts an icon.
    case drag
    case pinch, rotate
    /// A stroke that begins at an edge of the screen.
    case edgeSwipe
}

/// The direction of a stroke.
public enum GestureDirection: String, Sendable, CaseIterable { case up, down, left, right }

/// A side of the screen.
public enum GestureEdge: String, Sendable, CaseIterable { case top, bottom, left, right }

/// The options of a gesture; missing ones get defaults for the screen.
public struct GestureOptions: Hashable, Sendable {
    /// The position, or the beginning of a stroke.
    public var at: Point<ScreenSpace>?
    /// The end of a stroke.
    public var to: Point<ScreenSpace>?
    public var direction: GestureDirection?
    public var edge: GestureEdge?
    /// Points.
    public var distance: Double?
    /// The duration of a stroke's or pair's movement, or of a press.
    public var duration: Duration?
    public var fingers: Int?
    public var scale: Double?
    /// Clockwise.
    public var degrees: Double?
    /// Points between two fingers at their widest.
    public var spread: Double?
    /// Degrees clockwise from the right, of the line from the first finger to the second at touch-down.
    public var angle: Double?

    public init() {}
}
