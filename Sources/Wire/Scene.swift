// Scene.swift: messages between the server and an app about its scene and its windows.
//
//     app ──windows──▶ server     changes of the app's windows since its previous declaration
//     app ◀──scene─── server      the scene's frame on its display, and the last declaration that the server received
//
// Input     AppCore (windows), SystemServerCore (scenes)
// Output    WindowMap, UIKit's screen
// Knows     frames, levels and flags. No view.
//
// A link may lose either message. Declarations are numbered without gaps, so the server detects a missing one. It then
// ignores further changes until it receives a whole list. The app sends one when `scene` returns another number than
// its last.
//
// Sources   documented  UIWindow.Level, UIRectEdge's bits; Docs/Spec/Semantics.md D4 (positions are in the
//           destination's space)
//           invented    the messages

public import Basics

/// The state of an app's scene. Before the first message the scene is the whole screen.
public struct SceneState: Hashable, Sendable {
    /// The frame on the display. Positions of the app's touches are relative to its corner.
    public var frame: Rect<DisplaySpace>
    /// Pixels per point.
    public var scale: Fixed
    /// The orientation of the app's interface, and so of the scene's space.
    public var orientation: InterfaceOrientation
    /// The number of the app's last declaration that the server received; 0 before the first.
    public var acknowledgedDeclaration: UInt32

    public init(
        frame: Rect<DisplaySpace>, scale: Fixed, orientation: InterfaceOrientation = .portrait,
        acknowledgedDeclaration: UInt32
    ) {
        (self.frame, self.scale, self.orientation, self.acknowledgedDeclaration) = (
            frame, scale, orientation, acknowledgedDeclaration
        )
    }
}

/// One window as the server needs it: its frame and whether touches may land on it.
public struct SceneWindow: Hashable, Sendable {
    /// A number that the app chose for the lifetime of the window.
    public var id: UInt32
    public var frame: Rect<SceneSpace>
    /// `UIWindow.Level`: a higher level is in front.
    public var level: Fixed
    /// The order within a level: the higher is in front. Of equal ones, the window with the higher id is.
    public var order: UInt32
    public var isHidden: Bool
    /// False for a window that lets touches through to the windows behind it.
    public var acceptsTouches: Bool
    /// Whether positions of touches on the window are hidden from every process but its app.
    public var isSecure: Bool
    /// Bits of `UIRectEdge`: 1 top, 2 left, 4 bottom, 8 right. At these edges system gestures wait for a second swipe.
    public var deferredEdges: UInt8

    public init(
        id: UInt32, frame: Rect<SceneSpace>, level: Fixed = .zero, order: UInt32 = 0, isHidden: Bool = false,
        takesTouches: Bool = true, isSecure: Bool = false, deferredEdges: UInt8 = 0
    ) {
        (self.id, self.frame, self.level, self.order) = (id, frame, level, order)
        (self.isHidden, self.acceptsTouches, self.isSecure) = (isHidden, takesTouches, isSecure)
        self.deferredEdges = deferredEdges
    }
}

/// One change in a declaration of windows.
public enum WindowChange: Hashable, Sendable {
    /// Adds a window, or replaces the one with its id.
    case set(SceneWindow)
    case remove(UInt32)
}

/// The changes of an app's windows since its previous declaration.
public struct WindowsDiff: Hashable, Sendable {
    /// The number of the declaration, from 1 without gaps.
    public var number: UInt32
    /// Whether this declaration replaces all earlier ones.
    public var isWhole: Bool
    public var changes: [WindowChange]

    /// The greatest number of changes in a packet. Further changes need further frames.
    public static let changeLimit = 1500

    public init(number: UInt32, isWhole: Bool, changes: [WindowChange]) {
        (self.number, self.isWhole, self.changes) = (number, isWhole, changes)
    }
}

// MARK: Fields

extension Rect where In.Coordinate == Fixed {
    /// - Parameter x: The name of the first field, which states the space of the frame.
    init<Coder: FieldCoder>(coding value: Rect?, x: StaticString, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            x: try coder.field(value?.x, x), y: try coder.field(value?.y, "frame: y"),
            width: try coder.field(value?.width, "frame: width, not negative"),
            height: try coder.field(value?.height, "frame: height, not negative"))
        for position in [self.x, y] {
            try coder.require(position != .nan, else: .badValue("frame", UInt64(UInt32(bitPattern: .min))))
        }
        for size in [width, height] {
            try coder.require(
                size >= .zero, else: .badValue("frame's size", UInt64(UInt32(bitPattern: size.rawValue))))
        }
    }
}

