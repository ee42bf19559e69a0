// Deed.swift: a closure as target and action of UIKit.
//
// Input     the controllers of the sample apps
// Output    UIKit, which calls the closure
// Knows     selectors. No runtime here finds a method by its name, which is the only difference to a phone.
//
// Recognizers do not retain their targets, so the controller that adds a deed keeps it.
//
// Sources   invented

import UIKit

/// A target whose action calls a closure.
final class Deed: NSObject {
    private let deed: () -> Void

    init(_ deed: @escaping () -> Void) { self.deed = deed }

    #if canImport(ObjectiveC)
        static let selector = #selector(doNow)
        @objc private func doNow() { deed() }
    #else
        static let selector = Selector("doNow", Deed.doNow)
        private func doNow() { deed() }
    #endif

    /// Calls the closure later, in any mode of the run loop.
    func run(after delay: TimeInterval) { perform(Self.selector, with: nil, afterDelay: delay, inModes: [.common]) }
}

/// The deeds of one controller, kept as long as the controller.
final class Deeds {
    private var kept: [Deed] = []

    /// Adds the recognizer to the view. Each action of the recognizer calls `deed`.
    @discardableResult
    func add<Recognizer: UIGestureRecognizer>(
        _ recognizer: Recognizer, to view: UIView, _ deed: @escaping (Recognizer) -> Void
    ) -> Recognizer {
        let target = Deed { [unowned recognizer] in deed(recognizer) }
        kept.append(target)
        recognizer.addTarget(target, action: Deed.selector)
        view.addGestureRecognizer(recognizer)
        return recognizer
    }
}
