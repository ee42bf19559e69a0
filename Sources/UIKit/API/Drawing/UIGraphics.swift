// UIGraphics.swift: the current context of drawing code, and images made by drawing.
//
// Each application has a stack of contexts. UIKit pushes one around `draw`.
//
// Sources   documented  UIGraphicsGetCurrentContext is nil if no code draws
//           invented    outside an application's turn there is no current context

public import Foundation

/// The context that drawing code uses; nil outside of drawing.
public func UIGraphicsGetCurrentContext() -> CGContext? { UIApplication.current?.drawing.contexts.last }

/// Makes a context the current one until `UIGraphicsPopContext`. Outside an application nothing happens.
public func UIGraphicsPushContext(_ context: CGContext) { UIApplication.current?.drawing.contexts.append(context) }

/// Ends the last `UIGraphicsPushContext`.
public func UIGraphicsPopContext() { _ = UIApplication.current?.drawing.contexts.popLast() }

/// Begins to draw an image at one pixel a point.
public func UIGraphicsBeginImageContext(_ size: CGSize) { UIGraphicsBeginImageContextWithOptions(size, false, 1) }

/// Begins to draw an image.
///
/// - Parameters:
///   - size: In points.
///   - opaque: No effect here.
///   - scale: The number of pixels in a point; 0 for the screen's.
public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
    UIGraphicsPushContext(CGContext(size: size, scale: scale > 0 ? scale : UIScreen.main.scale))
}

/// An image with the size of the current context and without pixels; nil if no image is being drawn.
public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
    guard let context = UIGraphicsGetCurrentContext(), let image = context.makeImage() else { return nil }
    return UIImage(cgImage: image, scale: context.scale, orientation: .up)
}

/// Ends the drawing of an image.
public func UIGraphicsEndImageContext() { UIGraphicsPopContext() }

/// Draws images.
open class UIGraphicsImageRenderer: NSObject {
    private final let size: CGSize
    public let format: UIGraphicsImageRendererFormat

    /// - Parameters:
    ///   - size: In points.
    ///   - format: The number of pixels in a point.
    public init(size: CGSize, format: UIGraphicsImageRendererFormat) { (self.size, self.format) = (size, format) }
    public convenience init(size: CGSize) { self.init(size: size, format: UIGraphicsImageRendererFormat()) }
    public convenience init(bounds: CGRect) { self.init(size: bounds.size) }
    public convenience init(bounds: CGRect, format: UIGraphicsImageRendererFormat) {
        self.init(size: bounds.size, format: format)
    }

    /// Runs the drawing code once.
    ///
    /// - Returns: An image of the renderer's size, without pixels.
    open func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
        let context = CGContext(size: size, scale: format.scale > 0 ? format.scale : UIScreen.main.scale)
        UIGraphicsPushContext(context)
        actions(UIGraphicsImageRendererContext(context, format))
        UIGraphicsPopContext()
        let image = CGImage(width: context.width, height: context.height)
        return UIImage(cgImage: image, scale: context.scale, orientation: .up)
    }
}

/// The properties of images that a renderer makes.
open class UIGraphicsImageRendererFormat: NSObject {
    /// The number of pixels in a point; 0 for the screen's.
    open var scale: CGFloat = UIScreen.main.scale
    /// No effect here.
    open var opaque = false

    public override init() { super.init() }
    open class func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
    open class func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
}

/// The context of a renderer's drawing code. Its drawing has no effect.
open class UIGraphicsImageRendererContext: NSObject {
    public let cgContext: CGContext
    public let format: UIGraphicsImageRendererFormat

    init(_ context: CGContext, _ format: UIGraphicsImageRendererFormat) {
        (cgContext, self.format) = (context, format)
    }

    open var currentImage: UIImage {
        let image = CGImage(width: cgContext.width, height: cgContext.height)
        return UIImage(cgImage: image, scale: cgContext.scale, orientation: .up)
    }
    open func fill(_ rect: CGRect) {}
    open func fill(_ rect: CGRect, blendMode: CGBlendMode) {}
    open func stroke(_ rect: CGRect) {}
    open func clip(to rect: CGRect) { cgContext.clip(to: rect) }
}

/// No effect: nothing is drawn here.
public func UIRectFill(_ rect: CGRect) {}
/// No effect: nothing is drawn here.
public func UIRectFrame(_ rect: CGRect) {}
/// Limits the clip of the current context.
public func UIRectClip(_ rect: CGRect) { UIGraphicsGetCurrentContext()?.clip(to: rect) }
