// ViewChanges.swift: the values of views before and after an animation, and values in between.
//
// Input     UIView's setters, while an animator's block runs
// Output    UIViewPropertyAnimator, which can stop on the way or return
//
// Knows     center, bounds, transform and alpha. Other properties, and those of layers without views, are not recorded.

import Foundation

final class ViewChanges {
    private struct Values: Equatable {
        var center: CGPoint
        var bounds: CGRect
        var transform: CGAffineTransform
        var alpha: CGFloat

        init(_ view: UIView) {
            (center, bounds, transform, alpha) = (view.center, view.bounds, view.transform, view.alpha)
        }
    }

    private struct Change {
        let view: UIView
        let old: Values
        var new: Values
    }

    private var changes: [Change] = []

    /// Notes the values of a view before its first change.
    func viewWillChange(_ view: UIView) {
        guard !changes.contains(where: { $0.view === view }) else { return }
        let values = Values(view)
        changes.append(Change(view: view, old: values, new: values))
    }

    /// The views that have changed.
    var views: [UIView] { changes.map(\.view) }

    /// Notes the values after the block.
    func blockDidRun() { for index in changes.indices { changes[index].new = Values(changes[index].view) } }

    func removeAll() { changes = [] }

    /// Sets what the block has changed to a value between the old one at 0 and the new one at 1.
    func apply(_ progress: CGFloat) {
        func part(_ a: CGFloat, _ b: CGFloat) -> CGFloat { progress == 1 ? b : a + (b - a) * progress }
        UIView.performWithoutAnimation {
            for change in changes {
                let (view, old, new) = (change.view, change.old, change.new)
                if old.transform != new.transform {
                    let (a, b) = (old.transform, new.transform)
                    view.transform = CGAffineTransform(
                        a: part(a.a, b.a), b: part(a.b, b.b), c: part(a.c, b.c), d: part(a.d, b.d),
                        tx: part(a.tx, b.tx), ty: part(a.ty, b.ty))
                }
                if old.bounds != new.bounds {
                    let (a, b) = (old.bounds, new.bounds)
                    view.bounds = CGRect(
                        x: part(a.minX, b.minX), y: part(a.minY, b.minY), width: part(a.width, b.width),
                        height: part(a.height, b.height))
                }
                if old.center != new.center {
                    view.center = CGPoint(x: part(old.center.x, new.center.x), y: part(old.center.y, new.center.y))
                }
                if old.alpha != new.alpha { view.alpha = part(old.alpha, new.alpha) }
            }
        }
    }
}
