// SceneSpace.swift: where a scene is on its display and which way up: the space in which its app is told of places.
//
// Sources   Docs/Spec/Semantics.md D4 (places are in the destination's space); Docs/Decisions/Displays.md

public import Basics

public struct SceneSpace: Hashable, Sendable {
    /// On the display.
    public var frame: SceneFrame
    public var orientation: InterfaceOrientation

    public init(frame: SceneFrame, orientation: InterfaceOrientation = .portrait) {
        (self.frame, self.orientation) = (frame, orientation)
    }

    /// The display itself: places stay as they are.
    public static let display = SceneSpace(frame: SceneFrame(x: .zero, y: .zero, width: .zero, height: .zero))

    /// A place on the display, as the scene has it. Outside the scene it is outside of it.
    public func place(_ x: Fixed, _ y: Fixed) -> (x: Fixed, y: Fixed) {
        // Wraps: places are on a screen, and frames are clipped to it.
        let (right, down) = (
            Fixed(rawValue: x.rawValue &- frame.x.rawValue), Fixed(rawValue: y.rawValue &- frame.y.rawValue)
        )
        guard orientation != .portrait else { return (right, down) }
        return orientation.place(right, down, width: frame.width, height: frame.height)
    }

    /// The reverse of `place`.
    public func placeOnDisplay(_ x: Fixed, _ y: Fixed) -> (x: Fixed, y: Fixed) {
        let (right, down) = orientation.placeOnDisplay(x, y, width: frame.width, height: frame.height)
        return (
            Fixed(rawValue: right.rawValue &+ frame.x.rawValue), Fixed(rawValue: down.rawValue &+ frame.y.rawValue)
        )
    }
}

extension SceneSpace: CustomStringConvertible {
    /// `187.5×667 at 187.5,0`, and which way up if not upright.
    public var description: String { orientation == .portrait ? "\(frame)" : "\(frame), \(orientation)" }
}
