// UIStoryboardSegue.swift: a transition that a storyboard describes. There are no storyboards here: an app makes and performs
// it.
//
// Sources   documented  UIStoryboardSegue: names

public import Foundation

/// A transition between two controllers, which the app makes and performs.
open class UIStoryboardSegue: NSObject {
    public let identifier: String?
    public let source: UIViewController
    public let destination: UIViewController
    private let handler: () -> Void

    public init(identifier: String?, source: UIViewController, destination: UIViewController) {
        (self.identifier, self.source, self.destination, handler) = (identifier, source, destination, {})
    }

    public init(
        identifier: String?, source: UIViewController, destination: UIViewController,
        performHandler: @escaping () -> Void
    ) {
        (self.identifier, self.source, self.destination) = (identifier, source, destination)
        handler = performHandler
    }

    /// Runs the handler of the initializer.
    open func perform() { handler() }
}
