// TestPhone+Finding.swift: views by target, and whether a touch would reach them.
//
//     target ─▶ shown windows, front to back, outermost view first ─▶ view ─▶ its center ─▶ hit test ─▶ point
//
// Sources   UIKit/Engine/Views/TouchObstacle.swift for the obstacles
//           invented    a gesture waits for its view, after XCUITest
//           invented    of several views one is meant if a person sees one: no other is shown, or all are one control's

import AppCore
import Basics
public import Foundation
public import UIKit
import ViewTrees

extension TestPhone {
    /// Returns the view of a target, after waiting for it at most `patience`.
    ///
    /// XCUITest refuses a query with several elements, and does not see views that are no elements of accessibility. Components
    /// draw a text twice, normal and selected, and show parts of both. So of several views that fit, this function returns
    ///
    /// 1. the one whose center is not masked away or clipped by views around it,
    /// 2. or else the one that is not covered: another view takes a touch at the center of each other one,
    /// 3. or else the frontmost one, if all have a center inside each other and are in the same control, so that a touch on
    ///    any of them is the same.
    ///
    /// - Throws: `PhoneError.notFound` with the views that are shown; `ambiguous` if several views fit and none of these rules
    ///   decides.
    public func find(_ target: Target) throws(PhoneError) -> UIView {
        guard isRunning else { throw .notRunning }
        advance(until: { !views(target).isEmpty })
        switch TargetChoice(among: views(target), isShown: { $0.concealment == nil }) {
        case .none:
            let views = allViews().filter { $0.concealment == nil }
            throw .notFound(target: "\(target)", shown: views.compactMap(\.searchDescription))
        case .one(let view): return view
        case .several(let views):
            if case .view(_, isFirst: true) = target.place { return views[0] }
            guard let meant = viewMeant(among: views) else {
                throw .ambiguous(target: "\(target)", found: views.map(\.traceLabel))
            }
            return meant
        }
    }

    /// Returns the view of a class, after waiting for it at most `patience`.
    ///
    /// - Parameters:
    ///   - type: The class; a view of a subclass is found too.
    ///   - identifier: The view's `accessibilityIdentifier`; nil for any.
    /// - Throws: As `find(_:)`.
    public func find<View: UIView>(_ type: View.Type, _ identifier: String? = nil) throws(PhoneError) -> View {
        let name = identifier.map { "a \(type) \"\($0)\"" } ?? "a \(type)"
        let found = try find(
            .matching(name) { $0 is View && (identifier == nil || $0.accessibilityIdentifier == identifier) })
        guard let view = found as? View else { preconditionFailure("\(found) fits \(name)") }
        return view
    }

    /// Returns all views of a target that are shown now, frontmost window and outermost view first.
    public func findAll(_ target: Target) -> [UIView] { views(target).filter { $0.concealment == nil } }

    /// Returns the view that a touch at a point of the interface would reach; nil if none.
    public func hitTest(_ point: CGPoint) -> UIView? {
        guard isRunning else { return nil }
        let application = application
        return isTurning ? application.hitView(at: point) : run { application.hitView(at: point) }
    }

    // MARK: Searching

    private func allViews() -> [UIView] {
        guard isRunning else { return [] }
        return application.windows.reversed().flatMap { window in window.isHidden ? [] : window.withDescendants }
    }

    private func views(_ target: Target) -> [UIView] {
        guard case .view(let fits, _) = target.place else { return [] }
        let found = allViews().filter(fits)
        return target.containers.reduce(found) { found, container in
            let outside = views(container)
            return found.filter { view in outside.contains { $0 !== view && view.isDescendant(of: $0) } }
        }
    }

    // MARK: Several views

    /// The view that a person means who sees several views as one; nil if a person sees several.
    private func viewMeant(among found: [UIView]) -> UIView? {
        let uncut = found.filter { !$0.isCenterCutAway }
        if uncut.count <= 1 { return uncut.first }
        let reached = uncut.filter { !isCovered($0) }
        if reached.count == 1 { return reached[0] }
        let rest = reached.isEmpty ? uncut : reached
        guard let control = rest[0].enclosingControl, let window = rest[0].window else { return nil }
        let areOne = rest.allSatisfy { view in
            guard view.enclosingControl === control, view.window === window else { return false }
            let center = CGPoint(x: view.bounds.midX, y: view.bounds.midY)
            return rest.allSatisfy { $0.bounds.contains(view.convert(center, to: $0)) }
        }
        // A view comes before those in front of it.
        return areOne ? rest.last : nil
    }

    /// Whether another view, in another control or in none, takes a touch at the view's center.
    private func isCovered(_ view: UIView) -> Bool {
        guard let hit = hitTest(point(of: view)) else { return false }
        if hit.isDescendant(of: view) || view.isDescendant(of: hit) { return false }
        return view.enclosingControl == nil || hit.enclosingControl !== view.enclosingControl
    }

    // MARK: Places

    /// Returns a point of the interface that touches the target, after waiting until one does.
    ///
    /// - Parameter offset: A point in the view's coordinates; nil for its center.
    /// - Throws: `PhoneError` if no view fits, or a touch would not reach it.
    func place(of target: Target, at offset: CGPoint? = nil) throws(PhoneError) -> CGPoint {
        guard isRunning else { throw .notRunning }
        if case .point(let point) = target.place { return point }
        let view = try find(target)
        advance(until: { self.obstacle(to: view, at: offset) == nil })
        if let obstacle = obstacle(to: view, at: offset) {
            throw .notHittable(target: "\(target)", reason: obstacle)
        }
        return point(of: view, at: offset)
    }

    /// The point of the interface at an offset of a view, by default at its center.
    func point(of view: UIView, at offset: CGPoint? = nil) -> CGPoint {
        guard isRunning else { return offset ?? CGPoint(x: view.bounds.midX, y: view.bounds.midY) }
        return application.interfacePoint(of: view, at: offset)
    }

    /// Why a touch would not reach a view; nil if it would.
    func obstacle(to view: UIView, at offset: CGPoint? = nil) -> String? {
        let application = application
        return isTurning
            ? application.touchObstacle(to: view, at: offset)
            : run { application.touchObstacle(to: view, at: offset) }
    }
}

extension UIView {
    fileprivate var withDescendants: [UIView] { [self] + subviews.flatMap(\.withDescendants) }

    /// A line of a failed search; nil for a view that a test cannot name.
    fileprivate var searchDescription: String? {
        guard accessibilityIdentifier != nil || shownText != nil else { return nil }
        return traceLabel + (shownText.map { " with the text \"\($0)\"" } ?? "")
    }
}
