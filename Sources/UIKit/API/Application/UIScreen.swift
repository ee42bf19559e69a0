package import Basics
public import Foundation

/// A display, in points.
open class UIScreen: NSObject {
    /// Of the application's own as its interface has it: its sides change places when that turns.
    public final var bounds: CGRect {
        CGRect(
            origin: .zero,
            size: orientation.isLandscape ? CGSize(width: size.height, height: size.width) : size)
    }
    /// Pixels in a point.
    public let scale: CGFloat
    public let maximumFramesPerSecond: Int

    /// Points, as the display has them, whichever way up the interface is.
    package let size: CGSize
    /// Of the application's interface, on the screen it is on.
    @exclusivity(unchecked) package final var orientation: InterfaceOrientation

    private init(_ screen: UIKitSettings.Screen, _ orientation: InterfaceOrientation, framesPerSecond: Int) {
        (size, scale, self.orientation) = (screen.size, screen.scale, orientation)
        maximumFramesPerSecond = framesPerSecond
    }

    /// The main one first.
    static func all(_ settings: UIKitSettings) -> [UIScreen] {
        let display = settings.display
        return display.all.enumerated().map { place, screen in
            UIScreen(
                screen, place == display.own ? display.orientation : .portrait, framesPerSecond: display.refreshRate)
        }
    }

    /// The device's own, whichever one the application is on; outside an application, a screen with default settings.
    open class var main: UIScreen { screens[0] }
    /// All there are, the main one first.
    open class var screens: [UIScreen] { UIApplication.current?.screens ?? all(UIKitSettings()) }

    /// In pixels, and the same whichever way up the interface is.
    open var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: size.width * scale, height: size.height * scale) }
    open var nativeScale: CGFloat { scale }
}
