// InterfaceOrientation.swift: which way up an app's interface is on its display, and what follows for places.
//
//     as a person holds the display    x of the interface    y of the interface    its size
//     portrait                         x                     y                     width × height
//     landscapeLeft                    height − y            x                     height × width    home button left
//     portraitUpsideDown               width − x             height − y            width × height
//     landscapeRight                   y                     width − x             height × width    home button right
//
// Exact both ways: nothing is scaled. Rectangles are half-open, so what lies on the first line of a display would be on
// no line of an interface that counts from the other side: it is put on the last step that a place can have, 1/65,536 pt
// before that side. Places are multiples of 1/64 pt, so nothing else is there, and the way back finds the line again.
//
// Sources   documented  UIInterfaceOrientation: its names, its values, which side the home button is on
//           invented    the last step

/// Raw values as `UIInterfaceOrientation` has them: a device that is turned left has its interface turned right.
public enum InterfaceOrientation: UInt8, Hashable, Sendable, CaseIterable {
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4

    /// - Parameter word: `landscapeLeft`, as `description` says it.
    public init?(word: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.description == word }) else { return nil }
        self = found
    }

    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

    /// The interface's place of a place on the display; both are counted from the corner of the interface's rectangle.
    ///
    /// - Parameters:
    ///   - width: Of that rectangle, as the display has it.
    ///   - height: Likewise.
    public func place(_ x: Fixed, _ y: Fixed, width: Fixed, height: Fixed) -> (x: Fixed, y: Fixed) {
        switch self {
        case .portrait: (x, y)
        case .landscapeLeft: (height.toFarSide(y), x)
        case .portraitUpsideDown: (width.toFarSide(x), height.toFarSide(y))
        case .landscapeRight: (y, width.toFarSide(x))
        }
    }

    /// The reverse of `place`; width and height are the display's again.
    public func placeOnDisplay(_ x: Fixed, _ y: Fixed, width: Fixed, height: Fixed) -> (x: Fixed, y: Fixed) {
        switch self {
        case .portrait: (x, y)
        case .landscapeLeft: (y, height.fromFarSide(x))
        case .portraitUpsideDown: (width.fromFarSide(x), height.fromFarSide(y))
        case .landscapeRight: (width.fromFarSide(y), x)
        }
    }

    /// The interface's edges that lie at these of the display: `UIRectEdge`, 1 top, 2 left, 4 bottom, 8 right.
    public func edges(at display: UInt8) -> UInt8 {
        // Clockwise, from the top.
        let around: [UInt8] = [1, 8, 4, 2]
        var edges: UInt8 = 0
        for (place, edge) in around.enumerated() where display & edge != 0 {
            edges |= around[(place + quarterTurns) % 4]
        }
        return edges
    }

    /// An angle of the display's, from its x axis towards its y axis, as the interface has it: 0..<2π.
    public func angle(_ radians: Fixed) -> Fixed {
        guard self != .portrait else { return radians }
        var turned = (radians.double + Double(quarterTurns) * .pi / 2).truncatingRemainder(dividingBy: 2 * .pi)
        if turned < 0 { turned += 2 * .pi }
        return Fixed(turned)
    }

    /// How often a display's edge, or angle, is turned clockwise to be the interface's.
    private var quarterTurns: Int {
        switch self {
        case .portrait: 0
        case .landscapeLeft: 1
        case .portraitUpsideDown: 2
        case .landscapeRight: 3
        }
    }
}

extension InterfaceOrientation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .portrait: "portrait"
        case .portraitUpsideDown: "portraitUpsideDown"
        case .landscapeLeft: "landscapeLeft"
        case .landscapeRight: "landscapeRight"
        }
    }
}

extension Fixed {
    /// Counted from the far side of a length.
    fileprivate func toFarSide(_ place: Fixed) -> Fixed {
        Fixed(rawValue: place == .zero && self > .zero ? rawValue - 1 : rawValue &- place.rawValue)
    }

    fileprivate func fromFarSide(_ place: Fixed) -> Fixed {
        guard self > .zero, place.rawValue == rawValue - 1 else { return Fixed(rawValue: rawValue &- place.rawValue) }
        return .zero
    }
}
