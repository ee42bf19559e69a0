// UIFeedbackGenerator.swift: haptic feedback, which no device here gives. Every call does nothing.
//
// Sources   documented  UIFeedbackGenerator and its subclasses: names

public import Foundation

/// Gives haptic feedback. Does nothing here.
open class UIFeedbackGenerator: NSObject, UIInteraction {
    open private(set) weak var view: UIView?

    public override init() { super.init() }
    public convenience init(view: UIView) {
        self.init()
        self.view = view
    }

    /// Does nothing.
    open func prepare() {}

    open func willMove(to view: UIView?) {}
    open func didMove(to view: UIView?) { self.view = view }
}

/// Gives the feedback of a collision. Does nothing here.
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// The strength of the collision.
    public enum FeedbackStyle: Int, Sendable { case light, medium, heavy, soft, rigid }

    public override init() { super.init() }
    public init(style: FeedbackStyle) { super.init() }
    public convenience init(style: FeedbackStyle, view: UIView) { self.init(style: style) }

    /// Does nothing.
    open func impactOccurred() {}
    /// Does nothing.
    open func impactOccurred(intensity: CGFloat) {}
    /// Does nothing.
    open func impactOccurred(at location: CGPoint) {}
    /// Does nothing.
    open func impactOccurred(intensity: CGFloat, at location: CGPoint) {}
}

/// Gives the feedback of a changed selection. Does nothing here.
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Does nothing.
    open func selectionChanged() {}
    /// Does nothing.
    open func selectionChanged(at location: CGPoint) {}
}

/// Gives the feedback of a success or a failure. Does nothing here.
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// What happened.
    public enum FeedbackType: Int, Sendable { case success, warning, error }

    /// Does nothing.
    open func notificationOccurred(_ notificationType: FeedbackType) {}
    /// Does nothing.
    open func notificationOccurred(_ notificationType: FeedbackType, at location: CGPoint) {}
}
