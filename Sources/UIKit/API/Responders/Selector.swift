// Selector.swift: an action by name, without an Objective-C runtime that finds the method.
//
// Station   action
//
// On iOS `#selector(CounterController.increment)` names a method, and the runtime knows which objects have it. Here a
// selector can carry its method, and a responder can register the methods of names (Docs/Decisions/Selectors.md).
//
//     button.addTarget(self, action: Selector("increment", CounterController.increment), for: .touchUpInside)
//     respond(to: Selector("doIt", CounterController.increment))      // for senders that only know the name

import Basics
public import Foundation

/// The name of an action, and its method if the selector carries one.
public struct Selector: Sendable {
    /// A method that runs on an object, with a sender and an event.
    typealias Method = @Sendable (AnyObject, Any?, UIEvent?) -> Void

    let name: String
    let method: Method?
    /// Whether the object has the method that the selector carries.
    let isMethodOf: (@Sendable (AnyObject) -> Bool)?

    /// Makes a selector without a method. When it is sent, the receiver must have registered a method of this name.
    public init(_ str: String) {
        name = str
        (method, isMethodOf) = (nil, nil)
    }

    private init(_ name: String, fits: @escaping @Sendable (AnyObject) -> Bool, _ method: @escaping Method) {
        (self.name, self.method, self.isMethodOf) = (name, method, fits)
    }

    /// Makes a selector with a method without parameters. A result of the method is dropped.
    public init<Target: AnyObject, Output>(_ name: String, _ method: @escaping (Target) -> () -> Output) {
        nonisolated(unsafe) let method = method
        self.init(name, fits: { $0 is Target }) { target, _, _ in
            if let target = target as? Target { _ = method(target)() }
        }
    }

    /// Makes a selector with a method that receives the sender. A sender of another type does not call the method.
    public init<Target: AnyObject, Sender, Output>(
        _ name: String, _ method: @escaping (Target) -> (Sender) -> Output
    ) {
        nonisolated(unsafe) let method = method
        self.init(name, fits: { $0 is Target }) { target, sender, _ in
            guard let target = target as? Target else { return }
            // On iOS an object where a method takes a Bool counts as true: `#selector(UIView.endEditing(_:))`.
            if let isSent = Sender.self == Bool.self ? (sender != nil) as? Sender : nil, !(sender is Bool) {
                return _ = method(target)(isSent)
            }
            if let sender = sender as? Sender { _ = method(target)(sender) }
        }
    }

    /// Makes a selector with a method that receives the sender and the event. The method's second parameter may be
    /// `UIEvent` or `UIEvent?`; without an event, a method that needs one is not called.
    public init<Target: AnyObject, Sender, Event, Output>(
        _ name: String, _ method: @escaping (Target) -> (Sender, Event) -> Output
    ) {
        nonisolated(unsafe) let method = method
        self.init(name, fits: { $0 is Target }) { target, sender, event in
            if let target = target as? Target, let sender = sender as? Sender, let event = (event as Any?) as? Event {
                _ = method(target)(sender, event)
            }
        }
    }

    // MARK: Methods of an object's type

    /// Makes a selector with a method of the type of `target`, for `#selector(model.reset)`.
    public init<Target: AnyObject, Output>(
        _ name: String, of target: Target?, _ method: @escaping (Target) -> () -> Output
    ) { self.init(name, method) }
    public init<Target: AnyObject, Sender, Output>(
        _ name: String, of target: Target?, _ method: @escaping (Target) -> (Sender) -> Output
    ) { self.init(name, method) }
    public init<Target: AnyObject, Sender, Event, Output>(
        _ name: String, of target: Target?, _ method: @escaping (Target) -> (Sender, Event) -> Output
    ) { self.init(name, method) }

    /// Makes a selector without a method, for a method whose shape no sender of UIKit calls.
    @_disfavoredOverload public init(_ name: String, _ method: Any) { self.init(name) }
}

/// A class whose methods can be found by their names alone. The plugin UIKitOnLinux writes the list.
public protocol SelectorMethods: AnyObject {
    /// Selectors with the class's methods. Those of a superclass come last.
    static var selectorMethods: [Selector] { get }
}

/// Two selectors are equal if their names are equal.
extension Selector: Hashable {
    public static func == (a: Selector, b: Selector) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Selector: ExpressibleByStringLiteral, CustomStringConvertible {
    public init(stringLiteral value: String) { self.init(value) }
    public var description: String { name }
}

/// The name of the selector.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }

/// A selector without a method.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

extension Selector {
    /// The method that this selector runs on `object`; nil if the object has none.
    private func method(of object: AnyObject) -> Method? {
        if let named = (object as? UIResponder)?.extras?.answers[name] { return named }
        if isMethodOf?(object) == true { return method }
        guard let type = type(of: object) as? any SelectorMethods.Type else { return nil }
        return type.selectorMethods.first { $0.name == name }?.method
    }

