// UIAccessibility.swift: what an app states about its views for assistive technologies, which do not exist here.
//
// Sources   documented  UIAccessibility: names; traits

public import Foundation

/// What an element is and does.
public struct UIAccessibilityTraits: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let none: UIAccessibilityTraits = []
    public static let button = UIAccessibilityTraits(rawValue: 1 << 0)
    public static let link = UIAccessibilityTraits(rawValue: 1 << 1)
    public static let image = UIAccessibilityTraits(rawValue: 1 << 2)
    public static let selected = UIAccessibilityTraits(rawValue: 1 << 3)
    public static let playsSound = UIAccessibilityTraits(rawValue: 1 << 4)
    public static let keyboardKey = UIAccessibilityTraits(rawValue: 1 << 5)
    public static let staticText = UIAccessibilityTraits(rawValue: 1 << 6)
    public static let summaryElement = UIAccessibilityTraits(rawValue: 1 << 7)
    public static let notEnabled = UIAccessibilityTraits(rawValue: 1 << 8)
    public static let updatesFrequently = UIAccessibilityTraits(rawValue: 1 << 9)
    public static let searchField = UIAccessibilityTraits(rawValue: 1 << 10)
    public static let startsMediaSession = UIAccessibilityTraits(rawValue: 1 << 11)
    public static let adjustable = UIAccessibilityTraits(rawValue: 1 << 12)
    public static let allowsDirectInteraction = UIAccessibilityTraits(rawValue: 1 << 13)
    public static let causesPageTurn = UIAccessibilityTraits(rawValue: 1 << 14)
    public static let header = UIAccessibilityTraits(rawValue: 1 << 16)
    public static let tabBar = UIAccessibilityTraits(rawValue: 1 << 28)
}

/// A direction of a scroll that an assistive technology asks for.
public enum UIAccessibilityScrollDirection: Int, Sendable { case right = 1, left, up, down, next, previous }

/// The settings of assistive technologies, which are all off.
public enum UIAccessibility {
    /// What an app reports to assistive technologies.
    public struct Notification: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let screenChanged = Notification(rawValue: 1000)
        public static let layoutChanged = Notification(rawValue: 1001)
        public static let announcement = Notification(rawValue: 1008)
        public static let pageScrolled = Notification(rawValue: 1009)
    }

    /// Does nothing: there is no assistive technology here.
    public static func post(notification: Notification, argument: Any?) {}

    public static var isVoiceOverRunning: Bool { false }
    public static var isSwitchControlRunning: Bool { false }
    public static var isReduceMotionEnabled: Bool { false }
    public static var isReduceTransparencyEnabled: Bool { false }
    public static var isBoldTextEnabled: Bool { false }
    public static var isDarkerSystemColorsEnabled: Bool { false }
    public static var isInvertColorsEnabled: Bool { false }
    public static var isAssistiveTouchRunning: Bool { false }

    public static let voiceOverStatusDidChangeNotification = NSNotification.Name(
        "UIAccessibilityVoiceOverStatusDidChangeNotification")
    public static let reduceMotionStatusDidChangeNotification = NSNotification.Name(
        "UIAccessibilityReduceMotionStatusDidChangeNotification")

    /// Converts a rectangle of a view to the screen's coordinates.
    public static func convertToScreenCoordinates(_ rect: CGRect, in view: UIView) -> CGRect {
        let inWindow = view.convert(rect, to: nil)
        return view.window?.convert(inWindow, to: nil as UIWindow?) ?? inWindow
    }
}

/// An action of an element besides activation. Nothing performs it here but the app.
open class UIAccessibilityCustomAction: NSObject {
    open var name: String
    /// Performs the action and returns whether it succeeded.
    open var actionHandler: ((UIAccessibilityCustomAction) -> Bool)?
    open weak var target: AnyObject?
    open var selector: Selector?

    public init(name: String, actionHandler: ((UIAccessibilityCustomAction) -> Bool)?) {
        (self.name, self.actionHandler) = (name, actionHandler)
    }
    public init(name: String, target: Any?, selector: Selector) {
        (self.name, self.target, self.selector) = (name, target as AnyObject?, selector)
    }
}

/// An element that is no view.
open class UIAccessibilityElement: UIResponder {
    open weak var accessibilityContainer: AnyObject?
    open var isAccessibilityElement = true
    open var accessibilityLabel: String?
    open var accessibilityHint: String?
    open var accessibilityValue: String?
    open var accessibilityIdentifier: String?
    open var accessibilityTraits = UIAccessibilityTraits.none
    /// In the screen's coordinates.
    open var accessibilityFrame = CGRect.zero
    /// In the container's coordinates. It is kept; `accessibilityFrame` does not follow it.
    open var accessibilityFrameInContainerSpace = CGRect.zero

    public init(accessibilityContainer container: Any) {
        super.init()
        accessibilityContainer = container as AnyObject
    }

    open func accessibilityIncrement() {}
    open func accessibilityDecrement() {}
    open func accessibilityActivate() -> Bool { false }
}

extension UIView {
    public var accessibilityPath: UIBezierPath? {
        get { values?.accessibility.path }
        set { ownValues.accessibility.path = newValue }
    }
    public var accessibilityLanguage: String? {
        get { values?.accessibility.language }
        set { ownValues.accessibility.language = newValue }
    }
    public var accessibilityElementsHidden: Bool {
        get { values?.accessibility.elementsHidden ?? false }
        set { ownValues.accessibility.elementsHidden = newValue }
    }
    public var accessibilityViewIsModal: Bool {
        get { values?.accessibility.isModal ?? false }
        set { ownValues.accessibility.isModal = newValue }
    }
    public var shouldGroupAccessibilityChildren: Bool {
        get { values?.accessibility.groupsChildren ?? false }
        set { ownValues.accessibility.groupsChildren = newValue }
    }
    public var accessibilityCustomActions: [UIAccessibilityCustomAction]? {
        get { values?.accessibility.customActions }
        set { ownValues.accessibility.customActions = newValue }
    }
}
