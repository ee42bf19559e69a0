// UIImage.swift: an image as a size and a scale, without pixels.
//
// Sources   documented  UIImage: `size` is in points, a CGImage's in pixels
//           invented    a symbol is as large as a character of its font; there are no image files and no catalogues of assets

public import Foundation

/// The pixels of an image: only their number.
public final class CGImage: Hashable, Sendable {
    /// In pixels.
    public let width, height: Int

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The part of the image inside a rectangle in pixels; nil if the rectangle is outside.
    public func cropping(to rect: CGRect) -> CGImage? {
        let part = rect.intersection(CGRect(x: 0, y: 0, width: width, height: height))
        return part.isNull || part.isEmpty ? nil : CGImage(width: Int(part.width), height: Int(part.height))
    }

    public static func == (a: CGImage, b: CGImage) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An image as a size and a scale. It has no pixels, and drawing it has no effect.
open class UIImage: NSObject, @unchecked Sendable {
    // The class is sendable because no code writes these properties after `init`.

    /// Whether the tint color replaces the colors of an image. No effect here.
    public enum RenderingMode: Int, Sendable { case automatic, alwaysOriginal, alwaysTemplate }
    /// How the pixels are turned. An orientation to a side exchanges width and height.
    public enum Orientation: Int, Sendable {
        case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored
    }
    /// How the middle of a resizable image fills its place. No effect here.
    public enum ResizingMode: Int, Sendable { case tile, stretch }

    /// The properties of a symbol's look. Only the point size has an effect: on the size of the image.
    open class Configuration: NSObject, @unchecked Sendable {}
    /// The properties of a symbol's look. Only the point size has an effect: on the size of the image.
    open class SymbolConfiguration: Configuration, @unchecked Sendable {
        /// The size of a symbol relative to its font. No effect here.
        public enum Scale: Int, Sendable { case unspecified = -1, `default` = 0, small, medium, large }
        let pointSize: CGFloat?
        public init(pointSize: CGFloat) { self.pointSize = pointSize }
        public convenience init(pointSize: CGFloat, weight: UIFont.Weight) { self.init(pointSize: pointSize) }
        public convenience init(pointSize: CGFloat, weight: UIFont.Weight, scale: Scale) {
            self.init(pointSize: pointSize)
        }
        public init(weight: UIFont.Weight) { pointSize = nil }
        public init(scale: Scale) { pointSize = nil }
        public convenience init(font: UIFont) { self.init(pointSize: font.pointSize) }
    }

    /// In points.
    public let size: CGSize
    /// The number of pixels in a point.
    public let scale: CGFloat
    public let imageOrientation: Orientation
    public let renderingMode: RenderingMode
    public let capInsets: UIEdgeInsets
    /// The name of the symbol, if the image is one.
    private let symbolName: String?

    private init(
        size: CGSize, scale: CGFloat, orientation: Orientation = .up, mode: RenderingMode = .automatic,
        capInsets: UIEdgeInsets = .zero, symbolName: String? = nil
    ) {
        (self.size, self.scale, imageOrientation, renderingMode) = (size, scale, orientation, mode)
        (self.capInsets, self.symbolName) = (capInsets, symbolName)
    }

    /// Makes an image without size.
    public convenience override init() { self.init(size: .zero, scale: 1) }

    public convenience init(cgImage: CGImage) { self.init(cgImage: cgImage, scale: 1, orientation: .up) }

    public convenience init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
        let (width, height) = (CGFloat(cgImage.width) / scale, CGFloat(cgImage.height) / scale)
        let isTurned = [.left, .right, .leftMirrored, .rightMirrored].contains(orientation)
        self.init(
            size: CGSize(width: isTurned ? height : width, height: isTurned ? width : height), scale: scale,
            orientation: orientation)
    }

    /// Returns nil, because an application here has no images.
    public convenience init?(named name: String) { nil }
    /// Returns nil, because an application here has no images.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith: UITraitCollection?) { nil }
    /// Returns nil, because no format of images is known here.
    public convenience init?(data: Data) { nil }
    /// Returns nil, because no format of images is known here.
    public convenience init?(data: Data, scale: CGFloat) { nil }
    /// Returns nil, because no format of images is known here.
    public convenience init?(contentsOfFile path: String) { nil }
    /// Returns nil, because this project has no archives of images.
    public convenience init?(coder: NSCoder) { nil }

    /// Makes a symbol as large as a character of its font. Each name that is not empty is the name of a symbol here.
    public convenience init?(systemName name: String) { self.init(systemName: name, withConfiguration: nil) }

    /// Makes a symbol as large as a character of its font. Each name that is not empty is the name of a symbol here.
    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) {
        guard !name.isEmpty else { return nil }
        let side = (configuration as? SymbolConfiguration)?.pointSize ?? UIFont.labelFontSize
        self.init(size: CGSize(width: side, height: side), scale: UIScreen.main.scale, symbolName: name)
    }

    /// The number of pixels; nil if the image has no size.
    open var cgImage: CGImage? {
        guard size.width > 0, size.height > 0 else { return nil }
        let isTurned = [.left, .right, .leftMirrored, .rightMirrored].contains(imageOrientation)
        let (width, height) = (Int((size.width * scale).rounded()), Int((size.height * scale).rounded()))
        return CGImage(width: isTurned ? height : width, height: isTurned ? width : height)
    }
    open var isSymbolImage: Bool { symbolName != nil }

    // MARK: Variants

    private final func variant(_ mode: RenderingMode, _ insets: UIEdgeInsets) -> UIImage {
        UIImage(
            size: size, scale: scale, orientation: imageOrientation, mode: mode, capInsets: insets,
            symbolName: symbolName)
    }

    open func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage { variant(renderingMode, capInsets) }
    /// The same image: a color has no effect here.
    open func withTintColor(_ color: UIColor) -> UIImage { self }
    /// The image with a rendering mode: a color has no effect here.
    open func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        withRenderingMode(renderingMode)
    }
    /// A symbol of the configuration's size; another image does not change.
    open func withConfiguration(_ configuration: Configuration) -> UIImage {
        guard let symbolName, let made = UIImage(systemName: symbolName, withConfiguration: configuration) else {
            return self
        }
        return made
    }
    open func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? {
        isSymbolImage ? withConfiguration(configuration) : nil
    }
    open func resizableImage(withCapInsets capInsets: UIEdgeInsets) -> UIImage { variant(renderingMode, capInsets) }
    open func resizableImage(withCapInsets capInsets: UIEdgeInsets, resizingMode: ResizingMode) -> UIImage {
        variant(renderingMode, capInsets)
    }
    /// The same image: a mirrored look has no effect here.
    open func imageFlippedForRightToLeftLayoutDirection() -> UIImage { self }

    // MARK: Drawing, which has no effect

    open func draw(at point: CGPoint) {}
    open func draw(at point: CGPoint, blendMode: CGBlendMode, alpha: CGFloat) {}
    open func draw(in rect: CGRect) {}
    open func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {}

    /// Returns nil, because the image has no pixels.
    open func pngData() -> Data? { nil }
    /// Returns nil, because the image has no pixels.
    open func jpegData(compressionQuality: CGFloat) -> Data? { nil }
}
