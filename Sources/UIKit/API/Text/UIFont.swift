// UIFont.swift: a font as a name and a size. There are no glyphs here.
//
// Output    measures of text, which layout of labels uses
//
// Sources   documented  NSSecureCoding, NSCopying
//           documented  UIFont: sizes of the system's fonts and of text styles at the standard setting
//           observed    the line height of the system font: 20.287 pt at 17 pt
//           invented    the metrics of every font are those of the system font

public import Foundation

/// A font as a name, a weight and a size.
open class UIFont: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // The class is sendable because no code writes these properties after `init`.

    /// How bold a font is, −1...1.
    public struct Weight: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public init(_ rawValue: CGFloat) { self.rawValue = rawValue }
        public static let ultraLight = Weight(-0.8)
        public static let thin = Weight(-0.6)
        public static let light = Weight(-0.4)
        public static let regular = Weight(0)
        public static let medium = Weight(0.23)
        public static let semibold = Weight(0.3)
        public static let bold = Weight(0.4)
        public static let heavy = Weight(0.56)
        public static let black = Weight(0.62)
    }

    /// The role of a text.
    public struct TextStyle: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let largeTitle = TextStyle(rawValue: "UICTFontTextStyleTitle0")
        public static let title1 = TextStyle(rawValue: "UICTFontTextStyleTitle1")
        public static let title2 = TextStyle(rawValue: "UICTFontTextStyleTitle2")
        public static let title3 = TextStyle(rawValue: "UICTFontTextStyleTitle3")
        public static let headline = TextStyle(rawValue: "UICTFontTextStyleHeadline")
        public static let subheadline = TextStyle(rawValue: "UICTFontTextStyleSubhead")
        public static let body = TextStyle(rawValue: "UICTFontTextStyleBody")
        public static let callout = TextStyle(rawValue: "UICTFontTextStyleCallout")
        public static let footnote = TextStyle(rawValue: "UICTFontTextStyleFootnote")
        public static let caption1 = TextStyle(rawValue: "UICTFontTextStyleCaption1")
        public static let caption2 = TextStyle(rawValue: "UICTFontTextStyleCaption2")

        /// In points.
        var size: CGFloat {
            switch self {
            case .largeTitle: 34
            case .title1: 28
            case .title2: 22
            case .title3: 20
            case .callout: 16
            case .subheadline: 15
            case .footnote: 13
            case .caption1: 12
            case .caption2: 11
            default: 17
            }
        }
    }

    public let fontName: String
    public let familyName: String
    /// In points.
    public let pointSize: CGFloat
    let weight: Weight

    private init(name: String, family: String, size: CGFloat, weight: Weight) {
        (fontName, familyName, self.weight) = (name, family, weight)
        pointSize = size > 0 ? size : Self.labelFontSize
    }

    /// Makes a font of a family that each iPhone has: the name begins with the family's. Nil for another name.
    public convenience init?(name fontName: String, size fontSize: CGFloat) {
        let families = [
            "Helvetica", "Arial", "Avenir", "Courier", "Georgia", "Menlo", "Times", "Verdana", "Futura", "Gill",
            "Chalkduster", "Marker", "Noteworthy", "Optima", "Palatino", "Trebuchet", "American", "Baskerville",
            "Didot",
            "Copperplate", "Cochin", "Hoefler", "Zapf", "Papyrus", "Charter", "Kailasa", "DINAlternate", "DINCondensed",
        ]
        guard families.contains(where: { fontName.hasPrefix($0) }) else { return nil }
        let family = fontName.split(separator: "-").first.map(String.init) ?? fontName
        self.init(
            name: fontName, family: family, size: fontSize, weight: fontName.hasSuffix("Bold") ? .bold : .regular)
    }

    // MARK: Archives

    open class var supportsSecureCoding: Bool { true }

    /// Reads a font. Nil for an archive that `encode(with:)` has not written.
    public required convenience init?(coder: NSCoder) {
        guard coder.allowsKeyedCoding,
            let name = coder.decodeObject(of: NSString.self, forKey: "fontName"),
            let family = coder.decodeObject(of: NSString.self, forKey: "familyName")
        else { return nil }
        self.init(
            name: "\(name)", family: "\(family)", size: CGFloat(coder.decodeDouble(forKey: "pointSize")),
            weight: Weight(CGFloat(coder.decodeDouble(forKey: "weight"))))
    }

    /// Writes the font. Apple's UIKit cannot read this archive.
    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: fontName), forKey: "fontName")
        coder.encode(NSString(string: familyName), forKey: "familyName")
        coder.encode(Double(pointSize), forKey: "pointSize")
        coder.encode(Double(weight.rawValue), forKey: "weight")
    }

    /// The font itself, because it does not change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: System fonts

    private static func system(_ size: CGFloat, _ weight: Weight, _ suffix: String = "Regular") -> UIFont {
        UIFont(name: ".SFUI-\(suffix)", family: ".AppleSystemUIFont", size: size, weight: weight)
    }

    open class func systemFont(ofSize fontSize: CGFloat) -> UIFont { system(fontSize, .regular) }
    open class func systemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        system(fontSize, weight, weight == .regular ? "Regular" : weight >= .semibold ? "Bold" : "Other")
    }
    open class func boldSystemFont(ofSize fontSize: CGFloat) -> UIFont { system(fontSize, .bold, "Bold") }
    open class func italicSystemFont(ofSize fontSize: CGFloat) -> UIFont { system(fontSize, .regular, "Italic") }
    open class func monospacedDigitSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        system(fontSize, weight, "MonospacedDigits")
    }
    open class func monospacedSystemFont(ofSize fontSize: CGFloat, weight: Weight) -> UIFont {
        system(fontSize, weight, "Monospaced")
    }
    /// The font of a role at the standard setting of text size.
    open class func preferredFont(forTextStyle style: TextStyle) -> UIFont {
        systemFont(ofSize: style.size, weight: style == .headline ? .semibold : .regular)
    }

    open func withSize(_ fontSize: CGFloat) -> UIFont {
        UIFont(name: fontName, family: familyName, size: fontSize, weight: weight)
    }

    open class var labelFontSize: CGFloat { 17 }
    open class var buttonFontSize: CGFloat { 18 }
    open class var systemFontSize: CGFloat { 14 }
    open class var smallSystemFontSize: CGFloat { 12 }

    // MARK: Metrics, in points

    open var lineHeight: CGFloat { pointSize * 1.19335 }
    open var ascender: CGFloat { pointSize * 0.95215 }
    open var descender: CGFloat { pointSize * -0.2412 }
    open var capHeight: CGFloat { pointSize * 0.70459 }
    open var xHeight: CGFloat { pointSize * 0.52637 }
    open var leading: CGFloat { 0 }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIFont else { return false }
        return (fontName, pointSize, weight) == (other.fontName, other.pointSize, other.weight)
    }
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(fontName)
        hasher.combine(pointSize)
        return hasher.finalize()
    }
}

extension UIFont.Weight: Comparable {
    public static func < (a: UIFont.Weight, b: UIFont.Weight) -> Bool { a.rawValue < b.rawValue }
}

/// The font of Core Graphics: only its name.
public final class CGFont: Sendable {
    public let fullName: CFString?

    /// Makes a font of any name; its glyphs are not looked for.
    public init?(_ name: CFString) { fullName = name }
}
