package import Basics
public import Foundation

/// The panel, in points. There is one, and it belongs to the application.
open class UIScreen: NSObject {
    /// As the application's interface has it: its sides change places when that turns.
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
    /// Of the application's interface.
    @exclusivity(unchecked) package final var orientation: InterfaceOrientation

    init(settings: UIKitSettings) {
        size = settings.screenSize
        scale = settings.screenScale
        maximumFramesPerSecond = settings.screenRefreshRate
        orientation = settings.orientation
    }

    /// The current application's screen; outside one, a screen with default settings.
    open class var main: UIScreen { UIApplication.current?.screen ?? UIScreen(settings: UIKitSettings()) }

    /// In pixels, and the same whichever way up the interface is.
    open var nativeBounds: CGRect { CGRect(x: 0, y: 0, width: size.width * scale, height: size.height * scale) }
    open var nativeScale: CGFloat { scale }
}
