// SceneGeometry.swift: conversion between points of a display and points of one app's scene.
//
//     as a person holds the display    x of the scene        y of the scene        its size
//     portrait                         x                     y                     width × height
//     landscapeLeft                    height − y            x                     height × width    home button left
//     portraitUpsideDown               width − x             height − y            width × height
//     landscapeRight                   y                     width − x             height × width    home button right
//
// x, y, width and height on the right are of the scene's frame on the display. Nothing is scaled, so that both directions
// are exact. Rectangles are half-open: a position on the first line of the frame would lie outside a scene that counts
// from the other side. It becomes the last possible position, 1/65,536 pt before that side. Display positions are
// multiples of 1/64 pt, so that no other position is there and the reverse conversion finds the line again.
//
// Station   router (display to scene), event (the edge at which a touch landed)
// Knows     one rectangle of a display and its orientation. No window, no app.
//
// Sources   documented  UIInterfaceOrientation: the side of the home button; UIWindowScene.Geometry has the same two
//                       values; Docs/Spec/Semantics.md D4 (positions are in the destination's space)
//           invented    the last position; Docs/Decisions/Displays.md

/// The frame and the orientation of a scene on its display.
public struct SceneGeometry: Hashable, Sendable {
    /// The scene's frame on its display.
    public var frame: Rect<DisplaySpace>
    public var orientation: InterfaceOrientation

    public init(frame: Rect<DisplaySpace>, orientation: InterfaceOrientation = .portrait) {
        (self.frame, self.orientation) = (frame, orientation)
    }

    /// The geometry of the system's own scenes, whose positions are the display's.
    public static let display = SceneGeometry(
        frame: Rect(x: Fixed.zero, y: Fixed.zero, width: Fixed.zero, height: Fixed.zero))

    /// Converts a position from the display to the scene. A position outside the frame is outside the scene.
    public func scenePosition(_ position: Point<DisplaySpace>) -> Point<SceneSpace> {
        // Wrapping arithmetic suffices: positions are on a display, and frames are clipped to it.
        let (right, down) = (
            Fixed(rawValue: position.x.rawValue &- frame.x.rawValue),
            Fixed(rawValue: position.y.rawValue &- frame.y.rawValue)
        )
        return switch orientation {
        case .portrait: Point(right, down)
        case .landscapeLeft: Point(frame.height.toFarSide(down), right)
        case .portraitUpsideDown: Point(frame.width.toFarSide(right), frame.height.toFarSide(down))
        case .landscapeRight: Point(down, frame.width.toFarSide(right))
        }
    }

    /// Converts a position from the scene to the display; the inverse of `scenePosition(_:)`.
    public func displayPosition(_ position: Point<SceneSpace>) -> Point<DisplaySpace> {
        let (x, y) = (position.x, position.y)
        let (right, down) =
            switch orientation {
            case .portrait: (x, y)
            case .landscapeLeft: (y, frame.height.fromFarSide(x))
            case .portraitUpsideDown: (frame.width.fromFarSide(x), frame.height.fromFarSide(y))
            case .landscapeRight: (frame.width.fromFarSide(y), x)
            }
        return Point(
            Fixed(rawValue: right.rawValue &+ frame.x.rawValue), Fixed(rawValue: down.rawValue &+ frame.y.rawValue))
    }
}

extension SceneGeometry: CustomStringConvertible {
    /// `187.5×667 at 187.5,0`, followed by the orientation if it is not portrait.
    public var description: String { orientation == .portrait ? "\(frame)" : "\(frame), \(orientation)" }
}

extension Fixed {
    /// The distance from the far side of a length. Distance zero becomes the last possible position.
    fileprivate func toFarSide(_ distance: Fixed) -> Fixed {
        Fixed(rawValue: distance == .zero && self > .zero ? rawValue - 1 : rawValue &- distance.rawValue)
    }

    /// The inverse of `toFarSide(_:)`.
    fileprivate func fromFarSide(_ distance: Fixed) -> Fixed {
        guard self > .zero, distance.rawValue == rawValue - 1 else {
            return Fixed(rawValue: rawValue &- distance.rawValue)
        }
        return .zero
    }
}
