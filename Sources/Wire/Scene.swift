// Scene.swift: what the server and an app tell each other of scenes and windows.
//
//     app ──windows──▶ server     where the app's windows are, as changes since it last said so
//     app ◀──scene─── server      where on the screen the app's scene is, and how far its windows were heard
//
// A link may lose either. Declarations are numbered without gaps, so that the server knows when it has missed one: then
// it takes no further changes until it hears the whole list again, which the app says when its last number is not the
// one that comes back with `scene`.
//
// Sources   documented  UIWindow.Level, UIRectEdge's bits; SEMANTICS D4 (places are in the destination's space)
//           invented    the messages

public import Basics

/// A rectangle in points: of a scene on the screen, or of a window in its scene.
public struct SceneFrame: Hashable, Sendable {
    public var x, y, width, height: Fixed

    public init(x: Fixed, y: Fixed, width: Fixed, height: Fixed) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(x: Fixed(x), y: Fixed(y), width: Fixed(width), height: Fixed(height))
    }

    /// Half-open, as `CGRect.contains`.
    public func contains(_ x: Fixed, _ y: Fixed) -> Bool {
        let (right, down) = (
            Int64(x.rawValue) - Int64(self.x.rawValue), Int64(y.rawValue) - Int64(self.y.rawValue)
        )
        return right >= 0 && down >= 0 && right < Int64(width.rawValue) && down < Int64(height.rawValue)
    }

    public var isEmpty: Bool { width <= .zero || height <= .zero }

    /// What of it is within another.
    public func clipped(to other: SceneFrame) -> SceneFrame {
        func overlap(_ a: Fixed, _ length: Fixed, _ b: Fixed, _ otherLength: Fixed) -> (Fixed, Fixed) {
            let first = max(Int64(a.rawValue), Int64(b.rawValue))
            let end = min(
                Int64(a.rawValue) + Int64(length.rawValue), Int64(b.rawValue) + Int64(otherLength.rawValue))
            return (
                Fixed(rawValue: Int32(clamping: first)), Fixed(rawValue: Int32(clamping: max(0, end - first)))
            )
        }
        let (x, width) = overlap(x, width, other.x, other.width)
        let (y, height) = overlap(y, height, other.y, other.height)
        return SceneFrame(x: x, y: y, width: width, height: height)
    }
}

extension SceneFrame: CustomStringConvertible {
    /// `187.5×667 at 187.5,0`
    public var description: String {
        func text(_ value: Fixed) -> String {
            let double = value.double
            return double == double.rounded() ? "\(Int(double))" : "\(double)"
        }
        return "\(text(width))×\(text(height)) at \(text(x)),\(text(y))"
    }
}

/// What an app is told of its scene. Until it is told, it is the whole screen.
public struct SceneState: Hashable, Sendable {
    /// On the screen. Places of the app's touches are from its corner.
    public var frame: SceneFrame
    /// Pixels in a point.
    public var scale: Fixed
    /// Which way up the app's interface is in it: places of its touches are of that.
    public var orientation: InterfaceOrientation
    /// The number of the app's last declaration the server has taken; 0 before the first.
    public var windowsHeard: UInt32

    public init(
        frame: SceneFrame, scale: Fixed, orientation: InterfaceOrientation = .portrait, windowsHeard: UInt32
    ) {
        (self.frame, self.scale, self.orientation, self.windowsHeard) = (frame, scale, orientation, windowsHeard)
    }
}

/// One window, as the server needs to know it: where it is, and whether a finger may land on it.
public struct SceneWindow: Hashable, Sendable {
    /// Chosen by its app, one window's as long as it lives.
    public var id: UInt32
    /// In its scene's space.
    public var frame: SceneFrame
    /// `UIWindow.Level`: the higher is in front.
    public var level: Fixed
    /// Within its level; the higher is in front, and of equals the one with the higher id.
    public var order: UInt32
    public var isHidden: Bool
    /// False for one that lets fingers through to what is behind it.
    public var takesTouches: Bool
    /// Where on it a finger is, nobody but its app may know.
    public var isSecure: Bool
    /// `UIRectEdge`: 1 top, 2 left, 4 bottom, 8 right; at these, system gestures wait for a second swipe.
    public var deferredEdges: UInt8

    public init(
        id: UInt32, frame: SceneFrame, level: Fixed = .zero, order: UInt32 = 0, isHidden: Bool = false,
        takesTouches: Bool = true, isSecure: Bool = false, deferredEdges: UInt8 = 0
    ) {
        (self.id, self.frame, self.level, self.order) = (id, frame, level, order)
        (self.isHidden, self.takesTouches, self.isSecure) = (isHidden, takesTouches, isSecure)
        self.deferredEdges = deferredEdges
    }
}

public enum WindowChange: Hashable, Sendable {
    /// New, or in place of the one of this id.
    case put(SceneWindow)
    case remove(UInt32)
}

/// What has changed of an app's windows since its declaration before this one.
public struct WindowsDiff: Hashable, Sendable {
    /// From 1, one more than that of the declaration before.
    public var number: UInt32
    /// Everything said before is void.
    public var isWhole: Bool
    public var changes: [WindowChange]

