// ActionTargets.swift: what a recognizer calls when it acts.
//
// Station   action
// Input     UIGestureRecognizer.addTarget, addAction and their opposites
// Output    UIGestureRecognizer.sendActions
//
// Sources   documented  the same target and action twice are one entry; targets are not kept

/// A target that is not kept.
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

    /// The same target and action twice are one entry.
    mutating func add(_ target: AnyObject, _ action: Selector) {
        let isThere = entries.contains {
            guard case .selector(let known, action) = $0 else { return false }
            return known.object === target
        }
        guard !isThere else { return }
        entries.append(.selector(WeakTarget(object: target), action))
    }

    /// Nil stands for any.
    mutating func remove(_ target: AnyObject?, _ action: Selector?) {
        entries.removeAll {
            switch $0 {
            case .selector(let known, let selector):
                (target == nil || known.object === target) && (action == nil || selector == action)
            case .closure: target == nil && action == nil
            }
        }
    }

    /// One that is the same takes the other's place.
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
