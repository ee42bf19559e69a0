// UIScreen.swift: a display of the device, as an app sees it.
//
// Station   event
// Input     UIKitSettings; UIApplication, when the interface turns
//
// Sources   documented  UIScreen: `bounds` turns with the interface, `nativeBounds` does not
package import Basics
public import Foundation

/// A display of the device, measured in points.
open class UIScreen: NSObject {
    /// The bounds in points. On the application's own screen, width and height are exchanged when the interface turns.
    public final var bounds: CGRect {
        CGRect(
            origin: .zero,
            size: orientation.isLandscape ? CGSize(width: size.height, height: size.width) : size)
    }
    /// The number of pixels in a point, along one axis.
    public let scale: CGFloat
    /// The refresh rate of the display.
    public let maximumFramesPerSecond: Int

    /// The size in points of an upright interface. It does not turn.
    package let size: CGSize
    /// The orientation of the application's interface, on the screen that shows it; portrait on every other screen.
    @exclusivity(unchecked) package final var orientation: InterfaceOrientation

    private init(_ screen: UIKitSettings.Screen, _ orientation: InterfaceOrientation, framesPerSecond: Int) {
        (size, scale, self.orientation) = (screen.size, screen.scale, orientation)
        maximumFramesPerSecond = framesPerSecond
    }

    /// All screens, the main screen first.
    static func all(_ settings: UIKitSettings) -> [UIScreen] {
        let display = settings.display
        return display.all.enumerated().map { place, screen in
            UIScreen(
                screen, place == display.ownIndex ? display.orientation : .portrait,
                framesPerSecond: display.refreshRate)
        }
    }

    /// The device's main screen, whichever screen shows the application. Outside an application, a screen with default
    /// settings.
    open class var main: UIScreen { screens[0] }
    /// All screens, the main screen first.
    open class var screens: [UIScreen] { UIApplication.current?.screens ?? all(UIKitSettings()) }

    /// The bounds in pixels. They do not turn with the interface.
    open var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: size.width * scale, height: size.height * scale) }
    /// The same as `scale`, because no display here is scaled down.
    open var nativeScale: CGFloat { scale }
}