extension SceneState: FieldCodable {
    package init<Coder: FieldCoder>(coding value: SceneState?, with coder: inout Coder) throws(Coder.Failure) {
        self.init(
            frame: try Rect(coding: value?.frame, x: "frame, 16.16 points of the screen: x", with: &coder),
            scale: try coder.field(value?.scale, "scale, 16.16 pixels in a point"),
            orientation: try coder.field(value?.orientation, InterfaceOrientation.fieldName, as: "orientation"),
            acknowledgedDeclaration: try coder.field(
                value?.acknowledgedDeclaration, "acknowledged windows: number of the last declaration, 0 none"))
        try coder.require(scale > .zero, else: .badValue("scale", UInt64(UInt32(bitPattern: scale.rawValue))))
    }
}

extension InterfaceOrientation {
    static let fieldName: StaticString = "orientation: 1 portrait, 2 upside down, 3 landscape right, 4 left"
}

extension SceneWindow {
    private enum Flag {
        static let hidden: UInt8 = 1
        static let takesTouches: UInt8 = 2
        static let secure: UInt8 = 4
        static let all: UInt8 = 7
    }

    private var flags: UInt8 {
        (isHidden ? Flag.hidden : 0) | (acceptsTouches ? Flag.takesTouches : 0) | (isSecure ? Flag.secure : 0)
    }

    fileprivate init<Coder: FieldCoder>(
        coding value: SceneWindow?, id: UInt32, with coder: inout Coder
    ) throws(Coder.Failure) {
        let frame = try Rect<SceneSpace>(
            coding: value?.frame, x: "each, of a window put: frame, 16.16 points of the scene: x", with: &coder)
        let level = try coder.field(value?.level, "level, 16.16")
        let order = try coder.field(value?.order, "order within the level")
        try coder.require(level != .nan, else: .badValue("level", UInt64(UInt32(bitPattern: .min))))
        let flags = try coder.field(value?.flags, "flags: 1 hidden, 2 takes touches, 4 secure")
        let edges = try coder.field(value?.deferredEdges, "deferred edges: 1 top, 2 left, 4 bottom, 8 right")
        try coder.require(flags & ~Flag.all == 0, else: .badValue("window flags", UInt64(flags)))
        try coder.require(edges < 16, else: .badValue("deferred edges", UInt64(edges)))
        self.init(
            id: id, frame: frame, level: level, order: order, isHidden: flags & Flag.hidden != 0,
            takesTouches: flags & Flag.takesTouches != 0, isSecure: flags & Flag.secure != 0, deferredEdges: edges)
    }
}

extension WindowChange: FieldCodable {
    private var parts: (isPut: Bool, id: UInt32, window: SceneWindow?) {
        switch self {
        case .set(let window): (true, window.id, window)
        case .remove(let id): (false, id, nil)
        }
    }

    package init<Coder: FieldCoder>(coding value: WindowChange?, with coder: inout Coder) throws(Coder.Failure) {
        let parts = value?.parts
        let isPut = try coder.field(parts?.isPut, "each: 0 remove, 1 put", as: "window change")
        let id = try coder.field(parts?.id, "each: id")
        self = isPut ? .set(try SceneWindow(coding: parts?.window, id: id, with: &coder)) : .remove(id)
    }
}

extension WindowsDiff: FieldCodable {
    package init<Coder: FieldCoder>(coding value: WindowsDiff?, with coder: inout Coder) throws(Coder.Failure) {
        let number = try coder.field(value?.number, "number, from 1")
        let isWhole = try coder.field(value?.isWhole, "whole: 1 if earlier declarations no longer hold", as: "whole")
        try coder.require(number > 0, else: .badValue("number of a declaration", 0))
        self.init(
            number: number, isWhole: isWhole,
            changes: try coder.list(
                value?.changes, "changes", of: "window changes", size: 5, limit: Self.changeLimit))
    }
}
