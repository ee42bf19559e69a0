// ClosureTarget.swift: a closure as target and action of UIKit.
//
// Input     the controllers of the sample apps
// Output    UIKit, which calls the closure
// Knows     selectors. No runtime here finds a method by its name, which is the only difference to a phone.
//
// Recognizers do not retain their targets, so the controller that adds a target keeps it.
//
// Sources   invented

import UIKit

/// A target whose action calls a closure.
final class ClosureTarget: NSObject {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    #if canImport(ObjectiveC)
        static let selector = #selector(doNow)
        @objc private func doNow() { action() }
    #else
        static let selector = Selector("doNow", ClosureTarget.doNow)
        private func doNow() { action() }
    #endif

    /// Calls the closure later, in any mode of the run loop.
    func run(after delay: TimeInterval) { perform(Self.selector, with: nil, afterDelay: delay, inModes: [.common]) }
}

/// The targets of one controller, kept as long as the controller.
final class ClosureTargets {
    private var targets: [ClosureTarget] = []

    /// Adds the recognizer to the view. Each action of the recognizer calls `action`.
    @discardableResult
    func add<Recognizer: UIGestureRecognizer>(
        _ recognizer: Recognizer, to view: UIView, _ action: @escaping (Recognizer) -> Void
    ) -> Recognizer {
        let target = ClosureTarget { [unowned recognizer] in action(recognizer) }
        targets.append(target)
        recognizer.addTarget(target, action: ClosureTarget.selector)
        view.addGestureRecognizer(recognizer)
        return recognizer
    }
}
