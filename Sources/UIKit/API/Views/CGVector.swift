// CGVector.swift: a distance in two dimensions, which Foundation lacks on Linux.
//
// Sources   documented  CGVector

public import Foundation

/// A distance in two dimensions.
public struct CGVector: Hashable, Sendable {
    public var dx, dy: CGFloat

    public init() { (dx, dy) = (0, 0) }
    public init(dx: CGFloat, dy: CGFloat) { (self.dx, self.dy) = (dx, dy) }
    public init(dx: Double, dy: Double) { self.init(dx: CGFloat(dx), dy: CGFloat(dy)) }
    public init(dx: Int, dy: Int) { self.init(dx: CGFloat(dx), dy: CGFloat(dy)) }

    public static let zero = CGVector()
}
