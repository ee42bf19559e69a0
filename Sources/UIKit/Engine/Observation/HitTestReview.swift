// HitTestReview.swift: the views that lie at a touch's point in front of the hit view, each with the reason why it was
// not hit.
//
// Station   hitTest
// Input     TouchTracker, after a hit test whose facts are read
// Output    UIKitEvent.HitTest.passedOver
// Knows     frames and properties alone: calls of an app's `hitTest` and `point(inside:)` must not depend on observation
//
// Sources   documented  the reasons (B3.2, B3.3)

import Foundation
import Trace

/// The reason why a view that lies at a point was not hit.
package enum PassReason {
    case notInteractive
    case hidden
    case transparent(alpha: CGFloat)
    /// An animation excludes touches.
    case animated
    /// The point is outside a view around it.
    case outside(UIView)
    /// It or a view around it decides by an override, or it was not asked because another view answered for it.
    case answeredNo
}

/// The walk over the windows of an application, front to back.
struct HitTestReview {
    /// The greatest number of visited views, and of found ones.
    private static let visitLimit = 4096
    private static let findLimit = 32

    private let hit: UIView?
    private var visits = 0
    private(set) var found: [(view: UIView, why: PassReason)] = []
    /// Whether the walk has reached the hit view: those behind it are not in the way.
    private var isOver = false

    /// - Parameter point: In the space of the windows' scene.
    init(of windows: [UIWindow], at point: CGPoint, hit: UIView?) {
        self.hit = hit
        for window in windows.reversed() where !isOver { visit(window, window.pointFromSuperview(point), outside: nil) }
    }

    /// - Parameter outside: The outermost view around this one that does not contain the point.
    private mutating func visit(_ view: UIView, _ point: CGPoint, outside: UIView?) {
        guard !isOver, visits < Self.visitLimit, found.count < Self.findLimit else { return }
        visits += 1
        let contains = view.bounds.containsForHitTest(point)
        if let why = view.ownReason {
            // Views in it are passed for the same reason.
            if contains, view !== hit { found.append((view, why)) }
            return
        }
        let inner = outside ?? (contains ? nil : view)
        for child in view.children.reversed() { visit(child, child.pointFromSuperview(point), outside: inner) }
        guard !isOver else { return }
        if view === hit {
            isOver = true
        } else if contains {
            if let outside {
                found.append((view, .outside(outside)))
            } else if hit.map({ !$0.isDescendant(of: view) }) ?? true {
                found.append((view, .answeredNo))
            }
        }
    }
}

extension UIView {
    /// The reason in the view's own properties; nil if touches may begin on it.
    fileprivate final var ownReason: PassReason? {
        if admission.isHidden { return .hidden }
        if admission.alpha < 0.01 { return .transparent(alpha: admission.alpha) }
        if !admission.isInteractive { return .notInteractive }
        return ignoresTouches ? .animated : nil
    }
}

extension PassReason {
    /// The words of the fact.
    func text(in application: UIApplication) -> String {
        switch self {
        case .notInteractive: "isUserInteractionEnabled is false"
        case .hidden: "it is hidden"
        case .transparent(let alpha): "alpha is \(tracedFraction(alpha)), limit 0.01"
        case .animated: "an animation excludes touches"
        case .outside(let view): "the point is outside \(view.traceLabel)"
        case .answeredNo: "hitTest or point(inside:) answered otherwise"
        }
    }

    private func tracedFraction(_ value: CGFloat) -> String {
        let thousandths = Int((value * 1000).rounded())
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        return "\(thousandths / 1000).\(digits)"
    }
}
