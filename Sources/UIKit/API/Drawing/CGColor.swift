// CGColor.swift: the colors, color spaces and gradients of Core Graphics, which Foundation on Linux does not have.
//
// Sources   documented  CGColor, CGGradient
//           invented    every color is stored in extended sRGB; a gray has one component besides alpha

public import Foundation

/// A space of colors. Its name is kept; no color is converted.
public final class CGColorSpace: Hashable, Sendable {
    public static let sRGB: CFString = "kCGColorSpaceSRGB"
    public static let extendedSRGB: CFString = "kCGColorSpaceExtendedSRGB"
    public static let displayP3: CFString = "kCGColorSpaceDisplayP3"

    let label: String
    public let numberOfComponents: Int

    init(label: String, components: Int) { (self.label, numberOfComponents) = (label, components) }

    /// A space of three components.
    public convenience init?(name: CFString) { self.init(label: name, components: 3) }

    public var name: CFString? { label }

    public static func == (a: CGColorSpace, b: CGColorSpace) -> Bool { a.label == b.label }
    public func hash(into hasher: inout Hasher) { hasher.combine(label) }
}

/// A string of Core Foundation, which is a Swift string here.
public typealias CFString = String

/// An object of Core Foundation.
public typealias CFTypeRef = AnyObject
/// An array of Core Foundation, which is a Swift array here.
public typealias CFArray = [Any]
/// A dictionary of Core Foundation, which is a Swift dictionary here.
public typealias CFDictionary = [AnyHashable: Any]

/// The color space with red, green and blue.
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace {
    CGColorSpace(label: "kCGColorSpaceDeviceRGB", components: 3)
}
/// The color space with one component, gray.
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace {
    CGColorSpace(label: "kCGColorSpaceDeviceGray", components: 1)
}

/// A color with its components.
public final class CGColor: Hashable, Sendable {
    let red, green, blue: CGFloat
    public let alpha: CGFloat
    private let isGray: Bool

    init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat, isGray: Bool) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, min(max(alpha, 0), 1))
        self.isGray = isGray
    }

    public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha, isGray: false)
    }
    public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        self.init(red: red, green: green, blue: blue, alpha: alpha, isGray: false)
    }
    public convenience init(gray: CGFloat, alpha: CGFloat) {
        self.init(red: gray, green: gray, blue: gray, alpha: alpha, isGray: true)
    }

    /// Makes a color from the components of the space and alpha, which `components` points at.
    public convenience init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
        if space.numberOfComponents == 1 {
            self.init(gray: components[0], alpha: components[1])
        } else {
            self.init(red: components[0], green: components[1], blue: components[2], alpha: components[3])
        }
    }

    /// The components, alpha last: red, green and blue, or the white of a gray.
    public var components: [CGFloat]? { isGray ? [red, alpha] : [red, green, blue, alpha] }
    public var numberOfComponents: Int { isGray ? 2 : 4 }
    public var colorSpace: CGColorSpace? { isGray ? CGColorSpaceCreateDeviceGray() : CGColorSpaceCreateDeviceRGB() }

    public func copy() -> CGColor? { self }
    public func copy(alpha: CGFloat) -> CGColor? {
        CGColor(red: red, green: green, blue: blue, alpha: alpha, isGray: isGray)
    }

    public static let black = CGColor(gray: 0, alpha: 1)
    public static let white = CGColor(gray: 1, alpha: 1)
    public static let clear = CGColor(gray: 0, alpha: 0)

    public static func == (a: CGColor, b: CGColor) -> Bool { a.components == b.components }
    public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}

/// How a drawn color is combined with what is behind it. No effect here.
public enum CGBlendMode: Int32, Sendable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight, difference
    case exclusion, hue, saturation, color, luminosity, clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver
    case destinationIn, destinationOut, destinationAtop, xor, plusDarker, plusLighter
}

/// A smooth transition between colors.
public final class CGGradient: Sendable {
    let colors: [CGColor]
    let locations: [CGFloat]

    /// - Parameters:
    ///   - space: No effect here: each color has its own space.
    ///   - colors: Of `CGColor`. Elements of another type are left out.
    ///   - locations: 0...1, one for each color; nil for equal distances.
    public init?(colorsSpace space: CGColorSpace?, colors: CFArray, locations: UnsafePointer<CGFloat>?) {
        let colors = colors.compactMap { $0 as? CGColor }
        guard !colors.isEmpty else { return nil }
        self.colors = colors
        let last = CGFloat(max(colors.count - 1, 1))
        self.locations = colors.indices.map { locations?[$0] ?? CGFloat($0) / last }
    }

    /// - Parameters:
    ///   - space: The space of all components.
    ///   - components: The components of each color in turn, alpha last.
    ///   - locations: 0...1, one for each color; nil for equal distances.
    ///   - count: The number of colors.
    public init?(
        colorSpace space: CGColorSpace, colorComponents components: UnsafePointer<CGFloat>,
        locations: UnsafePointer<CGFloat>?, count: Int
    ) {
        guard count > 0 else { return nil }
        let width = space.numberOfComponents + 1
        let colors = (0..<count).compactMap { CGColor(colorSpace: space, components: components + $0 * width) }
        self.colors = colors
        self.locations = colors.indices.map { locations?[$0] ?? CGFloat($0) / CGFloat(max(count - 1, 1)) }
    }
}

/// Whether a gradient continues beyond its ends.
public struct CGGradientDrawingOptions: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let drawsBeforeStartLocation = CGGradientDrawingOptions(rawValue: 1 << 0)
    public static let drawsAfterEndLocation = CGGradientDrawingOptions(rawValue: 1 << 1)
}
