// UIAction.swift: an action that runs a closure.
//
// Station   action
// Input     UIControl, UIGestureRecognizer
//
// Sources   documented  UIAction
public import Foundation

/// The closure of an action.
public typealias UIActionHandler = (UIAction) -> Void

/// An action that runs a closure.
open class UIAction: NSObject {
    /// The name by which a control recognizes that two actions are the same.
    public struct Identifier: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    private static let unnamed = Identifier("")

    open var title: String
    public let identifier: Identifier
    /// The object that sent the action, while the handler runs.
    open private(set) var sender: Any?
    private let handler: UIActionHandler

    /// - Parameters:
    ///   - title: The title of a button that is made with the action.
    ///   - identifier: A control has one action for each identifier: a later action replaces an earlier one.
    ///   - handler: Receives the action; its `sender` is the control.
    public init(title: String = "", identifier: Identifier? = nil, handler: @escaping UIActionHandler) {
        self.title = title
        self.identifier = identifier ?? Self.unnamed
        self.handler = handler
    }

    final func run(sender: Any?) {
        self.sender = sender
        handler(self)
        self.sender = nil
    }

    /// The name of the action in traces.
    final var traceName: String {
        if !title.isEmpty { return title }
        return identifier == Self.unnamed ? "closure" : identifier.rawValue
    }

    /// Whether `other` replaces this action: both are one object, or have one identifier.
    final func isSame(as other: UIAction) -> Bool {
        self === other || (identifier != Self.unnamed && identifier == other.identifier)
    }
}
