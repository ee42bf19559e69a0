// Ground.swift: an app's part of the display, and which way up the app has it.
//
// Whoever looks at an app that is a quarter turn round has turned his head: what is on the left of the display is on top
// for him. So a position is measured from two sides of the part of the display: from the left or from the right, from the
// top or from the bottom; which of the two comes first, and from where it counts, is all there is to an orientation.
//
// Written from the rule (D4, Docs/Decisions/Displays.md), not from the server.

import Basics
import Wire

struct Ground: Equatable, Sendable {
    var frame: Rect<DisplaySpace>
    var orientation = InterfaceOrientation.portrait

    /// Where its app has a position on the display.
    func inApp(_ position: Point<DisplaySpace>) -> Point<SceneSpace> {
        let (fromLeft, fromTop) = (
            position.x.rawValue &- frame.x.rawValue, position.y.rawValue &- frame.y.rawValue
        )
        // The first line seen from the other side is the last step before it, as the side itself is outside.
        let fromRight = fromLeft == 0 ? frame.width.rawValue - 1 : frame.width.rawValue &- fromLeft
        let fromBottom = fromTop == 0 ? frame.height.rawValue - 1 : frame.height.rawValue &- fromTop
        let (first, second) =
            switch orientation {
            case .portrait: (fromLeft, fromTop)
            case .portraitUpsideDown: (fromRight, fromBottom)
            // The button is on the left: what was the bottom is there, and the app counts from it.
            case .landscapeLeft: (fromBottom, fromLeft)
            case .landscapeRight: (fromTop, fromRight)
            }
        return Point(Fixed(rawValue: first), Fixed(rawValue: second))
    }

    /// Where on the display a position of its app is.
    func onDisplay(_ position: Point<SceneSpace>) -> Point<DisplaySpace> {
        let (x, y) = (position.x, position.y)
        let fromOther = { (place: Fixed, side: Fixed) in
            place.rawValue == side.rawValue - 1 ? 0 : side.rawValue &- place.rawValue
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

    /// Which of its app's edges, as `UIRectEdge` has them, the display's upper or lower one is.
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

extension Ground: CustomStringConvertible {
    var description: String { orientation == .portrait ? "\(frame)" : "\(frame), \(orientation)" }
}
