// ScenePosition.swift: turns a position in the app's scene into a point of UIKit.
//
// Station   event
// Output    TouchTracker, DeviceTracker; `pointFromSuperview` turns the point into a window's own space
// Knows     that windows' frames are in the scene's space.

import Basics
import Foundation

extension CGPoint {
    init(_ position: Point<SceneSpace>) { self.init(x: position.x.double, y: position.y.double) }
}
