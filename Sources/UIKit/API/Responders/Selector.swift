// Selector.swift: an action by name, where there is no Objective-C runtime to look the name up.
//
// On a phone `#selector(CounterController.increment)` names a method, and the runtime knows which objects have it.
// Here a selector may carry the method it names, and a responder may be told which names it answers to. Why so:
// Docs/Decisions/Selectors.md.
//
//     button.addTarget(self, action: Selector("increment", CounterController.increment), for: .touchUpInside)
//     respond(to: "doIt", with: CounterController.increment)      // for those who only know the name

import Basics
public import Foundation

public struct Selector: Sendable {
    /// Runs on an object, with a sender and an event.
    typealias Method = @Sendable (AnyObject, Any?, UIEvent?) -> Void

    let name: String
    let method: Method?
    /// Whether the carried method is one of this object's.
    let fits: (@Sendable (AnyObject) -> Bool)?

    /// A name alone: whoever answers to it is found when it is sent.
    public init(_ str: String) {
        name = str
        (method, fits) = (nil, nil)
    }

    private init(_ name: String, fits: @escaping @Sendable (AnyObject) -> Bool, _ method: @escaping Method) {
        (self.name, self.method, self.fits) = (name, method, fits)
    }

    /// A name with its method.
    public init<Target: AnyObject>(_ name: String, _ method: @escaping @Sendable (Target) -> () -> Void) {
        self.init(name, fits: { $0 is Target }) { target, _, _ in
            if let target = target as? Target { method(target)() }
        }
    }

    /// A name with its method, which is told the sender. One that does not take such a sender is not called.
    public init<Target: AnyObject, Sender>(
        _ name: String, _ method: @escaping @Sendable (Target) -> (Sender) -> Void
    ) {
        self.init(name, fits: { $0 is Target }) { target, sender, _ in
            if let target = target as? Target, let sender = sender as? Sender { method(target)(sender) }
        }
    }

    /// A name with its method, which is told the sender and the event.
    public init<Target: AnyObject, Sender>(
        _ name: String, _ method: @escaping @Sendable (Target) -> (Sender, UIEvent?) -> Void
    ) {
        self.init(name, fits: { $0 is Target }) { target, sender, event in
            if let target = target as? Target, let sender = sender as? Sender { method(target)(sender, event) }
        }
    }
}

/// Two selectors are one if their names are.
extension Selector: Hashable {
    public static func == (a: Selector, b: Selector) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Selector: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }
    public var description: String { name }
}

public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }

extension Selector {
    /// What this selector runs on `object`; nil when the object has no such method.
    private func method(of object: AnyObject) -> Method? {
        if let named = (object as? UIResponder)?.extras?.answers[name] { return named }
        return fits?(object) == true ? method : nil
    }

    func isAnswered(by object: AnyObject) -> Bool { method(of: object) != nil }

    func run(on object: AnyObject, sender: Any?, event: UIEvent?) { method(of: object)?(object, sender, event) }
}

extension NSObject {
    public func responds(to aSelector: Selector!) -> Bool { aSelector.isAnswered(by: self) }

    /// Runs the method with `object` as its sender. An object without it ends the program, as on a phone.
    public func perform(_ aSelector: Selector!, with object: Any! = nil) {
        guard responds(to: aSelector) else {
            preconditionFailure("\(type(of: self)) does not respond to \(aSelector.name)")
        }
        aSelector.run(on: self, sender: object, event: nil)
    }

    /// The same, so many seconds from now, in the main loop's default mode: not while something is dragged.
    public func perform(_ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval) {
        perform(aSelector, with: anArgument, afterDelay: delay, inModes: [.default])
    }

    /// The same, in one of these modes. The object and the argument are kept until then; without an application
    /// nobody keeps time, and it is never done.
    public func perform(
        _ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval, inModes modes: [RunLoop.Mode]
    ) {
        guard let application = UIApplication.current, let loop = application.mainLoop else { return }
        let moment = application.now.advanced(by: Duration(seconds: max(0, delay)))
        _ = loop.schedule(at: moment, every: nil, modes: modes) { self.perform(aSelector, with: anArgument) }
    }
}

extension UIResponder {
    /// From now on this responder answers to the selector, with the method it carries.
    public final func respond(to selector: Selector) {
        precondition(selector.method != nil, "\(selector) carries no method")
        ownExtras.answers[selector.name] = selector.method!
    }
}
