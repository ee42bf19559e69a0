// OrientedFrame.swift: an app's part of a display, with its orientation, and the conversion of positions between the two.
//
// An app's position is measured from two sides of its part. The orientation decides which sides these are and which
// comes first: from the left or the right, from the top or the bottom.
//
// Input     Front, scenes that the server sends
// Output    positions in the app's space and on the display
// Knows     the rule (D4, Docs/Decisions/Displays.md). Nothing of the server's code.
//
// Sources   inferred    from D4

import Basics
import Wire

/// A rectangle of a display with an orientation.
struct OrientedFrame: Equatable, Sendable {
    var frame: Rect<DisplaySpace>
    var orientation = InterfaceOrientation.portrait

    /// Returns the app's position of a position on the display.
    func appPosition(of position: Point<DisplaySpace>) -> Point<SceneSpace> {
        let (fromLeft, fromTop) = (
            position.x.rawValue &- frame.x.rawValue, position.y.rawValue &- frame.y.rawValue
        )
        // The far side lies outside of the frame. A distance of zero from one side is therefore the last unit before
        // the other.
        let fromRight = fromLeft == 0 ? frame.width.rawValue - 1 : frame.width.rawValue &- fromLeft
        let fromBottom = fromTop == 0 ? frame.height.rawValue - 1 : frame.height.rawValue &- fromTop
        let (first, second) =
            switch orientation {
            case .portrait: (fromLeft, fromTop)
            case .portraitUpsideDown: (fromRight, fromBottom)
            // The home button is on the left, where the bottom of the device is. The app's x axis counts from there.
            case .landscapeLeft: (fromBottom, fromLeft)
            case .landscapeRight: (fromTop, fromRight)
            }
        return Point(Fixed(rawValue: first), Fixed(rawValue: second))
    }

    /// Returns the position on the display of an app's position.
    func displayPosition(of position: Point<SceneSpace>) -> Point<DisplaySpace> {
        let (x, y) = (position.x, position.y)
        let fromOther = { (position: Fixed, side: Fixed) in
            position.rawValue == side.rawValue - 1 ? 0 : side.rawValue &- position.rawValue
        }
        let (fromLeft, fromTop) =
            switch orientation {
            case .portrait: (x.rawValue, y.rawValue)
            case .portraitUpsideDown: (fromOther(x, frame.width), fromOther(y, frame.height))
            case .landscapeLeft: (y.rawValue, fromOther(x, frame.height))
            case .landscapeRight: (fromOther(y, frame.width), x.rawValue)
            }
        return Point(Fixed(rawValue: fromLeft &+ frame.x.rawValue), Fixed(rawValue: fromTop &+ frame.y.rawValue))
    }

    /// Returns the app's edge, as a bit of `UIRectEdge`, at the upper or lower edge of the display.
    func edge(isLower: Bool) -> UInt8 {
        let (top, left, bottom, right): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 4, 8)
        return switch orientation {
        case .portrait: isLower ? bottom : top
        case .portraitUpsideDown: isLower ? top : bottom
        case .landscapeLeft: isLower ? left : right
        case .landscapeRight: isLower ? right : left
        }
    }
}

extension OrientedFrame: CustomStringConvertible {
    var description: String { orientation == .portrait ? "\(frame)" : "\(frame), \(orientation)" }
}
