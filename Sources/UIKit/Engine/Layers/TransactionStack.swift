// TransactionStack.swift: the open transactions of an application, and the animations that a completion waits for.
//
// Input     CATransaction, UIView.animate, CALayer.add
// Output    completions
//
// A group counts the animations that run. An animation inside an inner group also counts for the outer one. The completion
// runs when the group is committed and its count is 0.

import Basics
import Foundation

/// One group of changes.
final class TransactionGroup {
    let outer: TransactionGroup?
    var duration: CFTimeInterval?
    var timingFunction: CAMediaTimingFunction?
    var disablesActions: Bool
    var named: [String: Any] = [:]
    private(set) var completion: (() -> Void)?
    /// The animations that the completion waits for, and whether the group is committed.
    private var (running, isCommitted) = (0, false)

    init(inside outer: TransactionGroup?) {
        self.outer = outer
        (duration, timingFunction) = (outer?.duration, outer?.timingFunction)
        disablesActions = outer?.disablesActions ?? false
    }

    /// Sets the completion. A previous one runs now if nothing runs that it waits for; otherwise it is forgotten.
    func setCompletion(_ block: (() -> Void)?) {
        let previous = completion
        completion = block
        if running == 0 { previous?() }
    }

    func animationStarted() {
        running += 1
        outer?.animationStarted()
    }

    func animationStopped() {
        running -= 1
        completeIfDone()
        outer?.animationStopped()
    }

    func commit() {
        isCommitted = true
        completeIfDone()
    }

    private func completeIfDone() {
        guard isCommitted, running == 0, let block = completion else { return }
        completion = nil
        block()
    }
}

/// The open groups of an application, the implicit one first.
final class TransactionStack {
    private var groups: [TransactionGroup] = []
    private var hasImplicit = false
    private var lastNumber: UInt64 = 0
    /// The transition that drives the animations which code starts at the moment.
    var drive: TransitionDrive?

    /// A number for an animation, unique in the application.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// The innermost open group.
    var current: TransactionGroup? { groups.last }

    /// The innermost open group, or a new implicit one.
    var made: TransactionGroup {
        if let current { return current }
        let group = TransactionGroup(inside: nil)
        groups = [group]
        hasImplicit = true
        return group
    }

    func begin() { groups.append(TransactionGroup(inside: groups.last)) }

    func commit() {
        guard groups.count > (hasImplicit ? 1 : 0), let group = groups.popLast() else { return }
        group.commit()
    }

    /// Commits the implicit group. A completion may make another one, which the next commit ends.
    func commitImplicit() {
        guard hasImplicit, groups.count == 1, let group = groups.popLast() else { return }
        hasImplicit = false
        group.commit()
    }
}

extension UIApplication {
    /// Counts an animation of a known end for the transactions that are open.
    final func noteAnimation(until end: Instant) {
        guard let group = transactions.current, end < .never, end > now, let mainLoop else { return }
        group.animationStarted()
        _ = mainLoop.schedule(at: end, every: nil, modes: [.default, .tracking]) { group.animationStopped() }
    }
}

extension CALayer {
    /// Counts the change of a layer without a view for the completion of the transaction.
    final func countImplicitAnimation() {
        guard superlayerPointer != nil, let application = UIApplication.current,
            let group = application.transactions.current, group.completion != nil, !group.disablesActions
        else { return }
        let duration = Duration(seconds: group.duration ?? 0.25)
        application.noteAnimation(until: application.now.advanced(by: duration))
    }
}
