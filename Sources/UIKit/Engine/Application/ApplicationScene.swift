// ApplicationScene.swift: the one scene of an application, and where it is.
//
// Station   app
// Input     UIKitSettings; AppCore, when the server moves or turns the scene
// Output    the coordinates that windows and touches are placed in; the scene's object

import Basics
import Foundation

struct ApplicationScene {
    /// The main one first.
    let screens: [UIScreen]
    /// The one that the scene is on.
    let screen: UIScreen
    /// Nil as long as the scene fills its screen.
    private var movedFrame: CGRect?
    /// Made when it is first asked for.
    var object: UIWindowScene?
    /// Makes the delegate of the scene, where the app has one: on iOS Info.plist names its class.
    var makeDelegate: (() -> any UISceneDelegate)?

    init(_ settings: UIKitSettings) {
        screens = UIScreen.all(settings)
        screen = screens[settings.display.own]
    }

    /// Where on the display the scene is.
    var frame: CGRect { movedFrame ?? CGRect(origin: .zero, size: screen.size) }

    /// The scene as the interface has it.
    var bounds: CGRect {
        let size = frame.size
        return CGRect(
            origin: .zero,
            size: screen.orientation.isLandscape ? CGSize(width: size.height, height: size.width) : size)
    }

    mutating func move(to frame: CGRect, _ orientation: InterfaceOrientation) {
        (movedFrame, screen.orientation) = (frame, orientation)
    }

    /// A window made to fill the device's own screen fills the scene, where that is on another one.
    func windowFrame(_ frame: CGRect) -> CGRect {
        screen !== screens[0] && frame == screens[0].bounds ? bounds : frame
    }

    /// With a delegate of its own the scene hears what the application's delegate otherwise does.
    var connected: UIWindowScene? { object?.delegate == nil ? nil : object }
}