    /// Whether the object has a method for this selector.
    func isAnswered(by object: AnyObject) -> Bool { method(of: object) != nil }

    /// Runs the method on the object. Nothing happens if the object has none.
    func run(on object: AnyObject, sender: Any?, event: UIEvent?) { method(of: object)?(object, sender, event) }
}

extension NSObject {
    /// Whether this object has a method for the selector.
    public func responds(to aSelector: Selector!) -> Bool { aSelector.isAnswered(by: self) }

    /// Runs the method with `object` as its sender. A receiver without the method stops the program, as on iOS.
    public func perform(_ aSelector: Selector!, with object: Any! = nil) {
        guard responds(to: aSelector) else {
            preconditionFailure("\(type(of: self)) does not respond to \(aSelector.name)")
        }
        aSelector.run(on: self, sender: object, event: nil)
    }

    /// Runs the method on the main thread: at once if the main thread's code waits for it, else in a later turn.
    public func performSelector(onMainThread aSelector: Selector, with argument: Any?, waitUntilDone wait: Bool) {
        // Behind the words `DispatchQueue.main` the compiler takes a closure for one of the main actor.
        let main = DispatchQueue.main
        guard wait else { return main.enqueue { self.perform(aSelector, with: argument) } }
        if ApplicationClock.current?.isOnMain ?? SystemTime.isOnMainThread {
            perform(aSelector, with: argument)
        } else {
            main.sync { self.perform(aSelector, with: argument) }
        }
    }

    /// Runs the method after `delay` seconds, in the default mode of the main loop. It waits while content is dragged.
    public func perform(_ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval) {
        perform(aSelector, with: anArgument, afterDelay: delay, inModes: [.default])
    }

    /// Runs the method after `delay` seconds, in one of these modes.
    ///
    /// The receiver and the argument are retained until then. Outside of applications the thread's run loop calls it.
    public func perform(
        _ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval, inModes modes: [RunLoop.Mode]
    ) {
        guard let clock = ApplicationClock.current, let loop = clock.loop else {
            let timer = Timer(timeInterval: max(0, delay), repeats: false) { _ in
                self.perform(aSelector, with: anArgument)
            }
            for mode in modes { RunLoop.current.add(timer, forMode: mode) }
            return
        }
        var fired: () -> Void = {}
        let timer = loop.schedule(at: clock.moment(after: max(0, delay)), every: nil, modes: modes) { fired() }
        fired = { [weak clock] in
            clock?.delayedPerforms.removeAll { $0.timer == timer }
            self.perform(aSelector, with: anArgument)
        }
        clock.delayedPerforms.append(
            DelayedPerform(target: self, selector: aSelector, argument: anArgument, timer: timer))
    }

    /// Cancels the delayed calls of the target's method with this argument.
    public class func cancelPreviousPerformRequests(
        withTarget aTarget: Any, selector aSelector: Selector, object anArgument: Any?
    ) {
        cancelDelayedPerforms {
            $0.target === aTarget as AnyObject && $0.selector == aSelector && isSame($0.argument, anArgument)
        }
    }

    /// Cancels the delayed calls of all methods of the target.
    public class func cancelPreviousPerformRequests(withTarget aTarget: Any) {
        cancelDelayedPerforms { $0.target === aTarget as AnyObject }
    }

    private class func cancelDelayedPerforms(where isMeant: (DelayedPerform) -> Bool) {
        guard let clock = ApplicationClock.current else { return }
        for perform in clock.delayedPerforms where isMeant(perform) { clock.loop?.invalidate(perform.timer) }
        clock.delayedPerforms.removeAll(where: isMeant)
    }

    /// Whether two arguments are equal, as `isEqual` compares objects. Values that cannot be compared differ.
    private class func isSame(_ a: Any?, _ b: Any?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        if let a = a as? AnyHashable, let b = b as? AnyHashable { return a == b }
        return a as AnyObject === b as AnyObject
    }
}

extension UIResponder {
    /// Registers the selector's method for its name on this responder. A selector without a method stops the program.
    public final func respond(to selector: Selector) {
        precondition(selector.method != nil, "\(selector) carries no method")
        ownExtras.answers[selector.name] = selector.method!
    }
}
