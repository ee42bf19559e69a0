// ScenePosition.swift: a position in the app's scene as a point of UIKit's: windows' frames are in the same space.
//
// Station   event
// Feeds     TouchTracker, DeviceTracker; a window has it in its own space by `pointFromSuperview`

import Basics
import Foundation

extension CGPoint {
    init(_ position: Point<SceneSpace>) { self.init(x: position.x.double, y: position.y.double) }
}
