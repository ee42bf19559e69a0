public import Foundation

/// The panel, in points. There is one, and it belongs to the application.
open class UIScreen: NSObject {
    public let bounds: CGRect
    /// Pixels in a point.
    public let scale: CGFloat
    public let maximumFramesPerSecond: Int

    init(settings: UIKitSettings) {
        bounds = CGRect(origin: .zero, size: settings.screenSize)
        scale = settings.screenScale
        maximumFramesPerSecond = settings.screenRefreshRate
    }

    /// The current application's screen; outside one, a screen with default settings.
    open class var main: UIScreen { UIApplication.current?.screen ?? UIScreen(settings: UIKitSettings()) }

    open var nativeBounds: CGRect {
        CGRect(x: 0, y: 0, width: bounds.width * scale, height: bounds.height * scale)
    }
    open var nativeScale: CGFloat { scale }
}
