public import Foundation

public typealias UIActionHandler = (UIAction) -> Void

/// An action that is a closure.
open class UIAction: NSObject {
    public struct Identifier: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }

    private static let unnamed = Identifier("")

    open var title: String
    public let identifier: Identifier
    /// Who set it off, for as long as the handler runs.
    open private(set) var sender: Any?
    private let handler: UIActionHandler

    /// - Parameter identifier: Two actions of one identifier on one control are one; the later replaces the earlier.
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

    /// How traces call it.
    final var traceName: String {
        if !title.isEmpty { return title }
        return identifier == Self.unnamed ? "closure" : identifier.rawValue
    }

    /// Whether the other would take this one's place.
    final func isSame(as other: UIAction) -> Bool {
        self === other || (identifier != Self.unnamed && identifier == other.identifier)
    }
}
