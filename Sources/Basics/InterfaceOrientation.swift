// InterfaceOrientation.swift: which way up an app's interface is on its display, and what follows for edges and angles.
//
// What follows for positions is SceneGeometry's.
//
// Sources   documented  UIInterfaceOrientation: its names, its values, which side the home button is on

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
