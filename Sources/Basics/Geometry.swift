/// A space a position is measured in. Spaces are types, so that a panel position cannot be passed for a screen position.
public protocol Space: Sendable {}

/// Points on the screen, origin top left, after rotation and scale.
public enum ScreenSpace: Space {}

public struct Point<In: Space>: Hashable, Sendable {
    public var x, y: Double

    public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    public func distance(to other: Point) -> Double {
        let (dx, dy) = (other.x - x, other.y - y)
        return (dx * dx + dy * dy).squareRoot()
    }
}

extension Point: CustomStringConvertible {
    /// `(197.0, 421.2)`
    public var description: String { "(\(fixedText(x, digits: 1)), \(fixedText(y, digits: 1)))" }
}

public struct Rect<In: Space>: Hashable, Sendable {
    public var x, y, width, height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Half-open: the left and top edges are inside, the right and bottom are not (as `CGRect.contains`).
    public func contains(_ point: Point<In>) -> Bool {
        point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
    }
}
