// Deed.swift: a closure where UIKit wants a target and a selector.
//
// The one place that differs between a phone and here, where no runtime finds a method by its name. Recognisers do
// not keep their targets, so whoever adds a deed keeps it.

import UIKit

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

    /// Does it later, whatever the run loop is doing then.
    func run(after delay: TimeInterval) { perform(Self.selector, with: nil, afterDelay: delay, inModes: [.common]) }
}

/// Deeds of one controller, kept as long as it is.
final class Deeds {
    private var kept: [Deed] = []

    /// Adds the recogniser to the view; `deed` is done whenever it acts.
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
