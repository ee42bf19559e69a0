// ApplicationScene.swift: the scene of an application, and its frame on the display.
//
// Station   app
// Input     UIKitSettings; AppCore, when the server moves or turns the scene
// Output    the coordinates of windows and touches; the UIWindowScene

import Basics
import Foundation

struct ApplicationScene {
    /// The main screen is first.
    let screens: [UIScreen]
    /// The screen that the scene is on.
    let screen: UIScreen
    /// Nil while the scene fills its screen.
    private var movedFrame: CGRect?
    /// Made when it is first used.
    var object: UIWindowScene?
    /// Makes the scene's delegate, if the app has one. On iOS, Info.plist names its class.
    var makeDelegate: (() -> any UISceneDelegate)?

    init(_ settings: UIKitSettings) {
        screens = UIScreen.all(settings)
        screen = screens[settings.display.ownIndex]
    }

    /// The scene's frame in its display's coordinates.
    var frame: CGRect { movedFrame ?? CGRect(origin: .zero, size: screen.size) }

    /// The scene in the coordinates of the interface: in landscape, width and height are exchanged.
    var bounds: CGRect {
        let size = frame.size
        return CGRect(
            origin: .zero,
            size: screen.orientation.isLandscape ? CGSize(width: size.height, height: size.width) : size)
    }

    mutating func move(to frame: CGRect, _ orientation: InterfaceOrientation) {
        (movedFrame, screen.orientation) = (frame, orientation)
    }

    /// The frame of a new window. On another screen, a window with the frame of the device's own screen fills the scene
    /// instead.
    func windowFrame(_ frame: CGRect) -> CGRect {
        screen !== screens[0] && frame == screens[0].bounds ? bounds : frame
    }

    /// The scene if it has a delegate, which then receives the life cycle instead of the application's delegate; else
    /// nil.
    var sceneWithDelegate: UIWindowScene? { object?.delegate == nil ? nil : object }
}
