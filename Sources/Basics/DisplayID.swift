/// The number of a display in its group, from 1.
public struct DisplayID: Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// - Parameter index: The index in a list of the group's displays, from 0.
    public init(index: Int) { self.init(UInt8(index) + 1) }

    @inlinable public static var main: DisplayID { DisplayID(1) }
    /// The highest number: a group has at most four displays.
    @inlinable public static var last: DisplayID { DisplayID(4) }

    /// The index in a list of the group's displays, from 0; nil for the number 0, which no display has.
    public var index: Int? { rawValue > 0 ? Int(rawValue) - 1 : nil }
}

extension DisplayID: Strideable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public func distance(to other: DisplayID) -> Int { Int(other.rawValue) - Int(rawValue) }
    public func advanced(by count: Int) -> DisplayID { DisplayID(UInt8(Int(rawValue) + count)) }
    @inlinable
    public static func < (a: DisplayID, b: DisplayID) -> Bool { a.rawValue < b.rawValue }
    @inlinable
    public static func == (a: DisplayID, b: DisplayID) -> Bool { a.rawValue == b.rawValue }

    public init(integerLiteral value: UInt8) { self.init(value) }

    public var description: String { "\(rawValue)" }
}
