// UIColor.swift: colors.
//
// Sources   documented  UIColor, the components of its named colors
public import Foundation

/// A color in extended sRGB.
open class UIColor: NSObject, @unchecked Sendable {
    // The class is sendable because no code writes these properties after `init`.
    private let red, green, blue, alpha: CGFloat

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        (self.red, self.green, self.blue) = (red, green, blue)
        self.alpha = min(max(alpha, 0), 1)
    }

    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// - Parameter hue: 0...1 for a full turn. A value out of range becomes the nearest; the same holds for the others.
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

    /// - Parameter hue: 0...1 for a full turn; 0 for a gray.
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
        UIColor(red: red, green: green, blue: blue, alpha: alpha)
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
    open class var systemBackground: UIColor { .white }
    open class var label: UIColor { .black }

    private convenience init(bytes red: Int, _ green: Int, _ blue: Int) {
        self.init(red: CGFloat(red) / 255, green: CGFloat(green) / 255, blue: CGFloat(blue) / 255, alpha: 1)
    }
}
