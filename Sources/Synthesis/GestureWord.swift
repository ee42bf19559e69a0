// GestureWord.swift: what a hand can be asked to do, as a person names it, and what can be said of it.

public import Basics

/// `touchline input` and the monkey speak of the same gestures.
public enum GestureWord: String, Sendable, CaseIterable {
    case tap, doubleTap, tripleTap, twoFingerTap
    case longPress
    /// Fast, and lifted at speed.
    case swipe
    /// Stands still before it lifts, so that nothing glides on.
    case pan
    /// A pan that is held first, as long as a press takes: what lifts an icon.
    case drag
    case pinch, rotate
    /// A stroke that comes in over an edge of the screen.
    case edgeSwipe
}

/// Where a stroke goes.
public enum GestureDirection: String, Sendable, CaseIterable { case up, down, left, right }

/// A side of the screen.
public enum GestureEdge: String, Sendable, CaseIterable { case top, bottom, left, right }

/// What can be said about a gesture; what is not said is chosen for the screen.
public struct GestureOptions: Hashable, Sendable {
    /// Where it happens, or begins.
    public var at: Point<ScreenSpace>?
    /// Where a stroke ends.
    public var to: Point<ScreenSpace>?
    public var direction: GestureDirection?
    public var edge: GestureEdge?
    /// Points.
    public var distance: Double?
    /// Of a stroke or a pair: its movement. Of a press: how long it is held.
    public var duration: Duration?
    public var fingers: Int?
    public var scale: Double?
    /// Clockwise.
    public var degrees: Double?
    /// Points between two fingers where they are furthest apart.
    public var spread: Double?
    /// Degrees clockwise from the right, of the line from the first finger to the second as they land.
    public var angle: Double?

    public init() {}
}
