// UITraitCollection.swift: the environment of a view, and the device. Both are an iPhone's, and nothing in them changes.
//
// Sources   documented  UITraitCollection, UIDevice: names
//           invented    the values

public import Foundation

/// The kind of a device.
public enum UIUserInterfaceIdiom: Int, Sendable { case unspecified = -1, phone, pad, tv, carPlay, mac = 5, vision }

/// The appearance of an interface.
public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }

/// How much space an interface has.
public enum UIUserInterfaceSizeClass: Int, Sendable { case unspecified, compact, regular }

/// Whether contrasts are increased.
public enum UIAccessibilityContrast: Int, Sendable { case unspecified = -1, normal, high }

/// Whether the screen tells forces apart.
public enum UIForceTouchCapability: Int, Sendable { case unknown, unavailable, available }

/// The environment of a view: an iPhone held upright, in the light appearance.
open class UITraitCollection: NSObject {
    public override init() { super.init() }

    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    open var userInterfaceStyle: UIUserInterfaceStyle { .light }
    open var horizontalSizeClass: UIUserInterfaceSizeClass { .compact }
    open var verticalSizeClass: UIUserInterfaceSizeClass { .regular }
    open var layoutDirection: UIUserInterfaceLayoutDirection { .leftToRight }
    open var accessibilityContrast: UIAccessibilityContrast { .normal }
    open var forceTouchCapability: UIForceTouchCapability { .unavailable }
    /// The number of pixels in a point.
    open var displayScale: CGFloat { UIScreen.main.scale }

    /// The traits of the code that runs: the only ones.
    open class var current: UITraitCollection { UITraitCollection() }
    /// Whether the appearance of two environments differs: never.
    open func hasDifferentColorAppearance(comparedTo traitCollection: UITraitCollection?) -> Bool { false }
}

/// An object with an environment.
public protocol UITraitEnvironment: NSObjectProtocol {
    var traitCollection: UITraitCollection { get }
    func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?)
}

extension UIView: UITraitEnvironment {}
extension UIViewController: UITraitEnvironment {}

/// The device that an app runs on.
open class UIDevice: NSObject {
    /// A description of the device, made when it is read.
    open class var current: UIDevice { UIDevice() }

    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    open var model: String { "iPhone" }
    open var localizedModel: String { "iPhone" }
    open var name: String { "iPhone" }
    open var systemName: String { "iOS" }
    /// The version of iOS whose behavior UIKit here follows.
    open var systemVersion: String { "18.0" }
}
