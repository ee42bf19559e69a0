// UIInterfaceOrientation.swift: the orientation of an app's interface.
//
// Sources   documented  names and values

package import Basics

/// The orientation of an interface relative to the device. In `landscapeLeft` the home button is on the left.
public enum UIInterfaceOrientation: Int, Sendable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeRight = 3
    case landscapeLeft = 4

    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }

    package init(_ orientation: InterfaceOrientation) {
        self =
            switch orientation {
            case .portrait: .portrait
            case .portraitUpsideDown: .portraitUpsideDown
            case .landscapeRight: .landscapeRight
            case .landscapeLeft: .landscapeLeft
            }
    }
}

/// A set of interface orientations.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let portrait = UIInterfaceOrientationMask(.portrait)
    public static let portraitUpsideDown = UIInterfaceOrientationMask(.portraitUpsideDown)
    public static let landscapeRight = UIInterfaceOrientationMask(.landscapeRight)
    public static let landscapeLeft = UIInterfaceOrientationMask(.landscapeLeft)
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    public static let all: UIInterfaceOrientationMask = [.portrait, .portraitUpsideDown, .landscape]
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]

    package init(_ orientation: InterfaceOrientation) { rawValue = 1 << UInt(orientation.rawValue) }
}
