// UIColor.swift: colors.
//
// Sources   documented  UIColor, the components of its named colors; NSSecureCoding, NSCopying
//           invented    the keys of archives

public import Foundation

/// A color in extended sRGB.
open class UIColor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // The class is sendable because no code writes these properties after `init`.
    private let red, green, blue, alpha: CGFloat
    /// Whether the color was made as a gray, so that its `CGColor` has one component and alpha.
    private let isGray: Bool

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue) = (red, green, blue)
        self.alpha = min(max(alpha, 0), 1)
        isGray = false
    }

    public init(white: CGFloat, alpha: CGFloat) {
        (red, green, blue, isGray) = (white, white, white, true)
        self.alpha = min(max(alpha, 0), 1)
    }

    public init(cgColor: CGColor) {
        (red, green, blue, alpha) = (cgColor.red, cgColor.green, cgColor.blue, cgColor.alpha)
        isGray = cgColor.numberOfComponents == 2
    }

    /// Makes a color with these components in sRGB, because no display here has other primaries.
    public convenience init(displayP3Red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: displayP3Red, green: green, blue: blue, alpha: alpha)
    }

    /// Makes the color of the provider for the light appearance, which is the only one here.
    public convenience init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {
        self.init(cgColor: dynamicProvider(UITraitCollection()).cgColor)
    }

    /// Returns nil, because an application here has no catalogues of colors.
    public convenience init?(named name: String) { nil }
    /// Returns nil, because an application here has no catalogues of colors.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith: UITraitCollection?) { nil }

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// Reads a color. Nil for an archive that `encode(with:)` has not written.
    public required convenience init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding, coder.containsValue(forKey: "alpha") else { return nil }
        func part(_ name: String) -> CGFloat { CGFloat(coder.decodeDouble(forKey: name)) }
        self.init(
            cgColor: CGColor(
                red: part("red"), green: part("green"), blue: part("blue"), alpha: part("alpha"),
                isGray: coder.decodeBool(forKey: "isGray")))
    }

    /// Writes the color. Apple's UIKit cannot read this archive.
    open func encode(with coder: NSCoder) {
        for (name, part) in [("red", red), ("green", green), ("blue", blue), ("alpha", alpha)] {
            coder.encode(Double(part), forKey: name)
        }
        coder.encode(isGray, forKey: "isGray")
    }

    /// The color itself, because it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Components

    open var cgColor: CGColor {
        CGColor(red: red, green: green, blue: blue, alpha: alpha, isGray: isGray)
    }

    /// The same color: there is one appearance here.
    open func resolvedColor(with traitCollection: UITraitCollection) -> UIColor { self }

    /// Sets the colors of fills and lines in the current context.
    open func set() {
        setFill()
        setStroke()
    }
    open func setFill() { UIGraphicsGetCurrentContext()?.setFillColor(cgColor) }
    open func setStroke() { UIGraphicsGetCurrentContext()?.setStrokeColor(cgColor) }

    /// - Parameters:
    ///   - hue: 0...1 for a full turn. A value out of range becomes the nearest; the same holds for the others.
    ///   - saturation: 0...1; 0 for a gray.
    ///   - brightness: 0...1; 0 for black.
    ///   - alpha: 0...1; 0 for a transparent color.
    public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
        let (h, s, v) = (min(max(hue, 0), 1) * 6, min(max(saturation, 0), 1), min(max(brightness, 0), 1))
        func channel(_ n: CGFloat) -> CGFloat {
            let k = (n + h).truncatingRemainder(dividingBy: 6)
            return v - v * s * max(0, min(k, 4 - k, 1))
        }
        self.init(red: channel(5), green: channel(3), blue: channel(1), alpha: alpha)
    }

    @discardableResult
    open func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = self.red
        green?.pointee = self.green
        blue?.pointee = self.blue
        alpha?.pointee = self.alpha
        return true
    }

    /// - Returns: Whether the color is a gray. If it is not, nothing is written.
    @discardableResult
    open func getWhite(_ white: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?) -> Bool {
        guard red == green, green == blue else { return false }
        white?.pointee = red
        alpha?.pointee = self.alpha
        return true
    }

    /// - Parameters:
    ///   - hue: 0...1 for a full turn; 0 for a gray.
    ///   - saturation: 0...1; 0 for a gray.
    ///   - brightness: 0...1; 0 for black.
    ///   - alpha: 0...1; 0 for a transparent color.
    @discardableResult
    open func getHue(
        _ hue: UnsafeMutablePointer<CGFloat>?, saturation: UnsafeMutablePointer<CGFloat>?,
        brightness: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let (most, least) = (max(red, green, blue), min(red, green, blue))
        let range = most - least
        var sixths: CGFloat = 0
        if range > 0 {
            switch most {
            case red: sixths = (green - blue) / range + (green < blue ? 6 : 0)
            case green: sixths = (blue - red) / range + 2
            default: sixths = (red - green) / range + 4
            }
        }
        hue?.pointee = sixths / 6
        saturation?.pointee = most > 0 ? range / most : 0
        brightness?.pointee = most
        alpha?.pointee = self.alpha
        return true
    }

    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(cgColor: CGColor(red: red, green: green, blue: blue, alpha: alpha, isGray: isGray))
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return (red, green, blue, alpha) == (other.red, other.green, other.blue, other.alpha)
    }

    open override var hash: Int {
        var hasher = Hasher()
        for part in [red, green, blue, alpha] { hasher.combine(part) }
        return hasher.finalize()
    }

    open class var black: UIColor { UIColor(white: 0, alpha: 1) }
    open class var darkGray: UIColor { UIColor(white: 1 / 3, alpha: 1) }
    open class var lightGray: UIColor { UIColor(white: 2 / 3, alpha: 1) }
    open class var white: UIColor { UIColor(white: 1, alpha: 1) }
    open class var gray: UIColor { UIColor(white: 0.5, alpha: 1) }
    open class var red: UIColor { UIColor(red: 1, green: 0, blue: 0, alpha: 1) }
    open class var green: UIColor { UIColor(red: 0, green: 1, blue: 0, alpha: 1) }
    open class var blue: UIColor { UIColor(red: 0, green: 0, blue: 1, alpha: 1) }
    open class var cyan: UIColor { UIColor(red: 0, green: 1, blue: 1, alpha: 1) }
    open class var yellow: UIColor { UIColor(red: 1, green: 1, blue: 0, alpha: 1) }
    open class var magenta: UIColor { UIColor(red: 1, green: 0, blue: 1, alpha: 1) }
    open class var orange: UIColor { UIColor(red: 1, green: 0.5, blue: 0, alpha: 1) }
    open class var purple: UIColor { UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1) }
    open class var brown: UIColor { UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1) }
    open class var clear: UIColor { UIColor(white: 0, alpha: 0) }

    // MARK: System colors in the light appearance

    open class var systemRed: UIColor { UIColor(bytes: 255, 59, 48) }
    open class var systemGreen: UIColor { UIColor(bytes: 52, 199, 89) }
    open class var systemBlue: UIColor { UIColor(bytes: 0, 122, 255) }
    open class var systemOrange: UIColor { UIColor(bytes: 255, 149, 0) }
    open class var systemYellow: UIColor { UIColor(bytes: 255, 204, 0) }
    open class var systemPink: UIColor { UIColor(bytes: 255, 45, 85) }
    open class var systemPurple: UIColor { UIColor(bytes: 175, 82, 222) }
    open class var systemTeal: UIColor { UIColor(bytes: 48, 176, 199) }
    open class var systemIndigo: UIColor { UIColor(bytes: 88, 86, 214) }
    open class var systemBrown: UIColor { UIColor(bytes: 162, 132, 94) }
    open class var systemGray: UIColor { UIColor(bytes: 142, 142, 147) }
    open class var systemMint: UIColor { UIColor(bytes: 0, 199, 190) }
    open class var systemCyan: UIColor { UIColor(bytes: 50, 173, 230) }
    open class var systemGray2: UIColor { UIColor(bytes: 174, 174, 178) }
    open class var systemGray3: UIColor { UIColor(bytes: 199, 199, 204) }
    open class var systemGray4: UIColor { UIColor(bytes: 209, 209, 214) }
    open class var systemGray5: UIColor { UIColor(bytes: 229, 229, 234) }
    open class var systemGray6: UIColor { UIColor(bytes: 242, 242, 247) }
    open class var systemBackground: UIColor { .white }
    open class var secondarySystemBackground: UIColor { systemGray6 }
    open class var tertiarySystemBackground: UIColor { .white }
    open class var systemGroupedBackground: UIColor { systemGray6 }
    open class var secondarySystemGroupedBackground: UIColor { .white }
    open class var tertiarySystemGroupedBackground: UIColor { systemGray6 }
    open class var label: UIColor { .black }
    open class var secondaryLabel: UIColor { UIColor(bytes: 60, 60, 67, alpha: 0.6) }
    open class var tertiaryLabel: UIColor { UIColor(bytes: 60, 60, 67, alpha: 0.3) }
    open class var quaternaryLabel: UIColor { UIColor(bytes: 60, 60, 67, alpha: 0.18) }
    open class var placeholderText: UIColor { UIColor(bytes: 60, 60, 67, alpha: 0.3) }
    open class var separator: UIColor { UIColor(bytes: 60, 60, 67, alpha: 0.29) }
    open class var opaqueSeparator: UIColor { UIColor(bytes: 198, 198, 200) }
    open class var link: UIColor { systemBlue }
    open class var tintColor: UIColor { systemBlue }
    open class var systemFill: UIColor { UIColor(bytes: 120, 120, 128, alpha: 0.2) }
    open class var secondarySystemFill: UIColor { UIColor(bytes: 120, 120, 128, alpha: 0.16) }
    open class var tertiarySystemFill: UIColor { UIColor(bytes: 118, 118, 128, alpha: 0.12) }
    open class var quaternarySystemFill: UIColor { UIColor(bytes: 116, 116, 128, alpha: 0.08) }
    open class var lightText: UIColor { UIColor(white: 1, alpha: 0.6) }
    open class var darkText: UIColor { .black }

    private convenience init(bytes red: Int, _ green: Int, _ blue: Int, alpha: CGFloat = 1) {
        self.init(red: CGFloat(red) / 255, green: CGFloat(green) / 255, blue: CGFloat(blue) / 255, alpha: alpha)
    }
}
