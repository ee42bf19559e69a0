// InterfaceOrientation.swift: the orientation of an app's interface on its display, and the conversion of edges and angles.
//
// `SceneGeometry` converts positions.
//
// Sources   documented  UIInterfaceOrientation: its names, its values, the side of the home button

/// The orientation of an interface, with the raw values of `UIInterfaceOrientation`: a device that is turned left has
/// its interface turned right.
public enum InterfaceOrientation: UInt8, Hashable, Sendable, CaseIterable {
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4

    /// - Parameter name: A name in the spelling of `description`, for example `landscapeLeft`.
    public init?(name: some StringProtocol) {
        guard let found = Self.allCases.first(where: { $0.description == name }) else { return nil }
        self = found
    }

    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

    /// Converts edges of the display to edges of the interface. Both are `UIRectEdge` bits: 1 top, 2 left, 4 bottom, 8 right.
    public func edges(at display: UInt8) -> UInt8 {
        // Clockwise from the top.
        let around: [UInt8] = [1, 8, 4, 2]
        var edges: UInt8 = 0
        for (place, edge) in around.enumerated() where display & edge != 0 {
            edges |= around[(place + quarterTurns) % 4]
        }
        return edges
    }

    /// Converts an angle from the display to the interface, 0..<2π, measured from the x axis towards the y axis.
    public func angle(_ radians: Fixed) -> Fixed {
        guard self != .portrait else { return radians }
        var turned = (radians.double + Double(quarterTurns) * .pi / 2).truncatingRemainder(dividingBy: 2 * .pi)
        if turned < 0 { turned += 2 * .pi }
        return Fixed(turned)
    }

    /// The number of clockwise quarter turns that convert an edge or an angle of the display to the interface's.
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
