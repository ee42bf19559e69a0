// ActionTargets.swift: the targets and closures that a recognizer calls when it acts.
//
// Station   action
// Input     UIGestureRecognizer.addTarget, addAction and their opposites
// Output    UIGestureRecognizer.sendActions
//
// Sources   documented  the same target and action twice are one entry; targets are not kept

/// A weak reference to a target.
struct WeakTarget {
    weak var object: AnyObject?
}

struct ActionTargets {
    enum Entry {
        case selector(WeakTarget, Selector)
        case closure(UIAction)
    }

    /// In the order they were added.
    private(set) var entries: [Entry] = []

    /// Adds a target. The same target and action twice are one entry.
    mutating func add(_ target: AnyObject, _ action: Selector) {
        let isThere = entries.contains {
            guard case .selector(let known, action) = $0 else { return false }
            return known.object === target
        }
        guard !isThere else { return }
        entries.append(.selector(WeakTarget(object: target), action))
    }

    /// Removes entries. Nil stands for any target or any action.
    mutating func remove(_ target: AnyObject?, _ action: Selector?) {
        entries.removeAll {
            switch $0 {
            case .selector(let known, let selector):
                (target == nil || known.object === target) && (action == nil || selector == action)
            case .closure: target == nil && action == nil
            }
        }
    }

    /// Adds a closure as the last entry, and removes an earlier one for the same action.
    mutating func add(_ action: UIAction) {
        remove(action)
        entries.append(.closure(action))
    }

    mutating func remove(_ action: UIAction) {
        entries.removeAll {
            if case .closure(let known) = $0 { known.isSame(as: action) } else { false }
        }
    }
}