    /// A packet's worth; more are said in several frames.
    public static let changeLimit = 1500

    public init(number: UInt32, isWhole: Bool, changes: [WindowChange]) {
        (self.number, self.isWhole, self.changes) = (number, isWhole, changes)
    }
}

// MARK: Bytes

extension SceneFrame {
    func encode(into writer: inout ByteWriter, x name: StaticString) {
        writer.put(x.rawValue, name)
        writer.put(y.rawValue, "frame: y")
        writer.put(width.rawValue, "frame: width, not negative")
        writer.put(height.rawValue, "frame: height, not negative")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            x: try reader.takeFixed(), y: try reader.takeFixed(), width: try reader.takeFixed(),
            height: try reader.takeFixed())
        for value in [x, y] where value == .nan { throw .badValue("frame", UInt64(UInt32(bitPattern: .min))) }
        for value in [width, height] where value < .zero {
            throw .badValue("frame's size", UInt64(UInt32(bitPattern: value.rawValue)))
        }
    }
}

extension SceneState {
    func encode(into writer: inout ByteWriter) {
        frame.encode(into: &writer, x: "frame, 16.16 points of the screen: x")
        writer.put(scale.rawValue, "scale, 16.16 pixels in a point")
        writer.put(orientation.rawValue, "orientation: 1 portrait, 2 upside down, 3 landscape right, 4 left")
        writer.put(windowsHeard, "windows heard: number of the last declaration, 0 none")
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(
            frame: try SceneFrame(from: &reader), scale: try reader.takeFixed(),
            orientation: try InterfaceOrientation(from: &reader), windowsHeard: try reader.take())
        guard scale > .zero else { throw .badValue("scale", UInt64(UInt32(bitPattern: scale.rawValue))) }
    }
}

extension InterfaceOrientation {
    init(from reader: inout ByteReader) throws(WireError) {
        let value = try reader.take(UInt8.self)
        guard let orientation = InterfaceOrientation(rawValue: value) else {
            throw .badValue("orientation", UInt64(value))
        }
        self = orientation
    }
}

extension SceneWindow {
    private enum Flag {
        static let hidden: UInt8 = 1
        static let takesTouches: UInt8 = 2
        static let secure: UInt8 = 4
        static let all: UInt8 = 7
    }

    func encode(into writer: inout ByteWriter) {
        writer.put(id, "each: id")
        frame.encode(into: &writer, x: "each, of a window put: frame, 16.16 points of the scene: x")
        writer.put(level.rawValue, "level, 16.16")
        writer.put(order, "order within the level")
        let flags =
            (isHidden ? Flag.hidden : 0) | (takesTouches ? Flag.takesTouches : 0) | (isSecure ? Flag.secure : 0)
        writer.put(flags, "flags: 1 hidden, 2 takes touches, 4 secure")
        writer.put(deferredEdges, "deferred edges: 1 top, 2 left, 4 bottom, 8 right")
    }

    init(_ id: UInt32, from reader: inout ByteReader) throws(WireError) {
        let frame = try SceneFrame(from: &reader)
        let (level, order) = (try reader.takeFixed(), try reader.take(UInt32.self))
        guard level != .nan else { throw .badValue("level", UInt64(UInt32(bitPattern: .min))) }
        let (flags, edges) = (try reader.take(UInt8.self), try reader.take(UInt8.self))
        guard flags & ~Flag.all == 0 else { throw .badValue("window flags", UInt64(flags)) }
        guard edges < 16 else { throw .badValue("deferred edges", UInt64(edges)) }
        self.init(
            id: id, frame: frame, level: level, order: order, isHidden: flags & Flag.hidden != 0,
            takesTouches: flags & Flag.takesTouches != 0, isSecure: flags & Flag.secure != 0, deferredEdges: edges)
    }
}

extension WindowsDiff {
    func encode(into writer: inout ByteWriter) {
        writer.put(number, "number, from 1")
        writer.put(UInt8(isWhole ? 1 : 0), "whole: what was said before is void")
        writer.put(UInt32(changes.count), "changes")
        for change in changes {
            switch change {
            case .remove(let id):
                writer.put(UInt8(0), "each: 0 remove, 1 put")
                writer.put(id, "each: id")
            case .put(let window):
                writer.put(UInt8(1), "each: 0 remove, 1 put")
                window.encode(into: &writer)
            }
        }
    }

    init(from reader: inout ByteReader) throws(WireError) {
        self.init(number: try reader.take(), isWhole: try reader.takeBool("whole"), changes: [])
        guard number > 0 else { throw .badValue("number of a declaration", 0) }
        let count = try reader.takeCount(of: "window changes", size: 5, limit: Self.changeLimit)
        changes.reserveCapacity(count)
        for _ in 0..<count {
            let (isPut, id) = (try reader.takeBool("window change"), try reader.take(UInt32.self))
            changes.append(isPut ? .put(try SceneWindow(id, from: &reader)) : .remove(id))
        }
    }
}
