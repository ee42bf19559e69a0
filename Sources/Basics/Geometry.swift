// Geometry.swift: points and rectangles, each in a space that its type names.
//
//     space            unit                                              coordinates   defined
//     ScreenSpace      points of a screen, as scripts and tools write    Double        here
//     DigitizerSpace   0...1 across and down a panel                     Fixed         here
//     DisplaySpace     points of one display                             Fixed         here
//     SceneSpace       points of one app's scene                         Fixed         here
//     WindowSpace      points of one window                              Double        Gestures/Sample.swift
//
//     ScreenSpace ◀──ScreenGeometry──▶ DigitizerSpace ──ScreenGeometry──▶ DisplaySpace ◀──SceneGeometry──▶ SceneSpace
//     SceneSpace ──UIKit/Engine/Events/ScenePosition.swift──▶ CGPoint ──UIWindow──▶ WindowSpace
//
// A position in one space cannot be passed where another space is expected. Two spaces have one conversion function in
// each direction, in the type that knows the rule (Docs/Decisions/Points.md).
//
// The functions that generic code of other modules uses are @inlinable. A release build then specializes them for each
// space and calls no witness.
//
// Sources   invented

/// A coordinate space of positions.
public protocol Space: Sendable {
    /// The number type of coordinates: `Fixed` in messages, `Double` in computations.
    associatedtype Coordinate: Hashable & Sendable
}

/// A panel: 0...1 across and 0...1 down, as the panel was built. IOKit's digitizer events use this space.
public enum DigitizerSpace: Space { public typealias Coordinate = Fixed }

/// Points of one display as a person sees it, origin top left: after rotation and scale, in multiples of 1/64 pt.
public enum DisplaySpace: Space { public typealias Coordinate = Fixed }

/// Points of one app's scene, from its top left corner in the orientation of the app's interface. Window frames are in
/// this space.
public enum SceneSpace: Space { public typealias Coordinate = Fixed }

/// Points of a screen as a script, a tool or a person writes them: `DisplaySpace` before rounding.
public enum ScreenSpace: Space { public typealias Coordinate = Double }

/// A position in a space.
@frozen
public struct Point<In: Space>: Hashable, Sendable {
    public var x, y: In.Coordinate

    @inlinable
    public init(_ x: In.Coordinate, _ y: In.Coordinate) { (self.x, self.y) = (x, y) }

    // A synthesized `==` is not inlinable.
    @inlinable
    public static func == (a: Point, b: Point) -> Bool { a.x == b.x && a.y == b.y }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(x)
        hasher.combine(y)
    }
}

extension Point where In.Coordinate == Fixed {
    @inlinable
    public static var zero: Point { Point(Fixed.zero, Fixed.zero) }

    /// Truncates the coordinates, as `Fixed.init(_:)` does.
    @inlinable
    public init(_ x: Double, _ y: Double) { self.init(Fixed(x), Fixed(y)) }
}

extension Point where In.Coordinate == Double {
    @inlinable
    public func distance(to other: Point) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

extension Point: CustomStringConvertible where In.Coordinate == Double {
    /// `(197.0, 421.2)`
    public var description: String { "(\(fixedText(x, digits: 1)), \(fixedText(y, digits: 1)))" }
}

/// A half-open rectangle: the left and top edges are inside, the right and bottom edges are not (as `CGRect.contains`).
@frozen
public struct Rect<In: Space>: Hashable, Sendable {
    public var x, y, width, height: In.Coordinate

    @inlinable
    public init(x: In.Coordinate, y: In.Coordinate, width: In.Coordinate, height: In.Coordinate) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    @inlinable
    public static func == (a: Rect, b: Rect) -> Bool {
        a.x == b.x && a.y == b.y && a.width == b.width && a.height == b.height
    }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(x)
        hasher.combine(y)
        hasher.combine(width)
        hasher.combine(height)
    }
}

extension Rect where In.Coordinate == Double {
    @inlinable
    public func contains(_ point: Point<In>) -> Bool {
        point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
    }
}

extension Rect where In.Coordinate == Fixed {
    /// Truncates the values, as `Fixed.init(_:)` does.
    @inlinable
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(x: Fixed(x), y: Fixed(y), width: Fixed(width), height: Fixed(height))
    }

    @inlinable
    public func contains(_ point: Point<In>) -> Bool {
        let (right, down) = (
            Int64(point.x.rawValue) - Int64(x.rawValue), Int64(point.y.rawValue) - Int64(y.rawValue)
        )
        return right >= 0 && down >= 0 && right < Int64(width.rawValue) && down < Int64(height.rawValue)
    }

    @inlinable
    public var isEmpty: Bool { width <= .zero || height <= .zero }

    /// The intersection with another rectangle; its width or height is zero if they do not overlap in that direction.
    @inlinable
    public func clipped(to other: Rect) -> Rect {
        func overlap(_ a: Fixed, _ length: Fixed, _ b: Fixed, _ otherLength: Fixed) -> (Fixed, Fixed) {
            let first = max(Int64(a.rawValue), Int64(b.rawValue))
            let end = min(
                Int64(a.rawValue) + Int64(length.rawValue), Int64(b.rawValue) + Int64(otherLength.rawValue))
            return (
                Fixed(rawValue: Int32(clamping: first)), Fixed(rawValue: Int32(clamping: max(0, end - first)))
            )
        }
        let (x, width) = overlap(x, width, other.x, other.width)
        let (y, height) = overlap(y, height, other.y, other.height)
        return Rect(x: x, y: y, width: width, height: height)
    }
}

extension Rect: CustomStringConvertible where In.Coordinate == Fixed {
    /// `187.5×667 at 187.5,0`
    public var description: String {
        func text(_ value: Fixed) -> String {
            let double = value.double
            return double == double.rounded() ? "\(Int(double))" : "\(double)"
        }
        return "\(text(width))×\(text(height)) at \(text(x)),\(text(y))"
    }
}
